/* argmax and argmin: the first of the best; a NaN is better than all. */
#include "codegen/interp/internal.h"

#include <math.h>

static bool is_better(struct interp_scalar a, struct interp_scalar best, bool is_max)
{
    if (ir_dtype_is_float(a.dtype)) {
        if (isnan(best.real))
            return false;
        return isnan(a.real) || (is_max ? a.real > best.real : a.real < best.real);
    }
    struct interp_scalar result;
    return interp_binary(is_max ? IR_EXPR_gt : IR_EXPR_lt, a, best, &result) && result.integer;
}

/* The index of the best of @count elements that lie @stride apart. */
static int64_t find_best(const struct inlay_tensor *x, int64_t first, int64_t count, int64_t stride,
                         bool is_max)
{
    struct ir_dtype dtype = interp_tensor_dtype(x);
    int64_t best = 0;
    for (int64_t i = 1; i < count; i++)
        if (is_better(interp_load_element(dtype, interp_data(x), first + i * stride),
                      interp_load_element(dtype, interp_data(x), first + best * stride), is_max))
            best = i;
    return best;
}

static const struct interp_value *search(struct interp_op *o, bool is_max)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    int64_t shape[INTERP_RANK], stride = 1;
    unsigned ndim = 0;
    if (!x)
        return NULL;
    bool is_all = interp_attr_is_none(o, "axis"), keeps = interp_attr_bool(o, "keepdims");
    unsigned axis = is_all ? 0 : interp_axis(interp_attr_int(o, "axis", 0), (unsigned)x->ndim);
    for (unsigned i = 0; i < (unsigned)x->ndim; i++) {
        bool is_reduced = is_all || i == axis;
        if (!is_reduced || keeps)
            shape[ndim++] = is_reduced ? 1 : x->shape[i];
        if (!is_all && i > axis)
            stride *= x->shape[i];
    }
    struct interp_value *result = interp_tensor_new(o->run, IR_I64, shape, ndim);
    if (!result)
        return NULL;
    int64_t *out = result->tensor->data;
    int64_t extent = is_all ? inlay_tensor_elements(x) : x->shape[axis];
    for (int64_t i = 0; i < inlay_tensor_elements(result->tensor); i++)
        out[i] = find_best(x, i / stride * stride * extent + i % stride, extent, stride, is_max);
    return result;
}

const struct interp_value *interp_op_argmax(struct interp_op *o)
{
    return search(o, true);
}

const struct interp_value *interp_op_argmin(struct interp_op *o)
{
    return search(o, false);
}

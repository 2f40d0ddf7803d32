/*
 * nonzero and dynamic_strided_slice: results whose size only the run knows.
 *
 * One kernel works out the sizes; tensor_to_shape and a match_cast give them names, and a second kernel, whose
 * result has these symbols for dims, is as all others.
 */
#include "ops/lower/code.h"

#include <string.h>

/* A vector of int64. */
static const struct ir_type *vector_of(struct ir_module *module, int64_t length)
{
    const struct ir_expr *dim = ir_expr_int(module->context, IR_I64, length);

    return ir_type_tensor(module->context, IR_I64, &dim, 1);
}

/* ---- nonzero ---- */

static const struct ir_expr *is_not_zero(struct kernel *k, const struct ir_expr *x)
{
    struct ir_dtype dtype = kernel_compute_dtype(x->dtype);

    if (ir_dtype_is_bool(dtype))
        return x;
    return k_binary(k, IR_EXPR_ne, k_cast(k, dtype, x), k_number(k, dtype, 0));
}

/* Loops over the data, in row-major order; in the last of @codes, what is done where it is not zero. */
static const struct ir_expr **begin_walk(struct kernel *k, struct code *codes)
{
    unsigned ndim = (unsigned)k->operands[0].type->ndim;
    const struct ir_expr **at = kernel_indices(k, ndim);

    for (unsigned d = 0; d < ndim; d++)
        at[d] = code_for(&codes[d], &codes[d + 1], "i", kernel_input_dim(k, 0, d));
    code_if(&codes[ndim], &codes[ndim + 1], is_not_zero(k, kernel_load(k, 0, at)));
    return at;
}

static void end_walk(struct nest *nest, struct code *codes)
{
    for (unsigned d = (unsigned)nest->k->operands[0].type->ndim + 1; d > 0; d--)
        code_end(&codes[d]);
    nest_code(nest, codes);
    nest_end(nest);
}

static struct code *walk_codes(struct kernel *k)
{
    struct code *codes =
        arena_array(&k->module->arena, struct code, (unsigned)k->operands[0].type->ndim + 2);

    codes[0] = code_begin(k);
    return codes;
}

static struct ir_value *count_nonzero(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin_as(&k, module, diag, op, 1u, vector_of(module, 1), NULL, 0))
        return NULL;
    k.name = "nonzero_count";
    struct nest nest = nest_begin(&k, "T_nonzero_count");
    struct code *codes = walk_codes(&k);
    const struct ir_expr *zero = k_int(&k, 0);
    const struct ir_buffer *count = code_scalar(codes, "count", IR_I64, zero);
    begin_walk(&k, codes);
    code_count(&codes[k.operands[0].type->ndim + 1], count, k_int(&k, 1));
    for (unsigned d = (unsigned)k.operands[0].type->ndim + 1; d > 0; d--)
        code_end(&codes[d]);
    code_store(codes, k.outputs[0], &zero, code_get(&k, count));
    nest_code(&nest, codes);
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *lower_nonzero(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct ir_value *count = count_nonzero(module, diag, op);
    const struct ir_expr *dims[2];
    struct kernel k;

    if (!count)
        return NULL;
    int ndim = op->operands[0].value->type->ndim;
    dims[0] = ir_expr_int(module->context, IR_I64, ndim > 1 ? ndim : 1);
    dims[1] = kernel_bind_sizes(module, diag, op, count, 1)[0];
    if (!kernel_begin_as(&k, module, diag, op, 1u, ir_type_tensor(module->context, IR_I64, dims, 2),
                         NULL, 0))
        return NULL;
    struct nest nest = nest_begin(&k, "T_nonzero");
    struct code *codes = walk_codes(&k);
    const struct ir_buffer *next = code_scalar(codes, "next", IR_I64, k_int(&k, 0));
    const struct ir_expr **at = begin_walk(&k, codes);
    struct code *found = &codes[ndim + 1];
    for (int d = 0; d < (ndim > 1 ? ndim : 1); d++) {
        const struct ir_expr *to[] = {k_int(&k, d), code_get(&k, next)};
        code_store(found, k.outputs[0], to, ndim > 0 ? at[d] : k_int(&k, 0));
    }
    code_count(found, next, k_int(&k, 1));
    end_walk(&nest, codes);
    return kernel_finish(&k);
}

/* ---- dynamic_strided_slice ---- */

static const struct ir_expr *bound_at(struct kernel *k, unsigned operand, unsigned d)
{
    const struct ir_expr *at = k_int(k, d);

    return k_cast(k, IR_I64, kernel_load(k, operand, &at));
}

/* Bound @operand of axis @d as Python counts it: within the extent, for a slice backwards also -1. */
static const struct ir_expr *limited(struct kernel *k, unsigned operand, unsigned d)
{
    const struct ir_expr *extent = kernel_input_dim(k, 0, d), *zero = k_int(k, 0);
    const struct ir_expr *is_back = k_binary(k, IR_EXPR_lt, bound_at(k, 3, d), zero);
    const struct ir_expr *low = k_select(k, is_back, k_int(k, -1), zero);
    const struct ir_expr *high = k_add(k, extent, low);
    const struct ir_expr *bound = bound_at(k, operand, d);

    bound = k_select(k, k_binary(k, IR_EXPR_lt, bound, zero),
                     k_binary(k, IR_EXPR_add, bound, extent), bound);
    return k_binary(k, IR_EXPR_max, k_binary(k, IR_EXPR_min, bound, high), low);
}

static struct ir_value *slice_sizes(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    int ndim = op->operands[0].value->type->ndim;

    if (!kernel_begin_as(&k, module, diag, op, 15u, vector_of(module, ndim), NULL, 0))
        return NULL;
    k.name = "slice_sizes";
    struct nest nest = nest_begin(&k, "T_slice_sizes");
    struct code code = code_begin(&k);
    for (unsigned d = 0; d < (unsigned)ndim; d++) {
        const struct ir_expr *zero = k_int(&k, 0), *at = k_int(&k, d);
        const struct ir_expr *stride = code_let(&code, "stride", bound_at(&k, 3, d));
        code_assert(&code, k_binary(&k, IR_EXPR_ne, stride, zero), "a stride is 0");
        const struct ir_expr *is_back = k_binary(&k, IR_EXPR_lt, stride, zero);
        const struct ir_expr *first = limited(&k, 1, d), *last = limited(&k, 2, d);
        const struct ir_expr *distance =
            k_select(&k, is_back, k_sub(&k, first, last), k_sub(&k, last, first));
        distance = code_let(&code, "distance", k_binary(&k, IR_EXPR_max, distance, zero));
        const struct ir_expr *step = k_select(&k, is_back, k_sub(&k, zero, stride), stride);
        step = code_let(&code, "step", k_binary(&k, IR_EXPR_max, step, k_int(&k, 1)));
        const struct ir_expr *rest = k_binary(&k, IR_EXPR_floormod, distance, step);
        const struct ir_expr *count = k_binary(&k, IR_EXPR_floordiv, distance, step);
        count = k_add(&k, count, k_cast(&k, IR_I64, k_binary(&k, IR_EXPR_gt, rest, zero)));
        code_store(&code, k.outputs[0], &at, count);
    }
    nest_code(&nest, &code);
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *lower_dynamic_strided_slice(struct ir_module *module, struct diag *diag,
                                             struct ir_op *op)
{
    const struct ir_type *type = op->operands[0].value->type;
    struct ir_value *sizes;
    struct kernel k;

    if (type->kind == IR_TYPE_TENSOR && type->ndim == 0)
        return op_lower_to_operand(module, diag, op);
    if (!(sizes = slice_sizes(module, diag, op)))
        return NULL;
    const struct ir_expr *const *dims =
        kernel_bind_sizes(module, diag, op, sizes, (unsigned)type->ndim);
    if (!kernel_begin_as(&k, module, diag, op, 15u,
                         ir_type_tensor(module->context, type->dtype, dims, type->ndim), NULL, 0))
        return NULL;
    struct nest nest = nest_begin(&k, "T_dynamic_slice");
    const struct ir_expr **at = nest_axes_of(&nest, k.outputs[0]);
    const struct ir_expr **from = kernel_indices(&k, (unsigned)type->ndim);
    for (unsigned d = 0; d < (unsigned)type->ndim; d++)
        from[d] =
            k_add(&k, limited(&k, 1, d), k_binary(&k, IR_EXPR_mul, at[d], bound_at(&k, 3, d)));
    nest_store(&nest, k.outputs[0], at, kernel_load(&k, 0, from));
    nest_end(&nest);
    return kernel_finish(&k);
}

/*
 * sort, argsort, topk, median: by counting.
 *
 * The place of an element is the number of elements that come before it: one loop for each, which runs on
 * vectors and needs no exchange of elements.  It takes the square of the length: right for the rows that
 * networks sort, and slow for very long ones.  The order is stable, also downwards; a NaN is larger than all numbers.
 */
#include "ops/lower/lower.h"

#include <string.h>

struct sorting {
    struct kernel *k;
    unsigned axis, ndim;
    bool is_descending;
    struct ir_buffer *places; /* of the shape of the data */
};

static const struct ir_expr *isnan_of(struct kernel *k, const struct ir_expr *x)
{
    return ir_expr_call(k->context, IR_B1, "isnan", &x, 1);
}

/* a < b, a NaN being larger than all but a NaN */
static const struct ir_expr *is_less(struct kernel *k, const struct ir_expr *a,
                                     const struct ir_expr *b)
{
    const struct ir_expr *less = k_binary(k, IR_EXPR_lt, a, b);

    if (!ir_dtype_is_float(a->dtype))
        return less;
    const struct ir_expr *is_number = ir_expr_not(k->context, isnan_of(k, a));
    return k_binary(k, IR_EXPR_or, less, k_binary(k, IR_EXPR_and, is_number, isnan_of(k, b)));
}

static const struct ir_expr *element(struct sorting *s, const struct ir_expr *const *at)
{
    return k_cast(s->k, kernel_compute_dtype(s->k->operands[0].type->dtype),
                  kernel_load(s->k, 0, at));
}

/* Counts, for each element, those that come before it along the axis. */
static struct sorting count_places(struct kernel *k, int64_t axis, bool is_descending)
{
    struct sorting s = {.k = k, .ndim = (unsigned)k->operands[0].type->ndim};
    s.is_descending = is_descending;
    s.axis = op_axis(axis, s.ndim);
    const struct ir_expr **dims = kernel_indices(k, s.ndim);
    for (unsigned d = 0; d < s.ndim; d++)
        dims[d] = kernel_input_dim(k, 0, d);
    s.places = kernel_alloc(k, "places", IR_I64, dims, s.ndim);
    struct nest nest = nest_begin(k, "T_places");
    const struct ir_expr **at = nest_axes_of(&nest, s.places);
    const struct ir_expr **other = kernel_copy_indices(k, at, s.ndim);
    other[s.axis] = nest_axis(&nest, TIR_REDUCE, dims[s.axis]);
    const struct ir_expr *x = element(&s, at), *y = element(&s, other);
    const struct ir_expr *before = is_descending ? is_less(k, x, y) : is_less(k, y, x);
    const struct ir_expr *behind = is_descending ? is_less(k, y, x) : is_less(k, x, y);
    const struct ir_expr *is_tie = k_binary(k, IR_EXPR_lt, other[s.axis], at[s.axis]);
    is_tie = k_binary(k, IR_EXPR_and, is_tie, ir_expr_not(k->context, behind));
    nest_init(&nest, s.places, at, k_int(k, 0));
    nest_store(&nest, s.places, at,
               k_binary(k, IR_EXPR_add, nest_load(&nest, s.places, at),
                        k_cast(k, IR_I64, k_binary(k, IR_EXPR_or, before, is_tie))));
    nest_end(&nest);
    return s;
}

/* to[.. place ..] = the element, or its index. */
static void scatter(struct sorting *s, struct ir_buffer *to, bool is_index)
{
    struct kernel *k = s->k;
    struct nest nest = nest_begin(k, "T_sorted");
    const struct ir_expr **at = kernel_indices(k, s->ndim);

    for (unsigned d = 0; d < s->ndim; d++)
        at[d] = nest_axis(&nest, TIR_OPAQUE, s->places->shape[d]);
    const struct ir_expr **place = kernel_copy_indices(k, at, s->ndim);
    place[s->axis] = nest_load(&nest, s->places, at);
    nest_store(&nest, to, place, is_index ? at[s->axis] : kernel_load(k, 0, at));
    nest_end(&nest);
}

struct ir_value *lower_sort(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct sorting s =
        count_places(&k, op_attr_int(op, "axis", -1), ir_op_attr(op, "descending")->boolean);
    scatter(&s, k.outputs[0], false);
    return kernel_finish(&k);
}

struct ir_value *lower_argsort(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct sorting s =
        count_places(&k, op_attr_int(op, "axis", -1), ir_op_attr(op, "descending")->boolean);
    scatter(&s, k.outputs[0], true);
    return kernel_finish(&k);
}

/* The first of the sorted elements: all are sorted, and what the result has room for is copied. */
static void take_first(struct sorting *s, struct ir_buffer *out, bool is_index)
{
    struct kernel *k = s->k;
    struct ir_buffer *all =
        kernel_alloc(k, is_index ? "indices" : "values", out->dtype, s->places->shape, s->ndim);

    scatter(s, all, is_index);
    struct nest nest = nest_begin(k, "T_topk");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    nest_store(&nest, out, at, nest_load(&nest, all, at));
    nest_end(&nest);
}

struct ir_value *lower_topk(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    const char *kind = ir_op_attr(op, "ret_type")->string;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct sorting s =
        count_places(&k, op_attr_int(op, "axis", -1), ir_op_attr(op, "largest")->boolean);
    if (strcmp(kind, "indices") != 0)
        take_first(&s, k.outputs[0], false);
    if (strcmp(kind, "values") != 0)
        take_first(&s, k.outputs[k.output_count - 1], true);
    return kernel_finish(&k);
}

/* The element, and its index, whose place is in the middle: of an even number, the lower one. */
struct ir_value *lower_median(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    const struct ir_attr *axes = ir_op_attr(op, "axis");

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    bool is_vector = k.operands[0].type->ndim == 1;
    if (!(axes->kind == IR_ATTR_LIST && axes->count == 1) && !is_vector) {
        diag_report(diag, op->loc, OP_UNSUPPORTED, "median over several axes");
        return kernel_abandon(&k);
    }
    int64_t axis = axes->kind == IR_ATTR_LIST && axes->count == 1 ? axes->items[0]->integer : 0;
    struct sorting s = count_places(&k, axis, false);
    bool keeps = k.outputs[0]->ndim == s.ndim;
    for (unsigned i = 0; i < k.output_count; i++) {
        struct ir_buffer *out = k.outputs[i];
        struct nest nest = nest_begin(&k, "T_median");
        const struct ir_expr **at = kernel_indices(&k, s.ndim), **to = kernel_indices(&k, s.ndim);
        unsigned count = 0;
        for (unsigned d = 0; d < s.ndim; d++) {
            if (d != s.axis)
                to[count++] = at[d] = nest_axis(&nest, TIR_SPATIAL, s.places->shape[d]);
            else if (keeps)
                to[count++] = nest_axis(&nest, TIR_SPATIAL, k_int(&k, 1));
        }
        at[s.axis] = nest_axis(&nest, TIR_REDUCE, s.places->shape[s.axis]);
        const struct ir_expr *last = k_sub(&k, s.places->shape[s.axis], k_int(&k, 1));
        const struct ir_expr *middle = k_binary(&k, IR_EXPR_floordiv, last, k_int(&k, 2));
        const struct ir_expr *value =
            i == 0 ? kernel_load(&k, 0, at) : k_cast(&k, out->dtype, at[s.axis]);
        const struct ir_expr *is_middle =
            k_binary(&k, IR_EXPR_eq, nest_load(&nest, s.places, at), middle);
        nest_init(&nest, out, to, k_number(&k, out->dtype, 0));
        nest_store(&nest, out, to, k_select(&k, is_middle, value, nest_load(&nest, out, to)));
        nest_end(&nest);
    }
    return kernel_finish(&k);
}

/*
 * index_tensor and index_put: one loop for each axis of what is indexed.  The index tensors are read where
 * their broadcast stands; the axes behind them are those of the data.
 */
#include "ops/lower/lower.h"

/* What is indexed: its dims, those of the index tensors' broadcast first. */
struct indexed {
    struct kernel *k;
    const struct ir_expr *const *dims;
    unsigned ndim, outer;
    bool is_open; /* the rule of types did not know them */
};

/* Extent @a beside @b, of which one is 1 or both are the same; which it is only the run may know. */
static const struct ir_expr *wider(struct indexed *x, const struct ir_expr *a,
                                   const struct ir_expr *b)
{
    struct ir_context *context = x->k->context;

    if (a == NULL || ir_expr_is_int(a, 1))
        return b;
    if (ir_expr_is_int(b, 1) || ir_prove_equal(context, a, b))
        return a;
    x->is_open = true;
    return k_select(x->k, k_binary(x->k, IR_EXPR_eq, a, k_int(x->k, 1)), b, a);
}

static struct indexed begin(struct kernel *k)
{
    unsigned count = k->field_count, ndim = (unsigned)k->operands[0].type->ndim;
    struct indexed x = {.k = k};

    for (unsigned i = 0; i < count; i++)
        if ((unsigned)k->fields[i].type->ndim > x.outer)
            x.outer = (unsigned)k->fields[i].type->ndim;
    x.ndim = x.outer + ndim - count;
    const struct ir_expr **dims = kernel_indices(k, x.ndim);
    for (unsigned i = 0; i < count; i++) {
        const struct ir_type *type = k->fields[i].type;
        unsigned shift = x.outer - (unsigned)type->ndim;
        for (unsigned d = 0; d < (unsigned)type->ndim; d++)
            dims[shift + d] = wider(&x, dims[shift + d], kernel_expr(k, type->dims[d]));
    }
    for (unsigned d = x.outer; d < x.ndim; d++)
        dims[d] = kernel_input_dim(k, 0, d - x.outer + count);
    x.dims = dims;
    return x;
}

/* The indices of the data where those of what is indexed are @at. */
static const struct ir_expr **data_indices(const struct indexed *x, const struct ir_expr *const *at)
{
    struct kernel *k = x->k;
    unsigned ndim = (unsigned)k->operands[0].type->ndim;
    const struct ir_expr **from = kernel_indices(k, ndim);

    for (unsigned i = 0; i < k->field_count; i++) {
        const struct kernel_operand *field = &k->fields[i];
        const struct ir_expr **where = kernel_broadcast(k, field->type, at, x->dims, x->outer);
        from[i] =
            kernel_from_end(k, kernel_operand_load(k, field, where), kernel_input_dim(k, 0, i));
    }
    for (unsigned d = k->field_count; d < ndim; d++)
        from[d] = at[x->outer + d - k->field_count];
    return from;
}

struct ir_value *lower_index_tensor(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    struct indexed x = begin(&k);
    struct nest nest = nest_begin(&k, "T_index");
    const struct ir_expr **at = nest_axes_of(&nest, k.outputs[0]);
    nest_store(&nest, k.outputs[0], at, kernel_load(&k, 0, data_indices(&x, at)));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* The values can be broadcast to the places, which the rule of types has asked where it knew them. */
static void require_values(const struct indexed *x)
{
    struct kernel *k = x->k;
    const struct ir_type *values = k->operands[2].type;
    unsigned shift = x->ndim - (unsigned)values->ndim;

    for (unsigned d = 0; x->is_open && d < (unsigned)values->ndim; d++) {
        const struct ir_expr *dim = kernel_expr(k, values->dims[d]);
        if (ir_expr_is_int(dim, 1) || ir_prove_equal(k->context, dim, x->dims[shift + d]))
            continue;
        const struct ir_expr *is_same = k_binary(k, IR_EXPR_eq, dim, x->dims[shift + d]);
        kernel_require(k,
                       k_binary(k, IR_EXPR_or, k_binary(k, IR_EXPR_eq, dim, k_int(k, 1)), is_same),
                       "`values` cannot be broadcast");
    }
}

struct ir_value *lower_index_put(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    bool is_added = ir_op_attr(op, "accumulate")->boolean;

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    struct indexed x = begin(&k);
    struct ir_buffer *out = k.outputs[0];
    if (is_added && !kernel_check_domain(&k, OP_NUMBER, out->dtype))
        return kernel_abandon(&k);
    struct ir_dtype dtype = is_added ? kernel_compute_dtype(out->dtype) : out->dtype;
    struct ir_buffer *sum = ir_dtype_equal(dtype, out->dtype)
                                ? out
                                : kernel_alloc(&k, "acc", dtype, out->shape, out->ndim);
    require_values(&x);
    kernel_copy_data(&k, sum);
    struct nest nest = nest_begin(&k, "T_index_put");
    const struct ir_expr **at = kernel_indices(&k, x.ndim);
    for (unsigned d = 0; d < x.ndim; d++)
        at[d] = nest_axis(&nest, TIR_OPAQUE, x.dims[d]);
    const struct ir_expr **to = data_indices(&x, at);
    const struct ir_expr *value =
        k_cast(&k, dtype,
               kernel_load(&k, 2, kernel_broadcast(&k, k.operands[2].type, at, x.dims, x.ndim)));
    if (is_added)
        value = k_binary(&k, IR_EXPR_add, nest_load(&nest, sum, to), value);
    nest_store(&nest, sum, to, value);
    nest_end(&nest);
    if (sum != out)
        kernel_cast_result(&k, out, sum);
    return kernel_finish(&k);
}

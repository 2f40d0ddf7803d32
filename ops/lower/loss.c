/* Losses: cross entropy and negative log likelihood, with its gradient. */
#include "ops/lower/lower.h"

#include <string.h>

static const struct ir_expr *value_of(struct kernel *k, const struct ir_buffer *sum)
{
    return ir_expr_load(k->context, sum, NULL, 0);
}

/* @value as the result, of rank 0. */
static void store_result(struct kernel *k, const struct ir_expr *value)
{
    struct nest nest = nest_begin(k, "T_mean");

    nest_store(&nest, k->outputs[0], NULL, value);
    nest_end(&nest);
}

/* -sum(predictions * labels) / batch */
struct ir_value *lower_cross_entropy(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    struct ir_dtype dtype = kernel_compute_dtype(k.outputs[0]->dtype);
    unsigned ndim = (unsigned)k.operands[0].type->ndim;
    struct ir_buffer *sum = kernel_alloc(&k, "sum", dtype, NULL, 0);
    struct nest nest = nest_begin(&k, "T_products");
    const struct ir_expr **at = kernel_indices(&k, ndim);
    for (unsigned d = 0; d < ndim; d++) {
        const struct ir_expr *extent = kernel_input_dim(&k, 0, d);
        at[d] = nest_axis(&nest, TIR_REDUCE, extent);
    }
    const struct ir_expr *product =
        k_binary(&k, IR_EXPR_mul, k_cast(&k, dtype, kernel_load(&k, 0, at)),
                 k_cast(&k, dtype, kernel_load(&k, 1, at)));
    nest_init(&nest, sum, NULL, k_number(&k, dtype, 0));
    nest_store(&nest, sum, NULL, k_binary(&k, IR_EXPR_sub, nest_load(&nest, sum, NULL), product));
    nest_end(&nest);
    store_result(&k, ndim > 1 ? k_share(&k, value_of(&k, sum), kernel_input_dim(&k, 0, 0))
                              : value_of(&k, sum));
    return kernel_finish(&k);
}

/* ---- negative log likelihood ---- */

struct nll {
    struct kernel *k;
    unsigned first; /* operand of the predictions: targets and weights follow */
    struct ir_dtype dtype;
    unsigned ndim; /* of the targets */
    int64_t ignored;
    const char *reduction;
};

static struct nll nll_of(struct kernel *k, unsigned first)
{
    return (struct nll){.k = k,
                        .first = first,
                        .dtype = kernel_compute_dtype(k->operands[first].type->dtype),
                        .ndim = (unsigned)k->operands[first + 1].type->ndim,
                        .ignored = op_attr_int(k->op, "ignore_index", -100),
                        .reduction = ir_op_attr(k->op, "reduction")->string};
}

/* Ranks fit; false after a report. */
static bool check(struct nll *n)
{
    struct kernel *k = n->k;
    const struct ir_type *data = k->operands[n->first].type;
    bool is_single = data->ndim == 1 && n->ndim == 0;

    if (!is_single && data->ndim != (int)n->ndim + 1) {
        diag_report(k->diag, op_said_place(k->op, "targets"), LOWER_OPERAND, k->op->info->name,
                    "targets", "must have one axis less than `predictions`");
        return false;
    }
    return true;
}

static const struct ir_expr *target(struct nll *n, const struct ir_expr *const *at)
{
    return k_cast(n->k, IR_I64, kernel_load(n->k, n->first + 1, at));
}

static const struct ir_expr *counts(struct nll *n, const struct ir_expr *target)
{
    return k_binary(n->k, IR_EXPR_ne, target, k_int(n->k, n->ignored));
}

/* The weight of class @class. */
static const struct ir_expr *weight(struct nll *n, const struct ir_expr *class)
{
    if (n->k->operands[n->first + 2].type == NULL)
        return k_number(n->k, n->dtype, 1);
    return k_cast(n->k, n->dtype, kernel_load(n->k, n->first + 2, &class));
}

/* -prediction * weight of the target at @at; 0 where it is to be ignored. */
static const struct ir_expr *loss(struct nll *n, const struct ir_expr *const *at)
{
    struct kernel *k = n->k;
    const struct ir_expr **from = kernel_indices(k, n->ndim + 1), *class = target(n, at);

    from[0] = n->ndim > 0 ? at[0] : class;
    if (n->ndim > 0)
        from[1] = class;
    for (unsigned d = 1; d < n->ndim; d++)
        from[d + 1] = at[d];
    const struct ir_expr *x = k_cast(k, n->dtype, kernel_load(k, n->first, from));
    const struct ir_expr *zero = k_number(k, n->dtype, 0);
    x = k_binary(k, IR_EXPR_mul, k_binary(k, IR_EXPR_sub, zero, x), weight(n, class));
    return k_if(k, counts(n, class), x, zero);
}

static const struct ir_expr *counted_weight(struct nll *n, const struct ir_expr *const *at)
{
    const struct ir_expr *class = target(n, at);

    return k_if(n->k, counts(n, class), weight(n, class), k_number(n->k, n->dtype, 0));
}

/* The sum of a term over all targets, in a new buffer of rank 0. */
static struct ir_buffer *total(struct nll *n, const char *name,
                               const struct ir_expr *(*term)(struct nll *n,
                                                             const struct ir_expr *const *at))
{
    struct kernel *k = n->k;
    struct ir_buffer *sum = kernel_alloc(k, name, n->dtype, NULL, 0);
    struct nest nest = nest_begin(k, name);
    const struct ir_expr **at = kernel_indices(k, n->ndim);

    for (unsigned d = 0; d < n->ndim; d++)
        at[d] = nest_axis(&nest, TIR_REDUCE, kernel_input_dim(k, n->first + 1, d));
    nest_init(&nest, sum, NULL, k_number(k, n->dtype, 0));
    nest_store(&nest, sum, NULL,
               k_binary(k, IR_EXPR_add, nest_load(&nest, sum, NULL), term(n, at)));
    nest_end(&nest);
    return sum;
}

struct ir_value *lower_nll_loss(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    struct nll n = nll_of(&k, 0);
    if (!check(&n))
        return kernel_abandon(&k);
    if (strcmp(n.reduction, "none") == 0) {
        struct nest nest = nest_begin(&k, "T_nll_loss");
        const struct ir_expr **at = nest_axes_of(&nest, k.outputs[0]);
        nest_store(&nest, k.outputs[0], at, loss(&n, at));
        nest_end(&nest);
        return kernel_finish(&k);
    }
    struct ir_buffer *sum = total(&n, "sum", loss);
    const struct ir_expr *value = value_of(&k, sum);
    if (strcmp(n.reduction, "mean") == 0)
        value =
            k_binary(&k, IR_EXPR_div, value, value_of(&k, total(&n, "weight_sum", counted_weight)));
    store_result(&k, value);
    return kernel_finish(&k);
}

/* -weight * gradient of the loss at the target's class, 0 at all others. */
struct ir_value *lower_nll_loss_backward(struct ir_module *module, struct diag *diag,
                                         struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 15u))
        return NULL;
    struct nll n = nll_of(&k, 1);
    if (!check(&n))
        return kernel_abandon(&k);
    const struct ir_buffer *weights =
        strcmp(n.reduction, "mean") == 0 ? total(&n, "weight_sum", counted_weight) : NULL;
    struct nest nest = nest_begin(&k, "T_nll_loss_backward");
    const struct ir_expr **at = nest_axes_of(&nest, k.outputs[0]);
    const struct ir_expr **to = kernel_indices(&k, n.ndim);
    for (unsigned d = 0; d < n.ndim; d++)
        to[d] = at[d > 0 ? d + 1 : 0];
    const struct ir_expr *class = at[n.ndim > 0 ? 1 : 0], *is_target = target(&n, to);
    bool is_each = strcmp(n.reduction, "none") == 0;
    const struct ir_expr *gradient = k_cast(&k, n.dtype, kernel_load(&k, 0, is_each ? to : NULL));
    if (weights != NULL)
        gradient = k_binary(&k, IR_EXPR_div, gradient, nest_load(&nest, weights, NULL));
    const struct ir_expr *zero = k_number(&k, n.dtype, 0);
    const struct ir_expr *x =
        k_binary(&k, IR_EXPR_mul, k_binary(&k, IR_EXPR_sub, zero, gradient), weight(&n, class));
    const struct ir_expr *meets =
        k_and(&k, counts(&n, is_target), k_binary(&k, IR_EXPR_eq, is_target, class));
    nest_store(&nest, k.outputs[0], at, k_select(&k, meets, x, zero));
    nest_end(&nest);
    return kernel_finish(&k);
}

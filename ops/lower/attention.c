/*
 * Attention: softmax(query * key^T * scale + bias) * value, head by head; the tensors are (batch, sequence, head, size).
 *
 * Computed in float32 for float16 and bfloat16.  A causal mask leaves out the keys behind the query: query i sees key j
 * up to i ("TopLeft"), or up to i + keys - queries ("BottomRight"); of these only the last `window_size`.  What is left out is -inf before the softmax.
 */
#include "ops/lower/lower.h"

#include <string.h>

struct attention {
    struct kernel *k;
    struct ir_dtype dtype;
    const struct ir_expr *batch, *queries, *keys, *heads, *size;
    struct ir_buffer *scores; /* (batch, head, query, key) */
};

static const struct ir_expr *load(struct attention *a, unsigned operand, const struct ir_expr *b,
                                  const struct ir_expr *s, const struct ir_expr *n,
                                  const struct ir_expr *h)
{
    const struct ir_expr *at[] = {b, s, attention_head(a->k, operand, n), h};

    return k_cast(a->k, a->dtype, kernel_load(a->k, operand, at));
}

static void multiply(struct attention *a)
{
    struct kernel *k = a->k;
    struct nest nest = nest_begin(k, "T_scores");
    const struct ir_expr **at = nest_axes_of(&nest, a->scores);
    const struct ir_expr *h = nest_axis(&nest, TIR_REDUCE, a->size);
    const struct ir_expr *product = k_binary(k, IR_EXPR_mul, load(a, 0, at[0], at[2], at[1], h),
                                             load(a, 1, at[0], at[3], at[1], h));

    nest_init(&nest, a->scores, at, k_number(k, a->dtype, 0));
    nest_store(&nest, a->scores, at,
               k_binary(k, IR_EXPR_add, nest_load(&nest, a->scores, at), product));
    nest_end(&nest);
}

/* Is the size the square of a power of two, as 16 and 64 are? */
static bool root_of(const struct attention *a, double *out_root)
{
    const struct ir_expr *size = a->size;
    int64_t root = 1;

    while (size->kind == IR_EXPR_int && root < 1 << 15 && root * root < size->int_value)
        root *= 2;
    *out_root = (double)root;
    return ir_expr_is_int(size, root * root);
}

/* Scaled, biased, masked: in a buffer of its own. */
static struct ir_buffer *adjust(struct attention *a)
{
    struct kernel *k = a->k;
    const struct ir_attr *scale = ir_op_attr(k->op, "scale");
    const struct ir_attr *mask = ir_op_attr(k->op, "causal_mask");
    double root;
    struct ir_buffer *to = kernel_alloc(k, "weights", a->dtype, a->scores->shape, 4);
    struct nest nest = nest_begin(k, "T_scale");
    const struct ir_expr **at = nest_axes_of(&nest, to);
    const struct ir_expr *x = nest_load(&nest, a->scores, at);

    if (scale->kind != IR_ATTR_NONE)
        x = k_binary(k, IR_EXPR_mul, x, k_number(k, a->dtype, op_attr_float(k->op, "scale")));
    else if (root_of(a, &root)) /* exact either way, and no division for each element */
        x = k_binary(k, IR_EXPR_mul, x, k_number(k, a->dtype, 1 / root));
    else
        x = k_binary(k, IR_EXPR_div, x, k_call(k, "sqrt", k_cast(k, a->dtype, a->size)));
    if (k->operands[3].type != NULL)
        x = k_binary(
            k, IR_EXPR_add, x,
            k_cast(k, a->dtype,
                   kernel_load(k, 3, kernel_broadcast(k, k->operands[3].type, at, to->shape, 4))));
    if (mask->kind == IR_ATTR_STRING) {
        const struct ir_expr *last = at[2];
        if (strcmp(mask->string, "BottomRight") == 0)
            last = k_add(k, last, ir_simplify(k->context, k_sub(k, a->keys, a->queries)));
        const struct ir_expr *is_seen = k_binary(k, IR_EXPR_le, at[3], last);
        if (!op_attr_is_none(k->op, "window_size")) {
            int64_t window = op_attr_int(k->op, "window_size", 0);
            const struct ir_expr *first = k_add(k, at[3], k_int(k, window));
            is_seen = k_and(k, is_seen, k_binary(k, IR_EXPR_gt, first, last));
        }
        x = k_select(k, is_seen, x, k_lowest(k, a->dtype));
    }
    nest_store(&nest, to, at, x);
    nest_end(&nest);
    return to;
}

/* to[b, n, q] = the largest of the row, or the sum of exp(row - max) (of @row itself if @max is NULL). */
static struct ir_buffer *along_keys(struct attention *a, const char *name, struct ir_buffer *row,
                                    bool is_max)
{
    struct kernel *k = a->k;
    struct ir_buffer *to = kernel_alloc(k, name, a->dtype, row->shape, 3);
    struct nest nest = nest_begin(k, name);
    const struct ir_expr **at = kernel_indices(k, 4);

    for (unsigned d = 0; d < 3; d++)
        at[d] = nest_axis(&nest, TIR_SPATIAL, row->shape[d]);
    at[3] = nest_axis(&nest, TIR_REDUCE, row->shape[3]);
    nest_init(&nest, to, at, is_max ? k_lowest(k, a->dtype) : k_number(k, a->dtype, 0));
    nest_store(&nest, to, at,
               k_binary(k, is_max ? IR_EXPR_max : IR_EXPR_add, nest_load(&nest, to, at),
                        nest_load(&nest, row, at)));
    nest_end(&nest);
    return to;
}

/* What each key counts: the rows of @exp by the reciprocal of their sum, as softmax does. */
static struct ir_buffer *normalize(struct attention *a, const struct ir_buffer *exp,
                                   const struct ir_buffer *sum)
{
    struct kernel *k = a->k;
    struct ir_buffer *to = kernel_alloc(k, "shares", a->dtype, a->scores->shape, 4);
    struct nest nest = nest_begin(k, "T_shares");
    const struct ir_expr **at = nest_axes_of(&nest, to);
    const struct ir_expr *share =
        k_binary(k, IR_EXPR_div, k_number(k, a->dtype, 1), nest_load(&nest, sum, at));

    nest_store(&nest, to, at, k_binary(k, IR_EXPR_mul, nest_load(&nest, exp, at), share));
    nest_end(&nest);
    return to;
}

static void sum_values(struct attention *a, struct ir_buffer *to, const struct ir_buffer *shares)
{
    struct kernel *k = a->k;
    struct nest nest = nest_begin(k, "T_attention");
    const struct ir_expr **at = kernel_indices(k, 4);

    for (unsigned d = 0; d < 3; d++)
        at[d] = nest_axis(&nest, TIR_SPATIAL, to->shape[d]);
    const struct ir_expr *key = nest_axis(&nest, TIR_REDUCE, a->keys);
    at[3] = nest_axis(&nest, TIR_SPATIAL, to->shape[3]);
    const struct ir_expr *row[] = {at[0], at[2], at[1], key};
    nest_init(&nest, to, at, k_number(k, a->dtype, 0));
    nest_store(&nest, to, at,
               k_binary(k, IR_EXPR_add, nest_load(&nest, to, at),
                        k_binary(k, IR_EXPR_mul, nest_load(&nest, shares, row),
                                 load(a, 2, at[0], key, at[2], at[3]))));
    nest_end(&nest);
}

bool attention_check(struct kernel *k)
{
    const struct ir_attr *mask = ir_op_attr(k->op, "causal_mask");

    for (unsigned i = 0; i < 3; i++)
        if (k->operands[i].type->ndim != 4) {
            diag_report(k->diag, op_said_place(k->op, op_operand_name(k->op->info, i)),
                        LOWER_OPERAND, k->op->info->name, op_operand_name(k->op->info, i),
                        "must have rank 4");
            return false;
        }
    if (!op_attr_is_none(k->op, "window_size") &&
        (mask->kind != IR_ATTR_STRING || strcmp(mask->string, "BottomRight") != 0 ||
         op_attr_int(k->op, "window_size", 0) < 1)) {
        diag_report(k->diag, k->op->loc, OP_ATTRIBUTE, k->op->info->name, "window_size",
                    "must be positive, and goes with causal_mask=\"BottomRight\"");
        return false;
    }
    return true;
}

const struct ir_expr *attention_head(struct kernel *k, unsigned operand, const struct ir_expr *head)
{
    const struct ir_expr *heads = kernel_input_dim(k, 0, 2), *one = k_int(k, 1);
    const struct ir_expr *shared = kernel_input_dim(k, operand, 2);

    if (ir_prove_equal(k->context, heads, shared))
        return head;
    /* so many heads of the queries share one */
    const struct ir_expr *group =
        k_binary(k, IR_EXPR_floordiv, heads, k_binary(k, IR_EXPR_max, shared, one));
    return k_binary(k, IR_EXPR_floordiv, head,
                    ir_simplify(k->context, k_binary(k, IR_EXPR_max, group, one)));
}

struct ir_value *lower_attention(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 15u))
        return NULL;
    if (!attention_check(&k))
        return kernel_abandon(&k);
    struct ir_buffer *out = k.outputs[0];
    struct attention a = {.k = &k, .dtype = kernel_compute_dtype(out->dtype)};
    a.batch = kernel_input_dim(&k, 0, 0);
    a.queries = kernel_input_dim(&k, 0, 1);
    a.heads = kernel_input_dim(&k, 0, 2);
    a.size = kernel_input_dim(&k, 0, 3);
    a.keys = kernel_input_dim(&k, 1, 1);
    const struct ir_expr *dims[] = {a.batch, a.heads, a.queries, a.keys};
    a.scores = kernel_alloc(&k, "scores", a.dtype, kernel_copy_indices(&k, dims, 4), 4);
    multiply(&a);
    struct ir_buffer *weights = adjust(&a);
    struct ir_buffer *max = along_keys(&a, "max", weights, true);
    struct ir_buffer *exp = kernel_alloc(&k, "exp", a.dtype, a.scores->shape, 4);
    struct nest nest = nest_begin(&k, "T_exp");
    const struct ir_expr **at = nest_axes_of(&nest, exp);
    nest_store(&nest, exp, at,
               k_call(&k, "exp",
                      k_binary(&k, IR_EXPR_sub, nest_load(&nest, weights, at),
                               nest_load(&nest, max, at))));
    nest_end(&nest);
    struct ir_buffer *sum = along_keys(&a, "sum", exp, false);
    bool is_direct = ir_dtype_equal(a.dtype, out->dtype);
    struct ir_buffer *to = is_direct ? out : kernel_alloc(&k, "acc", a.dtype, out->shape, 4);
    sum_values(&a, to, normalize(&a, exp, sum));
    if (!is_direct) {
        nest = nest_begin(&k, "T_cast");
        at = nest_axes_of(&nest, out);
        nest_store(&nest, out, at, nest_load(&nest, to, at));
        nest_end(&nest);
    }
    return kernel_finish(&k);
}

/*
 * linear, outer, einsum: sums of products.  Summed in float32 for float16 and bfloat16, else in the dtype of the
 * result.
 */
#include "ops/lower/lower.h"

#include <ctype.h>
#include <string.h>

struct ir_value *lower_outer(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    struct ir_dtype dtype = kernel_compute_dtype(k.outputs[0]->dtype);
    struct nest nest = nest_begin(&k, "T_outer");
    const struct ir_expr **at = nest_axes_of(&nest, k.outputs[0]);
    nest_store(&nest, k.outputs[0], at,
               k_binary(&k, IR_EXPR_mul, k_cast(&k, dtype, kernel_load(&k, 0, &at[0])),
                        k_cast(&k, dtype, kernel_load(&k, 1, &at[1]))));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* data[.., k] * weight[o, k], plus bias[o]: rows of both are read as they lie. */
struct ir_value *lower_linear(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    bool has_bias = op_has_operand(op, 2);

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct ir_dtype dtype = kernel_compute_dtype(out->dtype);
    bool is_direct = !has_bias && ir_dtype_equal(dtype, out->dtype);
    struct ir_buffer *sum = is_direct ? out : kernel_alloc(&k, "acc", dtype, out->shape, out->ndim);
    const struct ir_expr *inner = kernel_input_dim(&k, 0, out->ndim - 1);
    struct nest nest = nest_begin(&k, "T_linear");
    const struct ir_expr **at = nest_axes_of(&nest, sum);
    const struct ir_expr **from = kernel_indices(&k, out->ndim);
    memcpy(from, at, sizeof(at[0]) * out->ndim);
    from[out->ndim - 1] = nest_axis(&nest, TIR_REDUCE, inner);
    const struct ir_expr *weight[] = {at[out->ndim - 1], from[out->ndim - 1]};
    const struct ir_expr *product =
        k_binary(&k, IR_EXPR_mul, k_cast(&k, dtype, kernel_load(&k, 0, from)),
                 k_cast(&k, dtype, kernel_load(&k, 1, weight)));
    nest_init(&nest, sum, at, k_number(&k, dtype, 0));
    nest_store(&nest, sum, at, k_binary(&k, IR_EXPR_add, nest_load(&nest, sum, at), product));
    nest_end(&nest);
    if (is_direct)
        return kernel_finish(&k);
    nest = nest_begin(&k, "T_bias");
    at = nest_axes_of(&nest, out);
    const struct ir_expr *value = nest_load(&nest, sum, at);
    if (has_bias) {
        const struct ir_expr **bias =
            kernel_broadcast(&k, k.operands[2].type, at, out->shape, out->ndim);
        value = k_binary(&k, IR_EXPR_add, value, k_cast(&k, dtype, kernel_load(&k, 2, bias)));
    }
    nest_store(&nest, out, at, value);
    nest_end(&nest);
    return kernel_finish(&k);
}

/* ---- einsum ---- */

enum { LETTERS = 128 };

/* What each letter of the subscripts stands for. */
struct einsum {
    const struct ir_expr *extents[LETTERS], *axes[LETTERS];
};

/* The letters of operand @i, which end at a comma or the arrow. */
static const char *subscripts(const char *text, unsigned i)
{
    for (; i > 0 && *text != '\0'; text++)
        i -= *text == ',';
    return text;
}

static bool is_end(char c)
{
    return c == '\0' || c == ',' || c == '-';
}

/* The extents of the letters; false after a report. */
static bool read_extents(struct kernel *k, struct einsum *e, const char *text)
{
    for (unsigned i = 0; i < k->field_count; i++) {
        const struct ir_type *type = k->fields[i].type;
        int d = 0;
        for (const char *at = subscripts(text, i); !is_end(*at); at++) {
            if (!isalpha((unsigned char)*at))
                continue;
            if (d >= type->ndim) {
                d++;
                break;
            }
            const struct ir_expr *extent = kernel_expr(k, type->dims[d++]);
            const struct ir_expr **known = &e->extents[(unsigned char)*at];
            if (*known == NULL)
                *known = extent;
        }
        if (d == type->ndim)
            continue;
        diag_report(k->diag, k->op->loc, OP_ATTRIBUTE, k->op->info->name, "subscripts",
                    "must have one letter for each axis of each operand");
        return false;
    }
    return true;
}

static const struct ir_expr *factor(struct kernel *k, const struct einsum *e, unsigned i,
                                    const char *text, struct ir_dtype dtype)
{
    const struct ir_expr **at = kernel_indices(k, (unsigned)k->fields[i].type->ndim);
    unsigned d = 0;

    for (text = subscripts(text, i); !is_end(*text); text++)
        if (isalpha((unsigned char)*text))
            at[d++] = e->axes[(unsigned char)*text];
    return k_cast(k, dtype, kernel_operand_load(k, &k->fields[i], at));
}

struct ir_value *lower_einsum(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct einsum e = {{NULL}, {NULL}};
    const char *text = ir_op_attr(op, "subscripts")->string;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    if (!read_extents(&k, &e, text))
        return kernel_abandon(&k);
    struct ir_buffer *out = k.outputs[0];
    struct ir_dtype dtype = kernel_compute_dtype(out->dtype);
    struct ir_buffer *sum = ir_dtype_equal(dtype, out->dtype)
                                ? out
                                : kernel_alloc(&k, "acc", dtype, out->shape, out->ndim);
    const char *letters = op_einsum_result(k.context, text);
    struct nest nest = nest_begin(&k, "T_einsum");
    const struct ir_expr **at = kernel_indices(&k, out->ndim), *product = NULL;
    for (unsigned d = 0; *letters != '\0' && d < out->ndim; letters++)
        if (isalpha((unsigned char)*letters))
            e.axes[(unsigned char)*letters] = at[d] = nest_axis(&nest, TIR_SPATIAL, out->shape[d]),
                             d++;
    for (unsigned letter = 0; letter < LETTERS; letter++)
        if (e.extents[letter] != NULL && e.axes[letter] == NULL)
            e.axes[letter] = nest_axis(&nest, TIR_REDUCE, e.extents[letter]);
    for (unsigned i = 0; i < k.field_count; i++) {
        const struct ir_expr *x = factor(&k, &e, i, text, dtype);
        product = product == NULL ? x : k_binary(&k, IR_EXPR_mul, product, x);
    }
    nest_init(&nest, sum, at, k_number(&k, dtype, 0));
    nest_store(&nest, sum, at, k_binary(&k, IR_EXPR_add, nest_load(&nest, sum, at), product));
    nest_end(&nest);
    if (sum != out) {
        nest = nest_begin(&k, "T_cast");
        at = nest_axes_of(&nest, out);
        nest_store(&nest, out, at, nest_load(&nest, sum, at));
        nest_end(&nest);
    }
    return kernel_finish(&k);
}

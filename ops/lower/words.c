/* The words that are more than one node.  See words.h. */
#include "ops/lower/words.h"

/* Whole numbers of elementwise.def are exact in every dtype that uses them. */
const struct ir_expr *word_number(const struct words *w, double value)
{
    return k_number(w->k, w->dtype, value);
}

/* As Python's minus: times -1, which flips the sign of zeros too. */
const struct ir_expr *word_negate(const struct words *w, const struct ir_expr *x)
{
    const struct ir_expr *minus_one =
        w->is_float
            ? ir_expr_float(w->k->context, w->dtype, -1)
            : ir_expr_int(w->k->context, w->dtype,
                          w->dtype.code == IR_UINT ? (int64_t)(UINT64_MAX >> (64 - w->dtype.bits))
                                                   : -1);

    return k_binary(w->k, IR_EXPR_mul, x, minus_one);
}

const struct ir_expr *word_abs(const struct words *w, const struct ir_expr *x)
{
    if (w->dtype.code == IR_UINT)
        return x;
    return k_call(w->k, w->is_float ? "fabs" : "abs", x);
}

const struct ir_expr *word_truth(const struct words *w, const struct ir_expr *x)
{
    if (ir_dtype_is_bool(x->dtype))
        return x;
    return k_binary(w->k, IR_EXPR_ne, x, word_number(w, 0));
}

const struct ir_expr *word_bits(const struct words *w, enum ir_expr_kind bool_kind,
                                const char *name, const struct ir_expr *x, const struct ir_expr *y)
{
    if (ir_dtype_is_bool(w->dtype))
        return k_binary(w->k, bool_kind, x, y);
    return word_call2(w, name, x, y);
}

const struct ir_expr *word_not(const struct words *w, const struct ir_expr *x)
{
    if (ir_dtype_is_bool(w->dtype))
        return ir_expr_not(w->k->context, x);
    return k_call(w->k, "bitwise_not", x);
}

const struct ir_expr *word_call2(const struct words *w, const char *name, const struct ir_expr *x,
                                 const struct ir_expr *y)
{
    const struct ir_expr *args[] = {x, y};

    return ir_expr_call(w->k->context, x->dtype, atom_intern_text(&w->k->context->atoms, name),
                        args, 2);
}

const struct ir_expr *word_isnan(const struct words *w, const struct ir_expr *x)
{
    return ir_expr_call(w->k->context, IR_B1, atom_intern_text(&w->k->context->atoms, "isnan"), &x,
                        1);
}

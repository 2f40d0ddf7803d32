/*
 * The words of elementwise.def and reduce.def, read as expressions of a kernel.  To be included by
 * files that have `const struct words *w` in scope where a `sem` column is used.
 */
#pragma once

#include "ops/lower/lower.h"

#include <math.h>

struct words {
    struct kernel *k;
    const struct ir_expr *operands[3];
    struct ir_dtype dtype; /* that is computed in */
    bool is_float;
    /* reductions */
    const struct ir_expr *accumulator, *count, *mean; /* the count as int64 */
    const struct ir_buffer *mean_buffer;              /* where `mean` is loaded from */
};

typedef const struct ir_expr *words_fn(const struct words *w);

const struct ir_expr *word_number(const struct words *w, double value);
const struct ir_expr *word_negate(const struct words *w, const struct ir_expr *x);
const struct ir_expr *word_abs(const struct words *w, const struct ir_expr *x);
const struct ir_expr *word_truth(const struct words *w, const struct ir_expr *x);
const struct ir_expr *word_bits(const struct words *w, enum ir_expr_kind bool_kind,
                                const char *name, const struct ir_expr *x, const struct ir_expr *y);
const struct ir_expr *word_not(const struct words *w, const struct ir_expr *x);
const struct ir_expr *word_call2(const struct words *w, const char *name, const struct ir_expr *x,
                                 const struct ir_expr *y);
const struct ir_expr *word_isnan(const struct words *w, const struct ir_expr *x);

#define A               (w->operands[0])
#define B               (w->operands[1])
#define C               (w->operands[2])
#define K(v)            word_number(w, (v))
#define ATTR(name)      word_number(w, op_attr_float(w->k->op, #name))
#define ADD(x, y)       k_binary(w->k, IR_EXPR_add, x, y)
#define SUB(x, y)       k_binary(w->k, IR_EXPR_sub, x, y)
#define MUL(x, y)       k_binary(w->k, IR_EXPR_mul, x, y)
#define DIV(x, y)       k_binary(w->k, IR_EXPR_div, x, y)
#define REM(x, y)       k_binary(w->k, IR_EXPR_mod, x, y)
#define FLOORDIV(x, y)  (w->is_float ? FN(floor, DIV(x, y)) : k_binary(w->k, IR_EXPR_floordiv, x, y))
#define FLOORMOD(x, y)  k_binary(w->k, IR_EXPR_floormod, x, y)
#define NEG(x)          word_negate(w, x)
#define ABS(x)          word_abs(w, x)
#define MIN(x, y)       k_extreme(w->k, IR_EXPR_min, x, y)
#define MAX(x, y)       k_extreme(w->k, IR_EXPR_max, x, y)
#define EQ(x, y)        k_binary(w->k, IR_EXPR_eq, x, y)
#define NE(x, y)        k_binary(w->k, IR_EXPR_ne, x, y)
#define LT(x, y)        k_binary(w->k, IR_EXPR_lt, x, y)
#define LE(x, y)        k_binary(w->k, IR_EXPR_le, x, y)
#define GT(x, y)        k_binary(w->k, IR_EXPR_gt, x, y)
#define GE(x, y)        k_binary(w->k, IR_EXPR_ge, x, y)
#define AND(x, y)       k_binary(w->k, IR_EXPR_and, x, y)
#define OR(x, y)        k_binary(w->k, IR_EXPR_or, x, y)
#define NOT(x)          ir_expr_not(w->k->context, x)
#define TRUTH(x)        word_truth(w, x)
#define FROM_BOOL(b)    k_cast(w->k, w->dtype, b)
#define SELECT(c, x, y) ir_expr_select(w->k->context, c, x, y)
#define BITAND(x, y)    word_bits(w, IR_EXPR_and, "bitwise_and", x, y)
#define BITOR(x, y)     word_bits(w, IR_EXPR_or, "bitwise_or", x, y)
#define BITXOR(x, y)    word_bits(w, IR_EXPR_ne, "bitwise_xor", x, y)
#define BITNOT(x)       word_not(w, x)
#define SHL(x, n)       word_call2(w, "shift_left", x, n)
#define SHR(x, n)       word_call2(w, "shift_right", x, n)
#define FN(f, x)        k_call(w->k, #f, x)
#define FN2(f, x, y)    word_call2(w, #f, x, y)
#define POW(x, y)       word_call2(w, "pow", x, y)
#define ISNAN(x)        word_isnan(w, x)
#define BY_CLASS(i, f)  (w->is_float ? (f) : (i))
#define ACC             (w->accumulator)
#define SHARE(x)        k_share(w->k, x, w->count)
#define MEAN            (w->mean)
#define LOWEST          k_lowest(w->k, w->dtype)
#define HIGHEST         k_highest(w->k, w->dtype)

/*
 * Python's arithmetic on number literals.
 *
 * `T.grid(4 * 8)` is T.grid(32): Python computes it, so that no IR for it exists.  Integers are
 * exact in Python; here they have 64 bits, and what needs more is an error.
 */
#include "frontend/tvmscript/tir.h"

#include <math.h>
#include <stdio.h>

static bool fail(struct frontend *f, const struct ast *a, const char *why)
{
    diag_report(f->diag, a->loc, KERNEL_CONSTANT, why);
    return false;
}

static double real_of(const struct constant *c)
{
    if (c->is_float)
        return c->real;
    return c->is_wide ? (double)(uint64_t)c->integer : (double)c->integer;
}

static bool power(int64_t base, int64_t exponent, int64_t *out)
{
    int64_t value = 1;

    if (base == 0 || base == 1 || base == -1) {
        *out = exponent == 0 ? 1 : base == -1 && exponent % 2 == 0 ? 1 : base;
        return true;
    }
    for (; exponent > 0; exponent--)
        if (__builtin_mul_overflow(value, base, &value))
            return false;
    *out = value;
    return true;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* False: no such operator on integers here, or the result does not fit. */
static bool integer_binary(enum ast_op op, int64_t a, int64_t b, int64_t *out)
{
    bool divides = b != 0 && !(a == INT64_MIN && b == -1);
    bool shifts = b >= 0 && b < 63;

    switch (op) {
    case AST_ADD:
        return !__builtin_add_overflow(a, b, out);
    case AST_SUB:
        return !__builtin_sub_overflow(a, b, out);
    case AST_MUL:
        return !__builtin_mul_overflow(a, b, out);
    case AST_FLOORDIV:
        *out = divides ? floor_div(a, b) : 0;
        return divides;
    case AST_MOD:
        *out = divides ? a - floor_div(a, b) * b : 0;
        return divides;
    case AST_POW:
        return b >= 0 && power(a, b, out);
    case AST_SHL:
        return shifts && !__builtin_mul_overflow(a, (int64_t)1 << b, out);
    case AST_SHR:
        if (b < 0)
            return false;
        *out = a >> (b > 63 ? 63 : b);
        return true;
    case AST_BITAND:
        *out = a & b;
        return true;
    case AST_BITOR:
        *out = a | b;
        return true;
    case AST_BITXOR:
        *out = a ^ b;
        return true;
    default:
        return false;
    }
}

static bool real_binary(enum ast_op op, double a, double b, double *out)
{
    switch (op) {
    case AST_ADD:
        *out = a + b;
        break;
    case AST_SUB:
        *out = a - b;
        break;
    case AST_MUL:
        *out = a * b;
        break;
    case AST_DIV:
        *out = a / b;
        return b != 0;
    case AST_FLOORDIV:
        *out = floor(a / b);
        return b != 0;
    case AST_MOD:
        *out = a - floor(a / b) * b;
        return b != 0;
    case AST_POW:
        *out = pow(a, b);
        break;
    default:
        return false;
    }
    return isfinite(*out);
}

static bool evaluate_binary(struct frontend *f, const struct ast *a, struct constant *out,
                            bool *out_failed)
{
    struct constant left, right;

    if (!constant_evaluate(f, a->items[0], &left, out_failed) ||
        !constant_evaluate(f, a->items[1], &right, out_failed))
        return false;
    *out = (struct constant){0};
    out->is_float = left.is_float || right.is_float || a->op == AST_DIV ||
                    (a->op == AST_POW && !right.is_float && right.integer < 0);
    bool done = out->is_float
                    ? real_binary(a->op, real_of(&left), real_of(&right), &out->real)
                    : !left.is_wide && !right.is_wide &&
                          integer_binary(a->op, left.integer, right.integer, &out->integer);
    if (done)
        return true;
    *out_failed = true;
    return fail(f, a, "it does not exist, or needs more than 64 bits");
}

static bool evaluate_unary(struct frontend *f, const struct ast *a, struct constant *out,
                           bool *out_failed)
{
    if (a->op == AST_NOT || !constant_evaluate(f, a->items[0], out, out_failed))
        return false;
    if (a->op == AST_POS)
        return true;
    if (out->is_float) {
        out->real = -out->real;
        return a->op == AST_NEG;
    }
    if (a->op == AST_INVERT) {
        out->integer = ~out->integer;
        return !out->is_wide;
    }
    if (out->is_wide && out->integer != INT64_MIN) {
        *out_failed = true;
        return fail(f, a, "it needs more than 64 bits");
    }
    out->is_wide = false;
    out->integer = (int64_t)(0 - (uint64_t)out->integer);
    return true;
}

bool constant_evaluate(struct frontend *f, const struct ast *a, struct constant *out,
                       bool *out_failed)
{
    switch (a->kind) {
    case AST_INT:
        *out = (struct constant){.integer = a->integer, .is_wide = a->is_wide};
        return true;
    case AST_FLOAT:
        *out = (struct constant){.is_float = true, .real = a->real};
        return true;
    case AST_UNARY:
        return evaluate_unary(f, a, out, out_failed);
    case AST_BINARY:
        return evaluate_binary(f, a, out, out_failed);
    default:
        return false;
    }
}

struct ir_dtype constant_dtype(const struct frontend *f, const struct constant *constant)
{
    if (constant->is_float)
        return IR_F32;
    if (constant->is_wide)
        return IR_DTYPE(IR_UINT, 64);
    if (!f->tir)
        return IR_I64;
    return constant->integer >= INT32_MIN && constant->integer <= INT32_MAX ? IR_I32 : IR_I64;
}

static bool fits(const struct constant *constant, struct ir_dtype dtype)
{
    int64_t value = constant->integer;

    if (ir_dtype_is_bool(dtype))
        return value == 0 || value == 1;
    if (constant->is_wide)
        return dtype.code == IR_UINT && dtype.bits == 64;
    if (dtype.code == IR_UINT)
        return value >= 0 && (dtype.bits >= 63 || value >> dtype.bits == 0);
    if (dtype.bits >= 64)
        return true;
    int64_t limit = (int64_t)1 << (dtype.bits - 1);
    return value >= -limit && value < limit;
}

const struct ir_expr *constant_literal(struct frontend *f, struct location loc,
                                       const struct constant *constant, struct ir_dtype dtype)
{
    struct ir_dtype lane = {dtype.code, dtype.bits, 1};
    const struct ir_expr *literal;

    if (!ir_dtype_is_int(lane) && !ir_dtype_is_bool(lane) && dtype.code != IR_HANDLE) {
        literal = ir_expr_float(f->context, lane, real_of(constant));
    } else if (constant->is_float) {
        literal = tir_convert(f, ir_expr_float(f->context, IR_F32, constant->real), lane);
    } else if (dtype.code == IR_HANDLE || fits(constant, lane)) {
        literal = ir_expr_int(f->context, lane, constant->integer);
    } else {
        char text[24];
        snprintf(text, sizeof(text), constant->is_wide ? "%llu" : "%lld",
                 (unsigned long long)constant->integer);
        diag_report(f->diag, loc, KERNEL_LITERAL, text, dtype_text(f, dtype));
        return NULL;
    }
    literal = ir_expr_at(f->context, loc, literal);
    if (dtype.lanes > 1)
        literal = ir_expr_new(f->context, IR_EXPR_broadcast, dtype, &literal, 1);
    return literal;
}

bool ast_int_literal(const struct ast *a, int64_t *out_value)
{
    if (a->kind == AST_INT && !a->is_wide) {
        *out_value = a->integer;
        return true;
    }
    if (a->kind != AST_UNARY || a->op != AST_NEG || a->items[0]->kind != AST_INT ||
        (a->items[0]->is_wide && a->items[0]->integer != INT64_MIN))
        return false;
    *out_value = (int64_t)(0 - (uint64_t)a->items[0]->integer);
    return true;
}

/* elementwise.def and reduce.def on signed integers: int64_t, wrapped to row->bits. */
#include "codegen/interp/ops/elementwise.h"

#include <math.h>

#define NAME(x) x##_signed
#define T       int64_t
#include "codegen/interp/ops/ew_integer.h"

static struct interp_scalar make(const struct interp_row *row, int64_t value)
{
    return (struct interp_scalar){.dtype = IR_DTYPE(IR_INT, (uint8_t)row->bits), .integer = value};
}

static int64_t binary(const struct interp_row *row, enum ir_expr_kind kind, int64_t x, int64_t y)
{
    struct interp_scalar result = {0};
    if (!interp_binary(kind, make(row, x), make(row, y), &result))
        UNREACHABLE("integers have all operators");
    return result.integer;
}

#define WRAP(x)        interp_wrap(IR_DTYPE(IR_INT, (uint8_t)row->bits), (int64_t)(x))
#define ADD(x, y)      binary(row, IR_EXPR_add, x, y)
#define SUB(x, y)      binary(row, IR_EXPR_sub, x, y)
#define MUL(x, y)      binary(row, IR_EXPR_mul, x, y)
#define DIV(x, y)      binary(row, IR_EXPR_div, x, y)
#define REM(x, y)      binary(row, IR_EXPR_mod, x, y)
#define FLOORDIV(x, y) binary(row, IR_EXPR_floordiv, x, y)
#define FLOORMOD(x, y) binary(row, IR_EXPR_floormod, x, y)
#define NEG(x)         binary(row, IR_EXPR_sub, 0, x)
#define ABS(x)         ((x) < 0 ? NEG(x) : (x))
#define BITAND(x, y)   ((x) & (y))
#define BITOR(x, y)    ((x) | (y))
#define BITXOR(x, y)   ((x) ^ (y))
#define BITNOT(x)      WRAP(~(x))
#define SHL(x, n)      interp_shift(IR_DTYPE(IR_INT, (uint8_t)row->bits), true, x, n)
#define SHR(x, n)      interp_shift(IR_DTYPE(IR_INT, (uint8_t)row->bits), false, x, n)
#define LOWEST         (-HIGHEST - 1)
#define HIGHEST        ((int64_t)((UINT64_C(1) << (row->bits - 1)) - 1))

static int64_t power_signed(const struct interp_row *row, int64_t x, int64_t y)
{
    return interp_power(IR_DTYPE(IR_INT, (uint8_t)row->bits), x, y);
}

#include "codegen/interp/ops/elementwise_tmpl.h"

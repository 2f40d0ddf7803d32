/* elementwise.def and reduce.def on unsigned integers: uint64_t, wrapped to row->bits. */
#include "codegen/interp/ops/elementwise.h"

#include <math.h>

#define NAME(x) x##_unsigned
#define T       uint64_t
#include "codegen/interp/ops/ew_integer.h"

static struct interp_scalar make(const struct interp_row *row, uint64_t value)
{
    return (struct interp_scalar){.dtype = IR_DTYPE(IR_UINT, (uint8_t)row->bits),
                                  .integer = (int64_t)value};
}

static uint64_t binary(const struct interp_row *row, enum ir_expr_kind kind, uint64_t x, uint64_t y)
{
    struct interp_scalar result = {0};
    if (!interp_binary(kind, make(row, x), make(row, y), &result))
        UNREACHABLE("integers have all operators");
    return (uint64_t)result.integer;
}

static uint64_t shift(const struct interp_row *row, bool is_left, uint64_t x, uint64_t n)
{
    struct ir_dtype dtype = IR_DTYPE(IR_UINT, (uint8_t)row->bits);
    return (uint64_t)interp_shift(dtype, is_left, (int64_t)x, (int64_t)n);
}

#define WRAP(x)        ((uint64_t)interp_wrap(IR_DTYPE(IR_UINT, (uint8_t)row->bits), (int64_t)(x)))
#define ADD(x, y)      binary(row, IR_EXPR_add, x, y)
#define SUB(x, y)      binary(row, IR_EXPR_sub, x, y)
#define MUL(x, y)      binary(row, IR_EXPR_mul, x, y)
#define DIV(x, y)      binary(row, IR_EXPR_div, x, y)
#define REM(x, y)      binary(row, IR_EXPR_mod, x, y)
#define FLOORDIV(x, y) binary(row, IR_EXPR_floordiv, x, y)
#define FLOORMOD(x, y) binary(row, IR_EXPR_floormod, x, y)
#define NEG(x)         binary(row, IR_EXPR_sub, 0, x)
#define ABS(x)         (x)
#define BITAND(x, y)   ((x) & (y))
#define BITOR(x, y)    ((x) | (y))
#define BITXOR(x, y)   ((x) ^ (y))
#define BITNOT(x)      WRAP(~(x))
#define SHL(x, n)      shift(row, true, x, n)
#define SHR(x, n)      shift(row, false, x, n)
#define LOWEST         ((uint64_t)0)
#define HIGHEST        WRAP(-1)

static uint64_t power_unsigned(const struct interp_row *row, uint64_t x, uint64_t y)
{
    struct ir_dtype dtype = IR_DTYPE(IR_UINT, (uint8_t)row->bits);
    return (uint64_t)interp_power(dtype, (int64_t)x, (int64_t)y);
}

#include "codegen/interp/ops/elementwise_tmpl.h"

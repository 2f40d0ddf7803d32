/*
 * Arithmetic on numbers of one dtype, for operators that are worked out number by number.  Floats of 16
 * bits are loaded as float32 and rounded when they are stored.
 */
#pragma once

#include "codegen/interp/internal.h"

#include <math.h>

static inline struct interp_scalar num(struct ir_dtype dtype, double value)
{
    return interp_cast((struct interp_scalar){.dtype = IR_F64, .real = value}, dtype);
}

/* An integer, which wraps to the width of @dtype. */
static inline struct interp_scalar num_int(struct ir_dtype dtype, int64_t value)
{
    return interp_cast((struct interp_scalar){.dtype = IR_I64, .integer = value}, dtype);
}

/* Not for division by bools and the like: the operator's type rule keeps them out. */
static inline struct interp_scalar num_apply(enum ir_expr_kind kind, struct interp_scalar a,
                                             struct interp_scalar b)
{
    struct interp_scalar result = a;
    if (!interp_binary(kind, a, b, &result))
        UNREACHABLE("arithmetic on numbers");
    return result;
}

#define NUM_ADD(a, b) num_apply(IR_EXPR_add, a, b)
#define NUM_SUB(a, b) num_apply(IR_EXPR_sub, a, b)
#define NUM_MUL(a, b) num_apply(IR_EXPR_mul, a, b)
#define NUM_DIV(a, b) num_apply(IR_EXPR_div, a, b)
#define NUM_MAX(a, b) num_apply(IR_EXPR_max, a, b)
#define NUM_MIN(a, b) num_apply(IR_EXPR_min, a, b)

/* @sum divided by @count, which its dtype need not be wide enough for. */
static inline struct interp_scalar num_share(struct interp_scalar sum, int64_t count)
{
    if (!ir_dtype_is_int(sum.dtype))
        return NUM_DIV(sum, num(sum.dtype, (double)count));
    struct ir_dtype wide = sum.dtype.code == IR_UINT ? IR_DTYPE(IR_UINT, 64) : IR_I64;
    return interp_cast(NUM_DIV(interp_cast(sum, wide), num_int(wide, count)), sum.dtype);
}

static inline bool num_is(enum ir_expr_kind compare, struct interp_scalar a, struct interp_scalar b)
{
    return num_apply(compare, a, b).integer != 0;
}

/* a < b, a NaN being larger than all but a NaN. */
static inline bool num_is_less(struct interp_scalar a, struct interp_scalar b)
{
    if (ir_dtype_is_float(a.dtype) && (isnan(a.real) || isnan(b.real)))
        return !isnan(a.real);
    return num_is(IR_EXPR_lt, a, b);
}

static inline struct interp_scalar num_call(const char *name, struct interp_scalar a)
{
    struct interp_scalar result = a;
    if (!interp_intrinsic(name, a.dtype, &a, 1, &result))
        UNREACHABLE("function of numbers");
    return result;
}

/* @at, which rules of types let be in @x: a mistake of theirs is no wild access. */
static inline int64_t num_place(const struct inlay_tensor *x, int64_t at)
{
    if (at < 0 || at >= inlay_tensor_elements(x))
        UNREACHABLE("an element outside of its tensor");
    return at;
}

/* An element as it is: what is moved, not worked with. */
static inline struct interp_scalar num_element(const struct inlay_tensor *x, int64_t at)
{
    return interp_load_element(interp_tensor_dtype(x), interp_data(x), num_place(x, at));
}

static inline struct interp_scalar num_load(const struct inlay_tensor *x, int64_t at)
{
    return interp_cast(num_element(x, at), interp_compute_dtype(interp_tensor_dtype(x)));
}

static inline int64_t num_index(const struct inlay_tensor *x, int64_t at)
{
    return interp_cast(num_element(x, at), IR_I64).integer;
}

static inline void num_store(const struct inlay_tensor *x, int64_t at, struct interp_scalar value)
{
    interp_store_element(interp_cast(value, interp_tensor_dtype(x)), interp_data(x),
                         num_place(x, at));
}

/* Reports that @o does not take this dtype; NULL. */
static inline const struct interp_value *num_refuse(struct interp_op *o, const char *what)
{
    interp_unsupported(o->run, o->op->loc, "`R.%s` on %s", o->op->info->name, what);
    return NULL;
}

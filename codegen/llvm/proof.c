/*
 * What is known for certain where code is emitted, so that proved things need no check at run time.
 *
 * Facts are ranges of loop variables and block axes, and values of axes and lets.  ir/arith reasons in
 * mathematical integers.  A proof counts only where the machine computes the same numbers:
 *
 *   - Divisors are above 0 (ir/arith takes a divisor that is a symbol for not 0; here x / 0 is 0).
 *   - Nothing wraps: intervals show that every part fits; or all parts are sums and products of what
 *     is not negative, and the whole is proved small: then no part is larger; or, in int64, no two
 *     unknowns are multiplied: dims are below 2^48 (runtime/check.c), so sums of them fit.
 */
#include "codegen/llvm/kernel.h"

struct cg_facts cg_facts_mark(const struct cg_body *body)
{
    return (struct cg_facts){body->ranges.count, body->values.count};
}

void cg_facts_reset(struct cg_body *body, struct cg_facts facts)
{
    body->ranges.count = facts.ranges;
    body->values.count = facts.values;
}

void cg_facts_add_range(struct cg_body *body, const struct ir_var *var, const struct ir_expr *min,
                        const struct ir_expr *extent)
{
    struct ir_context *ir = body->cg->ir;
    array_push(&body->ranges, (struct ir_range){.var = var,
                                                .min = ir_expr_cast(ir, var->dtype, min),
                                                .extent = ir_expr_cast(ir, var->dtype, extent)});
}

static bool is_pure_arithmetic(void *state, const struct ir_expr *e)
{
    return e->kind != IR_EXPR_load && e->kind != IR_EXPR_call && e->kind != IR_EXPR_let;
}

void cg_facts_add_value(struct cg_body *body, const struct ir_var *var, const struct ir_expr *value)
{
    /* A load may give another value later, so it is no fact. */
    if (ir_expr_walk(value, is_pure_arithmetic, NULL))
        array_push(&body->values, (struct ir_binding){.var = var, .value = value});
}

static const struct ir_expr *with_values(struct cg_body *body, const struct ir_expr *e)
{
    /* A value may use axes of blocks around it: they are put in one after the other. */
    for (size_t i = body->values.count; i-- > 0;) {
        struct ir_bindings one = {&body->values.items[i], 1, 1};
        if (ir_expr_uses_var(e, one.items->var))
            e = ir_expr_substitute(body->cg->ir, e, &one);
    }
    return e;
}

static bool fits(struct ir_dtype dtype, struct ir_interval interval)
{
    if (interval.low == INT64_MIN || interval.high == INT64_MAX)
        return false;
    if (dtype.code == IR_UINT)
        return interval.low >= 0 && (dtype.bits >= 63 || interval.high < INT64_C(1) << dtype.bits);
    int64_t limit = dtype.bits >= 64 ? INT64_MAX : (INT64_C(1) << (dtype.bits - 1)) - 1;
    return interval.low >= -limit && interval.high <= limit;
}

static bool fits_everywhere(struct cg_body *body, const struct ir_expr *e)
{
    if (e->kind == IR_EXPR_load || e->kind == IR_EXPR_call)
        return true; /* what it gives is of its dtype, whatever is inside */
    for (unsigned i = 0; i < e->operand_count; i++)
        if (!fits_everywhere(body, e->operands[i]))
            return false;
    bool can_wrap = e->kind == IR_EXPR_add || e->kind == IR_EXPR_sub || e->kind == IR_EXPR_mul ||
                    e->kind == IR_EXPR_cast;
    if (!can_wrap || !ir_dtype_is_int(e->dtype))
        return true;
    return fits(e->dtype, ir_interval_of(body->cg->ir, &body->ranges, e));
}

bool cg_does_not_wrap(struct cg_body *body, const struct ir_expr *e)
{
    return fits_everywhere(body, with_values(body, e));
}

/* A conversion to int64 of what is computed exactly. */
static bool widens(struct cg_body *body, const struct ir_expr *e)
{
    return e->kind == IR_EXPR_cast && ir_dtype_equal(e->dtype, IR_I64) &&
           ir_dtype_is_int(e->operands[0]->dtype) && fits_everywhere(body, e->operands[0]);
}

/* Only sums and products of what is not negative. */
static bool is_monotone(struct cg_body *body, const struct ir_expr *e)
{
    if (widens(body, e))
        return ir_interval_of(body->cg->ir, &body->ranges, e).low >= 0;
    if (e->kind == IR_EXPR_add || e->kind == IR_EXPR_mul)
        return is_monotone(body, e->operands[0]) && is_monotone(body, e->operands[1]);
    if (e->kind == IR_EXPR_int)
        return e->int_value >= 0;
    return e->kind == IR_EXPR_var && ir_interval_of(body->cg->ir, &body->ranges, e).low >= 0;
}

/* int64 without a product of two unknowns. */
static bool is_linear(struct cg_body *body, const struct ir_expr *e)
{
    if (widens(body, e))
        return true;
    if (e->kind == IR_EXPR_load || e->kind == IR_EXPR_call)
        return false;
    if (e->kind == IR_EXPR_mul && e->operands[0]->kind != IR_EXPR_int &&
        e->operands[1]->kind != IR_EXPR_int)
        return false;
    for (unsigned i = 0; i < e->operand_count; i++)
        if (!is_linear(body, e->operands[i]))
            return false;
    return ir_dtype_equal(e->dtype, IR_I64);
}

static bool divides_by_positive(struct cg_body *body, const struct ir_expr *e)
{
    bool is_division = e->kind == IR_EXPR_div || e->kind == IR_EXPR_mod ||
                       e->kind == IR_EXPR_floordiv || e->kind == IR_EXPR_floormod;
    if (is_division && ir_interval_of(body->cg->ir, &body->ranges, e->operands[1]).low < 1)
        return false;
    for (unsigned i = 0; i < e->operand_count; i++)
        if (!divides_by_positive(body, e->operands[i]))
            return false;
    return true;
}

static const struct ir_expr *as_dtype(struct cg_body *body, const struct ir_expr *e,
                                      struct ir_dtype dtype)
{
    return ir_expr_cast(body->cg->ir, dtype, e);
}

static bool is_proved(struct cg_body *body, const struct ir_expr *value, const struct ir_expr *min,
                      const struct ir_expr *extent)
{
    struct ir_context *ir = body->cg->ir;
    value = with_values(body, value);
    bool is_safe = fits_everywhere(body, value) || is_linear(body, value);
    if (value->dtype.code != IR_INT || !divides_by_positive(body, value) ||
        (!is_safe && !is_monotone(body, value)))
        return false;
    struct ir_interval interval = ir_interval_of(ir, &body->ranges, value);
    int64_t low = 0, count = 0;
    bool is_low_known = ir_expr_constant(ir, min, &low);
    if (is_safe && is_low_known && ir_expr_constant(ir, extent, &count) && interval.low >= low &&
        interval.high < low + count)
        return true;
    if (!(is_low_known && interval.low >= low) &&
        !ir_prove_ge(ir, &body->ranges, value, as_dtype(body, min, value->dtype)))
        return false;
    const struct ir_expr *one = ir_expr_int(ir, value->dtype, 1);
    const struct ir_expr *end =
        ir_expr_binary(ir, IR_EXPR_add, as_dtype(body, with_values(body, min), value->dtype),
                       as_dtype(body, with_values(body, extent), value->dtype));
    const struct ir_expr *last = ir_expr_binary(ir, IR_EXPR_sub, end, one);
    return ir_prove_ge(ir, &body->ranges, last, value);
}

bool cg_range_is_proved(struct cg_body *body, const struct ir_expr *value,
                        const struct ir_expr *min, const struct ir_expr *extent)
{
    return is_proved(body, value, min, extent);
}

bool cg_index_is_proved(struct cg_body *body, const struct ir_expr *index,
                        const struct ir_expr *extent)
{
    return is_proved(body, index, ir_expr_int(body->cg->ir, index->dtype, 0), extent);
}

bool cg_can_fail(struct cg_body *body, const struct ir_expr *e)
{
    if (e->kind == IR_EXPR_load)
        for (unsigned i = 0; i < e->operand_count; i++)
            if (i >= e->buffer->ndim ||
                !cg_index_is_proved(body, e->operands[i], e->buffer->shape[i]))
                return true;
    for (unsigned i = 0; i < e->operand_count; i++)
        if (cg_can_fail(body, e->operands[i]))
            return true;
    return false;
}

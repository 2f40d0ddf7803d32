/*
 * What is known for certain where code is emitted, so that proved things need no check at run time.
 *
 * Facts are ranges of loop variables and block axes, values of axes and lets, and comparisons that hold behind
 * a branch or under a mask.  ir/arith reasons in mathematical integers.  A proof counts only where the machine computes the same numbers:
 *
 *   - Divisors are above 0 (ir/arith takes a divisor that is a symbol for not 0; here x / 0 is 0).
 *   - Nothing wraps: intervals show that every part fits; or all parts are sums and products of what
 *     is not negative, and the whole is proved small: then no part is larger; or, in int64, no two
 *     unknowns are multiplied: dims are below 2^48 (runtime/check.c), so sums of them fit.
 */
#include "codegen/llvm/kernel.h"

enum {
    VALUE_SIZE_LIMIT = 128,  /* nodes of a value that is put in; of larger ones bounds are kept */
    PROOF_SIZE_LIMIT = 4096, /* nodes of what is proved something of, and its depth */
    PROOF_DEPTH_LIMIT = 2 * IR_EXPR_DEPTH_LIMIT,
    HELD_LIMIT = 16, /* comparisons that are looked at: the innermost */
};

struct cg_facts cg_facts_mark(const struct cg_body *body)
{
    return (struct cg_facts){body->ranges.count, body->hidden.count, body->held.count};
}

void cg_facts_reset(struct cg_body *body, struct cg_facts facts)
{
    body->ranges.count = facts.ranges;
    body->held.count = facts.held;
    while (body->hidden.count > facts.values) {
        struct ir_binding known = array_pop(&body->hidden);
        map_set(&body->values, known.var, known.value);
    }
}

/* What is put in for @var from here to the end of its facts; NULL: itself. */
static void set_value(struct cg_body *body, const struct ir_var *var, const struct ir_expr *value)
{
    const struct ir_expr *known = map_get(&body->values, var);
    array_push(&body->hidden, (struct ir_binding){.var = var, .value = known});
    map_set(&body->values, var, value);
}

static bool is_provable(const struct ir_expr *e)
{
    return e->size <= PROOF_SIZE_LIMIT && e->depth <= PROOF_DEPTH_LIMIT;
}

static const struct ir_expr *value_of(void *state, const struct ir_expr *e)
{
    const struct cg_body *body = state;
    struct ir_context *ir = body->cg->ir;
    const struct ir_expr *value = NULL;
    if (e->kind != IR_EXPR_var)
        return e;
    for (; body && !value; body = body->outer)
        value = map_get(&body->values, e->var);
    return value ? ir_expr_cast(ir, e->dtype, value) : e;
}

/* @e with the values of axes and lets put in, as long as that does not make it too large. */
static const struct ir_expr *with_values(struct cg_body *body, const struct ir_expr *e)
{
    if (!is_provable(e))
        return e;
    const struct ir_expr *put_in = ir_expr_rewrite(body->cg->ir, e, value_of, body);
    return is_provable(put_in) ? put_in : e;
}

static bool fits_everywhere(struct cg_body *body, const struct ir_expr *e)
{
    return ir_fits_everywhere(body->cg->ir, &body->ranges, e);
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

static void add_range(struct cg_body *body, const struct ir_var *var, const struct ir_expr *min,
                      const struct ir_expr *extent)
{
    struct ir_context *ir = body->cg->ir;
    array_push(&body->ranges, (struct ir_range){.var = var,
                                                .min = ir_expr_cast(ir, var->dtype, min),
                                                .extent = ir_expr_cast(ir, var->dtype, extent)});
}

void cg_facts_add_range(struct cg_body *body, const struct ir_var *var, const struct ir_expr *min,
                        const struct ir_expr *extent)
{
    set_value(body, var, NULL);
    add_range(body, var, min, extent);
}

/* Between which numbers @var lies for certain, whose value is too large to be put in, or is loaded. */
static void add_bounds(struct cg_body *body, const struct ir_var *var, const struct ir_expr *value)
{
    if (var->dtype.code != IR_INT || var->dtype.lanes != 1 ||
        !ir_dtype_equal(value->dtype, var->dtype) || !is_provable(value) ||
        !divides_by_positive(body, value) || !fits_everywhere(body, value))
        return;
    struct ir_interval bounds = ir_interval_of(body->cg->ir, &body->ranges, value);
    int64_t limit = var->dtype.bits >= 64 ? INT64_MAX : (INT64_C(1) << (var->dtype.bits - 1)) - 1;
    int64_t extent;
    if (__builtin_sub_overflow(bounds.high, bounds.low, &extent) || extent >= limit)
        return;
    add_range(body, var, ir_expr_int(body->cg->ir, var->dtype, bounds.low),
              ir_expr_int(body->cg->ir, var->dtype, extent + 1));
}

static bool is_pure_arithmetic(void *state, const struct ir_expr *e)
{
    return e->kind != IR_EXPR_load && e->kind != IR_EXPR_call && e->kind != IR_EXPR_let;
}

void cg_facts_add_value(struct cg_body *body, const struct ir_var *var, const struct ir_expr *value)
{
    const struct ir_expr *put_in = with_values(body, value);
    /* A load may give another value later, so it is no fact. */
    bool is_fact = put_in->size <= VALUE_SIZE_LIMIT && put_in->depth <= IR_EXPR_DEPTH_LIMIT &&
                   ir_expr_walk(put_in, is_pure_arithmetic, NULL);
    set_value(body, var, is_fact ? put_in : NULL);
    if (!is_fact)
        add_bounds(body, var, put_in);
}

/* Is @e computed as mathematics says, in int32 or int64? */
static bool is_exact(struct cg_body *body, const struct ir_expr *e)
{
    return e->dtype.code == IR_INT && e->dtype.lanes == 1 && is_provable(e) &&
           ir_expr_walk(e, is_pure_arithmetic, NULL) && divides_by_positive(body, e) &&
           (fits_everywhere(body, e) || is_linear(body, e));
}

void cg_facts_add_condition(struct cg_body *body, const struct ir_expr *condition)
{
    if (condition->kind == IR_EXPR_and) {
        cg_facts_add_condition(body, condition->operands[0]);
        cg_facts_add_condition(body, condition->operands[1]);
        return;
    }
    if (condition->kind != IR_EXPR_lt && condition->kind != IR_EXPR_le &&
        condition->kind != IR_EXPR_gt && condition->kind != IR_EXPR_ge)
        return;
    condition = with_values(body, condition);
    if (is_exact(body, condition->operands[0]) && is_exact(body, condition->operands[1]))
        array_push(&body->held, condition);
}

/* What a comparison says is not negative. */
static const struct ir_expr *slack_of(struct ir_context *ir, const struct ir_expr *comparison)
{
    bool is_less = comparison->kind == IR_EXPR_lt || comparison->kind == IR_EXPR_le;
    bool is_strict = comparison->kind == IR_EXPR_lt || comparison->kind == IR_EXPR_gt;
    const struct ir_expr *small = comparison->operands[!is_less];
    const struct ir_expr *slack =
        ir_expr_binary(ir, IR_EXPR_sub, comparison->operands[is_less], small);

    return is_strict ? ir_expr_binary(ir, IR_EXPR_sub, slack, ir_expr_int(ir, small->dtype, 1))
                     : slack;
}

/* Is @a >= @b, for one of the comparisons that hold says so: a >= b + slack? */
static bool is_held(struct cg_body *body, const struct ir_expr *a, const struct ir_expr *b)
{
    struct ir_context *ir = body->cg->ir;
    size_t count = body->held.count, first = count > HELD_LIMIT ? count - HELD_LIMIT : 0;
    for (size_t i = count; i-- > first;) {
        const struct ir_expr *held = body->held.items[i];
        if (!ir_dtype_equal(held->operands[0]->dtype, a->dtype) ||
            !ir_dtype_equal(held->operands[1]->dtype, a->dtype))
            continue;
        const struct ir_expr *more = ir_expr_binary(ir, IR_EXPR_add, b, slack_of(ir, held));
        if (ir_prove_ge(ir, &body->ranges, a, more))
            return true;
    }
    return false;
}

static const struct ir_expr *as_dtype(struct cg_body *body, const struct ir_expr *e,
                                      struct ir_dtype dtype)
{
    return ir_expr_cast(body->cg->ir, dtype, e);
}

/* @value as a quotient: a + b // d is (a * d + b) // d.  *@out_divisor: a literal above 0; NULL: it is none. */
static const struct ir_expr *undivided(struct ir_context *ir, const struct ir_expr *value,
                                       int64_t *out_divisor)
{
    if (value->kind == IR_EXPR_floordiv && value->operands[1]->kind == IR_EXPR_int &&
        value->operands[1]->int_value > 0) {
        *out_divisor = value->operands[1]->int_value;
        return value->operands[0];
    }
    for (unsigned i = 0; value->kind == IR_EXPR_add && i < 2; i++) {
        const struct ir_expr *part = undivided(ir, value->operands[i], out_divisor);
        if (!part)
            continue;
        const struct ir_expr *factor = ir_expr_int(ir, value->dtype, *out_divisor);
        const struct ir_expr *other =
            ir_expr_binary(ir, IR_EXPR_mul, value->operands[1 - i], factor);
        return ir_expr_binary(ir, IR_EXPR_add, other, part);
    }
    return NULL;
}

/* @by_held: also by comparisons that hold. */
static bool is_proved(struct cg_body *body, const struct ir_expr *value, const struct ir_expr *min,
                      const struct ir_expr *extent, bool by_held);

/* Is the quotient @value in range, since what is divided is? */
static bool is_quotient_proved(struct cg_body *body, const struct ir_expr *value,
                               const struct ir_expr *min, const struct ir_expr *extent)
{
    struct ir_context *ir = body->cg->ir;
    int64_t count, divisor;
    if (!ir_expr_is_int(min, 0) || !ir_expr_constant(ir, extent, &count))
        return false;
    const struct ir_expr *whole = undivided(ir, value, &divisor);
    return whole && !__builtin_mul_overflow(count, divisor, &count) && count <= INT32_MAX &&
           is_proved(body, whole, min, ir_expr_int(ir, value->dtype, count), true);
}

static bool is_proved(struct cg_body *body, const struct ir_expr *value, const struct ir_expr *min,
                      const struct ir_expr *extent, bool by_held)
{
    struct ir_context *ir = body->cg->ir;
    value = with_values(body, value);
    if (!is_provable(value))
        return false;
    bool is_safe = fits_everywhere(body, value) || is_linear(body, value);
    if (value->dtype.code != IR_INT || !divides_by_positive(body, value) ||
        (!is_safe && !is_monotone(body, value)))
        return false;
    struct ir_interval interval = ir_interval_of(ir, &body->ranges, value);
    int64_t low = 0, count = 0, end_known = 0;
    bool is_low_known = ir_expr_constant(ir, min, &low);
    if (is_safe && is_low_known && ir_expr_constant(ir, extent, &count) && interval.low >= low &&
        !__builtin_add_overflow(low, count, &end_known) && interval.high < end_known)
        return true;
    if (by_held && is_quotient_proved(body, value, min, extent))
        return true;
    const struct ir_expr *start = as_dtype(body, min, value->dtype);
    if (!(is_low_known && interval.low >= low) && !ir_prove_ge(ir, &body->ranges, value, start) &&
        !(by_held && is_held(body, value, start)))
        return false;
    const struct ir_expr *one = ir_expr_int(ir, value->dtype, 1);
    const struct ir_expr *end =
        ir_expr_binary(ir, IR_EXPR_add, as_dtype(body, with_values(body, min), value->dtype),
                       as_dtype(body, with_values(body, extent), value->dtype));
    const struct ir_expr *last = ir_expr_binary(ir, IR_EXPR_sub, end, one);
    return ir_prove_ge(ir, &body->ranges, last, value) || (by_held && is_held(body, last, value));
}

bool cg_range_is_proved(struct cg_body *body, const struct ir_expr *value,
                        const struct ir_expr *min, const struct ir_expr *extent)
{
    return is_proved(body, value, min, extent, false);
}

bool cg_index_is_proved(struct cg_body *body, const struct ir_expr *index,
                        const struct ir_expr *extent)
{
    return is_proved(body, index, ir_expr_int(body->cg->ir, index->dtype, 0), extent, false);
}

bool cg_index_is_proved_here(struct cg_body *body, const struct ir_expr *index,
                             const struct ir_expr *extent)
{
    return is_proved(body, index, ir_expr_int(body->cg->ir, index->dtype, 0), extent, true);
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

/*
 * Conditions that only bound loop variables, `vi > 0 and vi < n - 1`: within, the loop goes less far, so that an index is
 * looked at as anywhere.  Of any other condition nobody knows which iterations it lets through.
 */
#include "analysis/lint/indices.h"

/* `var` from @min on, or to below @end; NULL: no bound. */
struct bound {
    const struct ir_var *var;
    const struct ir_expr *min, *end;
};

static const struct ir_expr *sum(struct index_check *check, enum ir_expr_kind kind,
                                 const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_simplify(check->context, ir_expr_binary(check->context, kind, a, b));
}

static const struct ir_expr *plus_one(struct index_check *check, const struct ir_expr *a)
{
    return sum(check, IR_EXPR_add, a, ir_expr_int(check->context, a->dtype, 1));
}

/* --- what a comparison says --- */

/* The loop whose iterations @var counts, by way of an axis or not; NULL: it counts none, or not all of them. */
static const struct ir_range *loop_of(const struct index_check *check, const struct ir_var *var)
{
    const struct ir_expr *value = map_get(&check->bound, var);
    const struct ir_var *loop = !value ? var : value->kind == IR_EXPR_var ? value->var : NULL;

    return loop && map_has(&check->attained, loop) ? index_range(check, loop) : NULL;
}

struct search {
    const struct index_check *check;
    const struct ir_var *found;
    bool is_other; /* two of them, or what is no variable that is known to be fixed */
};

static bool note_var(void *state, const struct ir_expr *e)
{
    struct search *search = state;

    if (e->kind == IR_EXPR_load || e->kind == IR_EXPR_call)
        search->is_other = true;
    if (e->kind != IR_EXPR_var || (!index_range(search->check, e->var) && e->var->is_symbol))
        return true;
    search->is_other |=
        !loop_of(search->check, e->var) || (search->found && search->found != e->var);
    search->found = e->var;
    return true;
}

static enum ir_expr_kind opposite(enum ir_expr_kind kind)
{
    return kind == IR_EXPR_lt   ? IR_EXPR_ge
           : kind == IR_EXPR_ge ? IR_EXPR_lt
           : kind == IR_EXPR_gt ? IR_EXPR_le
           : kind == IR_EXPR_le ? IR_EXPR_gt
                                : IR_EXPR_var;
}

static enum ir_expr_kind turned(enum ir_expr_kind kind)
{
    return kind == IR_EXPR_lt   ? IR_EXPR_gt
           : kind == IR_EXPR_gt ? IR_EXPR_lt
           : kind == IR_EXPR_le ? IR_EXPR_ge
           : kind == IR_EXPR_ge ? IR_EXPR_le
                                : kind;
}

static bool read_bound(struct index_check *check, const struct ir_expr *e, bool is_else,
                       struct bound *out)
{
    enum ir_expr_kind kind = is_else ? opposite(e->kind) : e->kind;
    struct search search = {.check = check};
    const struct ir_expr *rest;
    int64_t factor;

    if ((kind != IR_EXPR_lt && kind != IR_EXPR_le && kind != IR_EXPR_gt && kind != IR_EXPR_ge &&
         kind != IR_EXPR_eq) ||
        !ir_dtype_is_int(e->operands[0]->dtype) || e->operands[0]->dtype.lanes != 1)
        return false;
    const struct ir_expr *difference = sum(check, IR_EXPR_sub, e->operands[0], e->operands[1]);
    (void)ir_expr_walk(difference, note_var, &search);
    if (!search.found || search.is_other ||
        !ir_expr_linear(check->context, difference, search.found, &factor, &rest) ||
        (factor != 1 && factor != -1))
        return false;
    if (factor < 0)
        kind = turned(kind);
    else
        rest = sum(check, IR_EXPR_sub, ir_expr_int(check->context, rest->dtype, 0), rest);
    out->var = search.found;
    if (kind == IR_EXPR_gt || kind == IR_EXPR_ge || kind == IR_EXPR_eq)
        out->min = kind == IR_EXPR_gt ? plus_one(check, rest) : rest;
    if (kind == IR_EXPR_lt || kind == IR_EXPR_le || kind == IR_EXPR_eq)
        out->end = kind == IR_EXPR_lt ? rest : plus_one(check, rest);
    return true;
}

/* --- what is left of a loop --- */

/* The larger of both, or the smaller; NULL: not known. */
static const struct ir_expr *pick(struct index_check *check, const struct ir_expr *a,
                                  const struct ir_expr *b, bool is_larger)
{
    if (index_is_at_least(check, NULL, a, b))
        return is_larger ? a : b;
    return index_is_at_least(check, NULL, b, a) ? (is_larger ? b : a) : NULL;
}

/* False: it is not known what is left, or nothing is. */
static bool narrow(struct index_check *check, const struct bound *bound)
{
    struct ir_range range = *loop_of(check, bound->var);
    const struct ir_expr *end = sum(check, IR_EXPR_add, range.min, range.extent);
    struct ir_dtype dtype = range.min->dtype;

    if ((bound->min && !ir_dtype_equal(bound->min->dtype, dtype)) ||
        (bound->end && !ir_dtype_equal(bound->end->dtype, dtype)) ||
        !ir_dtype_equal(range.extent->dtype, dtype))
        return false;
    range.min = bound->min ? pick(check, range.min, bound->min, true) : range.min;
    end = bound->end ? pick(check, end, bound->end, false) : end;
    if (!range.min || !end)
        return false;
    range.extent = sum(check, IR_EXPR_sub, end, range.min);
    if (index_is_at_least(check, NULL, ir_expr_int(check->context, dtype, 0), range.extent))
        return false;
    array_push(&check->ranges, range);
    if (bound->var != range.var) {
        range.var = bound->var;
        array_push(&check->ranges, range);
    }
    return true;
}

static bool narrow_all(struct index_check *check, const struct ir_expr *e, bool is_else)
{
    struct bound bound = {0};

    if (e->kind == (is_else ? IR_EXPR_or : IR_EXPR_and))
        return narrow_all(check, e->operands[0], is_else) &&
               narrow_all(check, e->operands[1], is_else);
    if (e->kind == IR_EXPR_not)
        return narrow_all(check, e->operands[0], !is_else);
    return read_bound(check, e, is_else, &bound) && narrow(check, &bound);
}

struct index_scope index_enter(struct index_check *check, const struct ir_expr *condition,
                               bool is_else)
{
    struct index_scope scope = {.ranges = check->ranges.count, .narrowing = check->narrowing};

    if (!condition)
        return scope;
    scope.is_narrowed = narrow_all(check, condition, is_else);
    scope.is_condition = !scope.is_narrowed;
    if (scope.is_condition)
        check->ranges.count = scope.ranges;
    else
        check->narrowing = condition;
    check->narrowed += scope.is_narrowed;
    check->conditions += scope.is_condition;
    return scope;
}

void index_leave(struct index_check *check, struct index_scope scope)
{
    check->ranges.count = scope.ranges;
    check->narrowing = scope.narrowing;
    check->narrowed -= scope.is_narrowed;
    check->conditions -= scope.is_condition;
}

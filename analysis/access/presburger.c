/* From expressions to formulas over integers. */
#include "analysis/access/index.h"
#include "analysis/access/presburger_internal.h"

#include <string.h>

enum { BOUND_BITS = 62 }; /* larger numbers are no bounds */

void presburger_start(struct presburger *p, struct access_relation *relation)
{
    *p = (struct presburger){.relation = relation, .is_exact = true};
}

void presburger_finish(struct presburger *p)
{
    array_finish(&p->vars);
    array_finish(&p->known);
    arena_finish(&p->arena);
}

/* ---- formulas ---- */

void presburger_add(struct presburger *p, const struct formula *formula)
{
    array_push(&p->known, formula);
}

static const struct formula *connect(struct presburger *p, enum formula_kind kind,
                                     const struct formula *a, const struct formula *b)
{
    const struct formula **parts = arena_array(&p->arena, const struct formula *, 2);
    struct formula *formula = arena_new(&p->arena, struct formula);

    *formula = (struct formula){.kind = kind, .parts = parts};
    if (a)
        parts[formula->count++] = a;
    if (b)
        parts[formula->count++] = b;
    return formula;
}

const struct formula *presburger_and(struct presburger *p, const struct formula *a,
                                     const struct formula *b)
{
    return connect(p, FORMULA_AND, a, b);
}

const struct formula *presburger_or(struct presburger *p, const struct formula *a,
                                    const struct formula *b)
{
    return connect(p, FORMULA_OR, a, b);
}

static const struct formula *truth(struct presburger *p, bool is_true)
{
    return connect(p, is_true ? FORMULA_AND : FORMULA_OR, NULL, NULL);
}

/* What is not known to be false. */
static const struct formula *anything(struct presburger *p)
{
    p->is_exact = false;
    return truth(p, true);
}

/* a - b + constant >= 0, or == 0 */
static const struct formula *constraint(struct presburger *p, enum formula_kind kind,
                                        const struct linear *a, const struct linear *b,
                                        int64_t constant)
{
    struct formula *formula = arena_new(&p->arena, struct formula);
    struct linear add = linear_constant(constant);

    formula->kind = kind;
    if (!linear_add(&p->arena, a, b, -1, &formula->value) ||
        !linear_add(&p->arena, &formula->value, &add, 1, &formula->value))
        return anything(p);
    return formula;
}

const struct formula *presburger_compare(struct presburger *p, enum ir_expr_kind kind,
                                         const struct linear *a, const struct linear *b)
{
    switch (kind) {
    case IR_EXPR_eq:
        return constraint(p, FORMULA_ZERO, a, b, 0);
    case IR_EXPR_ne:
        return presburger_or(p, constraint(p, FORMULA_AT_LEAST_ZERO, a, b, -1),
                             constraint(p, FORMULA_AT_LEAST_ZERO, b, a, -1));
    case IR_EXPR_lt:
        return constraint(p, FORMULA_AT_LEAST_ZERO, b, a, -1);
    case IR_EXPR_le:
        return constraint(p, FORMULA_AT_LEAST_ZERO, b, a, 0);
    case IR_EXPR_gt:
        return constraint(p, FORMULA_AT_LEAST_ZERO, a, b, -1);
    case IR_EXPR_ge:
        return constraint(p, FORMULA_AT_LEAST_ZERO, a, b, 0);
    default:
        return anything(p);
    }
}

/* low <= a <= high */
static const struct formula *between(struct presburger *p, int64_t low, const struct linear *a,
                                     int64_t high)
{
    struct linear least = linear_constant(low), most = linear_constant(high);

    return presburger_and(p, presburger_compare(p, IR_EXPR_ge, a, &least),
                          presburger_compare(p, IR_EXPR_le, a, &most));
}

/* ---- variables ---- */

static struct linear variable(struct presburger *p, unsigned i)
{
    struct linear result = {.count = 1, .terms = arena_new(&p->arena, struct linear_term)};

    *result.terms = (struct linear_term){i, 1};
    return result;
}

static struct linear new_variable(struct presburger *p, const struct ir_expr *expr,
                                  const struct access_side *side)
{
    array_push(&p->vars, (struct presburger_var){.expr = expr, .side = side});
    return variable(p, (unsigned)p->vars.count - 1);
}

struct linear presburger_variable(struct presburger *p)
{
    return new_variable(p, NULL, NULL);
}

static bool find_variable(struct presburger *p, const struct ir_expr *expr,
                          const struct access_side *side, struct linear *out)
{
    for (size_t i = 0; i < p->vars.count; i++) {
        const struct presburger_var *var = &p->vars.items[i];

        if (var->expr && var->side == side && ir_expr_equal(var->expr, expr)) {
            *out = variable(p, (unsigned)i);
            return true;
        }
    }
    return false;
}

static const struct access_frame *frame_of(const struct access_side *side, const struct ir_var *var)
{
    const struct access_frame *frame = side->access ? side->access->frame : NULL;

    while (frame && frame->var != var)
        frame = frame->parent;
    return frame;
}

struct own {
    const struct access_relation *relation;
    const struct access_side *side;
};

static bool is_shared(void *state, const struct ir_expr *a)
{
    const struct own *own = state;
    const struct access_frame *frame = a->kind == IR_EXPR_var ? frame_of(own->side, a->var) : NULL;

    return !frame || access_is_shared(own->relation, frame);
}

/* Who has a value of its own of @a: @side, or NULL: all have the same. */
static const struct access_side *owner_of(struct presburger *p, const struct access_side *side,
                                          const struct ir_expr *a)
{
    struct own own = {p->relation, side};

    return ir_expr_walk(a, is_shared, &own) ? NULL : side;
}

/* @a as a variable; true if it is a new one. */
static bool term(struct presburger *p, const struct access_side *side, const struct ir_expr *a,
                 struct linear *out)
{
    const struct access_side *owner = owner_of(p, side, a);

    if (find_variable(p, a, owner, out))
        return false;
    *out = new_variable(p, a, owner);
    return true;
}

/* The same for what constraints are to define. */
static bool defined_term(struct presburger *p, const struct access_side *side,
                         const struct ir_expr *a, struct linear *out)
{
    bool is_new = term(p, side, a, out);

    if (is_new)
        array_last(&p->vars).is_defined = true;
    return is_new;
}

/* What is no arithmetic: any number, but the same wherever it stands. */
static bool opaque(struct presburger *p, const struct access_side *side, const struct ir_expr *a,
                   struct linear *out)
{
    p->is_exact = false;
    (void)term(p, side, a, out);
    return true;
}

static bool loop_variable(struct presburger *p, const struct access_side *side,
                          const struct ir_expr *a, struct linear *out)
{
    const struct access_frame *frame = frame_of(side, a->var);

    if (frame && frame->kind == ACCESS_LET)
        p->is_exact = false;
    (void)term(p, side, a, out);
    return true;
}

/* ---- values ---- */

static bool convert(struct presburger *p, const struct access_side *side, const struct ir_expr *a,
                    struct linear *out);
static const struct formula *condition(struct presburger *p, const struct access_side *side,
                                       const struct ir_expr *a, bool is_negated);

static bool is_constant(struct presburger *p, const struct ir_expr *a, int64_t *out)
{
    return ir_expr_constant(p->relation->context, a, out);
}

static bool convert_sum(struct presburger *p, const struct access_side *side,
                        const struct ir_expr *a, struct linear *out)
{
    struct linear x, y;

    return convert(p, side, a->operands[0], &x) && convert(p, side, a->operands[1], &y) &&
           linear_add(&p->arena, &x, &y, a->kind == IR_EXPR_sub ? -1 : 1, out);
}

static bool convert_product(struct presburger *p, const struct access_side *side,
                            const struct ir_expr *a, struct linear *out)
{
    for (unsigned i = 0; i < 2; i++) {
        int64_t factor;
        struct linear other;

        if (is_constant(p, a->operands[i], &factor))
            return convert(p, side, a->operands[1 - i], &other) &&
                   linear_scale(&p->arena, &other, factor, out);
    }
    return opaque(p, side, a, out);
}

/* Says that @quotient is x divided by @divisor, rounded down, or to zero. */
static bool define_quotient(struct presburger *p, const struct linear *x, int64_t divisor,
                            const struct linear *quotient, bool is_floor)
{
    struct linear rest, minus_one = linear_constant(-1), zero = linear_constant(0);

    if (!linear_add(&p->arena, x, quotient, -divisor, &rest))
        return false;
    const struct formula *down = between(p, 0, &rest, divisor - 1);
    if (!is_floor) {
        const struct formula *up = between(p, 1 - divisor, &rest, 0);

        down = presburger_and(p, down, presburger_compare(p, IR_EXPR_ge, x, &zero));
        up = presburger_and(p, up, presburger_compare(p, IR_EXPR_le, x, &minus_one));
        down = presburger_or(p, down, up);
    }
    presburger_add(p, down);
    return true;
}

static bool convert_division(struct presburger *p, const struct access_side *side,
                             const struct ir_expr *a, struct linear *out)
{
    bool is_floor = a->kind == IR_EXPR_floordiv || a->kind == IR_EXPR_floormod;
    bool is_rest = a->kind == IR_EXPR_mod || a->kind == IR_EXPR_floormod;
    enum ir_expr_kind kind = is_floor ? IR_EXPR_floordiv : IR_EXPR_div;
    const struct ir_expr *division =
        is_rest ? ir_expr_binary(p->relation->context, kind, a->operands[0], a->operands[1]) : a;
    int64_t divisor;
    struct linear x, quotient;

    if (!is_constant(p, a->operands[1], &divisor) || divisor < 1 || divisor > INT32_MAX)
        return opaque(p, side, a, out);
    if (!convert(p, side, a->operands[0], &x))
        return false;
    if (defined_term(p, side, division, &quotient) &&
        !define_quotient(p, &x, divisor, &quotient, is_floor))
        return false;
    *out = quotient;
    return !is_rest || linear_add(&p->arena, &x, &quotient, -divisor, out);
}

/* @result is @x where @first holds, @y where @second does. */
static void define_choice(struct presburger *p, const struct linear *result,
                          const struct formula *first, const struct linear *x,
                          const struct formula *second, const struct linear *y)
{
    first = presburger_and(p, first, presburger_compare(p, IR_EXPR_eq, result, x));
    second = presburger_and(p, second, presburger_compare(p, IR_EXPR_eq, result, y));
    presburger_add(p, presburger_or(p, first, second));
}

static bool convert_extreme(struct presburger *p, const struct access_side *side,
                            const struct ir_expr *a, struct linear *out)
{
    bool is_min = a->kind == IR_EXPR_min;
    struct linear x, y;

    if (!convert(p, side, a->operands[0], &x) || !convert(p, side, a->operands[1], &y))
        return false;
    if (defined_term(p, side, a, out))
        define_choice(p, out, presburger_compare(p, is_min ? IR_EXPR_le : IR_EXPR_ge, &x, &y), &x,
                      presburger_compare(p, is_min ? IR_EXPR_gt : IR_EXPR_lt, &x, &y), &y);
    return true;
}

static bool convert_select(struct presburger *p, const struct access_side *side,
                           const struct ir_expr *a, struct linear *out)
{
    struct linear x, y;

    if (!convert(p, side, a->operands[1], &x) || !convert(p, side, a->operands[2], &y))
        return false;
    if (defined_term(p, side, a, out))
        define_choice(p, out, condition(p, side, a->operands[0], false), &x,
                      condition(p, side, a->operands[0], true), &y);
    return true;
}

/* @a, an exact integer expression. */
static bool convert(struct presburger *p, const struct access_side *side, const struct ir_expr *a,
                    struct linear *out)
{
    switch (a->kind) {
    case IR_EXPR_int:
        *out = linear_constant(a->int_value);
        return true;
    case IR_EXPR_var:
        return loop_variable(p, side, a, out);
    case IR_EXPR_cast:
        return ir_dtype_is_int(a->operands[0]->dtype) ? convert(p, side, a->operands[0], out)
                                                      : opaque(p, side, a, out);
    case IR_EXPR_add:
    case IR_EXPR_sub:
        return convert_sum(p, side, a, out);
    case IR_EXPR_mul:
        return convert_product(p, side, a, out);
    case IR_EXPR_div:
    case IR_EXPR_mod:
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
        return convert_division(p, side, a, out);
    case IR_EXPR_min:
    case IR_EXPR_max:
        return convert_extreme(p, side, a, out);
    case IR_EXPR_select:
        return convert_select(p, side, a, out);
    default:
        return opaque(p, side, a, out);
    }
}

static bool is_number(struct presburger *p, const struct access_side *side, const struct ir_expr *a)
{
    return ir_dtype_is_int(a->dtype) && a->dtype.lanes == 1 && access_is_stable(p->relation, a) &&
           index_is_exact(p->relation->context, &side->ranges, a);
}

bool presburger_value(struct presburger *p, const struct access_side *side, const struct ir_expr *a,
                      struct linear *out)
{
    return is_number(p, side, a) && convert(p, side, a, out);
}

/* ---- conditions ---- */

static enum ir_expr_kind opposite(enum ir_expr_kind kind)
{
    switch (kind) {
    case IR_EXPR_eq:
        return IR_EXPR_ne;
    case IR_EXPR_ne:
        return IR_EXPR_eq;
    case IR_EXPR_lt:
        return IR_EXPR_ge;
    case IR_EXPR_le:
        return IR_EXPR_gt;
    case IR_EXPR_gt:
        return IR_EXPR_le;
    default:
        return IR_EXPR_lt;
    }
}

static const struct formula *comparison(struct presburger *p, const struct access_side *side,
                                        const struct ir_expr *a, bool is_negated)
{
    struct linear x, y;

    if (!presburger_value(p, side, a->operands[0], &x) ||
        !presburger_value(p, side, a->operands[1], &y))
        return anything(p);
    return presburger_compare(p, is_negated ? opposite(a->kind) : a->kind, &x, &y);
}

/* Where @a is true, or false; at least there. */
static const struct formula *condition(struct presburger *p, const struct access_side *side,
                                       const struct ir_expr *a, bool is_negated)
{
    if (ir_expr_is_compare(a->kind))
        return comparison(p, side, a, is_negated);
    if (a->kind == IR_EXPR_not)
        return condition(p, side, a->operands[0], !is_negated);
    if (a->kind == IR_EXPR_call && a->operand_count == 1 && strcmp(a->name, "likely") == 0)
        return condition(p, side, a->operands[0], is_negated);
    if (a->kind == IR_EXPR_int)
        return truth(p, (a->int_value != 0) != is_negated);
    if (a->kind == IR_EXPR_and || a->kind == IR_EXPR_or)
        return connect(p, (a->kind == IR_EXPR_and) != is_negated ? FORMULA_AND : FORMULA_OR,
                       condition(p, side, a->operands[0], is_negated),
                       condition(p, side, a->operands[1], is_negated));
    return anything(p);
}

/* ---- frames ---- */

static void add_step(struct presburger *p, const struct linear *from_min, int64_t step)
{
    struct linear quotient = presburger_variable(p), rest, zero = linear_constant(0);

    if (linear_add(&p->arena, from_min, &quotient, -step, &rest))
        presburger_add(p, presburger_compare(p, IR_EXPR_eq, &rest, &zero));
}

static void add_range(struct presburger *p, const struct access_side *side,
                      const struct access_frame *frame)
{
    const struct ir_expr *name = ir_expr_var(p->relation->context, frame->var);
    struct linear var, min, extent, from_min, zero = linear_constant(0);
    bool is_known = frame->extent && loop_variable(p, side, name, &var) &&
                    presburger_value(p, side, frame->min, &min) &&
                    presburger_value(p, side, frame->extent, &extent) &&
                    linear_add(&p->arena, &var, &min, -1, &from_min);

    p->is_exact &= is_known && frame->step > 0;
    if (!is_known)
        return;
    presburger_add(p, presburger_compare(p, IR_EXPR_ge, &from_min, &zero));
    presburger_add(p, presburger_compare(p, IR_EXPR_lt, &from_min, &extent));
    if (frame->step > 1)
        add_step(p, &from_min, frame->step);
}

static void add_frame(struct presburger *p, const struct access_side *side,
                      const struct access_frame *frame)
{
    if (!frame)
        return;
    add_frame(p, side, frame->parent);
    if (frame->kind == ACCESS_LOOP || frame->kind == ACCESS_LANES)
        add_range(p, side, frame);
    else if (frame->kind == ACCESS_GUARD &&
             !(p->skips_assertions && frame->stmt->kind == TIR_ASSERT))
        presburger_add(p, frame->condition ? condition(p, side, frame->condition, frame->is_negated)
                                           : anything(p));
}

void presburger_add_frames(struct presburger *p, const struct access_side *side)
{
    add_frame(p, side, side->access->frame);
}

/* ---- facts ---- */

void presburger_add_facts(struct presburger *p)
{
    const int64_t limit = INT64_C(1) << BOUND_BITS;

    for (unsigned i = 0; i < p->vars.count; i++) {
        const struct presburger_var *var = &p->vars.items[i];

        if (!var->expr)
            continue;
        struct linear value = variable(p, i);
        struct ir_interval interval =
            ir_interval_of(p->relation->context, var->side ? &var->side->ranges : NULL, var->expr);
        struct linear low = linear_constant(interval.low), high = linear_constant(interval.high);
        if (interval.low > -limit)
            presburger_add(p, presburger_compare(p, IR_EXPR_ge, &value, &low));
        if (interval.high < limit)
            presburger_add(p, presburger_compare(p, IR_EXPR_le, &value, &high));
    }
}

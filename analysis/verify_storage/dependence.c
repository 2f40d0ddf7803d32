/*
 * Does a load see what a store has written before?  As linear inequalities, for what order.c,
 * which is quicker and knows products of sizes, leaves open: conditions around accesses, T.min
 * and T.max, loops that depend on each other.
 *
 * Each loop is a variable on either side.  Both touch one element, and the store is in front of the
 * load: in an earlier iteration of the outermost loop that is not in the same one, or in any other
 * if its iterations have no order; or further up in the text.  Each of these cases must have no
 * solution.  What is not linear is a variable of which nothing is known.
 */
#include "analysis/verify_storage/kernel.h"
#include "analysis/verify_storage/system.h"

#include <string.h>

enum {
    LOAD,
    STORE,
    SHARED,
    SPLIT_LIMIT = 10,     /* cases, each of two */
    WORK_LIMIT = 500,     /* systems of one question */
    SIZE_LIMIT = 300,     /* nodes of an index or condition */
    KERNEL_LIMIT = 10000, /* of all of a kernel */
};

struct name {
    const void *key; /* of a loop */
    const struct ir_expr *expr;
    unsigned side, var;
};

/* One of two holds: each a row that is >= 0, or = 0. */
struct split {
    struct vs_row rows[2];
    bool is_equal[2];
};

struct question {
    struct vs_polys *p;
    struct vs_access *sides[2];
    struct ir_ranges ranges[2];
    struct vs_system system;
    array(struct name) names;
    array(struct split) splits;
    unsigned var_count, work;
    bool is_lost; /* too many variables, or a number too large */
};

static struct vs_row form_of(struct question *q, unsigned side, const struct vs_around *around,
                             const struct ir_expr *e);

/* ---- forms ---- */

static struct vs_row number(int64_t value)
{
    return (struct vs_row){.constant = value};
}

static struct vs_row of_var(unsigned var)
{
    struct vs_row row = {.constant = 0};

    row.factors[var] = 1;
    return row;
}

static struct vs_row sum(struct question *q, struct vs_row a, struct vs_row b, int64_t factor)
{
    q->is_lost |= !vs_row_add(&a, &b, factor);
    return a;
}

static unsigned new_var(struct question *q)
{
    if (q->var_count < VS_VAR_LIMIT)
        return q->var_count++;
    q->is_lost = true;
    return 0;
}

static struct vs_row unknown(struct question *q)
{
    return of_var(new_var(q));
}

static void add_row(struct vs_system *system, struct vs_row row, bool is_equal)
{
    if (is_equal)
        array_push(&system->equals, row);
    else
        array_push(&system->rows, row);
}

static void at_least_0(struct question *q, struct vs_row row)
{
    add_row(&q->system, row, false);
}

static void equal_0(struct question *q, struct vs_row row)
{
    add_row(&q->system, row, true);
}

static void add_split(struct question *q, struct vs_row a, bool a_is_equal, struct vs_row b,
                      bool b_is_equal)
{
    struct split split = {{a, b}, {a_is_equal, b_is_equal}};

    if (q->splits.count < SPLIT_LIMIT)
        array_push(&q->splits, split);
}

/* ---- variables ---- */

static bool find_name(struct question *q, const void *key, const struct ir_expr *expr,
                      unsigned side, unsigned *out)
{
    for (size_t i = 0; i < q->names.count; i++) {
        const struct name *name = &q->names.items[i];

        if (name->side == side && name->key == key &&
            (!expr || (name->expr && ir_expr_equal(name->expr, expr)))) {
            *out = name->var;
            return true;
        }
    }
    struct name name = {key, expr, side, new_var(q)};

    array_push(&q->names, name);
    *out = name.var;
    return false;
}

/* What no loop changes: one number, on both sides. */
static struct vs_row fixed(struct question *q, const struct ir_expr *e)
{
    unsigned var;

    if (!find_name(q, NULL, e, SHARED, &var) && ir_interval_of(q->p->context, NULL, e).low >= 0)
        at_least_0(q, of_var(var));
    return of_var(var);
}

static void bound_loop(struct question *q, unsigned side, const struct vs_around *loop,
                       struct vs_row var)
{
    const struct tir_stmt *stmt = loop->stmt;
    int64_t step = 1;

    if (stmt->kind != TIR_FOR)
        return;
    struct vs_row offset = sum(q, var, form_of(q, side, loop->outer, stmt->loop.min), -1);
    struct vs_row extent = form_of(q, side, loop->outer, stmt->loop.extent);

    at_least_0(q, offset);
    at_least_0(q, sum(q, sum(q, extent, number(1), -1), offset, -1));
    if (stmt->loop.step && ir_expr_constant(q->p->context, stmt->loop.step, &step) && step > 1)
        equal_0(q, sum(q, offset, unknown(q), -step));
}

static struct vs_row of_loop(struct question *q, unsigned side, const struct vs_around *loop)
{
    unsigned var;

    if (!find_name(q, loop, NULL, side, &var))
        bound_loop(q, side, loop, of_var(var));
    return of_var(var);
}

static struct vs_row of_variable(struct question *q, unsigned side, const struct vs_around *around,
                                 const struct ir_expr *e)
{
    while (around && around->var != e->var)
        around = around->outer;
    if (!around)
        return fixed(q, e);
    if (around->kind == VS_LOOP)
        return of_loop(q, side, around);
    return form_of(q, side, around->outer, around->value);
}

/* ---- expressions ---- */

/* Is @e the number that its sums and products are?  int64 is trusted not to wrap. */
static bool is_whole(struct question *q, unsigned side, const struct ir_expr *e)
{
    return ir_dtype_is_int(e->dtype) && e->dtype.lanes <= 1 &&
           (ir_dtype_equal(e->dtype, IR_I64) ||
            ir_fits_everywhere(q->p->context, &q->ranges[side], e));
}

/* a // d, and what is left in *@out_rest. */
static struct vs_row quotient(struct question *q, struct vs_row a, int64_t divisor,
                              struct vs_row *out_rest)
{
    struct vs_row result = unknown(q);

    *out_rest = sum(q, a, result, -divisor);
    at_least_0(q, *out_rest);
    at_least_0(q, sum(q, number(divisor - 1), *out_rest, -1));
    return result;
}

static struct vs_row division(struct question *q, struct vs_row a, struct vs_row b,
                              bool is_remainder)
{
    struct vs_row rest, result;

    if (!vs_row_is_constant(&b) || b.constant < 1)
        return unknown(q);
    result = quotient(q, a, b.constant, &rest);
    return is_remainder ? rest : result;
}

static struct vs_row product(struct question *q, struct vs_row a, struct vs_row b)
{
    if (vs_row_is_constant(&a))
        return sum(q, number(0), b, a.constant);
    return vs_row_is_constant(&b) ? sum(q, number(0), a, b.constant) : unknown(q);
}

/* T.min; and T.max, with @sign -1. */
static struct vs_row least(struct question *q, struct vs_row a, struct vs_row b, int sign)
{
    struct vs_row result = unknown(q);
    struct vs_row above_a = sum(q, sum(q, number(0), a, sign), result, -sign);
    struct vs_row above_b = sum(q, sum(q, number(0), b, sign), result, -sign);

    at_least_0(q, above_a);
    at_least_0(q, above_b);
    add_split(q, above_a, true, above_b, true);
    return result;
}

struct outside {
    const struct vs_around *around;
};

static bool is_outside(void *state, const struct ir_expr *e)
{
    const struct outside *outside = state;

    if (e->kind == IR_EXPR_load || e->kind == IR_EXPR_call || e->kind == IR_EXPR_let)
        return false;
    for (const struct vs_around *a = outside->around; a && e->kind == IR_EXPR_var; a = a->outer)
        if (a->var == e->var)
            return false;
    return true;
}

static struct vs_row of_binary(struct question *q, unsigned side, const struct vs_around *around,
                               const struct ir_expr *e)
{
    struct vs_row a = form_of(q, side, around, e->operands[0]);
    struct vs_row b = form_of(q, side, around, e->operands[1]);

    switch (e->kind) {
    case IR_EXPR_add:
        return sum(q, a, b, 1);
    case IR_EXPR_sub:
        return sum(q, a, b, -1);
    case IR_EXPR_mul:
        return product(q, a, b);
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
        return division(q, a, b, e->kind == IR_EXPR_floormod);
    default:
        return least(q, a, b, e->kind == IR_EXPR_min ? 1 : -1);
    }
}

static struct vs_row form_of(struct question *q, unsigned side, const struct vs_around *around,
                             const struct ir_expr *e)
{
    struct outside outside = {around};

    if (q->is_lost || e->size > SIZE_LIMIT || !is_whole(q, side, e))
        return unknown(q);
    switch (e->kind) {
    case IR_EXPR_int:
        return number(e->int_value);
    case IR_EXPR_var:
        return of_variable(q, side, around, e);
    case IR_EXPR_cast:
        return ir_dtype_is_int(e->operands[0]->dtype) && e->operands[0]->dtype.bits < 64
                   ? form_of(q, side, around, e->operands[0])
                   : unknown(q);
    case IR_EXPR_mul:
        if (!ir_expr_walk(e, is_outside, &outside))
            return of_binary(q, side, around, e);
        return fixed(q, e);
    case IR_EXPR_add:
    case IR_EXPR_sub:
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
    case IR_EXPR_min:
    case IR_EXPR_max:
        return of_binary(q, side, around, e);
    default:
        return ir_expr_walk(e, is_outside, &outside) ? fixed(q, e) : unknown(q);
    }
}

/* ---- conditions ---- */

/* Which comparison @e is, or is not; IR_EXPR_int: none of integers. */
static enum ir_expr_kind comparison_of(const struct ir_expr *e, bool is_negated)
{
    static const enum ir_expr_kind opposites[][2] = {
        {IR_EXPR_lt, IR_EXPR_ge}, {IR_EXPR_ge, IR_EXPR_lt}, {IR_EXPR_le, IR_EXPR_gt},
        {IR_EXPR_gt, IR_EXPR_le}, {IR_EXPR_eq, IR_EXPR_ne}, {IR_EXPR_ne, IR_EXPR_eq}};

    for (unsigned i = 0; i < ARRAY_SIZE(opposites); i++)
        if (opposites[i][0] == e->kind && e->dtype.lanes <= 1 &&
            ir_dtype_is_int(e->operands[0]->dtype))
            return opposites[i][is_negated];
    return IR_EXPR_int;
}

/* A comparison as one row; false if it is none. */
static bool compare(struct question *q, unsigned side, const struct vs_around *around,
                    const struct ir_expr *e, bool is_negated, struct vs_row *out, bool *out_equal)
{
    enum ir_expr_kind kind = comparison_of(e, is_negated);

    if (kind == IR_EXPR_int || kind == IR_EXPR_ne)
        return false;
    struct vs_row a = form_of(q, side, around, e->operands[0]);
    struct vs_row b = form_of(q, side, around, e->operands[1]);
    bool is_less = kind == IR_EXPR_lt || kind == IR_EXPR_le;

    *out_equal = kind == IR_EXPR_eq;
    *out = is_less ? sum(q, b, a, -1) : sum(q, a, b, -1);
    if (kind == IR_EXPR_lt || kind == IR_EXPR_gt)
        *out = sum(q, *out, number(1), -1);
    return true;
}

/* One is less, or the other is. */
static void add_unequal(struct question *q, unsigned side, const struct vs_around *around,
                        const struct ir_expr *e)
{
    struct vs_row a = form_of(q, side, around, e->operands[0]);
    struct vs_row b = form_of(q, side, around, e->operands[1]);
    struct vs_row less = sum(q, sum(q, b, a, -1), number(1), -1);
    struct vs_row more = sum(q, sum(q, a, b, -1), number(1), -1);

    add_split(q, less, false, more, false);
}

static void add_condition(struct question *q, unsigned side, const struct vs_around *around,
                          const struct ir_expr *e, bool is_negated)
{
    enum ir_expr_kind both = is_negated ? IR_EXPR_or : IR_EXPR_and;
    enum ir_expr_kind either = is_negated ? IR_EXPR_and : IR_EXPR_or;
    struct vs_row rows[2];
    bool is_equal[2];

    if (e->size > SIZE_LIMIT) {
        return;
    } else if (e->kind == both) {
        add_condition(q, side, around, e->operands[0], is_negated);
        add_condition(q, side, around, e->operands[1], is_negated);
    } else if (e->kind == either) {
        if (compare(q, side, around, e->operands[0], is_negated, &rows[0], &is_equal[0]) &&
            compare(q, side, around, e->operands[1], is_negated, &rows[1], &is_equal[1]))
            add_split(q, rows[0], is_equal[0], rows[1], is_equal[1]);
    } else if (e->kind == IR_EXPR_not) {
        add_condition(q, side, around, e->operands[0], !is_negated);
    } else if (e->kind == IR_EXPR_call && strcmp(e->name, "likely") == 0 && e->operand_count == 1) {
        add_condition(q, side, around, e->operands[0], is_negated);
    } else if (comparison_of(e, is_negated) == IR_EXPR_ne) {
        add_unequal(q, side, around, e);
    } else if (compare(q, side, around, e, is_negated, &rows[0], &is_equal[0])) {
        add_row(&q->system, rows[0], is_equal[0]);
    }
}

/* ---- both sides ---- */

/* What values of variables fit into, from the outside in: for what may wrap. */
static void add_ranges(struct question *q, unsigned side, const struct vs_around *around)
{
    struct ir_context *context = q->p->context;
    struct ir_ranges *ranges = &q->ranges[side];

    if (!around)
        return;
    add_ranges(q, side, around->outer);
    if (around->kind == VS_LOOP && around->var && around->stmt->kind == TIR_FOR) {
        struct ir_range range = {
            around->var, ir_expr_cast(context, around->var->dtype, around->stmt->loop.min),
            ir_expr_cast(context, around->var->dtype, around->stmt->loop.extent)};

        array_push(ranges, range);
    } else if ((around->kind == VS_LET || around->kind == VS_AXIS) &&
               ir_dtype_is_int(around->var->dtype) && ir_dtype_is_int(around->value->dtype)) {
        struct ir_interval in = ir_interval_of(context, ranges, around->value);
        int64_t extent;

        if (__builtin_sub_overflow(in.high, in.low, &extent) || extent == INT64_MAX ||
            !ir_dtype_equal(around->var->dtype, around->value->dtype))
            return;
        struct ir_range range = {around->var, ir_expr_int(context, around->var->dtype, in.low),
                                 ir_expr_int(context, around->var->dtype, extent + 1)};

        array_push(ranges, range);
    }
}

static bool is_pinned(const struct vs_access *access, const struct vs_around *loop)
{
    for (const struct vs_first *f = access->first; f; f = f->next)
        if (f->var == loop->var && loop->var)
            return true;
    return false;
}

/* That the iterations around are run. */
static void add_around(struct question *q, unsigned side)
{
    const struct vs_access *access = q->sides[side];

    add_ranges(q, side, access->around);
    for (const struct vs_around *a = access->around; a; a = a->outer) {
        if (a->kind == VS_GUARD)
            add_condition(q, side, a->outer, a->condition, a->is_negated);
        if (a->kind != VS_LOOP)
            continue;
        struct vs_row var = of_loop(q, side, a);
        if (is_pinned(access, a) && a->stmt->kind == TIR_FOR)
            equal_0(q, sum(q, var, form_of(q, side, a->outer, a->stmt->loop.min), -1));
    }
}

static bool same_places(const struct question *q, const struct ir_buffer *a,
                        const struct ir_buffer *b)
{
    if (a->ndim != b->ndim || ir_dtype_bytes(a->dtype) != ir_dtype_bytes(b->dtype))
        return false;
    for (unsigned i = 1; i < a->ndim; i++)
        if (!ir_prove_equal(q->p->context, ir_expr_cast(q->p->context, IR_I64, a->shape[i]),
                            ir_expr_cast(q->p->context, IR_I64, b->shape[i])))
            return false;
    return true;
}

static struct vs_row index_at(struct question *q, unsigned side, unsigned i)
{
    const struct ir_expr *index = q->sides[side]->indices[i];
    int64_t lanes = index->dtype.lanes;

    if (index->kind == IR_EXPR_ramp) { /* one of its lanes */
        struct vs_row lane = unknown(q);
        struct vs_row stride = form_of(q, side, q->sides[side]->around, index->operands[1]);

        at_least_0(q, lane);
        at_least_0(q, sum(q, number(lanes - 1), lane, -1));
        return sum(q, form_of(q, side, q->sides[side]->around, index->operands[0]),
                   product(q, lane, stride), 1);
    }
    return form_of(q, side, q->sides[side]->around, index);
}

/* The number of the element, in a compact buffer. */
static struct vs_row flat_at(struct question *q, unsigned side)
{
    const struct vs_access *access = q->sides[side];
    struct vs_row result = number(0);

    for (unsigned i = 0; i < access->index_count; i++)
        result = sum(q, product(q, result, form_of(q, side, NULL, access->buffer->shape[i])),
                     index_at(q, side, i), 1);
    return result;
}

/* That they meet. */
static void add_meeting(struct question *q, int64_t distance)
{
    const struct vs_access *load = q->sides[LOAD], *store = q->sides[STORE];
    int64_t size = ir_dtype_bytes(load->buffer->dtype);

    if (distance == 0 && same_places(q, load->buffer, store->buffer)) {
        for (unsigned i = 0; i < load->index_count; i++)
            equal_0(q, sum(q, index_at(q, LOAD, i), index_at(q, STORE, i), -1));
        return;
    }
    struct vs_row from = flat_at(q, LOAD), to = flat_at(q, STORE);
    int64_t store_size = ir_dtype_bytes(store->buffer->dtype);

    if (size == store_size && size && distance % size == 0) {
        equal_0(q, sum(q, sum(q, from, to, -1), number(distance / size), 1));
        return;
    }
    /* by how many bytes the load begins behind the store: less than the store is long, and so on */
    struct vs_row behind = sum(q, sum(q, number(distance), from, size), to, -store_size);

    at_least_0(q, sum(q, number(store_size - 1), behind, -1));
    at_least_0(q, sum(q, number(size - 1), behind, 1));
}

/* ---- the answer ---- */

static bool is_empty(struct question *q, const struct vs_system *system, size_t at);

/* Has @system with @row and one case of each split from @at on no solution? */
static bool is_empty_with(struct question *q, const struct vs_system *system, size_t at,
                          struct vs_row row, bool is_equal)
{
    struct vs_system work;

    vs_system_copy(&work, system);
    add_row(&work, row, is_equal);
    bool result = is_empty(q, &work, at);
    vs_system_finish(&work);
    return result;
}

static bool is_empty(struct question *q, const struct vs_system *system, size_t at)
{
    struct vs_system work;

    if (++q->work > WORK_LIMIT)
        return false;
    vs_system_copy(&work, system);
    bool result = vs_system_is_empty(&work);
    vs_system_finish(&work);
    if (result || at == q->splits.count)
        return result;
    const struct split *split = &q->splits.items[at];
    return is_empty_with(q, system, at + 1, split->rows[0], split->is_equal[0]) &&
           is_empty_with(q, system, at + 1, split->rows[1], split->is_equal[1]);
}

static const struct vs_around *loop_at(const struct vs_around *around, unsigned depth)
{
    while (around && (around->kind != VS_LOOP || around->depth != depth))
        around = around->outer;
    return around;
}

/* Is loop number @depth the last one around both, and the load not behind the store in it? */
static bool is_innermost(const struct question *q, unsigned depth)
{
    const struct vs_around *loop = loop_at(q->sides[LOAD]->around, depth + 1);

    return (!loop || loop != loop_at(q->sides[STORE]->around, depth + 1)) &&
           q->sides[LOAD]->order <= q->sides[STORE]->order;
}

/* Is the load, where both meet, always in front of the store? */
static bool is_ordered(struct question *q)
{
    for (unsigned depth = 1; !q->is_lost; depth++) {
        const struct vs_around *loop = loop_at(q->sides[LOAD]->around, depth);
        const struct vs_around *other = loop_at(q->sides[STORE]->around, depth);

        if (!loop || loop != other)
            break;
        struct vs_row later =
            sum(q, of_loop(q, LOAD, loop), of_loop(q, STORE, loop), -1); /* by so much */
        struct vs_row after = sum(q, later, number(1), -1);
        struct vs_row before = sum(q, number(-1), later, -1);

        if (q->is_lost || !is_empty_with(q, &q->system, 0, after, false) ||
            (!vs_is_in_order(loop->stmt, is_innermost(q, depth)) &&
             !is_empty_with(q, &q->system, 0, before, false)))
            return false;
        equal_0(q, later);
    }
    return !q->is_lost &&
           (q->sides[LOAD]->order <= q->sides[STORE]->order || is_empty(q, &q->system, 0));
}

bool vs_never_sees(struct vs_kernel *kernel, struct vs_access *load, struct vs_access *store,
                   int64_t distance)
{
    struct question q = {.p = &kernel->polys, .sides = {load, store}};

    if (kernel->work > KERNEL_LIMIT)
        return false;
    add_around(&q, LOAD);
    add_around(&q, STORE);
    add_meeting(&q, distance);
    bool result = !q.is_lost && is_ordered(&q);
    kernel->work += q.work + 1;
    vs_system_finish(&q.system);
    array_finish(&q.names);
    array_finish(&q.splits);
    array_finish(&q.ranges[LOAD]);
    array_finish(&q.ranges[STORE]);
    return result;
}

/*
 * Indices that cannot be in range, and axes that do not fit their loops.
 *
 * Two proofs.  An index is out of range for all values that its variables can have; or it is a sum of
 * loop variables with constant factors, each once, so that it takes its largest value when all take theirs, and
 * that one is out of range.  The second needs that all iterations are run: what stands under a
 * condition, and kernels that may leave a loop early, are not looked at.
 */
#include "analysis/lint/lint.h"
#include "base/array.h"
#include "base/map.h"
#include "ir/arith.h"
#include "ir/print.h"

#include <string.h>

struct check {
    struct diag *diag;
    struct tir_stmt *body;
    struct ir_context *context;
    struct ir_ranges ranges;
    struct map
        attained; /* loop variables that take all values of their range, whatever the others are */
    struct map bound;    /* axis -> const struct ir_expr *, its value in terms of loop variables */
    unsigned conditions; /* around what is looked at */
    struct tir_stmt *stmt;
    struct map
        said; /* statements that were told of, and loop variables: the extent they run beyond */
};

/* What is indexed with what. */
struct access {
    const struct ir_buffer *buffer;
    const struct ir_expr *const *indices;
    unsigned count;
};

/* --- extreme values --- */

struct extreme {
    struct check *check;
    struct map seen; /* a variable that stands twice does not take both ends at once */
};

static const struct ir_range *find_range(const struct check *check, const struct ir_var *var)
{
    for (size_t i = check->ranges.count; i > 0; i--) /* the inner ones come last */
        if (check->ranges.items[i - 1].var == var)
            return &check->ranges.items[i - 1];
    return NULL;
}

static const struct ir_expr *extreme_of(struct extreme *x, const struct ir_expr *e, bool is_high);

static const struct ir_expr *extreme_var(struct extreme *x, const struct ir_expr *e, bool is_high)
{
    struct ir_context *context = x->check->context;
    const struct ir_range *range = find_range(x->check, e->var);
    const struct ir_expr *value = map_get(&x->check->bound, e->var);
    if (value)
        return extreme_of(x, value, is_high);
    if (!range)
        return e->var->is_symbol ? e : NULL;
    if (map_has(&x->seen, e->var) || !map_has(&x->check->attained, e->var))
        return NULL;
    map_set(&x->seen, e->var, x);
    if (!is_high)
        return range->min;
    const struct ir_expr *end = ir_expr_binary(context, IR_EXPR_add, range->min, range->extent);
    return ir_expr_binary(context, IR_EXPR_sub, end, ir_expr_int(context, end->dtype, 1));
}

static const struct ir_expr *extreme_product(struct extreme *x, const struct ir_expr *e,
                                             bool is_high)
{
    const struct ir_expr *a = e->operands[0], *b = e->operands[1];
    const struct ir_expr *factor = a->kind == IR_EXPR_int ? a : b;
    if (factor->kind != IR_EXPR_int || factor->int_value == 0)
        return NULL;
    const struct ir_expr *rest =
        extreme_of(x, factor == a ? b : a, is_high == (factor->int_value > 0));
    return rest ? ir_expr_binary(x->check->context, IR_EXPR_mul, rest, factor) : NULL;
}

/* The largest or smallest value of @e as an expression of symbols, which it takes; NULL if that is not
 * seen. */
static const struct ir_expr *extreme_of(struct extreme *x, const struct ir_expr *e, bool is_high)
{
    switch (e->kind) {
    case IR_EXPR_int:
        return e;
    case IR_EXPR_var:
        return extreme_var(x, e, is_high);
    case IR_EXPR_mul:
        return extreme_product(x, e, is_high);
    case IR_EXPR_add:
    case IR_EXPR_sub: {
        const struct ir_expr *a = extreme_of(x, e->operands[0], is_high);
        const struct ir_expr *b =
            a ? extreme_of(x, e->operands[1], is_high == (e->kind == IR_EXPR_add)) : NULL;
        return b ? ir_expr_binary(x->check->context, e->kind, a, b) : NULL;
    }
    default:
        return NULL;
    }
}

static const struct ir_expr *extreme(struct check *check, const struct ir_expr *e, bool is_high)
{
    struct extreme x = {.check = check};
    const struct ir_expr *value = extreme_of(&x, e, is_high);
    map_finish(&x.seen);
    return value ? ir_simplify(check->context, value) : NULL;
}

/* --- indices --- */

/* Is @a >= @b for certain?  They may have different widths where both are bounded. */
static bool is_at_least(struct check *check, const struct ir_ranges *ranges,
                        const struct ir_expr *a, const struct ir_expr *b)
{
    if (ir_dtype_equal(a->dtype, b->dtype))
        return ir_prove_ge(check->context, ranges, a, b);
    struct ir_interval left = ir_interval_of(check->context, ranges, a);
    struct ir_interval right = ir_interval_of(check->context, ranges, b);
    return left.low != INT64_MIN && right.high != INT64_MAX && left.low >= right.high;
}

static bool is_negative(struct check *check, const struct ir_ranges *ranges,
                        const struct ir_expr *a)
{
    return is_at_least(check, ranges, ir_expr_int(check->context, a->dtype, -1), a);
}

static void put(struct text *out, const struct ir_expr *e)
{
    tir_expr_print(e, out);
}

/* What indexes only axes of one extent. */
struct uses {
    const struct check *check;
    const struct ir_var *var;
    int64_t extent;
};

static bool fits(const struct uses *uses, const struct ir_buffer *buffer,
                 const struct ir_expr *const *indices, unsigned count)
{
    for (unsigned i = 0; i < count && count == buffer->ndim; i++) {
        const struct ir_expr *index = indices[i];
        if (index->kind == IR_EXPR_var && map_has(&uses->check->bound, index->var))
            index = map_get(&uses->check->bound, index->var);
        if (index->kind == IR_EXPR_var && index->var == uses->var &&
            (buffer->shape[i]->kind != IR_EXPR_int || buffer->shape[i]->int_value != uses->extent))
            return false;
    }
    return true;
}

static bool fits_load(void *state, const struct ir_expr *e)
{
    return e->kind != IR_EXPR_load || fits(state, e->buffer, e->operands, e->operand_count);
}

static bool fits_root(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, fits_load, state);
}

static bool fits_stmt(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, fits_root, state) &&
           (stmt->kind != TIR_STORE ||
            fits(state, stmt->store.buffer, stmt->store.indices, stmt->store.index_count));
}

/* The range of the loop whose variable @index is, by way of an axis or not; NULL if it is none. */
static const struct ir_range *loop_of(const struct check *check, const struct ir_expr *index)
{
    const struct ir_expr *value =
        index->kind == IR_EXPR_var ? map_get(&check->bound, index->var) : NULL;

    index = value ? value : index;
    return index->kind == IR_EXPR_var ? find_range(check, index->var) : NULL;
}

/* Does the loop @range run from 0 to below a literal, and could it run to below @extent instead? */
static bool may_run(struct check *check, const struct ir_range *range, int64_t extent)
{
    struct uses uses = {check, range->var, extent};

    return range->extent->kind == IR_EXPR_int && range->min->kind == IR_EXPR_int &&
           range->min->int_value == 0 && tir_stmt_walk(check->body, fits_stmt, &uses);
}

/* A loop in the line of @range that runs as far as that one should, and could run as far as it does. */
static const struct ir_var *swapped_loop(struct check *check, const struct ir_range *range,
                                         int64_t extent)
{
    uint32_t line = location_whole_line(range->var->loc).begin;

    for (size_t i = 0; i < check->ranges.count; i++) {
        const struct ir_range *other = &check->ranges.items[i];
        if (other != range && other->var->loc.source == range->var->loc.source &&
            location_whole_line(other->var->loc).begin == line &&
            may_run(check, other, range->extent->int_value) && other->extent->int_value == extent)
            return other->var;
    }
    return NULL;
}

/* @index is the variable of a loop, or an axis that is: how far it runs, and how far it should. */
static bool help_loop(struct check *check, struct diag_message *m, const struct ir_expr *index,
                      const struct ir_expr *extent)
{
    const struct ir_range *range = loop_of(check, index);

    return range && extent->kind == IR_EXPR_int && may_run(check, range, extent->int_value) &&
           extent->int_value < range->extent->int_value &&
           lint_help_loop(m, range, extent->int_value,
                          swapped_loop(check, range, extent->int_value));
}

/* Is @index one of an axis of @extent for certain? */
static bool is_inside(struct check *check, const struct ir_expr *index,
                      const struct ir_expr *extent)
{
    const struct ir_expr *one = ir_expr_int(check->context, extent->dtype, 1);
    const struct ir_expr *last = ir_expr_binary(check->context, IR_EXPR_sub, extent, one);

    return is_at_least(check, &check->ranges, ir_simplify(check->context, last), index) &&
           is_at_least(check, &check->ranges, index, ir_expr_int(check->context, index->dtype, 0));
}

/* Two indices that are each in range in the other one's place. */
static void help_swapped(struct check *check, struct diag_message *m, const struct access *access,
                         unsigned axis)
{
    const struct ir_expr *const *indices = access->indices, *const *shape = access->buffer->shape;

    for (unsigned i = 0; i < access->count; i++) {
        if (i == axis || !is_inside(check, indices[i], shape[axis]) ||
            !is_inside(check, indices[axis], shape[i]))
            continue;
        diag_help(m, "the two indices are each in range in the other one's place");
        diag_help_swap(m, indices[i < axis ? i : axis]->loc, indices[i < axis ? axis : i]->loc);
        return;
    }
}

/* Was @axis of the access told of, in this statement, or of one as long that the same loop runs beyond? */
static bool is_said(struct check *check, const struct access *access, unsigned axis)
{
    const struct ir_range *range = loop_of(check, access->indices[axis]);
    const struct ir_expr *extent = access->buffer->shape[axis];
    const struct ir_expr *before = range ? map_get(&check->said, range->var) : NULL;

    if (map_has(&check->said, check->stmt) || (before && ir_expr_equal(before, extent)))
        return true;
    map_set(&check->said, check->stmt, check);
    if (range)
        map_set(&check->said, range->var, (void *)(uintptr_t)extent);
    return false;
}

/* @reached: the value that is too much; NULL: all are. */
static void report_index(struct check *check, const struct access *access, unsigned axis,
                         const struct ir_expr *reached)
{
    const struct ir_buffer *buffer = access->buffer;
    const struct ir_expr *index = access->indices[axis];
    struct text text = {0}, value = {0}, extent = {0};
    if (is_said(check, access, axis))
        return;
    put(&text, index);
    put(&extent, buffer->shape[axis]);
    if (reached)
        put(&value, reached);
    bool is_known = !reached || ir_expr_equal(reached, index);
    struct location loc = index->loc.source ? index->loc : check->stmt->loc;
    struct diag_message *m =
        diag_report(check->diag, loc, KERNEL_INDEX_OUTSIDE, text_string(&text), buffer->name, axis);
    if (!is_known)
        diag_primary(m, "this becomes %s", text_string(&value));
    diag_label(m, buffer->loc, "axis %u has indices from 0 to below %s", axis,
               text_string(&extent));
    diag_note(m, "a run ends with an error when it gets there");
    if (!help_loop(check, m, index, buffer->shape[axis]))
        help_swapped(check, m, access, axis);
    text_finish(&text);
    text_finish(&value);
    text_finish(&extent);
}

/*
 * Is @e a number from 0 to below @extent, or a variable whose range lies there, and so does what it stands for?  No
 * proof says anything of it then: this is what nearly all indices are, and proofs take time.
 */
static bool is_plain(const struct check *check, const struct ir_expr *e, int64_t extent)
{
    if (e->kind == IR_EXPR_int)
        return e->int_value >= 0 && e->int_value < extent;
    const struct ir_range *range = e->kind == IR_EXPR_var ? find_range(check, e->var) : NULL;
    if (!range || range->min->kind != IR_EXPR_int || range->extent->kind != IR_EXPR_int)
        return false;
    int64_t min = range->min->int_value, count = range->extent->int_value;
    const struct ir_expr *value = map_get(&check->bound, e->var);
    return min >= 0 && min < extent && count > 0 && count <= extent - min &&
           (!value || is_plain(check, value, extent));
}

static void check_index(struct check *check, const struct access *access, unsigned axis)
{
    const struct ir_expr *index = access->indices[axis], *extent = access->buffer->shape[axis];
    if (!ir_dtype_is_int(index->dtype) || index->dtype.lanes != 1 ||
        (extent->kind == IR_EXPR_int && is_plain(check, index, extent->int_value)))
        return;
    if (is_at_least(check, &check->ranges, index, extent) ||
        is_negative(check, &check->ranges, index)) {
        report_index(check, access, axis, NULL);
        return;
    }
    const struct ir_expr *high = extreme(check, index, true), *low = extreme(check, index, false);
    if (high && is_at_least(check, NULL, high, extent))
        report_index(check, access, axis, high);
    else if (low && is_negative(check, NULL, low))
        report_index(check, access, axis, low);
}

static void check_access(struct check *check, struct access access)
{
    unsigned count = access.count == access.buffer->ndim && !check->conditions ? access.count : 0;

    for (unsigned i = 0; i < count; i++)
        check_index(check, &access, i);
}

static void check_expr(struct check *check, const struct ir_expr *e)
{
    bool is_choice = e->kind == IR_EXPR_select || e->kind == IR_EXPR_and || e->kind == IR_EXPR_or ||
                     (e->kind == IR_EXPR_call && strcmp(e->name, "if_then_else") == 0);
    if (e->kind == IR_EXPR_load)
        check_access(check, (struct access){e->buffer, e->operands, e->operand_count});
    for (unsigned i = 0; i < e->operand_count; i++) {
        check->conditions += is_choice && i > 0;
        check_expr(check, e->operands[i]);
        check->conditions -= is_choice && i > 0;
    }
}

static bool check_root(void *state, const struct ir_expr *e)
{
    check_expr(state, e);
    return true;
}

/* --- axes --- */

/* Which of both is wrong, as the buffers have it that the axis indexes: the loops, or what the axis is said to have? */
static void help_axis(struct check *check, struct diag_message *m, const struct tir_stmt *block,
                      const struct tir_axis *axis, int64_t looped)
{
    int64_t said = axis->extent->int_value;
    struct tir_stmt *body = (struct tir_stmt *)(uintptr_t)block;
    bool fits_said = tir_stmt_walk(body, fits_stmt, &(struct uses){check, axis->var, said});
    bool fits_loop = tir_stmt_walk(body, fits_stmt, &(struct uses){check, axis->var, looped});
    const struct ir_expr *value = axis->value;
    const struct ir_range *loop = value->kind == IR_EXPR_var ? find_range(check, value->var) : NULL;

    if (fits_loop && !fits_said && axis->extent->loc.source)
        diag_help_edit(m, axis->extent->loc, "%lld", (long long)looped);
    else if (fits_said && !fits_loop && loop)
        lint_help_loop(m, loop, said, swapped_loop(check, loop, said));
}

static void report_axis(struct check *check, const struct tir_stmt *block,
                        const struct tir_axis *axis, int64_t low, int64_t high)
{
    struct text extent = {0};
    put(&extent, axis->extent);
    struct location loc = axis->value->loc.source ? axis->value->loc : block->loc;
    struct diag_message *m =
        diag_report(check->diag, loc, KERNEL_AXIS_EXTENT, axis->var->name, text_string(&extent));
    diag_primary(m, "goes from %lld to %lld", (long long)low, (long long)high);
    diag_help(m, "make both the same; T.where(..) says which iterations of a loop count");
    if (low == 0 && axis->extent->kind == IR_EXPR_int)
        help_axis(check, m, block, axis, high + 1);
    text_finish(&extent);
}

/* Constant values from end to end, all of which the axis's value takes. */
static void check_axis(struct check *check, const struct tir_stmt *block,
                       const struct tir_axis *axis)
{
    const struct ir_expr *low = extreme(check, axis->value, false);
    const struct ir_expr *high = extreme(check, axis->value, true);
    struct ir_interval extent = ir_interval_of(check->context, NULL, axis->extent);
    struct ir_interval min = ir_interval_of(check->context, NULL, axis->min);
    bool is_known = low && high && low->kind == IR_EXPR_int && high->kind == IR_EXPR_int &&
                    extent.low == extent.high && min.low == min.high && min.low == 0;
    if (is_known && !check->conditions &&
        (low->int_value != 0 || high->int_value != extent.low - 1))
        report_axis(check, block, axis, low->int_value, high->int_value);
}

/* --- statements --- */

static void check_stmt(struct check *check, struct tir_stmt *stmt);

static void check_children(struct check *check, struct tir_stmt *stmt)
{
    struct tir_stmt *child;
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++)
        check_stmt(check, child);
}

static bool is_symbol(void *state, const struct ir_expr *e)
{
    return e->kind != IR_EXPR_load && (e->kind != IR_EXPR_var || !find_range(state, e->var));
}

/* Are the ends of a range the same in all iterations of the loops around? */
static bool is_fixed(struct check *check, const struct ir_range *range)
{
    return ir_expr_walk(range->min, is_symbol, check) &&
           ir_expr_walk(range->extent, is_symbol, check);
}

static void check_loop(struct check *check, struct tir_stmt *stmt)
{
    size_t mark = check->ranges.count;
    struct ir_interval extent = ir_interval_of(check->context, &check->ranges, stmt->loop.extent);
    if (extent.high <= 0)
        return; /* it never runs */
    struct ir_range range = {stmt->loop.var, stmt->loop.min, stmt->loop.extent};
    if (!stmt->loop.step && is_fixed(check, &range))
        map_set(&check->attained, stmt->loop.var, check);
    array_push(&check->ranges, range);
    check_children(check, stmt);
    check->ranges.count = mark;
}

static void check_block(struct check *check, struct tir_stmt *stmt)
{
    size_t mark = check->ranges.count;
    bool is_conditional = stmt->block.predicate != NULL;
    check->conditions += is_conditional;
    for (unsigned i = 0; i < stmt->block.axis_count; i++)
        check_axis(check, stmt, &stmt->block.axes[i]);
    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        const struct tir_axis *axis = &stmt->block.axes[i];
        array_push(&check->ranges, (struct ir_range){axis->var, axis->min, axis->extent});
        map_set(&check->bound, axis->var, (void *)(uintptr_t)axis->value);
    }
    check_children(check, stmt);
    check->ranges.count = mark;
    check->conditions -= is_conditional;
}

static void check_stmt(struct check *check, struct tir_stmt *stmt)
{
    bool is_conditional = stmt->kind == TIR_IF || stmt->kind == TIR_WHILE;
    check->stmt = stmt;
    if (stmt->kind == TIR_FOR) {
        check_loop(check, stmt);
        return;
    }
    if (stmt->kind == TIR_BLOCK) {
        check_block(check, stmt);
        return;
    }
    tir_stmt_walk_exprs(stmt, check_root, check);
    if (stmt->kind == TIR_STORE && !stmt->store.predicate)
        check_access(check, (struct access){stmt->store.buffer, stmt->store.indices,
                                            stmt->store.index_count});
    check->conditions += is_conditional;
    check_children(check, stmt);
    check->conditions -= is_conditional;
}

static bool goes_on(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_RETURN && stmt->kind != TIR_BREAK && stmt->kind != TIR_CONTINUE &&
           stmt->kind != TIR_ASSERT && stmt->kind != TIR_LAUNCH_THREAD;
}

void lint_check_indices(const struct tir_func *kernel, struct diag *diag)
{
    struct check check = {.diag = diag, .body = kernel->body, .context = kernel->module->context};
    if (tir_stmt_walk(kernel->body, goes_on, NULL))
        check_stmt(&check, kernel->body);
    array_finish(&check.ranges);
    map_finish(&check.attained);
    map_finish(&check.bound);
    map_finish(&check.said);
}

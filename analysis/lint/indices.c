/*
 * Indices that cannot be in range, and axes that do not fit their loops.
 *
 * Two proofs.  An index is out of range for all values that its variables can have; or it is a sum of
 * loop variables with constant factors, each once, so that it takes its largest value when all take theirs, and
 * that one is out of range.  The second needs that all iterations are run, or those that are known: what stands under a
 * condition that is more than bounds of loop variables (conditions.c), and kernels that may leave a loop early, are not
 * looked at.
 */
#include "analysis/lint/indices.h"

#include "ir/arith.h"
#include "ir/print.h"

#include <string.h>

/* --- extreme values --- */

struct extreme {
    struct index_check *check;
    struct map seen; /* a variable that stands twice does not take both ends at once */
};

const struct ir_range *index_range(const struct index_check *check, const struct ir_var *var)
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
    const struct ir_range *range = index_range(x->check, e->var);
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

static const struct ir_expr *extreme(struct index_check *check, const struct ir_expr *e,
                                     bool is_high)
{
    struct extreme x = {.check = check};
    const struct ir_expr *value = extreme_of(&x, e, is_high);
    map_finish(&x.seen);
    return value ? ir_simplify(check->context, value) : NULL;
}

const struct ir_expr *index_highest(struct index_check *check, const struct ir_expr *e)
{
    return extreme(check, e, true);
}

/* --- indices --- */

/* Is @a >= @b for certain?  They may have different widths where both are bounded. */
bool index_is_at_least(struct index_check *check, const struct ir_ranges *ranges,
                       const struct ir_expr *a, const struct ir_expr *b)
{
    if (ir_dtype_equal(a->dtype, b->dtype))
        return ir_prove_ge(check->context, ranges, a, b);
    struct ir_interval left = ir_interval_of(check->context, ranges, a);
    struct ir_interval right = ir_interval_of(check->context, ranges, b);
    return left.low != INT64_MIN && right.high != INT64_MAX && left.low >= right.high;
}

static bool is_negative(struct index_check *check, const struct ir_ranges *ranges,
                        const struct ir_expr *a)
{
    return index_is_at_least(check, ranges, ir_expr_int(check->context, a->dtype, -1), a);
}

/* As a script writes it: `n + 1`, whatever the type of 1 is. */
static void put(struct text *out, const struct ir_expr *e)
{
    if (ir_dtype_equal(e->dtype, IR_I64))
        ir_expr_print(e, out);
    else
        tir_expr_print(e, out);
}

/* The index as it is written, if that is short. */
static void put_index(struct text *out, const struct ir_expr *e)
{
    uint32_t length = e->loc.source ? e->loc.end - e->loc.begin : 0;

    if (length && length < 60 && !memchr(e->loc.source->text + e->loc.begin, '\n', length))
        text_printf(out, "%.*s", LOCATION_TEXT(e->loc));
    else
        put(out, e);
}

/* Was @axis of the access told of, in this statement, or of one as long that the same loop runs beyond? */
static bool is_said(struct index_check *check, const struct index_access *access, unsigned axis)
{
    const struct ir_range *range = index_loop(check, access->indices[axis]);
    const struct ir_expr *extent = access->buffer->shape[axis];
    const struct ir_expr *before = range ? map_get(&check->said, range->var) : NULL;

    if (index_is_told_axis(check, access->indices[axis]) ||
        index_is_cut(check, access->indices[axis]) || map_has(&check->said, check->stmt) ||
        map_has(&check->said, check->block) || (before && index_is_same(before, extent)))
        return true;
    map_set(&check->said, check->stmt, check);
    if (range)
        map_set(&check->said, range->var, (void *)(uintptr_t)extent);
    return false;
}

/* The message of an index that is out of range; NULL: it was told before. */
static struct diag_message *report(struct index_check *check, const struct index_access *access,
                                   unsigned axis)
{
    const struct ir_buffer *buffer = access->buffer;
    const struct ir_expr *index = access->indices[axis];
    struct text text = {0}, extent = {0};

    if (is_said(check, access, axis))
        return NULL;
    put_index(&text, index);
    put(&extent, buffer->shape[axis]);
    struct location loc = index->loc.source ? index->loc : check->stmt->loc;
    struct diag_message *m =
        diag_report(check->diag, loc, KERNEL_INDEX_OUTSIDE, text_string(&text), buffer->name, axis);
    diag_label(m, buffer->loc, "axis %u has indices from 0 to below %s", axis,
               text_string(&extent));
    diag_note(m, "a run ends with an error when it gets there");
    text_finish(&text);
    text_finish(&extent);
    return m;
}

/*
 * Is @e a number from 0 to below @extent, or a variable whose range lies there, and so does what it stands for?  No
 * proof says anything of it then: this is what nearly all indices are, and proofs take time.
 */
static bool is_plain(const struct index_check *check, const struct ir_expr *e, int64_t extent)
{
    if (e->kind == IR_EXPR_int)
        return e->int_value >= 0 && e->int_value < extent;
    const struct ir_range *range = e->kind == IR_EXPR_var ? index_range(check, e->var) : NULL;
    if (!range || range->min->kind != IR_EXPR_int || range->extent->kind != IR_EXPR_int)
        return false;
    int64_t min = range->min->int_value, count = range->extent->int_value;
    const struct ir_expr *value = map_get(&check->bound, e->var);
    return min >= 0 && min < extent && count > 0 && count <= extent - min &&
           (!value || is_plain(check, value, extent));
}

static bool uses_var(const struct index_check *check, const struct ir_expr *e,
                     const struct ir_var *var)
{
    const struct ir_expr *value = map_get(&check->bound, var);

    return ir_expr_uses_var(e, var) ||
           (value && value->kind == IR_EXPR_var && uses_var(check, e, value->var));
}

struct narrowing {
    const struct index_check *check;
    const struct ir_expr *index;
};

static bool is_apart(void *state, const struct ir_expr *e)
{
    const struct narrowing *narrowing = state;

    return e->kind != IR_EXPR_var || !uses_var(narrowing->check, narrowing->index, e->var);
}

/* Does a condition around bound what @index goes by?  Then it is wrong rather than the loop or the index. */
static bool is_narrowed(struct index_check *check, const struct ir_expr *index)
{
    struct narrowing narrowing = {check, index};

    return check->narrowed && !ir_expr_walk(check->narrowing, is_apart, &narrowing);
}

/* @reached: the value that is too much; NULL: all are. */
static void report_index(struct index_check *check, const struct index_access *access,
                         unsigned axis, const struct ir_expr *reached)
{
    struct diag_message *m = report(check, access, axis);
    struct text value = {0};

    if (!m)
        return;
    if (reached && reached->kind == IR_EXPR_int)
        text_printf(&value, "%lld", (long long)reached->int_value);
    else if (reached)
        put(&value, reached);
    if (reached && !ir_expr_equal(reached, access->indices[axis]))
        diag_primary(m, "this becomes %s", text_string(&value));
    const struct ir_expr *seen = reached ? reached : access->indices[axis];
    bool is_below = seen->kind == IR_EXPR_int && seen->int_value < 0;
    bool is_let = is_narrowed(check, access->indices[axis]);
    if (is_below && !is_let)
        index_help_below(check, m, access, axis, seen->int_value);
    else if (!is_let)
        index_help(check, m, access, axis);
    else if (check->narrowing->loc.source)
        diag_label(m, check->narrowing->loc, "this lets it through");
    text_finish(&value);
}

/* "this becomes 3 where `n` is 4": the first size for which @reach is more than @extent. */
static void put_open(struct diag_message *m, const struct ir_expr *reach,
                     const struct ir_expr *extent)
{
    struct text text = {0};

    put(&text, reach->kind == IR_EXPR_int ? extent : reach);
    if (reach->kind == IR_EXPR_int)
        diag_primary(m, "this becomes %lld where `%s` is %lld", (long long)reach->int_value - 1,
                     text_string(&text), (long long)reach->int_value - 1);
    else if (extent->kind == IR_EXPR_int)
        diag_primary(m, "this becomes %lld where `%s` is %lld", (long long)extent->int_value,
                     text_string(&text), (long long)extent->int_value + 1);
    else
        diag_primary(m, "this goes to below %s", text_string(&text));
    text_finish(&text);
}

/*
 * An index of one extent on an axis of another, which nobody knows: it may be promised to be enough.  Where something
 * else fits exactly, that was meant.
 */
static void check_open(struct index_check *check, const struct index_access *access, unsigned axis)
{
    const struct ir_expr *index = access->indices[axis], *extent = access->buffer->shape[axis];
    const struct ir_range *loop = index_loop(check, index);
    const struct ir_expr *reach = loop ? index_reach(check, index) : NULL;

    if (!reach || !map_has(&check->attained, loop->var) || index_is_same(reach, extent) ||
        (reach->kind != IR_EXPR_int && reach->kind != IR_EXPR_var) ||
        (extent->kind != IR_EXPR_int && extent->kind != IR_EXPR_var) ||
        (reach->kind == IR_EXPR_int && extent->kind == IR_EXPR_int) ||
        !index_help_open(check, NULL, access, axis))
        return;
    struct diag_message *m = report(check, access, axis);
    if (!m)
        return;
    put_open(m, reach, extent);
    index_help_open(check, m, access, axis);
}

/* `x % 7` of any x on an axis of 6: the largest value; NULL: it is in range, or x is known to be. */
static const struct ir_expr *remainder_beyond(struct index_check *check,
                                              const struct ir_expr *index,
                                              const struct ir_expr *extent)
{
    const struct ir_expr *by = index->kind == IR_EXPR_floormod ? index->operands[1] : NULL;

    if (!by || by->kind != IR_EXPR_int || extent->kind != IR_EXPR_int ||
        by->int_value <= extent->int_value)
        return NULL;
    struct ir_interval value = ir_interval_of(check->context, &check->ranges, index->operands[0]);
    bool is_any = value.low == INT64_MIN || value.high == INT64_MAX ||
                  value.high - value.low >= by->int_value;
    return is_any ? ir_expr_int(check->context, by->dtype, by->int_value - 1) : NULL;
}

static void check_index(struct index_check *check, const struct index_access *access, unsigned axis)
{
    const struct ir_expr *index = access->indices[axis], *extent = access->buffer->shape[axis];
    if (!ir_dtype_is_int(index->dtype) || index->dtype.lanes != 1 ||
        (extent->kind == IR_EXPR_int && is_plain(check, index, extent->int_value)))
        return;
    if (index_is_at_least(check, &check->ranges, index, extent) ||
        is_negative(check, &check->ranges, index)) {
        report_index(check, access, axis, NULL);
        return;
    }
    const struct ir_expr *high = extreme(check, index, true), *low = extreme(check, index, false);
    const struct ir_expr *remainder = remainder_beyond(check, index, extent);
    if (remainder)
        report_index(check, access, axis, remainder);
    else if (high && index_is_at_least(check, NULL, high, extent))
        report_index(check, access, axis, high);
    else if (low && is_negative(check, NULL, low))
        report_index(check, access, axis, low);
    else if (!check->narrowed)
        check_open(check, access, axis);
}

static void check_access(struct index_check *check, struct index_access access)
{
    unsigned count = access.count == access.buffer->ndim && !check->conditions ? access.count : 0;

    for (unsigned i = 0; i < count; i++)
        check_index(check, &access, i);
}

static void check_expr(struct index_check *check, const struct ir_expr *e)
{
    bool is_choice = e->kind == IR_EXPR_select || e->kind == IR_EXPR_and || e->kind == IR_EXPR_or ||
                     (e->kind == IR_EXPR_call && strcmp(e->name, "if_then_else") == 0);
    if (e->kind == IR_EXPR_load)
        check_access(check, (struct index_access){e->buffer, e->operands, e->operand_count});
    for (unsigned i = 0; i < e->operand_count; i++) {
        bool is_else = i == 2 || e->kind == IR_EXPR_or;
        struct index_scope scope =
            index_enter(check, is_choice && i > 0 ? e->operands[0] : NULL, is_else);
        check_expr(check, e->operands[i]);
        index_leave(check, scope);
    }
}

static bool check_root(void *state, const struct ir_expr *e)
{
    check_expr(state, e);
    return true;
}

/* --- axes --- */

static void report_axis(struct index_check *check, struct tir_stmt *block,
                        const struct tir_axis *axis, int64_t low, int64_t high)
{
    const struct ir_range *loop = index_loop(check, axis->value);
    const struct ir_expr *before = loop ? map_get(&check->said, loop->var) : NULL;
    struct text extent = {0};

    if (before && index_is_same(before, axis->extent))
        return;
    if (loop) /* what it indexes then follows */
        map_set(&check->said, loop->var, (void *)(uintptr_t)axis->extent);
    put(&extent, axis->extent);
    struct location loc = axis->value->loc.source ? axis->value->loc : block->loc;
    struct diag_message *m =
        diag_report(check->diag, loc, KERNEL_AXIS_EXTENT, axis->var->name, text_string(&extent));
    diag_primary(m, "goes from %lld to %lld", (long long)low, (long long)high);
    diag_help(m, "make both the same; T.where(..) says which iterations of a loop count");
    map_set(&check->said, axis->var, (void *)(uintptr_t)axis->extent);
    if (low == 0 && axis->extent->kind == IR_EXPR_int && !index_help_split(check, m, axis))
        index_help_axis(check, m, block, axis, high + 1);
    text_finish(&extent);
}

/* `T.axis.spatial(j, 4)`: the loop for the extent, and the extent for the value. */
static bool report_exchanged(struct index_check *check, struct tir_stmt *block,
                             const struct tir_axis *axis)
{
    const struct ir_expr *extent = axis->extent, *value = axis->value;
    const struct ir_range *loop =
        extent->kind == IR_EXPR_var ? index_range(check, extent->var) : NULL;
    bool is_fixed_value = value->kind == IR_EXPR_int ||
                          (value->kind == IR_EXPR_var && !index_range(check, value->var));

    if (!loop || !is_fixed_value || !value->loc.source || !extent->loc.source)
        return false;
    struct diag_message *m = diag_report(check->diag, extent->loc, KERNEL_AXIS_EXTENT,
                                         axis->var->name, extent->var->name);
    diag_primary(m, "a loop variable");
    diag_help(m, "the extent stands first, and what the axis goes by behind it");
    if (extent->loc.begin < value->loc.begin)
        diag_help_swap(m, extent->loc, value->loc);
    map_set(&check->said, block, check);
    return true;
}

/* Constant values from end to end, all of which the axis's value takes. */
static void check_axis(struct index_check *check, struct tir_stmt *block,
                       const struct tir_axis *axis)
{
    const struct ir_expr *low = extreme(check, axis->value, false);
    const struct ir_expr *high = extreme(check, axis->value, true);
    if (report_exchanged(check, block, axis))
        return;
    struct ir_interval extent = ir_interval_of(check->context, NULL, axis->extent);
    struct ir_interval min = ir_interval_of(check->context, NULL, axis->min);
    bool is_known = low && high && low->kind == IR_EXPR_int && high->kind == IR_EXPR_int &&
                    extent.low == extent.high && min.low == min.high && min.low == 0;
    if (is_known && !check->conditions && !check->narrowed &&
        (low->int_value != 0 || high->int_value != extent.low - 1))
        report_axis(check, block, axis, low->int_value, high->int_value);
    else if (!is_known)
        index_check_open_axis(check, block, axis);
}

/* --- statements --- */

static void check_stmt(struct index_check *check, struct tir_stmt *stmt);

static void check_children(struct index_check *check, struct tir_stmt *stmt)
{
    struct tir_stmt *child;
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++)
        check_stmt(check, child);
}

static bool is_symbol(void *state, const struct ir_expr *e)
{
    return e->kind != IR_EXPR_load && (e->kind != IR_EXPR_var || !index_range(state, e->var));
}

/* Are the ends of a range the same in all iterations of the loops around? */
static bool is_fixed(struct index_check *check, const struct ir_range *range)
{
    return ir_expr_walk(range->min, is_symbol, check) &&
           ir_expr_walk(range->extent, is_symbol, check);
}

static void check_loop(struct index_check *check, struct tir_stmt *stmt)
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

static void check_block(struct index_check *check, struct tir_stmt *stmt)
{
    struct tir_stmt *outer = check->block;
    check->block = stmt;
    struct index_scope scope = index_enter(check, stmt->block.predicate, false);
    for (unsigned i = 0; i < stmt->block.axis_count; i++)
        map_set(&check->bound, stmt->block.axes[i].var,
                (void *)(uintptr_t)stmt->block.axes[i].value);
    index_check_doubled(check, stmt);
    for (unsigned i = 0; i < stmt->block.axis_count && !map_has(&check->said, stmt); i++)
        check_axis(check, stmt, &stmt->block.axes[i]);
    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        const struct tir_axis *axis = &stmt->block.axes[i];
        array_push(&check->ranges, (struct ir_range){axis->var, axis->min, axis->extent});
    }
    check_children(check, stmt);
    check->block = outer;
    index_leave(check, scope);
}

static void check_branches(struct index_check *check, struct tir_stmt *stmt)
{
    struct tir_stmt *branches[] = {stmt->branch.then_body, stmt->branch.else_body};

    for (unsigned i = 0; i < ARRAY_SIZE(branches); i++) {
        struct index_scope scope = index_enter(check, stmt->branch.condition, i == 1);
        if (branches[i])
            check_stmt(check, branches[i]);
        index_leave(check, scope);
    }
}

static void check_stmt(struct index_check *check, struct tir_stmt *stmt)
{
    bool is_open = stmt->kind == TIR_WHILE;
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
        check_access(check, (struct index_access){stmt->store.buffer, stmt->store.indices,
                                                  stmt->store.index_count});
    if (stmt->kind == TIR_IF) {
        check_branches(check, stmt);
        return;
    }
    check->conditions += is_open;
    check_children(check, stmt);
    check->conditions -= is_open;
}

static bool goes_on(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_RETURN && stmt->kind != TIR_BREAK && stmt->kind != TIR_CONTINUE &&
           stmt->kind != TIR_ASSERT && stmt->kind != TIR_LAUNCH_THREAD;
}

bool lint_check_indices(const struct tir_func *kernel, struct diag *diag)
{
    struct index_check check = {
        .diag = diag, .body = kernel->body, .context = kernel->module->context};
    size_t before = diag_message_count(diag);

    if (tir_stmt_walk(kernel->body, goes_on, NULL))
        check_stmt(&check, kernel->body);
    array_finish(&check.ranges);
    map_finish(&check.attained);
    map_finish(&check.bound);
    map_finish(&check.said);
    map_finish(&check.cut);
    map_finish(&check.uncut);
    return diag_message_count(diag) > before;
}

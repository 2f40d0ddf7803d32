/*
 * What was meant by an index that is out of range.
 *
 * The extents tell: of two indices, axes or loops that change places, all uses then have exactly the extent that they
 * index.  Where that holds, it is sure; that something is merely in range is not.
 */
#include "analysis/lint/indices.h"
#include "ir/arith.h"

#include <stdio.h>
#include <string.h>

/* --- extents --- */

bool index_is_same(const struct ir_expr *a, const struct ir_expr *b)
{
    if (a->kind == IR_EXPR_int || b->kind == IR_EXPR_int)
        return a->kind == b->kind && a->int_value == b->int_value;
    return ir_expr_equal(a, b) || (a->kind == IR_EXPR_var && b->kind == IR_EXPR_var &&
                                   strcmp(a->var->name, b->var->name) == 0);
}

const struct ir_range *index_loop(const struct index_check *check, const struct ir_expr *index)
{
    const struct ir_expr *value =
        index->kind == IR_EXPR_var ? map_get(&check->bound, index->var) : NULL;

    index = value ? value : index;
    return index->kind == IR_EXPR_var ? index_range(check, index->var) : NULL;
}

static bool is_zero(const struct ir_expr *e)
{
    return e->kind == IR_EXPR_int && e->int_value == 0;
}

const struct ir_expr *index_reach(const struct index_check *check, const struct ir_expr *index)
{
    const struct ir_range *range = index_loop(check, index);

    if (index->kind == IR_EXPR_floormod && index->operands[1]->kind == IR_EXPR_int)
        return index->operands[1];
    return range && is_zero(range->min) ? range->extent : NULL;
}

static bool reaches(const struct index_check *check, const struct ir_expr *index,
                    const struct ir_expr *extent)
{
    const struct ir_expr *reach = index_reach(check, index);

    return reach && index_is_same(reach, extent);
}

/* --- uses of a variable --- */

/* Axes of buffers that a variable alone indexes, itself or by way of an axis that is bound to it. */
struct uses {
    const struct index_check *check;
    const struct ir_var *var;
    const struct ir_expr
        *extent; /* of all of them; NULL: of those that were seen, which must agree */
    unsigned count;
};

static bool is_use(const struct uses *uses, const struct ir_expr *index)
{
    const struct ir_expr *value =
        index->kind == IR_EXPR_var ? map_get(&uses->check->bound, index->var) : NULL;

    return index->kind == IR_EXPR_var &&
           (index->var == uses->var ||
            (value && value->kind == IR_EXPR_var && value->var == uses->var));
}

static bool fits(struct uses *uses, const struct ir_buffer *buffer,
                 const struct ir_expr *const *indices, unsigned count)
{
    for (unsigned i = 0; i < count && count == buffer->ndim; i++) {
        if (!is_use(uses, indices[i]))
            continue;
        uses->count++;
        if (!uses->extent)
            uses->extent = buffer->shape[i];
        if (!index_is_same(buffer->shape[i], uses->extent))
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

/* How often does @var index in @body?  0, if some axis is not of @extent. */
static unsigned count_uses(const struct index_check *check, struct tir_stmt *body,
                           const struct ir_var *var, const struct ir_expr *extent)
{
    struct uses uses = {check, var, extent, 0};

    return tir_stmt_walk(body, fits_stmt, &uses) ? uses.count : 0;
}

bool index_axis_fits(const struct index_check *check, struct tir_stmt *block,
                     const struct tir_axis *axis)
{
    return count_uses(check, block, axis->var, axis->extent) > 0;
}

bool index_axis_runs(const struct index_check *check, struct tir_stmt *block,
                     const struct tir_axis *axis, const struct ir_range *loop)
{
    return count_uses(check, block, axis->var, loop->extent) > 0;
}

/* The extent of all that @var indexes; NULL: there is no such. */
static const struct ir_expr *wanted(const struct index_check *check, const struct ir_var *var)
{
    struct uses uses = {check, var, NULL, 0};

    return tir_stmt_walk(check->body, fits_stmt, &uses) ? uses.extent : NULL;
}

/* --- axes --- */

static bool is_named_after(const struct ir_var *axis, const struct ir_var *loop)
{
    size_t length = strlen(loop->name), all = strlen(axis->name);

    return all > length && strcmp(axis->name + all - length, loop->name) == 0;
}

/* `vi, vj` of the loops `j, i` */
static bool is_crossed(const struct tir_axis *a, const struct tir_axis *b)
{
    return a->value->kind == IR_EXPR_var && b->value->kind == IR_EXPR_var && a->kind == b->kind &&
           is_named_after(a->var, b->value->var) && is_named_after(b->var, a->value->var) &&
           !is_named_after(a->var, a->value->var) && !is_named_after(b->var, b->value->var);
}

/* Do the values of both stand in the order of their loops? */
static bool is_in_order(const struct tir_axis *a, const struct tir_axis *b)
{
    return (a->value->loc.begin < b->value->loc.begin) ==
           (a->value->var->loc.begin < b->value->var->loc.begin);
}

/* Two axes of the block whose targets, or values, change places: both are used as the other one is. */
static bool help_axes(struct index_check *check, struct diag_message *m,
                      const struct ir_expr *index)
{
    struct tir_stmt *block = check->block;
    const struct tir_axis *a = NULL;

    for (unsigned i = 0; block && index->kind == IR_EXPR_var && i < block->block.axis_count; i++)
        if (block->block.axes[i].var == index->var)
            a = &block->block.axes[i];
    for (unsigned i = 0; a && i < block->block.axis_count; i++) {
        const struct tir_axis *b = &block->block.axes[i];
        if (b == a || !is_crossed(a, b) || !a->value->loc.source || !b->value->loc.source ||
            !count_uses(check, check->body, a->var, b->extent) ||
            !count_uses(check, check->body, b->var, a->extent))
            continue;
        if (!m)
            return true;
        bool is_target = is_in_order(a, b);
        struct location first = is_target ? a->var->loc : a->value->loc;
        struct location second = is_target ? b->var->loc : b->value->loc;
        diag_help(m, "`%s` is used as `%s` should be, and the reverse", a->var->name, b->var->name);
        diag_help_swap(m, first.begin < second.begin ? first : second,
                       first.begin < second.begin ? second : first);
        map_set(&check->said, block, check);
        return true;
    }
    return false;
}

/* --- loops --- */

/* Does the loop @range run from 0 on, and could it run to below @extent instead? */
static bool may_run(const struct index_check *check, const struct ir_range *range,
                    const struct ir_expr *extent)
{
    return is_zero(range->min) && count_uses(check, check->body, range->var, extent);
}

static bool is_in_line(const struct ir_range *range, const struct ir_range *other)
{
    return other->var->loc.source == range->var->loc.source &&
           location_whole_line(other->var->loc).begin == location_whole_line(range->var->loc).begin;
}

/* A loop in the line of @range that runs as far as that one should, and could run as far as it does. */
static const struct ir_var *swapped_loop(const struct index_check *check,
                                         const struct ir_range *range, const struct ir_expr *extent)
{
    for (size_t i = 0; i < check->ranges.count; i++) {
        const struct ir_range *other = &check->ranges.items[i];
        if (other != range && is_in_line(range, other) && may_run(check, other, range->extent) &&
            index_is_same(other->extent, extent))
            return other->var;
    }
    return NULL;
}

enum { MOST_LOOPS = 8 };

/* The loops of one line: how far each runs, and how far it should. */
struct line {
    const struct ir_range *loops[MOST_LOOPS];
    unsigned from[MOST_LOOPS]; /* the loop that runs as far as this one should */
    unsigned count;
};

/* All loops of the line of @range, if what they index are their extents in another order. */
static bool read_line(const struct index_check *check, const struct ir_range *range,
                      struct line *line)
{
    bool taken[MOST_LOOPS] = {false}, differs = false;

    line->count = 0;
    for (size_t i = 0; i < check->ranges.count; i++)
        if (is_in_line(range, &check->ranges.items[i]) &&
            !map_has(&check->bound, check->ranges.items[i].var)) {
            if (line->count == MOST_LOOPS)
                return false;
            line->loops[line->count++] = &check->ranges.items[i];
        }
    for (unsigned i = 0; i < line->count; i++) {
        const struct ir_expr *extent = wanted(check, line->loops[i]->var);
        unsigned k = 0;
        while (extent && k < line->count &&
               (taken[k] || !index_is_same(line->loops[k]->extent, extent)))
            k++;
        if (!extent || k == line->count || !is_zero(line->loops[i]->min))
            return false;
        taken[k] = true;
        line->from[i] = k;
        differs |= !index_is_same(line->loops[i]->extent, extent);
    }
    return differs;
}

bool index_help_order(struct index_check *check, struct diag_message *m,
                      const struct ir_expr *index)
{
    const struct ir_range *range = index_loop(check, index);
    const struct ir_var *vars[MOST_LOOPS];
    struct line line;

    if (!range || !read_line(check, range, &line) || line.count < 2)
        return false;
    for (unsigned i = 0; i < line.count; i++)
        vars[i] = line.loops[i]->var;
    if (!m)
        return true;
    diag_label(m, lint_loop_extent(range->var), "`%s` runs to below this", range->var->name);
    if (!lint_help_order(m, vars, line.from, line.count))
        return false;
    if (check->block)
        map_set(&check->said, check->block, check);
    return true;
}

/* @index is the variable of a loop, or an axis that is: how far it runs, and how far it should. */
static bool help_loop(struct index_check *check, struct diag_message *m,
                      const struct ir_expr *index, const struct ir_expr *extent, bool is_cut)
{
    const struct ir_range *range = index_loop(check, index);

    if (!range || extent->kind != IR_EXPR_int || range->extent->kind != IR_EXPR_int ||
        !may_run(check, range, extent) || extent->int_value >= range->extent->int_value)
        return false;
    const struct ir_var *other = swapped_loop(check, range, extent);
    return !other == is_cut && lint_help_loop(m, range, extent, other);
}

/* --- indices --- */

/* Is @index one of an axis of @extent for certain? */
static bool is_inside(struct index_check *check, const struct ir_expr *index,
                      const struct ir_expr *extent)
{
    const struct ir_expr *one = ir_expr_int(check->context, extent->dtype, 1);
    const struct ir_expr *last = ir_expr_binary(check->context, IR_EXPR_sub, extent, one);

    return index_is_at_least(check, &check->ranges, ir_simplify(check->context, last), index) &&
           index_is_at_least(check, &check->ranges, index,
                             ir_expr_int(check->context, index->dtype, 0));
}

/* All indices in the one other order in which each goes through all of its axis. */
static bool help_turned(struct index_check *check, struct diag_message *m,
                        const struct index_access *access)
{
    unsigned from[MOST_LOOPS];
    bool is_taken[MOST_LOOPS] = {false};
    struct text text = {0};
    struct location all = {0};

    if (access->count > MOST_LOOPS)
        return false;
    for (unsigned i = 0; i < access->count; i++) {
        unsigned found = 0;
        for (unsigned k = 0; k < access->count; k++)
            if (reaches(check, access->indices[k], access->buffer->shape[i])) {
                from[i] = k;
                found++;
            }
        if (found != 1 || is_taken[from[i]] || !access->indices[i]->loc.source)
            return false;
        is_taken[from[i]] = true;
    }
    if (!m)
        return true;
    for (unsigned i = 0; i < access->count; i++) {
        struct location loc = access->indices[i]->loc;
        all = i ? location_join(all, loc) : loc;
        text_printf(&text, "%s%.*s", i ? ", " : "", LOCATION_TEXT(access->indices[from[i]]->loc));
    }
    diag_help(m, "in this order each index goes through all of its axis");
    diag_help_edit(m, all, "%s", text_string(&text));
    text_finish(&text);
    return true;
}

/* Two indices that are each in range in the other one's place; @is_exact: and go through all of it. */
static bool help_swapped(struct index_check *check, struct diag_message *m,
                         const struct index_access *access, unsigned axis, bool is_exact)
{
    const struct ir_expr *const *indices = access->indices, *const *shape = access->buffer->shape;

    for (unsigned i = 0; i < access->count; i++) {
        bool fits_both = is_exact ? reaches(check, indices[i], shape[axis]) &&
                                        reaches(check, indices[axis], shape[i])
                                  : is_inside(check, indices[i], shape[axis]) &&
                                        is_inside(check, indices[axis], shape[i]);
        if (i == axis || !fits_both || !indices[i]->loc.source || !indices[axis]->loc.source)
            continue;
        if (!m)
            return true;
        diag_help(m, "the two indices are each in range in the other one's place");
        diag_help_swap(m, indices[i < axis ? i : axis]->loc, indices[i < axis ? axis : i]->loc);
        return true;
    }
    return false;
}

/* `6 - i` for i below 6: all of the axis, and one beyond it. */
static bool help_mirrored(struct index_check *check, struct diag_message *m,
                          const struct ir_expr *index, const struct ir_expr *extent)
{
    const struct ir_expr *last = index->kind == IR_EXPR_sub ? index->operands[0] : NULL;

    if (!last || last->kind != IR_EXPR_int || extent->kind != IR_EXPR_int || !last->loc.source ||
        last->int_value != extent->int_value || !reaches(check, index->operands[1], extent))
        return false;
    diag_help(m, "the last index is %lld", (long long)extent->int_value - 1);
    diag_help_edit(m, last->loc, "%lld", (long long)extent->int_value - 1);
    return true;
}

static bool has_index(const struct index_check *check, const struct index_access *access,
                      const struct ir_var *var)
{
    struct uses uses = {.check = check, .var = var};

    for (unsigned i = 0; i < access->count; i++)
        if (is_use(&uses, access->indices[i]))
            return true;
    return false;
}

/* The one variable that goes through all of the axis, and indexes no other. */
static bool help_other(struct index_check *check, struct diag_message *m,
                       const struct index_access *access, unsigned axis)
{
    const struct ir_expr *index = access->indices[axis];
    const struct ir_range *found = NULL;

    if (index->kind != IR_EXPR_var || !index->loc.source)
        return false;
    for (size_t i = 0; i < check->ranges.count; i++) {
        const struct ir_range *range = &check->ranges.items[i];
        bool is_axis = map_has(&check->bound, range->var);
        if ((check->block && !is_axis) || !is_zero(range->min) ||
            !index_is_same(range->extent, access->buffer->shape[axis]) ||
            has_index(check, access, range->var))
            continue;
        if (found)
            return false;
        found = range;
    }
    if (!found || !m)
        return found != NULL;
    diag_help(m, "`%s` goes through all of this axis", found->var->name);
    diag_help_edit(m, index->loc, "%s", found->var->name);
    diag_help_unsure(m);
    return true;
}

/* `x % 7` of an axis of 6 */
static void help_modulus(struct diag_message *m, const struct ir_expr *index,
                         const struct ir_expr *extent)
{
    char digits[24];

    if (index->kind != IR_EXPR_floormod || index->operands[1]->kind != IR_EXPR_int)
        return;
    snprintf(digits, sizeof(digits), "%lld", (long long)index->operands[1]->int_value);
    struct location whole = index->loc, found = location_text_behind(whole, "%");
    found.begin = found.end;
    found = location_text_behind((struct location){whole.source, found.begin, whole.end}, digits);
    if (!whole.source || found.end > whole.end || found.end - found.begin != strlen(digits))
        return;
    diag_help(m, "the axis has %lld", (long long)extent->int_value);
    diag_help_edit(m, found, "%lld", (long long)extent->int_value);
    diag_help_unsure(m);
}

void index_help(struct index_check *check, struct diag_message *m,
                const struct index_access *access, unsigned axis)
{
    const struct ir_expr *index = access->indices[axis], *extent = access->buffer->shape[axis];

    if (help_axes(check, m, index) || help_loop(check, m, index, extent, false) ||
        index_help_order(check, m, index) || help_swapped(check, m, access, axis, true) ||
        help_turned(check, m, access) || help_loop(check, m, index, extent, true) ||
        index_help_cut(check, m, index) || help_swapped(check, m, access, axis, false) ||
        help_mirrored(check, m, index, extent) || help_other(check, m, access, axis))
        return;
    if (extent->kind == IR_EXPR_int)
        help_modulus(m, index, extent);
}

bool index_help_open(struct index_check *check, struct diag_message *m,
                     const struct index_access *access, unsigned axis)
{
    const struct ir_expr *index = access->indices[axis];
    const struct ir_expr *reach = index_reach(check, index);

    if (help_axes(check, m, index) || index_help_order(check, m, index) ||
        help_swapped(check, m, access, axis, true) || help_turned(check, m, access))
        return true;
    /* a variable that stands elsewhere as it should */
    const struct ir_range *loop = index_loop(check, index);
    struct uses uses = {check, loop ? loop->var : NULL, reach, 0};
    bool is_number = reach->kind == IR_EXPR_int || access->buffer->shape[axis]->kind == IR_EXPR_int;
    if (loop && is_number)
        tir_stmt_walk(check->body, fits_stmt, &uses);
    return uses.count > 1 && help_other(check, m, access, axis);
}

void index_help_axis(struct index_check *check, struct diag_message *m, struct tir_stmt *block,
                     const struct tir_axis *axis, int64_t looped)
{
    const struct ir_expr *said = axis->extent, *value = axis->value;
    const struct ir_expr *runs = ir_expr_int(check->context, said->dtype, looped);
    struct uses for_said = {check, axis->var, said, 0}, for_loop = {check, axis->var, runs, 0};
    bool fits_said = tir_stmt_walk(block, fits_stmt, &for_said);
    bool fits_loop = tir_stmt_walk(block, fits_stmt, &for_loop);
    const struct ir_range *loop =
        value->kind == IR_EXPR_var ? index_range(check, value->var) : NULL;

    if (fits_loop && !fits_said && said->loc.source)
        diag_help_edit(m, said->loc, "%lld", (long long)looped);
    else if (fits_said && !fits_loop && loop) {
        const struct ir_var *other = swapped_loop(check, loop, said);
        if (lint_help_loop(m, loop, said, other) && other)
            map_set(&check->said, other, (void *)(uintptr_t)loop->extent);
    }
}

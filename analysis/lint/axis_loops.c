/*
 * Axes and the loops that they go by, where an extent is a symbol: E0443 an axis of one extent by a loop of another,
 * E0453 two axes by one loop.  What the extents say and the loops that no axis goes by tell what was meant.
 */
#include "analysis/lint/indices.h"
#include "ir/print.h"

#include <string.h>

/* The loop of @extent around @block, the only one, that no axis of it goes by; NULL: there is none. */
static const struct ir_range *free_loop(const struct index_check *check,
                                        const struct tir_stmt *block, const struct ir_expr *extent)
{
    const struct ir_range *found = NULL;

    for (size_t i = 0; i < check->ranges.count; i++) {
        const struct ir_range *range = &check->ranges.items[i];
        bool is_free = !map_has(&check->bound, range->var) && ir_expr_is_int(range->min, 0) &&
                       !ir_expr_is_int(range->extent, 1) &&
                       (!extent || index_is_same(range->extent, extent));
        for (unsigned k = 0; k < block->block.axis_count; k++)
            is_free = is_free && !ir_expr_uses_var(block->block.axes[k].value, range->var);
        if (is_free && found)
            return NULL;
        found = is_free ? range : found;
    }
    return found;
}

/* Does @value stand in the text as the name of its variable? */
static bool is_name(const struct ir_expr *value)
{
    struct location loc = value->loc;

    return value->kind == IR_EXPR_var && loc.source &&
           loc.end - loc.begin == strlen(value->var->name) &&
           memcmp(loc.source->text + loc.begin, value->var->name, loc.end - loc.begin) == 0;
}

static bool is_extent(const struct ir_expr *e)
{
    return e->kind == IR_EXPR_int || (e->kind == IR_EXPR_var && e->var->is_symbol);
}

/* --- an axis of one extent by a loop of another --- */

/* The loop is another one, or it runs as far as another one should, or as the axis does not. */
static void help_extent(struct index_check *check, struct diag_message *m, struct tir_stmt *block,
                        const struct tir_axis *axis, const struct ir_range *loop)
{
    const struct ir_range *other = free_loop(check, block, axis->extent);

    if (index_help_order(check, m, axis->value))
        return;
    if (other && is_name(axis->value)) {
        diag_help(m, "`%s` runs to below %.*s, and no axis goes by it", other->var->name,
                  LOCATION_TEXT(axis->extent->loc));
        diag_help_edit(m, axis->value->loc, "%s", other->var->name);
        return;
    }
    diag_help(m, "make both the same; T.where(..) says which iterations of a loop count");
    struct location place = lint_loop_extent(loop->var);
    if (place.source && axis->extent->loc.source && index_axis_fits(check, block, axis)) {
        diag_help_edit(m, place, "%.*s", LOCATION_TEXT(axis->extent->loc));
        diag_help_unsure(m);
    }
}

/* What the axis indexes is as long as its loop: its extent is another one by mistake. */
static void help_runs(struct diag_message *m, const struct tir_axis *axis,
                      const struct ir_range *loop, const char *runs)
{
    struct location place = lint_loop_extent(loop->var);

    diag_primary(m, "its loop goes to below %s", runs);
    if (place.source)
        diag_label(m, place, "`%s` goes to below this", loop->var->name);
    diag_help(m, "all that `%s` indexes is as long as the loop", axis->var->name);
    if (place.source)
        diag_help_edit(m, axis->extent->loc, "%.*s", LOCATION_TEXT(place));
}

bool index_check_open_axis(struct index_check *check, struct tir_stmt *block,
                           const struct tir_axis *axis)
{
    const struct ir_range *loop =
        axis->value->kind == IR_EXPR_var ? index_range(check, axis->value->var) : NULL;
    struct text extent = {0}, runs = {0};

    if (!loop || check->conditions || check->narrowed || !map_has(&check->attained, loop->var) ||
        !ir_expr_is_int(loop->min, 0) || !ir_expr_is_int(axis->min, 0) ||
        !is_extent(axis->extent) || !is_extent(loop->extent) ||
        (axis->extent->kind == IR_EXPR_int && loop->extent->kind == IR_EXPR_int) ||
        index_is_same(axis->extent, loop->extent) || !axis->value->loc.source)
        return false;
    tir_expr_print(axis->extent, &extent);
    tir_expr_print(loop->extent, &runs);
    bool is_extent_wrong = axis->extent->loc.source && index_axis_runs(check, block, axis, loop);
    struct diag_message *m =
        diag_report(check->diag, is_extent_wrong ? axis->extent->loc : axis->value->loc,
                    KERNEL_AXIS_EXTENT, axis->var->name, text_string(&extent));
    if (is_extent_wrong)
        help_runs(m, axis, loop, text_string(&runs));
    else {
        diag_primary(m, "goes from 0 to below %s", text_string(&runs));
        help_extent(check, m, block, axis, loop);
    }
    map_set(&check->said, block, check); /* what it indexes then follows */
    text_finish(&extent);
    text_finish(&runs);
    return true;
}

/* --- two axes by one loop --- */

static bool is_named_after(const struct ir_var *axis, const struct ir_var *loop)
{
    size_t length = strlen(loop->name), all = strlen(axis->name);

    return all > length && strcmp(axis->name + all - length, loop->name) == 0;
}

static bool uses_loop(void *state, const struct ir_expr *e)
{
    return !ir_expr_uses_var(e, state);
}

static bool stmt_uses_loop(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, uses_loop, state);
}

static void report_doubled(struct index_check *check, struct tir_stmt *block,
                           const struct tir_axis *a, const struct tir_axis *b,
                           const struct ir_range *other)
{
    const struct tir_axis *wrong = is_named_after(a->var, other->var) ? a : b;
    struct diag_message *m =
        diag_report(check->diag, wrong->value->loc, KERNEL_AXES_OF_ONE_LOOP, a->var->name,
                    b->var->name, wrong->value->var->name, other->var->name);

    diag_label(m, other->var->loc, "no axis goes by this loop");
    diag_help(m, "`%s` goes by `%s`", wrong->var->name, other->var->name);
    diag_help_edit(m, wrong->value->loc, "%s", other->var->name);
    if (!is_named_after(wrong->var, other->var))
        diag_help_unsure(m);
    map_set(&check->said, block, check);
}

void index_check_doubled(struct index_check *check, struct tir_stmt *block)
{
    const struct ir_range *other = free_loop(check, block, NULL);
    const struct tir_axis *axes = block->block.axes;

    if (!other || check->conditions || check->narrowed || !other->var->loc.source ||
        !tir_stmt_walk(block, stmt_uses_loop, (void *)(uintptr_t)other->var))
        return;
    for (unsigned i = 0; i < block->block.axis_count; i++)
        for (unsigned k = i + 1; k < block->block.axis_count; k++)
            if (is_name(axes[i].value) && is_name(axes[k].value) &&
                axes[i].value->var == axes[k].value->var) {
                report_doubled(check, block, &axes[i], &axes[k], other);
                return;
            }
}

/* --- an axis of two loops --- */

bool index_is_told_axis(const struct index_check *check, const struct ir_expr *index)
{
    return index->kind == IR_EXPR_var && map_has(&check->bound, index->var) &&
           map_has(&check->said, index->var);
}

static const struct ir_range *loop_of(const struct index_check *check, const struct ir_expr *e)
{
    const struct ir_range *range = e->kind == IR_EXPR_var ? index_range(check, e->var) : NULL;

    return range && ir_expr_is_int(range->min, 0) && range->extent->kind == IR_EXPR_int ? range
                                                                                        : NULL;
}

bool index_help_split(struct index_check *check, struct diag_message *m,
                      const struct tir_axis *axis)
{
    const struct ir_expr *sum = axis->value;
    const struct ir_expr *product = sum->kind == IR_EXPR_add ? sum->operands[0] : NULL;

    if (!product || product->kind != IR_EXPR_mul || product->operands[1]->kind != IR_EXPR_int)
        return false;
    const struct ir_range *outer = loop_of(check, product->operands[0]);
    const struct ir_range *inner = loop_of(check, sum->operands[1]);
    const struct ir_expr *factor = product->operands[1];
    if (!outer || !inner || !factor->loc.source ||
        outer->extent->int_value * inner->extent->int_value != axis->extent->int_value)
        return false;
    diag_help(m, "`%s` runs to below %lld", inner->var->name, (long long)inner->extent->int_value);
    diag_help_edit(m, factor->loc, "%lld", (long long)inner->extent->int_value);
    return true;
}

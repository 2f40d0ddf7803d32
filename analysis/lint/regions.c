/*
 * T.reads and T.writes that say less than the body does.  Nothing here goes by them, but schedules of TVM do.
 *
 * What is touched only under a condition may be less than what is inferred, so that nothing is said of such blocks.
 */
#include "analysis/lint/lint.h"
#include "base/array.h"
#include "ir/arith.h"
#include "ir/print.h"

#include <string.h>

struct check {
    const struct tir_stmt *block;
    struct ir_context *context;
    struct diag *diag;
};

static bool is_plain(void *state, const struct ir_expr *e)
{
    (void)state;
    return e->kind != IR_EXPR_select && e->kind != IR_EXPR_and && e->kind != IR_EXPR_or &&
           e->dtype.code != IR_HANDLE &&
           (e->kind != IR_EXPR_call || strcmp(e->name, "if_then_else") != 0);
}

static bool is_plain_root(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, is_plain, state);
}

static bool is_plain_stmt(void *state, struct tir_stmt *stmt)
{
    bool is_other = stmt->kind == TIR_IF || stmt->kind == TIR_WHILE || stmt->kind == TIR_DECL ||
                    stmt->kind == TIR_BLOCK || stmt->kind == TIR_RETURN ||
                    stmt->kind == TIR_BREAK || stmt->kind == TIR_CONTINUE;
    bool is_masked = stmt->kind == TIR_STORE && stmt->store.predicate;

    (void)state;
    return !is_other && !is_masked;
}

/* What is read under no condition. */
static bool is_plain_value(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, is_plain_root, state);
}

/* @e in the first iteration of all axes, or in the last one. */
static const struct ir_expr *in_iteration(const struct check *check, const struct ir_expr *e,
                                          bool is_last)
{
    struct ir_bindings bindings = {0};

    for (unsigned i = 0; i < check->block->block.axis_count; i++) {
        const struct tir_axis *axis = &check->block->block.axes[i];
        const struct ir_expr *one = ir_expr_int(check->context, axis->min->dtype, 1);
        const struct ir_expr *value = axis->min;
        if (is_last)
            value = ir_expr_binary(
                check->context, IR_EXPR_sub,
                ir_expr_binary(check->context, IR_EXPR_add, axis->min, axis->extent), one);
        array_push(&bindings, (struct ir_binding){axis->var, value});
    }
    e = ir_simplify(check->context, ir_expr_substitute(check->context, e, &bindings));
    array_finish(&bindings);
    return e;
}

/* a < b, in that iteration. */
static bool is_less(const struct check *check, const struct ir_expr *a, const struct ir_expr *b,
                    bool is_last)
{
    int64_t low, high;

    return ir_expr_constant(check->context, in_iteration(check, a, is_last), &low) &&
           ir_expr_constant(check->context, in_iteration(check, b, is_last), &high) && low < high;
}

static const struct ir_expr *end_of(const struct check *check, const struct tir_region *region,
                                    unsigned dim)
{
    return ir_expr_binary(check->context, IR_EXPR_add, region->min[dim], region->extent[dim]);
}

/*
 * Elements of @said and @touched on one dimension: does only the second move from the first iteration to the last?  Then
 * it is outside in one of them, whatever the first one is.
 */
static bool drifts(const struct check *check, const struct tir_region *said,
                   const struct tir_region *touched, unsigned dim)
{
    struct ir_context *context = check->context;

    return ir_expr_is_int(said->extent[dim], 1) && ir_expr_is_int(touched->extent[dim], 1) &&
           ir_prove_equal(context, in_iteration(check, said->min[dim], false),
                          in_iteration(check, said->min[dim], true)) &&
           ir_prove_different(context, in_iteration(check, touched->min[dim], false),
                              in_iteration(check, touched->min[dim], true));
}

/* Does @said provably miss a part of @touched? */
static bool misses(const struct check *check, const struct tir_region *said,
                   const struct tir_region *touched)
{
    for (unsigned d = 0; d < said->buffer->ndim; d++)
        if (drifts(check, said, touched, d))
            return true;
    for (unsigned d = 0; d < said->buffer->ndim; d++)
        for (int is_last = 0; is_last <= 1; is_last++)
            if (is_less(check, touched->min[d], said->min[d], is_last) ||
                is_less(check, end_of(check, said, d), end_of(check, touched, d), is_last))
                return true;
    return false;
}

static void put_region(const struct check *check, struct text *out, const struct tir_region *region)
{
    text_printf(out, "%s[", region->buffer->name);
    for (unsigned d = 0; d < region->buffer->ndim; d++) {
        if (d)
            text_printf(out, ", ");
        tir_expr_print(region->min[d], out);
        if (ir_expr_is_int(region->extent[d], 1))
            continue;
        text_printf(out, ":");
        tir_expr_print(ir_simplify(check->context, end_of(check, region, d)), out);
    }
    text_printf(out, "]");
}

/* The edit: regions as they are inferred. */
static void help_regions(const struct check *check, struct diag_message *m, struct location place,
                         const struct tir_region *regions, unsigned count)
{
    struct text all = {0};

    for (unsigned i = 0; i < count; i++) {
        if (i)
            text_printf(&all, ", ");
        put_region(check, &all, &regions[i]);
    }
    diag_help(m, "say what the body does, or leave it out: it is inferred");
    if (place.source)
        diag_help_edit(m, place, "%s", text_string(&all));
    diag_help_unsure(m);
    text_finish(&all);
}

/* What stands within `T.reads(..)` of the block, on one line; nowhere if that is not found. */
static struct location said_place(const struct tir_stmt *block, const char *call)
{
    struct location begin = location_text_behind(block->loc, call), line;

    if (!begin.source || begin.begin == block->loc.begin)
        return (struct location){0};
    line = location_whole_line(begin);
    begin.begin = begin.end;
    for (unsigned depth = 1; begin.end < line.end; begin.end++) {
        char c = begin.source->text[begin.end];
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (!depth)
            return begin;
    }
    return (struct location){0};
}

struct store {
    const struct ir_buffer *buffer;
    bool is_there;
};

static bool note_stmt(void *state, struct tir_stmt *stmt)
{
    struct store *store = state;

    store->is_there |= stmt->kind == TIR_STORE && stmt->store.buffer == store->buffer;
    return !store->is_there;
}

/* TVM's passes do not list what a block updates, nor what only makes indices. */
static bool is_left_out(const struct check *check, const struct ir_buffer *buffer, bool is_read,
                        unsigned said_count)
{
    struct store store = {.buffer = buffer};

    if (said_count == 0 || buffer->ndim == 0)
        return true;
    (void)tir_stmt_walk(check->block->block.body, note_stmt, &store);
    return is_read && (store.is_there || !ir_dtype_is_float(buffer->dtype));
}

static void check_regions(const struct check *check, const struct tir_region *said,
                          unsigned said_count, const struct tir_region *touched, unsigned count,
                          bool is_read)
{
    const char *call = is_read ? "T.reads" : "T.writes";

    for (unsigned t = 0; t < count; t++) {
        const struct tir_region *found = NULL;
        unsigned same = 0;
        for (unsigned s = 0; s < said_count; s++)
            if (said[s].buffer == touched[t].buffer) {
                found = &said[s];
                same++;
            }
        if (same > 1 || (found ? !misses(check, found, &touched[t])
                               : is_left_out(check, touched[t].buffer, is_read, said_count)))
            continue;
        struct location place = said_place(check->block, is_read ? "T.reads(" : "T.writes(");
        struct text region = {0};
        put_region(check, &region, &touched[t]);
        struct diag_message *m = diag_report(
            check->diag, place.source && place.begin < place.end ? place : check->block->loc,
            KERNEL_REGION_FALSE, check->block->block.name, is_read ? "reads" : "writes",
            text_string(&region), call);
        text_finish(&region);
        help_regions(check, m, place, touched, count);
        return;
    }
}

void lint_check_regions(const struct tir_func *kernel, const struct tir_stmt *block,
                        bool is_conditional, struct diag *diag)
{
    struct check check = {block, kernel->module->context, diag};
    bool is_said = block->block.has_reads || block->block.has_writes;
    struct tir_stmt copy = *block;

    if (is_conditional || !is_said || block->block.predicate || block->block.match_count ||
        !tir_stmt_walk(block->block.body, is_plain_stmt, NULL))
        return;
    copy.block.has_reads = copy.block.has_writes = false;
    tir_block_infer_regions(kernel->module, &copy);
    if (block->block.has_reads && tir_stmt_walk(block->block.body, is_plain_value, NULL))
        check_regions(&check, block->block.reads, block->block.read_count, copy.block.reads,
                      copy.block.read_count, true);
    if (block->block.has_writes)
        check_regions(&check, block->block.writes, block->block.write_count, copy.block.writes,
                      copy.block.write_count, false);
}

/*
 * Blocks that contradict themselves: a reduction that reads nothing of what it accumulates into, loop variables where the
 * axes are meant, and regions that do not cover what the block touches.
 */
#include "analysis/lint/lint.h"
#include "base/array.h"
#include "base/map.h"
#include "ir/arith.h"
#include "ir/print.h"

#include <string.h>

struct check {
    const struct tir_func *kernel;
    struct diag *diag;
    array(const struct ir_var *) loops; /* around, from outside to inside */
    unsigned conditions;                /* around */
};

/* --- what a statement touches --- */

struct touches {
    const struct ir_buffer *buffer;
    const struct tir_stmt *store; /* the first to it */
    bool is_read, is_opaque;      /* is_opaque: other names of it, calls, jumps */
};

static bool note_expr(void *state, const struct ir_expr *e)
{
    struct touches *touches = state;

    touches->is_read |= e->kind == IR_EXPR_load && e->buffer == touches->buffer;
    touches->is_opaque |= e->dtype.code == IR_HANDLE;
    return true;
}

static bool note_root(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, note_expr, state);
}

static bool note_stmt(void *state, struct tir_stmt *stmt)
{
    struct touches *touches = state;

    if (stmt->kind == TIR_STORE && stmt->store.buffer == touches->buffer && !touches->store)
        touches->store = stmt;
    if (stmt->kind == TIR_DECL || (stmt->kind == TIR_BLOCK && stmt->block.match_count))
        touches->is_opaque = true;
    return tir_stmt_walk_exprs(stmt, note_root, state);
}

/* --- reductions --- */

static bool reduces(const struct tir_stmt *block)
{
    for (unsigned i = 0; i < block->block.axis_count; i++) {
        const struct tir_axis *axis = &block->block.axes[i];
        if (axis->kind == TIR_REDUCE && !ir_expr_is_int(axis->extent, 1))
            return true;
    }
    return false;
}

/* What brings a value into an accumulator that begins with @init: `+`, or T.max; NULL: not known. */
static const char *accumulation(const struct ir_expr *init)
{
    while (init->kind == IR_EXPR_cast)
        init = init->operands[0];
    bool is_zero =
        ir_expr_is_int(init, 0) || (init->kind == IR_EXPR_float && init->float_value == 0);
    if (is_zero)
        return " + ";
    if (ir_expr_is_int(init, 1) || (init->kind == IR_EXPR_float && init->float_value == 1))
        return " * ";
    return NULL;
}

/* `b[vi] =+ a`; true after the help. */
static bool help_turned_sign(struct diag_message *m, const struct tir_stmt *store)
{
    struct location sign = location_text_behind(store->loc, " =+ ");

    if (sign.begin == sign.end || sign.begin == store->loc.begin ||
        sign.end > store->store.value->loc.end)
        return false;
    diag_help(m, "`=+` stores; `+=` adds");
    diag_help_edit(m, (struct location){sign.source, sign.begin + 1, sign.end - 1}, "+=");
    return true;
}

/* `b[vi] = a` becomes `b[vi] = b[vi] + a`. */
static void help_accumulate(struct diag_message *m, const struct tir_stmt *store,
                            const struct tir_stmt *init)
{
    const char *sign = accumulation(init->store.value);
    struct location all = store->loc, value = store->store.value->loc;
    struct location target = location_text_behind(all, " = ");

    if (!sign || !value.source || target.begin == all.begin || target.end != value.begin ||
        value.end > all.end)
        return;
    target = (struct location){all.source, all.begin, target.begin};
    diag_help(m, "add to it: `%.*s = %.*s%s..`", LOCATION_TEXT(target), LOCATION_TEXT(target),
              sign);
    diag_help_edit(m, location_before(value), "%.*s%s", LOCATION_TEXT(target), sign);
    diag_help_unsure(m);
}

struct init {
    struct check *check;
    const struct tir_stmt *block;
};

/* Each store of T.init: what the block stores to the same buffer begins with it. */
static bool check_init_store(void *state, struct tir_stmt *stmt)
{
    const struct init *init = state;
    struct touches touches = {.buffer = stmt->kind == TIR_STORE ? stmt->store.buffer : NULL};

    if (!touches.buffer)
        return true;
    tir_stmt_walk(init->block->block.body, note_stmt, &touches);
    if (!touches.store || touches.is_read || touches.is_opaque || init->block->block.match_count ||
        diag_has(init->check->diag, DIAG_SYNTAX_SIGN_BEHIND)) /* `=+` for `+=` was told */
        return true;
    const char *name = touches.buffer->name;
    struct diag_message *m =
        diag_report(init->check->diag, touches.store->loc, KERNEL_INIT_UNREAD, name);
    diag_label(m, stmt->loc, "`%s` begins with this, and nothing reads it", name);
    diag_note(m, "of all iterations of the reduce axes only the last one counts");
    if (!help_turned_sign(m, touches.store))
        help_accumulate(m, touches.store, stmt);
    return false;
}

/* --- loop variables --- */

struct use {
    struct check *check;
    const struct tir_stmt *block;
    struct map said;           /* variables without an edit */
    array(const char *) bound; /* names between the block and the use */
};

/* The axis that has the value of @var in each iteration; NULL: none. */
static const struct tir_axis *axis_of(const struct tir_stmt *block, const struct ir_var *var)
{
    for (unsigned i = 0; i < block->block.axis_count; i++) {
        const struct ir_expr *value = block->block.axes[i].value;
        if (value->kind == IR_EXPR_var && value->var == var)
            return &block->block.axes[i];
    }
    return NULL;
}

static bool says(struct location loc, const char *name)
{
    size_t length = strlen(name);

    return loc.source && loc.end - loc.begin == length &&
           memcmp(loc.source->text + loc.begin, name, length) == 0;
}

/* Is the name @name of an axis another's where the walk is? */
static bool is_hidden(const struct use *use, const char *name)
{
    for (size_t i = 0; i < use->bound.count; i++)
        if (strcmp(use->bound.items[i], name) == 0)
            return true;
    return false;
}

static void report_loop(struct use *use, const struct ir_expr *e)
{
    const struct tir_axis *axis = axis_of(use->block, e->var);
    bool is_edit = axis && says(e->loc, e->var->name) && !is_hidden(use, axis->var->name);

    if (!is_edit && map_has(&use->said, e->var))
        return;
    map_set(&use->said, e->var, use);
    struct diag_message *m =
        diag_report(use->check->diag, e->loc.source ? e->loc : use->block->loc,
                    KERNEL_LOOP_IN_BLOCK, e->var->name, use->block->block.name);
    diag_label(m, e->var->loc, "a loop around the block");
    if (!axis) {
        diag_help(m, "bind an axis to it, and use that: T.axis.spatial(.., %s)", e->var->name);
        return;
    }
    diag_help(m, "axis `%s` has its value", axis->var->name);
    if (is_edit)
        diag_help_edit(m, e->loc, "%s", axis->var->name);
}

static bool check_use(void *state, const struct ir_expr *e)
{
    struct use *use = state;

    for (size_t i = 0; e->kind == IR_EXPR_var && i < use->check->loops.count; i++)
        if (use->check->loops.items[i] == e->var)
            report_loop(use, e);
    return true;
}

static bool check_uses(void *state, const struct ir_expr *e)
{
    /* what TVM's passes assume of a buffer is no part of what the block computes */
    bool is_assumed = e->kind == IR_EXPR_call && strcmp(e->name, "assume") == 0;

    return is_assumed || ir_expr_walk(e, check_use, state);
}

/* The name that @stmt binds, of a loop within it, else in what follows; NULL: none. */
static const char *bound_name(const struct tir_stmt *stmt)
{
    switch (stmt->kind) {
    case TIR_FOR:
        return stmt->loop.var->name;
    case TIR_LET:
        return stmt->let.var->name;
    case TIR_ALLOC:
    case TIR_DECL:
        return stmt->alloc.buffer->name;
    default:
        return NULL;
    }
}

/* A block inside with axes of its own is looked at for itself. */
static void check_body(struct use *use, struct tir_stmt *stmt)
{
    const char *name = bound_name(stmt);
    struct tir_stmt *child;
    size_t mark = use->bound.count;

    if (stmt->kind == TIR_BLOCK && stmt->block.axis_count)
        return;
    if (stmt->kind != TIR_BLOCK)
        tir_stmt_walk_exprs(stmt, check_uses, use);
    if (name)
        array_push(&use->bound, name);
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++)
        check_body(use, child);
    if (!name || stmt->kind == TIR_FOR)
        use->bound.count = mark;
}

static void check_loops(struct check *check, const struct tir_stmt *block)
{
    struct use use = {.check = check, .block = block};

    if (block->block.init)
        check_body(&use, block->block.init);
    check_body(&use, block->block.body);
    map_finish(&use.said);
    array_finish(&use.bound);
}

/* --- all blocks --- */

static void check_stmt(struct check *check, struct tir_stmt *stmt)
{
    struct tir_stmt *child;
    size_t mark = check->loops.count;

    if (stmt->kind == TIR_FOR)
        array_push(&check->loops, stmt->loop.var);
    if (stmt->kind == TIR_BLOCK && stmt->block.axis_count) {
        if (stmt->block.init && reduces(stmt))
            tir_stmt_walk(stmt->block.init, check_init_store, &(struct init){check, stmt});
        check_loops(check, stmt);
        lint_check_regions(check->kernel, stmt, check->conditions > 0, check->diag);
    }
    check->conditions += stmt->kind == TIR_IF || stmt->kind == TIR_WHILE;
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++)
        check_stmt(check, child);
    check->conditions -= stmt->kind == TIR_IF || stmt->kind == TIR_WHILE;
    check->loops.count = mark;
}

void lint_check_blocks(const struct tir_func *kernel, struct diag *diag)
{
    struct check check = {.kernel = kernel, .diag = diag};

    check_stmt(&check, kernel->body);
    array_finish(&check.loops);
}

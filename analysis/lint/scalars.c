/* Names of kernels that are given a value, and that nothing reads: `ac = acc + 1`. */
#include "analysis/lint/lint.h"
#include "base/map.h"
#include "ir/intrinsics.h"
#include "ir/tir.h"

struct check {
    struct diag *diag;
    struct map read; /* variables, and buffers of scalars */
    struct map said;
    bool has_views; /* which read what they are views of */
};

static bool note_read(void *state, const struct ir_expr *e)
{
    struct check *check = state;

    if (e->kind == IR_EXPR_var)
        map_set(&check->read, e->var, check);
    if (e->kind == IR_EXPR_load)
        map_set(&check->read, e->buffer, check);
    return true;
}

static bool note_root(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, note_read, state);
}

static bool note_stmt(void *state, struct tir_stmt *stmt)
{
    struct check *check = state;

    check->has_views |= stmt->kind == TIR_DECL;
    return tir_stmt_walk_exprs(stmt, note_root, state);
}

/* Other functions may have an effect. */
static bool is_pure(void *state, const struct ir_expr *e)
{
    (void)state;
    return e->kind != IR_EXPR_call || ir_intrinsic_find(e->name) != NULL;
}

static void report(struct check *check, struct location loc, const char *name, const void *key)
{
    if (*name == '_' || !loc.source || map_has(&check->said, key))
        return;
    map_set(&check->said, key, check);
    struct diag_message *m = diag_report(check->diag, loc, GRAPH_UNREAD, name);
    diag_help(m, "remove it, or call it `_%s` if that is meant", name);
}

static bool check_stmt(void *state, struct tir_stmt *stmt)
{
    struct check *check = state;
    const struct ir_buffer *buffer = stmt->kind == TIR_STORE ? stmt->store.buffer : NULL;

    if (stmt->kind == TIR_LET && !map_has(&check->read, stmt->let.var) &&
        ir_expr_walk(stmt->let.value, is_pure, NULL))
        report(check, stmt->loc, stmt->let.var->name, stmt->let.var);
    if (buffer && buffer->is_scalar && !check->has_views && !map_has(&check->read, buffer))
        report(check, stmt->loc, buffer->name, buffer);
    return true;
}

void lint_check_scalars(const struct tir_func *kernel, struct diag *diag)
{
    struct check check = {.diag = diag};

    if (kernel->is_hidden) /* it is the hidden buffer that is meant */
        return;

    tir_stmt_walk(kernel->body, note_stmt, &check);
    tir_stmt_walk(kernel->body, check_stmt, &check);
    map_finish(&check.read);
    map_finish(&check.said);
}

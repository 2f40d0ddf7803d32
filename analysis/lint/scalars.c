/* Names of kernels that are given a value, and that nothing reads: `ac = acc + 1`. */
#include "analysis/lint/lint.h"
#include "base/map.h"
#include "base/text.h"
#include "ir/intrinsics.h"
#include "ir/tir.h"

#include <string.h>

struct check {
    struct diag *diag;
    struct tir_stmt *body;
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

/* --- `acc2 = acc + x` --- */

struct meant {
    const struct check *check;
    struct text_nearest nearest;
    const struct ir_buffer *found;
};

static bool offer_scalar(void *state, const struct ir_expr *e)
{
    struct meant *meant = state;

    if (e->kind == IR_EXPR_load && e->buffer->is_scalar &&
        text_nearest_offer(&meant->nearest, e->buffer->name))
        meant->found = e->buffer;
    return true;
}

struct count {
    const struct ir_buffer *buffer;
    unsigned stores;
};

static bool count_store(void *state, struct tir_stmt *stmt)
{
    struct count *count = state;

    count->stores += stmt->kind == TIR_STORE && stmt->store.buffer == count->buffer;
    return true;
}

/* The scalar of nearly that name that the value reads, and that is never changed after its first value. */
static bool help_meant(struct check *check, struct diag_message *m, const struct tir_stmt *stmt)
{
    const char *name = stmt->store.buffer->name;
    struct meant meant = {check, text_nearest_to(name), NULL};
    struct location place = {stmt->loc.source, stmt->loc.begin,
                             stmt->loc.begin + (uint32_t)strlen(name)};

    (void)ir_expr_walk(stmt->store.value, offer_scalar, &meant);
    if (!meant.found || !ir_dtype_equal(meant.found->dtype, stmt->store.buffer->dtype) ||
        memcmp(place.source->text + place.begin, name, strlen(name)) != 0)
        return false;
    struct count count = {meant.found, 0};
    tir_stmt_walk(check->body, count_store, &count);
    if (count.stores > 1)
        return false;
    diag_help(m, "`%s`, which the value reads, never changes: it may be meant", meant.found->name);
    diag_help_edit(m, place, "%s", meant.found->name);
    return true;
}

static void report(struct check *check, struct location loc, const char *name, const void *key,
                   const struct tir_stmt *stmt)
{
    if (*name == '_' || !loc.source || map_has(&check->said, key))
        return;
    map_set(&check->said, key, check);
    struct diag_message *m = diag_report(check->diag, loc, GRAPH_UNREAD, name);
    if (stmt && help_meant(check, m, stmt))
        return;
    diag_help(m, "remove it, or call it `_%s` if that is meant", name);
}

static bool check_stmt(void *state, struct tir_stmt *stmt)
{
    struct check *check = state;
    const struct ir_buffer *buffer = stmt->kind == TIR_STORE ? stmt->store.buffer : NULL;

    if (stmt->kind == TIR_LET && !map_has(&check->read, stmt->let.var) &&
        ir_expr_walk(stmt->let.value, is_pure, NULL))
        report(check, stmt->loc, stmt->let.var->name, stmt->let.var, NULL);
    if (buffer && buffer->is_scalar && !check->has_views && !map_has(&check->read, buffer))
        report(check, stmt->loc, buffer->name, buffer, stmt);
    return true;
}

void lint_check_scalars(const struct tir_func *kernel, struct diag *diag)
{
    struct check check = {.diag = diag, .body = kernel->body};

    if (kernel->is_hidden) /* it is the hidden buffer that is meant */
        return;

    tir_stmt_walk(kernel->body, note_stmt, &check);
    tir_stmt_walk(kernel->body, check_stmt, &check);
    map_finish(&check.read);
    map_finish(&check.said);
}

/* Loops and axes without an order, and what their iterations do to each other: promises.h. */
#include "analysis/promises.h"

#include "analysis/access/relation.h"
#include "analysis/axis_kinds.h"
#include "base/map.h"
#include "ir/arith.h"

enum { PAIR_LIMIT = 512 }; /* of a write and a read, for one promise */

struct check {
    struct diag *diag;
    struct access_cache cache;
    const struct tir_func *func;
    const struct access_list *list;
    struct access_relation *relation;
    struct map loops; /* variable -> its loop */
    struct map said;  /* loops of which it is said */
};

/* That iterations of @loop are independent, as far as accesses of @inside go. */
struct promise {
    struct tir_stmt *loop, *inside;
    const struct ir_var *axis; /* of a block; NULL: the loop itself says it */
    unsigned index;            /* of that axis in the block */
    struct map stmts;          /* in @inside */
};

struct conflict {
    const struct access *write, *read;
    bool is_later; /* the read, in the order of the loop */
};

/* ---- accesses of a promise ---- */

static bool add_stmt(void *state, struct tir_stmt *stmt)
{
    struct promise *promise = state;

    map_set(&promise->stmts, stmt, stmt);
    return true;
}

/* The number of loops around @loop, if it is around @access; else -1. */
static int level_of(const struct access *access, const struct tir_stmt *loop)
{
    for (const struct access_frame *f = access->frame; f; f = f->parent)
        if (f->kind == ACCESS_LOOP && f->stmt == loop)
            return (int)f->depth - 1;
    return -1;
}

static bool is_part(const struct promise *promise, const struct access *access)
{
    return access->stmt && access->stmt != promise->loop && access->stmt != promise->inside &&
           map_has(&promise->stmts, access->stmt) && level_of(access, promise->loop) >= 0;
}

static bool meet(struct check *check, const struct promise *promise, const struct access *write,
                 const struct access *read, struct conflict *out)
{
    unsigned level = (unsigned)level_of(write, promise->loop);

    if (access_may_meet(check->relation, write, read, level, ACCESS_OTHER_TIME) != ACCESS_SOMETIMES)
        return false;
    *out = (struct conflict){
        .write = write,
        .read = read,
        .is_later =
            access_may_meet(check->relation, write, read, level, ACCESS_LATER) == ACCESS_SOMETIMES,
    };
    return true;
}

static bool find_conflict(struct check *check, const struct promise *promise, struct conflict *out)
{
    unsigned pairs = 0;

    for (size_t i = 0; i < check->list->count; i++) {
        const struct access *write = &check->list->items[i];

        if (write->kind != ACCESS_WRITE || !is_part(promise, write))
            continue;
        for (size_t k = 0; k < check->list->count; k++) {
            const struct access *read = &check->list->items[k];

            if (read->kind != ACCESS_READ || read->root != write->root || !is_part(promise, read))
                continue;
            if (++pairs > PAIR_LIMIT)
                return false;
            if (meet(check, promise, write, read, out))
                return true;
        }
    }
    return false;
}

/* ---- words ---- */

static struct location loc_of(const struct access *access)
{
    return access->loc.source ? access->loc : access->stmt->loc;
}

static const char *kind_of(const struct promise *promise)
{
    return promise->axis                                ? "the spatial axis"
           : promise->loop->loop.kind == TIR_VECTORIZED ? "the vectorized loop"
                                                        : "the parallel loop";
}

/* The word `spatial` where @axis gets its value; nowhere if it does not stand there. */
static struct location word_of(const struct ir_var *axis)
{
    struct location line = location_whole_line(axis->loc), word;

    if (!line.source)
        return line;
    line.begin = axis->loc.end;
    word = location_text_behind(line, ".spatial(");
    if (word.begin <= line.begin || word.end > line.end)
        return (struct location){0};
    word.begin++;
    word.end--;
    return word;
}

/* A sum over a spatial axis: the first value is set again and again. */
static void help_reduction(struct diag_message *message, const struct promise *promise)
{
    struct location word = word_of(promise->axis);

    diag_note(message, "T.init runs again for each `%s`: what was computed for others is lost",
              promise->axis->name);
    diag_help(message, "if the block reduces over it, it is a reduce axis: T.axis.reduce, or `R` "
                       "in T.axis.remap");
    if (word.source) /* two edits: each is another program */
        diag_help_edit(message, word, "reduce");
    diag_help(message, "if that is meant, make it T.axis.opaque");
    if (word.source)
        diag_help_edit(message, word, "opaque");
}

/* Where it says so: the letter, the word `spatial`, or else the name. */
static struct location place_of(const struct promise *promise)
{
    if (!promise->axis)
        return promise->inside->loc;
    struct location letter = axis_kinds_letter(promise->inside, promise->index);
    struct location place = letter.source ? letter : word_of(promise->axis);

    if (!place.source)
        place = promise->axis->loc;
    return place.source ? place : promise->inside->loc;
}

static void report(struct check *check, const struct promise *promise,
                   const struct conflict *conflict)
{
    const char *buffer = conflict->write->buffer->name;
    const char *var = promise->axis ? promise->axis->name : promise->loop->loop.var->name;
    bool is_reduction = promise->axis && promise->inside->block.init && conflict->is_later;
    struct diag_message *message = diag_report(check->diag, place_of(promise), KERNEL_DEPENDENT,
                                               kind_of(promise), var, buffer);

    diag_label(message, loc_of(conflict->write), "`%s` is written by one iteration", buffer);
    diag_label(message, loc_of(conflict->read), "the same element is read by %s one",
               conflict->is_later ? "a later" : "an earlier");
    if (is_reduction) {
        if (!axis_kinds_help(message, promise->inside))
            help_reduction(message, promise);
        return;
    }
    diag_note(message,
              conflict->is_later
                  ? "iterations run in the order of the loops: a read sees what was written before"
                  : "iterations run in the order of the loops: a read comes before the write");
    diag_help(message,
              promise->axis
                  ? "if that order is meant, make it T.axis.opaque; if not, read from a "
                    "buffer that the block does not write"
                  : "if that order is meant, make it a serial loop, range(..), as it runs; "
                    "if not, read from a buffer that the loop does not write");
}

static void check_promise(struct check *check, struct promise *promise)
{
    struct conflict conflict;

    tir_stmt_walk(promise->inside, add_stmt, promise);
    if (!map_has(&check->said, promise->loop) && find_conflict(check, promise, &conflict)) {
        map_set(&check->said, promise->loop, promise->loop);
        report(check, promise, &conflict);
    }
    map_finish(&promise->stmts);
}

/* ---- axes ---- */

struct search {
    struct check *check;
    struct tir_stmt *loop; /* the innermost one whose variable was met */
    bool is_unknown;
};

static bool stop_at(void *state, struct tir_stmt *stmt)
{
    return stmt != state;
}

static bool is_around(struct tir_stmt *outer, const struct tir_stmt *inner)
{
    return !tir_stmt_walk(outer->loop.body, stop_at, (void *)(uintptr_t)inner);
}

static bool note_var(void *state, const struct ir_expr *a)
{
    struct search *search = state;

    search->is_unknown |= a->kind == IR_EXPR_load || a->kind == IR_EXPR_call;
    if (a->kind != IR_EXPR_var)
        return true;
    struct tir_stmt *loop = map_get(&search->check->loops, a->var);
    if (loop && (!search->loop || (loop != search->loop && is_around(search->loop, loop))))
        search->loop = loop;
    return true;
}

/* Does @value grow by one number, not 0, from each iteration of @loop to the next? */
static bool moves(struct ir_context *context, const struct ir_expr *value,
                  const struct tir_stmt *loop)
{
    const struct ir_var *var = loop->loop.var;
    const struct ir_expr *one = ir_expr_int(context, var->dtype, 1);
    const struct ir_expr *next =
        ir_expr_binary(context, IR_EXPR_add, ir_expr_var(context, var), one);
    struct ir_binding binding = {var, next};
    struct ir_bindings bindings = {&binding, 1, 1};
    const struct ir_expr *step =
        ir_expr_binary(context, IR_EXPR_sub, ir_expr_substitute(context, value, &bindings), value);
    int64_t number;

    return ir_expr_constant(context, step, &number) && number != 0;
}

/* The loop each iteration of which is another value of @axis, while those around it stand still. */
static struct tir_stmt *loop_of(struct check *check, const struct tir_axis *axis)
{
    struct search search = {.check = check};

    ir_expr_walk(axis->value, note_var, &search);
    if (search.is_unknown || !search.loop ||
        !moves(check->func->module->context, axis->value, search.loop))
        return NULL;
    return search.loop;
}

/* ---- the walk ---- */

static bool look(void *state, struct tir_stmt *stmt)
{
    struct check *check = state;

    if (stmt->kind == TIR_FOR) {
        map_set(&check->loops, stmt->loop.var, stmt);
        if (stmt->loop.kind == TIR_PARALLEL || stmt->loop.kind == TIR_VECTORIZED)
            check_promise(check, &(struct promise){.loop = stmt, .inside = stmt});
    }
    for (unsigned i = 0; stmt->kind == TIR_BLOCK && i < stmt->block.axis_count; i++) {
        const struct tir_axis *axis = &stmt->block.axes[i];
        struct promise promise = {.inside = stmt, .axis = axis->var, .index = i};

        if (axis->kind == TIR_SPATIAL && (promise.loop = loop_of(check, axis)) != NULL)
            check_promise(check, &promise);
    }
    return true;
}

static void check_kernel(struct check *check, const struct tir_func *func)
{
    check->func = func;
    check->list = access_of(&check->cache, func);
    check->relation = access_relation_new(&check->cache, check->list, check->list, NULL);
    access_relation_be_thorough(check->relation);
    tir_stmt_walk(func->body, look, check);
    access_relation_free(check->relation);
}

void promises_check(struct ir_module *module, const struct map *told, struct diag *diag)
{
    struct check check = {.diag = diag};

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_KERNEL &&
            !map_has(told, module->globals[i]->kernel))
            check_kernel(&check, module->globals[i]->kernel);
    map_finish(&check.loops);
    map_finish(&check.said);
    access_cache_finish(&check.cache);
}

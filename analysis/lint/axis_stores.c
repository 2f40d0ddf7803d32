/*
 * Kinds of axes against what their block stores: a reduce axis tells no elements apart, a spatial one all of them, and
 * T.init sets what the block computes on from.
 *
 * Of blocks whose stores are made in each iteration, so that nothing is guessed.
 */
#include "analysis/axis_kinds.h"
#include "analysis/lint/lint.h"

#include <stdio.h>
#include <string.h>

/* The stores of a body, without those under conditions. */
struct stores {
    const struct tir_stmt *items[8];
    unsigned count;
    bool is_unknown; /* more of them, or something else that has effects, or that chooses */
};

static bool add_store(void *state, struct tir_stmt *stmt)
{
    struct stores *stores = state;
    bool is_known = stmt->kind == TIR_SEQ || stmt->kind == TIR_STORE || stmt->kind == TIR_LET ||
                    stmt->kind == TIR_ALLOC;

    if (stmt->kind == TIR_STORE)
        is_known = !stmt->store.predicate && stores->count < ARRAY_SIZE(stores->items);
    if (!is_known)
        stores->is_unknown = true;
    else if (stmt->kind == TIR_STORE)
        stores->items[stores->count++] = stmt;
    return is_known;
}

static struct stores stores_of(struct tir_stmt *body)
{
    struct stores stores = {0};

    tir_stmt_walk(body, add_store, &stores);
    return stores;
}

static bool has_index(const struct tir_stmt *store, const struct ir_var *var)
{
    for (unsigned i = 0; i < store->store.index_count; i++)
        if (store->store.indices[i]->kind == IR_EXPR_var && store->store.indices[i]->var == var)
            return true;
    return false;
}

static bool uses_axis(const struct tir_stmt *store, const struct ir_var *var)
{
    for (unsigned i = 0; i < store->store.index_count; i++)
        if (ir_expr_uses_var(store->store.indices[i], var))
            return true;
    return false;
}

/* --- loads --- */

struct loads {
    const struct tir_stmt *store;
    bool has_same, has_other; /* of the buffer: the element that is stored, another one */
    bool is_opaque;           /* handles, calls of unknown effect */
};

static bool is_same_element(const struct ir_expr *const *a, const struct ir_expr *const *b,
                            unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!ir_expr_equal(a[i], b[i]))
            return false;
    return true;
}

static bool note_load(void *state, const struct ir_expr *e)
{
    struct loads *loads = state;

    loads->is_opaque |= e->dtype.code == IR_HANDLE;
    if (e->kind != IR_EXPR_load || e->buffer != loads->store->store.buffer)
        return true;
    bool is_same = e->operand_count == loads->store->store.index_count &&
                   is_same_element(e->operands, loads->store->store.indices, e->operand_count);
    loads->has_same |= is_same;
    loads->has_other |= !is_same;
    return true;
}

static bool note_root(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, note_load, state);
}

static bool note_stmt(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, note_root, state);
}

/* What the body of @block loads of what @store stores to. */
static struct loads loads_of(const struct tir_stmt *block, const struct tir_stmt *store)
{
    struct loads loads = {.store = store};

    tir_stmt_walk(block->block.body, note_stmt, &loads);
    return loads;
}

/* --- a reduce axis that tells elements apart --- */

static struct location kind_place(const struct ir_var *axis, const char *word)
{
    struct location line = location_whole_line(axis->loc), place;
    char call[32];

    if (!line.source)
        return line;
    line.begin = axis->loc.end;
    snprintf(call, sizeof(call), ".%s(", word);
    place = location_text_behind(line, call);
    if (place.begin <= line.begin || place.end > line.end)
        return (struct location){0};
    return (struct location){place.source, place.begin + 1, place.end - 1};
}

/* The letter of the axis in T.axis.remap; nowhere: it does not stand there. */
static struct location letter_place(const struct tir_stmt *block, const struct tir_axis *axis)
{
    struct location letters = axis_kinds_letters(block);

    if (!letters.source)
        return letters;
    letters.begin += (uint32_t)(axis - block->block.axes);
    letters.end = letters.begin + 1;
    return letters;
}

static void report_reduce(struct diag *diag, const struct tir_stmt *block,
                          const struct tir_axis *axis, const struct tir_stmt *store)
{
    struct location place = kind_place(axis->var, "reduce"), letter = letter_place(block, axis);

    if (letter.source)
        place = letter;
    struct diag_message *m = diag_report(diag, place.source ? place : axis->var->loc,
                                         KERNEL_REDUCES_NOTHING, axis->var->name);

    diag_label(m, store->loc, "`%s` is an index of what is stored", axis->var->name);
    if (axis_kinds_help(m, block))
        return;
    diag_help(m, "it is a spatial axis: T.axis.spatial, or `S` in T.axis.remap");
    if (place.source)
        diag_help_edit(m, place, letter.source ? "S" : "spatial");
}

static bool check_reduce(struct tir_stmt *block, const struct stores *stores, struct diag *diag)
{
    bool found = false;

    for (unsigned i = 0; i < block->block.axis_count; i++) {
        const struct tir_axis *axis = &block->block.axes[i];
        bool is_apart = axis->kind == TIR_REDUCE && !ir_expr_is_int(axis->extent, 1);
        for (unsigned k = 0; is_apart && k < stores->count; k++) {
            struct loads loads = loads_of(block, stores->items[k]);
            is_apart =
                has_index(stores->items[k], axis->var) && !loads.has_other && !loads.is_opaque;
        }
        if (!is_apart || !axis->var->loc.source)
            continue;
        report_reduce(diag, block, axis, stores->items[0]);
        found = true;
        if (axis_kinds_help(NULL, block)) /* one edit for all of them */
            break;
    }
    return found;
}

/* --- a spatial axis that tells no elements apart --- */

/* The index that is a number where the axis would do: the axis of the buffer is as long; its count: none. */
static unsigned index_for(const struct tir_stmt *store, const struct tir_axis *axis)
{
    unsigned found = store->store.index_count;

    for (unsigned i = 0; i < store->store.index_count; i++) {
        if (store->store.indices[i]->kind != IR_EXPR_int ||
            !ir_expr_equal(store->store.buffer->shape[i], axis->extent))
            continue;
        if (found < store->store.index_count)
            return store->store.index_count;
        found = i;
    }
    return found;
}

/* @store: a value that differs with the axis, to an element that does not, and nothing is read of it. */
static bool check_spatial(struct tir_stmt *block, const struct tir_axis *axis,
                          const struct tir_stmt *store, struct diag *diag)
{
    struct loads loads = loads_of(block, store);
    bool is_again = axis->kind == TIR_SPATIAL && axis->extent->kind != IR_EXPR_int;

    is_again |= axis->kind == TIR_SPATIAL && axis->extent->kind == IR_EXPR_int &&
                axis->extent->int_value > 1;
    if (!is_again || uses_axis(store, axis->var) || loads.has_same || loads.has_other ||
        loads.is_opaque || !ir_expr_uses_var(store->store.value, axis->var))
        return false;
    unsigned at = index_for(store, axis);
    bool has_place = at < store->store.index_count && store->store.indices[at]->loc.source;
    if (!has_place)
        return false;
    struct diag_message *m = diag_report(diag, store->store.indices[at]->loc, KERNEL_ELEMENT_AGAIN,
                                         axis->var->name, store->store.buffer->name);
    diag_note(m, "only the last value stays, and other elements are never written");
    diag_help(m, "`%s` goes through this axis of `%s`", axis->var->name, store->store.buffer->name);
    diag_help_edit(m, store->store.indices[at]->loc, "%s", axis->var->name);
    return true;
}

/* --- T.init of another element --- */

/* `acc[vj]` in `acc[vj] = ..` */
static struct location target_of(const struct tir_stmt *store)
{
    struct location all = store->loc, sign = location_text_behind(all, " = ");

    if (!all.source || sign.begin == all.begin || sign.end > all.end)
        return (struct location){0};
    return (struct location){all.source, all.begin, sign.begin};
}

static bool check_init(struct tir_stmt *block, const struct stores *stores, struct diag *diag)
{
    struct stores first = {0};

    if (block->block.init)
        first = stores_of(block->block.init);
    if (first.count != 1 || first.is_unknown)
        return false;
    const struct tir_stmt *init = first.items[0], *store = NULL;
    for (unsigned i = 0; i < stores->count; i++)
        if (stores->items[i]->store.buffer == init->store.buffer) {
            if (store)
                return false;
            store = stores->items[i];
        }
    if (!store || init->store.index_count != store->store.index_count ||
        is_same_element(init->store.indices, store->store.indices, init->store.index_count))
        return false;
    if (loads_of(block, init).has_same) /* a scan begins with it */
        return false;
    struct location place = target_of(init), target = target_of(store);
    struct diag_message *m = diag_report(diag, place.source ? place : init->loc, KERNEL_INIT_OTHER,
                                         store->store.buffer->name);
    diag_label(m, target.source ? target : store->loc, "this one is computed on from");
    diag_help(m, "T.init sets the same element");
    if (place.source && target.source)
        diag_help_edit(m, place, "%.*s", LOCATION_TEXT(target));
    return true;
}

/* --- all blocks --- */

struct search {
    struct diag *diag;
    bool found;
};

static bool check_block(void *state, struct tir_stmt *block)
{
    struct search *search = state;

    if (block->kind != TIR_BLOCK || !block->block.axis_count || block->block.match_count)
        return true;
    struct stores stores = stores_of(block->block.body);
    if (stores.is_unknown || !stores.count)
        return true;
    bool found = check_init(block, &stores, search->diag);
    if (!found)
        found = check_reduce(block, &stores, search->diag);
    for (unsigned i = 0; !found && i < block->block.axis_count; i++)
        for (unsigned k = 0; !found && k < stores.count; k++)
            found = check_spatial(block, &block->block.axes[i], stores.items[k], search->diag);
    search->found |= found;
    return true;
}

bool lint_check_stores(const struct tir_func *kernel, struct diag *diag)
{
    struct search search = {.diag = diag};

    tir_stmt_walk(kernel->body, check_block, &search);
    return search.found;
}

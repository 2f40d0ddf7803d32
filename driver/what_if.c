/* Edits of the script that would save bytes; see what_if.h. */
#include "driver/what_if.h"

#include "analysis/storage/storage.h"
#include "base/map.h"
#include "ir/build.h"
#include "ir/verify.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRY_LIMIT = 8,         /* edits */
    TRY_OP_LIMIT = 40000,  /* ops of the modules that are decided again, but for the first */
    MOVE_OP_LIMIT = 10000, /* between a call and a read behind it */
    SHOWN = 3,
};

enum edit_kind { EDIT_DONATE, EDIT_MOVE };

/* An edit that is to be tried: places are those of the script. */
struct trial {
    enum edit_kind kind;
    const struct inplace_decision *decision; /* the first that it may help */
    struct byte_sum bytes;                   /* of all that it may help */
    int64_t rank;
    size_t order;
};

struct trials {
    struct trial *items;
    size_t count, capacity; /* an array() */
};

struct what_if {
    struct driver *driver;
    const struct ir_module *script;
    const char *pipeline;
    enum inplace_mode mode;
    const struct pass_watch *watch;
    struct sizes *sizes;
    struct byte_sum missed, copied; /* as the script is */
};

/* ---- which edits ---- */

static bool is_at(struct location a, struct location b)
{
    return a.source && a.source == b.source && a.begin == b.begin && a.end == b.end;
}

static bool edit_of(const struct inplace_decision *decision, enum edit_kind *out)
{
    if (!totals_is_missed(decision))
        return false;
    switch (decision->evidence) {
    case EVIDENCE_PARAMETER:
        *out = EDIT_DONATE;
        return true;
    case EVIDENCE_READ:
    case EVIDENCE_READ_BY_ALIAS:
        *out = EDIT_MOVE;
        return true;
    default:
        return false;
    }
}

static bool is_same_edit(const struct trial *trial, const struct inplace_decision *decision,
                         enum edit_kind kind)
{
    return trial->kind == kind && is_at(trial->decision->blocking_loc, decision->blocking_loc) &&
           (kind == EDIT_DONATE || is_at(trial->decision->call_loc, decision->call_loc));
}

static int compare_trials(const void *a, const void *b)
{
    const struct trial *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* A key for all decisions that one edit may help. */
static const char *key_of(struct what_if *w, const struct inplace_decision *decision,
                          enum edit_kind kind)
{
    return atom_printf(&w->driver->context->atoms, "%d %u %u", (int)kind,
                       decision->blocking_loc.begin,
                       kind == EDIT_MOVE ? decision->call_loc.begin : 0);
}

static void gather(struct what_if *w, const struct inplace_decisions *decisions, struct trials *out)
{
    struct map known = {0}; /* key -> its place, counted from 1 */

    for (size_t i = 0; i < decisions->count; i++) {
        const struct inplace_decision *decision = &decisions->items[i];
        enum edit_kind kind;

        if (!edit_of(decision, &kind))
            continue;
        const char *key = key_of(w, decision, kind);
        size_t place = (uintptr_t)map_get(&known, key);

        if (place == 0 || !is_same_edit(&out->items[place - 1], decision, kind)) {
            place = out->count + 1;
            array_push(out, (struct trial){.kind = kind, .decision = decision, .order = place});
            map_set(&known, key, (void *)(uintptr_t)place);
        }
        byte_sum_add(w->sizes, &out->items[place - 1].bytes, decision);
    }
    map_finish(&known);
    for (size_t i = 0; i < out->count; i++)
        out->items[i].rank = byte_sum_rank(w->sizes, &out->items[i].bytes);
    if (out->count > 1)
        qsort(out->items, out->count, sizeof(*out->items), compare_trials);
}

/* ---- a parameter that is donated ---- */

static struct ir_function *function_at(struct ir_module *module, struct location place,
                                       unsigned *out_param)
{
    for (size_t i = 0; i < module->global_count; i++) {
        struct ir_function *function =
            module->globals[i]->kind == IR_GLOBAL_FUNCTION ? module->globals[i]->function : NULL;

        for (unsigned k = 0; function && k < function->param_count; k++)
            if (is_at(function->params[k]->loc, place)) {
                *out_param = k;
                return function;
            }
    }
    return NULL;
}

/* What the edit is called; NULL if it cannot be made. */
static const char *donate(struct what_if *w, struct ir_module *module, const struct trial *trial)
{
    struct ir_context *context = module->context;
    array(int64_t) positions = {0};
    unsigned param = 0;
    struct ir_function *function = function_at(module, trial->decision->blocking_loc, &param);

    if (!function || ir_function_donates(function, param))
        return NULL;
    for (unsigned i = 0; i < function->param_count; i++)
        if (i == param || ir_function_donates(function, i))
            array_push(&positions, (int64_t)i);
    function->attrs =
        ir_attr_dict_with(context, function->attrs, "relax.inplace_arg",
                          ir_attr_ints(context, positions.items, (unsigned)positions.count));
    array_finish(&positions);
    return arena_printf(&w->driver->arena, "donate `%s` of `%s`", function->params[param]->name,
                        function->name);
}

/* ---- a read that is moved in front of the call ---- */

struct op_search {
    struct location place;
    struct ir_op *found;
};

static bool look_at(void *state, struct ir_op *op)
{
    struct op_search *search = state;

    if (is_at(op->loc, search->place))
        search->found = op;
    return !search->found;
}

static struct ir_op *op_at(struct ir_module *module, struct location place)
{
    struct op_search search = {.place = place};

    for (size_t i = 0; i < module->global_count && !search.found; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, look_at, &search);
    return search.found;
}

/* Marks what @op, which is to be moved, needs. */
static void need_operands(struct map *needed, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_op *def = op->operands[i].value->def;

        if (def && ir_value_is_inline(op->operands[i].value))
            need_operands(needed, def);
        else if (def)
            map_set(needed, def, def);
    }
}

static bool may_move(const struct ir_op *op)
{
    return op->region_count == 0 && !(op->info->traits & IR_TERMINATOR) && ir_op_is_pure(op) &&
           !ir_op_is(op, IR_CORE_function) && !ir_op_is(op, IR_CORE_match_cast);
}

/* Moves @read, and what it needs of the ops between, in front of @call of the same block. */
static bool move_in_front(struct ir_op *call, struct ir_op *read)
{
    struct map needed = {0};
    array(struct ir_op *) moved = {0};
    unsigned steps = 0;
    bool is_good = true;

    map_set(&needed, read, read);
    for (struct ir_op *op = read; is_good && op && op != call; op = op->prev) {
        if (!map_has(&needed, op))
            continue;
        is_good = may_move(op) && ++steps < MOVE_OP_LIMIT;
        need_operands(&needed, op);
        array_push(&moved, op);
    }
    is_good = is_good && !map_has(&needed, call);
    for (size_t i = moved.count; is_good && i > 0; i--) {
        ir_op_unlink(moved.items[i - 1]);
        ir_op_insert_before(call, moved.items[i - 1]);
    }
    array_finish(&moved);
    map_finish(&needed);
    return is_good;
}

static bool is_behind(const struct ir_op *call, const struct ir_op *read)
{
    unsigned steps = 0;

    for (const struct ir_op *op = call->next; op && steps < MOVE_OP_LIMIT; op = op->next, steps++)
        if (op == read)
            return true;
    return false;
}

static const char *move(struct what_if *w, struct ir_module *module, const struct trial *trial)
{
    struct ir_op *call = op_at(module, trial->decision->call_loc);
    struct ir_op *read = op_at(module, trial->decision->blocking_loc);

    if (!call || !read || !is_behind(call, read) || !move_in_front(call, read))
        return NULL;
    return arena_printf(&w->driver->arena, "move the read on line %u in front of line %u",
                        location_line(trial->decision->blocking_loc),
                        location_line(trial->decision->call_loc));
}

/* ---- trying ---- */

static void measure(struct what_if *w, const struct inplace_decisions *decisions,
                    struct byte_sum *out_missed, struct byte_sum *out_copied)
{
    struct totals totals;

    totals_make(&totals, w->sizes, decisions, NULL);
    *out_missed = totals_missed(&totals, w->sizes);
    *out_copied = totals.copied;
    totals_finish(&totals);
}

/*
 * What the pipeline saves on @module, which it changes: bytes that are not missed any more, or where
 * those stay, bytes that are not copied.  False if it fails.
 */
static bool decide_again(struct what_if *w, struct ir_module **module, struct byte_sum *out)
{
    struct diag *said = w->driver->diag;
    struct inplace_decisions decisions = {0};
    struct byte_sum missed, copied;

    w->driver->diag = diag_create(); /* what a trial reports is nobody's business */
    bool is_good = driver_decide(w->driver, module, w->pipeline, w->mode, w->watch, &decisions);
    diag_destroy(w->driver->diag);
    w->driver->diag = said;
    measure(w, &decisions, &missed, &copied);
    inplace_decisions_finish(&decisions);
    *out = byte_sum_minus(w->sizes, &w->missed, &missed);
    if (byte_sum_rank(w->sizes, out) == 0)
        *out = byte_sum_minus(w->sizes, &w->copied, &copied);
    return is_good;
}

static void try(struct what_if *w, const struct trial *trial, struct what_if_edits *out)
{
    struct ir_module *module = ir_module_clone(w->script);
    const char *text =
        trial->kind == EDIT_DONATE ? donate(w, module, trial) : move(w, module, trial);
    struct what_if_edit edit = {.text = text, .place = trial->decision->blocking_loc};

    if (text && decide_again(w, &module, &edit.saved) && byte_sum_rank(w->sizes, &edit.saved) > 0)
        array_push(out, edit);
    ir_module_destroy(module);
}

static bool count_op(void *state, struct ir_op *op)
{
    size_t *count = state;

    ++*count;
    return true;
}

static size_t tries_for(const struct ir_module *module)
{
    size_t ops = 1;

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, count_op, &ops);
    size_t tries = TRY_OP_LIMIT / ops;
    return tries < 1 ? 1 : tries > TRY_LIMIT ? TRY_LIMIT : tries;
}

/* Most bytes first; the order of trials where that is equal. */
static void sort_edits(struct sizes *sizes, struct what_if_edits *edits)
{
    for (size_t i = 1; i < edits->count; i++)
        for (size_t k = i; k > 0; k--) {
            struct what_if_edit *a = &edits->items[k - 1], *b = a + 1, kept = *a;

            if (byte_sum_rank(sizes, &a->saved) >= byte_sum_rank(sizes, &b->saved))
                break;
            *a = *b;
            *b = kept;
        }
}

void what_if(struct driver *driver, const struct ir_module *script, const char *pipeline,
             enum inplace_mode mode, const struct pass_watch *watch, struct sizes *sizes,
             const struct inplace_decisions *decisions, struct what_if_edits *out)
{
    struct what_if w = {.driver = driver,
                        .script = script,
                        .pipeline = pipeline,
                        .mode = mode,
                        .watch = watch,
                        .sizes = sizes};
    struct trials trials = {0};
    size_t tries = tries_for(script);

    measure(&w, decisions, &w.missed, &w.copied);
    gather(&w, decisions, &trials);
    for (size_t i = 0; i < trials.count && i < tries; i++)
        try(&w, &trials.items[i], out);
    array_finish(&trials);
    sort_edits(sizes, out);
}

/* ---- text ---- */

void what_if_put(struct sizes *sizes, const struct what_if_edits *edits, struct text *out)
{
    for (size_t i = 0; i < edits->count && i < SHOWN; i++) {
        text_printf(out, "what-if: %s: ", edits->items[i].text);
        byte_sum_put(sizes, &edits->items[i].saved, out);
        text_puts(out, " bytes\n");
    }
}

void what_if_put_json(struct sizes *sizes, const struct what_if_edits *edits, struct text *out)
{
    text_putc(out, '[');
    for (size_t i = 0; i < edits->count; i++) {
        const struct what_if_edit *edit = &edits->items[i];

        text_puts(out, i ? ", {\"edit\": " : "{\"edit\": ");
        text_put_json(out, edit->text, strlen(edit->text));
        text_printf(out, ", \"line\": %u, \"bytes\": ", location_line(edit->place));
        byte_sum_put_json(sizes, &edit->saved, out);
        text_putc(out, '}');
    }
    text_putc(out, ']');
}

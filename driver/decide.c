/* Decisions of a pipeline beside those of the script; see decide.h. */
#include "driver/decide.h"

#include <stdint.h>
#include <stdlib.h>

/* ---- places of the script, to be looked up ---- */

/* Something that stands at @loc, or was made of what does. */
struct stand {
    struct location loc;
    const struct inplace_decision *decision; /* one of the two */
    const struct ir_op *op;
};

struct stands {
    struct stand *items;
    size_t count, capacity; /* an array() */
};

static int compare_places(struct location a, struct location b)
{
    if (a.source != b.source)
        return (uintptr_t)a.source < (uintptr_t)b.source ? -1 : 1;
    if (a.begin != b.begin)
        return a.begin < b.begin ? -1 : 1;
    return (a.end > b.end) - (a.end < b.end);
}

static int compare_stands(const void *a, const void *b)
{
    const struct stand *x = a, *y = b;
    return compare_places(x->loc, y->loc);
}

static void sort_stands(struct stands *stands)
{
    if (stands->count > 1)
        qsort(stands->items, stands->count, sizeof(*stands->items), compare_stands);
}

/* The first of those at @loc, and their number. */
static const struct stand *find(const struct stands *stands, struct location loc, size_t *out_count)
{
    size_t low = 0, high = stands->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_places(stands->items[middle].loc, loc) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    size_t end = low;
    while (end < stands->count && compare_places(stands->items[end].loc, loc) == 0)
        end++;
    *out_count = end - low;
    return end > low ? &stands->items[low] : NULL;
}

/* ---- what became of a call ---- */

/* Is @made, of the program that runs, what became of @asked, of the script? */
static bool is_kept(const struct inplace_decision *asked, const struct inplace_decision *made)
{
    return made->places.count == 0
               ? asked->output == made->output && asked->argument == made->argument
               : asked->value == made->value;
}

static struct stands stands_of_decisions(const struct inplace_decisions *decisions)
{
    struct stands stands = {0};
    for (size_t i = 0; i < decisions->count; i++) {
        const struct inplace_decision *decision = &decisions->items[i];
        if (decision->places.count == 0)
            array_push(&stands, (struct stand){.loc = decision->call_loc, .decision = decision});
        for (unsigned k = 0; k < decision->places.count; k++)
            array_push(&stands,
                       (struct stand){.loc = decision->places.items[k], .decision = decision});
    }
    sort_stands(&stands);
    return stands;
}

static bool push_op(void *state, struct ir_op *op)
{
    struct stands *stands = state;
    for (unsigned i = 0; i < op->places.count; i++)
        array_push(stands, (struct stand){.loc = op->places.items[i], .op = op});
    return true;
}

/* The ops that passes made of several. */
static struct stands stands_of_ops(const struct ir_module *module)
{
    struct stands stands = {0};
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, push_op, &stands);
    sort_stands(&stands);
    return stands;
}

/* @decision is about a call that is gone; @ops: where it may be now. */
static void elide(const struct stands *ops, struct inplace_decision *decision)
{
    size_t count;
    const struct stand *stand = find(ops, decision->call_loc, &count);
    decision->verdict = INPLACE_ELIDED;
    decision->evidence = stand ? EVIDENCE_FUSED : EVIDENCE_REMOVED;
    decision->blocking_loc = stand ? stand->op->loc : (struct location){0};
    decision->written_loc = (struct location){0};
    decision->sharing = SHARING_NONE;
    decision->alias_loc = (struct location){0};
}

/* Adds what @asked has and @out has not. */
static void add_gone(const struct ir_module *module, struct inplace_candidates *asked,
                     struct inplace_decisions *out)
{
    struct stands made = stands_of_decisions(out), ops = stands_of_ops(module);
    array(struct inplace_decision) gone = {0};
    for (size_t i = 0; i < asked->count; i++) {
        struct inplace_decision *decision = &asked->items[i].decision;
        bool is_there = false;
        size_t count;
        const struct stand *stand = find(&made, decision->call_loc, &count);
        for (size_t k = 0; k < count && !is_there; k++)
            is_there = is_kept(decision, stand[k].decision);
        if (is_there)
            continue;
        elide(&ops, decision);
        array_push(&gone, *decision);
    }
    for (size_t i = 0; i < gone.count; i++)
        array_push(out, gone.items[i]);
    array_finish(&gone);
    array_finish(&made);
    array_finish(&ops);
}

/* ---- the order of the text ---- */

/* Decisions of one place stay in their order. */
struct ordered {
    struct inplace_decision decision;
    size_t order;
};

static int compare(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    uint32_t begin_x = x->decision.call_loc.begin, begin_y = y->decision.call_loc.begin;
    if (begin_x != begin_y)
        return begin_x < begin_y ? -1 : 1;
    if (x->decision.output != y->decision.output)
        return x->decision.output < y->decision.output ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static void sort(struct inplace_decisions *decisions)
{
    struct arena arena = {0};
    struct ordered *items = arena_array(&arena, struct ordered, decisions->count + 1);
    for (size_t i = 0; i < decisions->count; i++)
        items[i] = (struct ordered){decisions->items[i], i};
    qsort(items, decisions->count, sizeof(*items), compare);
    for (size_t i = 0; i < decisions->count; i++)
        decisions->items[i] = items[i].decision;
    arena_finish(&arena);
}

bool driver_decide(struct driver *driver, struct ir_module **module, const char *pipeline,
                   enum inplace_mode mode, const struct pass_watch *watch,
                   struct inplace_decisions *out)
{
    struct inplace_candidates asked = {.has_calls = true};
    inplace_analyze(*module, mode, &asked);
    out->is_question = true;
    bool is_good = driver_run_passes(driver, module, pipeline, mode, out, watch);
    if (is_good)
        add_gone(*module, &asked, out);
    sort(out);
    array_finish(&asked);
    return is_good;
}

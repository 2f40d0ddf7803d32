/*
 * ReorderForPeak: ops of graph functions in an order in which less is held at once.
 *
 *     a = f(x); b = f(y); c = sum(a); d = sum(b)
 *  => a = f(x); c = sum(a); b = f(y); d = sum(b)
 *
 * Lives are those that the plan will have: a value is held from what makes it to its last reader,
 * and a kernel whose loops allow it, and which reads an operand last, gives its result in the
 * storage of that. So it stands in front of InplaceCalls, which then finds what the order was made
 * for; behind it, calls that update in place keep behind all readers of what they overwrite
 * (graph/order.h).
 *
 * Results stay the same to the bit: no op is changed.  An order is taken only if its peak is lower;
 * with symbolic sizes, at none of several sizes higher.
 */
#include "passes/memory/reorder_runs.h"

#include <stdlib.h>

struct reordering {
    struct pass_run *run;
    struct storage_module facts;
    struct map peaks; /* function -> what it holds + 1 */
    bool is_changed;
};

/* ---- the new order ---- */

/* Whatever symbols stand for, as far as samples show: never more than @before? */
static bool is_never_more(struct reorder_run *run, const unsigned *before, const unsigned *order)
{
    for (unsigned i = 1; i < RUN_SAMPLES; i++)
        if (reorder_run_peak(run, order, i, NULL) > reorder_run_peak(run, before, i, NULL))
            return false;
    return true;
}

static void move(const struct reorder_run *run, const unsigned *order)
{
    struct ir_block *block = run->ops.items[0]->block;
    struct ir_op *next = array_last(&run->ops)->next;

    for (size_t i = 0; i < run->ops.count; i++)
        ir_op_unlink(run->ops.items[i]);
    for (size_t i = 0; i < run->ops.count; i++) {
        struct ir_op *op = run->ops.items[order[i]];

        if (next)
            ir_op_insert_before(next, op);
        else
            ir_op_append(block, op);
    }
}

/* Returns the peak that @run has then. */
static int64_t reorder(struct reordering *r, struct reorder_run *run, bool is_symbolic)
{
    size_t count = run->ops.count;
    unsigned *order = arena_array(&r->run->scratch, unsigned, count + 1);
    unsigned *before = arena_array(&r->run->scratch, unsigned, count + 1);
    struct peak_found found;

    for (unsigned i = 0; i < count; i++)
        before[i] = i;
    if (!peak_order(&run->problem, (uint64_t)pass_option_int(r->run, "tries"), order, &found) ||
        (is_symbolic && !is_never_more(run, before, order)))
        return run->given;
    move(run, order);
    r->is_changed = true;
    return found.peak;
}

/* ---- functions ---- */

static int compare_runs(const void *a, const void *b)
{
    const struct reorder_run *x = *(struct reorder_run *const *)a;
    const struct reorder_run *y = *(struct reorder_run *const *)b;

    if (x->given != y->given)
        return x->given > y->given ? -1 : 1;
    return (x > y) - (x < y);
}

/* Runs by what they hold, most first. */
static struct reorder_run **sort_runs(struct reordering *r, struct reorder_runs *runs)
{
    struct reorder_run **sorted =
        arena_array(&r->run->scratch, struct reorder_run *, runs->count + 1);

    for (size_t i = 0; i < runs->count; i++) {
        struct reorder_run *run = sorted[i] = &runs->items[i];
        unsigned *order = arena_array(&r->run->scratch, unsigned, run->ops.count + 1);

        for (unsigned k = 0; k < run->ops.count; k++)
            order[k] = k;
        run->given = peak_of(&run->problem, order, NULL);
    }
    if (runs->count > 1)
        qsort(sorted, runs->count, sizeof(struct reorder_run *), compare_runs);
    return sorted;
}

/* The run with the highest peak first, and no more once one stays as high. */
static void reorder_function(struct reordering *r, struct ir_function *function)
{
    struct reorder_runs runs = {0};

    reorder_runs_find(r->run, &r->facts, function, &r->peaks, &runs);
    struct reorder_run **sorted = sort_runs(r, &runs);
    int64_t floor = 0;

    for (size_t i = 0; i < runs.count && sorted[i]->given > floor; i++) {
        int64_t peak = reorder(r, sorted[i], runs.is_symbolic);

        floor = peak > floor ? peak : floor;
    }
    if (floor > runs.peak)
        runs.peak = floor;
    map_set(&r->peaks, function, (const void *)(uintptr_t)(runs.peak + 1)); /* NOLINT */
    reorder_runs_finish(&runs);
}

enum pass_result pass_reorder_for_peak(struct pass_run *run)
{
    struct reordering r = {.run = run};

    storage_module_init(&r.facts, run->module);
    for (size_t i = 0; i < r.facts.node_count; i++)
        reorder_function(&r, r.facts.order[i]->function);
    map_finish(&r.peaks);
    storage_module_finish(&r.facts);
    return r.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

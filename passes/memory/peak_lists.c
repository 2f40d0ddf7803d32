/*
 * Orders by rules, for problems too large to be searched, and to begin searches with.
 *
 * All are made by one step: emit a node, behind whatever it needs that was not emitted.
 */
#include "passes/memory/peak.h"

#include <stdlib.h>

struct emitter {
    const struct peak_problem *problem;
    struct arena arena;
    unsigned *order, count;
    bool *is_done;
    unsigned *before; /* problem->before, sorted as the rule says */
    unsigned *next;   /* by node: how many of them were looked at */
    array(unsigned) stack;
    void (*emitted)(struct emitter *emitter, unsigned node); /* or NULL */
};

/* ---- emitting ---- */

static void emit(struct emitter *e, unsigned wanted)
{
    if (!e->is_done[wanted])
        array_push(&e->stack, wanted);
    while (e->stack.count > 0) {
        unsigned node = array_last(&e->stack);
        const struct peak_list *before = &e->problem->nodes.items[node].before;

        if (e->next[node] < before->count) {
            unsigned other = e->before[before->first + e->next[node]++];

            if (!e->is_done[other])
                array_push(&e->stack, other);
            continue;
        }
        e->stack.count--;
        if (e->is_done[node])
            continue;
        e->is_done[node] = true;
        e->order[e->count++] = node;
        if (e->emitted)
            e->emitted(e, node);
    }
}

static void begin(struct emitter *e, const struct peak_problem *problem, unsigned *order)
{
    size_t count = problem->nodes.count;

    *e = (struct emitter){.problem = problem, .order = order, .before = problem->before};
    e->is_done = arena_array(&e->arena, bool, count + 1);
    e->next = arena_array(&e->arena, unsigned, count + 1);
}

/* What nobody wanted comes last. */
static void end(struct emitter *e)
{
    for (unsigned i = 0; i < e->problem->nodes.count; i++)
        emit(e, i);
    array_finish(&e->stack);
    arena_finish(&e->arena);
}

/* ---- as they stand ---- */

static void late_order(const struct peak_problem *problem, unsigned *order)
{
    struct emitter e;

    begin(&e, problem, order);
    for (unsigned i = 0; i < problem->nodes.count; i++)
        if (!problem->nodes.items[i].is_lazy)
            emit(&e, i);
    end(&e);
}

/* ---- what needs most first ---- */

struct need {
    int64_t key; /* what is held while it is made, above what is held behind it */
    unsigned node;
};

static int compare_needs(const void *a, const void *b)
{
    const struct need *x = a, *y = b;

    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static int64_t sum_of(int64_t a, int64_t b)
{
    return a > PEAK_LARGEST - b ? PEAK_LARGEST : a + b;
}

static int64_t made_by(const struct peak_problem *problem, unsigned node)
{
    const struct peak_list *makes = &problem->nodes.items[node].makes;
    int64_t bytes = 0;

    for (unsigned i = 0; i < makes->count; i++)
        bytes += problem->values.items[problem->makes.items[makes->first + i].value].bytes;
    return bytes;
}

struct deep {
    struct emitter emitter;
    int64_t *needs, *made; /* by node */
    struct need *sorted;
};

static unsigned sort_needs(struct deep *d, const unsigned *nodes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        d->sorted[i] = (struct need){d->needs[nodes[i]] - d->made[nodes[i]], nodes[i]};
    qsort(d->sorted, count, sizeof(*d->sorted), compare_needs);
    return count;
}

/* What is held at most until @node, behind all that it needs, has run, as if it were a tree. */
static void find_need(struct deep *d, unsigned node)
{
    const struct peak_problem *problem = d->emitter.problem;
    const struct peak_list *before = &problem->nodes.items[node].before;
    unsigned *list = d->emitter.before + before->first;
    int64_t held = 0, need = 0;

    for (unsigned i = 0, count = sort_needs(d, list, before->count); i < count; i++) {
        int64_t most = sum_of(held, d->needs[d->sorted[i].node]);

        list[i] = d->sorted[i].node;
        need = most > need ? most : need;
        held = sum_of(held, d->made[list[i]]);
    }
    int64_t most = sum_of(held, sum_of(d->made[node], problem->nodes.items[node].extra));

    d->needs[node] = most > need ? most : need;
}

static void deep_order(const struct peak_problem *problem, unsigned *order)
{
    struct deep d;
    unsigned count = (unsigned)problem->nodes.count, sinks = 0;

    begin(&d.emitter, problem, order);
    struct arena *arena = &d.emitter.arena;
    unsigned *last = arena_array(arena, unsigned, count + 1);

    d.needs = arena_array(arena, int64_t, count + 1);
    d.made = arena_array(arena, int64_t, count + 1);
    d.sorted = arena_array(arena, struct need, count + 1 + problem->edges.count);
    d.emitter.before = arena_array(arena, unsigned, problem->edges.count + 1);
    for (size_t i = 0; i < problem->edges.count; i++)
        d.emitter.before[i] = problem->before[i];
    for (unsigned i = 0; i < count; i++) {
        d.made[i] = made_by(problem, i);
        find_need(&d, i);
        if (problem->nodes.items[i].after.count == 0)
            last[sinks++] = i;
    }
    (void)sort_needs(&d, last, sinks);
    for (unsigned i = 0; i < sinks; i++)
        emit(&d.emitter, d.sorted[i].node);
    end(&d.emitter);
}

/* ---- least growth ---- */

/* A node that can run, as it stood when it was put here. */
struct ready {
    int64_t growth;
    unsigned since, node;
};

struct growth {
    struct emitter emitter; /* first: it is what emitted() gets */
    array(struct ready) heap;
    int64_t *growth; /* by node: what is held more behind it */
    unsigned
        *missing;    /* by node: of those in front of it that are not lazy, how many did not run */
    unsigned *since; /* by node: when it became ready; 0: it is not */
    unsigned *left;  /* by value: readers that did not run */
    unsigned clock;
};

/* Least growth; what became ready last, which goes on with what was made last. */
static bool is_better(const struct ready *a, const struct ready *b)
{
    if (a->growth != b->growth)
        return a->growth < b->growth;
    return a->since != b->since ? a->since > b->since : a->node < b->node;
}

static void put(struct growth *g, unsigned node)
{
    struct ready item = {g->growth[node], g->since[node], node};
    size_t at = g->heap.count;

    array_push(&g->heap, item);
    for (; at > 0 && is_better(&item, &g->heap.items[(at - 1) / 2]); at = (at - 1) / 2)
        g->heap.items[at] = g->heap.items[(at - 1) / 2];
    g->heap.items[at] = item;
}

static struct ready get(struct growth *g)
{
    struct ready *items = g->heap.items, best = items[0], last = array_pop(&g->heap);
    size_t at = 0, count = g->heap.count;

    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_better(&items[child + 1], &items[child]))
            child++;
        if (!is_better(&items[child], &last))
            break;
        items[at] = items[child];
    }
    if (count > 0)
        items[at] = last;
    return best;
}

static void make_ready(struct growth *g, unsigned node)
{
    g->since[node] = ++g->clock;
    put(g, node);
}

/* Whoever reads @value last now ends it. */
static void note_last(struct growth *g, unsigned value)
{
    const struct peak_problem *problem = g->emitter.problem;
    const struct peak_value *v = &problem->values.items[value];

    if (v->is_kept)
        return;
    for (unsigned i = 0; i < v->readers.count; i++) {
        unsigned reader = problem->readers[v->readers.first + i];

        if (g->emitter.is_done[reader])
            continue;
        g->growth[reader] -= v->bytes;
        if (g->since[reader] > 0)
            put(g, reader);
        return;
    }
}

static void note_emitted(struct emitter *e, unsigned index)
{
    struct growth *g = (struct growth *)e;
    const struct peak_problem *problem = e->problem;
    const struct peak_node *node = &problem->nodes.items[index];

    for (unsigned i = 0; i < node->reads.count; i++) {
        unsigned value = problem->reads.items[node->reads.first + i];

        if (--g->left[value] == 1)
            note_last(g, value);
    }
    for (unsigned i = 0; i < node->after.count && !node->is_lazy; i++) {
        unsigned other = problem->after[node->after.first + i];

        if (--g->missing[other] == 0 && !problem->nodes.items[other].is_lazy)
            make_ready(g, other);
    }
}

static void begin_growth(struct growth *g)
{
    const struct peak_problem *problem = g->emitter.problem;

    for (size_t i = 0; i < problem->values.count; i++)
        g->left[i] = problem->values.items[i].readers.count;
    for (unsigned i = 0; i < problem->nodes.count; i++) {
        const struct peak_node *node = &problem->nodes.items[i];

        g->growth[i] = made_by(problem, i);
        for (unsigned k = 0; k < node->before.count; k++)
            g->missing[i] += !problem->nodes.items[problem->before[node->before.first + k]].is_lazy;
        for (unsigned k = 0; k < node->reads.count; k++) {
            const struct peak_value *value =
                &problem->values.items[problem->reads.items[node->reads.first + k]];

            if (!value->is_kept && value->readers.count == 1)
                g->growth[i] -= value->bytes;
        }
    }
    for (unsigned i = (unsigned)problem->nodes.count;
         i-- > 0;) /* the first is the last to be ready */
        if (g->missing[i] == 0 && !problem->nodes.items[i].is_lazy)
            make_ready(g, i);
}

static void growth_order(const struct peak_problem *problem, unsigned *order)
{
    struct growth g = {0};
    size_t count = problem->nodes.count;

    begin(&g.emitter, problem, order);
    g.emitter.emitted = note_emitted;
    g.growth = arena_array(&g.emitter.arena, int64_t, count + 1);
    g.missing = arena_array(&g.emitter.arena, unsigned, count + 1);
    g.since = arena_array(&g.emitter.arena, unsigned, count + 1);
    g.left = arena_array(&g.emitter.arena, unsigned, problem->values.count + 1);
    begin_growth(&g);
    while (g.heap.count > 0) {
        struct ready best = get(&g);

        if (!g.emitter.is_done[best.node] && best.growth == g.growth[best.node])
            emit(&g.emitter, best.node);
    }
    end(&g.emitter);
    array_finish(&g.heap);
}

void peak_list_order(const struct peak_problem *problem, enum peak_list_kind kind, unsigned *order)
{
    if (kind == PEAK_LATE)
        late_order(problem, order);
    else if (kind == PEAK_DEEP)
        deep_order(problem, order);
    else
        growth_order(problem, order);
}

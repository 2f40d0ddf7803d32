/*
 * Greedy plans: a portfolio of orders, each with one of the ways to place parts.  Which order is best
 * differs from program to program.
 */
#include "analysis/pack/greedy.h"

#include "base/util.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORK = 60000000, /* parts looked at, after which no further order begins */
};

enum way { FIRST_HOLE, TIGHT_HOLE, LAYERS };

struct key {
    double value;
    uint32_t part;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->value != y->value)
        return x->value > y->value ? -1 : 1; /* great ones first */
    return (x->part > y->part) - (x->part < y->part);
}

static double by_size(const struct pack_problem *problem, const struct pack_part *part)
{
    return (double)part->size;
}

static double duration(const struct pack_problem *problem, const struct pack_part *part)
{
    return (double)problem->times[part->last] - (double)problem->times[part->first];
}

static double by_area(const struct pack_problem *problem, const struct pack_part *part)
{
    return (double)part->size * duration(problem, part);
}

static double by_load(const struct pack_problem *problem, const struct pack_part *part)
{
    return (double)part->size * (part->load + (double)part->size);
}

static double by_time(const struct pack_problem *problem, const struct pack_part *part)
{
    return -(double)part->first;
}

/* Those that live where most is alive first, the larger ones before. */
static double by_crowd(const struct pack_problem *problem, const struct pack_part *part)
{
    return (double)part->most * (double)part->size;
}

/* The order of trying: what is best most often, first. */
static const struct order {
    double (*key)(const struct pack_problem *problem, const struct pack_part *part);
    enum way way;
} order_table[] = {
    {by_size, FIRST_HOLE}, {by_time, LAYERS},      {by_load, FIRST_HOLE},  {by_area, FIRST_HOLE},
    {by_area, LAYERS},     {by_time, TIGHT_HOLE},  {duration, FIRST_HOLE}, {duration, LAYERS},
    {by_size, LAYERS},     {by_crowd, FIRST_HOLE}, {by_size, TIGHT_HOLE},  {by_crowd, LAYERS},
    {by_load, LAYERS},     {by_load, TIGHT_HOLE},  {by_area, TIGHT_HOLE},  {duration, TIGHT_HOLE},
    {by_time, FIRST_HOLE}, {by_crowd, TIGHT_HOLE},
};

struct greedy {
    const struct pack_problem *problem;
    struct holes *holes;
    struct layers *layers; /* NULL: not for this problem */
    struct key *keys;
    uint32_t *order;
};

static void sort(struct greedy *g, const struct order *order)
{
    for (uint32_t i = 0; i < g->problem->count; i++)
        g->keys[i] = (struct key){order->key(g->problem, &g->problem->parts[i]), i};
    qsort(g->keys, g->problem->count, sizeof(*g->keys), compare_keys);
    for (uint32_t i = 0; i < g->problem->count; i++)
        g->order[i] = g->keys[i].part;
}

static void try(struct greedy *g, const struct order *order, struct pack_plan *best)
{
    const int64_t *offsets =
        order->way == LAYERS ? layers_offsets(g->layers) : holes_offsets(g->holes);

    sort(g, order);
    int64_t height = order->way == LAYERS
                         ? layers_fill(g->layers, g->order)
                         : holes_fill(g->holes, g->order, order->way == TIGHT_HOLE);

    if (height < best->height) {
        best->height = height;
        memcpy(best->offsets, offsets, g->problem->count * sizeof(*offsets));
    }
}

/* Work is counted, so that what is tried does not depend on the machine. */
static uint64_t work_of(const struct greedy *g)
{
    return holes_work(g->holes) + (g->layers ? layers_work(g->layers) : 0);
}

void pack_greedy(const struct pack_problem *problem, int64_t enough, struct pack_plan *best,
                 struct arena *scratch)
{
    struct greedy g = {.problem = problem,
                       .holes = holes_create(problem, scratch),
                       .layers = layers_create(problem, scratch),
                       .keys = arena_array(scratch, struct key, problem->count + 1),
                       .order = arena_array(scratch, uint32_t, problem->count + 1)};

    best->height = INT64_MAX;
    for (size_t i = 0; i < ARRAY_SIZE(order_table); i++) {
        if (order_table[i].way == LAYERS && !g.layers)
            continue;
        try(&g, &order_table[i], best);
        if (best->height <= enough || work_of(&g) > WORK)
            return;
    }
}

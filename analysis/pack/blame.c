/*
 * Who is to blame: items are left out, small ones first, for as long as the rest cannot have the capacity.
 *
 * What cannot still cannot with more items, so one pass in ever smaller bites is enough.
 */
#include "analysis/pack/pack_internal.h"
#include "base/array.h"
#include "base/util.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct blame {
    const struct pack_item *items;
    struct pack_limits limits;
    double end;
    struct pack_item *tried; /* copies of those that are tried */
    size_t *chosen, count;   /* still to blame, small ones first */
    bool is_open;            /* a question got no answer */
};

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Is it proved that the chosen ones but those of [begin, end) cannot have the capacity? */
static bool cannot(struct blame *blame, size_t begin, size_t end)
{
    struct pack_limits limits = blame->limits;
    struct pack_result result;
    struct arena scratch = {0};
    size_t count = 0;

    for (size_t i = 0; i < blame->count; i++)
        if (i < begin || i >= end)
            blame->tried[count++] = blame->items[blame->chosen[i]];
    limits.seconds = blame->end - now();
    if (limits.seconds < 0)
        limits.seconds = 0;
    (void)pack(blame->tried, count, &limits, &result, &scratch);
    arena_finish(&scratch);
    if (!result.fits && !result.is_proved)
        blame->is_open = true;
    return !result.fits && result.is_proved;
}

static void leave_out(struct blame *blame, size_t begin, size_t end)
{
    memmove(&blame->chosen[begin], &blame->chosen[end],
            (blame->count - end) * sizeof(*blame->chosen));
    blame->count -= end - begin;
}

static void reduce(struct blame *blame)
{
    for (size_t bite = (blame->count + 1) / 2; bite; bite = bite > 1 ? (bite + 1) / 2 : 0) {
        blame->is_open = false;
        for (size_t begin = 0; begin < blame->count;) {
            size_t end = begin + bite < blame->count ? begin + bite : blame->count;

            if (end - begin < blame->count && cannot(blame, begin, end))
                leave_out(blame, begin, end);
            else
                begin = end;
        }
    }
}

struct small_first {
    int64_t size;
    size_t index;
};

static int compare_sizes(const void *a, const void *b)
{
    const struct small_first *x = a, *y = b;

    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return (x->index < y->index) - (x->index > y->index);
}

static int compare_indices(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* The lower end of the first section that needs more than the capacity. */
static bool find_crowd(const struct blame *blame, size_t count, int64_t *out_time)
{
    struct arena scratch = {0};
    struct pack_problem problem;
    bool is_found = false;

    pack_problem_init(&problem, blame->items, count, &scratch);
    for (uint32_t s = 0; s < problem.sections && !is_found; s++)
        if ((is_found = problem.need[s] > blame->limits.capacity))
            *out_time = problem.times[s];
    arena_finish(&scratch);
    return is_found;
}

/* Where one step is enough to see it, only what lives then. */
static void choose(struct blame *blame, size_t count, struct arena *scratch)
{
    struct small_first *order = arena_array(scratch, struct small_first, count + 1);
    int64_t time = 0;
    bool is_crowd = find_crowd(blame, count, &time);

    for (size_t i = 0; i < count; i++) {
        const struct pack_item *item = &blame->items[i];

        if (item->size > 0 && item->lower < item->upper &&
            (!is_crowd || (item->lower <= time && time < item->upper)))
            order[blame->count++] = (struct small_first){item->size, i};
    }
    if (blame->count)
        qsort(order, blame->count, sizeof(*order), compare_sizes);
    for (size_t i = 0; i < blame->count; i++)
        blame->chosen[i] = order[i].index;
}

size_t pack_blame(const struct pack_item *items, size_t count, const struct pack_limits *limits,
                  size_t *out_blamed, bool *out_is_irreducible, struct arena *scratch)
{
    struct blame blame = {.items = items, .limits = *limits, .end = now() + limits->seconds};

    blame.tried = arena_array(scratch, struct pack_item, count + 1);
    blame.chosen = arena_array(scratch, size_t, count + 1);
    choose(&blame, count, scratch);
    if (!cannot(&blame, 0, 0))
        return 0;
    reduce(&blame);
    *out_is_irreducible = !blame.is_open;
    memcpy(out_blamed, blame.chosen, blame.count * sizeof(*out_blamed));
    qsort(out_blamed, blame.count, sizeof(*out_blamed), compare_indices);
    return blame.count;
}

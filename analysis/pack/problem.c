/* Time compressed to sections, what is alive in each, and who meets how many. */
#include "analysis/pack/pack_internal.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

static bool is_real(const struct pack_item *item)
{
    return item->size > 0 && item->lower < item->upper;
}

static int compare_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static uint32_t find_time(const struct pack_problem *problem, int64_t time)
{
    const int64_t *found =
        bsearch(&time, problem->times, problem->sections + 1, sizeof(time), compare_times);

    return (uint32_t)(found - problem->times);
}

/* All ends of lives, once each.  Behind the last there is no section. */
static void cut(struct pack_problem *problem, const struct pack_item *items, size_t count,
                struct arena *scratch)
{
    size_t all = 0, kept = 0;

    problem->times = arena_array(scratch, int64_t, 2 * problem->count + 1);
    for (size_t i = 0; i < count; i++)
        if (is_real(&items[i])) {
            problem->times[all++] = items[i].lower;
            problem->times[all++] = items[i].upper;
        }
    qsort(problem->times, all, sizeof(*problem->times), compare_times);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || problem->times[i] != problem->times[kept - 1])
            problem->times[kept++] = problem->times[i];
    problem->sections = kept ? (uint32_t)kept - 1 : 0;
}

static int compare_parts(const void *a, const void *b)
{
    const struct pack_part *x = a, *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->last != y->last)
        return x->last < y->last ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

/* What divides each offset that a part can have. */
static void find_grain(struct pack_problem *problem)
{
    uint64_t grain = 0;

    for (uint32_t i = 0; i < problem->count; i++) {
        const struct pack_part *part = &problem->parts[i];

        grain = number_gcd(grain, (uint64_t)(part->is_fixed ? part->offset : part->alignment));
    }
    problem->grain = grain ? (int64_t)grain : 1;
}

static void make_parts(struct pack_problem *problem, const struct pack_item *items, size_t count,
                       struct arena *scratch)
{
    uint32_t next = 0;

    problem->parts = arena_array(scratch, struct pack_part, problem->count);
    for (size_t i = 0; i < count; i++)
        if (is_real(&items[i]))
            problem->parts[next++] =
                (struct pack_part){.first = find_time(problem, items[i].lower),
                                   .last = find_time(problem, items[i].upper),
                                   .item = (uint32_t)i,
                                   .size = items[i].size,
                                   .alignment = items[i].alignment ? items[i].alignment : 1,
                                   .offset = items[i].offset,
                                   .is_fixed = items[i].is_fixed};
    if (next)
        qsort(problem->parts, next, sizeof(*problem->parts), compare_parts);
    find_grain(problem);
    for (uint32_t i = 0; i < next; i++)
        problem->parts[i].padded = pack_align(problem->parts[i].size, problem->grain);
}

/* Bytes alive by section: what begins less what ends.  pack_check() bounds the sums. */
static void count_alive(struct pack_problem *problem, struct arena *scratch)
{
    int64_t *change = arena_array(scratch, int64_t, problem->sections + 1);
    int64_t alive = 0;

    problem->need = arena_array(scratch, int64_t, problem->sections + 1);
    for (uint32_t s = 0, i = 0; s < problem->sections; s++) {
        alive += change[s];
        for (; i < problem->count && problem->parts[i].first == s; i++) {
            alive += problem->parts[i].padded;
            change[problem->parts[i].last] -= problem->parts[i].padded;
        }
        problem->need[s] = alive;
    }
}

/*
 * The greatest padding among those that live in each section.  A tree over the sections: node k has the
 * children 2k and 2k + 1, section s is node sections + s.
 */
static int64_t *find_slack(const struct pack_problem *problem, struct arena *scratch)
{
    uint32_t sections = problem->sections;
    int64_t *tree = arena_array(scratch, int64_t, 2 * (size_t)sections + 2);

    for (uint32_t i = 0; i < problem->count; i++) {
        const struct pack_part *part = &problem->parts[i];
        int64_t padding = part->padded - part->size;

        for (size_t a = part->first + (size_t)sections, b = part->last + (size_t)sections; a < b;
             a /= 2, b /= 2) {
            if (a % 2 && tree[a++] < padding)
                tree[a - 1] = padding;
            if (b % 2 && tree[--b] < padding)
                tree[b] = padding;
        }
    }
    for (size_t k = 2; k < 2 * (size_t)sections; k++)
        if (tree[k] < tree[k / 2])
            tree[k] = tree[k / 2];
    return tree + sections;
}

/* A section needs what is alive in it, but the padding of the part on top: at best the greatest. */
static void find_need(struct pack_problem *problem, struct arena *scratch)
{
    const int64_t *slack = find_slack(problem, scratch);

    for (uint32_t s = 0; s < problem->sections; s++)
        problem->need[s] -= slack[s];
}

/* What the neediest of the sections of each part needs, a tree as above; and what is fixed. */
static void find_most(struct pack_problem *problem, struct arena *scratch)
{
    size_t sections = problem->sections;
    int64_t *tree = arena_array(scratch, int64_t, 2 * sections + 2);

    for (size_t s = 0; s < sections; s++)
        tree[sections + s] = problem->need[s];
    for (size_t k = sections; k-- > 1;)
        tree[k] = tree[2 * k] > tree[2 * k + 1] ? tree[2 * k] : tree[2 * k + 1];
    for (uint32_t i = 0; i < problem->count; i++) {
        struct pack_part *part = &problem->parts[i];

        for (size_t a = part->first + sections, b = part->last + sections; a < b; a /= 2, b /= 2) {
            if (a % 2 && part->most < tree[a++])
                part->most = tree[a - 1];
            if (b % 2 && part->most < tree[--b])
                part->most = tree[b];
        }
        if (part->is_fixed && part->most < part->offset + part->size)
            part->most = part->offset + part->size;
        if (problem->bound < part->most)
            problem->bound = part->most;
    }
}

/* A part meets all that begin in front of its end, but those that end in front of its begin. */
static void find_meetings(struct pack_problem *problem, struct arena *scratch)
{
    size_t sections = problem->sections;
    uint32_t *begun = arena_array(scratch, uint32_t, sections + 2);
    uint32_t *ended = arena_array(scratch, uint32_t, sections + 2);
    double *begun_size = arena_array(scratch, double, sections + 2);
    double *ended_size = arena_array(scratch, double, sections + 2);

    for (uint32_t i = 0; i < problem->count; i++) {
        const struct pack_part *part = &problem->parts[i];

        begun[part->first + 1]++;
        ended[part->last]++;
        begun_size[part->first + 1] += (double)part->size;
        ended_size[part->last] += (double)part->size;
    }
    for (size_t s = 1; s <= sections; s++) { /* now: in front of s, and up to s */
        begun[s] += begun[s - 1];
        ended[s] += ended[s - 1];
        begun_size[s] += begun_size[s - 1];
        ended_size[s] += ended_size[s - 1];
    }
    for (uint32_t i = 0; i < problem->count; i++) {
        struct pack_part *part = &problem->parts[i];

        part->meetings = begun[part->last] - ended[part->first] - 1;
        part->load = begun_size[part->last] - ended_size[part->first] - (double)part->size;
    }
}

void pack_problem_init(struct pack_problem *problem, const struct pack_item *items, size_t count,
                       struct arena *scratch)
{
    *problem = (struct pack_problem){0};
    for (size_t i = 0; i < count; i++)
        problem->count += is_real(&items[i]);
    cut(problem, items, count, scratch);
    make_parts(problem, items, count, scratch);
    count_alive(problem, scratch);
    find_need(problem, scratch);
    find_most(problem, scratch);
    find_meetings(problem, scratch);
}

int64_t pack_lower_bound(const struct pack_item *items, size_t count, struct arena *scratch)
{
    struct pack_problem problem;

    pack_problem_init(&problem, items, count, scratch);
    return problem.bound;
}

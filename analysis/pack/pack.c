/*
 * Packing: greedy plans, then searches, for each piece of time that shares nothing with the others.
 *
 * Given a capacity there is one question for each piece.  Else pieces are lowered one by one, the
 * highest first: first down to the bound, then between what is known to be too low and what is known to
 * do.  A question that takes long is put again later, with more work and another rank.
 */
#include "analysis/pack/search.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_WORK = 1 << 18, /* of the first try of a question; it doubles */
    BLURRED_RANKS = 8,    /* of a question, with less work each */
    BLURRED_SHARE = 4,
    ROUNDS = 40,
};

/* What a slow machine does. */
static const double WORK_PER_SECOND = 200e6;

/* Parts [begin, end) of the problem: they share no section with others. */
struct piece {
    uint32_t begin, end;
    int64_t bound, height; /* no plan is lower than the bound */
};

struct packing {
    struct pack_problem problem;
    struct pack_plan plan;
    struct piece *pieces;
    uint32_t piece_count;
    struct pack_budget budget;
    int64_t *offsets; /* of a search */
    struct arena *scratch;
};

/* ---- pieces ---- */

static int64_t piece_bound(const struct pack_problem *problem, const struct piece *piece)
{
    int64_t bound = 0;

    for (uint32_t i = piece->begin; i < piece->end; i++)
        if (bound < problem->parts[i].most)
            bound = problem->parts[i].most;
    return bound;
}

static int64_t piece_height(const struct packing *p, const struct piece *piece)
{
    int64_t height = 0;

    for (uint32_t i = piece->begin; i < piece->end; i++)
        if (height < p->plan.offsets[i] + p->problem.parts[i].size)
            height = p->plan.offsets[i] + p->problem.parts[i].size;
    return height;
}

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    if (x->height != y->height)
        return x->height > y->height ? -1 : 1;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Parts are sorted by begin: a piece ends where none of it lives on. */
static void find_pieces(struct packing *p)
{
    const struct pack_part *parts = p->problem.parts;

    p->pieces = arena_array(p->scratch, struct piece, p->problem.count + 1);
    for (uint32_t i = 0, last = 0; i < p->problem.count; i++) {
        if (i == 0 || parts[i].first >= last)
            p->pieces[p->piece_count++] = (struct piece){.begin = i};
        p->pieces[p->piece_count - 1].end = i + 1;
        if (last < parts[i].last)
            last = parts[i].last;
    }
    for (uint32_t i = 0; i < p->piece_count; i++) {
        p->pieces[i].bound = piece_bound(&p->problem, &p->pieces[i]);
        p->pieces[i].height = piece_height(p, &p->pieces[i]);
    }
    qsort(p->pieces, p->piece_count, sizeof(*p->pieces), compare_pieces);
}

/* ---- questions ---- */

static bool is_over(const struct packing *p)
{
    return p->budget.is_out_of_time || p->budget.work >= p->budget.most_work;
}

static void keep(struct packing *p, struct piece *piece)
{
    for (uint32_t i = piece->begin; i < piece->end; i++)
        if (!p->problem.parts[i].is_fixed)
            p->plan.offsets[i] = p->offsets[i];
    piece->height = piece_height(p, piece);
}

/*
 * Has @piece a plan of height @capacity?  Some ranks find one at once and some never, so many are tried, and in
 * each round others of the blurred ones.
 */
static enum pack_verdict ask(struct packing *p, struct piece *piece, struct pack_search *search,
                             int64_t capacity, unsigned round)
{
    for (unsigned i = 0; i < PACK_BASIC_RANKS + BLURRED_RANKS && !is_over(p); i++) {
        uint64_t work = (uint64_t)FIRST_WORK << round;
        unsigned rank = i;

        if (i >= PACK_BASIC_RANKS) {
            rank += BLURRED_RANKS * round;
            work /= BLURRED_SHARE;
        }
        enum pack_verdict verdict =
            pack_search_run(search, capacity, rank, work, &p->budget, p->offsets);

        if (verdict == PACK_FOUND)
            keep(p, piece);
        if (verdict == PACK_NONE)
            piece->bound = capacity + 1;
        if (verdict != PACK_UNKNOWN)
            return verdict;
    }
    return PACK_UNKNOWN;
}

/* One round of lowering a piece, down to @enough at most: the bound, then halves of what is open. */
static void lower(struct packing *p, struct piece *piece, struct pack_search *search,
                  int64_t enough, unsigned round)
{
    int64_t low = piece->bound > enough ? piece->bound : enough;
    int64_t capacity = low, fine = low / 1024;

    do {
        if (ask(p, piece, search, capacity, round) != PACK_FOUND)
            low = capacity + 1;
        capacity = low + (piece->height - low) / 2;
    } while (piece->height - low > fine && !is_over(p));
}

/* Lowers a piece to @enough, or as far as the budget allows. */
static void work_on(struct packing *p, struct piece *piece, int64_t enough, bool is_capacity)
{
    uint64_t count = piece->end - piece->begin;
    struct pack_search *search =
        count * count / 2 < p->budget.most_work
            ? pack_search_create(&p->problem, piece->begin, piece->end, p->scratch)
            : NULL;

    for (unsigned round = 0; search && piece->height > enough && piece->height > piece->bound &&
                             !is_over(p) && round < ROUNDS;
         round++) {
        if (!is_capacity)
            lower(p, piece, search, enough, round);
        else if (ask(p, piece, search, enough, round) == PACK_NONE)
            break;
    }
    pack_search_destroy(search);
}

/* The pieces are sorted: behind the first that is low enough all are. */
static void search_all(struct packing *p, int64_t enough, const struct pack_limits *limits)
{
    bool is_capacity = limits->capacity >= 0;

    for (uint32_t i = 0; i < p->piece_count && p->pieces[i].height > enough; i++) {
        work_on(p, &p->pieces[i], enough, is_capacity);
        if (is_capacity && p->pieces[i].height > enough)
            break;
        if (enough < p->pieces[i].height)
            enough = p->pieces[i].height;
    }
}

static void judge(const struct packing *p, const struct pack_limits *limits,
                  struct pack_result *result)
{
    *result = (struct pack_result){.lower_bound = p->problem.bound,
                                   .steps = p->budget.work,
                                   .is_out_of_time = p->budget.is_out_of_time};
    for (uint32_t i = 0; i < p->piece_count; i++) {
        if (result->height < p->pieces[i].height)
            result->height = p->pieces[i].height;
        if (result->lower_bound < p->pieces[i].bound)
            result->lower_bound = p->pieces[i].bound;
    }
    result->fits = limits->capacity < 0 || result->height <= limits->capacity;
    result->is_proved =
        result->height == result->lower_bound ||
        (limits->capacity >= 0 && (result->fits || limits->capacity < result->lower_bound));
}

static void budget_init(struct pack_budget *budget, const struct pack_limits *limits)
{
    double work = limits->seconds * WORK_PER_SECOND;

    *budget = (struct pack_budget){.end = pack_clock() + limits->seconds};
    budget->most_work = limits->capacity >= 0 || work > 1e18 ? (uint64_t)1 << 62 : (uint64_t)work;
    if (limits->steps && limits->steps < budget->most_work)
        budget->most_work = limits->steps;
}

bool pack(struct pack_item *items, size_t count, const struct pack_limits *limits,
          struct pack_result *result, struct arena *scratch)
{
    struct packing p = {.scratch = scratch};
    int64_t enough;

    budget_init(&p.budget, limits);
    pack_problem_init(&p.problem, items, count, scratch);
    p.plan.offsets = arena_array(scratch, int64_t, p.problem.count + 1);
    p.offsets = arena_array(scratch, int64_t, p.problem.count + 1);
    enough = limits->capacity > p.problem.bound ? limits->capacity : p.problem.bound;
    if (p.problem.count)
        pack_greedy(&p.problem, enough, &p.plan, scratch);
    if (p.plan.height == INT64_MAX) {
        *result = (struct pack_result){.height = INT64_MAX, .lower_bound = p.problem.bound};
        return false;
    }
    find_pieces(&p);
    if (limits->seconds > 0 && (limits->capacity < 0 || limits->capacity >= p.problem.bound))
        search_all(&p, enough, limits);
    judge(&p, limits, result);
    for (size_t i = 0; i < count; i++)
        if (!items[i].is_fixed)
            items[i].offset = 0;
    for (uint32_t i = 0; i < p.problem.count; i++)
        items[p.problem.parts[i].item].offset = p.plan.offsets[i];
    return true;
}

/* What the files of this folder share: items with a life and bytes, on a compressed axis of time. */
#pragma once

#include "analysis/pack/pack.h"

enum { PACK_NOBODY = UINT32_MAX };

/* One item.  Sections are the pieces that all ends of lives cut the time into. */
struct pack_part {
    uint32_t first, last; /* lives in the sections [first, last) */
    uint32_t item;        /* its index in the caller's items */
    int64_t size, alignment;
    int64_t padded;    /* size, as a multiple of the grain */
    int64_t offset;    /* where it is fixed */
    int64_t most;      /* what the neediest of its sections needs */
    double load;       /* bytes of the parts that it meets */
    uint32_t meetings; /* how many parts it meets */
    bool is_fixed;
};

struct pack_problem {
    uint32_t count, sections;
    struct pack_part *parts; /* sorted by first, then last, then item */
    int64_t *times;          /* where each section begins */
    int64_t *need;           /* of a section: no plan can do with less there */
    int64_t grain;           /* divides all offsets */
    int64_t bound;           /* as pack_lower_bound() */
};

/* Takes the items with life and bytes. */
void pack_problem_init(struct pack_problem *problem, const struct pack_item *items, size_t count,
                       struct arena *scratch);

/* The least multiple of @alignment that is at least @value. */
static inline int64_t pack_align(int64_t value, int64_t alignment)
{
    if (alignment <= 1)
        return value;
    int64_t rest = value % alignment;
    return rest ? value + (alignment - rest) : value;
}

/* Offsets by part, and the height; the height is INT64_MAX where nothing was found. */
struct pack_plan {
    int64_t *offsets;
    int64_t height;
};

/*
 * The lowest of the plans that greedy orders give; they end when one reaches @enough.
 * The number of orders that are tried depends on the work that they make, not on the clock.
 */
void pack_greedy(const struct pack_problem *problem, int64_t enough, struct pack_plan *best,
                 struct arena *scratch);

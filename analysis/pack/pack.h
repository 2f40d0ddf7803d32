/*
 * The packing of storage: places for items that each live for a while, in as little memory as can be.
 *
 * An item lives in the half-open interval [lower, upper) of steps and takes the bytes
 * [offset, offset + size); two that live at one step may not share a byte.  Steps are only compared,
 * so any increasing count will do.  Items without bytes or without a life meet nobody and get offset 0.
 *
 * What is here knows nothing of modules, and needs only base/.  Nothing is kept between calls.
 *
 * Determinism: the same items in the same order give the same offsets on every machine, unless the clock
 * ends the search (pack_result.is_out_of_time).  What limits the search is a count of steps, made from
 * `seconds` at a rate that a slow machine reaches; the clock is only a guard.  Given a capacity the clock
 * is the one limit: the plan that is found is always the same, only whether it is found in time is not.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No size, offset, capacity or alignment is larger than this, so that sums of a few are numbers. */
#define PACK_LARGEST ((int64_t)1 << 60)

struct pack_item {
    int64_t lower, upper; /* lives in [lower, upper), in steps */
    int64_t size;         /* bytes */
    int64_t alignment;    /* the offset is a multiple of it; 0 and 1: any offset */
    int64_t offset;       /* out; in, if is_fixed */
    bool is_fixed;        /* stays where it is */
};

struct pack_limits {
    int64_t capacity; /* stop at a plan of this height; -1: as low as possible */
    double seconds;   /* for the search behind the greedy orders; 0: none */
    uint64_t steps;   /* ends the search besides; 0: as the seconds say, given a capacity never */
};

struct pack_result {
    int64_t height;      /* the end of the highest item; INT64_MAX: no plan within PACK_LARGEST */
    int64_t lower_bound; /* no plan is lower: pack_lower_bound(), or what the search proved */
    bool fits;           /* the height is at most the capacity, if there is one */
    bool is_proved;      /* no plan is lower, or none has the capacity */
    bool is_out_of_time; /* the clock ended the search: on another machine it may end elsewhere */
    uint64_t steps;      /* of the search */
};

/* What is wrong with items, for a message. */
enum pack_fault {
    PACK_FINE,
    PACK_LIFE,      /* upper < lower */
    PACK_NEGATIVE,  /* size, alignment or fixed offset */
    PACK_TOO_LARGE, /* one of them, or the sum of what lives at one step, is above PACK_LARGEST */
    PACK_ALIGNMENT, /* a fixed offset is no multiple of the alignment */
    PACK_COLLISION, /* two fixed items share bytes at one step */
};

/* The first fault: of items[*out_item], in PACK_COLLISION with items[*out_other], which stands in front of it. */
enum pack_fault pack_check(const struct pack_item *items, size_t count, size_t *out_item,
                           size_t *out_other);

/*
 * Sets the offsets of @items, which pack_check() finds fine.  They are a plan also when it is higher
 * than the capacity: the lowest that was found.  False, offsets untouched: not even one within
 * PACK_LARGEST was found.  Scratch memory is left in @scratch.
 */
bool pack(struct pack_item *items, size_t count, const struct pack_limits *limits,
          struct pack_result *result, struct arena *scratch);

/*
 * The greatest number of bytes alive at one step.  Where all alignments have a common divisor, sizes count
 * as the multiple of it that they take, but for the highest of them, which may end early.
 */
int64_t pack_lower_bound(const struct pack_item *items, size_t count, struct arena *scratch);

/*
 * Why items cannot have the capacity: an irreducible choice of them that cannot, which means that they can as soon as
 * any one is left out.  Writes their indices to out_blamed[@count], rising, and returns how many; 0: it is
 * not proved within the limits that they cannot.  *out_is_irreducible is false if the limits left that open.
 */
size_t pack_blame(const struct pack_item *items, size_t count, const struct pack_limits *limits,
                  size_t *out_blamed, bool *out_is_irreducible, struct arena *scratch);

/*
 * Is this a plan: aligned, at offsets from 0 on, no byte taken twice at one step?  A sweep over the
 * steps that shares nothing with pack().  Else *out_item (and *out_other, if two meet) say who is
 * wrong; both may be NULL.
 */
bool pack_is_valid(const struct pack_item *items, size_t count, size_t *out_item,
                   size_t *out_other);

/* The end of the highest item. */
int64_t pack_height(const struct pack_item *items, size_t count);

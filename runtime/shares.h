/*
 * Pieces of a loop, divided among threads.
 *
 * Each thread has a share of its own, the same one in all loops of so many pieces, and takes it in order: so it finds in
 * its cache what it wrote in the loop before.  Who has done his own takes pieces of others, from the end, which
 * they would come to last.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum {
    INLAY_SHARES = 16, /* more threads than that have one together */
    INLAY_SHARE_LINE = 64,
};

struct inlay_shares {
    unsigned count;
    struct {
        /* The pieces that are left: the first of them, and the end in the upper half. */
        _Alignas(INLAY_SHARE_LINE) _Atomic uint64_t left;
    } of[INLAY_SHARES];
};

static inline uint64_t inlay_share_range(uint32_t first, uint32_t end)
{
    return (uint64_t)end << 32 | first;
}

/* @pieces in order among @threads, of which there is one at least. */
static inline void inlay_shares_init(struct inlay_shares *shares, unsigned threads, int32_t pieces)
{
    unsigned count = threads < INLAY_SHARES ? threads : INLAY_SHARES;

    shares->count = count;
    for (unsigned i = 0; i < count; i++) {
        uint32_t first = (uint32_t)((uint64_t)pieces * i / count);
        uint32_t end = (uint32_t)((uint64_t)pieces * (i + 1) / count);
        atomic_init(&shares->of[i].left, inlay_share_range(first, end));
    }
}

/* A piece of share @number, the first or the last; -1: none is left. */
static inline int32_t inlay_share_take(struct inlay_shares *shares, unsigned number, int is_first)
{
    _Atomic uint64_t *left = &shares->of[number].left;
    uint64_t range = atomic_load(left), rest;
    uint32_t first, end;

    do {
        first = (uint32_t)range;
        end = (uint32_t)(range >> 32);
        if (first >= end)
            return -1;
        rest = is_first ? inlay_share_range(first + 1, end) : inlay_share_range(first, end - 1);
    } while (!atomic_compare_exchange_weak(left, &range, rest));
    return (int32_t)(is_first ? first : end - 1);
}

/* What @thread does next; -1: nothing is left. */
static inline int32_t inlay_shares_take(struct inlay_shares *shares, unsigned thread)
{
    unsigned own = thread % shares->count;
    int32_t piece = inlay_share_take(shares, own, 1);

    for (unsigned i = 1; piece < 0 && i < shares->count; i++)
        piece = inlay_share_take(shares, (own + i) % shares->count, 0);
    return piece;
}

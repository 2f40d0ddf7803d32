/*
 * May two parameters of a kernel be one storage?
 *
 * Parameters `written` and `read` are to be given the same storage, from the same place on or as
 * a shift says.  They may be of other shapes and dtypes: it is bytes that count, then.  The text
 * means two: what is read through `read` is what was there when the kernel began.  So the kernel
 * computes the same on one storage if and only if no read through `read` comes after a write
 * through `written` of the same element.  Reads through `written` itself are meant to see the
 * writes, and do: they are of no concern.
 *
 * What counts as "after" is how the kernel as it is now will run: serial loops in their order;
 * iterations of loops that are parallel or bound to threads in any order, or at the same time;
 * those of vectorized loops in their order, or in groups of successive ones that do each
 * statement together; in one iteration, one statement after the other, where a store reads all
 * that its value and its indices load before it writes, in all lanes.  A pass that changes the
 * order has to ask again.
 *
 * It is never said of a kernel that writes through `read`, too, or takes the address of either. Not
 * judged here: whether anybody else needs what is overwritten.
 */
#pragma once

#include "analysis/access/relation.h"

enum access_share_kind {
    ACCESS_SHARE_NONE,    /* a read follows a write of its element, for some sizes */
    ACCESS_SHARE_UNKNOWN, /* it may */
    ACCESS_SHARE_UPDATE,  /* nothing is read through `read`, or it is `written` itself */
    /* What is read and written: each time in one iteration of all loops around both ... */
    ACCESS_SHARE_SAME_ELEMENT,
    /* ... in one iteration of `loop` (NULL: of the kernel), but of different loops inside of it */
    ACCESS_SHARE_ROW_LOCAL,
    /* ... or read by an earlier iteration of `loop`, which is serial */
    ACCESS_SHARE_MONOTONE,
};

struct access_share {
    enum access_share_kind kind;
    /* Of MONOTONE: the kernel reads after it writes, but would not if `loop` ran backwards, as it
     * may. */
    bool is_backward;
    bool is_certain; /* of a kernel that is not right as it is: for some sizes a read is too late */
    const struct tir_stmt *loop;
    const struct access *write, *read; /* who meet; NULL: nobody */
};

/* @written and @read: numbers of parameters of @func that are buffers. */
struct access_share access_may_share(struct access_cache *cache, const struct tir_func *func,
                                     unsigned written, unsigned read);
/* The same where @read begins @shift bytes behind @written. */
struct access_share access_may_share_shifted(struct access_cache *cache,
                                             const struct tir_func *func, unsigned written,
                                             unsigned read, int64_t shift);

/* Is the kernel as it is right on one storage? */
bool access_share_is_legal(const struct access_share *share);

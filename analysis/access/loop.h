/*
 * Loops: what their iterations do to each other.
 *
 * An iteration depends on another one if both touch the same element and one of them writes it.
 * Every access is compared with every other one of its buffer (relation.h); what is not known to be
 * apart counts as a dependence, and so does anything but accesses that iterations do: "no" means
 * "not proved".  Works on kernels with blocks and on plain loops.  Statements that are not (yet) in
 * the kernel may be asked about, if they use no rectangle that a block around them matched.
 */
#pragma once

#include "analysis/access/relation.h"
#include "ir/arith.h"
#include "ir/module.h"

/* What stands against running iterations in another order. */
enum loop_obstacle_kind {
    LOOP_APART,    /* nothing */
    LOOP_MEETS,    /* two iterations touch one element, and one of them writes it */
    LOOP_MAY_MEET, /* it is not proved that they do not */
    LOOP_EFFECT,   /* something that is no access: `first` says where */
    LOOP_ACCESSES, /* there are too many to compare */
    LOOP_BOUNDS,   /* are not evaluated once, or the loop is one of threads of a GPU */
};

struct loop_access {
    const struct tir_stmt *stmt;    /* that it is a part of */
    const struct ir_buffer *buffer; /* as the text names it */
    const char *text;               /* `A[i + 1]`, in loop variables: an atom */
    struct location loc;
    bool is_write;
};

/* The first that was found; names and places are the kernel's. */
struct loop_obstacle {
    enum loop_obstacle_kind kind;
    struct loop_access first, second;
};

/*
 * May the iterations of @loop, a loop of @func, run in any order or at the same time, with the
 * result of running them one after the other?  Buffers allocated in the loop belong to an
 * iteration.
 *
 * @overlaps: [i * param_count + j] says how the parameters i and j lie to each other; NULL: all
 * are apart, as they are in calls but for in-place ones.
 */
bool loop_is_independent(const struct tir_func *func, const struct tir_stmt *loop,
                         const struct access_overlap *overlaps);
/* The same, and what stands against it; @out may be NULL. */
bool loop_is_independent_or(const struct tir_func *func, const struct tir_stmt *loop,
                            const struct access_overlap *overlaps, struct loop_obstacle *out);

/*
 * May successive iterations of @loop do each statement together, in the order of the text, with
 * the result of running one after the other?  Less than being independent: what an iteration
 * reads, a later one may write, if that is further down in the text.
 */
bool loop_has_lanes(const struct tir_func *func, const struct tir_stmt *loop,
                    const struct access_overlap *overlaps);
bool loop_has_lanes_or(const struct tir_func *func, const struct tir_stmt *loop,
                       const struct access_overlap *overlaps, struct loop_obstacle *out);

/* Does no iteration of @loop touch an element of @buffer, an allocated one, that another writes? */
bool loop_has_private(const struct tir_func *func, const struct tir_stmt *loop,
                      const struct ir_buffer *buffer);

/*
 * May the bodies of @first and @second, neighbouring loops of @func over equal ranges, run in one
 * loop, with the result of running one loop after the other?  True where no iteration of @second
 * touches what a later iteration of @first does, if one of them writes.
 */
bool loop_can_fuse(const struct tir_func *func, const struct tir_stmt *first,
                   const struct tir_stmt *second);

/*
 * loop_can_fuse, and does no iteration of @second touch what any other one of @first does, if one
 * of them writes?  Then the one loop is independent if both are.
 */
bool loop_can_fuse_independently(const struct tir_func *func, const struct tir_stmt *first,
                                 const struct tir_stmt *second);

/* Has @loop few enough different accesses for the tests above to look at them? */
bool loop_has_few_accesses(const struct tir_func *func, const struct tir_stmt *loop);

/* Do the loops @first and @second count over the same values for certain? */
bool loop_have_same_range(struct ir_context *context, const struct tir_stmt *first,
                          const struct tir_stmt *second);

/* May the neighbouring statements @first and @second of @func change places, or run at the same
 * time? */
bool loop_can_swap(const struct tir_func *func, const struct tir_stmt *first,
                   const struct tir_stmt *second);

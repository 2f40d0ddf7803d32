/*
 * Within analysis/access/: sets of points, as elements of a buffer or iterations of loops.
 *
 * The first variables of a formula are the point.  What does not change while the kernel runs, as
 * its symbols, are parameters of the set; all other variables are there for some value.
 */
#pragma once

#include "analysis/access/cover.h"
#include "analysis/access/presburger_internal.h"

struct points {
    struct access_cache *cache;
    struct access_relation *relation;
    const struct ir_bindings *sizes; /* of symbols, where they are known; may be NULL */
    unsigned ndim;
    array(const struct ir_expr *) params; /* what parameters of the sets stand for */
};

/* The variables that are the point; to be called on a formula that has none. */
struct linear *points_variables(const struct points *points, struct presburger *p);

/* The solutions @all of @p as points. */
isl_set *points_of(struct points *points, const struct presburger *p, isl_set *all);

/* @access, with the names of the text. */
struct access_side points_side(const struct points *points, const struct access *access);

/*
 * @set where symbols have the sizes that are given, and all others are at least 1.  @like (kept) has parameters that it
 * gets, too.
 */
isl_set *points_of_sizes(const struct points *points, isl_set *set, isl_set *like);

/*
 * What of @set is there for sizes that tensors have: that the arithmetic of int32 fails near its
 * end is nothing to be told of, and symbols of kernels are int32 unless the script says otherwise.
 */
isl_set *points_plausible(const struct points *points, isl_set *set);

/* The least of @set, which is not empty: sizes first, then the point.  In the arena of the cache. */
const int64_t *points_least(const struct points *points, isl_set *set,
                            const struct access_size **out_sizes, unsigned *out_size_count);

/* For the next question all operations of isl are there again. */
void points_reset(const struct points *points);

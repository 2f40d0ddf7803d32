/*
 * Interpolation along axes: each axis has taps, elements of the data with weights, and what is sampled is the sum over all
 * combinations of them.
 */
#pragma once

#include "ops/lower/code.h"

enum { TAPS = 4, SPATIAL = 3 };

struct taps {
    unsigned count;
    const struct ir_expr *index[TAPS], *weight[TAPS]; /* weight NULL: 1 */
    const struct ir_expr *inside[TAPS]; /* NULL: surely inside; else 0 where it is not */
};

struct sampled {
    struct kernel *k;
    struct ir_dtype dtype;           /* that is computed in */
    const struct ir_expr *const *at; /* indices of the data; those of spatial axes are replaced */
    unsigned axes[SPATIAL], count;   /* spatial axes of the data */
    struct taps taps[SPATIAL];
};

/* The elements in front of and behind @x and the weights of a line between them; lets in @code. */
struct taps taps_linear(struct code *code, const struct ir_expr *x);
/* Two elements on each side, by a cubic with coefficient @alpha. */
struct taps taps_cubic(struct code *code, const struct ir_expr *x, double alpha);
/* The index limited to @extent. */
const struct ir_expr *taps_limited(struct kernel *k, const struct ir_expr *index,
                                   const struct ir_expr *extent);
/* The weighted sum. */
const struct ir_expr *taps_sum(struct sampled *s);

/*
 * Linear inequalities over integers, for dependence.c alone: have they no solution?
 *
 * Variables are eliminated one after the other (Fourier, Motzkin); numbers are divided by what all
 * factors of a row have in common, and rounded, so that much of what has fractions for solutions only
 * is found out.  Where it is not, or it gets too large, the answer is that there may be one.
 */
#pragma once

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

enum { VS_VAR_LIMIT = 40 };

/* constant + sum of factors[i] * variable i */
struct vs_row {
    int64_t constant, factors[VS_VAR_LIMIT];
};

struct vs_system {
    array(struct vs_row) rows;   /* each >= 0 */
    array(struct vs_row) equals; /* each = 0 */
    bool is_lost;                /* a number was too large */
};

/* Adds @factor * @b to @a; false if a number gets too large. */
bool vs_row_add(struct vs_row *a, const struct vs_row *b, int64_t factor);
/* Is it a number? */
bool vs_row_is_constant(const struct vs_row *row);

void vs_system_copy(struct vs_system *to, const struct vs_system *from);
void vs_system_finish(struct vs_system *system);
/* Proved to have no solution?  The rows are worked up. */
bool vs_system_is_empty(struct vs_system *system);

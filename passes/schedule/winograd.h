/* Between winograd.c, which makes the loops, and winograd_choose.c, which says whether and in what groups. */
#pragma once

#include "passes/schedule/blocks.h"

enum {
    WINDOW = 3,
    OUT = 2,  /* rows and columns of C of a tile */
    IN = 4,   /* .. of X */
    ALL = 16, /* IN * IN */
};

struct winograd {
    struct blocks *b;
    struct schedule *s;
    struct matmul *p;
    struct tir_stmt *row;     /* the loop over rows of C; p->i: over columns */
    struct tir_stmt *taps[2]; /* the loops over rows and columns of windows */
    int64_t rows, columns;    /* of C */
    int64_t high, wide;       /* tiles */
    int64_t group;            /* rows of tiles that are computed together */
    int64_t channels, inner;  /* of X, and those that lie side by side */
    struct ir_buffer *v, *m;
    const struct ir_var *tg, *og; /* group of tiles, of blocks */
    const struct ir_var *r, *tw;  /* row of the group, column of tiles */
};

static inline const struct ir_expr *num(const struct winograd *w, int64_t value)
{
    return blocks_int(w->b, value);
}

static inline const struct ir_expr *use(const struct winograd *w, const struct ir_var *var)
{
    return sch_use(w->s, var);
}

/* Of rows of tiles. */
static inline int64_t group_count(const struct winograd *w)
{
    return (w->high + w->group - 1) / w->group;
}

/* Reads the loops; false: they are no such convolution, or it is not worth it. */
bool winograd_fits(struct winograd *w);

/* Between the recognition of sums over windows, the plane of what they read, and their loops (taps.c). */
#pragma once

#include "passes/schedule/epilogue.h"

enum { TAPS_TILE_VECTORS = 4 /* accumulators side by side */ };

/* One axis of the data: u = loop * stride + sum * dilation; the plane has the u of a chunk of the loop. */
struct tap_axis {
    struct tir_stmt *loop, *sum;
    int64_t stride, dilation, sums;
    int64_t loops;                       /* iterations; 0: only the run knows */
    int64_t chunk;                       /* .. of which the plane has so many at a time */
    int64_t extent;                      /* of the plane */
    const struct ir_var *number;         /* of the chunk; NULL: it is all */
    const struct ir_expr *first, *count; /* the iterations in it */
};

struct taps {
    struct schedule *s;
    struct nest nest;
    struct reduction reduction;
    struct matmul_loops sums;
    struct tir_stmt *j;
    int64_t width, lanes;                  /* width: 0 where only the run knows */
    const struct ir_expr *initial, *value; /* without what it had before */
    struct ir_dtype dtype;                 /* of the accumulators */
    bool is_left;                          /* the accumulator is the left operand */
    const struct ir_expr *selected; /* a part of value that is the same for many windows; or NULL */
    struct tap_axis axes[MATMUL_LOOP_LIMIT];
    bool has_lanes; /* columns are a vector at each place of the plane, as channels in blocks are */
    bool may_round; /* more columns may be computed than there are */
    struct ir_buffer *plane;
    const struct epilogue *epilogue; /* of what is stored; or NULL */
};

/* The axis of the plane that @loop moves along; NULL: none. */
const struct tap_axis *taps_axis_of(const struct taps *t, const struct tir_stmt *loop);
/* Columns of a tile. */
int64_t taps_tile(const struct taps *t);
/* How many columns are computed for the last @left: a power of two, if the plane has them. */
int64_t taps_rounded(const struct taps *t, int64_t left);
/* Are the columns of a row counted by the run, or by chunks? */
bool taps_are_open(const struct taps *t);

/*
 * Packs weights whose columns lie far apart: `packed[.., c] = w[c * 16 + .., ..]`, in front of all.  The statements in
 * @items, how many as the result.
 */
unsigned taps_pack_weights(struct taps *t, struct tir_stmt **items);
/* Can vectors take the elements that @load has for neighbouring columns from where they lie? */
bool taps_is_near(const struct taps *t, const struct ir_expr *load);
/* Is @a a load of such weights? */
bool taps_is_weight(const struct taps *t, const struct ir_expr *a);

/* Is there a load in @a whose place goes with a sum and with another loop? */
bool taps_moves(struct taps *t, const struct ir_expr *a);

/*
 * Finds a condition in the value that depends on where in the data it looks, for each sum and the columns; or what makes the
 * data wider, if it lies in several windows.
 */
void taps_find_plane(struct taps *t);
/* plane[u, ..] = the part of the value that is selected; zero where columns are computed in vain */
struct tir_stmt *taps_fill_plane(struct taps *t);
/* Rewrites the selected part of a value to what the plane has; @state: struct taps. */
const struct ir_expr *taps_from_plane(void *state, const struct ir_expr *a);
/* The loops over chunks around @body. */
struct tir_stmt *taps_by_chunks(struct taps *t, struct tir_stmt *body);

/*
 * What a kernel only moves: its output as boxes, each copied from an input or filled by something
 * else.
 *
 * Read off the loops, so that concat, stack, pad, split, slices, permutations and reshapes are all one
 * thing, however they are written: a nest for each piece, or one nest that chooses
 * (T.if_then_else(i < n, a[i], b[i - n])).
 */
#pragma once

#include "analysis/access/box.h"

/* An index of the source: that of the output in dimension `from` (-1: none), plus `shift`. */
struct access_piece_axis {
    int from;
    const struct ir_expr *shift;
};

/* Expressions are of int64, in terms of the kernel's symbols and scalars; in the arena of the cache. */
struct access_piece {
    bool is_box;           /* else it is not known which elements are written */
    struct access_box box; /* of the output */
    /* Of the box only what the other pieces of the same store leave. */
    bool is_rest;
    int source;                           /* parameter that it is copied from, -1: computed */
    const struct access_piece_axis *axes; /* by dimension of the source; NULL: not of this form */
    /* The elements go from place e of the output to e + offset of the source, both counted in
     * row-major order.  NULL: not so. */
    const struct ir_expr *offset;
    const struct access *write;
    const struct ir_expr *load; /* the part of the stored value that is copied, or NULL */
};

struct access_pieces {
    const struct tir_func *func;
    unsigned param; /* that is written */
    const struct access_piece *items;
    unsigned count;
    bool is_disjoint; /* no element is in two of them */
    bool is_complete; /* each element is in one of them, for all sizes */
};

/*
 * The pieces of @func's parameter @param, a buffer, in the order of the text.  False if the kernel has
 * effects other than writing to its parameters, or looks at this one in another way.
 */
bool access_pieces_of(struct access_cache *cache, const struct tir_func *func, unsigned param,
                      struct access_pieces *out);

/*
 * Is the whole output one run of the elements of one parameter, in their order?  Then *@out_source is
 * that parameter, and the result says from which of its elements on; else NULL.
 */
const struct ir_expr *access_pieces_run(struct ir_context *context,
                                        const struct access_pieces *pieces, unsigned *out_source);

/*
 * Perfect nests: loops, maybe a block, and inside nothing but stores and lets.
 *
 * What operators lower to, and most of what people write.  All that decides about fusion (patterns,
 * inlining) reads kernels through this view; a kernel with anything else in it is left alone.
 */
#pragma once

#include "ir/tir.h"

/* What iterates around the stores: an axis of the block, or a loop where there is no block. */
struct nest_axis {
    const struct ir_var *var;
    const struct ir_expr *extent; /* it runs from 0 */
    bool is_reduce;               /* an axis that the block says to reduce over */
};

struct perfect_nest {
    unsigned axis_count;
    struct nest_axis *axes; /* those of extent 1 included */
    struct tir_stmt *block; /* NULL: plain loops */
    struct tir_stmt *init;  /* T.init, or NULL: stores only */
    struct tir_stmt *const *body;
    unsigned body_count; /* TIR_STORE and TIR_LET */
};

/*
 * Reads @stmt as a perfect nest into @out, whose arrays are in @arena.  False if it is none: a guard,
 * an allocation inside, a call for its effect, annotations, loops that no axis stands for, ...
 */
bool perfect_nest_read(struct arena *arena, struct tir_stmt *stmt, struct perfect_nest *out);

/* The axis that @var is, or NULL. */
const struct nest_axis *perfect_nest_axis(const struct perfect_nest *nest,
                                          const struct ir_var *var);

/*
 * Does @store go to a place of its own in each iteration of the axes?  Its indices are then axes, each
 * at most once, plus what does not change in the nest, or axis * n + axis of extent n.  Axes to be reduced over may be missing.
 */
bool perfect_nest_is_injective(const struct perfect_nest *nest, const struct tir_stmt *store);

/* As above, and to all elements of the buffer: the indices are axes that run over its dimensions. */
bool perfect_nest_covers(struct ir_context *context, const struct perfect_nest *nest,
                         const struct tir_stmt *store);

/*
 * The nests of @func in order, with its root block and allocations left out: false if there is
 * something else in its body.
 */
struct perfect_nests {
    struct perfect_nest *items;
    size_t count, capacity; /* an array() */
};
bool perfect_nests_of(struct arena *arena, const struct tir_func *func, struct perfect_nests *out);

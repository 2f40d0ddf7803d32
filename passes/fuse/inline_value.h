/* Putting the value of a store in the place of loads, for inline_buffers(). */
#pragma once

#include "analysis/perfect_nest.h"

struct ir_module;

enum {
    INLINE_CHEAPEST = 1
}; /* the cost of what may be computed in each iteration of a loop that does not change it */

/* About how many additions computing @value takes. */
unsigned inline_value_cost(const struct ir_expr *value);

/* How @buffer is loaded: begin with zeros, add nest after nest. */
struct inline_uses {
    const struct ir_expr *first; /* load */
    bool is_repeated;            /* one element in several iterations */
    bool is_several;             /* at several places, or by several statements */
};
void inline_value_uses(const struct perfect_nest *nest, const struct ir_buffer *buffer,
                       struct inline_uses *uses);

/* Do the expressions of @nest stay small if @store's value stands for each load of @buffer? */
bool inline_value_fits(const struct perfect_nest *nest, const struct ir_buffer *buffer,
                       const struct tir_stmt *store, unsigned depth_limit);

/* Would all loads of @own that come into @to be at the very element that @to writes? */
bool inline_value_is_pointwise(struct ir_module *module, const struct perfect_nest *producer,
                               const struct tir_stmt *store, const struct ir_buffer *buffer,
                               const struct tir_stmt *to, const struct ir_buffer *own);

/*
 * Puts the value of @store, of nest @producer, in the place of each load of @buffer in @reader, whose
 * statements it changes.  What is used several times, or would nest too deep, becomes a T.Let.
 */
void inline_value(struct ir_module *module, const struct perfect_nest *producer,
                  const struct tir_stmt *store, const struct ir_buffer *buffer,
                  const struct perfect_nest *reader);

/*
 * Lines of an operand in order: for sort, argsort, topk, median, unique.
 *
 * A merge sort, stable, with scratch for two copies of all lines: n log n steps for each line, whatever is in it.  A NaN is
 * larger than all numbers; upwards and downwards, equal elements keep their order.
 */
#pragma once

#include "ops/lower/code.h"

struct sorting {
    struct kernel *k;
    unsigned operand; /* the data */
    const bool
        *is_line; /* by axis of the data: along the lines, which are its row-major elements */
    unsigned ndim, outer; /* of the data; axes that are not along the lines */
    bool is_descending;
    const struct ir_expr *count;          /* elements of a line */
    struct ir_buffer *keys[2], *order[2]; /* (outer.., count); [0] has the result */
};

/* @has_order: the indices within the lines are sorted, too, in order[0]. */
struct sorting sort_lines(struct kernel *k, unsigned operand, const bool *is_line,
                          bool is_descending, bool has_order);
/* Only the first @keep elements of each line, which are few: keys[0] and order[0] have just them. */
struct sorting sort_first(struct kernel *k, unsigned operand, const bool *is_line,
                          bool is_descending, const struct ir_expr *keep);
/* True for each axis of the data that is @axis. */
const bool *sort_one_axis(struct kernel *k, unsigned operand, unsigned axis);
/* The indices of element @i of line @line in keys and order. */
const struct ir_expr **sort_place(struct sorting *s, const struct ir_expr *const *line,
                                  const struct ir_expr *i);
/* a < b, a NaN being larger than all but a NaN; float16 and bfloat16 as float32. */
const struct ir_expr *sort_is_less(struct kernel *k, const struct ir_expr *a,
                                   const struct ir_expr *b);

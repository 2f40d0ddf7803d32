/*
 * Lines of an operand in order: for sort, argsort, topk, median, unique.
 *
 * A NaN is larger than all numbers; upwards and downwards, equal elements keep their order.
 *
 *   merge.c    short lines: a merge sort, with scratch for two copies of all lines
 *   digits.c   longer ones: by one byte of each element after the other, the lowest first
 *   first.c    only the first few of each line
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

/* ---- what is sorted ---- */

struct sorting sort_begin(struct kernel *k, unsigned operand, const bool *is_line,
                          bool is_descending);
/* Scratch for @length elements, or @rows (NULL: one) of them, of each line. */
struct ir_buffer *sort_scratch(struct sorting *s, const char *name, struct ir_dtype dtype,
                               const struct ir_expr *rows, const struct ir_expr *length);
/* An axis of @nest for each axis that is not along the lines: which line it is. */
const struct ir_expr **sort_axes(struct sorting *s, struct nest *nest);
/* Element @i of a line of scratch; of the data. */
const struct ir_expr *sort_load(struct sorting *s, const struct ir_buffer *buffer,
                                const struct ir_expr *const *line, const struct ir_expr *i);
const struct ir_expr *sort_data(struct sorting *s, const struct ir_expr *const *line,
                                const struct ir_expr *i);
/* True if @a stands before @b, whatever their places were. */
const struct ir_expr *sort_is_before(struct sorting *s, const struct ir_expr *a,
                                     const struct ir_expr *b);

/* ---- ways to sort ---- */

/* @has_order: the indices within the lines are sorted, too, in order[0]. */
struct sorting sort_lines(struct kernel *k, unsigned operand, const bool *is_line,
                          bool is_descending, bool has_order);
/* Are the lines of a dtype and long enough to be sorted by their bytes? */
bool sort_has_digits(struct sorting *s);
struct sorting sort_by_digits(struct sorting s, bool has_order);
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

/* Within analysis/access/: one store of a kernel, as a box of what it writes. */
#pragma once

#include "analysis/access/pieces.h"
#include "base/array.h"
#include "ir/arith.h"

/* A choice around the part of the value in work. */
struct piece_choice {
    const struct ir_expr *condition;
    bool is_negated;
};

struct piece_reader {
    struct access_cache *cache;
    struct ir_context *context;
    const struct access_list *list;
    const struct ir_buffer *out;
    unsigned param;
    array(struct access_piece) items;
    /* of the store in work */
    const struct access *write;
    size_t next_read; /* its reads stand in front of it, in the order of its value */
    array(struct piece_choice) choices; /* from the outside */
    struct ir_ranges loops;
    bool has_loops; /* around it is nothing but loops, whose ranges are known */
    int *loop_dims; /* by loop: the dimension of the output that it runs over, -1: none */
    const struct ir_expr **rests; /* by dimension of the output: its index without the loop */
    bool is_boxed;                /* the store fills a box, one element in each iteration */
};

/* The iterations of each loop in which a part of the value is chosen; NULL: all. */
struct piece_bounds {
    const struct ir_expr **low, **end; /* by loop */
};

/* Simplified, of int64. */
const struct ir_expr *piece_index(struct piece_reader *r, const struct ir_expr *a);
const struct ir_expr *piece_sum(struct piece_reader *r, const struct ir_expr *a,
                                const struct ir_expr *b);
const struct ir_expr *piece_difference(struct piece_reader *r, const struct ir_expr *a,
                                       const struct ir_expr *b);

/* Finds out where the store in work goes: loops, and which index is which of them. */
void piece_read_place(struct piece_reader *r);
/* @index is one loop variable (its number, -1: none) plus *@out_rest, which has no loop variable. */
bool piece_read_index(struct piece_reader *r, const struct ir_expr *index, int *out_loop,
                      const struct ir_expr **out_rest);

struct piece_bounds piece_no_bounds(struct piece_reader *r);
/* Narrows @bounds to where @condition holds (or not); false if that is no box. */
bool piece_add_condition(struct piece_reader *r, struct piece_bounds *bounds,
                         const struct ir_expr *condition, bool is_negated);
/* The box of the output that the store fills within @bounds; false if it fills none. */
bool piece_box_of(struct piece_reader *r, const struct piece_bounds *bounds,
                  struct access_box *out);

/* Loop and Scan: what op_loop.c and loop_turns.c share. */
#pragma once

#include "frontend/onnx/import.h"

/* What both operators are: Loop has a condition, Scan slices of its inputs. */
struct loop {
    struct onnx_node *n;
    const Onnx__Graph *body;
    const struct ir_expr *limit; /* of turns; NULL: none */
    struct onnx_value *go;       /* a condition before the first turn; NULL: none */
    unsigned states,
        scans; /* states are the first inputs behind `skip`; outputs of the body that are stacked */
    unsigned sliced;           /* inputs that are scanned, the last ones */
    struct onnx_value **start; /* of the states */
    bool is_scan;

    /* as a function */
    struct ir_value *maker;
    struct ir_function *function;
    const struct ir_type **types;     /* of the states */
    const struct ir_type **row_types; /* of what is stacked; NULL: not seen yet */
    struct ir_value *now;             /* its parameter `go` */
    struct onnx_value **held;         /* its states, then rows */
    struct ir_value **rows;
    const struct ir_expr *turn;
    struct map *inner; /* symbols that belong to a turn */
    bool is_changed;   /* a type was not right */
};

/* An int64 or bool of rank 0 whose element is @e. */
struct onnx_value *onnx_followed(struct onnx_import *m, struct ir_dtype dtype,
                                 const struct ir_expr *e);
/* Is @value known, and what? */
bool onnx_known_truth(struct onnx_import *m, struct onnx_value *value, bool *out);
/* The body with @states in turn @turn: its outputs go to @out. */
bool loop_body(struct loop *l, struct onnx_value *const *states, const struct ir_expr *turn,
               struct onnx_value **out);
/* Output @i that is stacked, with an axis of 1 where it is stacked. */
struct ir_value *loop_row(struct loop *l, struct onnx_value *const *out, unsigned i,
                          int64_t *out_axis);
/* Is output @i stacked from the end? */
bool loop_is_back(struct loop *l, unsigned i);
/* The loop as a function, made again until its types are right; the outputs of the node.  False after a report. */
bool loop_go_round(struct loop *l);

/* What op_attention.c, op_fused.c and op_heads.c share. */
#pragma once

#include "frontend/onnx/import.h"

/* ---- op_attention.c; heads: (batch, heads, length, size) ---- */
/* (batch, length, heads * size) as heads; what has 4 axes stays. */
struct ir_value *onnx_heads_of(struct onnx_node *n, struct ir_value *x, int64_t heads);
/* Heads of keys or values, each for a group of the heads of @q. */
struct ir_value *onnx_heads_grouped(struct onnx_node *n, struct ir_value *x,
                                    const struct ir_value *q);
/* Keys and values have the batch, keys the size, values the keys that they must; false after a report. */
bool onnx_heads_fit(struct onnx_node *n, struct ir_value *q, struct ir_value **k,
                    struct ir_value **v);
/* Heads beside each other: (batch, length, heads * size). */
struct ir_value *onnx_heads_joined(struct onnx_import *m, struct ir_value *x);
/*
 * The first @turned elements of each head turned by the angles of which @c and @s are cosines and sines, that broadcast
 * to (batch, heads, length, @turned / 2): pairs of the first and the second half, or of neighbours if they are @apart.
 */
struct ir_value *onnx_rotate(struct onnx_node *n, struct ir_value *x, struct ir_value *c,
                             struct ir_value *s, int64_t turned, bool apart);

/* ---- op_fused.c ---- */
/* @x with input @input added, where it is there; NULL after a report. */
struct ir_value *onnx_plus(struct onnx_node *n, struct ir_value *x, unsigned input);
/* @x with its last two axes exchanged. */
struct ir_value *onnx_swap_last(struct onnx_import *m, struct ir_value *x);
/* Rows of the table in input @table at the integers in @at. */
struct ir_value *onnx_look_up(struct onnx_node *n, unsigned table, struct ir_value *at);

/*
 * Values that are integers times a scale: what DequantizeLinear makes of bytes, and what products and convolutions
 * of such make.
 *
 *     dequantize(a) @ dequantize(b) + dequantize(c) = float((a - za) @ (b - zb) + c) * (sa * sb)
 *
 * where c, of 32 bits, has the scale sa * sb.  Sums of integers are exact: what the model says is rounded less often.
 * QuantizeLinear of such a sum multiplies it with (sa * sb) / s, as QLinearConv and QLinearMatMul do.
 */
#pragma once

#include "frontend/onnx/import.h"

struct onnx_scaled {
    const struct ir_value *tensor; /* that this is said of; of no other that takes its place */
    struct ir_value *whole;        /* int32 */
    struct ir_value
        *scale; /* of DequantizeLinear: as it is given; of sums: as it stands beside `whole` */
    struct ir_value *bytes, *zero; /* of DequantizeLinear: whole = bytes - zero; no zero: NULL */
    int64_t axis;                  /* along which a vector of scales lies */
    int64_t most;                  /* no element of `whole` is farther from 0; -1: not known */
    bool is_sum;                   /* of products */
};

/* Says of output 0 of @n, which is there, what it is. */
void onnx_note_scaled(struct onnx_node *n, struct onnx_scaled scaled);
/* What input @input is, or NULL: nothing is known. */
const struct onnx_scaled *onnx_scaled_of(const struct onnx_node *n, unsigned input);
/*
 * Are inputs 0 and 1 of @n data and weights, which are constant: bytes with scales, the former one scale, the latter
 * maybe one for each column, which lie along @axis, and do sums of @depth of their products fit in 32 bits?
 */
bool onnx_multiplies_bytes(const struct onnx_node *n, int64_t axis, const struct ir_expr *depth);
/*
 * The same of a convolution.  Weights less a zero point are no bytes, for which there are tiles (narrow_convs.c): sums
 * of floats are faster, but for windows of one channel.
 */
bool onnx_convolves_bytes(const struct onnx_node *n, const struct ir_expr *depth);
/*
 * Output 0 of such a node is @sum, of integers, columns along @axis, and the bias that is input 2, where it has one.
 * False after a report.
 */
bool onnx_out_scaled(struct onnx_node *n, struct ir_value *sum, int64_t axis);
/* The integers of @x, a matrix, with its axes swapped: of bytes, as they are less to move. */
struct ir_value *onnx_turned(struct onnx_import *m, const struct onnx_scaled *x);
/* Relu of a sum: what is no less than 0 is so in integers.  False: nothing was done. */
bool onnx_relu_scaled(struct onnx_node *n);

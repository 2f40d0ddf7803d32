/* Data types that only the file has: floats of a byte and less; see storage.c. */
#pragma once

#include "frontend/onnx/import.h"

bool onnx_is_small_float(int32_t type);
/* @type if Relax has no such: its elements lie in a byte each; else 0. */
int32_t onnx_stored(int32_t type);
/* The numbers of codes in uint8, as float32. */
struct ir_value *onnx_from_small(struct onnx_import *m, struct ir_value *x, int32_t type);
/* The codes of numbers of any dtype; @round_mode: of a power of two, "up", "down" or "nearest". */
struct ir_value *onnx_to_small(struct onnx_import *m, struct ir_value *x, int32_t type,
                               bool saturates, const char *round_mode);
/*
 * May @n be given the types of its inputs?  If it only moves elements, *@out is the stored type of its outputs;
 * else 0.
 */
bool onnx_check_stored(struct onnx_node *n, int32_t *out);

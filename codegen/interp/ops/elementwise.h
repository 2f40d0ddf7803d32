/*
 * The rows of ops/elementwise.def and ops/reduce.def, compiled as C once for each class of numbers
 * (elementwise_tmpl.h): signed and unsigned integers as 64-bit ones with their width beside them,
 * bool, float, double.
 */
#pragma once

#include "codegen/interp/internal.h"

/* What one evaluation needs beside the operands. */
struct interp_row {
    unsigned bits;              /* width of the dtype computed in */
    const struct interp_op *op; /* for ATTR() */
    int64_t count;              /* of a reduction: what SHARE divides by */
};

#define INTERP_CLASS(suffix, type)                                                                \
    type interp_elementwise_##suffix(enum op_id id, const struct interp_row *row, const type *x); \
    type interp_reduce_begin_##suffix(enum op_id id, const struct interp_row *row);               \
    type interp_reduce_step_##suffix(enum op_id id, const struct interp_row *row, type acc,       \
                                     type element, type mean);                                    \
    type interp_reduce_end_##suffix(enum op_id id, const struct interp_row *row, type acc);

INTERP_CLASS(signed, int64_t)
INTERP_CLASS(unsigned, uint64_t)
INTERP_CLASS(bool, unsigned)
INTERP_CLASS(float, float)
INTERP_CLASS(double, double)
#undef INTERP_CLASS

/* One row on scalars of @dtype, its operands and its result in that dtype (bool results: 0 or 1). */
struct interp_scalar interp_elementwise(enum op_id id, const struct interp_row *row,
                                        struct ir_dtype dtype, const struct interp_scalar *x,
                                        unsigned count);
struct interp_scalar interp_reduce_begin(enum op_id id, const struct interp_row *row,
                                         struct ir_dtype dtype);
struct interp_scalar interp_reduce_step(enum op_id id, const struct interp_row *row,
                                        struct interp_scalar acc, struct interp_scalar element,
                                        struct interp_scalar mean);
struct interp_scalar interp_reduce_end(enum op_id id, const struct interp_row *row,
                                       struct interp_scalar acc);

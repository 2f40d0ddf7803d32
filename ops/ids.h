/*
 * The rows of the library as numbers: OP_nn_relu is R.nn.relu.  For everyone above ops/ who means one
 * operator and no other; what is true of several is a trait or a column of their rows.
 *
 *     switch (op_id(op)) {
 *     case OP_shape_of:
 */
#pragma once

#include "ir/graph.h"
#include "ir/op_info.h"

enum op_id {
    OP_none, /* structural (enum ir_core), or not of the library */
#define OP(id, ...) OP_##id,
#include "ops/ops.def"
    OP_COUNT
};

static inline enum op_id op_id(const struct ir_op *op)
{
    return (enum op_id)op->info->library_id;
}

static inline bool op_is(const struct ir_op *op, enum op_id id)
{
    return op_id(op) == id;
}

/* For which dtypes operators are defined. */
#pragma once

#include "ops/ids.h"

/* See elementwise.def and reduce.def. */
enum op_domain { OP_ALL, OP_NUMBER, OP_FLOAT, OP_REAL, OP_MOMENT, OP_BITS, OP_INTEGER };

bool op_domain_has(enum op_domain domain, struct ir_dtype dtype);

/* The column DOMAIN: of the dtype of the first result. */
enum op_domain op_domain_of(const struct ir_op *op);

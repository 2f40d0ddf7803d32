/* For stack_need.c: what runs keep that give nothing back before their end but their stack. */
#pragma once

#include "analysis/result_params.h"
#include "analysis/stack_need.h"

struct stack_kept {
    const struct ir_expr *outside; /* bytes of a call from outside; NULL: not known */
    const struct ir_expr *inside;  /* of one from another function */
    const char *why;
    struct location where;
};

struct stack_kept_search {
    struct ir_context *context;
    struct map known; /* struct ir_function -> struct stack_kept */
    struct arena arena;
    struct result_params params;
};

/* Callees before callers; no function may be part of a cycle of calls. */
void stack_kept_find(struct stack_kept_search *search, const struct ir_function *function);
const struct stack_kept *stack_kept_of(const struct stack_kept_search *search,
                                       const struct ir_function *function);
void stack_kept_finish(struct stack_kept_search *search);

/* --- stack_need.c --- */
const struct ir_expr *stack_tensor_bytes(struct ir_context *context, const struct ir_type *type);
/* The bytes that @op takes; NULL: not known. */
const struct ir_expr *stack_op_bytes(struct ir_context *context, const struct ir_op *op);
/* What the call @op makes of the symbols and numbers that @callee takes. */
void stack_bind_call(struct ir_context *context, const struct ir_op *op,
                     const struct ir_function *callee, struct ir_bindings *out);

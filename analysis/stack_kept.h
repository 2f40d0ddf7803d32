/* For stack_need.c: what runs keep that give nothing back before their end but their stack. */
#pragma once

#include "analysis/result_params.h"
#include "analysis/stack_need.h"

struct stack_kept {
    const struct ir_expr *outside; /* bytes of a call from outside; NULL: not known */
    const struct ir_expr *inside;  /* of one from another function */
    const struct ir_expr *largest; /* of the pieces of @inside, the largest one */
    int64_t pieces;                /* that these are, at most */
    const char *why;
    struct location where;
};

struct stack_kept_search {
    struct ir_context *context;
    struct map known; /* struct ir_function -> struct stack_kept */
    struct arena arena;
    struct result_params params;
    const struct tail_calls *tails;
};

/* Callees before callers.  In a cycle of calls there may be only those of a loop, which count for nothing: it is of one turn. */
void stack_kept_find(struct stack_kept_search *search, const struct ir_function *function);
/* Says instead that a call of @function, a loop, keeps @bytes, in pieces that nobody else is to count. */
void stack_kept_set(struct stack_kept_search *search, const struct ir_function *function,
                    const struct ir_expr *bytes);
const struct stack_kept *stack_kept_of(const struct stack_kept_search *search,
                                       const struct ir_function *function);
void stack_kept_finish(struct stack_kept_search *search);

/* Bytes that describe @value of @type, where it is given to the next turn of a loop. */
int64_t stack_box_bytes(const struct ir_type *type);

/* --- stack_need.c --- */
const struct ir_expr *stack_tensor_bytes(struct ir_context *context, const struct ir_type *type);
/* The bytes that @op takes; NULL: not known. */
const struct ir_expr *stack_op_bytes(struct ir_context *context, const struct ir_op *op);
/* What the call @op makes of the symbols and numbers that @callee takes. */
void stack_bind_call(struct ir_context *context, const struct ir_op *op,
                     const struct ir_function *callee, struct ir_bindings *out);

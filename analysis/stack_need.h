/*
 * The stack of a run (runtime/frame.h: inlay_stack_take()): what lies on it, and how much that comes to.
 *
 * On it lies what a function takes and gives back in the same region of its text, in the opposite order, and
 * the scratch of kernels.  Code generation asks for the places; who provides the memory asks for the need.
 */
#pragma once

#include "analysis/tail_calls.h"
#include "base/map.h"
#include "ir/module.h"

enum { STACK_ALIGNMENT = 64 }; /* each piece takes a multiple of it */

/* --- what lies on it --- */

/* Of one function. */
struct stack_places {
    struct map ends; /* what takes storage from the stack -> the op that gives it back */
    struct map held; /* calls of kernels with scratch -> struct stack_held */
    struct arena arena;
};
/* Calls of @tails (NULL: none) are made when the function has left. */
void stack_places_find(struct stack_places *places, const struct ir_function *function,
                       const struct tail_calls *tails);
void stack_places_finish(struct stack_places *places);
/* The op that gives back what @op takes from the stack; NULL: it takes nothing there. */
const struct ir_op *stack_end(const struct stack_places *places, const struct ir_op *op);
/* Does @op give storage back? */
bool stack_is_end(const struct ir_op *op);

/*
 * While a kernel runs, the innermost piece may be held up to some byte only: the scratch of the kernel begins there.
 * It is stack_held_find() that finds these calls, behind stack_places_find().
 */
struct stack_held {
    const struct ir_op *piece; /* R.memory.alloc_storage */
    int64_t bytes, free; /* of it, which come to all that it takes; multiples of STACK_ALIGNMENT */
};
void stack_held_find(struct stack_places *places, const struct ir_function *function);
/* NULL: scratch begins behind all that was taken. */
const struct stack_held *stack_held(const struct stack_places *places, const struct ir_op *call);

/* Bytes of a buffer that a kernel allocates if it is so small that it lies among the variables; else -1. */
int64_t stack_small_bytes(struct ir_context *context, const struct ir_buffer *buffer);

/* --- how much that is --- */

struct stack_need {
    const struct ir_expr *bytes; /* int64, of symbols of the function; NULL: there is no bound: */
    const char *why;             /* "it calls itself" */
    struct location where;       /* of the call or the allocation that is to blame */
};

struct stack_options {
    unsigned threads; /* that share a parallel loop; 0: one */
    /* Counts what does not lie on the stack, too, as in artifacts, whose arena it is taken from and where nobody
     * gives it back before the run ends, but what turns of a loop take. */
    bool keeps;
};

/* The most that a call of @function has on the stack.  False: there is no bound, and @out says why. */
bool stack_need(struct ir_module *module, const struct ir_function *function,
                const struct stack_options *options, struct stack_need *out);

/* Of all functions of a module at once. */
struct stack_needs {
    struct map needs; /* struct ir_function -> struct stack_need */
    struct arena arena;
};
void stack_needs_find(struct stack_needs *needs, struct ir_module *module,
                      const struct stack_options *options);
void stack_needs_finish(struct stack_needs *needs);
const struct stack_need *stack_needs_of(const struct stack_needs *needs,
                                        const struct ir_function *function);

/* Bytes that describe what a turn of loop @loop (loop_of_turn()) is given, at most. */
int64_t stack_turn_room(const struct ir_module *module, const struct tail_calls *tails,
                        unsigned loop);

/* --- sums, for those who add up --- */

/* Of two int64 expressions; nothing is said twice, and what is provably less is left out. */
const struct ir_expr *stack_sum(struct ir_context *context, const struct ir_expr *a,
                                const struct ir_expr *b);
const struct ir_expr *stack_max(struct ir_context *context, const struct ir_expr *a,
                                const struct ir_expr *b);
/* @bytes as a piece of the stack takes them. */
const struct ir_expr *stack_round(struct ir_context *context, const struct ir_expr *bytes);

/* The most that @stmt of a kernel, serial loops and all, has on the stack, of its free variables. */
bool stack_scratch(struct ir_context *context, struct tir_stmt *stmt,
                   const struct stack_options *options, struct stack_need *out);

/* For stack_need.c: loops of the graph in runs that give nothing back but their stack. */
#pragma once

#include "analysis/stack_need.h"
#include "analysis/storage/storage.h"

enum { STACK_PIECE_HEAD = 64 }; /* bytes in front of each piece that a turn takes */

/* @bytes of a turn of @function, one of the @count of its loop, at most in any turn; NULL: not known. */
const struct ir_expr *stack_in_all_turns(struct ir_context *context, const struct tail_calls *tails,
                                         struct ir_function *function, size_t count,
                                         const struct ir_expr *bytes);

/* What a turn takes beside the stack at most, heads and all, in symbols that are the same in all turns. */
struct stack_turn {
    const struct ir_expr *kept, *largest; /* of it, the largest piece */
};

struct stack_loop {
    const struct ir_expr *turns;   /* bytes while the loop runs */
    const struct ir_expr *results; /* that stay taken when it has ended */
};

/* Of the @count functions of a cycle of calls, all of which are turns of one loop. */
void stack_loop_find(struct storage_module *facts, const struct tail_calls *tails,
                     struct storage_node *const *nodes, size_t count, const struct stack_turn *turn,
                     struct stack_loop *out);

/*
 * Results and operands of different sizes in one storage.
 *
 * The smaller of the two lies in a part of the larger: at its front or at its back, whichever the
 * loops allow.  A result that is smaller than an operand which nobody needs any more takes a part
 * of it.  An operand that is smaller than the result is *made* in the storage of the result,
 * which is taken earlier for it, so only where this function takes the operand's storage itself,
 * by one call or allocation.
 *
 * A storage that is taken earlier, or kept longer, than it was can cost more than it saves, so
 * what the function holds is added up op by op: a pair is worth it if the most that is held from
 * the first to the last op concerned gets less.  Sizes that are no numbers are not looked at.
 */
#pragma once

#include "analysis/inplace.h"

/* Output @output of @call and operand @argument, in one storage. */
struct inplace_size {
    struct ir_op *call;
    unsigned argument;
    int output;
    bool is_wider;       /* the result is the larger one */
    int64_t offset;      /* of the smaller one in the larger, in bytes */
    struct ir_op *maker; /* wider: takes the operand's storage, as leaf @maker_leaf of its result */
    unsigned maker_leaf; /* (call_tir), or as its result (builtin.alloc_tensor) */
    int64_t maker_offset;        /* wider: of that storage in the larger one */
    const struct tir_stmt *turn; /* the loop of the kernel that has to run backwards, or NULL */
    const int64_t *shifts;       /* by operand: how far it begins behind the result; see @meets */
    const bool *meets;           /* by operand: is it in the storage, too? */
    int64_t bytes;               /* that are not needed any more */
};

struct inplace_sizes {
    struct arena arena;
    struct inplace_size *items;
    size_t count, capacity; /* an array() */
};

/*
 * Adds pairs of @module, of which no two concern one op or storage, so that all may be made so;
 * there may be more when they are.  Changes nothing.
 */
void inplace_find_sizes(struct ir_module *module, struct inplace_sizes *out);
void inplace_sizes_finish(struct inplace_sizes *sizes);

/* Will the kernel of @size, in its call as it is now, do? */
bool inplace_size_holds(struct ir_module *module, const struct inplace_size *size);

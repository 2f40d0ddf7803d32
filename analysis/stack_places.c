/*
 * What lies on the stack of a run.
 *
 * An op that makes storage and an end in the same region that names its result: so it is given back on all ways
 * through the function.  One whose end comes before that of what was taken before is nested in it.  Where
 * two cross each other, the later one stays on the heap: on the stack it would keep the other one there.  So does what is there
 * in a call that is a turn of a loop (tail_calls.h): the function has left by then, and its stack is given back.
 */
#include "analysis/stack_need.h"
#include "analysis/tail_calls.h"
#include "base/array.h"
#include "ir/arith.h"
#include "ops/ids.h"

enum { SMALL_LIMIT = 4096 }; /* bytes of a buffer that lies among the variables of a kernel */

bool stack_is_end(const struct ir_op *op)
{
    return op_is(op, OP_memory_kill_tensor) || op_is(op, OP_memory_kill_storage) ||
           op_is(op, OP_vm_kill_object);
}

/* Makes one piece of storage, which is its result. */
static bool makes_storage(const struct ir_op *op)
{
    return op_is(op, OP_builtin_alloc_tensor) || op_is(op, OP_memory_alloc_storage) ||
           op_is(op, OP_vm_alloc_storage) || op_is(op, OP_copy) || op_is(op, OP_shape_to_tensor) ||
           op_is(op, OP_size);
}

/* The end of what @op makes, in its region. */
static const struct ir_op *end_of(const struct ir_op *op)
{
    ir_for_each_use (use, &op->result) {
        const struct ir_op *user = ir_use_root(use);

        if (stack_is_end(user) && user->block->region == op->block->region)
            return user;
    }
    return NULL;
}

struct walk {
    const struct tail_calls *tails;
    struct stack_places *places;
    array(const struct ir_op *) open; /* ends of what is on the stack, innermost last */
    struct map order;                 /* end -> its number in the text */
    struct map tail_counts; /* op that makes storage, or end -> tail calls in front of it */
    uintptr_t next, tail_count;
};

static bool note_position(void *state, struct ir_op *op)
{
    struct walk *walk = state;

    walk->tail_count += is_tail_call(walk->tails, op);
    if (stack_is_end(op))
        map_set(&walk->order, op, (const void *)++walk->next);
    if (walk->tail_count > 0 && (stack_is_end(op) || makes_storage(op)))
        map_set(&walk->tail_counts, op, (const void *)walk->tail_count);
    return true;
}

/* Is there a way from @op to @end with a call that the function leaves before? */
static bool is_left_between(const struct walk *walk, const struct ir_op *op,
                            const struct ir_op *end)
{
    return map_get(&walk->tail_counts, op) != map_get(&walk->tail_counts, end);
}

static uintptr_t position_of(const struct walk *walk, const struct ir_op *end)
{
    return (uintptr_t)map_get(&walk->order, end);
}

static bool place(void *state, struct ir_op *op)
{
    struct walk *walk = state;

    while (walk->open.count > 0 && array_last(&walk->open) == op)
        (void)array_pop(&walk->open);
    if (!makes_storage(op))
        return true;
    const struct ir_op *end = end_of(op);

    if (!end || is_left_between(walk, op, end) ||
        (walk->open.count > 0 &&
         position_of(walk, array_last(&walk->open)) < position_of(walk, end)))
        return true;
    map_set(&walk->places->ends, op, end);
    array_push(&walk->open, end);
    return true;
}

void stack_places_find(struct stack_places *places, const struct ir_function *function,
                       const struct tail_calls *tails)
{
    struct walk walk = {.tails = tails, .places = places};

    *places = (struct stack_places){0};
    (void)ir_region_walk(function->body, note_position, &walk);
    (void)ir_region_walk(function->body, place, &walk);
    map_finish(&walk.order);
    map_finish(&walk.tail_counts);
    array_finish(&walk.open);
}

void stack_places_finish(struct stack_places *places)
{
    map_finish(&places->ends);
    map_finish(&places->held);
    arena_finish(&places->arena);
}

const struct ir_op *stack_end(const struct stack_places *places, const struct ir_op *op)
{
    return map_get(&places->ends, op);
}

int64_t stack_small_bytes(struct ir_context *context, const struct ir_buffer *buffer)
{
    int64_t bytes = ir_dtype_bytes(buffer->dtype);

    for (unsigned i = 0; i < buffer->ndim; i++) {
        int64_t dim = 0;

        if (!ir_expr_constant(context, buffer->shape[i], &dim) || dim < 0 || dim > SMALL_LIMIT)
            return -1;
        bytes *= dim;
        if (bytes > SMALL_LIMIT)
            return -1;
    }
    return bytes;
}

/*
 * How much of a piece of storage is held while a kernel runs that has scratch.
 *
 * A tensor in a piece holds its bytes from where it is put there to its end in the same region (to that of the
 * piece, if there is none).  What lies behind the last of those that are held then is free: scratch begins there, not
 * behind the piece, if that is the innermost one on the stack.  Nothing is read behind an end (the checker of storage
 * has seen to that), and what is put there later begins anew.
 */
#include "analysis/stack_kept.h"
#include "analysis/stack_need.h"
#include "base/array.h"
#include "ir/arith.h"
#include "ops/ids.h"

/* A tensor in the innermost piece. */
struct tensor {
    const struct ir_op *end; /* or NULL */
    int64_t upper;           /* where its bytes end */
};

struct walk {
    struct stack_places *places;
    struct ir_context *context;
    struct map scratch;                 /* kernel -> itself, if it has some */
    array(const struct ir_op *) pieces; /* on the stack, innermost last */
    array(struct tensor) tensors;       /* of the innermost that is looked into */
    const struct ir_op *piece;          /* that one */
};

/* --- kernels --- */

static bool is_small(const struct walk *w, const struct ir_buffer *buffer)
{
    return stack_small_bytes(w->context, buffer) >= 0;
}

/* False, to end the walk: it takes some. */
static bool takes_none(void *state, struct tir_stmt *stmt)
{
    const struct walk *w = state;
    bool is_none = stmt->kind != TIR_ALLOC || is_small(w, stmt->alloc.buffer);

    for (unsigned i = 0; stmt->kind == TIR_BLOCK && i < stmt->block.alloc_count; i++)
        is_none &= is_small(w, stmt->block.allocs[i]);
    return is_none;
}

static bool has_scratch(struct walk *w, const struct tir_func *kernel)
{
    if (!map_has(&w->scratch, kernel))
        map_set(&w->scratch, kernel,
                tir_stmt_walk(kernel->body, takes_none, w) ? NULL : (const void *)kernel);
    return map_get(&w->scratch, kernel) != NULL;
}

/* --- tensors --- */

/* Bytes from the begin of the piece to the end of the tensor that @op puts there; -1: not known. */
static int64_t upper_of(const struct walk *w, const struct ir_op *op)
{
    const struct ir_op *def = op->operands[1].value->def;
    const struct ir_expr *bytes = stack_tensor_bytes(w->context, op->result.type);
    int64_t offset, size, upper;

    if (!bytes || !def || !ir_op_is(def, IR_CORE_prim) ||
        ir_op_attr(def, "value")->kind != IR_ATTR_EXPR ||
        !ir_expr_constant(w->context, ir_op_attr(def, "value")->expr, &offset) ||
        !ir_expr_constant(w->context, bytes, &size) || offset < 0 || size < 0 ||
        __builtin_add_overflow(offset, size, &upper))
        return -1;
    return upper;
}

/* Is @piece taken from the stack, and all that uses it known tensors and its end? */
static bool is_known(const struct walk *w, const struct ir_op *piece)
{
    if (!op_is(piece, OP_memory_alloc_storage))
        return false;
    ir_for_each_use (use, &piece->result) {
        const struct ir_op *user = use->user;
        bool is_tensor = op_is(user, OP_memory_alloc_tensor) && use == &user->operands[0];

        if (user != stack_end(w->places, piece) && (!is_tensor || upper_of(w, user) < 0))
            return false;
    }
    return true;
}

/* The end of what @op put into a piece, in its region. */
static const struct ir_op *end_of(const struct ir_op *op)
{
    ir_for_each_use (use, &op->result)
        if (op_is(use->user, OP_memory_kill_tensor) &&
            use->user->block->region == op->block->region)
            return use->user;
    return NULL;
}

/* --- program order --- */

static void note_end(struct walk *w, const struct ir_op *end)
{
    size_t kept = 0;

    for (size_t i = 0; i < w->tensors.count; i++)
        if (w->tensors.items[i].end != end)
            w->tensors.items[kept++] = w->tensors.items[i];
    w->tensors.count = kept;
    while (w->pieces.count > 0 && stack_end(w->places, array_last(&w->pieces)) == end)
        if (array_pop(&w->pieces) == w->piece)
            w->piece = NULL;
}

/* Only one piece is looked into at a time: one within another is small, or comes before the other's tensors. */
static void note_piece(struct walk *w, const struct ir_op *piece)
{
    array_push(&w->pieces, piece);
    if (w->piece || !is_known(w, piece))
        return;
    w->piece = piece;
    w->tensors.count = 0;
}

static void note_call(struct walk *w, const struct ir_op *call)
{
    int64_t held = 0, size;
    const struct ir_expr *bytes = w->piece ? stack_op_bytes(w->context, w->piece) : NULL;

    if (!w->piece || array_last(&w->pieces) != w->piece || !bytes ||
        !ir_expr_constant(w->context, bytes, &size))
        return;
    for (size_t i = 0; i < w->tensors.count; i++)
        held = w->tensors.items[i].upper > held ? w->tensors.items[i].upper : held;
    held += -held & (STACK_ALIGNMENT - 1);
    size += -size & (STACK_ALIGNMENT - 1);
    if (held >= size)
        return;
    struct stack_held *out = arena_new(&w->places->arena, struct stack_held);
    *out = (struct stack_held){w->piece, held, size - held};
    map_set(&w->places->held, call, out);
}

static bool visit(void *state, struct ir_op *op)
{
    struct walk *w = state;
    const struct ir_global *callee = ir_op_callee(op);

    if (stack_is_end(op))
        note_end(w, op);
    if (stack_end(w->places, op))
        note_piece(w, op);
    else if (w->piece && op_is(op, OP_memory_alloc_tensor) &&
             op->operands[0].value == &w->piece->result)
        array_push(&w->tensors, (struct tensor){end_of(op), upper_of(w, op)});
    else if (callee && callee->kind == IR_GLOBAL_KERNEL && has_scratch(w, callee->kernel))
        note_call(w, op);
    return true;
}

void stack_held_find(struct stack_places *places, const struct ir_function *function)
{
    struct walk w = {.places = places, .context = function->module->context};

    (void)ir_region_walk(function->body, visit, &w);
    map_finish(&w.scratch);
    array_finish(&w.pieces);
    array_finish(&w.tensors);
}

const struct stack_held *stack_held(const struct stack_places *places, const struct ir_op *call)
{
    return map_get(&places->held, call);
}

/* Sizes of a loop of the graph that hold in all turns: of symbols that do not change, or by their upper bounds. */
#include "analysis/stack_kept.h"
#include "analysis/stack_loop.h"
#include "base/array.h"
#include "ir/arith.h"
#include "ir/bounds.h"

struct steady {
    struct ir_context *context;
    const struct tail_calls *tails;
    const struct ir_function *function;
    const struct ir_expr *bytes;
    const struct ir_bindings *known;
    bool is_steady;
};

/* Does the next turn have for each symbol what this one has? */
static bool visit_symbol(void *state, const struct ir_expr *e)
{
    struct steady *s = state;
    const struct ir_expr *next = e->kind == IR_EXPR_var ? ir_bindings_find(s->known, e->var) : NULL;

    s->is_steady &=
        e->kind != IR_EXPR_var || (next && next->kind == IR_EXPR_var && next->var == e->var);
    return s->is_steady;
}

static bool visit_turn(void *state, struct ir_op *op)
{
    struct steady *s = state;
    struct ir_bindings known = {0};

    if (!is_tail_call(s->tails, op))
        return true;
    stack_bind_call(s->context, op, s->function, &known);
    s->known = &known;
    (void)ir_expr_walk(s->bytes, visit_symbol, s);
    array_finish(&known);
    return s->is_steady;
}

static bool is_steady(struct ir_context *context, const struct tail_calls *tails,
                      struct ir_function *function, const struct ir_expr *bytes)
{
    struct steady s = {.context = context,
                       .tails = tails,
                       .function = function,
                       .bytes = bytes,
                       .is_steady = true};

    (void)ir_region_walk(function->body, visit_turn, &s);
    return s.is_steady;
}

const struct ir_expr *stack_in_all_turns(struct ir_context *context, const struct tail_calls *tails,
                                         struct ir_function *function, size_t count,
                                         const struct ir_expr *bytes)
{
    struct ir_bounds bounds = {0};
    struct arena scratch = {0};
    int64_t most;

    if (!bytes || bytes->kind == IR_EXPR_int ||
        (count == 1 && is_steady(context, tails, function, bytes)))
        return bytes;
    ir_bounds_find(function, &scratch, &bounds);
    bool is_known = ir_bounds_most(context, &bounds, bytes, &most);

    array_finish(&bounds);
    arena_finish(&scratch);
    return is_known ? ir_expr_int(context, IR_I64, most) : NULL;
}

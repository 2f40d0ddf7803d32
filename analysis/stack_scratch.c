/*
 * Scratch of kernels: what their allocations take of the stack.
 *
 * An allocation ends with the sequence or block that it stands in.  A parallel loop has a slice for each of the
 * threads that share it; one within another is not divided.
 */
#include "analysis/stack_need.h"
#include "base/array.h"
#include "ir/arith.h"

struct scratch {
    struct ir_context *context;
    struct ir_ranges ranges; /* of the loops and axes around, within what is asked for */
    unsigned threads;
    bool is_parallel; /* within a loop that is divided */
    struct stack_need *out;
};

/* --- sums --- */

static bool is_number(const struct ir_expr *a)
{
    return a->kind == IR_EXPR_int;
}

static const struct ir_expr *number(struct ir_context *context, int64_t value)
{
    return ir_expr_int(context, IR_I64, value);
}

const struct ir_expr *stack_sum(struct ir_context *context, const struct ir_expr *a,
                                const struct ir_expr *b)
{
    int64_t sum;

    if (ir_expr_is_int(a, 0))
        return b;
    if (ir_expr_is_int(b, 0))
        return a;
    if (is_number(a) && is_number(b) && !__builtin_add_overflow(a->int_value, b->int_value, &sum))
        return number(context, sum);
    return ir_simplify(context, ir_expr_binary(context, IR_EXPR_add, a, b));
}

const struct ir_expr *stack_max(struct ir_context *context, const struct ir_expr *a,
                                const struct ir_expr *b)
{
    if (a == b || ir_expr_is_int(b, 0))
        return a;
    if (ir_expr_is_int(a, 0))
        return b;
    if (is_number(a) && is_number(b))
        return a->int_value >= b->int_value ? a : b;
    if (ir_prove_ge(context, NULL, a, b))
        return a;
    if (ir_prove_ge(context, NULL, b, a))
        return b;
    return ir_simplify(context, ir_expr_binary(context, IR_EXPR_max, a, b));
}

const struct ir_expr *stack_round(struct ir_context *context, const struct ir_expr *bytes)
{
    const struct ir_expr *unit = number(context, STACK_ALIGNMENT);
    int64_t value;

    if (ir_expr_constant(context, bytes, &value) && value <= INT64_MAX - STACK_ALIGNMENT)
        return number(context, value <= 0 ? 0 : value + (-value & (STACK_ALIGNMENT - 1)));
    const struct ir_expr *more =
        ir_expr_binary(context, IR_EXPR_add, bytes, number(context, STACK_ALIGNMENT - 1));
    return ir_simplify(context,
                       ir_expr_binary(context, IR_EXPR_mul,
                                      ir_expr_binary(context, IR_EXPR_floordiv, more, unit), unit));
}

/* --- sizes --- */

static const struct ir_expr *refuse(struct scratch *s, struct location where, const char *why)
{
    *s->out = (struct stack_need){.why = why, .where = where};
    return NULL;
}

static bool is_outside(void *state, const struct ir_expr *e)
{
    const struct ir_ranges *ranges = state;

    for (size_t i = 0; e->kind == IR_EXPR_var && i < ranges->count; i++)
        if (ranges->items[i].var == e->var)
            return false;
    return e->kind != IR_EXPR_load && e->kind != IR_EXPR_call && e->kind != IR_EXPR_let;
}

/* What @buffer takes at most; NULL after a refusal. */
static const struct ir_expr *size_of(struct scratch *s, const struct ir_buffer *buffer)
{
    struct ir_context *context = s->context;
    const struct ir_expr *bytes = number(context, ir_dtype_bytes(buffer->dtype));

    if (stack_small_bytes(context, buffer) >= 0)
        return number(context, 0);
    for (unsigned i = 0; i < buffer->ndim; i++)
        bytes = ir_expr_binary(context, IR_EXPR_mul, bytes,
                               ir_expr_cast(context, IR_I64, buffer->shape[i]));
    bytes = ir_simplify(context, bytes);
    if (!ir_expr_walk(bytes, is_outside, &s->ranges)) {
        int64_t most = ir_interval_of(context, &s->ranges, bytes).high;

        if (most == INT64_MAX)
            return refuse(s, buffer->loc,
                          atom_printf(&context->atoms,
                                      "the size of `%s` is known within its loops only",
                                      buffer->name));
        bytes = number(context, most);
    }
    return stack_round(context, bytes);
}

/* --- statements --- */

static const struct ir_expr *need_of(struct scratch *s, struct tir_stmt *stmt);

/* The most of @live and of what @stmt (may be NULL) takes beside it; NULLs are refusals. */
static const struct ir_expr *beside(struct scratch *s, const struct ir_expr *most,
                                    const struct ir_expr *live, struct tir_stmt *stmt)
{
    const struct ir_expr *need = most && live && stmt ? need_of(s, stmt) : live;

    if (!most || !live || !need)
        return NULL;
    return stack_max(s->context, most, stmt ? stack_sum(s->context, live, need) : live);
}

static const struct ir_expr *add(struct scratch *s, const struct ir_expr *live,
                                 const struct ir_buffer *buffer)
{
    const struct ir_expr *bytes = live ? size_of(s, buffer) : NULL;

    return bytes ? stack_sum(s->context, live, bytes) : NULL;
}

static const struct ir_expr *need_of_seq(struct scratch *s, const struct tir_stmt *stmt)
{
    const struct ir_expr *live = number(s->context, 0), *most = live;

    for (unsigned i = 0; i < stmt->seq.count && most; i++) {
        struct tir_stmt *item = stmt->seq.items[i];

        if (item->kind == TIR_ALLOC)
            live = add(s, live, item->alloc.buffer);
        most = beside(s, most, live, item->kind == TIR_ALLOC ? NULL : item);
    }
    return most;
}

static void push_range(struct scratch *s, const struct ir_var *var, const struct ir_expr *min,
                       const struct ir_expr *extent)
{
    array_push(&s->ranges, (struct ir_range){var, ir_expr_cast(s->context, var->dtype, min),
                                             ir_expr_cast(s->context, var->dtype, extent)});
}

static const struct ir_expr *need_of_block(struct scratch *s, const struct tir_stmt *stmt)
{
    const struct ir_expr *live = number(s->context, 0), *most;
    size_t before = s->ranges.count;

    for (unsigned i = 0; i < stmt->block.axis_count; i++)
        push_range(s, stmt->block.axes[i].var, stmt->block.axes[i].min, stmt->block.axes[i].extent);
    for (unsigned i = 0; i < stmt->block.alloc_count && live; i++)
        live = add(s, live, stmt->block.allocs[i]);
    most = beside(s, live, live, stmt->block.init);
    most = beside(s, most, live, stmt->block.body);
    s->ranges.count = before;
    return most;
}

static const struct ir_expr *need_of_for(struct scratch *s, const struct tir_stmt *stmt)
{
    bool is_divided = stmt->loop.kind == TIR_PARALLEL && !s->is_parallel && s->threads > 1;
    size_t before = s->ranges.count;

    push_range(s, stmt->loop.var, stmt->loop.min, stmt->loop.extent);
    if (is_divided)
        s->is_parallel = true;
    const struct ir_expr *need = need_of(s, stmt->loop.body);

    if (is_divided) {
        s->is_parallel = false;
        need = need ? ir_simplify(s->context, ir_expr_binary(s->context, IR_EXPR_mul, need,
                                                             number(s->context, s->threads)))
                    : NULL;
    }
    s->ranges.count = before;
    return need;
}

static const struct ir_expr *need_of(struct scratch *s, struct tir_stmt *stmt)
{
    const struct ir_expr *none = number(s->context, 0), *most = none;

    switch (stmt->kind) {
    case TIR_SEQ:
        return need_of_seq(s, stmt);
    case TIR_BLOCK:
        return need_of_block(s, stmt);
    case TIR_FOR:
        return need_of_for(s, stmt);
    case TIR_ALLOC:
        return size_of(s, stmt->alloc.buffer);
    default:
        for (unsigned i = 0; most && tir_stmt_child(stmt, i); i++)
            most = beside(s, most, none, tir_stmt_child(stmt, i));
        return most;
    }
}

bool stack_scratch(struct ir_context *context, struct tir_stmt *stmt,
                   const struct stack_options *options, struct stack_need *out)
{
    struct scratch s = {.context = context, .threads = options ? options->threads : 1, .out = out};

    *out = (struct stack_need){0};
    out->bytes = need_of(&s, stmt);
    array_finish(&s.ranges);
    return out->bytes != NULL;
}

/*
 * What a run takes beside the stack and gives back when it ends, and no earlier: the runs of artifacts.
 *
 * That is the storage of ops which code generation does not put on the stack, in the function and in all
 * that it calls, once for each place in the text: loops give back what their turns took (stack_loop.c), and there
 * are no other cycles of calls.  Results that lie in memory of the caller (analysis/result_places.h) take nothing in a call from outside.
 */
#include "analysis/stack_kept.h"

#include "analysis/leaves.h"
#include "analysis/result_places.h"
#include "ir/arith.h"
#include "ops/ids.h"

struct walk {
    struct stack_kept_search *search;
    const struct ir_function *function;
    struct stack_places places;
    struct result_places results;
    struct stack_kept *out;
};

static bool refuse(struct walk *w, struct location where, const char *why)
{
    *w->out = (struct stack_kept){.why = why, .where = where};
    return false;
}

/* @bytes more, as the run takes them. */
static bool add(struct walk *w, const struct ir_op *op, const struct ir_expr *bytes)
{
    struct ir_context *context = w->search->context;

    if (!bytes)
        return refuse(w, op->loc, "the size of storage that it takes is not known");
    bytes = stack_round(context, ir_simplify(context, bytes));
    w->out->inside = stack_sum(context, w->out->inside, bytes);
    w->out->largest = stack_max(context, w->out->largest, bytes);
    w->out->pieces++;
    if (result_place(&w->results, op) < 0)
        w->out->outside = stack_sum(context, w->out->outside, bytes);
    return true;
}

/* Is a value of @type described in memory that the run takes, since code does not know its form? */
static bool is_open(const struct ir_type *type)
{
    switch (type->kind) {
    case IR_TYPE_TENSOR:
        return type->ndim < 0 || ir_dtype_is_void(type->dtype);
    case IR_TYPE_SHAPE:
        return type->ndim < 0;
    default:
        return type->kind != IR_TYPE_PRIM;
    }
}

static bool has_open(const struct ir_type *type)
{
    for (unsigned i = 0; i < leaf_count(type); i++)
        if (is_open(leaf_type(type, i)))
            return true;
    return false;
}

/* --- casts: what has not the form of the type is described, to be looked at when it runs --- */

/* As include/inlay/abi.h lays them out, at most: a tensor without its dims, a shape or tuple without its items. */
enum { TENSOR_BYTES = 48, ROW_BYTES = 16, VALUE_BYTES = 16 };

static int64_t whole(int64_t bytes)
{
    return (bytes + STACK_ALIGNMENT - 1) / STACK_ALIGNMENT * STACK_ALIGNMENT;
}

/* Bytes that describe a value of @type. */
int64_t stack_box_bytes(const struct ir_type *type)
{
    int64_t bytes = 0;

    if (type->kind == IR_TYPE_TENSOR)
        return whole(TENSOR_BYTES + 8 * type->ndim);
    if (type->kind == IR_TYPE_SHAPE)
        return whole(ROW_BYTES + 8 * type->ndim);
    if (type->kind != IR_TYPE_TUPLE || type->field_count == 0)
        return 0;
    bytes = whole(ROW_BYTES + (int64_t)type->field_count * VALUE_BYTES);
    for (unsigned i = 0; i < type->field_count; i++)
        bytes += stack_box_bytes(type->fields[i]);
    return bytes;
}

static int64_t cast_bytes(const struct ir_type *from, const struct ir_type *to)
{
    int64_t bytes = 0;

    if (from->kind == IR_TYPE_TUPLE && to->kind == IR_TYPE_TUPLE &&
        from->field_count == to->field_count) {
        for (unsigned i = 0; i < from->field_count; i++)
            bytes += cast_bytes(from->fields[i], to->fields[i]);
        return bytes;
    }
    bool has_form = from->kind == to->kind &&
                    (from->kind == IR_TYPE_PRIM || from->ndim == to->ndim) &&
                    (from->kind == IR_TYPE_SHAPE || ir_dtype_equal(from->dtype, to->dtype));
    return has_form && from->kind != IR_TYPE_TUPLE ? 0 : whole(VALUE_BYTES) + stack_box_bytes(from);
}

static bool add_cast(struct walk *w, const struct ir_op *op)
{
    const struct ir_type *to = op->declared ? op->declared : op->result.type;
    int64_t bytes = cast_bytes(op->operands[0].value->type, to);

    if (bytes > 0)
        w->out->pieces += 1 + 2 * (int64_t)leaf_count(to); /* of which that is in truth */
    return add(w, op, ir_expr_int(w->search->context, IR_I64, bytes));
}

static bool is_bound(void *state, const struct ir_expr *e)
{
    return e->kind != IR_EXPR_var || ir_bindings_find(state, e->var);
}

static const struct ir_expr *bound_to(struct walk *w, const struct ir_expr *bytes,
                                      const struct ir_bindings *known)
{
    struct ir_context *context = w->search->context;

    return ir_simplify(context, ir_expr_substitute(context, bytes, known));
}

static bool add_call(struct walk *w, const struct ir_op *op, const struct ir_function *callee)
{
    struct ir_context *context = w->search->context;
    const struct stack_kept *kept = map_get(&w->search->known, callee);
    struct ir_bindings known = {0};

    if (is_tail_call(w->search->tails, op))
        return true;
    if (!kept || !kept->inside)
        return refuse(w, kept ? kept->where : op->loc,
                      kept ? kept->why : "what it calls is not known");
    stack_bind_call(context, op, callee, &known);
    bool is_good = (ir_expr_walk(kept->inside, is_bound, &known) &&
                    ir_expr_walk(kept->largest, is_bound, &known)) ||
                   refuse(w, op->loc, "the sizes of a call that it makes are not known");

    if (is_good) {
        const struct ir_expr *bytes = bound_to(w, kept->inside, &known);
        const struct ir_expr *largest = bound_to(w, kept->largest, &known);
        w->out->largest = stack_max(context, w->out->largest, largest);
        w->out->pieces += kept->pieces;
        w->out->inside = stack_sum(context, w->out->inside, bytes);
        w->out->outside = stack_sum(context, w->out->outside, bytes);
    }
    array_finish(&known);
    return is_good;
}

/* New storage of an op that is no call. */
static bool add_fresh(struct walk *w, const struct ir_op *op)
{
    const struct ir_type *type = op->result.type;

    for (unsigned i = 0; i < leaf_count(type); i++)
        if (leaf_type(type, i)->kind == IR_TYPE_TENSOR &&
            !add(w, op, stack_tensor_bytes(w->search->context, leaf_type(type, i))))
            return false;
    return true;
}

static bool visit(void *state, struct ir_op *op)
{
    struct walk *w = state;
    const struct ir_global *callee = ir_op_callee(op);
    bool is_storage = op_is(op, OP_memory_alloc_storage) || op_is(op, OP_vm_alloc_storage);
    const struct ir_type *given =
        ir_op_is(op, IR_CORE_return) ? w->function->result : op->result.type;

    if (!is_storage && has_open(given))
        return refuse(w, op->loc, "the rank or dtype of a value is not known");
    if ((callee && callee->kind == IR_GLOBAL_KERNEL) || stack_end(&w->places, op))
        return true;
    if (ir_op_is(op, IR_CORE_match_cast))
        return add_cast(w, op);
    if (callee && callee->kind == IR_GLOBAL_FUNCTION)
        return add_call(w, op, callee->function);
    if (is_storage)
        return add(w, op, stack_op_bytes(w->search->context, op));
    if (op_is(op, OP_memory_alloc_tensor) || op_is(op, OP_vm_alloc_tensor) ||
        op_is(op, OP_memory_view) || op->info->core != IR_CORE_none ||
        (op->info->traits & (IR_VIEW | IR_ALIAS)))
        return true; /* in storage that was counted, or a name */
    return add_fresh(w, op);
}

void stack_kept_find(struct stack_kept_search *search, const struct ir_function *function)
{
    struct ir_context *context = search->context;
    struct stack_kept *kept = arena_new(&search->arena, struct stack_kept);
    struct walk w = {.search = search, .function = function, .out = kept};

    map_set(&search->known, function, kept);
    kept->inside = kept->outside = kept->largest = ir_expr_int(context, IR_I64, 0);
    stack_places_find(&w.places, function, search->tails);
    if (!function->is_private)
        result_places_find(&w.results, &search->params, function);
    (void)ir_region_walk(function->body, visit, &w);
    stack_places_finish(&w.places);
    result_places_finish(&w.results);
}

void stack_kept_set(struct stack_kept_search *search, const struct ir_function *function,
                    const struct ir_expr *bytes)
{
    struct stack_kept *kept = map_get(&search->known, function);

    kept->inside = kept->outside = kept->largest = bytes;
    kept->pieces = 0;
}

const struct stack_kept *stack_kept_of(const struct stack_kept_search *search,
                                       const struct ir_function *function)
{
    return map_get(&search->known, function);
}

void stack_kept_finish(struct stack_kept_search *search)
{
    map_finish(&search->known);
    result_params_finish(&search->params);
    arena_finish(&search->arena);
}

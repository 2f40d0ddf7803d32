/* See artifact_need.h. */
#include "driver/artifact_need.h"

#include "analysis/leaves.h"
#include "analysis/stack_need.h"
#include "base/array.h"
#include "include/inlay/abi.h"
#include "ir/arith.h"
#include "ops/ids.h"

enum { DEPTH_LIMIT = 256 };

struct walk {
    struct artifact_needs *needs;
    struct ir_context *context;
    const struct ir_function *function;
    struct artifact_need *need;
    struct stack_places places;
    unsigned depth;
};

static const struct ir_expr *number(struct walk *walk, int64_t value)
{
    return ir_expr_int(walk->context, IR_I64, value);
}

static const struct ir_expr *sum(struct walk *walk, enum ir_expr_kind kind, const struct ir_expr *a,
                                 const struct ir_expr *b)
{
    return ir_simplify(walk->context, ir_expr_binary(walk->context, kind, a, b));
}

static bool give_up(struct walk *walk, struct location where, const char *why)
{
    if (walk->need->bytes)
        *walk->need = (struct artifact_need){.why = why, .where = where};
    return false;
}

/* @bytes more, as the arena gives them. */
static bool add(struct walk *walk, const struct ir_expr *bytes)
{
    walk->need->bytes =
        stack_sum(walk->context, walk->need->bytes, stack_round(walk->context, bytes));
    return true;
}

static bool add_type(struct walk *walk, const struct ir_op *op, const struct ir_type *type)
{
    const struct ir_expr *bytes = ir_type_bytes(walk->context, type);

    return bytes ? add(walk, bytes)
                 : give_up(walk, op->loc, "the size of a tensor that it makes is not known");
}

/* --- graph functions --- */

static const struct artifact_need *need_of(struct artifact_needs *needs,
                                           const struct ir_function *function, unsigned depth);

static bool uses_foreign(void *state, const struct ir_expr *e)
{
    const struct ir_bindings *bindings = state;

    return e->kind != IR_EXPR_var || ir_bindings_find(bindings, e->var);
}

static bool add_call(struct walk *walk, const struct ir_op *op, const struct ir_function *callee)
{
    const struct artifact_need *need = need_of(walk->needs, callee, walk->depth + 1);
    struct ir_bindings bindings = {0};
    bool is_good = need->bytes != NULL;

    if (!is_good)
        return give_up(walk, need->where, need->why);
    for (unsigned i = 0; i < op->operand_count && i < callee->param_count; i++)
        ir_type_match(walk->context, callee->params[i]->type, op->operands[i].value->type,
                      &bindings);
    is_good = ir_expr_walk(need->bytes, uses_foreign, &bindings);
    if (is_good)
        add(walk, ir_expr_substitute(walk->context, need->bytes, &bindings));
    array_finish(&bindings);
    return is_good || give_up(walk, op->loc, "the sizes of a call that it makes are not known");
}

static bool add_storage(struct walk *walk, const struct ir_op *op)
{
    const struct ir_type *type = op->operands[0].value->type;
    const struct ir_expr *bytes = number(walk, 1);

    if (!op_is(op, OP_memory_alloc_storage) || type->kind != IR_TYPE_SHAPE || !type->dims)
        return give_up(walk, op->loc, "the size of storage that it takes is not known");
    for (int i = 0; i < type->ndim; i++)
        bytes = sum(walk, IR_EXPR_mul, bytes, type->dims[i]);
    return add(walk, bytes);
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

/* A returned value is described in the arena, too. */
static bool add_result(struct walk *walk, const struct ir_op *op)
{
    for (unsigned i = 0; i < leaf_count(walk->function->result); i++) {
        const struct ir_type *type = leaf_type(walk->function->result, i);
        size_t head =
            type->kind == IR_TYPE_TENSOR ? sizeof(struct inlay_tensor) : sizeof(struct inlay_shape);
        if (type->kind == IR_TYPE_PRIM)
            continue;
        if (is_open(type))
            return give_up(walk, op->loc, "the rank or dtype of what it returns is not known");
        add(walk, number(walk, (int64_t)head + 8 * type->ndim));
    }
    return true;
}

/* New storage of ops that are no calls. */
static bool add_fresh(struct walk *walk, const struct ir_op *op)
{
    const struct ir_type *type = op->result.type;

    if (op->info->traits & (IR_VIEW | IR_ALIAS))
        return true;
    for (unsigned i = 0; i < leaf_count(type); i++)
        if (leaf_type(type, i)->kind == IR_TYPE_TENSOR && !add_type(walk, op, leaf_type(type, i)))
            return false;
    return true;
}

static bool visit_op(void *state, struct ir_op *op)
{
    struct walk *walk = state;
    const struct ir_global *callee = ir_op_callee(op);

    if (!op_is(op, OP_memory_alloc_storage) && !op_is(op, OP_vm_alloc_storage) &&
        has_open(op->result.type))
        return give_up(walk, op->loc, "the rank or dtype of a value is not known");

    if ((callee && callee->kind == IR_GLOBAL_KERNEL) || stack_end(&walk->places, op))
        return true;
    if (callee && callee->kind == IR_GLOBAL_FUNCTION)
        return add_call(walk, op, callee->function);
    if (ir_op_is(op, IR_CORE_return))
        return add_result(walk, op);
    if (op_is(op, OP_memory_alloc_storage) || op_is(op, OP_vm_alloc_storage))
        return add_storage(walk, op);
    if (op_is(op, OP_memory_alloc_tensor) || op_is(op, OP_vm_alloc_tensor) ||
        op_is(op, OP_memory_view) || op->info->core != IR_CORE_none)
        return true; /* in storage that was counted, or a name */
    return add_fresh(walk, op);
}

static const struct artifact_need *need_of(struct artifact_needs *needs,
                                           const struct ir_function *function, unsigned depth)
{
    struct artifact_need *need = map_get(&needs->known, function);
    struct ir_context *context = function->module->context;

    if (need)
        return need;
    need = arena_new(&needs->arena, struct artifact_need);
    *need = (struct artifact_need){.why = "it calls itself", .where = function->loc};
    map_set(&needs->known, function, need);
    if (depth > DEPTH_LIMIT) {
        need->why = "its calls are nested too deep";
        return need;
    }
    struct artifact_need own = {.bytes = ir_expr_int(context, IR_I64, 0)};
    struct walk walk = {
        .needs = needs, .context = context, .function = function, .need = &own, .depth = depth};
    stack_places_find(&walk.places, function, NULL);
    (void)ir_region_walk(function->body, visit_op, &walk);
    stack_places_finish(&walk.places);
    *need = own;
    return need;
}

struct artifact_need artifact_need_of(struct artifact_needs *needs,
                                      const struct ir_function *function)
{
    struct ir_context *context = function->module->context;
    struct artifact_need need = *need_of(needs, function, 0);
    struct stack_options options = {.threads = needs->threads, .has_no_loops = true};
    struct stack_need stack;

    if (!need.bytes)
        return need;
    if (!stack_need(function->module, function, &options, &stack))
        return (struct artifact_need){.why = stack.why, .where = stack.where};
    need.bytes = stack_sum(context, need.bytes, stack.bytes);
    return need;
}

void artifact_needs_finish(struct artifact_needs *needs)
{
    map_finish(&needs->known);
    arena_finish(&needs->arena);
}

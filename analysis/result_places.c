/*
 * From what is returned back to what took its storage: names, updates in place, calls that return a parameter
 * (result_params.c), views of all of it, branches of an `if`.  Only what the text says on the way is believed; anything
 * else ends the search.
 */
#include "analysis/result_places.h"

#include "analysis/leaves.h"
#include "analysis/stack_need.h"
#include "base/array.h"
#include "ir/arith.h"
#include "ops/ids.h"

enum { DEPTH_LIMIT = 64 }; /* of branches in branches */

struct search {
    struct ir_context *context;
    struct result_params *params;
    const struct ir_type *type;      /* of the leaf */
    array(const struct ir_op *) ops; /* that take its storage, one a path */
};

static bool same_bytes(const struct search *s, const struct ir_type *type)
{
    const struct ir_expr *a = ir_type_bytes(s->context, s->type);
    const struct ir_expr *b = ir_type_bytes(s->context, type);

    if (s->type->ndim == 0 && type->ndim == 0)
        return ir_dtype_equal(s->type->dtype, type->dtype);
    return a && b && ir_prove_equal(s->context, a, b);
}

/* Whoever gives memory aligns it to the elements of the result. */
static bool is_aligned_for(const struct search *s, const struct ir_type *type)
{
    return ir_dtype_bytes(type->dtype) <= ir_dtype_bytes(s->type->dtype);
}

/* @value sees all of another tensor, which becomes *@value. */
static bool step_view(const struct search *s, const struct ir_value **value)
{
    const struct ir_op *op = (*value)->def;
    bool is_view = op && op->operand_count > 0 &&
                   ((op->info->traits & IR_VIEW) != 0 || op_is(op, OP_memory_view)) &&
                   op->operands[0].value->type->kind == IR_TYPE_TENSOR &&
                   same_bytes(s, op->operands[0].value->type);

    if (is_view)
        *value = op->operands[0].value;
    return is_view;
}

static bool is_ended(const struct ir_op *op)
{
    ir_for_each_use (use, &op->result)
        if (stack_is_end(ir_use_root(use)))
            return true;
    return false;
}

/* Makes a tensor whose storage is its own, and can be anybody's. */
static bool makes_tensor(const struct ir_op *op)
{
    return op_is(op, OP_builtin_alloc_tensor) || op_is(op, OP_copy) ||
           op_is(op, OP_shape_to_tensor) || op_is(op, OP_size);
}

static bool search_if(struct search *s, const struct ir_op *op, unsigned leaf, unsigned depth);

/* Leaf @leaf of @value, in @region or outside of it; what takes its storage must stand in @region. */
static bool search_value(struct search *s, const struct ir_value *value, unsigned leaf,
                         const struct ir_region *region, unsigned depth)
{
    while (result_step(s->params, &value, &leaf) || (leaf == 0 && step_view(s, &value)))
        continue;
    const struct ir_op *op = value->def;

    if (!op || !op->block || op->block->region != region)
        return false;
    if (ir_op_is(op, IR_CORE_if))
        return search_if(s, op, leaf, depth);
    if (!makes_tensor(op) || is_ended(op) || !same_bytes(s, value->type) ||
        !is_aligned_for(s, value->type))
        return false;
    array_push(&s->ops, op);
    return true;
}

static bool search_if(struct search *s, const struct ir_op *op, unsigned leaf, unsigned depth)
{
    for (unsigned i = 0; i < op->region_count; i++) {
        const struct ir_op *yield = op->regions[i]->last->last;

        if (depth == DEPTH_LIMIT ||
            !search_value(s, yield->operands[0].value, leaf, op->regions[i], depth + 1))
            return false;
    }
    return true;
}

static void find_leaf(struct result_places *places, struct result_params *params,
                      const struct ir_function *function, const struct ir_value *result,
                      unsigned leaf)
{
    struct search s = {.context = function->module->context,
                       .params = params,
                       .type = leaf_type(function->result, leaf)};
    bool is_found =
        s.type->kind == IR_TYPE_TENSOR && search_value(&s, result, leaf, function->body, 0);

    for (size_t i = 0; is_found && i < s.ops.count; i++)
        is_found = !map_has(&places->leaves, s.ops.items[i]);
    if (is_found)
        array_push(&places->found, leaf);
    for (size_t i = 0; is_found && i < s.ops.count; i++)
        map_set(&places->leaves, s.ops.items[i], (const void *)(uintptr_t)(leaf + 1));
    array_finish(&s.ops);
}

void result_places_find(struct result_places *places, struct result_params *params,
                        const struct ir_function *function)
{
    const struct ir_op *end = function->body->last ? function->body->last->last : NULL;

    *places = (struct result_places){0};
    if (!end || !ir_op_is(end, IR_CORE_return))
        return;
    const struct ir_value *result = end->operands[0].value;

    for (unsigned i = 0; i < leaf_count(function->result); i++)
        if (leaf_count(result->type) == leaf_count(function->result))
            find_leaf(places, params, function, result, i);
}

void result_places_leaves(const struct result_places *places, bool *out)
{
    for (size_t i = 0; i < places->found.count; i++)
        out[places->found.items[i]] = true;
}

void result_places_finish(struct result_places *places)
{
    map_finish(&places->leaves);
    array_finish(&places->found);
}

int result_place(const struct result_places *places, const struct ir_op *op)
{
    return (int)(uintptr_t)map_get(&places->leaves, op) - 1;
}

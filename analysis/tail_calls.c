/* Calls that are the last thing a function does. */
#include "analysis/tail_calls.h"

#include "analysis/leaves.h"
#include "analysis/stack_need.h"
#include "analysis/storage/storage.h"
#include "base/array.h"

/* --- the place in the text --- */

/* Is @value only another name of @result? */
static bool is_name_of(const struct ir_value *value, const struct ir_value *result)
{
    while (value != result && value->def && ir_op_is(value->def, IR_CORE_bind))
        value = value->def->operands[0].value;
    return value == result;
}

static const struct ir_op *first_of(const struct ir_block *block)
{
    while (block && !block->first)
        block = block->next;
    return block ? block->first : NULL;
}

static const struct ir_op *behind(const struct ir_op *op)
{
    return op->next ? op->next : first_of(op->block->next);
}

/* Does @op do nothing but end storage, and name or pass on @result? */
static bool is_way_out(const struct ir_op *op, const struct ir_value *result)
{
    return stack_is_end(op) || ir_op_is(op, IR_CORE_output) ||
           (ir_op_is(op, IR_CORE_bind) && is_name_of(&op->result, result));
}

/* Is all that follows @op, in its region and in those around it, the way out with its result? */
static bool is_last(const struct ir_op *op)
{
    while (true) {
        const struct ir_op *next = behind(op);

        while (next && is_way_out(next, &op->result))
            next = behind(next);
        bool is_end = next && (ir_op_is(next, IR_CORE_yield) || ir_op_is(next, IR_CORE_return));

        if (!is_end || !is_name_of(next->operands[0].value, &op->result))
            return false;
        if (ir_op_is(next, IR_CORE_return))
            return true;
        op = op->block->region->owner;
    }
}

/* Do results of the one type come in the form of those of the other? */
static bool has_form(const struct ir_type *a, const struct ir_type *b)
{
    unsigned count = leaf_count(a);
    bool is_same = leaf_count(b) == count;

    for (unsigned i = 0; is_same && i < count; i++) {
        const struct ir_type *x = leaf_type(a, i), *y = leaf_type(b, i);

        is_same = x->kind == y->kind && x->ndim == y->ndim && !x->dims == !y->dims &&
                  ir_dtype_equal(x->dtype, y->dtype);
    }
    return is_same;
}

/* Is @op of @function the last that is done? */
static bool is_last_call(const struct ir_function *function, const struct ir_op *op)
{
    return op->result.type == function->result && /* so there is nothing left to check */
           has_form(ir_op_callee(op)->function->result, function->result) && is_last(op);
}

/* --- what code that is not seen may keep --- */

struct search {
    struct tail_calls *tails;
    struct storage_module *facts;
    struct map opaque; /* functions that call such code, by whatever way */
    const struct storage_node *node;
    bool is_opaque;
};

static bool visit_opaque(void *state, struct ir_op *op)
{
    struct search *search = state;
    const struct ir_global *callee = ir_op_callee(op);
    bool is_kernel = callee && callee->kind == IR_GLOBAL_KERNEL;

    if (is_kernel)
        search->is_opaque |= storage_kernel(search->facts, callee->kernel)->calls_out;
    else if (callee && callee->kind == IR_GLOBAL_FUNCTION)
        search->is_opaque |= map_has(&search->opaque, callee->function);
    else
        search->is_opaque |= ir_op_is(op, IR_CORE_function) ||
                             ir_op_is(op, IR_CORE_call_dps_packed) ||
                             (op->info->traits & IR_OPAQUE);
    return !search->is_opaque;
}

static void note_opaque(struct search *search, const struct storage_node *node)
{
    search->is_opaque = false;
    (void)ir_region_walk(node->function->body, visit_opaque, search);
    if (search->is_opaque)
        map_set(&search->opaque, node->function, node);
}

/* --- modules --- */

/* Is @op a call of a function that may come back to the one around it? */
static bool is_in_cycle(const struct search *search, const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;
    bool is_function = callee && callee->kind == IR_GLOBAL_FUNCTION;
    const struct storage_node *node =
        is_function ? map_get(&search->facts->nodes, callee->function) : NULL;

    return node && node->component == search->node->component;
}

static bool visit_call(void *state, struct ir_op *op)
{
    struct search *search = state;
    struct ir_function *function = search->node->function;
    const void *loop = (const void *)((uintptr_t)search->node->component + 1);

    if (!is_in_cycle(search, op) || !is_last_call(function, op))
        return true;
    map_set(&search->tails->calls, op, op);
    map_set(&search->tails->called, ir_op_callee(op)->function, op);
    map_set(&search->tails->loops, ir_op_callee(op)->function, loop);
    map_set(&search->tails->loops, function, loop);
    if (!makes_tail_calls(search->tails, function))
        map_set(&search->tails->functions, function, op);
    return true;
}

/* One that is a value may be called by whom nobody sees. */
static void find_calls(struct search *search, const struct storage_node *node)
{
    search->node = node;
    if (node->is_recursive && node->function->is_private && !node->is_value &&
        !map_has(&search->opaque, node->function))
        (void)ir_region_walk(node->function->body, visit_call, search);
}

void tail_calls_find(struct tail_calls *tails, struct ir_module *module)
{
    struct storage_module facts;
    struct search search = {.tails = tails, .facts = &facts};

    *tails = (struct tail_calls){0};
    storage_module_init(&facts, module);
    for (size_t i = 0, end; i < facts.node_count; i = end) {
        struct storage_node *const *order = facts.order;
        bool is_opaque = false;

        /* in a cycle each calls all */
        for (end = i; end < facts.node_count && order[end]->component == order[i]->component;
             end++) {
            note_opaque(&search, order[end]);
            is_opaque |= map_has(&search.opaque, order[end]->function);
        }
        for (size_t j = i; j < end && is_opaque; j++)
            map_set(&search.opaque, order[j]->function, order[j]);
    }
    for (size_t i = 0; i < facts.node_count; i++)
        find_calls(&search, facts.order[i]);
    storage_module_finish(&facts);
    map_finish(&search.opaque);
}

void tail_calls_finish(struct tail_calls *tails)
{
    map_finish(&tails->calls);
    map_finish(&tails->functions);
    map_finish(&tails->called);
    map_finish(&tails->loops);
}

bool is_tail_call(const struct tail_calls *tails, const struct ir_op *op)
{
    return tails && map_has(&tails->calls, op);
}

bool is_turn_of_loop(const struct tail_calls *tails, const struct ir_function *function)
{
    return map_has(&tails->functions, function) || map_has(&tails->called, function);
}

unsigned loop_of_turn(const struct tail_calls *tails, const struct ir_function *function)
{
    return (unsigned)(uintptr_t)map_get(&tails->loops, function);
}

bool makes_tail_calls(const struct tail_calls *tails, const struct ir_function *function)
{
    return map_has(&tails->functions, function);
}

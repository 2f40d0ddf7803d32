/*
 * InlinePrivateFunctions: calls of private functions become their bodies.
 *
 *     b = R.add(a, a); c = cls.g(b); d = R.exp(c)       @R.function(private=True) def g(x): ..
 *  =>
 *     b = R.add(a, a); <body of g with x = b>; d = R.exp(c)                              (g goes)
 *
 * Callees come first, so each body is copied when nothing is left to inline in it.  Functions that can
 * reach themselves stay as they are (strongly connected components, by Tarjan's algorithm; "Depth-first
 * search and linear graph algorithms", 1972), and so do functions whose effects are hidden by
 * relax.force_pure, calls that would nest branches too deep, and calls in functions that have grown by
 * `limit` ops.  An in-place call in the body means the same in its new place; whether it still runs in
 * place is decided there by ResolveInplace.  A function that is called no more is removed.
 */
#include "ir/edit/rewrite.h"
#include "passes/graph/inline.h"
#include "passes/graph/reach.h"

enum { DEPTH_LIMIT = 128 }; /* of branches within branches, with what is inlined */

/* What is known of a function. */
struct facts {
    struct ir_function *function;
    unsigned number, low; /* of Tarjan's algorithm; number 0: not visited */
    bool is_on_stack, is_recursive;
    array(struct ir_op *) calls; /* of graph functions, nested functions included */
    size_t next_call;
    int64_t ops;
    unsigned depth;
};

struct inliner {
    struct pass_run *run;
    struct map facts; /* struct ir_function -> struct facts */
    unsigned next_number;
    array(struct facts *) stack;
    array(struct facts *) order; /* callees first */
    struct map inlined;          /* struct ir_global: one of its calls was replaced */
};

static struct facts *facts_of(const struct inliner *inliner, const struct ir_op *call)
{
    const struct ir_global *callee = ir_op_callee(call);

    return callee && callee->kind == IR_GLOBAL_FUNCTION ? map_get(&inliner->facts, callee->function)
                                                        : NULL;
}

/* ---- facts ---- */

static void look(struct facts *facts, struct ir_region *region, unsigned depth)
{
    if (depth > facts->depth)
        facts->depth = depth;
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block) {
            facts->ops++;
            if (ir_op_is(op, IR_CORE_call) && ir_op_callee(op) &&
                ir_op_callee(op)->kind == IR_GLOBAL_FUNCTION)
                array_push(&facts->calls, op);
            for (unsigned i = 0; i < op->region_count; i++)
                look(facts, op->regions[i], depth + 1);
            if (ir_op_is(op, IR_CORE_function))
                look(facts, ir_op_attr(op, "function")->function->body, depth + 1);
        }
    }
}

/* ---- components ---- */

/* All members of the component whose root is @root are on top of the stack. */
static void close_component(struct inliner *inliner, struct facts *root)
{
    bool is_one = array_last(&inliner->stack) == root;
    struct facts *facts;

    do {
        facts = array_pop(&inliner->stack);
        facts->is_on_stack = false;
        facts->is_recursive |= !is_one;
        array_push(&inliner->order, facts);
    } while (facts != root);
}

static void enter(struct inliner *inliner, struct facts *facts)
{
    facts->number = facts->low = ++inliner->next_number;
    facts->is_on_stack = true;
    array_push(&inliner->stack, facts);
}

static void visit(struct inliner *inliner, struct facts *start)
{
    array(struct facts *) path = {0};

    enter(inliner, start);
    array_push(&path, start);
    while (path.count > 0) {
        struct facts *facts = array_last(&path);

        if (facts->next_call < facts->calls.count) {
            struct facts *callee = facts_of(inliner, facts->calls.items[facts->next_call++]);

            facts->is_recursive |= callee == facts;
            if (callee && callee->number == 0) {
                enter(inliner, callee);
                array_push(&path, callee);
            } else if (callee && callee->is_on_stack && callee->number < facts->low) {
                facts->low = callee->number;
            }
            continue;
        }
        path.count--;
        if (path.count > 0 && facts->low < array_last(&path)->low)
            array_last(&path)->low = facts->low;
        if (facts->low == facts->number)
            close_component(inliner, facts);
    }
    array_finish(&path);
}

/* ---- inlining ---- */

static unsigned depth_at(const struct ir_op *op)
{
    unsigned depth = 0;

    while (op->block->region->owner) {
        op = op->block->region->owner;
        depth++;
    }
    for (const struct ir_function *f = op->block->region->function; f->parent; f = f->parent)
        depth++;
    return depth;
}

static bool is_forced_pure(const struct ir_function *function)
{
    return ir_attr_dict_get(function->attrs, "relax.force_pure") != NULL;
}

static bool can_inline(const struct facts *callee)
{
    return callee->function->is_private && !callee->is_recursive &&
           !is_forced_pure(callee->function) && !callee->function->skip_well_formed;
}

static void join(struct ir_function *function);

static bool join_op(void *state, struct ir_op *op)
{
    (void)state;
    for (unsigned i = 0; i < op->region_count; i++)
        rewrite_join_blocks(op->regions[i]);
    if (ir_op_is(op, IR_CORE_function))
        join(ir_op_attr(op, "function")->function);
    return true;
}

static void join(struct ir_function *function)
{
    ir_region_walk(function->body, join_op, NULL);
    rewrite_join_blocks(function->body);
}

static void inline_calls(struct inliner *inliner, struct facts *facts)
{
    struct ir_module *module = inliner->run->module;
    int64_t limit = pass_option_int(inliner->run, "limit");
    struct inline_names names = {0};
    bool is_changed = false;

    for (size_t i = 0; i < facts->calls.count; i++) {
        struct ir_op *call = facts->calls.items[i];
        struct facts *callee = facts_of(inliner, call);

        if (!callee || !can_inline(callee) || callee->ops > limit ||
            depth_at(call) + callee->depth > DEPTH_LIMIT)
            continue;
        unsigned depth = depth_at(call) + callee->depth;
        struct ir_global *global = ir_op_callee(call);

        if (!inline_call(module, call, &names))
            continue;
        limit -= callee->ops;
        facts->ops += callee->ops;
        facts->depth = depth > facts->depth ? depth : facts->depth;
        map_set(&inliner->inlined, global, global);
        is_changed = true;
    }
    if (is_changed) {
        join(facts->function);
        rewrite_refine_types(facts->function);
    }
    for (size_t i = 0; i < names.count; i++) {
        struct ir_value *value = names.items[i]->operands[0].value;

        if (!ir_value_is_inline(value) && value->type == names.items[i]->result.type) {
            value->name = value->name ? value->name : names.items[i]->result.name;
            rewrite_replace(module, names.items[i], value);
        }
    }
    array_finish(&names);
}

static bool remove_uncalled(struct inliner *inliner)
{
    struct ir_module *module = inliner->run->module;
    struct reach r = {.module = module};

    for (size_t i = 0; i < module->global_count; i++)
        if (!map_has(&inliner->inlined, module->globals[i]))
            reach_add(&r, module->globals[i]);
    bool is_changed = reach_remove_others(&r, &inliner->inlined);

    reach_finish(&r);
    return is_changed;
}

enum pass_result pass_inline_private_functions(struct pass_run *run)
{
    struct inliner inliner = {.run = run};
    struct ir_module *module = run->module;

    for (size_t i = 0; i < module->global_count; i++) {
        if (module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        struct facts *facts = arena_new(&run->scratch, struct facts);

        facts->function = module->globals[i]->function;
        look(facts, facts->function->body, 0);
        map_set(&inliner.facts, facts->function, facts);
    }
    for (size_t i = 0; i < module->global_count; i++) {
        struct facts *facts = map_get(&inliner.facts, module->globals[i]->function);

        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION && facts->number == 0)
            visit(&inliner, facts);
    }
    for (size_t i = 0; i < inliner.order.count; i++) {
        inline_calls(&inliner, inliner.order.items[i]);
        array_finish(&inliner.order.items[i]->calls);
    }
    bool is_changed = inliner.inlined.count > 0;

    if (is_changed)
        remove_uncalled(&inliner);
    array_finish(&inliner.stack);
    array_finish(&inliner.order);
    map_finish(&inliner.facts);
    map_finish(&inliner.inlined);
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

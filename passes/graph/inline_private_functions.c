/*
 * InlinePrivateFunctions: calls of private functions become their bodies.
 *
 *     b = R.add(a, a); c = cls.g(b); d = R.exp(c)       @R.function(private=True) def g(x): ..
 *  =>
 *     b = R.add(a, a); <body of g with x = b>; d = R.exp(c)                              (g goes)
 *
 * What becomes of each call is decided first, callees before callers, by numbers alone: a function that
 * calls another one twice, which calls a third one twice, and so on, would double each time.  Functions
 * that can reach themselves stay as they are (strongly connected components, by Tarjan's algorithm;
 * "Depth-first search and linear graph algorithms", 1972), and so do functions whose effects are hidden by
 * relax.force_pure, calls that would nest branches too deep, and calls that would make the module larger
 * by more than `limit` ops.  Then bodies are copied, callers first, into functions that stay only: what
 * goes away is not expanded before, so a chain of n functions takes n copies.
 *
 * An in-place call in the body means the same in its new place; whether it still runs in place is decided
 * there by ResolveInplace.  A function that is called no more is removed.
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
    struct inline_calls calls; /* of graph functions, nested functions included */
    bool *is_wanted;           /* calls that become the body of what they call */
    size_t next_call;
    int64_t ops;       /* with all that is to be put in */
    unsigned depth;    /* likewise, of branches */
    size_t open_calls; /* of it, of which nothing was decided yet */
    bool stays;        /* something calls it at the end */
    bool is_done;      /* what is wanted in it was put in */
};

struct inliner {
    struct pass_run *run;
    struct map facts; /* struct ir_function -> struct facts */
    unsigned next_number;
    array(struct facts *) stack;
    array(struct facts *) order; /* callees first */
    int64_t budget;              /* ops that the module may still grow by */
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

static bool decide_call(struct inliner *inliner, struct facts *facts, struct ir_op *call)
{
    struct facts *callee = facts_of(inliner, call);

    if (!callee)
        return false;
    unsigned depth = depth_at(call) + callee->depth;
    bool is_wanted = can_inline(callee) && callee->ops <= inliner->budget && depth <= DEPTH_LIMIT;
    callee->open_calls--;
    callee->stays |= !is_wanted;
    if (is_wanted) {
        facts->ops += callee->ops;
        facts->depth = depth > facts->depth ? depth : facts->depth;
        inliner->budget -= callee->ops;
    }
    if (callee->open_calls == 0 && !callee->stays)
        inliner->budget += callee->ops; /* it goes */
    return is_wanted;
}

/* What becomes of the calls in @facts, when that is known of all that they call. */
static void decide(struct inliner *inliner, struct facts *facts)
{
    facts->is_wanted = arena_array(&inliner->run->scratch, bool, facts->calls.count);
    for (size_t i = 0; i < facts->calls.count; i++)
        facts->is_wanted[i] = decide_call(inliner, facts, facts->calls.items[i]);
}

static void add_wanted(struct inline_calls *calls, const struct facts *facts)
{
    for (size_t i = 0; i < facts->calls.count; i++)
        if (facts->is_wanted[i])
            array_push(calls, facts->calls.items[i]);
}

/* Puts the body in place of @call; false if that cannot be.  @work gets the wanted calls in it. */
static bool expand(struct inliner *inliner, struct ir_op *call, struct inline_names *names,
                   struct inline_calls *work)
{
    struct ir_global *global = ir_op_callee(call);
    struct facts *callee = facts_of(inliner, call);
    struct inline_calls inside = {0};

    add_wanted(&inside, callee);
    bool is_fine = inline_call(inliner->run->module, call, names, &inside);
    if (is_fine)
        map_set(&inliner->inlined, global, global);
    else
        callee->stays = true;
    while (inside.count > 0) {
        struct ir_op *copy = array_pop(&inside);
        if (is_fine && copy)
            array_push(work, copy);
    }
    array_finish(&inside);
    return is_fine;
}

/* Names that turned out to be no more than names. */
static void drop_names(struct ir_module *module, const struct inline_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        struct ir_value *value = names->items[i]->operands[0].value;

        if (!ir_value_is_inline(value) && value->type == names->items[i]->result.type) {
            value->name = value->name ? value->name : names->items[i]->result.name;
            rewrite_replace(module, names->items[i], value);
        }
    }
}

static void inline_into(struct inliner *inliner, struct facts *facts)
{
    struct inline_names names = {0};
    struct inline_calls work = {0};
    bool is_changed = false;

    facts->is_done = true;
    add_wanted(&work, facts);
    for (size_t i = 0; i < work.count / 2; i++) { /* the first one is taken first */
        struct ir_op *call = work.items[i];
        work.items[i] = work.items[work.count - 1 - i];
        work.items[work.count - 1 - i] = call;
    }
    while (work.count > 0)
        is_changed |= expand(inliner, array_pop(&work), &names, &work);
    if (is_changed) {
        join(facts->function);
        rewrite_refine_types(facts->function);
    }
    drop_names(inliner->run->module, &names);
    array_finish(&names);
    array_finish(&work);
}

static void inline_into_all(struct inliner *inliner)
{
    for (size_t i = inliner->order.count; i-- > 0;) {
        struct facts *facts = inliner->order.items[i];

        if (facts->stays && !facts->is_done)
            inline_into(inliner, facts);
    }
}

static void remove_uncalled(struct inliner *inliner)
{
    struct ir_module *module = inliner->run->module;
    struct reach r = {.module = module};

    for (size_t i = 0; i < module->global_count; i++)
        if (!map_has(&inliner->inlined, module->globals[i]))
            reach_add(&r, module->globals[i]);
    reach_remove_others(&r, &inliner->inlined);
    reach_finish(&r);
}

/* Functions that nothing calls any more, but something mentions. */
static bool inline_into_mentioned(struct inliner *inliner)
{
    struct ir_module *module = inliner->run->module;
    bool is_any = false;

    for (size_t i = 0; i < module->global_count; i++) {
        struct facts *facts = map_get(&inliner->facts, module->globals[i]->function);

        if (facts && !facts->is_done) {
            inline_into(inliner, facts);
            is_any = true;
        }
    }
    return is_any;
}

static void look_at_all(struct inliner *inliner)
{
    struct ir_module *module = inliner->run->module;

    for (size_t i = 0; i < module->global_count; i++) {
        if (module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        struct facts *facts = arena_new(&inliner->run->scratch, struct facts);

        facts->function = module->globals[i]->function;
        look(facts, facts->function->body, 0);
        map_set(&inliner->facts, facts->function, facts);
    }
    for (size_t i = 0; i < module->global_count; i++) {
        struct facts *facts = map_get(&inliner->facts, module->globals[i]->function);

        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION && facts->number == 0)
            visit(inliner, facts);
    }
}

static void decide_all(struct inliner *inliner)
{
    for (size_t i = 0; i < inliner->order.count; i++) {
        struct facts *facts = inliner->order.items[i];

        for (size_t j = 0; j < facts->calls.count; j++) {
            struct facts *callee = facts_of(inliner, facts->calls.items[j]);
            if (callee)
                callee->open_calls++;
        }
    }
    for (size_t i = 0; i < inliner->order.count; i++) {
        struct facts *facts = inliner->order.items[i];

        facts->stays |= facts->open_calls == 0 || !can_inline(facts);
        decide(inliner, facts);
    }
}

enum pass_result pass_inline_private_functions(struct pass_run *run)
{
    struct inliner inliner = {.run = run, .budget = pass_option_int(run, "limit")};

    look_at_all(&inliner);
    decide_all(&inliner);
    inline_into_all(&inliner);
    bool is_changed = inliner.inlined.count > 0;

    if (is_changed)
        do
            remove_uncalled(&inliner);
        while (inline_into_mentioned(&inliner));
    for (size_t i = 0; i < inliner.order.count; i++)
        array_finish(&inliner.order.items[i]->calls);
    array_finish(&inliner.stack);
    array_finish(&inliner.order);
    map_finish(&inliner.facts);
    map_finish(&inliner.inlined);
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

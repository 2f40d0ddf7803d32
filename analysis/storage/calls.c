/*
 * The graph of calls, its strongly connected components (Tarjan, with a stack of our own), and
 * whether a function may write what it is donated.
 */
#include "analysis/storage/storage_internal.h"
#include "ir/contract.h"
#include "ir/verify.h"

/* ---- nodes and edges ---- */

struct edge_walk {
    struct storage_module *facts;
    struct storage_node *from;
};

static struct storage_node *node_of(const struct storage_module *facts,
                                    const struct ir_function *function)
{
    return map_get(&facts->nodes, function);
}

/* Functions among the operands of @op are values. */
static void note_values(struct edge_walk *walk, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_op *def = op->operands[i].value->def;

        if (!def || !ir_op_is_inline(def))
            continue;
        if (ir_op_is(def, IR_CORE_global)) {
            struct storage_node *node =
                node_of(walk->facts, ir_op_attr(def, "callee")->global->function);

            if (node)
                node->is_value = true;
        }
        note_values(walk, def);
    }
}

static bool note_op(void *state, struct ir_op *op)
{
    struct edge_walk *walk = state;
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;

    note_values(walk, op);
    walk->facts->has_effects |= storage_has_effect(op);
    if (callee && callee->kind == IR_GLOBAL_FUNCTION) {
        struct storage_node *to = node_of(walk->facts, callee->function);

        if (walk->from->callees.count == 0 || array_last(&walk->from->callees) != to)
            array_push(&walk->from->callees, to);
        walk->from->is_recursive |= to == walk->from;
        to->is_called = true;
    }
    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, note_op, walk);
    return true;
}

/* Does a contract say that the function writes no tensor, now or later? */
static bool is_harmless(const struct ir_op *op)
{
    struct ir_contract contract = ir_contract_of(op);

    return contract.attr && !ir_contract_mutates_any(&contract) &&
           !ir_contract_retains_any(&contract);
}

/* An `if` as such writes nothing; what is in it is asked by itself. */
bool storage_has_effect(const struct ir_op *op)
{
    return !(op->info->traits & (IR_TERMINATOR | IR_READS_ONLY)) && op->region_count == 0 &&
           !ir_op_is_pure(op) && !is_harmless(op);
}

/* ---- components ---- */

struct frame {
    struct storage_node *node;
    size_t next; /* callee to be looked at */
};

struct search {
    struct storage_module *facts;
    array(struct frame) frames;
    array(struct storage_node *) stack;
    unsigned next_index, next_component;
};

static void enter(struct search *search, struct storage_node *node)
{
    node->index = node->low = ++search->next_index;
    node->is_on_stack = true;
    array_push(&search->stack, node);
    array_push(&search->frames, (struct frame){.node = node});
}

/* Takes the component that @node is the first of off the stack; members in the order of their
 * ends. */
static void leave(struct search *search, struct storage_node *node)
{
    struct storage_node *member;
    bool is_cycle = array_last(&search->stack) != node;

    do {
        member = array_pop(&search->stack);
        member->is_on_stack = false;
        member->component = search->next_component;
        member->is_recursive |= is_cycle;
    } while (member != node);
    search->next_component++;
}

static void search_from(struct search *search, struct storage_node *start)
{
    enter(search, start);
    while (search->frames.count > 0) {
        struct frame *frame = &array_last(&search->frames);
        struct storage_node *node = frame->node;

        if (frame->next < node->callees.count) {
            struct storage_node *to = node->callees.items[frame->next++];

            if (!to->index)
                enter(search, to);
            else if (to->is_on_stack && to->index < node->low)
                node->low = to->index;
            continue;
        }
        /* functions end in front of those that call them, but for cycles */
        search->facts->order[search->facts->node_count++] = node;
        if (node->low == node->index)
            leave(search, node);
        (void)array_pop(&search->frames);
        if (search->frames.count > 0 && node->low < array_last(&search->frames).node->low)
            array_last(&search->frames).node->low = node->low;
    }
}

/* Members of one component stand together: its root ends last, and what ends between belongs to
 * components below it, which are put in front. */
static void sort_components(struct storage_module *facts, unsigned components)
{
    size_t *starts = arena_array(&facts->arena, size_t, components + 1);
    struct storage_node **sorted =
        arena_array(&facts->arena, struct storage_node *, facts->node_count + 1);

    for (size_t i = 0; i < facts->node_count; i++)
        starts[facts->order[i]->component + 1]++;
    for (unsigned i = 0; i < components; i++)
        starts[i + 1] += starts[i];
    for (size_t i = 0; i < facts->node_count; i++)
        sorted[starts[facts->order[i]->component]++] = facts->order[i];
    facts->order = sorted;
}

void storage_module_init(struct storage_module *facts, struct ir_module *module)
{
    struct search search = {.facts = facts};
    size_t count = 0;

    *facts = (struct storage_module){.module = module};
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION) {
            struct storage_node *node = arena_new(&facts->arena, struct storage_node);

            node->function = module->globals[i]->function;
            map_set(&facts->nodes, node->function, node);
            count++;
        }
    facts->order = arena_array(&facts->arena, struct storage_node *, count + 1);
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION) {
            struct edge_walk walk = {facts, node_of(facts, module->globals[i]->function)};

            ir_region_walk(walk.from->function->body, note_op, &walk);
        }
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION) {
            struct storage_node *node = node_of(facts, module->globals[i]->function);

            if (!node->index)
                search_from(&search, node);
        }
    sort_components(facts, search.next_component);
    array_finish(&search.frames);
    array_finish(&search.stack);
}

void storage_module_finish(struct storage_module *facts)
{
    for (size_t i = 0; i < facts->node_count; i++)
        array_finish(&facts->order[i]->callees);
    map_finish(&facts->kernels);
    map_finish(&facts->shares);
    map_finish(&facts->agreed);
    access_cache_finish(&facts->accesses);
    map_finish(&facts->nodes);
    arena_finish(&facts->arena);
}

bool storage_module_has_effects(struct ir_module *module)
{
    struct storage_module facts;

    storage_module_init(&facts, module);
    bool has_effects = facts.has_effects;
    storage_module_finish(&facts);
    return has_effects;
}

const struct kernel_access *storage_kernel(struct storage_module *facts,
                                           const struct tir_func *kernel)
{
    struct kernel_access *access = map_get(&facts->kernels, kernel);

    if (!access) {
        access = arena_new(&facts->arena, struct kernel_access);
        *access = kernel_access(&facts->arena, kernel);
        map_set(&facts->kernels, kernel, access);
    }
    return access;
}

/* One shift of two parameters. */
struct storage_share {
    struct storage_share *next;
    int64_t shift;
    struct access_share share;
};

static struct storage_share *share_new(struct storage_module *facts, const struct tir_func *kernel,
                                       unsigned written, unsigned read, int64_t shift)
{
    struct storage_share *share = arena_new(&facts->arena, struct storage_share);

    share->shift = shift;
    share->share = access_may_share_shifted(&facts->accesses, kernel, written, read, shift);
    return share;
}

const struct access_share *storage_kernel_share(struct storage_module *facts,
                                                const struct tir_func *kernel, unsigned written,
                                                unsigned read, int64_t shift)
{
    struct storage_share **row = map_get(&facts->shares, &kernel->params[written]);

    if (!row) {
        row = arena_array(&facts->arena, struct storage_share *, kernel->param_count);
        map_set(&facts->shares, &kernel->params[written], row);
    }
    struct storage_share *share = row[read];

    while (share && share->shift != shift)
        share = share->next;
    if (!share) {
        share = share_new(facts, kernel, written, read, shift);
        share->next = row[read];
        row[read] = share;
    }
    return &share->share;
}

bool storage_is_called(const struct storage_module *facts, const struct ir_function *function)
{
    const struct storage_node *node = node_of(facts, function);

    return node && (node->is_called || node->is_value);
}

bool storage_is_recursive(const struct storage_module *facts, const struct ir_function *function)
{
    const struct storage_node *node = node_of(facts, function);

    return node && node->is_recursive;
}

bool storage_is_donated(const struct storage_module *facts, const struct ir_function *function,
                        unsigned param)
{
    const struct storage_node *node = node_of(facts, function);

    return node && !node->is_value && ir_function_donates(function, param);
}

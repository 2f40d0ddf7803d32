/*
 * TopologicalSort: the ops of a dataflow block in the order in which a search meets them.
 *
 *     b1 = f(a); b2 = g(a); c1 = h(b1); c2 = h(b2)    depth-first, from inputs:
 *  => b1 = f(a); c1 = h(b1); b2 = g(a); c2 = h(b2)
 *
 * From the inputs: values of other blocks in the order of their definition, parameters first, then ops
 * that read nothing; an op is met when the last of what it reads was.  From the outputs the search goes
 * the other way and the result is reversed: ops come as late as their readers allow.  Breadth-first
 * takes what was met first, depth-first what was met last.  Ties keep the order that there was.
 *
 * Operands are not all that an order must respect: see order.h.  A call that updates x in place comes
 * behind every op that reads the storage of x and stood in front of it, or the proof of ResolveInplace
 * would not hold any more; and what mentions a symbol stays behind the match_cast that binds it.  Blocks
 * in which something has an effect (functions with relax.force_pure) are left alone.
 */
#include "ir/edit/rewrite.h"
#include "ir/verify.h"
#include "passes/graph/order.h"
#include "passes/pass.h"

#include <stdlib.h>
#include <string.h>

/* A neighbour of a node, in a list. */
struct link {
    unsigned node;
    size_t next; /* place + 1 */
};

/* Node 0 is the start; then values of other blocks, then the ops. */
struct node {
    struct ir_op *op;
    size_t first, last; /* of its links, place + 1 */
    unsigned missing;   /* links to it from nodes that were not met yet */
};

struct sort {
    struct pass_run *run;
    struct order order;
    bool is_depth_first, is_from_outputs, is_changed;
    /* of the block */
    struct arena arena;
    struct node *nodes;
    unsigned node_count;
    array(struct link) links;
    struct map node_of; /* struct ir_value of another block or op -> struct node */
};

static void add_link(struct sort *sort, struct node *from, struct node *to)
{
    array_push(&sort->links, (struct link){.node = (unsigned)(to - sort->nodes)});
    size_t place = sort->links.count;

    if (from->last)
        sort->links.items[from->last - 1].next = place;
    else
        from->first = place;
    from->last = place;
    to->missing++;
}

/* Says that @after comes behind @before. */
static void add_edge(struct sort *sort, struct node *before, struct node *after)
{
    if (sort->is_from_outputs)
        add_link(sort, after, before);
    else
        add_link(sort, before, after);
}

/* ---- the graph ---- */

static int compare_index(const void *a, const void *b)
{
    unsigned x = (*(struct ir_value *const *)a)->index, y = (*(struct ir_value *const *)b)->index;

    return (x > y) - (x < y);
}

struct externals {
    const struct ir_block *block;
    array(struct ir_value *) values;
    struct map seen;
};

static void find_external(void *state, struct ir_use *use)
{
    struct externals *externals = state;
    struct ir_value *value = use->value;

    if (ir_value_is_inline(value) || (value->def && value->def->block == externals->block) ||
        map_has(&externals->seen, value))
        return;
    map_set(&externals->seen, value, value);
    array_push(&externals->values, value);
}

static void make_nodes(struct sort *sort, struct ir_block *block)
{
    struct externals externals = {.block = block};
    unsigned count = 1;

    ir_for_each_op (op, block) {
        ir_op_walk_operands(op, find_external, &externals);
        count++;
    }
    if (externals.values.count > 1)
        qsort(externals.values.items, externals.values.count, sizeof(struct ir_value *),
              compare_index);
    sort->nodes = arena_array(&sort->arena, struct node, (size_t)count + externals.values.count);
    sort->node_count = 1;
    for (size_t i = 0; i < externals.values.count; i++)
        map_set(&sort->node_of, externals.values.items[i], &sort->nodes[sort->node_count++]);
    ir_for_each_op (op, block) {
        if (ir_op_is(op, IR_CORE_output))
            continue;
        sort->nodes[sort->node_count].op = op;
        map_set(&sort->node_of, &op->result, &sort->nodes[sort->node_count++]);
    }
    if (!sort->is_from_outputs)
        for (size_t i = 0; i < externals.values.count; i++)
            add_link(sort, &sort->nodes[0], &sort->nodes[1 + i]);
    array_finish(&externals.values);
    map_finish(&externals.seen);
}

struct reader {
    struct sort *sort;
    struct node *node;
};

static void add_operand(void *state, struct ir_use *use)
{
    struct reader *reader = state;
    struct node *from = map_get(&reader->sort->node_of, use->value);

    /* towards the inputs, values of other blocks are no nodes to be met */
    if (from && (from->op || !reader->sort->is_from_outputs))
        add_edge(reader->sort, from, reader->node);
}

static void add_captured(void *state, struct ir_op *op);

static bool visit_captured(void *state, struct ir_op *op)
{
    add_captured(state, op);
    return true;
}

static void add_captured(void *state, struct ir_op *op)
{
    ir_op_walk_operands(op, add_operand, state);
    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, visit_captured, state);
}

static void make_edges(struct sort *sort, struct ir_block *block)
{
    for (unsigned i = 1; i < sort->node_count; i++) {
        struct reader reader = {sort, &sort->nodes[i]};

        if (sort->nodes[i].op)
            add_captured(&reader, sort->nodes[i].op);
    }
    order_find(&sort->order, block);
    for (size_t i = 0; i < sort->order.edges.count; i++)
        add_edge(sort, map_get(&sort->node_of, &sort->order.edges.items[i].before->result),
                 map_get(&sort->node_of, &sort->order.edges.items[i].after->result));
}

/* ---- starts ---- */

/* Where a value is first used behind its block. */
struct exit {
    struct node *node;
    unsigned root, operand;
    bool is_used;
};

static void note_use(struct exit *exit, const struct ir_use *use, unsigned root)
{
    unsigned operand = (unsigned)(use - use->user->operands);

    if (exit->is_used && (root > exit->root || (root == exit->root && operand >= exit->operand)))
        return;
    *exit = (struct exit){.node = exit->node, .root = root, .operand = operand, .is_used = true};
}

static int compare_exit(const void *a, const void *b)
{
    const struct exit *x = a, *y = b;

    if (x->is_used != y->is_used)
        return x->is_used - y->is_used;
    if (x->root != y->root)
        return (x->root > y->root) - (x->root < y->root);
    if (x->operand != y->operand)
        return (x->operand > y->operand) - (x->operand < y->operand);
    return (x->node > y->node) - (x->node < y->node);
}

/* Unused ops first, then in the order in which what follows reads them. */
static void start_from_outputs(struct sort *sort, const struct ir_block *block)
{
    array(struct exit) exits = {0};

    for (unsigned i = 1; i < sort->node_count; i++) {
        struct exit exit = {.node = &sort->nodes[i]};
        bool is_inner = false;

        if (!exit.node->op)
            continue;
        ir_for_each_use (use, &exit.node->op->result) {
            const struct ir_op *root = ir_use_root(use);

            if (root && root->block != block)
                note_use(&exit, use, root->result.index);
            else if (root && !ir_op_is(root, IR_CORE_output))
                is_inner = true;
        }
        if (exit.is_used || !is_inner)
            array_push(&exits, exit);
    }
    if (exits.count > 1)
        qsort(exits.items, exits.count, sizeof(struct exit), compare_exit);
    for (size_t i = 0; i < exits.count; i++)
        add_link(sort, &sort->nodes[0], exits.items[i].node);
    array_finish(&exits);
}

static void start_from_inputs(struct sort *sort)
{
    for (unsigned i = 1; i < sort->node_count; i++)
        if (sort->nodes[i].op && sort->nodes[i].missing == 0)
            add_link(sort, &sort->nodes[0], &sort->nodes[i]);
}

/* ---- the search ---- */

struct worklist {
    unsigned *items; /* each node is added once */
    unsigned first, count;
};

static void push_ready(struct sort *sort, const struct node *node, struct worklist *work)
{
    unsigned begin = work->count;

    for (size_t at = node->first; at; at = sort->links.items[at - 1].next) {
        unsigned next = sort->links.items[at - 1].node;

        if (--sort->nodes[next].missing == 0)
            work->items[work->count++] = next;
    }
    /* A stack gives the last first, and towards the inputs the result is reversed: ties are to keep
     * their order, or the pass would never settle. */
    if (sort->is_depth_first == sort->is_from_outputs)
        return;
    for (unsigned i = begin, k = work->count; i + 1 < k; i++, k--) {
        unsigned swapped = work->items[i];

        work->items[i] = work->items[k - 1];
        work->items[k - 1] = swapped;
    }
}

static unsigned search(struct sort *sort, struct ir_op **ops)
{
    struct worklist work = {.items = arena_array(&sort->arena, unsigned, sort->node_count)};
    unsigned count = 0;

    push_ready(sort, &sort->nodes[0], &work);
    while (work.first < work.count) {
        unsigned next = sort->is_depth_first ? work.items[--work.count] : work.items[work.first++];

        if (sort->nodes[next].op)
            ops[count++] = sort->nodes[next].op;
        push_ready(sort, &sort->nodes[next], &work);
    }
    return count;
}

/* ---- the pass ---- */

static bool is_pure_block(const struct ir_block *block)
{
    ir_for_each_op (op, block)
        if (!ir_op_is_pure(op))
            return false;
    return true;
}

static void relink(struct sort *sort, struct ir_block *block, struct ir_op **ops, unsigned count)
{
    struct ir_op *output = block->last, *at = block->first;
    bool is_same = true;

    for (unsigned i = 0; i < count; i++, at = at->next)
        is_same &= at == ops[sort->is_from_outputs ? count - 1 - i : i];
    if (is_same)
        return;
    for (unsigned i = 0; i < count; i++) {
        struct ir_op *op = ops[sort->is_from_outputs ? count - 1 - i : i];

        ir_op_unlink(op);
        ir_op_insert_before(output, op);
    }
    sort->is_changed = true;
}

static void sort_block(struct sort *sort, struct ir_block *block)
{
    make_nodes(sort, block);
    make_edges(sort, block);
    if (sort->is_from_outputs)
        start_from_outputs(sort, block);
    else
        start_from_inputs(sort);
    struct ir_op **ops = arena_array(&sort->arena, struct ir_op *, sort->node_count);

    relink(sort, block, ops, search(sort, ops));
    sort->links.count = 0;
    map_finish(&sort->node_of);
    arena_finish(&sort->arena);
}

static void sort_region(struct sort *sort, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block) {
            for (unsigned i = 0; i < op->region_count; i++)
                sort_region(sort, op->regions[i]);
            if (ir_op_is(op, IR_CORE_function))
                sort_region(sort, ir_op_attr(op, "function")->function->body);
        }
        if (block->is_dataflow && is_pure_block(block))
            sort_block(sort, block);
    }
}

/* Which of two words option @name is; false after a report. */
static bool read_choice(struct pass_run *run, const char *name, const char *no, const char *yes,
                        bool *out)
{
    const char *given = pass_option_string(run, name);

    *out = strcmp(given, yes) == 0;
    if (*out || strcmp(given, no) == 0)
        return true;
    diag_report(run->diag, (struct location){0}, PASS_OPTION_VALUE, name, run->pass->name,
                arena_printf(&run->scratch, "is `%s`, and can be `%s` or `%s`", given, no, yes));
    return false;
}

enum pass_result pass_topological_sort(struct pass_run *run)
{
    struct sort sort = {.run = run};
    struct storage_module facts;

    if (!read_choice(run, "order", "breadth-first", "depth-first", &sort.is_depth_first) ||
        !read_choice(run, "direction", "from-inputs", "from-outputs", &sort.is_from_outputs))
        return PASS_FAILED;
    storage_module_init(&facts, run->module);
    storage_module_solve(&facts);
    for (size_t i = 0; i < run->module->global_count; i++) {
        if (run->module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        struct ir_function *function = run->module->globals[i]->function;

        order_init(&sort.order, &run->scratch, &facts, function);
        sort_region(&sort, function->body);
        order_finish(&sort.order);
    }
    array_finish(&sort.links);
    storage_module_finish(&facts);
    return sort.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

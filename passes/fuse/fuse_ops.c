/*
 * FuseOps: groups calls of kernels that are better one kernel, and makes a function of each group.
 *
 *     a = R.call_tir(cls.exp, (x,), ..)
 *     b = R.call_tir(cls.add, (a, y), ..)    =>    b = cls.fused_exp_add(x, y)
 *
 * Groups are found in each run of pure ops of a block (fuse_graph.h), by the patterns that
 * AnnotateTIROpPattern wrote.  A group computes one value; all others of its members are read by members
 * only.  FuseTIR makes kernels of the functions.  Chains of products over the same rows are groups first of all (fuse_chain.h);
 * what makes elements wider belongs to what reads it (fuse_widen.h).
 *
 * In-place calls mean a private copy, so they fuse like others where the kernel updates its argument
 * element by element; what reads the rest of its storage, a call that must run in place (strict) and
 * those that R.assert_inplace asks about stay alone, so that decisions and messages are the user's.
 */
#include "analysis/kernel.h"
#include "analysis/kernel_call.h"
#include "analysis/storage/storage.h"
#include "base/array.h"
#include "base/map.h"
#include "ir/verify.h"
#include "ops/ids.h"
#include "passes/fuse/fuse_chain.h"
#include "passes/fuse/fuse_facts.h"
#include "passes/fuse/fuse_group.h"
#include "passes/fuse/fuse_product.h"
#include "passes/fuse/fuse_remarks.h"
#include "passes/fuse/fuse_widen.h"

#include <stdlib.h>

struct fusion {
    struct pass_run *run;
    struct fuse_facts facts;
    struct storage storage;
    struct fuse_graph graph;
    struct fuse_chains chains;
    unsigned *numbers; /* by value index: node + 1 of the op that makes it */
    size_t number_count;
    struct fuse_group group;
    bool is_changed;
};

/* Is the result of an in-place call, or a name of it, the subject of R.assert_inplace? */
static bool is_asserted(const struct ir_value *value)
{
    ir_for_each_use (use, value) {
        const struct ir_op *user = use->user;

        if (op_is(user, OP_assert_inplace))
            return true;
        if (storage_is_name(user) && !ir_op_is_inline(user) && !ir_op_is(user, IR_CORE_tuple) &&
            is_asserted(&user->result))
            return true;
    }
    return false;
}

/* Why @op may not join a group, as far as its updates in place go; REMARK_NONE: it may. */
static enum remark_id why_no_updates(const struct fusion *f, const struct kernel_call *call,
                                     const struct fuse_kernel_facts *facts)
{
    if (!ir_op_is(call->op, IR_CORE_call_tir_inplace))
        return REMARK_NONE;
    if (f->run->inplace == INPLACE_STRICT || ir_op_attr(call->op, "strict")->boolean)
        return REMARK_FU_MUST_BE_INPLACE;
    if (is_asserted(&call->op->result))
        return REMARK_FU_ASSERTED;
    for (unsigned i = 0; i < call->output_count; i++)
        if (call->inplace[i] >= 0 && !fuse_is_pointwise(&f->facts, facts, call->output_params[i]))
            return REMARK_FU_NOT_POINTWISE;
    return REMARK_NONE;
}

/* What is known of the kernel that @op calls. */
static const struct fuse_kernel_facts *facts_of(struct fusion *f, const struct ir_op *op)
{
    return fuse_facts_of(&f->facts, ir_op_callee(op)->kernel);
}

/* The pattern of @op as a member of groups; of an opaque one *@out_why says why. */
static uint8_t pattern_of_op(struct fusion *f, const struct ir_op *op, enum remark_id *out_why)
{
    struct kernel_call call;
    uint8_t pattern = PATTERN_OPAQUE;

    *out_why = REMARK_FU_READER_NO_KERNEL; /* as what reads it will say */

    if (ir_op_is(op, IR_CORE_tuple_get)) /* joins with what makes the tuple */
        return op->operands[0].value->def && !ir_value_is_inline(op->operands[0].value) &&
                       op->operands[0].value->type->kind == IR_TYPE_TUPLE
                   ? PATTERN_ELEMWISE
                   : PATTERN_OPAQUE;
    if (!ir_op_is(op, IR_CORE_call_tir) && !ir_op_is(op, IR_CORE_call_tir_inplace))
        return PATTERN_OPAQUE;
    const struct ir_global *callee = ir_op_callee(op);
    if (!callee || callee->kind != IR_GLOBAL_KERNEL)
        return PATTERN_OPAQUE;
    const struct fuse_kernel_facts *facts = facts_of(f, op);
    *out_why = REMARK_FU_NO_PATTERN;
    if (facts->pattern == PATTERN_OPAQUE)
        return PATTERN_OPAQUE;
    *out_why = REMARK_FU_NOT_READ;
    if (kernel_call_read(f->run->module, &f->run->scratch, op, &call))
        *out_why = why_no_updates(f, &call, facts);
    if (*out_why == REMARK_NONE)
        pattern = facts->pattern;
    kernel_call_finish(&call);
    return pattern;
}

/* ---- the graph ---- */

/* The pattern of @op where it reads its operand @i. */
static uint8_t edge_pattern(struct fusion *f, const struct ir_op *op, unsigned i, uint8_t pattern)
{
    int param;

    if (pattern != PATTERN_OUT_EWISE_FUSABLE)
        return pattern;
    /* a softmax reads each element once in each of its loops: what comes before may join */
    param = fuse_param_of(op, i);
    return param >= 0 && fuse_reads_once(facts_of(f, op), (unsigned)param) ? PATTERN_COMM_REDUCE
                                                                           : pattern;
}

/* The node that @op is; NULL: none of this graph, such as one in a branch, or behind an effect. */
static struct fuse_node *node_of(const struct fusion *f, const struct ir_op *op)
{
    unsigned number = op->result.index < f->number_count ? f->numbers[op->result.index] : 0;

    if (!number || number > f->graph.nodes.count || f->graph.nodes.items[number - 1].op != op)
        return NULL;
    return &f->graph.nodes.items[number - 1];
}

/* The call that alone reads @value, which is its operand *@out_operand; NULL: there is none, or not in this graph. */
static const struct ir_op *only_reader(const struct fusion *f, const struct ir_value *value,
                                       unsigned *out_operand)
{
    const struct ir_use *use = value->uses;
    const struct ir_op *reader = use && !use->next ? ir_use_root(use) : NULL;
    const struct fuse_node *node = reader ? node_of(f, reader) : NULL;

    if (!node || reader != use->user || node->pattern == PATTERN_OPAQUE ||
        (!ir_op_is(reader, IR_CORE_call_tir) && !ir_op_is(reader, IR_CORE_call_tir_inplace)))
        return NULL;
    *out_operand = (unsigned)(use - use->user->operands);
    return reader;
}

/* Does @op make each element of its result of the one of @value at its place? */
static bool is_element_wise(const struct fusion *f, const struct ir_op *op,
                            const struct ir_value *value)
{
    return node_of(f, op)->pattern <= PATTERN_BROADCAST &&
           op->result.type->kind == IR_TYPE_TENSOR && op->result.type->dims == value->type->dims;
}

static bool is_move(struct fusion *f, const struct ir_op *op)
{
    return ir_op_callee(op) && facts_of(f, op)->is_move;
}

/* Does @op make what a product may read of what one may read, @value? */
static bool passes_on(struct fusion *f, const struct ir_op *op, const struct ir_value *value)
{
    return is_element_wise(f, op, value) || is_move(f, op);
}

/* Is what @op makes of each element so little that a product may do it wherever it reads one? */
static bool is_cheap(struct fusion *f, const struct ir_op *op)
{
    return ir_op_callee(op) && facts_of(f, op)->is_cheap;
}

/*
 * Does the op move elements of a matrix that only a product reads, maybe after something was made of each of them?  It
 * may then read them where they are, and what is made of them may join as well if it is cheap.
 */
static void note_factor(struct fusion *f, struct fuse_node *node)
{
    const struct ir_value *value = &node->op->result;
    const struct ir_op *reader;
    unsigned operand;

    if (node->pattern != PATTERN_INJECTIVE || node->is_extern || !is_move(f, node->op))
        return;
    while ((reader = only_reader(f, value, &operand)) && passes_on(f, reader, value))
        value = &reader->result;
    int param = reader ? fuse_param_of(reader, operand) : -1;
    if (param < 0 || !fuse_is_factor(facts_of(f, reader), (unsigned)param))
        return;
    node->moves_factor = true;
    for (value = &node->op->result;
         (reader = only_reader(f, value, &operand)) && passes_on(f, reader, value);
         value = &reader->result)
        node_of(f, reader)->moves_factor = is_move(f, reader) || is_cheap(f, reader);
}

/* Does @reader, a reduction or window, use what it reads as @operand in one place? */
static bool streams(struct fusion *f, const struct ir_op *reader, unsigned operand)
{
    int param =
        node_of(f, reader)->pattern >= PATTERN_COMM_REDUCE ? fuse_param_of(reader, operand) : -1;

    return param >= 0 && fuse_streams(facts_of(f, reader), (unsigned)param);
}

/*
 * Is the node the last of cheap element-wise ops that make each element wider, for a reader that uses it in one place?  They
 * are computed there first of all, so that the narrow elements are what lies between kernels.
 */
static void note_widening(struct fusion *f, unsigned index)
{
    struct fuse_graph *graph = &f->graph;
    const struct fuse_node *node = &graph->nodes.items[index];
    const struct ir_value *made = &node->op->result;
    size_t begin = graph->widenings.count, count = 0;
    unsigned operand;
    const struct ir_op *reader = only_reader(f, made, &operand);
    unsigned wide = fuse_element_bytes(made), least = wide;

    if (!reader || !streams(f, reader, operand))
        return;
    array_push(&graph->widenings, 0); /* the count, which is not known yet */
    while (node && node->pattern <= PATTERN_BROADCAST && is_cheap(f, node->op) &&
           (made = fuse_made_of(node->op))) {
        array_push(&graph->widenings, (unsigned)(node - graph->nodes.items));
        if (fuse_element_bytes(made) < least) {
            least = fuse_element_bytes(made);
            count = graph->widenings.count - begin - 1;
        }
        node =
            made->def && only_reader(f, made, &operand) == node->op ? node_of(f, made->def) : NULL;
    }
    graph->widenings.count = count ? begin + 1 + count : begin;
    if (count == 0)
        return;
    graph->widenings.items[begin] = (unsigned)count;
    graph->nodes.items[array_last(&graph->widenings)].widens_to = wide;
    array_push(&graph->widenings, (unsigned)(node_of(f, reader) - graph->nodes.items));
}

static void add_edges(struct fusion *f, unsigned index)
{
    struct fuse_node *node = &f->graph.nodes.items[index];

    ir_for_each_use (use, &node->op->result) {
        const struct ir_op *root = ir_use_root(use);
        const struct fuse_node *to = node_of(f, root);

        if (!to) {
            node->is_extern = true;
            return;
        }
        uint8_t pattern = to->pattern;
        unsigned i = (unsigned)(use - use->user->operands);

        bool is_direct = use->user == root;
        struct fuse_edge edge = {.to = (unsigned)(to - f->graph.nodes.items),
                                 .operand = is_direct ? i : FUSE_NO_OPERAND,
                                 .pattern = is_direct ? edge_pattern(f, root, i, pattern)
                                                      : (uint8_t)PATTERN_OPAQUE};

        fuse_graph_add_edge(&f->graph, index, &edge);
    }
}

static void add_read(struct fusion *f, const struct ir_value *value)
{
    if (value->def && ir_op_is_inline(value->def)) {
        for (unsigned i = 0; i < value->def->operand_count; i++)
            add_read(f, value->def->operands[i].value);
        return;
    }
    if (storage_is_in(value->type))
        array_push(&f->graph.reads, storage_class(&f->storage, value));
}

static void add_update(struct fusion *f, unsigned node, const struct ir_value *value)
{
    if (value->def && ir_op_is_inline(value->def)) {
        for (unsigned i = 0; i < value->def->operand_count; i++)
            add_update(f, node, value->def->operands[i].value);
        return;
    }
    array_push(&f->graph.updates, (struct fuse_update){storage_class(&f->storage, value), node});
}

static void add_updates(struct fusion *f, unsigned node, const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);

    if (ir_op_is(op, IR_CORE_call_tir_inplace) || ir_op_is(op, IR_CORE_call_inplace_packed)) {
        const struct ir_attr *indices = ir_op_attr(op, "inplace_indices");

        for (unsigned i = 0; i < indices->count; i++)
            if (indices->items[i]->integer >= 0 &&
                indices->items[i]->integer < (int64_t)op->operand_count)
                add_update(f, node, op->operands[indices->items[i]->integer].value);
    } else if (callee && callee->kind == IR_GLOBAL_FUNCTION) {
        for (unsigned i = 0; i < op->operand_count; i++)
            if (ir_function_donates(callee->function, i))
                add_update(f, node, op->operands[i].value);
    }
}

/* ---- runs of pure ops ---- */

static int compare_order(const void *a, const void *b)
{
    const struct ir_op *x = *(struct ir_op *const *)a, *y = *(struct ir_op *const *)b;

    return (x->result.index > y->result.index) - (x->result.index < y->result.index);
}

static void outline_group(struct fusion *f, unsigned root)
{
    size_t calls = 0, kept = 0;

    f->group.count = 0;
    for (unsigned member = root + 1; member; member = f->graph.nodes.items[member - 1].next)
        array_push(&f->group, f->graph.nodes.items[member - 1].op);
    qsort(f->group.items, f->group.count, sizeof(f->group.items[0]), compare_order);
    /* a field of a tuple from outside stays outside: only what it names comes in */
    for (size_t i = 0; i < f->group.count; i++) {
        struct ir_op *op = f->group.items[i];
        bool is_call = !ir_op_is(op, IR_CORE_tuple_get);
        const struct ir_op *maker = is_call ? NULL : op->operands[0].value->def;
        const struct fuse_node *made = maker ? node_of(f, maker) : NULL;

        if (!is_call &&
            (!made || fuse_graph_find(&f->graph, (unsigned)(made - f->graph.nodes.items)) != root))
            continue;
        calls += is_call;
        f->group.items[kept++] = op;
    }
    f->group.count = kept;
    if (calls < 2)
        return;
    const struct ir_global *made = fuse_group_outline(f->run, &f->group);
    f->is_changed |= made != NULL;
    f->graph.nodes.items[root].made = made;
    f->graph.nodes.items[root].calls = (unsigned)calls;
    f->graph.nodes.items[root].is_refused = !made;
}

/* Fuses the ops from @first up to @end (not included) of one block. */
static void fuse_run(struct fusion *f, struct ir_op *first, struct ir_op *end)
{
    fuse_graph_clear(&f->graph);
    for (struct ir_op *op = first; op != end; op = op->next) {
        struct fuse_node node = {.op = op, .first_read = (unsigned)f->graph.reads.count};

        node.pattern = pattern_of_op(f, op, &node.why);
        if (node.pattern != PATTERN_OPAQUE)
            node.why = REMARK_NONE;
        if (node.pattern != PATTERN_OPAQUE)
            for (unsigned i = 0; i < op->operand_count; i++)
                add_read(f, op->operands[i].value);
        node.read_count = (unsigned)f->graph.reads.count - node.first_read;
        add_updates(f, (unsigned)f->graph.nodes.count, op);
        array_push(&f->graph.nodes, node);
        f->numbers[op->result.index] = (unsigned)f->graph.nodes.count;
    }
    for (unsigned i = 0; i < f->graph.nodes.count; i++)
        add_edges(f, i);
    for (unsigned i = 0; i < f->graph.nodes.count; i++)
        note_factor(f, &f->graph.nodes.items[i]);
    for (unsigned i = 0; i < f->graph.nodes.count; i++)
        note_widening(f, i);
    fuse_chains_find(&f->chains, &f->graph);
    fuse_graph_partition(&f->graph);
    for (unsigned i = 0; i < f->graph.nodes.count; i++)
        if (fuse_graph_find(&f->graph, i) == i && f->graph.nodes.items[i].count > 1)
            outline_group(f, i);
    fuse_remark_nodes(f->run, f->storage.function->name, &f->graph);
}

/* What nothing may be moved across. */
static bool ends_run(const struct ir_op *op)
{
    return op->region_count > 0 || (op->info->traits & IR_TERMINATOR) || !ir_op_is_pure(op);
}

static void fuse_region(struct fusion *f, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        struct ir_op *next = block->first;

        while (next) {
            struct ir_op *first = next, *end = first;
            unsigned count = 0;

            for (; end && !ends_run(end); end = end->next)
                count++;
            next = end ? end->next : NULL;
            for (unsigned i = 0; end && i < end->region_count; i++)
                fuse_region(f, end->regions[i]);
            if (count > 1)
                fuse_run(f, first, end);
            else if (count == 1)
                fuse_remark_lone(f->run, f->storage.function->name, first);
        }
    }
}

/* A function whose calls are not a group yet. */
static bool is_open(const struct ir_global *global)
{
    return global->kind == IR_GLOBAL_FUNCTION &&
           !(global->function->attrs && ir_attr_dict_get(global->function->attrs, "Primitive"));
}

enum pass_result pass_fuse_ops(struct pass_run *run)
{
    int64_t max_depth = pass_option_int(run, "max_depth");
    struct fusion f = {.run = run, .facts = {.run = run}, .chains = {.scratch = &run->scratch}};
    size_t count = run->module->global_count; /* groups are added behind */
    struct storage_module facts;

    for (size_t i = 0; i < count; i++)
        if (is_open(run->module->globals[i]))
            f.is_changed |= fuse_repeat_widenings(&f.facts, run->module->globals[i]->function);
    storage_module_init(&facts, run->module);
    storage_module_solve(&facts);
    f.graph.max_depth = max_depth < 1 ? 1 : max_depth > 4096 ? 4096 : (unsigned)max_depth;
    for (size_t i = 0; i < count; i++) {
        struct ir_function *function = run->module->globals[i]->function;

        if (!is_open(run->module->globals[i]))
            continue;
        storage_init(&f.storage, &facts, function, NULL);
        f.number_count = function->value_count;
        f.numbers = arena_array(&run->scratch, unsigned, f.number_count + 1);
        fuse_region(&f, function->body);
        storage_finish(&f.storage);
    }
    storage_module_finish(&facts);
    fuse_facts_finish(&f.facts);
    fuse_chains_finish(&f.chains);
    fuse_graph_finish(&f.graph);
    array_finish(&f.group);
    return f.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

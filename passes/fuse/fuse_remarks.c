/* See fuse_remarks.h. */
#include "passes/fuse/fuse_remarks.h"

static bool is_call(const struct ir_op *op)
{
    return ir_op_is(op, IR_CORE_call_tir) || ir_op_is(op, IR_CORE_call_tir_inplace);
}

/* A value without a name is called after what computes it. */
static const char *name_of(const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);

    if (op->result.name)
        return op->result.name;
    return callee ? callee->name : op->info->name;
}

static const char *kernel_of(const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);

    return callee ? callee->name : op->info->name;
}

static struct remark_item item_of(const char *function, const struct ir_op *op)
{
    return (struct remark_item){
        .topic = REMARK_FU, .function = function, .subject = name_of(op), .loc = op->loc};
}

static const char *pattern_text(uint8_t pattern)
{
    switch (pattern) {
    case PATTERN_ELEMWISE:
        return "element-wise";
    case PATTERN_BROADCAST:
        return "a broadcast";
    case PATTERN_INJECTIVE:
        return "a move of elements";
    case PATTERN_COMM_REDUCE:
        return "a reduction";
    case PATTERN_OUT_EWISE_FUSABLE:
        return "a product, or another nest that reads elements again";
    default:
        return "of no pattern that fuses";
    }
}

static struct remark why_alone(struct fuse_graph *graph, const struct fuse_node *node)
{
    /* one that is in a group with fields of its own tuple alone: what holds of them */
    while (node->why == REMARK_NONE && node->parent)
        node = &graph->nodes.items[node->parent - 1];
    if (node->why == REMARK_NONE)
        return (struct remark){.id = REMARK_FU_LONE};
    struct remark why = {.id = node->why, .name = kernel_of(node->op)};
    bool is_number = why.id == REMARK_FU_DEEP;
    bool has_other = node->parent && why.id >= REMARK_FU_READER_ALONE && why.id <= REMARK_FU_WIDER;

    if (graph->nodes.items[fuse_graph_find(graph, (unsigned)(node - graph->nodes.items))]
            .is_refused)
        why.id = REMARK_FU_NOT_READ;
    if (is_number) {
        why.a = node->against;
        why.b = graph->max_depth;
    }
    if (is_number || !has_other)
        return why;
    const struct fuse_node *other = &graph->nodes.items[node->against];
    why.name = name_of(other->op);
    why.other =
        pattern_text(graph->nodes.items[fuse_graph_find(graph, node->against)].group_pattern);
    if (why.id == REMARK_FU_UPDATE_BETWEEN)
        why.other = name_of(graph->nodes.items[node->parent - 1].op);
    if (why.id == REMARK_FU_READER_ALONE && other->why == REMARK_FU_READER_NO_KERNEL)
        why.id = REMARK_FU_READER_NO_KERNEL;
    if (why.id == REMARK_FU_WIDER) {
        why.a = ir_dtype_bytes(node->op->result.type->dtype);
        why.b = other->widens_to;
    }
    if (why.id == REMARK_FU_FAR)
        why.a = 2 * (int64_t)graph->max_depth;
    why.first = (struct remark_place){other->op->loc, "here"};
    return why;
}

static void add_alone(struct pass_run *run, const char *function, const struct ir_op *op,
                      struct remark why)
{
    struct remark_item item = item_of(function, op);

    remark_add_part(&item, NULL, run->pass->name,
                    (struct remark){.id = REMARK_FU_ALONE, .name = kernel_of(op)});
    remark_add_part(&item, "fusion", run->pass->name, why);
    array_push(&run->remarks->items, item);
}

/* With what reads it, where that is in another kernel, too. */
static void add_fused(struct pass_run *run, const char *function, struct fuse_graph *graph,
                      unsigned index)
{
    const struct fuse_node *node = &graph->nodes.items[index];
    unsigned group = fuse_graph_find(graph, index);
    const struct fuse_node *root = &graph->nodes.items[group];
    struct remark_item item = item_of(function, node->op);

    remark_add_part(
        &item, NULL, run->pass->name,
        (struct remark){.id = REMARK_FU_FUSED, .name = root->made->name, .a = root->calls});
    if (node->parent && node->why != REMARK_NONE &&
        fuse_graph_find(graph, node->parent - 1) != group)
        remark_add_part(&item, "larger kernel", run->pass->name, why_alone(graph, node));
    array_push(&run->remarks->items, item);
}

void fuse_remark_nodes(struct pass_run *run, const char *function, struct fuse_graph *graph)
{
    for (unsigned i = 0; run->remarks && i < graph->nodes.count; i++) {
        const struct fuse_node *node = &graph->nodes.items[i];

        if (!is_call(node->op))
            continue;
        if (graph->nodes.items[fuse_graph_find(graph, i)].made)
            add_fused(run, function, graph, i);
        else
            add_alone(run, function, node->op, why_alone(graph, node));
    }
}

void fuse_remark_lone(struct pass_run *run, const char *function, const struct ir_op *op)
{
    if (run->remarks && is_call(op))
        add_alone(run, function, op, (struct remark){.id = REMARK_FU_LONE});
}

#include "passes/graph/order.h"

/* Is operand @i of @op the storage of a result? */
static bool is_taken(const struct ir_op *op, unsigned i)
{
    const struct ir_attr *indices = ir_op_attr(op, "inplace_indices");

    for (unsigned k = 0; k < indices->count; k++)
        if (indices->items[k]->integer == (int64_t)i)
            return true;
    return false;
}

void order_init(struct order *order, struct arena *arena, struct storage_module *facts,
                struct ir_function *function)
{
    *order = (struct order){0};
    storage_init(&order->storage, facts, function, NULL);
    order->updates = arena_array(arena, struct ir_op *, order->storage.roots.count);
    order->heads = arena_array(arena, size_t, order->storage.roots.count);
}

void order_finish(struct order *order)
{
    storage_finish(&order->storage);
    array_finish(&order->edges);
    array_finish(&order->readers);
    array_finish(&order->nexts);
    array_finish(&order->touched);
    map_finish(&order->makers);
}

/* ---- storage ---- */

static void add_edge(struct order *order, struct ir_op *before, struct ir_op *after)
{
    if (before && before != after)
        array_push(&order->edges, (struct order_edge){before, after});
}

static bool is_updated(const struct ir_op *op, unsigned i)
{
    const struct ir_global *callee = ir_op_callee(op);

    if (ir_op_is(op, IR_CORE_call_tir_inplace))
        return is_taken(op, i);
    if (ir_op_is(op, IR_CORE_call_inplace_packed))
        return true;
    return ir_op_is(op, IR_CORE_call) && callee && callee->kind == IR_GLOBAL_FUNCTION &&
           ir_function_donates(callee->function, i);
}

static void add_update(struct order *order, struct ir_op *op, unsigned class)
{
    add_edge(order, order->updates[class], op);
    size_t begin = order->edges.count;

    for (size_t at = order->heads[class]; at; at = order->nexts.items[at - 1])
        add_edge(order, order->readers.items[at - 1], op);
    /* the last reader heads the list; edges come in the order of the block */
    for (size_t i = begin, k = order->edges.count; i + 1 < k; i++, k--) {
        struct order_edge swapped = order->edges.items[i];

        order->edges.items[i] = order->edges.items[k - 1];
        order->edges.items[k - 1] = swapped;
    }
    order->heads[class] = 0;
    order->updates[class] = op;
    array_push(&order->touched, class);
}

static void add_read(struct order *order, struct ir_op *op, const struct ir_value *value)
{
    unsigned class = storage_class(&order->storage, value);

    array_push(&order->readers, op);
    array_push(&order->nexts, order->heads[class]);
    order->heads[class] = order->readers.count;
    array_push(&order->touched, class);
}

/* All that @op reads, looking through inline ops, and what a nested function captures. */
static void add_reads(struct order *order, struct ir_op *root, const struct ir_op *op);

struct capture {
    struct order *order;
    struct ir_op *root;
};

static bool add_captured(void *state, struct ir_op *op)
{
    struct capture *capture = state;

    add_reads(capture->order, capture->root, op);
    return true;
}

static void add_reads(struct order *order, struct ir_op *root, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;

        if (ir_value_is_inline(value))
            add_reads(order, root, value->def);
        else
            add_read(order, root, value);
    }
    if (ir_op_is(op, IR_CORE_function)) {
        struct capture capture = {order, root};

        ir_region_walk(ir_op_attr(op, "function")->function->body, add_captured, &capture);
    }
}

/* ---- symbols ---- */

struct mention {
    struct order *order;
    struct ir_op *op;
};

static bool mention_expr(void *state, const struct ir_expr *e)
{
    struct mention *mention = state;

    if (e->kind == IR_EXPR_var)
        add_edge(mention->order, map_get(&mention->order->makers, e->var), mention->op);
    return true;
}

static void mention_type(struct mention *mention, const struct ir_type *type)
{
    if (!type)
        return;
    ir_type_walk_exprs(type, mention_expr, mention);
    if (type->shape_var && type->shape_var->def &&
        type->shape_var->def->block == mention->op->block)
        add_edge(mention->order, type->shape_var->def, mention->op);
    for (unsigned i = 0; i < type->field_count; i++)
        mention_type(mention, type->fields[i]);
}

static void mention_attr(struct mention *mention, const struct ir_attr *attr)
{
    if (attr->kind == IR_ATTR_EXPR)
        ir_expr_walk(attr->expr, mention_expr, mention);
    else if (attr->kind == IR_ATTR_TYPE)
        mention_type(mention, attr->type);
    for (unsigned i = 0; i < attr->count; i++)
        mention_attr(mention, attr->items[i]);
}

static void mention_op(struct mention *mention, const struct ir_op *op);

static bool mention_nested(void *state, struct ir_op *op)
{
    mention_op(state, op);
    return true;
}

static void mention_op(struct mention *mention, const struct ir_op *op)
{
    mention_type(mention, op->declared);
    mention_type(mention, op->result.type);
    for (unsigned i = 0; i < op->info->attr_count; i++)
        mention_attr(mention, op->attrs[i]);
    for (unsigned i = 0; i < op->operand_count; i++)
        if (ir_value_is_inline(op->operands[i].value))
            mention_op(mention, op->operands[i].value->def);
    if (ir_op_is(op, IR_CORE_function)) {
        const struct ir_function *nested = ir_op_attr(op, "function")->function;

        for (unsigned i = 0; i < nested->param_count; i++)
            mention_type(mention, nested->params[i]->type);
        ir_region_walk(nested->body, mention_nested, mention);
    }
}

static void bind_symbols(struct order *order, struct ir_op *op, const struct ir_type *type)
{
    for (int i = 0; type->dims && i < type->ndim; i++)
        if (type->dims[i]->kind == IR_EXPR_var && !map_has(&order->makers, type->dims[i]->var))
            map_set(&order->makers, type->dims[i]->var, op);
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        bind_symbols(order, op, type->fields[i]);
}

/* ---- a block ---- */

void order_find(struct order *order, struct ir_block *block)
{
    order->edges.count = 0;
    map_finish(&order->makers);
    ir_for_each_op (op, block) {
        struct mention mention = {order, op};

        if (ir_op_is(op, IR_CORE_output))
            continue;
        mention_op(&mention, op);
        if (ir_op_is(op, IR_CORE_match_cast))
            bind_symbols(order, op, op->declared);
        for (unsigned i = 0; i < op->operand_count; i++)
            if (is_updated(op, i))
                add_update(order, op, storage_class(&order->storage, op->operands[i].value));
        add_reads(order, op, op);
    }
    /* what was met is of no interest for other blocks */
    for (size_t i = 0; i < order->touched.count; i++) {
        order->heads[order->touched.items[i]] = 0;
        order->updates[order->touched.items[i]] = NULL;
    }
    order->readers.count = order->nexts.count = order->touched.count = 0;
}

/* Deep copies of kernels: new statements and buffers; variables are shared. */
#include "ir/clone.h"

static struct ir_buffer *clone_buffer(struct cloner *c, const struct ir_buffer *from);

static const struct ir_expr *replace_load(void *state, const struct ir_expr *a)
{
    struct cloner *c = state;
    if (a->kind != IR_EXPR_load)
        return a;
    const struct ir_expr *load =
        ir_expr_load(c->to->context, clone_buffer(c, a->buffer), a->operands, a->operand_count);
    return ir_expr_at(c->to->context, a->loc, load);
}

static const struct ir_expr *clone_expr(struct cloner *c, const struct ir_expr *a)
{
    return a != NULL ? ir_expr_rewrite(c->to->context, a, replace_load, c) : NULL;
}

static const struct ir_expr *const *clone_exprs(struct cloner *c, const struct ir_expr *const *from,
                                                unsigned count)
{
    if (from == NULL)
        return NULL;
    const struct ir_expr **to = arena_array(&c->to->arena, const struct ir_expr *, count);
    for (unsigned i = 0; i < count; i++)
        to[i] = clone_expr(c, from[i]);
    return to;
}

static struct ir_buffer *clone_buffer(struct cloner *c, const struct ir_buffer *from)
{
    if (from == NULL)
        return NULL;
    struct ir_buffer *to = map_get(&c->copies, from);
    if (to != NULL)
        return to;
    to = arena_new(&c->to->arena, struct ir_buffer);
    map_set(&c->copies, from, to);
    *to = *from;
    to->shape = clone_exprs(c, from->shape, from->ndim);
    to->strides = clone_exprs(c, from->strides, from->ndim);
    to->elem_offset = clone_expr(c, from->elem_offset);
    to->data = clone_expr(c, from->data);
    to->data_of = clone_buffer(c, from->data_of);
    return to;
}

static struct tir_region clone_region(struct cloner *c, const struct tir_region *from)
{
    unsigned ndim = from->buffer->ndim;
    return (struct tir_region){
        .buffer = clone_buffer(c, from->buffer),
        .min = clone_exprs(c, from->min, ndim),
        .extent = clone_exprs(c, from->extent, ndim),
        .loc = from->loc,
    };
}

static struct tir_region *clone_regions(struct cloner *c, const struct tir_region *from,
                                        unsigned count)
{
    struct tir_region *to = arena_array(&c->to->arena, struct tir_region, count);
    for (unsigned i = 0; i < count; i++)
        to[i] = clone_region(c, &from[i]);
    return to;
}

static struct tir_stmt *clone_stmt(struct cloner *c, const struct tir_stmt *from);

static void clone_block(struct cloner *c, const struct tir_stmt *from, struct tir_stmt *to)
{
    struct arena *arena = &c->to->arena;
    to->block.axes = arena_array(arena, struct tir_axis, from->block.axis_count);
    for (unsigned i = 0; i < from->block.axis_count; i++) {
        to->block.axes[i] = from->block.axes[i];
        to->block.axes[i].min = clone_expr(c, from->block.axes[i].min);
        to->block.axes[i].extent = clone_expr(c, from->block.axes[i].extent);
        to->block.axes[i].value = clone_expr(c, from->block.axes[i].value);
    }
    to->block.predicate = clone_expr(c, from->block.predicate);
    to->block.allocs = arena_array(arena, struct ir_buffer *, from->block.alloc_count);
    for (unsigned i = 0; i < from->block.alloc_count; i++)
        to->block.allocs[i] = clone_buffer(c, from->block.allocs[i]);
    to->block.matches = arena_array(arena, struct tir_match, from->block.match_count);
    for (unsigned i = 0; i < from->block.match_count; i++) {
        to->block.matches[i].source = clone_region(c, &from->block.matches[i].source);
        to->block.matches[i].buffer = clone_buffer(c, from->block.matches[i].buffer);
    }
    to->block.reads = clone_regions(c, from->block.reads, from->block.read_count);
    to->block.writes = clone_regions(c, from->block.writes, from->block.write_count);
    to->block.annotations = clone_attr(c, from->block.annotations);
    to->block.init = from->block.init != NULL ? clone_stmt(c, from->block.init) : NULL;
    to->block.body = clone_stmt(c, from->block.body);
}

static void clone_loop(struct cloner *c, const struct tir_stmt *from, struct tir_stmt *to)
{
    to->loop.min = clone_expr(c, from->loop.min);
    to->loop.extent = clone_expr(c, from->loop.extent);
    to->loop.step = clone_expr(c, from->loop.step);
    to->loop.annotations = clone_attr(c, from->loop.annotations);
    to->loop.body = clone_stmt(c, from->loop.body);
}

static void clone_sequence(struct cloner *c, const struct tir_stmt *from, struct tir_stmt *to)
{
    to->seq.items = arena_array(&c->to->arena, struct tir_stmt *, from->seq.count);
    for (unsigned i = 0; i < from->seq.count; i++)
        to->seq.items[i] = clone_stmt(c, from->seq.items[i]);
}

static struct tir_stmt *clone_stmt(struct cloner *c, const struct tir_stmt *from)
{
    struct tir_stmt *to = arena_new(&c->to->arena, struct tir_stmt);
    *to = *from;
    switch (from->kind) {
    case TIR_SEQ:
        clone_sequence(c, from, to);
        break;
    case TIR_FOR:
        clone_loop(c, from, to);
        break;
    case TIR_BLOCK:
        clone_block(c, from, to);
        break;
    case TIR_STORE:
        to->store.buffer = clone_buffer(c, from->store.buffer);
        to->store.indices = clone_exprs(c, from->store.indices, from->store.index_count);
        to->store.value = clone_expr(c, from->store.value);
        to->store.predicate = clone_expr(c, from->store.predicate);
        break;
    case TIR_LET:
        to->let.value = clone_expr(c, from->let.value);
        break;
    case TIR_ALLOC:
    case TIR_DECL:
        to->alloc.buffer = clone_buffer(c, from->alloc.buffer);
        to->alloc.annotations = clone_attr(c, from->alloc.annotations);
        break;
    case TIR_IF:
        to->branch.condition = clone_expr(c, from->branch.condition);
        to->branch.then_body = clone_stmt(c, from->branch.then_body);
        if (from->branch.else_body != NULL)
            to->branch.else_body = clone_stmt(c, from->branch.else_body);
        break;
    case TIR_WHILE:
        to->while_loop.condition = clone_expr(c, from->while_loop.condition);
        to->while_loop.body = clone_stmt(c, from->while_loop.body);
        break;
    case TIR_EVALUATE:
    case TIR_RETURN:
        to->value = clone_expr(c, from->value);
        break;
    case TIR_ASSERT:
        to->assertion.condition = clone_expr(c, from->assertion.condition);
        break;
    case TIR_ATTR:
        to->attr.node = clone_attr(c, from->attr.node);
        to->attr.value = clone_expr(c, from->attr.value);
        to->attr.body = clone_stmt(c, from->attr.body);
        break;
    case TIR_LAUNCH_THREAD:
        to->launch.extent = clone_expr(c, from->launch.extent);
        to->launch.body = clone_stmt(c, from->launch.body);
        break;
    case TIR_BREAK:
    case TIR_CONTINUE:
        break;
    }
    return to;
}

void clone_kernel(struct cloner *c, const struct tir_func *from, struct tir_func *to)
{
    const char *name = to->name;
    struct ir_module *module = to->module;
    *to = *from;
    to->name = name;
    to->module = module;
    to->params = arena_array(&c->to->arena, struct tir_param, from->param_count);
    to->param_room = from->param_count;
    for (unsigned i = 0; i < from->param_count; i++) {
        to->params[i].buffer = clone_buffer(c, from->params[i].buffer);
        to->params[i].var = from->params[i].var;
    }
    to->decorator = clone_attr(c, from->decorator);
    to->attrs = clone_attr(c, from->attrs);
    to->body = clone_stmt(c, from->body);
}

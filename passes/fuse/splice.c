#include "passes/fuse/splice.h"

#include "base/assert.h"

/* ---- expressions ---- */

static bool define_lets(void *state, const struct ir_expr *a)
{
    struct splice *s = state;

    if (a->kind == IR_EXPR_let && !map_has(&s->vars, a->var))
        map_set(&s->vars, a->var,
                ir_expr_var(s->module->context,
                            ir_var_new(s->module->context, a->var->name, a->var->dtype)));
    return true;
}

static const struct ir_buffer *mapped(const struct splice *s, const struct ir_buffer *buffer)
{
    const struct ir_buffer *other = map_get(&s->buffers, buffer);

    assert(other); /* a parameter, or allocated */
    return other;
}

static const struct ir_expr *replace(void *state, const struct ir_expr *a)
{
    struct splice *s = state;
    struct ir_context *context = s->module->context;
    const struct ir_expr *other;

    switch (a->kind) {
    case IR_EXPR_var:
        other = map_get(&s->vars, a->var);
        return other ? other : a;
    case IR_EXPR_load:
        other = ir_expr_load(context, mapped(s, a->buffer), a->operands, a->operand_count);
        return ir_expr_at(context, a->loc, other);
    case IR_EXPR_let:
        other = map_get(&s->vars, a->var);
        return ir_expr_at(context, a->loc,
                          ir_expr_let(context, other->var, a->operands[0], a->operands[1]));
    default:
        return a;
    }
}

const struct ir_expr *splice_expr(struct splice *s, const struct ir_expr *a)
{
    if (!a)
        return NULL;
    (void)ir_expr_walk(a, define_lets, s);
    return ir_expr_rewrite(s->module->context, a, replace, s);
}

/* ---- statements ---- */

static const struct ir_var *define(struct splice *s, const struct ir_var *var)
{
    const struct ir_var *own = ir_var_new(s->module->context, var->name, var->dtype);

    map_set(&s->vars, var, ir_expr_var(s->module->context, own));
    return own;
}

static struct ir_buffer *allocate(struct splice *s, const struct ir_buffer *from)
{
    const struct ir_expr **shape =
        arena_array(&s->module->arena, const struct ir_expr *, from->ndim + 1);

    for (unsigned d = 0; d < from->ndim; d++)
        shape[d] = splice_expr(s, from->shape[d]);
    struct ir_buffer *to = tir_buffer_new(s->module, from->name, from->dtype, shape, from->ndim);
    to->scope = from->scope;
    to->loc = from->loc;
    map_set(&s->buffers, from, to);
    array_push(&s->allocs, to);
    return to;
}

static struct tir_stmt *copy(struct splice *s, const struct tir_stmt *from);

static void copy_block(struct splice *s, const struct tir_stmt *from, struct tir_stmt *to)
{
    to->block.axes = arena_array(&s->module->arena, struct tir_axis, from->block.axis_count + 1);
    for (unsigned i = 0; i < from->block.axis_count; i++) {
        const struct tir_axis *axis = &from->block.axes[i];

        to->block.axes[i] = (struct tir_axis){.kind = axis->kind,
                                              .min = splice_expr(s, axis->min),
                                              .extent = splice_expr(s, axis->extent),
                                              .value = splice_expr(s, axis->value)};
    }
    for (unsigned i = 0; i < from->block.axis_count; i++)
        to->block.axes[i].var = define(s, from->block.axes[i].var);
    to->block.init = from->block.init ? copy(s, from->block.init) : NULL;
    to->block.body = copy(s, from->block.body);
    to->block.reads = to->block.writes = NULL;
    to->block.read_count = to->block.write_count = 0;
    to->block.has_reads = to->block.has_writes = false; /* settled when all is in place */
}

static void copy_store(struct splice *s, const struct tir_stmt *from, struct tir_stmt *to)
{
    const struct ir_buffer *stored = map_get(&s->stored, from->store.buffer);
    const struct ir_expr **indices =
        arena_array(&s->module->arena, const struct ir_expr *, from->store.index_count + 1);

    for (unsigned i = 0; i < from->store.index_count; i++)
        indices[i] = splice_expr(s, from->store.indices[i]);
    to->store.buffer = stored ? stored : mapped(s, from->store.buffer);
    to->store.indices = indices;
    to->store.value = splice_expr(s, from->store.value);
}

static struct tir_stmt *copy(struct splice *s, const struct tir_stmt *from)
{
    struct tir_stmt *to = tir_stmt_new(s->module, from->kind, from->loc);

    *to = *from;
    switch (from->kind) {
    case TIR_SEQ:
        to->seq.items = arena_array(&s->module->arena, struct tir_stmt *, from->seq.count + 1);
        for (unsigned i = 0; i < from->seq.count; i++)
            to->seq.items[i] = copy(s, from->seq.items[i]);
        break;
    case TIR_FOR:
        to->loop.min = splice_expr(s, from->loop.min);
        to->loop.extent = splice_expr(s, from->loop.extent);
        to->loop.var = define(s, from->loop.var);
        to->loop.body = copy(s, from->loop.body);
        break;
    case TIR_BLOCK:
        copy_block(s, from, to);
        break;
    case TIR_STORE:
        copy_store(s, from, to);
        break;
    case TIR_LET:
        to->let.value = splice_expr(s, from->let.value);
        to->let.var = define(s, from->let.var);
        break;
    default:
        UNREACHABLE("a statement that no perfect nest has");
    }
    return to;
}

static void add(struct splice *s, const struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_SEQ)
        for (unsigned i = 0; i < stmt->seq.count; i++)
            add(s, stmt->seq.items[i]);
    else if (stmt->kind == TIR_ALLOC)
        (void)allocate(s, stmt->alloc.buffer);
    else
        array_push(&s->stmts, copy(s, stmt));
}

void splice_body(struct splice *s, const struct tir_func *func)
{
    const struct tir_stmt *body = func->body;

    if (body->kind == TIR_BLOCK && body->block.is_root) {
        for (unsigned i = 0; i < body->block.alloc_count; i++)
            (void)allocate(s, body->block.allocs[i]);
        body = body->block.body;
    }
    add(s, body);
}

void splice_forget(struct splice *s)
{
    map_finish(&s->buffers);
    map_finish(&s->stored);
    map_finish(&s->vars);
}

void splice_finish(struct splice *s)
{
    splice_forget(s);
    array_finish(&s->allocs);
    array_finish(&s->stmts);
}

/* Construction of kernels, and walks over them. */
#include "ir/tir.h"

#include "base/assert.h"
#include "ir/module.h"

#include <string.h>

struct tir_func *tir_func_new(struct ir_module *module, const char *name)
{
    struct tir_func *func = arena_new(&module->arena, struct tir_func);
    func->name = atom_intern_text(&module->context->atoms, name);
    func->module = module;
    func->result = IR_VOID;
    func->is_s_tir = true;
    return func;
}

struct ir_buffer *tir_buffer_new(struct ir_module *module, const char *name, struct ir_dtype dtype,
                                 const struct ir_expr *const *shape, unsigned ndim)
{
    struct ir_buffer *buffer = arena_new(&module->arena, struct ir_buffer);
    buffer->name = atom_intern_text(&module->context->atoms, name);
    buffer->dtype = dtype;
    buffer->ndim = ndim;
    const struct ir_expr **dims = arena_array(&module->arena, const struct ir_expr *, ndim);
    if (ndim > 0)
        memcpy(dims, shape, ndim * sizeof(dims[0]));
    buffer->shape = dims;
    buffer->scope = atom_intern_text(&module->context->atoms, "global");
    return buffer;
}

static void add_param(struct tir_func *func, struct tir_param param)
{
    if (func->param_count >= func->param_room) {
        func->param_room = 2 * func->param_count + 4;
        struct tir_param *params =
            arena_array(&func->module->arena, struct tir_param, func->param_room);
        if (func->param_count > 0)
            memcpy(params, func->params, func->param_count * sizeof(params[0]));
        func->params = params;
    }
    func->params[func->param_count++] = param;
}

void tir_func_add_buffer(struct tir_func *func, struct ir_buffer *buffer)
{
    add_param(func, (struct tir_param){.buffer = buffer});
}

void tir_func_add_var(struct tir_func *func, const struct ir_var *var)
{
    add_param(func, (struct tir_param){.var = var});
}

struct tir_stmt *tir_stmt_new(struct ir_module *module, enum tir_stmt_kind kind,
                              struct location loc)
{
    struct tir_stmt *stmt = arena_new(&module->arena, struct tir_stmt);
    stmt->kind = kind;
    stmt->loc = loc;
    return stmt;
}

struct tir_stmt *tir_seq(struct ir_module *module, struct tir_stmt *const *items, unsigned count)
{
    if (count == 1)
        return items[0];
    unsigned total = 0;
    for (unsigned i = 0; i < count; i++)
        total += items[i]->kind == TIR_SEQ ? items[i]->seq.count : 1;
    struct location loc = {0};
    if (count > 0)
        loc = location_join(items[0]->loc, items[count - 1]->loc);
    struct tir_stmt *seq = tir_stmt_new(module, TIR_SEQ, loc);
    seq->seq.items = arena_array(&module->arena, struct tir_stmt *, total);
    for (unsigned i = 0; i < count; i++) {
        if (items[i]->kind != TIR_SEQ) {
            seq->seq.items[seq->seq.count++] = items[i];
            continue;
        }
        for (unsigned k = 0; k < items[i]->seq.count; k++)
            seq->seq.items[seq->seq.count++] = items[i]->seq.items[k];
    }
    return seq;
}

struct tir_stmt *tir_for(struct ir_module *module, const struct ir_var *var,
                         const struct ir_expr *extent, struct tir_stmt *body)
{
    struct tir_stmt *stmt = tir_stmt_new(module, TIR_FOR, var->loc);
    stmt->loop.var = var;
    stmt->loop.min = ir_expr_int(module->context, extent->dtype, 0);
    stmt->loop.extent = extent;
    stmt->loop.kind = TIR_SERIAL;
    stmt->loop.body = body;
    return stmt;
}

struct tir_stmt *tir_store(struct ir_module *module, const struct ir_buffer *buffer,
                           const struct ir_expr *const *indices, const struct ir_expr *value)
{
    struct tir_stmt *stmt = tir_stmt_new(module, TIR_STORE, value->loc);
    const struct ir_expr **copy = arena_array(&module->arena, const struct ir_expr *, buffer->ndim);
    if (buffer->ndim > 0)
        memcpy(copy, indices, buffer->ndim * sizeof(copy[0]));
    stmt->store.buffer = buffer;
    stmt->store.indices = copy;
    stmt->store.index_count = buffer->ndim;
    stmt->store.value = value;
    return stmt;
}

struct tir_stmt *tir_stmt_child(const struct tir_stmt *stmt, unsigned i)
{
    switch (stmt->kind) {
    case TIR_SEQ:
        return i < stmt->seq.count ? stmt->seq.items[i] : NULL;
    case TIR_FOR:
        return i == 0 ? stmt->loop.body : NULL;
    case TIR_BLOCK:
        if (stmt->block.init != NULL && i-- == 0)
            return stmt->block.init;
        return i == 0 ? stmt->block.body : NULL;
    case TIR_IF:
        return i == 0 ? stmt->branch.then_body : i == 1 ? stmt->branch.else_body : NULL;
    case TIR_WHILE:
        return i == 0 ? stmt->while_loop.body : NULL;
    case TIR_ATTR:
        return i == 0 ? stmt->attr.body : NULL;
    case TIR_LAUNCH_THREAD:
        return i == 0 ? stmt->launch.body : NULL;
    case TIR_STORE:
    case TIR_LET:
    case TIR_ALLOC:
    case TIR_DECL:
    case TIR_EVALUATE:
    case TIR_ASSERT:
    case TIR_RETURN:
    case TIR_BREAK:
    case TIR_CONTINUE:
        return NULL;
    }
    UNREACHABLE("unknown statement");
}

bool tir_stmt_walk(struct tir_stmt *stmt, tir_visit_fn *visit, void *state)
{
    if (!visit(state, stmt))
        return false;
    struct tir_stmt *child;
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)) != NULL; i++)
        if (!tir_stmt_walk(child, visit, state))
            return false;
    return true;
}

/* Where an expression walk stands: remembers that @visit said no. */
struct expr_walk {
    ir_expr_visit_fn *visit;
    void *state;
    bool stopped;
};

static void walk_one(struct expr_walk *walk, const struct ir_expr *a)
{
    if (a != NULL && !walk->stopped)
        walk->stopped = !walk->visit(walk->state, a);
}

static void walk_list(struct expr_walk *walk, const struct ir_expr *const *items, unsigned count)
{
    for (unsigned i = 0; items != NULL && i < count; i++)
        walk_one(walk, items[i]);
}

static void walk_buffer(struct expr_walk *walk, const struct ir_buffer *buffer)
{
    walk_list(walk, buffer->shape, buffer->ndim);
    walk_list(walk, buffer->strides, buffer->ndim);
    walk_one(walk, buffer->elem_offset);
    walk_one(walk, buffer->data);
}

static void walk_region(struct expr_walk *walk, const struct tir_region *region)
{
    walk_list(walk, region->min, region->buffer->ndim);
    walk_list(walk, region->extent, region->buffer->ndim);
}

static void walk_block(struct expr_walk *walk, const struct tir_stmt *stmt)
{
    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        walk_one(walk, stmt->block.axes[i].min);
        walk_one(walk, stmt->block.axes[i].extent);
        walk_one(walk, stmt->block.axes[i].value);
    }
    walk_one(walk, stmt->block.predicate);
    for (unsigned i = 0; i < stmt->block.read_count; i++)
        walk_region(walk, &stmt->block.reads[i]);
    for (unsigned i = 0; i < stmt->block.write_count; i++)
        walk_region(walk, &stmt->block.writes[i]);
    for (unsigned i = 0; i < stmt->block.alloc_count; i++)
        walk_buffer(walk, stmt->block.allocs[i]);
    for (unsigned i = 0; i < stmt->block.match_count; i++) {
        walk_region(walk, &stmt->block.matches[i].source);
        walk_buffer(walk, stmt->block.matches[i].buffer);
    }
}

bool tir_stmt_walk_exprs(const struct tir_stmt *stmt, ir_expr_visit_fn *visit, void *state)
{
    struct expr_walk walk = {.visit = visit, .state = state};
    switch (stmt->kind) {
    case TIR_FOR:
        walk_one(&walk, stmt->loop.min);
        walk_one(&walk, stmt->loop.extent);
        walk_one(&walk, stmt->loop.step);
        break;
    case TIR_BLOCK:
        walk_block(&walk, stmt);
        break;
    case TIR_STORE:
        walk_one(&walk, stmt->store.value);
        walk_list(&walk, stmt->store.indices, stmt->store.index_count);
        walk_one(&walk, stmt->store.predicate);
        break;
    case TIR_LET:
        walk_one(&walk, stmt->let.value);
        break;
    case TIR_ALLOC:
    case TIR_DECL:
        walk_buffer(&walk, stmt->alloc.buffer);
        break;
    case TIR_IF:
        walk_one(&walk, stmt->branch.condition);
        break;
    case TIR_WHILE:
        walk_one(&walk, stmt->while_loop.condition);
        break;
    case TIR_EVALUATE:
    case TIR_RETURN:
        walk_one(&walk, stmt->value);
        break;
    case TIR_ASSERT:
        walk_one(&walk, stmt->assertion.condition);
        break;
    case TIR_ATTR:
        walk_one(&walk, stmt->attr.value);
        break;
    case TIR_LAUNCH_THREAD:
        walk_one(&walk, stmt->launch.extent);
        break;
    case TIR_SEQ:
    case TIR_BREAK:
    case TIR_CONTINUE:
        break;
    }
    return !walk.stopped;
}

unsigned tir_func_buffer_count(const struct tir_func *func)
{
    unsigned count = 0;
    for (unsigned i = 0; i < func->param_count; i++)
        count += func->params[i].buffer != NULL;
    return count;
}

/* Copies of statements in which names stand for something else, and small pieces of loop code. */
#include "passes/loop/loop.h"

#include <string.h>

struct copier {
    struct ir_module *module;
    struct loop_names *names;
};

static const struct ir_expr *replace(void *state, const struct ir_expr *a)
{
    struct copier *c = state;
    const struct ir_expr *value;

    if (a->kind == IR_EXPR_var) {
        value = map_get(&c->names->vars, a->var);
        return value ? value : a;
    }
    if (a->kind != IR_EXPR_load)
        return a;
    const struct ir_buffer *buffer = map_get(&c->names->buffers, a->buffer);
    if (!buffer)
        return a;
    value = ir_expr_load(c->module->context, buffer, a->operands, a->operand_count);
    return ir_expr_at(c->module->context, a->loc, value);
}

const struct ir_expr *loop_copy_expr(struct ir_module *module, struct loop_names *names,
                                     const struct ir_expr *a)
{
    struct copier c = {module, names};

    return ir_expr_rewrite(module->context, a, replace, &c);
}

static const struct ir_expr *copy_expr(struct loop_map *map, const struct ir_expr *a)
{
    return loop_copy_expr(map->module, map->state, a);
}

static const struct ir_buffer *copy_name(struct loop_map *map, const struct ir_buffer *buffer)
{
    struct loop_names *names = map->state;
    const struct ir_buffer *other = map_get(&names->buffers, buffer);

    return other ? other : buffer;
}

static const struct ir_var *copy_var(struct loop_map *map, const struct ir_var *var)
{
    struct loop_names *names = map->state;

    if (!names->fresh)
        return var;
    const struct ir_var *fresh = loop_var_like(map->module, var);
    map_set(&names->vars, var, (void *)(uintptr_t)ir_expr_var(map->module->context, fresh));
    return fresh;
}

static bool copy_exprs(struct loop_map *map, const struct ir_expr *const **items, unsigned count)
{
    const struct ir_expr **copy =
        arena_array(&map->module->arena, const struct ir_expr *, count ? count : 1);
    bool is_changed = false;

    for (unsigned i = 0; *items && i < count; i++) {
        copy[i] = copy_expr(map, (*items)[i]);
        is_changed |= copy[i] != (*items)[i];
    }
    if (is_changed)
        *items = copy;
    return is_changed;
}

static struct ir_buffer *copy_buffer(struct loop_map *map, struct ir_buffer *buffer)
{
    struct loop_names *names = map->state;
    struct ir_buffer copy = *buffer;
    bool is_changed = names->fresh;

    is_changed |= copy_exprs(map, &copy.shape, copy.ndim);
    is_changed |= copy_exprs(map, &copy.strides, copy.ndim);
    if (copy.elem_offset)
        copy.elem_offset = copy_expr(map, copy.elem_offset);
    if (copy.data)
        copy.data = copy_expr(map, copy.data);
    if (copy.data_of)
        copy.data_of = copy_name(map, copy.data_of);
    if (names->fresh && copy.data_var)
        copy.data_var = copy_var(map, copy.data_var);
    is_changed |= copy.elem_offset != buffer->elem_offset || copy.data != buffer->data ||
                  copy.data_of != buffer->data_of;
    if (!is_changed)
        return buffer;
    struct ir_buffer *result = arena_new(&map->module->arena, struct ir_buffer);
    *result = copy;
    map_set(&names->buffers, buffer, result);
    return result;
}

struct tir_stmt *loop_copy(struct ir_module *module, struct loop_names *names,
                           struct tir_stmt *stmt)
{
    struct loop_map map = {
        .module = module,
        .state = names,
        .stmt = loop_map_parts,
        .expr = copy_expr,
        .buffer = copy_name,
        .define_var = copy_var,
        .define_buffer = copy_buffer,
    };

    return loop_map_parts(&map, stmt);
}

struct tir_stmt *loop_copy_fresh(struct ir_module *module, struct tir_stmt *stmt)
{
    struct loop_names names = {.fresh = true};
    struct tir_stmt *copy = loop_copy(module, &names, stmt);

    loop_names_finish(&names);
    return copy;
}

void loop_names_finish(struct loop_names *names)
{
    map_finish(&names->vars);
    map_finish(&names->buffers);
}

/* ---- pieces ---- */

struct ir_var *loop_var_like(struct ir_module *module, const struct ir_var *var)
{
    struct ir_var *result = ir_symbol_new(module->context, var->name, var->dtype);

    result->is_symbol = false;
    result->loc = var->loc;
    result->pointee = var->pointee;
    result->pointer_scope = var->pointer_scope;
    return result;
}

struct tir_stmt *loop_with_body(struct ir_module *module, const struct tir_stmt *loop,
                                struct tir_stmt *body)
{
    struct tir_stmt *result = tir_stmt_new(module, TIR_FOR, loop->loc);

    *result = *loop;
    result->loop.body = body;
    return result;
}

struct tir_stmt *loop_if(struct ir_module *module, const struct ir_expr *condition,
                         struct tir_stmt *body)
{
    struct tir_stmt *result = tir_stmt_new(module, TIR_IF, body->loc);

    result->branch.condition = condition;
    result->branch.then_body = body;
    return result;
}

struct tir_stmt *loop_both(struct ir_module *module, struct tir_stmt *a, struct tir_stmt *b)
{
    if (!a || !b)
        return a ? a : b;
    return tir_seq(module, (struct tir_stmt *[]){a, b}, 2);
}

const struct ir_expr *loop_and(struct ir_module *module, const struct ir_expr *a,
                               const struct ir_expr *b)
{
    if (!a || !b)
        return a ? a : b;
    return ir_expr_binary(module->context, IR_EXPR_and, a, b);
}

struct ir_range loop_range(struct ir_module *module, const struct tir_stmt *loop)
{
    const struct ir_var *var = loop->loop.var;

    return (struct ir_range){
        .var = var,
        .min = ir_expr_cast(module->context, var->dtype, loop->loop.min),
        .extent = ir_expr_cast(module->context, var->dtype, loop->loop.extent),
    };
}

bool loop_has_jump(const struct tir_stmt *body)
{
    struct tir_stmt *child;

    if (body->kind == TIR_BREAK || body->kind == TIR_CONTINUE)
        return true;
    if (body->kind == TIR_FOR || body->kind == TIR_WHILE)
        return false;
    for (unsigned i = 0; (child = tir_stmt_child(body, i)) != NULL; i++)
        if (loop_has_jump(child))
            return true;
    return false;
}

static bool is_fixed(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load && a->kind != IR_EXPR_call && a->kind != IR_EXPR_let;
}

bool loop_has_fixed_bounds(const struct tir_stmt *loop)
{
    return ir_expr_walk(loop->loop.min, is_fixed, NULL) &&
           ir_expr_walk(loop->loop.extent, is_fixed, NULL) &&
           (!loop->loop.step || ir_expr_walk(loop->loop.step, is_fixed, NULL));
}

static bool count_stmt(void *state, struct tir_stmt *stmt)
{
    ++*(unsigned *)state;
    return true;
}

unsigned loop_stmt_count(struct tir_stmt *stmt)
{
    unsigned count = 0;

    tir_stmt_walk(stmt, count_stmt, &count);
    return count;
}

static bool is_no_block(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_BLOCK;
}

bool loop_is_plain(struct tir_stmt *stmt)
{
    return tir_stmt_walk(stmt, is_no_block, NULL);
}

/*
 * A loop from its last iteration to its first.
 *
 *     for i in range(n - 1):               for i in range(n - 1):
 *         B[i + 1] = A[i]           =>         B[n - 2 - i + 1] = A[n - 2 - i]
 *
 * On distinct storage it is the same where iterations are independent; on one storage for A and B the
 * left one spreads A[0] over everything, and the right one is a shift.
 */
#include "passes/loop/loop.h"

struct turning {
    const struct tir_stmt *loop;
    bool is_done;
};

static const struct ir_expr *binary(struct ir_context *context, enum ir_expr_kind kind,
                                    const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_expr_binary(context, kind, a, b);
}

/* How far the last iteration is from the first. */
static const struct ir_expr *last_offset(struct ir_context *context, const struct tir_stmt *loop,
                                         const struct ir_expr *extent)
{
    const struct ir_expr *one = ir_expr_int(context, extent->dtype, 1);
    const struct ir_expr *last = binary(context, IR_EXPR_sub, extent, one);

    if (!loop->loop.step)
        return last;
    const struct ir_expr *step = ir_expr_cast(context, extent->dtype, loop->loop.step);
    last = binary(context, IR_EXPR_floordiv, last, step);
    return binary(context, IR_EXPR_mul, last, step);
}

static struct tir_stmt *turn(struct ir_module *module, const struct tir_stmt *loop)
{
    struct ir_context *context = module->context;
    struct ir_range range = loop_range(module, loop);
    const struct ir_var *var = loop_var_like(module, loop->loop.var);
    const struct ir_expr *offset = ir_expr_var(context, var);

    if (!ir_expr_is_int(range.min, 0))
        offset = binary(context, IR_EXPR_sub, offset, range.min);
    const struct ir_expr *value =
        binary(context, IR_EXPR_sub, last_offset(context, loop, range.extent), offset);
    if (!ir_expr_is_int(range.min, 0))
        value = binary(context, IR_EXPR_add, range.min, value);
    struct loop_names names = {0};
    map_set(&names.vars, loop->loop.var, (void *)(uintptr_t)ir_simplify(context, value));
    struct tir_stmt *result =
        loop_with_body(module, loop, loop_copy(module, &names, loop->loop.body));
    loop_names_finish(&names);
    result->loop.var = var;
    return result;
}

static struct tir_stmt *turn_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct turning *turning = map->state;

    if (stmt != turning->loop)
        return loop_map_parts(map, stmt);
    turning->is_done = true;
    return turn(map->module, stmt);
}

static bool can_turn(const struct tir_stmt *loop)
{
    bool has_order =
        loop->kind == TIR_FOR && (loop->loop.kind == TIR_SERIAL || loop->loop.kind == TIR_UNROLLED);

    return has_order && loop_has_fixed_bounds(loop) && !loop_has_jump(loop->loop.body);
}

struct tir_stmt *loop_turn_round(const struct tir_func *func, const struct tir_stmt *loop)
{
    struct turning turning = {.loop = loop};
    struct loop_map map = {.module = func->module, .state = &turning, .stmt = turn_stmt};
    struct tir_stmt *body = can_turn(loop) ? turn_stmt(&map, func->body) : NULL;

    return turning.is_done ? body : NULL;
}

/* Parameters of its own, so that nothing of one kernel is known by what is in the other. */
static void copy_params(struct tir_func *to, const struct tir_func *from, struct loop_names *names)
{
    to->params = arena_array(&to->module->arena, struct tir_param, from->param_count);
    to->param_room = from->param_count;
    for (unsigned i = 0; i < from->param_count; i++) {
        const struct ir_buffer *buffer = from->params[i].buffer;

        to->params[i] = from->params[i];
        if (!buffer)
            continue;
        struct ir_buffer *copy = arena_new(&to->module->arena, struct ir_buffer);
        *copy = *buffer;
        to->params[i].buffer = copy;
        map_set(&names->buffers, buffer, copy);
    }
}

/* No two kernels of one symbol. */
static const struct ir_attr *own_symbol(struct ir_context *context, const struct ir_attr *attrs,
                                        const char *name)
{
    static const char key[] = "global_symbol";

    if (!attrs || !ir_attr_dict_get(attrs, key))
        return attrs;
    return ir_attr_dict_with(context, attrs, atom_intern_text(&context->atoms, key),
                             ir_attr_string(context, name));
}

struct ir_global *loop_add_turned(struct tir_func *func, const struct tir_stmt *loop)
{
    struct ir_module *module = func->module;
    struct tir_stmt *body = loop_turn_round(func, loop);
    struct loop_names names = {.fresh = true};

    if (!body)
        return NULL;
    const char *name = arena_printf(&module->arena, "%s_backwards", func->name);
    struct ir_global *global =
        ir_module_add(module, ir_module_fresh_name(module, name), IR_GLOBAL_KERNEL);
    const char *own_name = global->name;
    struct tir_func *kernel = tir_func_new(module, own_name);

    *kernel = *func;
    kernel->name = own_name;
    kernel->is_private = true;
    kernel->attrs = own_symbol(module->context, func->attrs, own_name);
    copy_params(kernel, func, &names);
    kernel->body = loop_copy(module, &names, body);
    loop_names_finish(&names);
    global->kernel = kernel;
    global->loc = func->loc;
    return global;
}

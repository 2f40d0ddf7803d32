#include "analysis/kernel.h"

#include "base/array.h"
#include "base/map.h"

#include <string.h>

/* ---- which parameters are touched, and how ---- */

struct access_walk {
    const struct tir_func *func;
    struct kernel_access *access;
    struct map matches; /* buffer that a block matched -> the buffer it is a rectangle of */
    struct map params;  /* buffer -> number of the parameter + 1, of kernels that have many */
    array(const struct ir_buffer *) matched;
    struct location loc; /* of the statement being looked at */
};

enum { MANY_PARAMS = 16 };

static void note_params(struct access_walk *walk)
{
    for (uintptr_t i = 0; walk->func->param_count > MANY_PARAMS && i < walk->func->param_count; i++)
        if (walk->func->params[i].buffer)
            map_set(&walk->params, walk->func->params[i].buffer,
                    (void *)(i + 1)); /* NOLINT(performance-no-int-to-ptr) */
}

static int param_that_is(const struct access_walk *walk, const struct ir_buffer *buffer)
{
    if (walk->func->param_count > MANY_PARAMS)
        return (int)(uintptr_t)map_get(&walk->params, buffer) - 1;
    for (unsigned i = 0; i < walk->func->param_count; i++)
        if (walk->func->params[i].buffer == buffer)
            return (int)i;
    return -1;
}

/* The parameter that @buffer is, or whose storage it shows; -1 if none. */
static int param_of(const struct access_walk *walk, const struct ir_buffer *buffer, bool *out_same)
{
    *out_same = true;
    while (buffer) {
        int param = param_that_is(walk, buffer);

        if (param >= 0)
            return param;
        const struct ir_buffer *matched = map_get(&walk->matches, buffer);

        buffer = matched ? matched : buffer->data_of;
        *out_same = false;
    }
    return -1;
}

static void touch(struct access_walk *walk, const struct ir_buffer *buffer, bool reads, bool writes)
{
    bool is_same;
    int param = param_of(walk, buffer, &is_same);

    if (param < 0)
        return;
    walk->access->params[param].reads |= reads;
    walk->access->params[param].writes |= writes;
    walk->access->params[param].is_stored |= writes;
    if (!is_same) {
        walk->access->params[param].is_indirect = true;
        if (!walk->access->indirect_loc.source)
            walk->access->indirect_loc = walk->loc;
    }
}

/* A rectangle of @buffer gets a name; what is done to it is seen where it is done. */
static void show(struct access_walk *walk, const struct ir_buffer *buffer)
{
    bool is_same;
    int param = param_of(walk, buffer, &is_same);

    if (param < 0)
        return;
    walk->access->params[param].is_indirect = true;
    if (!walk->access->indirect_loc.source)
        walk->access->indirect_loc = walk->loc;
}

/* The address of @buffer leaves the reach of index maps. */
static void expose(struct access_walk *walk, const struct ir_buffer *buffer)
{
    bool is_same;
    int param = param_of(walk, buffer, &is_same);

    if (param < 0)
        return;
    struct kernel_param *exposed = &walk->access->params[param];
    exposed->reads = exposed->writes = exposed->is_indirect = true;
    if (!walk->access->indirect_loc.source)
        walk->access->indirect_loc = walk->loc;
}

static bool takes_address(const char *name)
{
    return strcmp(name, "address_of") == 0 || strcmp(name, "tvm_access_ptr") == 0;
}

static bool leaves_module(const char *name)
{
    return strcmp(name, "call_extern") == 0 || strcmp(name, "call_packed") == 0 ||
           strcmp(name, "call_pure_extern") == 0 || strcmp(name, "call_cpacked") == 0 ||
           strcmp(name, "call_llvm_intrin") == 0 || strcmp(name, "tvm_call_packed") == 0;
}

static bool look_at_expr(void *state, const struct ir_expr *a)
{
    struct access_walk *walk = state;

    if (a->kind == IR_EXPR_load)
        touch(walk, a->buffer, true, false);
    if (a->kind == IR_EXPR_call && takes_address(a->name))
        for (unsigned i = 0; i < a->operand_count; i++)
            if (a->operands[i]->kind == IR_EXPR_load)
                expose(walk, a->operands[i]->buffer);
    if (a->kind == IR_EXPR_call && leaves_module(a->name)) {
        walk->access->calls_out = true;
        if (!walk->access->indirect_loc.source)
            walk->access->indirect_loc = walk->loc;
    }
    if (a->kind == IR_EXPR_var && a->dtype.code == IR_HANDLE) {
        for (unsigned i = 0; i < walk->func->param_count; i++)
            if (walk->func->params[i].buffer && walk->func->params[i].buffer->data_var == a->var)
                expose(walk, walk->func->params[i].buffer);
        for (size_t i = 0; i < walk->matched.count; i++)
            if (walk->matched.items[i]->data_var == a->var)
                expose(walk, walk->matched.items[i]);
    }
    return true;
}

static bool look_below(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, look_at_expr, state);
}

static bool look_at_stmt(void *state, struct tir_stmt *stmt)
{
    struct access_walk *walk = state;

    walk->loc = stmt->loc;
    if (stmt->kind == TIR_STORE)
        touch(walk, stmt->store.buffer, false, true);
    if (stmt->kind == TIR_DECL && stmt->alloc.buffer->data && !stmt->alloc.buffer->data_of)
        for (unsigned i = 0; i < walk->func->param_count; i++)
            if (walk->func->params[i].buffer)
                expose(walk, walk->func->params[i].buffer);
    if (stmt->kind == TIR_BLOCK)
        for (unsigned i = 0; i < stmt->block.match_count; i++) {
            const struct tir_match *match = &stmt->block.matches[i];

            show(walk, match->source.buffer);
            map_set(&walk->matches, match->buffer, (void *)(uintptr_t)match->source.buffer);
            array_push(&walk->matched, match->buffer);
        }
    tir_stmt_walk_exprs(stmt, look_below, walk);
    return true;
}

struct kernel_access kernel_access(struct arena *arena, const struct tir_func *func)
{
    struct kernel_access access = {
        .params = arena_array(arena, struct kernel_param, func->param_count),
    };
    struct access_walk walk = {.func = func, .access = &access};

    note_params(&walk);
    tir_stmt_walk(func->body, look_at_stmt, &walk);
    map_finish(&walk.params);
    map_finish(&walk.matches);
    array_finish(&walk.matched);
    return access;
}

/* The @index-th parameter that is a buffer; NULL: there is none. */
static const struct tir_param *buffer_param(const struct tir_func *func, unsigned index)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer && index-- == 0)
            return &func->params[i];
    return NULL;
}

static unsigned tensors_before(const struct ir_op *call, unsigned operand)
{
    unsigned count = 0;

    for (unsigned i = 0; i < operand; i++)
        count += ir_type_is_tensor(call->operands[i].value->type);
    return count;
}

const struct tir_param *kernel_param_of(const struct tir_func *func, const struct ir_op *call,
                                        unsigned operand)
{
    if (!ir_type_is_tensor(call->operands[operand].value->type))
        return NULL;
    return buffer_param(func, tensors_before(call, operand));
}

const struct tir_param *kernel_output_of(const struct tir_func *func, const struct ir_op *call,
                                         unsigned output)
{
    const struct ir_attr *indices =
        ir_op_is(call, IR_CORE_call_tir_inplace) ? ir_op_attr(call, "inplace_indices") : NULL;
    unsigned fresh = output; /* outputs in front that are fresh, too */

    if (indices) {
        if (output >= indices->count)
            return NULL;
        if (indices->items[output]->integer >= 0)
            return kernel_param_of(func, call, (unsigned)indices->items[output]->integer);
        fresh = 0;
        for (unsigned i = 0; i < output; i++)
            fresh += indices->items[i]->integer < 0;
    }
    return buffer_param(func, tensors_before(call, call->operand_count) + fresh);
}

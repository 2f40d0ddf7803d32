/* See given.h. */
#include "driver/given.h"

#include "analysis/leaves.h"
#include "analysis/result_places.h"
#include "analysis/stack_need.h"
#include "ir/arith.h"
#include "runtime/tensor.h"

#include <string.h>

enum { ALIGNMENT = 64 };

/* ---- symbols ---- */

static void bind(struct ir_context *context, struct ir_bindings *out, const struct ir_var *var,
                 int64_t value)
{
    if (!ir_bindings_find(out, var))
        array_push(out, (struct ir_binding){var, ir_expr_int(context, var->dtype, value)});
}

static void bind_leaf(struct ir_context *context, const struct ir_type *type,
                      const struct inlay_value *value, struct ir_bindings *out)
{
    const int64_t *dims = NULL;
    int count = 0;

    if (value->kind == INLAY_TENSOR && value->tensor) {
        dims = value->tensor->shape;
        count = value->tensor->ndim;
    } else if (value->kind == INLAY_SHAPE && value->shape) {
        dims = value->shape->dims;
        count = (int)value->shape->count;
    }
    for (int d = 0; dims && type->dims && d < count && count == type->ndim; d++)
        if (type->dims[d]->kind == IR_EXPR_var)
            bind(context, out, type->dims[d]->var, dims[d]);
}

void given_bind(const struct ir_function *function, const struct inlay_value *args,
                size_t arg_count, struct ir_bindings *out)
{
    struct ir_context *context = function->module->context;
    size_t next = 0;

    for (unsigned i = 0; i < function->param_count; i++) {
        const struct ir_value *param = function->params[i];

        for (unsigned leaf = 0; leaf < leaf_count(param->type) && next < arg_count;
             leaf++, next++) {
            bind_leaf(context, leaf_type(param->type, leaf), &args[next], out);
            if (param->var && args[next].kind == INLAY_INT)
                bind(context, out, param->var, args[next].integer);
        }
    }
}

/* ---- memory ---- */

/* A block of @bytes; without data if there are none, or memory is short: then the run takes them. */
static struct given_block take(struct given *given, int64_t bytes)
{
    struct given_block block = {0};

    if (bytes <= 0 || bytes > INT64_MAX - ALIGNMENT)
        return block;
    block.data = inlay_memory_take(
        given->memory, ((size_t)bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, &block.bytes);
    if (block.data)
        array_push(&given->blocks, block);
    return block;
}

/* ---- numbers ---- */

static bool number_of(struct ir_context *context, const struct ir_expr *e,
                      const struct ir_bindings *known, int64_t *out)
{
    return ir_expr_constant(context, ir_expr_substitute(context, e, known), out) && *out >= 0;
}

static struct given_result result_for(struct given_plan *plan, struct ir_context *context,
                                      const struct ir_type *type, const struct ir_bindings *known,
                                      bool is_own)
{
    struct given_result result = {.is_tensor = type->kind == IR_TYPE_TENSOR && type->ndim >= 0 &&
                                               !ir_dtype_is_void(type->dtype),
                                  .is_own = is_own,
                                  .dtype = {type->dtype.code, type->dtype.bits, type->dtype.lanes},
                                  .ndim = type->ndim};

    if (!result.is_tensor)
        return (struct given_result){0};
    result.dims = arena_array(&plan->arena, int64_t, (size_t)type->ndim + 1);
    for (int i = 0; i < type->ndim && result.is_own; i++)
        result.is_own = type->dims && number_of(context, type->dims[i], known, &result.dims[i]);
    return result;
}

static void plan_results(struct given_plan *plan, struct ir_function *function,
                         const struct ir_bindings *known)
{
    unsigned count = leaf_count(function->result);
    bool *is_own = arena_array(&plan->arena, bool, count + 1);
    struct result_places places;
    struct result_params params = {0};

    result_places_find(&places, &params, function);
    result_places_leaves(&places, is_own);
    for (unsigned i = 0; i < count; i++)
        array_push(&plan->results, result_for(plan, function->module->context,
                                              leaf_type(function->result, i), known, is_own[i]));
    result_places_finish(&places);
    result_params_finish(&params);
}

static int64_t plan_space(struct ir_function *function, const struct ir_bindings *known,
                          unsigned threads)
{
    struct stack_options options = {.threads = threads};
    struct stack_need need;
    int64_t bytes = 0;

    return stack_need(function->module, function, &options, &need) &&
                   number_of(function->module->context, need.bytes, known, &bytes)
               ? bytes
               : 0;
}

void given_plan_make(struct given_plan *plan, struct ir_function *function,
                     const struct inlay_value *args, size_t arg_count, unsigned threads)
{
    struct ir_bindings known = {0};

    *plan = (struct given_plan){0};
    given_bind(function, args, arg_count, &known);
    plan_results(plan, function, &known);
    plan->space = plan_space(function, &known, threads);
    array_finish(&known);
}

void given_plan_finish(struct given_plan *plan)
{
    array_finish(&plan->results);
    arena_finish(&plan->arena);
    *plan = (struct given_plan){0};
}

/* ---- all ---- */

/* A tensor for @result; with data if it is made in storage of its own and its dims are known. */
static struct inlay_value tensor_for(struct given *given, const struct given_result *result)
{
    struct inlay_tensor *tensor = arena_new(&given->arena, struct inlay_tensor);
    size_t ndim = (size_t)result->ndim;

    tensor->device.type = 1;
    tensor->ndim = result->ndim;
    tensor->dtype = result->dtype;
    tensor->shape = arena_array(&given->arena, int64_t, ndim + 1);
    memcpy(tensor->shape, result->dims, ndim * sizeof(int64_t));
    if (result->is_own)
        tensor->data = take(given, inlay_tensor_bytes(tensor->shape, tensor->ndim,
                                                      inlay_dtype_bytes(result->dtype)))
                           .data;
    return (struct inlay_value){.kind = INLAY_TENSOR, .tensor = tensor};
}

void given_make(struct given *given, struct inlay_memory *memory,
                const struct ir_function *function, const struct given_plan *plan)
{
    given_finish(given);
    given->function = function;
    given->memory = memory;
    for (size_t i = 0; i < plan->results.count; i++) {
        struct inlay_value value = {0};
        if (plan->results.items[i].is_tensor)
            value = tensor_for(given, &plan->results.items[i]);
        array_push(&given->results, value);
        array_push(&given->data, value.tensor ? value.tensor->data : NULL);
    }
    given->space = take(given, plan->space);
}

void given_finish(struct given *given)
{
    for (size_t i = 0; i < given->blocks.count; i++)
        inlay_memory_give(given->memory, given->blocks.items[i].data, given->blocks.items[i].bytes);
    array_finish(&given->blocks);
    array_finish(&given->results);
    array_finish(&given->data);
    arena_finish(&given->arena);
    *given = (struct given){0};
}

void given_set(struct given *given, struct inlay_host *host, struct inlay_value *results,
               size_t result_count)
{
    host->gives_results = true;
    host->arena = given->space.data;
    host->arena_bytes = given->space.bytes;
    for (size_t i = 0; i < result_count && i < given->results.count; i++) {
        results[i] = given->results.items[i];
        if (results[i].kind != INLAY_TENSOR)
            continue;
        results[i].tensor->data = given->data.items[i];
        results[i].tensor->byte_offset = 0;
    }
}

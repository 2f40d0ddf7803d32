/*
 * Kernels: statements run as written, one element at a time.
 *
 * Each access is checked against the extents of its buffer and against the end of its storage.
 * Buffers of a kernel are views: data, extents, strides, offset.  Loops of every kind run in order.
 */
#include "codegen/interp/kernel.h"

#include <string.h>

enum { LANE_LIMIT = 256 };

struct interp_scalar *interp_kernel_var(const struct interp_kernel *kernel,
                                        const struct ir_var *var)
{
    return map_get(&kernel->vars, var);
}

struct interp_scalar *interp_kernel_bind(struct interp_kernel *kernel, const struct ir_var *var)
{
    struct interp_scalar *slot = map_get(&kernel->vars, var);
    if (!slot) {
        slot = arena_new(&kernel->arena, struct interp_scalar);
        map_set(&kernel->vars, var, slot);
    }
    slot->dtype = var->dtype;
    return slot;
}

static const struct interp_view *find_view(const struct interp_kernel *kernel,
                                           const struct ir_buffer *buffer)
{
    const struct interp_view *view = map_get(&kernel->views, buffer);
    if (!view)
        interp_unsupported(kernel->run, kernel->run->loc, "buffer `%s`, which has no storage here",
                           buffer->name);
    return view;
}

/* Where in the view's data the element at the indices lies. */
static bool locate(const struct interp_env *env, const struct interp_view *view,
                   const struct ir_expr *const *indices, unsigned count, int64_t *out)
{
    int64_t offset = view->offset;
    if (count != view->ndim)
        return interp_unsupported(env->run, env->run->loc,
                                  "an access with %u indices to `%s` of rank %u", count,
                                  view->buffer->name, view->ndim);
    for (unsigned i = 0; i < count; i++) {
        int64_t index;
        if (!interp_eval_integer(env, indices[i], &index))
            return false;
        if (index < 0 || index >= view->shape[i])
            return interp_fail(env->run, INLAY_ERROR_BOUNDS,
                               "index %lld is out of range for axis %lld of `%s` (extent %lld)",
                               (long long)index, (long long)i, view->buffer->name,
                               (long long)view->shape[i]);
        offset += index * view->strides[i];
    }
    if (offset < 0 || offset >= view->storage)
        return interp_fail(env->run, INLAY_ERROR_BOUNDS,
                           "`%s` reaches beyond its storage of %lld elements", view->buffer->name,
                           (long long)view->storage);
    *out = offset;
    return true;
}

bool interp_kernel_load(const struct interp_env *env, const struct ir_expr *load,
                        struct interp_scalar *out)
{
    const struct interp_view *view = find_view(env->kernel, load->buffer);
    int64_t offset;
    if (!view || !locate(env, view, load->operands, load->operand_count, &offset))
        return false;
    *out = interp_load_element(view->buffer->dtype, view->data, offset);
    return true;
}

static struct interp_env env_of(struct interp_kernel *kernel)
{
    return (struct interp_env){.run = kernel->run, .kernel = kernel};
}

static bool eval_here(struct interp_kernel *kernel, const struct ir_expr *e,
                      struct interp_scalar *out)
{
    struct interp_env env = env_of(kernel);
    return interp_eval(&env, e, out);
}

static enum interp_flow flow_of(bool is_good)
{
    return is_good ? INTERP_GO : INTERP_FAILED;
}

static bool run_store(struct interp_kernel *kernel, const struct tir_stmt *stmt)
{
    struct interp_env env = env_of(kernel);
    const struct interp_view *view = find_view(kernel, stmt->store.buffer);
    unsigned lanes = stmt->store.value->dtype.lanes;
    for (unsigned i = 0; i < stmt->store.index_count; i++)
        if (stmt->store.indices[i]->dtype.lanes > lanes)
            lanes = stmt->store.indices[i]->dtype.lanes;
    struct {
        struct interp_scalar value;
        int64_t offset;
        bool is_on;
    } lane[LANE_LIMIT];
    if (!view)
        return false;
    if (lanes > LANE_LIMIT)
        return interp_unsupported(kernel->run, stmt->loc, "vectors of %u lanes", lanes);
    for (env.lane = 0; env.lane < lanes; env.lane++) { /* all are read before one is written */
        struct interp_scalar predicate = {.integer = 1};
        if (stmt->store.predicate && !interp_eval(&env, stmt->store.predicate, &predicate))
            return false;
        lane[env.lane].is_on = predicate.integer != 0;
        if (!lane[env.lane].is_on)
            continue;
        if (!interp_eval(&env, stmt->store.value, &lane[env.lane].value) ||
            !locate(&env, view, stmt->store.indices, stmt->store.index_count,
                    &lane[env.lane].offset))
            return false;
    }
    for (unsigned i = 0; i < lanes; i++)
        if (lane[i].is_on)
            interp_store_element(interp_cast(lane[i].value, view->buffer->dtype), view->data,
                                 lane[i].offset);
    return true;
}

static enum interp_flow run_for(struct interp_kernel *kernel, struct tir_stmt *stmt)
{
    struct interp_scalar min, extent, step = {.integer = 1};
    if (stmt->loop.kind == TIR_THREAD_BINDING) {
        interp_unsupported(kernel->run, stmt->loc, "thread bindings, which are for GPUs");
        return INTERP_FAILED;
    }
    if (!eval_here(kernel, stmt->loop.min, &min) || !eval_here(kernel, stmt->loop.extent, &extent))
        return INTERP_FAILED;
    if (stmt->loop.step && !eval_here(kernel, stmt->loop.step, &step))
        return INTERP_FAILED;
    if (step.integer <= 0)
        return flow_of(interp_fail(kernel->run, INLAY_ERROR_SHAPE,
                                   "the step of loop `%s` is %lld, not positive",
                                   stmt->loop.var->name, (long long)step.integer));
    struct interp_scalar *slot = interp_kernel_bind(kernel, stmt->loop.var);
    for (int64_t i = 0; i < extent.integer; i += step.integer) {
        slot->integer = interp_wrap(slot->dtype, min.integer + i);
        enum interp_flow flow = interp_run_stmt(kernel, stmt->loop.body);
        if (flow == INTERP_BREAK)
            break;
        if (flow == INTERP_RETURN || flow == INTERP_FAILED)
            return flow;
        if (extent.integer - i <= step.integer)
            break; /* i + step could overflow */
    }
    return INTERP_GO;
}

static enum interp_flow run_while(struct interp_kernel *kernel, struct tir_stmt *stmt)
{
    for (;;) {
        struct interp_scalar condition;
        if (!eval_here(kernel, stmt->while_loop.condition, &condition))
            return INTERP_FAILED;
        if (!condition.integer)
            return INTERP_GO;
        enum interp_flow flow = interp_run_stmt(kernel, stmt->while_loop.body);
        if (flow == INTERP_BREAK)
            return INTERP_GO;
        if (flow == INTERP_RETURN || flow == INTERP_FAILED)
            return flow;
    }
}

static enum interp_flow run_if(struct interp_kernel *kernel, struct tir_stmt *stmt)
{
    struct interp_scalar condition;
    if (!eval_here(kernel, stmt->branch.condition, &condition))
        return INTERP_FAILED;
    struct tir_stmt *taken = condition.integer ? stmt->branch.then_body : stmt->branch.else_body;
    return taken ? interp_run_stmt(kernel, taken) : INTERP_GO;
}

/* Binds the axes; false in @out_is_on where the predicate excludes the instance. */
static bool enter_block(struct interp_kernel *kernel, const struct tir_stmt *stmt, bool *out_is_on,
                        bool *out_is_first)
{
    *out_is_on = *out_is_first = true;
    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        const struct tir_axis *axis = &stmt->block.axes[i];
        struct interp_scalar value, min;
        if (!eval_here(kernel, axis->value, &value) || !eval_here(kernel, axis->min, &min))
            return false;
        struct interp_scalar *slot = interp_kernel_bind(kernel, axis->var);
        slot->integer = interp_wrap(slot->dtype, value.integer);
        if (axis->kind == TIR_REDUCE && value.integer != min.integer)
            *out_is_first = false;
    }
    struct interp_scalar predicate = {.integer = 1};
    if (stmt->block.predicate && !eval_here(kernel, stmt->block.predicate, &predicate))
        return false;
    *out_is_on = predicate.integer != 0;
    return true;
}

static enum interp_flow run_block(struct interp_kernel *kernel, struct tir_stmt *stmt)
{
    bool is_on, is_first;
    if (!enter_block(kernel, stmt, &is_on, &is_first))
        return INTERP_FAILED;
    if (!is_on)
        return INTERP_GO;
    unsigned mark = (unsigned)kernel->temporaries.count;
    enum interp_flow flow = INTERP_GO;
    for (unsigned i = 0; flow == INTERP_GO && i < stmt->block.alloc_count; i++)
        flow = flow_of(interp_view_alloc(kernel, stmt->block.allocs[i]));
    for (unsigned i = 0; flow == INTERP_GO && i < stmt->block.match_count; i++)
        flow = flow_of(interp_view_match(kernel, &stmt->block.matches[i]));
    if (flow == INTERP_GO && stmt->block.init && is_first)
        flow = interp_run_stmt(kernel, stmt->block.init);
    if (flow == INTERP_GO)
        flow = interp_run_stmt(kernel, stmt->block.body);
    interp_views_release(kernel, mark);
    return flow;
}

static enum interp_flow run_seq(struct interp_kernel *kernel, struct tir_stmt *stmt)
{
    unsigned mark = (unsigned)kernel->temporaries.count;
    enum interp_flow flow = INTERP_GO;
    for (unsigned i = 0; flow == INTERP_GO && i < stmt->seq.count; i++)
        flow = interp_run_stmt(kernel, stmt->seq.items[i]);
    interp_views_release(kernel, mark);
    return flow;
}

static bool run_let(struct interp_kernel *kernel, const struct tir_stmt *stmt)
{
    struct interp_scalar value;
    if (stmt->let.value->dtype.lanes > 1)
        return interp_unsupported(kernel->run, stmt->loc, "variables that hold vectors");
    if (!eval_here(kernel, stmt->let.value, &value))
        return false;
    *interp_kernel_bind(kernel, stmt->let.var) = interp_cast(value, stmt->let.var->dtype);
    return true;
}

static bool run_assert(struct interp_kernel *kernel, const struct tir_stmt *stmt)
{
    struct interp_scalar condition;
    if (!eval_here(kernel, stmt->assertion.condition, &condition))
        return false;
    if (condition.integer)
        return true;
    if (stmt->assertion.message && *stmt->assertion.message)
        return interp_fail(kernel->run, INLAY_ERROR_ASSERT, "assertion failed: %s",
                           stmt->assertion.message);
    return interp_fail(kernel->run, INLAY_ERROR_ASSERT, "assertion failed");
}

static enum interp_flow run_return(struct interp_kernel *kernel, const struct tir_stmt *stmt)
{
    if (stmt->value && !eval_here(kernel, stmt->value, &kernel->result))
        return INTERP_FAILED;
    return INTERP_RETURN;
}

enum interp_flow interp_run_stmt(struct interp_kernel *kernel, struct tir_stmt *stmt)
{
    struct interp_scalar ignored;
    if (stmt->loc.source)
        kernel->run->loc = stmt->loc;
    if (kernel->run->steps_left-- == 0) {
        kernel->run->steps_left = 0;
        interp_unsupported(kernel->run, kernel->run->loc, "a run of so many steps");
        return INTERP_FAILED;
    }
    switch (stmt->kind) {
    case TIR_SEQ:
        return run_seq(kernel, stmt);
    case TIR_FOR:
        return run_for(kernel, stmt);
    case TIR_BLOCK:
        return run_block(kernel, stmt);
    case TIR_STORE:
        return flow_of(run_store(kernel, stmt));
    case TIR_LET:
        return flow_of(run_let(kernel, stmt));
    case TIR_ALLOC:
    case TIR_DECL:
        return flow_of(interp_view_alloc(kernel, stmt->alloc.buffer));
    case TIR_IF:
        return run_if(kernel, stmt);
    case TIR_WHILE:
        return run_while(kernel, stmt);
    case TIR_EVALUATE:
        return flow_of(eval_here(kernel, stmt->value, &ignored));
    case TIR_ASSERT:
        return flow_of(run_assert(kernel, stmt));
    case TIR_ATTR:
        return interp_run_stmt(kernel, stmt->attr.body);
    case TIR_RETURN:
        return run_return(kernel, stmt);
    case TIR_BREAK:
        return INTERP_BREAK;
    case TIR_CONTINUE:
        return INTERP_CONTINUE;
    case TIR_LAUNCH_THREAD:
        break;
    }
    interp_unsupported(kernel->run, stmt->loc, "T.launch_thread, which is for GPUs");
    return INTERP_FAILED;
}

bool interp_kernel(struct interp *run, const struct tir_func *func,
                   const struct interp_value *const *args, unsigned count,
                   struct interp_scalar *out_result)
{
    struct interp_kernel kernel = {.run = run, .func = func};
    struct location loc = run->loc;
    bool is_good = interp_kernel_enter(&kernel, args, count) &&
                   interp_run_stmt(&kernel, func->body) != INTERP_FAILED;
    if (is_good && out_result)
        *out_result = kernel.result;
    interp_views_release(&kernel, 0);
    map_finish(&kernel.vars);
    map_finish(&kernel.views);
    array_finish(&kernel.temporaries);
    arena_finish(&kernel.arena);
    if (is_good)
        run->loc = loc;
    return is_good;
}

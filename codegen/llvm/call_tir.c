/*
 * Calls of kernels: call_tir, call_tir_inplace, and those for their effect, cls.f(x, y).
 *
 * Arguments in the order of the kernel's parameters, then the fresh results; scalars where they
 * stand. Symbols of the kernel take their values from the dims of the arguments, and all other
 * dims are compared with what the kernel says, unless both are literally the same.  A result in
 * place is the argument itself: analysis has proved that nobody sees it change.  A call for its
 * effect may write only what this function has made, or was given to overwrite.
 */
#include "analysis/kernel.h"
#include "analysis/leaves.h"
#include "codegen/llvm/graph.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

struct call {
    const struct ir_op *op;
    const struct tir_func *func;
    struct cg_kernel *kernel;
    struct cg_value **args;   /* by parameter of the kernel */
    struct cg_leaves given;   /* operands */
    struct cg_leaves results; /* leaves of the result */
    struct cg_leaves fresh;   /* those that are allocated */
    LLVMValueRef *outer;      /* by symbol: what the variable is in the caller, or NULL */
};

static bool collect_results(struct cg_graph *g, struct call *call)
{
    const struct ir_op *op = call->op;
    bool is_inplace = ir_op_is(op, IR_CORE_call_tir_inplace);
    const struct ir_attr *map = is_inplace ? ir_op_attr(op, "inplace_indices") : NULL;
    const struct ir_type *type = op->declared ? op->declared : op->result.type;
    unsigned count = ir_op_is(op, IR_CORE_call) ? 0 : leaf_count(type);
    for (unsigned i = 0; i < count; i++) {
        int64_t index = map && i < map->count ? map->items[i]->integer : -1;
        struct cg_value *value;
        if (index >= 0) {
            assert((uint64_t)index < call->given.count); /* verified */
            value = call->given.items[index];
        } else {
            value = cg_allocate(g, op, leaf_type(type, i));
            if (!value)
                return false;
            array_push(&call->fresh, value);
        }
        array_push(&call->results, value);
    }
    return true;
}

/* Tensors go to buffers and scalars to scalars, each in their order. */
static bool match_arguments(struct cg_graph *g, struct call *call)
{
    const struct tir_func *func = call->func;
    struct cg_leaves tensors = {0}, scalars = {0};
    for (size_t i = 0; i < call->given.count; i++) {
        struct cg_value *value = call->given.items[i];
        if (value->kind == CG_TENSOR)
            array_push(&tensors, value);
        else if (value->kind == CG_SCALAR)
            array_push(&scalars, value);
        /* tir_vars of older scripts: the dims of a shape are scalars */
        for (unsigned j = 0; value->kind == CG_SHAPE && j < value->count; j++) {
            struct cg_value *dim = cg_value_new(g, CG_SCALAR, 0);
            dim->dtype = IR_I64;
            dim->data = value->dims[j];
            array_push(&scalars, dim);
        }
    }
    for (size_t i = 0; i < call->fresh.count; i++)
        array_push(&tensors, call->fresh.items[i]);
    size_t tensor = 0, scalar = 0;
    bool is_fine = true;
    for (unsigned i = 0; is_fine && i < func->param_count; i++) {
        bool is_buffer = func->params[i].buffer != NULL;
        is_fine = is_buffer ? tensor < tensors.count : scalar < scalars.count;
        if (is_fine)
            call->args[i] = is_buffer ? tensors.items[tensor++] : scalars.items[scalar++];
    }
    is_fine = is_fine && tensor == tensors.count && scalar == scalars.count;
    array_finish(&tensors);
    array_finish(&scalars);
    return is_fine || cg_op_refuse(g, call->op, "its arguments do not fit the kernel");
}

/* --- symbols --- */

/* Compact strides of a tensor, from the last axis on. */
static LLVMValueRef stride_of(struct cg *cg, const struct cg_value *value, unsigned axis)
{
    LLVMValueRef stride = cg_i64(cg, 1);
    for (unsigned i = value->count; i-- > axis + 1;)
        stride = BUILD(Mul, stride, value->dims[i]);
    return stride;
}

static void bind(struct cg *cg, const struct ir_expr *e, LLVMValueRef value)
{
    if (!e || e->kind != IR_EXPR_var || map_get(&cg->vars, e->var))
        return;
    LLVMTypeRef type = cg_register_type(cg, e->var->dtype);
    map_set(&cg->vars, e->var, LLVMBuildIntCast2(cg->builder, value, type, true, ""));
}

static void bind_symbols(struct cg_graph *g, struct call *call)
{
    struct cg *cg = g->cg;
    size_t count = call->kernel->symbols.count;
    call->outer = arena_array(&cg->arena, LLVMValueRef, count ? count : 1);
    for (size_t i = 0; i < count; i++) {
        call->outer[i] = map_get(&cg->vars, call->kernel->symbols.items[i]);
        map_set(&cg->vars, call->kernel->symbols.items[i], NULL);
    }
    for (unsigned i = 0; i < call->func->param_count; i++)
        if (!call->func->params[i].buffer)
            map_set(&cg->vars, call->func->params[i].var, call->args[i]->data);
    for (unsigned i = 0; i < call->func->param_count; i++) {
        const struct ir_buffer *buffer = call->func->params[i].buffer;
        for (unsigned j = 0; buffer && j < buffer->ndim && j < call->args[i]->count; j++) {
            bind(cg, buffer->shape[j], call->args[i]->dims[j]);
            if (buffer->strides)
                bind(cg, buffer->strides[j], stride_of(cg, call->args[i], j));
        }
        if (buffer)
            bind(cg, buffer->elem_offset, cg_i64(cg, 0));
    }
}

static bool check_equal(struct cg_graph *g, const struct ir_expr *e, LLVMValueRef given,
                        const char *what)
{
    struct cg *cg = g->cg;
    LLVMValueRef wanted = cg_dim(cg, e);
    if (!wanted)
        return false;
    if (wanted == given)
        return true;
    LLVMValueRef args[] = {cg_string(cg, atom_intern_text(&cg->ir->atoms, what)), given, wanted};
    cg_check(cg, cg_compare(cg, LLVMIntEQ, wanted, given), INLAY_ERROR_SHAPE,
             "%s is %lld, but the kernel wants %lld", args, 3);
    return true;
}

static bool check_argument(struct cg_graph *g, struct call *call, unsigned i)
{
    struct cg *cg = g->cg;
    const struct ir_buffer *buffer = call->func->params[i].buffer;
    const struct cg_value *value = call->args[i];
    if (value->kind != CG_TENSOR || value->count != buffer->ndim ||
        !ir_dtype_equal(value->dtype, buffer->dtype))
        return cg_op_refuse(g, call->op,
                            arena_printf(&cg->arena,
                                         "argument %u is not of the rank and dtype of "
                                         "buffer `%s`",
                                         i, buffer->name));
    for (unsigned j = 0; j < buffer->ndim; j++) {
        const char *what = arena_printf(&cg->arena, "dimension %u of `%s` of `%s`", j, buffer->name,
                                        call->func->name);
        if (!check_equal(g, buffer->shape[j], value->dims[j], what))
            return false;
        what = arena_printf(&cg->arena, "stride %u of `%s` of `%s`", j, buffer->name,
                            call->func->name);
        if (buffer->strides && !check_equal(g, buffer->strides[j], stride_of(cg, value, j), what))
            return false;
    }
    const char *what =
        arena_printf(&cg->arena, "the offset of `%s` of `%s`", buffer->name, call->func->name);
    return !buffer->elem_offset || check_equal(g, buffer->elem_offset, cg_i64(cg, 0), what);
}

static bool check_scalar(struct cg_graph *g, struct call *call, unsigned i)
{
    struct cg *cg = g->cg;
    const struct ir_var *var = call->func->params[i].var;
    struct cg_value *value = call->args[i];
    bool is_whole = ir_dtype_is_int(var->dtype) && ir_dtype_is_int(value->dtype);
    if (var->is_symbol && is_whole) {
        /* Proofs take it for the extent of something. */
        LLVMValueRef wide = cg_cast(cg, value->data, value->dtype, IR_I64);
        LLVMValueRef args[] = {cg_string(cg, var->name), wide};
        cg_check(cg, cg_compare(cg, LLVMIntSGE, wide, cg_i64(cg, 0)), INLAY_ERROR_SHAPE,
                 "`%s` is %lld, but what stands in a shape is not negative", args, 2);
    }
    if (!ir_dtype_equal(var->dtype, value->dtype) && !is_whole)
        return cg_op_refuse(g, call->op,
                            arena_printf(&cg->arena,
                                         "argument %u is not of the dtype "
                                         "of `%s`",
                                         i, var->name));
    if (ir_dtype_equal(var->dtype, value->dtype))
        return true;
    LLVMValueRef narrow = cg_cast(cg, value->data, value->dtype, var->dtype);
    LLVMValueRef back = cg_cast(cg, narrow, var->dtype, IR_I64);
    LLVMValueRef wide = cg_cast(cg, value->data, value->dtype, IR_I64);
    LLVMValueRef args[] = {cg_string(cg, var->name), wide};
    cg_check(cg, cg_compare(cg, LLVMIntEQ, back, wide), INLAY_ERROR_SHAPE,
             "`%s` is %lld, which does not fit its dtype", args, 2);
    struct cg_value *converted = cg_value_new(g, CG_SCALAR, 0);
    converted->dtype = var->dtype;
    converted->data = narrow;
    call->args[i] = converted;
    return true;
}

/* A symbol of less than 64 bits must hold the dim that it stands for. */
static bool check_arguments(struct cg_graph *g, struct call *call)
{
    for (unsigned i = 0; i < call->func->param_count; i++)
        if (!call->func->params[i].buffer && !check_scalar(g, call, i))
            return false;
    bind_symbols(g, call);
    for (size_t i = 0; i < call->kernel->symbols.count; i++) {
        const struct ir_var *var = call->kernel->symbols.items[i];
        if (!map_get(&g->cg->vars, var))
            return cg_op_refuse(g, call->op,
                                arena_printf(&g->cg->arena,
                                             "nothing gives symbol `%s` of kernel "
                                             "`%s` a value",
                                             var->name, call->func->name));
    }
    for (unsigned i = 0; i < call->func->param_count; i++)
        if (call->func->params[i].buffer && !check_argument(g, call, i))
            return false;
    return true;
}

/* --- the call --- */

static void note_pair(struct cg_graph *g, struct call *call, const struct kernel_access *access,
                      unsigned i, unsigned j)
{
    bool is_believed;
    struct access_overlap overlap = cg_overlap_of(g, call->op, call->args, i, j, &is_believed);
    cg_add_overlap(&call->kernel->overlaps[i * call->func->param_count + j], overlap);
    if (is_believed && i < j && (access->params[i].writes || access->params[j].writes))
        cg_check_overlap(g, call->func, call->args, i, j, overlap);
}

static void note_storage(struct cg_graph *g, struct call *call)
{
    struct arena scratch = {0};
    struct kernel_access access = kernel_access(&scratch, call->func);
    unsigned count = call->func->param_count;
    for (unsigned i = 0; i < count; i++) {
        if (!call->func->params[i].buffer)
            continue;
        if (!call->args[i]->is_aligned)
            call->kernel->is_aligned[i] = false;
        for (unsigned j = 0; j < count; j++)
            if (i != j && call->func->params[j].buffer)
                note_pair(g, call, &access, i, j);
    }
    arena_finish(&scratch);
}

/* Where the scratch of the kernel begins, if that is within what the function has taken; else NULL. */
static LLVMValueRef lower_stack(struct cg_graph *g, const struct stack_held *held)
{
    struct cg *cg = g->cg;
    const struct cg_value *piece = held ? map_get(&g->values, &held->piece->result) : NULL;
    if (!piece)
        return NULL;
    LLVMValueRef top = cg_element(cg, cg->i8, piece->data, cg_i64(cg, held->bytes));
    LLVMValueRef args[] = {cg->frame, top};
    cg_call_runtime(cg, CG_inlay_stack_lower, args, 2);
    return top;
}

static void raise_stack(struct cg *cg, const struct stack_held *held, LLVMValueRef top)
{
    LLVMValueRef args[] = {cg->frame, top, top ? cg_i64(cg, held->free) : NULL};
    if (top)
        cg_call_runtime(cg, CG_inlay_stack_raise, args, 3);
}

static void emit(struct cg_graph *g, struct call *call)
{
    const struct stack_held *held = stack_held(&g->places, call->op);
    struct cg *cg = g->cg;
    size_t symbols = call->kernel->symbols.count, n = 0;
    LLVMValueRef *args =
        arena_array(&cg->arena, LLVMValueRef, 1 + call->func->param_count + symbols);
    args[n++] = cg->frame;
    for (unsigned i = 0; i < call->func->param_count; i++)
        args[n++] = call->args[i]->data;
    for (size_t i = 0; i < symbols; i++)
        args[n++] = map_get(&cg->vars, call->kernel->symbols.items[i]);
    LLVMValueRef top = lower_stack(g, held), begin = cg_profile_begin(cg, call->op);
    LLVMValueRef status = LLVMBuildCall2(cg->builder, call->kernel->type, call->kernel->declared,
                                         args, (unsigned)n, "");
    raise_stack(cg, held, top);
    cg_check_status(cg, status);
    cg_profile_end(cg, call->op, call->func, begin);
    for (size_t i = 0; i < symbols; i++)
        map_set(&cg->vars, call->kernel->symbols.items[i], call->outer[i]);
}

/* Storage that a call for its effect writes must be this function's own. */
static bool check_written(struct cg_graph *g, struct call *call)
{
    struct arena scratch = {0};
    struct kernel_access access = kernel_access(&scratch, call->func);
    bool is_fine = true;
    for (unsigned i = 0; is_fine && i < call->func->param_count; i++) {
        const struct cg_root *root = call->func->params[i].buffer ? call->args[i]->root : NULL;
        bool is_own = !root || root->kind == CG_ROOT_FRESH || root->kind == CG_ROOT_DONATED;
        if (access.params[i].writes && !is_own)
            is_fine = cg_op_refuse(
                g, call->op,
                arena_printf(&g->cg->arena,
                             "it writes `%s`, whose storage may be somebody else's: a call for its "
                             "effect writes what the function has allocated",
                             call->func->params[i].buffer->name));
    }
    arena_finish(&scratch);
    return is_fine;
}

static bool emit_call(struct cg_graph *g, struct call *call)
{
    const struct ir_op *op = call->op;
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct cg_value *value = cg_operand(g, op->operands[i].value);
        if (!value)
            return false;
        if (value->kind == CG_BOXED)
            return cg_tensor_operand(g, op->operands[i].value) != NULL;
        cg_flatten(value, &call->given);
    }
    call->kernel = cg_kernel_of(g->cg, call->func);
    if (!call->kernel || !collect_results(g, call) || !match_arguments(g, call) ||
        !check_arguments(g, call) || (ir_op_is(op, IR_CORE_call) && !check_written(g, call)))
        return false;
    note_storage(g, call);
    emit(g, call);
    if (ir_op_is(op, IR_CORE_call)) {
        cg_set_result(g, op, cg_value_new(g, CG_TUPLE, 0));
        return true;
    }
    size_t next = 0;
    cg_set_result(g, op, cg_unflatten(g, op->result.type, call->results.items, &next));
    return true;
}

bool cg_emit_call_tir(struct cg_graph *g, const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);
    if (!callee || callee->kind != IR_GLOBAL_KERNEL)
        return cg_op_refuse(g, op, "its callee is no kernel of the module");
    if (ir_op_is(op, IR_CORE_call) && !ir_dtype_is_void(callee->kernel->result))
        return cg_op_refuse(g, op, "its callee returns a number");
    struct call call = {.op = op, .func = callee->kernel};
    unsigned count = call.func->param_count;
    call.args = arena_array(&g->cg->arena, struct cg_value *, count ? count : 1);
    bool is_fine = emit_call(g, &call);
    array_finish(&call.given);
    array_finish(&call.results);
    array_finish(&call.fresh);
    return is_fine;
}

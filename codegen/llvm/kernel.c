/*
 * Kernels as functions: int32 (frame, a pointer or number per parameter, a number per symbol).
 *
 * A symbol is a variable in the shape, strides or offset of a parameter that is no parameter
 * itself. Its value is that of a dimension it stands for alone; the caller (call_tir.c) finds it
 * and checks the other dimensions.  Attributes that depend on the callers (noalias, align) are
 * set when all are known.
 */
#include "codegen/llvm/kernel.h"

#include "base/hash.h"

#include <string.h>

void *cg_kernel_refuse(struct cg_body *body, const char *what)
{
    struct cg *cg = body->cg;
    if (body->kernel)
        diag_report(cg->diag, cg->loc, CODEGEN_KERNEL, body->kernel->func->name, what);
    else
        diag_report(cg->diag, cg->loc, CODEGEN_VALUE, "a scalar", what);
    return NULL;
}

bool cg_check_dtype(struct cg_body *body, struct ir_dtype dtype)
{
    struct ir_dtype scalar = dtype;
    scalar.lanes = 1;
    if (dtype.lanes >= 1 && ir_dtype_can_compute(scalar))
        return true;
    char buffer[32];
    diag_report(body->cg->diag, body->cg->loc, CODEGEN_DTYPE, ir_dtype_name(dtype, buffer));
    return false;
}

/* --- signature --- */

struct collector {
    struct cg_kernel *kernel;
};

static bool is_parameter(const struct tir_func *func, const struct ir_var *var)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (!func->params[i].buffer && func->params[i].var == var)
            return true;
    return false;
}

static bool collect_symbol(void *state, const struct ir_expr *e)
{
    struct cg_kernel *kernel = ((struct collector *)state)->kernel;
    if (e->kind != IR_EXPR_var || is_parameter(kernel->func, e->var))
        return true;
    for (size_t i = 0; i < kernel->symbols.count; i++)
        if (kernel->symbols.items[i] == e->var)
            return true;
    array_push(&kernel->symbols, e->var);
    return true;
}

static void collect_symbols(struct cg_kernel *kernel)
{
    struct collector collector = {kernel};
    for (unsigned i = 0; i < kernel->func->param_count; i++) {
        const struct ir_buffer *buffer = kernel->func->params[i].buffer;
        if (!buffer)
            continue;
        for (unsigned j = 0; j < buffer->ndim; j++) {
            ir_expr_walk(buffer->shape[j], collect_symbol, &collector);
            if (buffer->strides)
                ir_expr_walk(buffer->strides[j], collect_symbol, &collector);
        }
        if (buffer->elem_offset)
            ir_expr_walk(buffer->elem_offset, collect_symbol, &collector);
    }
}

static bool check_param(struct cg *cg, const struct tir_func *func, unsigned i)
{
    const struct tir_param *param = &func->params[i];
    struct ir_dtype dtype = param->buffer ? param->buffer->dtype : param->var->dtype;
    struct location loc = param->buffer ? param->buffer->loc : param->var->loc;
    if (ir_dtype_can_compute(dtype))
        return true;
    char buffer[32];
    diag_report(cg->diag, loc.source ? loc : func->loc, CODEGEN_DTYPE,
                ir_dtype_name(dtype, buffer));
    return false;
}

static void declare(struct cg *cg, struct cg_kernel *kernel)
{
    const struct tir_func *func = kernel->func;
    size_t count = 1 + func->param_count + kernel->symbols.count, n = 0;
    LLVMTypeRef *types = arena_array(&cg->arena, LLVMTypeRef, count);
    types[n++] = cg->ptr;
    for (unsigned i = 0; i < func->param_count; i++)
        types[n++] =
            func->params[i].buffer ? cg->ptr : cg_register_type(cg, func->params[i].var->dtype);
    for (size_t i = 0; i < kernel->symbols.count; i++)
        types[n++] = cg_register_type(cg, kernel->symbols.items[i]->dtype);
    kernel->type = LLVMFunctionType(cg->i32, types, (unsigned)n, false);
    const char *name = arena_printf(&cg->arena, "inlay_kernel_%s", func->name);
    kernel->declared = kernel->function = LLVMAddFunction(cg->unit->llvm, name, kernel->type);
}

struct cg_kernel *cg_kernel_of(struct cg *cg, const struct tir_func *func)
{
    struct cg_kernel *kernel = map_get(&cg->kernels, func);
    if (kernel)
        return kernel;
    for (unsigned i = 0; i < func->param_count; i++)
        if (!check_param(cg, func, i))
            return NULL;
    kernel = arena_new(&cg->arena, struct cg_kernel);
    kernel->func = func;
    unsigned count = func->param_count ? func->param_count : 1;
    kernel->is_written = arena_array(&cg->arena, bool, count);
    kernel->overlaps = arena_array(&cg->arena, struct access_overlap, (size_t)count * count);
    kernel->is_aligned = arena_array(&cg->arena, bool, count);
    for (unsigned i = 0; i < count; i++)
        kernel->is_aligned[i] = true;
    collect_symbols(kernel);
    declare(cg, kernel);
    map_set(&cg->kernels, func, kernel);
    array_push(&cg->kernel_list, kernel);
    return kernel;
}

/* --- body --- */

/* T.decl_buffer is checked against the storage that it looks at. */
static bool is_no_decl(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_DECL;
}

bool cg_bind_parameters(struct cg_body *body)
{
    struct cg *cg = body->cg;
    struct cg_kernel *kernel = body->kernel;
    const struct tir_func *func = kernel->func;
    bool needs_bytes = !tir_stmt_walk(func->body, is_no_decl, NULL);
    for (unsigned i = 0; i < func->param_count; i++)
        if (!func->params[i].buffer)
            map_set(&cg->vars, func->params[i].var, LLVMGetParam(cg->function, 1 + i));
    for (size_t i = 0; i < kernel->symbols.count; i++)
        map_set(&cg->vars, kernel->symbols.items[i],
                LLVMGetParam(cg->function, (unsigned)(1 + func->param_count + i)));
    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_buffer *buffer = func->params[i].buffer;
        if (!buffer)
            continue;
        struct cg_buffer *view = cg_buffer_new(body, buffer, LLVMGetParam(cg->function, 1 + i));
        view->param = (int)i;
        if (!cg_buffer_set_dims(body, view))
            return false;
        LLVMSetValueName2(view->data, buffer->name, strlen(buffer->name));
        if (needs_bytes)
            view->bytes =
                cg_product_bytes(cg, view->dims, buffer->ndim, ir_dtype_bytes(buffer->dtype));
    }
    return true;
}

void cg_body_finish(struct cg_body *body)
{
    map_finish(&body->buffers);
    map_finish(&body->hoisted);
    map_finish(&body->outer_vars);
    array_finish(&body->ranges);
    array_finish(&body->hidden);
    array_finish(&body->held);
    map_finish(&body->values);
    array_finish(&body->loops);
    array_finish(&body->taken);
    array_finish(&body->captures);
}

static bool emit_body(struct cg *cg, struct cg_kernel *kernel)
{
    struct cg_body body = {.cg = cg, .kernel = kernel};
    cg_function_begin(cg, kernel->function, kernel->func->name, kernel->func->loc);
    bool is_fine = cg_bind_parameters(&body) && cg_stmt(&body, kernel->func->body);
    kernel->can_fail = cg->fail != NULL;
    if (is_fine)
        cg_function_end(cg);
    cg_body_finish(&body);
    return is_fine;
}

/*
 * A pointer is noalias if what it is written through is reached through no other pointer: two
 * inputs that are only read may be one.
 */
static void set_attributes(struct cg *cg, struct cg_kernel *kernel, LLVMValueRef function)
{
    unsigned count = kernel->func->param_count;
    for (unsigned i = 0; i < count; i++) {
        const struct ir_buffer *buffer = kernel->func->params[i].buffer;
        if (!buffer)
            continue;
        bool is_alone = true;
        for (unsigned j = 0; j < count; j++)
            if (kernel->overlaps[i * count + j].kind != ACCESS_APART &&
                (kernel->is_written[i] || kernel->is_written[j]))
                is_alone = false;
        LLVMAttributeIndex index = 2 + i; /* 0 is the result, 1 the frame */
        unsigned element = ir_dtype_bytes(buffer->dtype);
        cg_add_attribute(cg, function, index, "align", kernel->is_aligned[i] ? 64 : element);
        if (kernel->parts.count == 0 || function != kernel->function) /* parts get it in memory */
            cg_add_attribute(cg, function, index, "nocapture", 0);
        if (is_alone)
            cg_add_attribute(cg, function, index, "noalias", 0);
        if (!kernel->is_written[i])
            cg_add_attribute(cg, function, index, "readonly", 0);
    }
}

static void set_all_attributes(struct cg *cg, struct cg_kernel *kernel)
{
    set_attributes(cg, kernel, kernel->function);
    for (size_t i = 0; i < kernel->parts.count; i++)
        set_attributes(cg, kernel, kernel->parts.items[i]);
}

/* --- equal kernels --- */

/* The code of @kernel does for calls of @other as well: what is known of all calls. */
static void take_over_calls(struct cg_kernel *kernel, const struct cg_kernel *other)
{
    unsigned count = kernel->func->param_count;
    for (unsigned i = 0; i < count; i++)
        kernel->is_aligned[i] &= other->is_aligned[i];
    for (unsigned i = 0; i < count * count; i++)
        cg_add_overlap(&kernel->overlaps[i], other->overlaps[i]);
}

/* Models repeat their layers: finds for each kernel the first one with the same loops. */
static void find_equals(struct cg *cg)
{
    struct map first = {0}; /* hash -> struct cg_kernel */
    for (size_t i = 0; i < cg->kernel_list.count; i++) {
        struct cg_kernel *kernel = cg->kernel_list.items[i];
        const void *hash = hash_key(tir_func_hash(kernel->func));
        struct cg_kernel *known = map_get(&first, hash);
        if (!known)
            map_set(&first, hash, kernel);
        else if (known->type == kernel->type && tir_func_equal(known->func, kernel->func))
            kernel->equal = known;
        if (kernel->equal)
            take_over_calls(known, kernel);
    }
    map_finish(&first);
}

/* The messages of a kernel that can fail name its own lines and buffers. */
static bool is_replaced(struct cg *cg, struct cg_kernel *kernel)
{
    if (!kernel->equal || kernel->equal->can_fail)
        return false;
    LLVMReplaceAllUsesWith(kernel->declared, kernel->equal->declared);
    LLVMDeleteFunction(kernel->declared);
    remarks_of_kernel(
        cg->codegen->options.remarks, kernel->func,
        (struct remark){.id = REMARK_LP_EQUAL_KERNEL, .name = kernel->equal->func->name});
    return true;
}

/* --- units --- */

/* Statements for which a second unit pays: LLVM needs about a millisecond for one. */
enum { SPLIT_STATEMENTS = 16 };

static bool count_statement(void *state, struct tir_stmt *stmt)
{
    ++*(size_t *)state;
    return true;
}

/* Code for sanitizers has sections that join.c knows nothing of. */
static bool is_split(struct cg *cg)
{
    size_t count = 0;
    if (cg_is_instrumented(cg->codegen))
        return false;
    for (size_t i = 0; i < cg->kernel_list.count; i++)
        tir_stmt_walk(cg->kernel_list.items[i]->func->body, count_statement, &count);
    return cg->may_split && cg->kernel_list.count > 1 && count > SPLIT_STATEMENTS;
}

/* Kernels stay functions: inlined, they would lose what noalias says. */
static bool emit_kernel(struct cg *cg, struct cg_kernel *kernel, bool has_unit)
{
    struct cg_unit *before = has_unit ? cg_unit_begin(cg) : NULL;
    size_t length;
    if (before) {
        const char *name = LLVMGetValueName2(kernel->declared, &length);
        kernel->function = LLVMAddFunction(cg->unit->llvm, name, kernel->type);
        LLVMSetVisibility(kernel->declared, LLVMHiddenVisibility);
        LLVMSetVisibility(kernel->function, LLVMHiddenVisibility);
    } else {
        LLVMSetLinkage(kernel->function, LLVMInternalLinkage);
    }
    cg_add_attribute(cg, kernel->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                     "noinline", 0);
    bool is_fine = emit_body(cg, kernel);
    if (is_fine)
        set_all_attributes(cg, kernel);
    if (before)
        cg_unit_end(cg, before);
    return is_fine;
}

bool cg_emit_kernels(struct cg *cg)
{
    bool is_fine = true, has_units = is_split(cg);
    if (cg->codegen->options.opt_level > 0) /* debuggers want each */
        find_equals(cg);
    for (size_t i = 0; i < cg->kernel_list.count; i++)
        if (!is_replaced(cg, cg->kernel_list.items[i]) &&
            !emit_kernel(cg, cg->kernel_list.items[i], has_units))
            is_fine = false;
    return is_fine;
}

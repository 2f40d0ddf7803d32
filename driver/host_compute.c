/*
 * Evaluation by compiled code, of what is too large for the interpreter (FoldConstant).
 *
 * The function is lowered, without schedules, so that the results are the bits that the interpreter would
 * compute, and runs in this process: it is code for this machine, whatever the module is compiled for.
 */
#include "codegen/interp/interp.h"
#include "driver/host.h"
#include "driver/llvm_library.h"
#include "ir/arith.h"
#include "ir/build.h"
#include "runtime/frame.h"

#include <string.h>

enum { MANY = 1 << 26 }; /* elements, for which a vector at a time is worth the wait for it */

static const char lowering[] =
    "LegalizeOps,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse";

struct computing {
    struct driver *driver;
    struct diag
        *unheard; /* what cannot be computed stays as it is, and fails, or not, when it runs */
    struct ir_module *module;
    struct ir_function *function;
    struct codegen *code;
    struct ir_constant **out;
    size_t count;
};

/* A copy of @module in which only the function is left that is to run, lowered. */
static bool make_module(struct computing *c, const struct ir_module *module, const char *name)
{
    struct pass_watch watch = {0};

    c->module = ir_module_clone(module);
    for (size_t i = c->module->global_count; i-- > 0;) {
        struct ir_global *global = c->module->globals[i];

        if (global->kind == IR_GLOBAL_FUNCTION && strcmp(global->name, name) != 0)
            ir_module_remove(c->module, global);
    }
    struct pass_run run = {
        .module = c->module, .diag = c->unheard, .inplace = INPLACE_AUTO, .target = target_host()};
    bool is_good = pass_run_pipeline(&run, lowering, &watch);

    pass_run_finish(&run);
    struct ir_global *global = ir_module_find(c->module, name);

    c->function = global ? global->function : NULL;
    return is_good && c->function;
}

static bool has_no_sum(void *state, struct tir_stmt *stmt)
{
    bool is_sum = false;

    for (unsigned i = 0; stmt->kind == TIR_BLOCK && i < stmt->block.axis_count; i++)
        is_sum |= stmt->block.axes[i].kind == TIR_REDUCE;
    return !is_sum;
}

/* Elements of all results; 0: nobody knows. */
static uint64_t result_count(const struct computing *c)
{
    const struct ir_type *type = c->function->result;
    uint64_t sum = 0;

    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++) {
        uint64_t count = 1;
        int64_t dim;
        for (int d = 0; type->fields[i]->dims && d < type->fields[i]->ndim; d++)
            if (!ir_expr_constant(c->module->context, type->fields[i]->dims[d], &dim) ||
                __builtin_mul_overflow(count, (uint64_t)dim, &count))
                return 0;
        sum += count;
    }
    return sum;
}

/* What runs once, and has little to do for each element, has run before better code of it is made. */
static bool is_quick(const struct computing *c)
{
    uint64_t count = result_count(c);
    bool is_quick = count > 0 && count < MANY;

    for (size_t i = 0; i < c->module->global_count && is_quick; i++)
        if (c->module->globals[i]->kind == IR_GLOBAL_KERNEL)
            is_quick = tir_stmt_walk(c->module->globals[i]->kernel->body, has_no_sum, NULL);
    return is_quick;
}

static bool make_code(struct computing *c)
{
    struct driver *driver = c->driver;
    const struct driver_options *chosen = driver->options;
    struct codegen_options options = {
        .opt_level = is_quick(c) ? 0 : 2,
        .guard = guard_now(),
        .target = target_host(),
        .compile_threads = chosen->compile_threads ? chosen->compile_threads : chosen->threads,
        .cache = chosen->cache,
        .cache_bytes = chosen->cache_bytes};

    if (!driver->codegen_api)
        driver->codegen_api =
            llvm_library_open(c->unheard, chosen->code_generator, &driver->codegen_library);
    if (!driver->codegen_api)
        return false;
    c->code = driver->codegen_api->create(c->unheard, &options);
    return c->code && driver->codegen_api->compile(c->code, c->module);
}

static void release(void *state)
{
    inlay_tensor_destroy(state);
}

/* Room for result @index; NULL: there is no memory. */
static struct inlay_tensor *make_room(struct computing *c, size_t index)
{
    const struct ir_type *type = c->function->result->fields[index];
    int64_t shape[32];

    if (type->kind != IR_TYPE_TENSOR || type->ndim < 0 || type->ndim > 32 || !type->dims)
        return NULL;
    for (int i = 0; i < type->ndim; i++)
        if (!ir_expr_constant(c->module->context, type->dims[i], &shape[i]))
            return NULL;
    return inlay_tensor_create(
        (struct inlay_dtype){type->dtype.code, type->dtype.bits, type->dtype.lanes}, shape,
        type->ndim);
}

static void keep(struct computing *c, struct ir_module *module, struct inlay_tensor *const *tensors)
{
    for (size_t i = 0; i < c->count; i++) {
        struct inlay_tensor *tensor = tensors[i];
        struct ir_dtype dtype = {tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes};
        size_t bytes = (size_t)inlay_tensor_bytes(tensor->shape, tensor->ndim,
                                                  inlay_dtype_bytes(tensor->dtype));

        c->out[i] =
            ir_module_add_data(module, dtype, tensor->shape, (unsigned)tensor->ndim,
                               ir_data_take(module->context, tensor->data, bytes, release, tensor));
    }
}

static bool run(struct computing *c, struct ir_module *module)
{
    inlay_entry_fn *entry = c->driver->codegen_api->find(c->code, c->function->name);
    struct inlay_host host = {.gives_results = true};
    struct inlay_frame *frame = entry ? inlay_frame_create(&host) : NULL;
    struct arena arena = {0};
    struct inlay_tensor **tensors = arena_array(&arena, struct inlay_tensor *, c->count);
    struct inlay_value *results = arena_array(&arena, struct inlay_value, c->count);
    bool is_good = frame && c->function->result->kind == IR_TYPE_TUPLE &&
                   c->function->result->field_count == c->count;

    for (size_t i = 0; is_good && i < c->count; i++) {
        tensors[i] = make_room(c, i);
        results[i] = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = tensors[i]};
        is_good = tensors[i] != NULL;
    }
    is_good = is_good && entry(frame, NULL, 0, results, (int32_t)c->count) == 0;
    if (is_good)
        keep(c, module, tensors);
    for (size_t i = 0; !is_good && i < c->count; i++)
        inlay_tensor_destroy(tensors[i]);
    if (frame)
        inlay_frame_destroy(frame);
    arena_finish(&arena);
    return is_good;
}

bool host_compute(void *state, struct ir_module *module, const char *name, struct ir_constant **out,
                  size_t count)
{
    struct host *self = state;
    struct computing c = {
        .driver = self->driver, .unheard = diag_create(), .out = out, .count = count};
    bool is_good = make_module(&c, module, name) && make_code(&c) && run(&c, module);

    if (c.code)
        c.driver->codegen_api->destroy(c.code);
    ir_module_destroy(c.module);
    diag_destroy(c.unheard);
    return is_good;
}

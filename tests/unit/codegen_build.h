/*
 * Kernels built by hand, compiled, run and compared with the interpreter: what test_codegen.c is made
 * of.  INLAY_LLVM is the path of inlay-llvm.so.
 */
#pragma once

#include "codegen/interp/interp.h"
#include "codegen/llvm/codegen.h"
#include "ir/build.h"
#include "ops/ops.h"
#include "runtime/tensor.h"
#include "tests/unit/test.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENT_LIMIT = 4, LEVELS = 4 };

struct fixture {
    struct ir_context *context;
    struct ir_module *module;
    struct diag *diag;
    const struct codegen_api *api;
    struct ir_function *main;
    struct ir_block *block;
};

static void start(struct fixture *f)
{
    void *library = dlopen(INLAY_LLVM, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    union {
        void *address;
        codegen_api_fn *function;
    } symbol = {.address = dlsym(library, "codegen_api")};
    f->api = symbol.function();
    f->context = ir_context_create();
    ops_register(f->context);
    f->module = ir_module_create(f->context);
    f->diag = diag_create();
    struct ir_global *global =
        ir_module_add(f->module, atom_intern_text(&f->context->atoms, "main"), IR_GLOBAL_FUNCTION);
    f->main = global->function = ir_function_new(f->module, "main");
    f->block = ir_block_append(f->module, f->main->body, false);
}

static void finish(struct fixture *f)
{
    ir_module_destroy(f->module);
    diag_destroy(f->diag);
    ir_context_destroy(f->context);
}

static void assert_clean(struct fixture *f)
{
    struct text text = {0};
    diag_print(f->diag, DIAG_FORMAT_TEXT, false, &text);
    if (diag_error_count(f->diag))
        fail_msg("%s", text_string(&text));
    text_finish(&text);
}

/* --- building --- */

static const char *atom(struct fixture *f, const char *text)
{
    return atom_intern_text(&f->context->atoms, text);
}

static const struct ir_expr *i64(struct fixture *f, int64_t value)
{
    return ir_expr_int(f->context, IR_I64, value);
}

static const struct ir_expr *use(struct fixture *f, const struct ir_var *var)
{
    return ir_expr_var(f->context, var);
}

static struct tir_func *add_kernel(struct fixture *f, const char *name)
{
    struct ir_global *global = ir_module_add(f->module, atom(f, name), IR_GLOBAL_KERNEL);
    global->kernel = tir_func_new(f->module, atom(f, name));
    return global->kernel;
}

static struct ir_buffer *add_vector(struct fixture *f, struct tir_func *func, const char *name,
                                    struct ir_dtype dtype, const struct ir_expr *extent)
{
    struct ir_buffer *buffer = tir_buffer_new(f->module, atom(f, name), dtype, &extent, 1);
    tir_func_add_buffer(func, buffer);
    return buffer;
}

static const struct ir_expr *load(struct fixture *f, const struct ir_buffer *buffer,
                                  const struct ir_expr *index)
{
    return ir_expr_load(f->context, buffer, &index, 1);
}

static struct ir_value *add_param(struct fixture *f, const char *name, struct ir_dtype dtype,
                                  const struct ir_expr *extent)
{
    return ir_function_add_param(f->main, atom(f, name),
                                 ir_type_tensor(f->context, dtype, &extent, 1));
}

static struct ir_builder builder(struct fixture *f)
{
    return (struct ir_builder){.module = f->module, .diag = f->diag, .block = f->block};
}

static void add_return(struct fixture *f, struct ir_value *value)
{
    struct ir_builder b = builder(f);
    assert_non_null(ir_build(&b, ir_core_op(f->context, IR_CORE_return), &value, 1, NULL));
    f->main->result = value->type;
}

static void call_and_return(struct fixture *f, const char *kernel, struct ir_value **args,
                            unsigned count, struct ir_dtype dtype, const struct ir_expr *extent)
{
    struct ir_builder b = builder(f);
    add_return(f, ir_build_call_tir(&b, ir_module_find(f->module, kernel), args, count,
                                    ir_type_tensor(f->context, dtype, &extent, 1)));
}

/* --- running --- */

static struct inlay_tensor *vector(struct ir_dtype dtype, const void *data, int64_t count)
{
    struct inlay_dtype element = {dtype.code, dtype.bits, 1};
    struct inlay_tensor *tensor = inlay_tensor_create(element, &count, 1);
    assert_non_null(tensor);
    if (data)
        memcpy(tensor->data, data, (size_t)count * ir_dtype_bytes(dtype));
    return tensor;
}

struct run {
    struct inlay_frame *frame;
    struct inlay_value result;
    bool is_good;
};

static void compiled(struct fixture *f, unsigned level, struct inlay_tensor *const *tensors,
                     unsigned count, struct run *out, struct codegen **out_codegen)
{
    struct codegen_options options = {.opt_level = level};
    struct inlay_value args[ARGUMENT_LIMIT];
    for (unsigned i = 0; i < count; i++)
        args[i] = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = tensors[i]};
    struct codegen *codegen = f->api->create(f->diag, &options);
    bool is_compiled = codegen && f->api->compile(codegen, f->module);
    assert_clean(f);
    assert_true(is_compiled);
    inlay_entry_fn *entry = f->api->find(codegen, "main");
    assert_clean(f);
    assert_non_null(entry);
    out->frame = inlay_frame_create(NULL);
    out->is_good = entry(out->frame, args, (int32_t)count, &out->result, 1) == 0;
    *out_codegen = codegen;
}

static void interpreted(struct fixture *f, struct inlay_tensor *const *tensors, unsigned count,
                        struct run *out)
{
    struct inlay_value args[ARGUMENT_LIMIT];
    for (unsigned i = 0; i < count; i++)
        args[i] = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = tensors[i]};
    out->frame = inlay_frame_create(NULL);
    out->is_good = interp_run(f->diag, f->main, out->frame, args, (int32_t)count, &out->result, 1);
    assert_clean(f);
}

static size_t bytes_of(const struct inlay_tensor *tensor)
{
    return (size_t)inlay_tensor_elements(tensor) * (size_t)(tensor->dtype.bits / 8);
}

/* NaNs are all the same: LLVM does not promise their bits. */
static bool is_nan(struct inlay_dtype dtype, const void *bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, bytes, dtype.bits / 8);
    unsigned digits = dtype.code == IR_BFLOAT ? 7
                      : dtype.bits == 16      ? 10
                      : dtype.bits == 32      ? 23
                                              : 52;
    uint64_t infinity = (UINT64_C(1) << (dtype.bits - 1)) - (UINT64_C(1) << digits);
    bool is_float = dtype.code == IR_FLOAT || dtype.code == IR_BFLOAT;
    return is_float && (bits & ~(UINT64_C(1) << (dtype.bits - 1))) > infinity;
}

static void assert_same(const struct run *a, const struct run *b)
{
    assert_int_equal(a->is_good, b->is_good);
    if (!a->is_good) {
        assert_int_equal(inlay_frame_error(a->frame)->kind, inlay_frame_error(b->frame)->kind);
        assert_string_equal(inlay_frame_error(a->frame)->message,
                            inlay_frame_error(b->frame)->message);
        return;
    }
    assert_int_equal(a->result.kind, INLAY_TENSOR);
    assert_int_equal(bytes_of(a->result.tensor), bytes_of(b->result.tensor));
    const struct inlay_tensor *x = a->result.tensor, *y = b->result.tensor;
    size_t size = x->dtype.bits / 8;
    for (size_t i = 0; i < bytes_of(x) / size; i++) {
        const char *p = (const char *)x->data + i * size, *q = (const char *)y->data + i * size;
        if (memcmp(p, q, size) != 0 && !(is_nan(x->dtype, p) && is_nan(y->dtype, q)))
            fail_msg("element %zu differs", i);
    }
}

/* Runs at every level; the results are those of the interpreter and, unless NULL, @expected. */
static void check(struct fixture *f, struct inlay_tensor *const *tensors, unsigned count,
                  const void *expected)
{
    struct run reference;
    interpreted(f, tensors, count, &reference);
    if (expected) {
        if (!reference.is_good)
            fail_msg("%s", inlay_frame_error(reference.frame)->message);
        assert_memory_equal(reference.result.tensor->data, expected,
                            bytes_of(reference.result.tensor));
    }
    for (unsigned level = 0; level < LEVELS; level++) {
        struct run run;
        struct codegen *codegen;
        compiled(f, level, tensors, count, &run, &codegen);
        if (!run.is_good && expected)
            fail_msg("-O%u: %s", level, inlay_frame_error(run.frame)->message);
        assert_same(&run, &reference);
        inlay_frame_destroy(run.frame);
        f->api->destroy(codegen);
    }
    inlay_frame_destroy(reference.frame);
    for (unsigned i = 0; i < count; i++)
        inlay_tensor_destroy(tensors[i]);
}

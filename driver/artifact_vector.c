/* See artifact_vector.h. */
#include "driver/artifact_vector.h"

#include "analysis/leaves.h"
#include "base/guard.h"
#include "base/memory.h"
#include "codegen/interp/interp.h"
#include "driver/bound.h"
#include "driver/inputs.h"
#include "ir/arith.h"
#include "ir/build.h"
#include "runtime/frame.h"
#include "runtime/tensor.h"

#include <math.h>
#include <string.h>

enum {
    DIM = 16,        /* of symbols that nobody has given a value */
    STEPS = 1 << 22, /* statements that are interpreted, which takes some seconds */
};

struct making {
    struct artifact_vector *out;
    struct driver *driver;
    const struct c_view *view;
    const struct c_function *function;
    struct inputs inputs;
    array(struct inlay_value) results;
};

/* --- inputs --- */

static bool is_given(const struct driver_options *options, const char *name)
{
    for (size_t i = 0; i < options->dims.count; i++)
        if (strcmp(options->dims.items[i].name, name) == 0)
            return true;
    return false;
}

/* As `inlay run` calls it. */
static const char *leaf_name(struct making *m, unsigned leaf)
{
    const struct ir_function *function = m->function->function;

    for (unsigned i = 0; i < function->param_count; i++) {
        const struct ir_value *param = function->params[i];
        unsigned count = leaf_count(param->type);
        if (leaf < count)
            return param->type->kind == IR_TYPE_TUPLE
                       ? arena_printf(&m->out->arena, "%s.%u", param->name, leaf)
                       : param->name;
        leaf -= count;
    }
    return "?";
}

/* A shape for what is open but for its rank: "16x16:random". */
static void add_shape(struct making *m, const struct c_param *param, struct driver_options *options)
{
    const struct ir_type *type = param->base.type;
    const char *spec = "";

    for (int i = 0; i < type->ndim; i++)
        spec = arena_printf(&m->out->arena, "%s%s%d", spec, i ? "x" : "", DIM);
    struct driver_input input = {leaf_name(m, param->base.leaf),
                                 arena_printf(&m->out->arena, "%s:random", spec)};
    array_push(&options->inputs, input);
}

static bool make_inputs(struct making *m)
{
    const struct driver_options *before = m->driver->options;
    struct driver_options options = {0};
    struct bound bound;

    for (size_t i = 0; i < m->function->params.count; i++) {
        const struct codegen_param *param = &m->function->params.items[i].base;
        if (param->kind == CODEGEN_SHAPE)
            add_shape(m, &m->function->params.items[i], &options);
        if (param->kind != CODEGEN_SYMBOL)
            continue;
        struct driver_dim dim = {param->symbol->name, DIM};
        for (size_t k = 0; k < before->dims.count; k++)
            if (strcmp(before->dims.items[k].name, dim.name) == 0)
                dim.value = before->dims.items[k].value;
        if (!is_given(&options, dim.name))
            array_push(&options.dims, dim);
    }
    m->driver->options = &options;
    bool is_good =
        bound_read(&bound, m->driver, m->function->function->module, NULL, m->function->function) &&
        inputs_make(&m->inputs, &bound, m->driver, m->function->function);
    bound_finish(&bound);
    m->driver->options = before;
    driver_options_finish(&options);
    return is_good;
}

static int64_t dims_product(struct making *m, const struct ir_type *type)
{
    int64_t count = 1;

    for (int i = 0; type->dims && i < type->ndim; i++) {
        int64_t dim = 0;
        const struct ir_expr *e =
            ir_expr_substitute(m->view->context, type->dims[i], &m->inputs.dims);
        if (!ir_expr_constant(m->view->context, e, &dim) ||
            __builtin_mul_overflow(count, dim, &count))
            return 0;
    }
    return count;
}

/* What C passes for argument @input. */
static void describe_argument(struct making *m, size_t i, const struct codegen_param *param,
                              const struct input *input)
{
    const struct inlay_tensor *tensor = input->tensor;

    if (param->kind == CODEGEN_NUMBER) {
        m->out->values[i] = input->value.kind == INLAY_FLOAT ? 0 : input->value.integer;
        m->out->reals[i] = input->value.kind == INLAY_FLOAT ? input->value.real : 0;
    } else if (param->kind == CODEGEN_SHAPE) {
        m->out->shapes[i] = tensor->shape;
        m->out->sizes[i] = (size_t)tensor->ndim;
    } else if (input->type->kind == IR_TYPE_SHAPE) {
        m->out->shapes[i] = (int64_t *)(uintptr_t)input->shape.dims;
        m->out->sizes[i] = input->shape.count;
    } else {
        size_t bytes = (size_t)inlay_dtype_bytes(tensor->dtype);
        size_t count = (size_t)inlay_tensor_elements(tensor);
        m->out->sizes[i] = input->room / bytes > count ? input->room / bytes : count;
        m->out->values[i] = (int64_t)count;
    }
}

static void keep_shape(struct artifact_vector *out, size_t i)
{
    int64_t *copy = arena_array(&out->arena, int64_t, out->sizes[i] + 1);

    for (size_t k = 0; k < out->sizes[i]; k++)
        copy[k] = out->shapes[i][k];
    out->shapes[i] = copy;
}

/* What dims are computed of: numbers, too, which may have been made up. */
static void bind(struct making *m, size_t i, const struct codegen_param *param)
{
    struct ir_context *context = m->view->context;

    if (param->symbol && !ir_bindings_find(&m->inputs.dims, param->symbol))
        array_push(&m->inputs.dims,
                   (struct ir_binding){param->symbol, ir_expr_int(context, param->symbol->dtype,
                                                                  m->out->values[i])});
}

static void describe_arguments(struct making *m)
{
    struct artifact_vector *out = m->out;

    for (size_t i = 0; i < m->function->params.count; i++) {
        const struct codegen_param *param = &m->function->params.items[i].base;
        const struct ir_expr *known =
            param->symbol ? ir_bindings_find(&m->inputs.dims, param->symbol) : NULL;
        if (param->kind <= CODEGEN_NUMBER)
            describe_argument(m, i, param, &m->inputs.items.items[param->leaf]);
        else if (known)
            (void)ir_expr_constant(m->view->context, known, &out->values[i]);
        bind(m, i, param);
        if (out->shapes[i])
            keep_shape(out, i);
    }
}

static void describe(struct making *m)
{
    struct artifact_vector *out = m->out;
    size_t count = m->function->params.count;

    out->values = arena_array(&out->arena, int64_t, count + 1);
    out->reals = arena_array(&out->arena, double, count + 1);
    out->sizes = arena_array(&out->arena, size_t, count + 1);
    out->shapes = arena_array(&out->arena, int64_t *, count + 1);
    describe_arguments(m);
    for (size_t i = 0; i < count; i++) {
        const struct codegen_param *param = &m->function->params.items[i].base;
        if (param->kind == CODEGEN_RESULT)
            out->sizes[i] = param->type->kind == IR_TYPE_SHAPE
                                ? (size_t)param->type->ndim
                                : (size_t)dims_product(m, param->type);
    }
    const struct ir_expr *need =
        ir_expr_substitute(m->view->context, m->function->need, &m->inputs.dims);
    need = ir_simplify(m->view->context, need);
    if (!ir_expr_constant(m->view->context, need, &out->arena_bytes))
        out->arena_bytes = 0;
}

/* --- results --- */

/* FNV-1a, as the program in C computes it: all NaNs are alike. */
static uint64_t hash_element(uint64_t hash, const char *bytes, size_t size, bool is_nan)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (is_nan ? 0xff : (unsigned char)bytes[i])) * UINT64_C(0x100000001b3);
    return hash;
}

static struct artifact_sum sum_tensor(const struct inlay_tensor *tensor)
{
    const char *data = (const char *)tensor->data + tensor->byte_offset;
    size_t size = (size_t)inlay_dtype_bytes(tensor->dtype);
    struct artifact_sum sum = {.elements = inlay_tensor_elements(tensor),
                               .hash = UINT64_C(0xcbf29ce484222325)};

    for (int64_t i = 0; i < sum.elements; i++) {
        double value = inlay_element_real(tensor->dtype, data, i);
        sum.hash = hash_element(sum.hash, data + (size_t)i * size, size, isnan(value));
        if (isfinite(value)) {
            sum.sum += value;
            sum.magnitude += fabs(value);
        }
    }
    return sum;
}

static struct artifact_sum sum_value(const struct inlay_value *value, const struct ir_type *type)
{
    struct inlay_dtype dtype = {type->dtype.code, type->dtype.bits, type->dtype.lanes};
    uint64_t slot = 0;
    int64_t count;

    if (value->kind == INLAY_TENSOR)
        return sum_tensor(value->tensor);
    struct inlay_tensor tensor = {.data = &slot, .dtype = dtype};
    if (value->kind == INLAY_SHAPE) {
        count = (int64_t)value->shape->count;
        tensor = (struct inlay_tensor){.data = (int64_t *)(uintptr_t)value->shape->dims,
                                       .ndim = 1,
                                       .shape = &count,
                                       .dtype = {INLAY_CODE_INT, 64, 1}};
    } else if (value->kind == INLAY_FLOAT) {
        inlay_element_set_real(dtype, &slot, 0, value->real);
    } else {
        inlay_element_set_integer(dtype, &slot, 0, value->integer);
    }
    return sum_tensor(&tensor);
}

static struct inlay_frame *frame_new(struct making *m)
{
    struct inlay_host host = {.argument_bytes = m->inputs.rooms.items};
    struct inlay_frame *frame = inlay_frame_create(&host);

    if (!frame)
        memory_short();
    return frame;
}

/* False with an error in @frame or after a report. */
static bool run_code(struct making *m, struct codegen *code, struct inlay_frame *frame)
{
    inlay_entry_fn *entry = m->driver->codegen_api->find(code, m->function->function->name);

    return entry && entry(frame, m->inputs.values.items, (int32_t)m->inputs.values.count,
                          m->results.items, (int32_t)m->results.count) == 0;
}

/* Code of the same module for this machine. */
static bool run_here(struct making *m, struct inlay_frame *frame)
{
    struct target target = m->driver->target;
    struct codegen_options options = {.opt_level = m->driver->options->opt_level,
                                      .guard = guard_now()};
    struct ir_module *copy = ir_module_clone(m->function->function->module);
    struct codegen *code = NULL;

    (void)target_find(NULL, NULL, &m->driver->target);
    bool is_good = driver_make_code(m->driver, copy, &options, &code) && run_code(m, code, frame);

    m->driver->target = target;
    driver_free_code(m->driver, &code);
    ir_module_destroy(copy);
    return is_good;
}

/* *@steps: how many statements may be run, and then are left; none: it did not come to an end. */
static bool interpret(struct making *m, struct inlay_frame *frame, uint64_t *steps)
{
    struct ir_function *function = m->function->function;
    struct ir_module *copy = driver_interpreted(m->driver, function->module);
    size_t messages = diag_message_count(m->driver->diag);
    bool is_good =
        interp_run_steps(m->driver->diag, ir_module_find(copy, function->name)->function, frame,
                         steps, m->inputs.values.items, (int32_t)m->inputs.values.count,
                         m->results.items, (int32_t)m->results.count);

    if (*steps == 0)
        diag_truncate(m->driver->diag, messages);
    ir_module_destroy(copy);
    return is_good;
}

/*
 * Code for a processor that this one is not cannot run here.  What the module means has the same bits: the interpreter
 * says it, or, where that takes long, code for this machine.
 */
static bool run_elsewhere(struct making *m, struct inlay_frame **frame)
{
    uint64_t steps = STEPS;
    bool is_good = interpret(m, *frame, &steps);

    if (steps > 0)
        return is_good;
    inlay_frame_destroy(*frame);
    *frame = frame_new(m);
    return run_here(m, *frame);
}

static bool execute(struct making *m, struct codegen *code)
{
    struct inlay_frame *frame = frame_new(m);
    const struct ir_type *type = m->function->function->result;
    bool is_good = true;

    for (unsigned i = 0; i < leaf_count(type); i++)
        array_push(&m->results, (struct inlay_value){0});
    if (target_missing(&m->driver->target) ? run_elsewhere(m, &frame) : run_code(m, code, frame)) {
        for (unsigned i = 0; i < leaf_count(type); i++)
            array_push(&m->out->sums, sum_value(&m->results.items[i], leaf_type(type, i)));
    } else {
        const struct inlay_error *error = inlay_frame_error(frame);
        m->out->status = (int32_t)error->line * 16 + (int32_t)error->kind;
        is_good = error->kind != INLAY_ERROR_NONE;
    }
    inlay_frame_destroy(frame);
    array_finish(&m->results);
    return is_good;
}

bool artifact_vector_make(struct artifact_vector *vector, struct driver *driver,
                          const struct c_view *view, const struct c_function *function,
                          struct codegen *code)
{
    struct making m = {.out = vector, .driver = driver, .view = view, .function = function};

    *vector = (struct artifact_vector){0};
    bool is_good = make_inputs(&m);
    if (is_good) {
        describe(&m);
        is_good = execute(&m, code);
    }
    inputs_finish(&m.inputs);
    return is_good;
}

void artifact_vector_finish(struct artifact_vector *vector)
{
    array_finish(&vector->sums);
    arena_finish(&vector->arena);
}

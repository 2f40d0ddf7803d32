/*
 * What rows of the operator table say of operators is true when they run, interpreted and compiled, for
 * each operator and dtype:
 *
 *   operands         keep every bit
 *   IR_VIEW          the result begins where operand 0 does
 *   no view, alias   the result shares no byte with an operand
 *   IR_PURE          the same again gives the same bits
 *   IR_METADATA      ... with other elements, too
 *   IR_COMMUTATIVE   ... with the operands swapped, too
 *   IR_ELEMENTWISE   one element of an operand makes a difference to its own place only
 *
 * Each operator runs in a function of its own; those of one dtype are one module.
 */
#include "base/guard.h"
#include "codegen/interp/interp.h"
#include "driver/compare.h"
#include "driver/driver.h"
#include "ir/verify.h"
#include "ops/ids.h"
#include "runtime/tensor.h"
#include "tests/unit/ops_build.h"

#include <dlfcn.h>
#include <stdio.h>

enum { LEAVES = 8 };

struct row {
    const char *name, *operands, *attrs, *expected;
};

static const struct row rows[] = {
#define RUN(name, operands, attrs) {name, operands, attrs, ""},
#include "tests/unit/op_runs.def"
#include "tests/unit/ops_types.def"
};

/* Why an operator is not run here. */
static const struct {
    enum op_id id;
    const char *why;
} left_out[] = {
    {OP_assert_inplace, "an error but behind an in-place call: tests/inplace.py"},
    {OP_dynamic_strided_slice, "a stride would be 0: tests/op_values"},
    {OP_layout_transform, "the index map is a lambda: tests/golden"},
    {OP_memory_alloc_storage, "gives storage, which only tensors in it show: tests/golden"},
    {OP_memory_alloc_tensor, "lies in storage: tests/golden"},
    {OP_memory_kill_storage, "ends a life: tests/golden"},
    {OP_memory_kill_tensor, "ends a life: tests/golden"},
    {OP_vm_alloc_storage, "as memory.alloc_storage"},
    {OP_vm_alloc_tensor, "as memory.alloc_tensor"},
    {OP_vm_kill_object, "ends a life: tests/golden"},
};

/* One row on one dtype, as function @name of the module. */
struct program {
    const char *name, *text;
    const struct ir_op_info *info;
    const struct ir_type *result;
    const struct ir_type *params[LEAVES]; /* tensors */
    unsigned param_count, result_count;
};

/* Where the results lie while the function runs: R.call_packed("observe", result, ..). */
struct observation {
    const char *begin[LEAVES];
    size_t bytes[LEAVES];
    int32_t count;
};

typedef array(struct program) program_array;

struct batch {
    struct driver *driver;
    struct ir_module *module;
    program_array programs;
    struct ir_module *refused_module; /* programs without loops */
    program_array refused;
    bool is_compiled;
};

/* What runs, for the message about a bug. */
static struct {
    const char *dtype, *text;
    unsigned runs[OP_COUNT], wrong;
} progress;

/* ---- programs ---- */

static bool is_left_out(const struct ir_op_info *info)
{
    for (size_t i = 0; i < ARRAY_SIZE(left_out); i++)
        if (left_out[i].id == info->library_id)
            return true;
    return info->absent != NULL;
}

/* @text with @dtype for f32 and numbers for symbols. */
static const char *substitute(struct arena *arena, const char *text, const char *dtype)
{
    struct text out = {0};
    bool is_dim = false;

    for (const char *at = text; *at; at++) {
        is_dim = *at == '[' || *at == '<' || *at == '#' || (is_dim && !strchr("]> ", *at));
        if (is_dim && isalpha((unsigned char)*at))
            text_putc(&out, (char)('2' + *at % 3));
        else if (strncmp(at, "f32", 3) == 0 && (at == text || at[-1] != 'b')) {
            text_puts(&out, dtype);
            at += 2;
        } else
            text_putc(&out, *at);
    }
    const char *copy = arena_copy_text(arena, text_string(&out), out.length);
    text_finish(&out);
    return copy;
}

static unsigned leaves_of(const struct ir_type *type, const struct ir_type **out)
{
    if (type->kind != IR_TYPE_TUPLE) {
        out[0] = type;
        return 1;
    }
    assert_true(type->field_count <= LEAVES);
    for (unsigned i = 0; i < type->field_count; i++)
        out[i] = type->fields[i];
    return type->field_count;
}

static bool is_fixed(const struct ir_type *type)
{
    if (type->kind != IR_TYPE_TENSOR || type->ndim == IR_NDIM_UNKNOWN || !type->dims)
        return false;
    for (int i = 0; i < type->ndim; i++)
        if (type->dims[i]->kind != IR_EXPR_int)
            return false;
    return !ir_dtype_is_void(type->dtype);
}

/* The op of @row with its type; NULL if it has none, or an operand is not of a fixed shape. */
static struct ir_op *make_op(struct ops_build *b, const struct row *row, const char *operands,
                             struct program *out)
{
    struct ir_op *op = ops_build(b, row->name, operands, row->attrs);

    out->param_count = 0;
    for (unsigned i = 0; i < b->function->param_count; i++) {
        const struct ir_type *leaves[LEAVES];
        unsigned count = leaves_of(b->function->params[i]->type, leaves);
        for (unsigned k = 0; k < count; k++) {
            if (!is_fixed(leaves[k]))
                return NULL;
            assert_true(out->param_count < LEAVES);
            out->params[out->param_count++] = leaves[k];
        }
    }
    return ir_op_infer(b->module, b->diag, op) ? op : NULL;
}

/* Has the operator a type on these operands, and loops?  Asked of a module of its own. */
static enum {
    ILL_TYPED,
    REFUSED,
    LOWERED
} try_row(struct driver *driver, const struct row *row, const char *operands)
{
    struct ops_build b = {.context = driver->context, .diag = diag_create()};
    struct program program;

    ops_build_module(&b);
    struct ir_op *op = make_op(&b, row, operands, &program);
    bool is_lowered = op && (!op->info->lower || op->info->lower(b.module, b.diag, op)) &&
                      diag_error_count(b.diag) == 0;
    diag_destroy(b.diag);
    ir_module_destroy(b.module);
    return !op ? ILL_TYPED : is_lowered ? LOWERED : REFUSED;
}

static void add_observation(struct ops_build *b, struct ir_op *op)
{
    const struct ir_op_info *call = ir_core_op(b->context, IR_CORE_call_packed);
    const struct ir_type *leaves[LEAVES];
    struct ir_value *observed[LEAVES];
    unsigned count = leaves_of(op->result.type, leaves), tensors = 0;
    struct ir_builder builder = {.module = b->module, .diag = b->diag, .block = b->block};

    for (unsigned i = 0; i < count; i++)
        if (leaves[i]->kind == IR_TYPE_TENSOR)
            observed[tensors++] = op->result.type->kind == IR_TYPE_TUPLE
                                      ? ir_build_tuple_get(&builder, &op->result, i)
                                      : &op->result;
    if (tensors == 0)
        return;
    const struct ir_attr *attrs[] = {
        ir_attr_string(b->context, atom_intern_text(&b->context->atoms, "observe"))};
    assert_non_null(ir_build_declared(&builder, call, observed, tensors, attrs,
                                      ir_type_tuple(b->context, NULL, 0)));
}

static void add_program(struct batch *batch, struct ir_module *module, program_array *programs,
                        const struct row *row, const char *operands)
{
    struct ir_context *context = batch->driver->context;
    struct program p = {
        .name = arena_printf(&batch->driver->arena, "f%zu", programs->count),
        .text = arena_printf(&batch->driver->arena, "R.%s(%s) %s", row->name, operands, row->attrs),
    };
    struct ops_build b = {.context = context, .diag = batch->driver->diag, .module = module};

    ops_build_function(&b, p.name);
    struct ir_op *op = make_op(&b, row, operands, &p);
    assert_non_null(op);
    const struct ir_type *leaves[LEAVES];
    p.info = op->info;
    p.result = op->result.type;
    p.result_count = leaves_of(p.result, leaves);
    b.function->is_pure = false;
    b.function->result = p.result;
    ir_module_find(b.module, p.name)->type = ir_function_type(b.function);
    add_observation(&b, op);
    struct ir_value *result = &op->result;
    struct ir_builder builder = {.module = b.module, .diag = b.diag, .block = b.block};
    ir_build(&builder, ir_core_op(context, IR_CORE_return), &result, 1, NULL);
    array_push(programs, p);
}

/* ---- runs ---- */

static int32_t observe(void *handle, const struct inlay_value *args, int32_t count,
                       struct inlay_value *result)
{
    struct observation *o = handle;

    o->count = count;
    for (int32_t i = 0; i < count; i++) {
        const struct inlay_tensor *x = args[i].tensor;
        o->begin[i] = (const char *)x->data + x->byte_offset;
        o->bytes[i] = (size_t)inlay_tensor_elements(x) * (x->dtype.bits / 8);
    }
    *result = (struct inlay_value){.kind = INLAY_NONE};
    return 0;
}

static inlay_packed_fn *find_packed(void *state, const char *symbol, void **out_handle)
{
    *out_handle = state;
    return strcmp(symbol, "observe") == 0 ? observe : NULL;
}

/* Numbers that functions are defined for; integers are 0 and 1 by turns. */
static void fill(struct inlay_tensor *tensor, unsigned seed)
{
    for (int64_t i = 0; i < inlay_tensor_elements(tensor); i++)
        if (inlay_dtype_is_float(tensor->dtype))
            inlay_element_set_real(tensor->dtype, tensor->data, i,
                                   0.0625 * (double)((i * 7 + seed * 5) % 13 + 1));
        else
            inlay_element_set_integer(tensor->dtype, tensor->data, i, (i + seed + 1) % 2);
}

static struct inlay_value make_arg(const struct ir_type *type, unsigned seed)
{
    int64_t shape[16];
    struct inlay_dtype dtype = {type->dtype.code, type->dtype.bits, 1};

    for (int i = 0; i < type->ndim; i++)
        shape[i] = type->dims[i]->int_value;
    struct inlay_tensor *tensor = inlay_tensor_create(dtype, shape, type->ndim);
    assert_non_null(tensor);
    fill(tensor, seed);
    return (struct inlay_value){.kind = INLAY_TENSOR, .tensor = tensor};
}

struct run {
    struct inlay_frame *frame;
    struct inlay_value results[LEAVES];
    struct observation observation;
};

/* False with the reason on standard output. */
static bool run(struct batch *batch, const struct program *p, const struct inlay_value *args,
                struct run *out)
{
    struct inlay_host host = {.state = &out->observation, .find_packed = find_packed};
    struct inlay_value *before = values_copy(args, p->param_count, NULL);
    struct text why = {0};
    struct ir_function *function = ir_module_find(batch->module, p->name)->function;
    int32_t count = (int32_t)p->param_count, result_count = (int32_t)p->result_count;

    *out = (struct run){.frame = inlay_frame_create(&host)};
    bool is_good = batch->is_compiled
                       ? driver_find(batch->driver, p->name)(out->frame, args, count, out->results,
                                                             result_count) == 0
                       : interp_run(batch->driver->diag, function, out->frame, args, count,
                                    out->results, result_count);
    if (!is_good)
        text_puts(&why, inlay_frame_error(out->frame)->message);
    else if (!values_equal(before, args, p->param_count, &why))
        is_good = false;
    if (!is_good)
        printf("# %s: %s\n", p->text, text_string(&why));
    text_finish(&why);
    values_free(before, p->param_count);
    return is_good;
}

static bool complain(const struct program *p, const char *what)
{
    printf("# %s: %s\n", p->text, what);
    return false;
}

static bool check_storage(const struct program *p, const struct inlay_value *args,
                          const struct run *r)
{
    const struct observation *o = &r->observation;
    bool is_view = (p->info->traits & IR_VIEW) != 0;

    if (is_view && (o->count != 1 || o->begin[0] != (const char *)args[0].tensor->data))
        return complain(p, "is no view of its operand");
    for (int32_t i = 0; !(p->info->traits & (IR_VIEW | IR_ALIAS)) && i < o->count; i++)
        for (unsigned k = 0; k < p->param_count; k++) {
            const struct inlay_tensor *x = args[k].tensor;
            const char *begin = x->data;
            size_t bytes = (size_t)inlay_tensor_elements(x) * (x->dtype.bits / 8);
            if (o->begin[i] < begin + bytes && begin < o->begin[i] + o->bytes[i])
                return complain(p, "shares storage with an operand");
        }
    return true;
}

/* Runs on @args and wants the results of @first. */
static bool check_same(struct batch *batch, const struct program *p, const struct inlay_value *args,
                       const struct run *first, const char *what)
{
    struct text why = {0};
    struct run r;
    bool is_good = run(batch, p, args, &r);

    if (is_good && !values_equal(first->results, r.results, p->result_count, &why))
        is_good = complain(p, what);
    text_finish(&why);
    inlay_frame_destroy(r.frame);
    return is_good;
}

static bool has_shape_of_result(const struct program *p, unsigned param)
{
    return p->params[param]->kind == p->result->kind && p->params[param]->ndim == p->result->ndim &&
           memcmp(p->params[param]->dims, p->result->dims,
                  (size_t)p->result->ndim * sizeof(p->result->dims[0])) == 0;
}

/* Another last element of operand @i: the results are the same up to there. */
static bool check_elementwise(struct batch *batch, const struct program *p,
                              const struct inlay_value *args, const struct run *first, unsigned i)
{
    struct inlay_value *others = values_copy(args, p->param_count, NULL);
    struct inlay_tensor *x = others[i].tensor, *was = first->results[0].tensor;
    int64_t last = inlay_tensor_elements(x) - 1;
    struct run r;

    if (inlay_dtype_is_float(x->dtype))
        inlay_element_set_real(x->dtype, x->data, last, 0.5);
    else
        inlay_element_set_integer(x->dtype, x->data, last, last % 2);
    bool is_good = run(batch, p, others, &r);
    if (is_good &&
        memcmp(r.results[0].tensor->data, was->data, (size_t)last * (was->dtype.bits / 8)) != 0)
        is_good = complain(p, "an element makes a difference to another place");
    inlay_frame_destroy(r.frame);
    values_free(others, p->param_count);
    return is_good;
}

static bool check_program(struct batch *batch, const struct program *p)
{
    uint32_t traits = p->info->traits;
    struct inlay_value args[LEAVES], others[LEAVES];
    struct run first;

    progress.text = p->text;
    for (unsigned i = 0; i < p->param_count; i++) {
        args[i] = make_arg(p->params[i], i * 2);
        others[i] = make_arg(p->params[i], i * 2 + 1);
    }
    bool is_good = run(batch, p, args, &first) && check_storage(p, args, &first);
    if (is_good && (traits & IR_PURE) && !(traits & IR_ALLOCATES))
        is_good = check_same(batch, p, args, &first, "gives other bits the second time");
    if (is_good && (traits & IR_METADATA))
        is_good = check_same(batch, p, others, &first, "depends on elements");
    if (is_good && (traits & IR_COMMUTATIVE) && p->param_count == 2) {
        struct inlay_value swapped[] = {args[1], args[0]};
        if (p->params[0] == p->params[1])
            is_good = check_same(batch, p, swapped, &first, "is not commutative");
    }
    for (unsigned i = 0; is_good && (traits & IR_ELEMENTWISE) && i < p->param_count; i++)
        if (has_shape_of_result(p, i) && inlay_tensor_elements(args[i].tensor) > 1)
            is_good = check_elementwise(batch, p, args, &first, i);
    inlay_frame_destroy(first.frame);
    for (unsigned i = 0; i < p->param_count; i++) {
        inlay_tensor_destroy(args[i].tensor);
        inlay_tensor_destroy(others[i].tensor);
    }
    return is_good;
}

/* ---- batches ---- */

static void assert_clean(struct driver *driver)
{
    struct text text = {0};

    diag_print(driver->diag, DIAG_FORMAT_SHORT, false, &text);
    if (diag_error_count(driver->diag))
        fail_msg("%s", text_string(&text));
    text_finish(&text);
}

static void add_row(struct batch *batch, const struct row *row, const char *operands)
{
    switch (try_row(batch->driver, row, operands)) {
    case LOWERED:
        add_program(batch, batch->module, &batch->programs, row, operands);
        progress.runs[ir_find_op(batch->driver->context, row->name)->library_id]++;
        break;
    case REFUSED:
        add_program(batch, batch->refused_module, &batch->refused, row, operands);
        break;
    case ILL_TYPED:
        break;
    }
}

static void add_rows(struct batch *batch, const char *dtype)
{
    struct ir_context *context = batch->driver->context;

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        const struct ir_op_info *info = ir_find_op(context, rows[i].name);
        const char *operands = substitute(&batch->driver->arena, rows[i].operands, dtype);
        bool is_new = strcmp(dtype, "f32") == 0 || strstr(rows[i].operands, "f32") != NULL;
        if (rows[i].expected[0] == 'E' || !is_new || is_left_out(info))
            continue;
        add_row(batch, &rows[i], operands);
    }
}

/* Elementwise operators without a row, by their signatures: tensors, and 1 for scalars. */
static void add_elementwise(struct batch *batch, const char *dtype)
{
    struct ir_context *context = batch->driver->context;
    struct arena *arena = &batch->driver->arena;

    for (unsigned id = OP_none + 1; id < OP_COUNT; id++) {
        const struct ir_op_info *info = ir_library_op(context, id);
        const char *operands = "";
        if (!(info->traits & IR_ELEMENTWISE))
            continue;
        for (unsigned p = 0; p < info->param_count; p++)
            if (info->params[p].kind < IR_PARAM_INT)
                operands = arena_printf(arena, "%s %s", operands,
                                        info->params[p].kind == IR_PARAM_PRIM ? "#1"
                                        : id == OP_where && p == 0            ? "bool[2,3]"
                                                                              : "f32[2,3]");
        struct row row = {info->name, substitute(arena, operands, dtype),
                          id == OP_astype ? "dtype=i64" : "", ""};
        add_row(batch, &row, row.operands);
    }
}

static unsigned check_batch(struct batch *batch)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < batch->programs.count; i++)
        wrong += !check_program(batch, &batch->programs.items[i]);
    return wrong;
}

static void load_codegen(struct driver *driver)
{
    union {
        void *address;
        codegen_api_fn *function;
    } symbol;

    driver->codegen_library = dlopen(INLAY_LLVM, RTLD_NOW | RTLD_LOCAL);
    if (!driver->codegen_library)
        fail_msg("%s", dlerror());
    symbol.address = dlsym(driver->codegen_library, "codegen_api");
    driver->codegen_api = symbol.function();
}

/* What has no loops on a dtype may have no meaning, but says so. */
static void interpret_refused(struct batch *batch)
{
    size_t messages = diag_message_count(batch->driver->diag);

    for (size_t i = 0; i < batch->refused.count; i++) {
        const struct program *p = &batch->refused.items[i];
        struct inlay_value args[LEAVES], results[LEAVES];
        struct observation observation;
        struct inlay_host host = {.state = &observation, .find_packed = find_packed};
        struct inlay_frame *frame = inlay_frame_create(&host);

        progress.text = p->text;
        for (unsigned k = 0; k < p->param_count; k++)
            args[k] = make_arg(p->params[k], 0);
        interp_run(batch->driver->diag, ir_module_find(batch->refused_module, p->name)->function,
                   frame, args, (int32_t)p->param_count, results, (int32_t)p->result_count);
        inlay_frame_destroy(frame);
        for (unsigned k = 0; k < p->param_count; k++)
            inlay_tensor_destroy(args[k].tensor);
    }
    diag_truncate(batch->driver->diag, messages);
}

static unsigned check_dtype(const char *dtype)
{
    struct driver_options options = {0};
    struct codegen_options codegen = {.opt_level = 0};
    struct driver *driver = driver_create(&options);
    struct batch batch = {.driver = driver,
                          .module = ir_module_create(driver->context),
                          .refused_module = ir_module_create(driver->context)};

    add_rows(&batch, dtype);
    add_elementwise(&batch, dtype);
    ir_verify(batch.module, driver->diag);
    assert_clean(driver);
    interpret_refused(&batch);
    unsigned wrong = check_batch(&batch);
    load_codegen(driver);
    bool is_good = driver_run_passes(driver, &batch.module, "default", INPLACE_AUTO, NULL, NULL) &&
                   driver_compile(driver, batch.module, &codegen);
    assert_clean(driver);
    assert_true(is_good);
    batch.is_compiled = true;
    wrong += check_batch(&batch);
    array_finish(&batch.programs);
    array_finish(&batch.refused);
    ir_module_destroy(batch.module);
    ir_module_destroy(batch.refused_module);
    driver_destroy(driver);
    return wrong;
}

static void check_next(void *state)
{
    progress.wrong += check_dtype(progress.dtype);
}

static void test_rows_are_true(void **state)
{
    static const char *const dtypes[] = {"f32", "f64", "f16", "bf16", "i64",
                                         "i32", "i8",  "u8",  "bool"};
    struct ops_build b = ops_build_start();
    struct guard guard;
    unsigned wrong = 0, *runs = progress.runs;

    for (size_t i = 0; i < ARRAY_SIZE(dtypes); i++) {
        progress.dtype = dtypes[i];
        guard_init(&guard, true);
        if (guard_run(&guard, check_next, NULL) != GUARD_DONE)
            fail_msg("%s: %s", progress.text, guard.why);
        guard_release(&guard);
    }
    wrong = progress.wrong;
    for (unsigned id = OP_none + 1; id < OP_COUNT; id++) {
        const struct ir_op_info *info = ir_library_op(b.context, id);
        if (runs[id] == 0 && !is_left_out(info)) {
            printf("# R.%s was not run: give it a row in op_runs.def\n", info->name);
            wrong++;
        }
    }
    ops_build_finish(&b);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_are_true)};

    return cmocka_run_group_tests_name("op rows", tests, NULL, NULL);
}

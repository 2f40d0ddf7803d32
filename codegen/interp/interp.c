/* The entry of the interpreter: flattened arguments in, flattened results out. */
#include "analysis/inplace.h"
#include "codegen/interp/storage.h"
#include "runtime/check.h"

#include <string.h>

enum { LEAF_LIMIT = 100000 };

int interp_leaf_count(const struct ir_type *type)
{
    int sum = 0;
    switch (type->kind) {
    case IR_TYPE_PRIM:
    case IR_TYPE_SHAPE:
    case IR_TYPE_TENSOR:
        return 1;
    case IR_TYPE_TUPLE:
        for (unsigned i = 0; i < type->field_count; i++) {
            int count = interp_leaf_count(type->fields[i]);
            if (count < 0 || sum + count > LEAF_LIMIT)
                return -1;
            sum += count;
        }
        return sum;
    case IR_TYPE_ANY:
    case IR_TYPE_FUNC:
    case IR_TYPE_PACKED:
        break;
    }
    return -1;
}

/* The arguments while they are taken apart. */
struct entry {
    struct interp *run;
    const struct inlay_value *args;
    struct inlay_expected *expected;
    int32_t next;
    unsigned param; /* whose leaves come */
    bool is_donated;
};

struct inlay_expected interp_expected(struct interp *run, const struct ir_type *type,
                                      const char *name)
{
    struct inlay_expected e = {.name = name, .ndim = type->ndim, .kind = INLAY_ANY};
    if (type->kind == IR_TYPE_TENSOR)
        e.kind = INLAY_TENSOR;
    else if (type->kind == IR_TYPE_SHAPE)
        e.kind = INLAY_SHAPE;
    else if (type->kind == IR_TYPE_PRIM)
        e.kind = ir_dtype_is_float(type->dtype)  ? INLAY_FLOAT
                 : ir_dtype_is_bool(type->dtype) ? INLAY_BOOL
                                                 : INLAY_INT;
    bool has_dtype = type->kind == IR_TYPE_TENSOR || type->kind == IR_TYPE_PRIM;
    if (has_dtype && !ir_dtype_is_void(type->dtype))
        e.dtype = interp_dtype(type->dtype);
    if ((type->kind != IR_TYPE_TENSOR && type->kind != IR_TYPE_SHAPE) || !type->dims)
        return e;
    int64_t *dims = arena_array(&run->arena, int64_t, (size_t)type->ndim + 1);
    for (int i = 0; i < type->ndim; i++)
        dims[i] = type->dims[i]->kind == IR_EXPR_int ? type->dims[i]->int_value : -1;
    e.dims = dims;
    return e;
}

/* What leaf @next has to be, for the checks that compiled code makes too. */
static void expect_leaf(struct entry *entry, const struct ir_function *function,
                        const struct ir_type *type)
{
    struct inlay_expected *e = &entry->expected[entry->next++];
    const struct ir_value *param = function->params[entry->param];
    const char *name = arena_printf(&entry->run->arena, "argument %d (`%s`) of `%s`", entry->next,
                                    param->name ? param->name : "?", function->name);
    *e = interp_expected(entry->run, type, name);
    e->is_donated = entry->is_donated;
}

static void expect_leaves(struct entry *entry, const struct ir_function *function,
                          const struct ir_type *type)
{
    if (type->kind != IR_TYPE_TUPLE)
        expect_leaf(entry, function, type);
    else
        for (unsigned i = 0; i < type->field_count; i++)
            expect_leaves(entry, function, type->fields[i]);
}

/* The next leaves as a value of @type. */
static const struct interp_value *take_value(struct entry *entry, const struct ir_type *type)
{
    if (type->kind != IR_TYPE_TUPLE)
        return interp_import(entry->run, &entry->args[entry->next++], false);
    const struct interp_value **items =
        arena_array(&entry->run->arena, const struct interp_value *, type->field_count + 1);
    for (unsigned i = 0; i < type->field_count; i++) {
        items[i] = take_value(entry, type->fields[i]);
        if (!items[i])
            return NULL;
    }
    return interp_tuple_value(entry->run, items, type->field_count);
}

/* A result in memory of the frame: nothing of it lies in the arena of the run or in an argument. */
static bool give_tensor(struct interp *run, const struct inlay_tensor *tensor,
                        struct inlay_value *out)
{
    size_t dims = (size_t)tensor->ndim * sizeof(int64_t);
    size_t bytes = (size_t)inlay_tensor_elements(tensor) * (size_t)inlay_dtype_bytes(tensor->dtype);
    struct inlay_tensor *copy = inlay_alloc(run->frame, (int64_t)(sizeof(*copy) + dims), 0);
    void *data = copy ? inlay_alloc(run->frame, (int64_t)bytes, 0) : NULL;
    if (!data)
        return false;
    *copy = *tensor;
    copy->data = data;
    copy->byte_offset = 0;
    copy->strides = NULL;
    copy->shape = (int64_t *)(void *)(copy + 1);
    if (dims)
        memcpy(copy->shape, tensor->shape, dims);
    if (bytes)
        memcpy(data, interp_data(tensor), bytes);
    *out = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = copy};
    return true;
}

static bool give_shape(struct interp *run, const struct interp_value *value,
                       struct inlay_value *out)
{
    size_t bytes = value->count * sizeof(int64_t);
    struct inlay_shape *shape = inlay_alloc(run->frame, (int64_t)(sizeof(*shape) + bytes), 0);
    if (!shape)
        return false;
    int64_t *dims = (int64_t *)(void *)(shape + 1);
    if (bytes)
        memcpy(dims, value->dims, bytes);
    *shape = (struct inlay_shape){.dims = dims, .count = value->count};
    *out = (struct inlay_value){.kind = INLAY_SHAPE, .shape = shape};
    return true;
}

static bool give_results(struct interp *run, const struct interp_value *value,
                         struct inlay_value *results, int32_t *next, int32_t count)
{
    if (value->kind == INTERP_TUPLE) {
        for (unsigned i = 0; i < value->count; i++)
            if (!give_results(run, value->items[i], results, next, count))
                return false;
        return true;
    }
    if (*next == count)
        return interp_unsupported(run, run->loc, "a result with more parts than its type has");
    struct inlay_value *out = &results[(*next)++];
    if (value->kind == INTERP_TENSOR)
        return give_tensor(run, value->tensor, out);
    if (value->kind == INTERP_SHAPE)
        return give_shape(run, value, out);
    if (value->kind != INTERP_SCALAR)
        return interp_unsupported(run, run->loc, "a result that is no tensor, shape or scalar");
    return interp_export(run, value, out);
}

static bool run_entry(struct interp *run, struct ir_function *function,
                      const struct inlay_value *args, int32_t arg_count,
                      struct inlay_value *results, int32_t result_count)
{
    int leaves = 0;
    for (unsigned i = 0; i < function->param_count; i++) {
        int count = interp_leaf_count(function->params[i]->type);
        if (count < 0)
            return interp_unsupported(run, function->params[i]->loc,
                                      "an entry with parameter `%s` of this type",
                                      function->params[i]->name);
        leaves += count;
    }
    struct entry entry = {.run = run, .args = args};
    entry.expected = arena_array(&run->arena, struct inlay_expected, (size_t)leaves + 1);
    for (; entry.param < function->param_count; entry.param++) {
        entry.is_donated = ir_function_donates(function, entry.param);
        expect_leaves(&entry, function, function->params[entry.param]->type);
    }
    if (inlay_check_arguments(run->frame, location_line(function->loc), function->name,
                              entry.expected, leaves, args, arg_count) != 0)
        return false;
    const struct interp_value **values =
        arena_array(&run->arena, const struct interp_value *, function->param_count + 1);
    entry.next = 0;
    for (unsigned i = 0; i < function->param_count; i++) {
        values[i] = take_value(&entry, function->params[i]->type);
        if (!values[i])
            return false;
    }
    const struct interp_value *result;
    int32_t next = 0;
    run->loc = function->loc;
    return interp_call_function(run, function, NULL, values, function->param_count, &result) &&
           give_results(run, result, results, &next, result_count);
}

bool interp_run(struct diag *diag, struct ir_function *function, struct inlay_frame *frame,
                const struct inlay_value *args, int32_t arg_count, struct inlay_value *results,
                int32_t result_count)
{
    uint64_t steps = UINT64_MAX;
    return interp_run_steps(diag, function, frame, &steps, args, arg_count, results, result_count);
}

bool interp_run_steps(struct diag *diag, struct ir_function *function, struct inlay_frame *frame,
                      uint64_t *steps, const struct inlay_value *args, int32_t arg_count,
                      struct inlay_value *results, int32_t result_count)
{
    struct interp run = {.diag = diag,
                         .module = function->module,
                         .context = function->module->context,
                         .frame = frame,
                         .steps_left = *steps,
                         .loc = function->loc};
    for (int32_t i = 0; i < result_count; i++)
        results[i] = (struct inlay_value){0};
    bool is_good = run_entry(&run, function, args, arg_count, results, result_count);
    *steps = run.steps_left;
    /* The results are copies: all that the run made can go. */
    interp_storages_finish(&run);
    interp_finish_calls(&run);
    arena_finish(&run.arena);
    return is_good;
}

/* The results of a run: as text, and written. */
#include "driver/results.h"

#include "io/file.h"
#include "runtime/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WHOLE_LIMIT = 64 }; /* elements of a tensor that is printed whole */

static bool name_leaves(struct results *results, const struct ir_type *type, const char *name)
{
    if (type->kind == IR_TYPE_TUPLE) {
        for (unsigned i = 0; i < type->field_count; i++)
            if (!name_leaves(results, type->fields[i],
                             arena_printf(&results->arena, "%s.%u", name, i)))
                return false;
        return true;
    }
    array_push(&results->names, name);
    array_push(&results->values, (struct inlay_value){0});
    return type->kind == IR_TYPE_TENSOR || type->kind == IR_TYPE_SHAPE ||
           type->kind == IR_TYPE_PRIM;
}

bool results_init(struct results *results, const struct ir_type *type)
{
    *results = (struct results){0};
    return name_leaves(results, type, "result");
}

void results_finish(struct results *results)
{
    array_finish(&results->values);
    array_finish(&results->names);
    arena_finish(&results->arena);
}

/* min, max and mean of what is not printed whole. */
static void summarize(const struct inlay_tensor *tensor, struct inlay_text *text)
{
    int64_t count = inlay_tensor_elements(tensor), trues = 0, nans = 0;
    double min = INFINITY, max = -INFINITY, sum = 0;
    const char *data = (const char *)tensor->data + tensor->byte_offset;
    for (int64_t i = 0; i < count; i++) {
        double value = inlay_element_real(tensor->dtype, data, i);
        trues += value != 0;
        if (isnan(value)) {
            nans++;
            continue;
        }
        min = value < min ? value : min;
        max = value > max ? value : max;
        sum += value;
    }
    if (tensor->dtype.code == INLAY_CODE_BOOL) {
        inlay_text_printf(text, "\n%" PRId64 " of %" PRId64 " true", trues, count);
        return;
    }
    if (nans < count)
        inlay_text_printf(text, "\nmin %.6g, max %.6g, mean %.6g", min, max,
                          sum / (double)(count - nans));
    if (nans)
        inlay_text_printf(text, "%s%" PRId64 " of %" PRId64 " nan", nans < count ? ", " : "\n",
                          nans, count);
}

static void put_tensor(const struct inlay_tensor *tensor, struct text *out)
{
    struct inlay_text text = {0};
    char dtype[32];
    inlay_format_shape(&text, tensor->shape, tensor->ndim);
    inlay_text_printf(&text, " %s\n", inlay_dtype_text(tensor->dtype, dtype));
    inlay_format_tensor(&text, tensor, WHOLE_LIMIT);
    if (inlay_tensor_elements(tensor) > WHOLE_LIMIT)
        summarize(tensor, &text);
    text_printf(out, "%s\n", inlay_text_string(&text));
    inlay_text_finish(&text);
}

void results_put(const struct results *results, struct text *out)
{
    if (results->values.count == 0)
        text_puts(out, "result: nothing\n");
    for (size_t i = 0; i < results->values.count; i++) {
        const struct inlay_value *value = &results->values.items[i];
        struct inlay_text text = {0};
        text_printf(out, "%s: ", results->names.items[i]);
        if (value->kind == INLAY_TENSOR) {
            put_tensor(value->tensor, out);
        } else {
            inlay_format_value(&text, value, WHOLE_LIMIT);
            text_printf(out, "%s%s\n", value->kind == INLAY_SHAPE ? "shape " : "",
                        inlay_text_string(&text));
        }
        inlay_text_finish(&text);
    }
}

/* @value as a tensor: a scalar has rank 0, a shape is a vector of int64.  Its memory is the arena's. */
static const struct inlay_tensor *as_tensor(struct arena *arena, const struct inlay_value *value)
{
    if (value->kind == INLAY_TENSOR)
        return value->tensor;
    struct inlay_tensor *tensor = arena_new(arena, struct inlay_tensor);
    int64_t *slot = arena_new(arena, int64_t);
    tensor->data = slot;
    tensor->dtype = (struct inlay_dtype){INLAY_CODE_INT, 64, 1};
    if (value->kind == INLAY_SHAPE) {
        int64_t *extent = arena_new(arena, int64_t);
        *extent = (int64_t)value->shape->count;
        tensor->ndim = 1;
        tensor->shape = extent;
        memcpy(&tensor->data, &value->shape->dims, sizeof(tensor->data)); /* only read */
    } else if (value->kind == INLAY_FLOAT) {
        tensor->dtype.code = INLAY_CODE_FLOAT;
        memcpy(slot, &value->real, sizeof(value->real));
    } else if (value->kind == INLAY_BOOL) {
        tensor->dtype = (struct inlay_dtype){INLAY_CODE_BOOL, 8, 1};
        *(unsigned char *)slot = value->integer != 0;
    } else {
        *slot = value->integer;
    }
    return tensor;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

bool results_write(const struct results *results, const char *path, struct diag *diag)
{
    struct arena arena = {0};
    struct inlay_message message;
    size_t count = results->values.count;
    const struct inlay_tensor **tensors =
        arena_array(&arena, const struct inlay_tensor *, count + 1);
    bool is_good;
    for (size_t i = 0; i < count; i++)
        tensors[i] = as_tensor(&arena, &results->values.items[i]);
    if (ends_with(path, ".npy") && count != 1)
        is_good = inlay_message_set(&message,
                                    "an .npy file holds one tensor, but there are %zu "
                                    "results; name it .npz",
                                    count);
    else if (!ends_with(path, ".npy") && !ends_with(path, ".npz"))
        is_good =
            inlay_message_set(&message, "results are written as .npz, or, one alone, as .npy");
    else if (ends_with(path, ".npy"))
        is_good = inlay_npy_write(path, tensors[0], &message);
    else
        is_good = inlay_npz_write(path, results->names.items, tensors, count, &message);
    if (!is_good)
        diag_report(diag, (struct location){0}, OUTPUT_FAILED, path, message.text);
    arena_finish(&arena);
    return is_good;
}

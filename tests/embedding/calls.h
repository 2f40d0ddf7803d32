/* What calls.c and refused.c share: a script, its arguments, and how errors are looked at. */
#pragma once

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
/* clang-format on */

#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                              \
    "from tvm.script import ir as I\n"    \
    "from tvm.script import relax as R\n" \
    "from tvm.script import tir as T\n\n" \
    "@I.ir_module\nclass Module:\n"

/* A row of the cache is replaced; what it was is returned too, or not. */
#define APPEND_SO(how, result, returned)                                                                 \
    HEAD                                                                                                 \
        "    @T.prim_func(private=True)\n"                                                               \
        "    def append(cache: T.Buffer((8, 4), \"float32\"), row: T.Buffer((4,), \"float32\"),\n"       \
        "               pos: T.int64):\n"                                                                \
        "        for j in range(4):\n"                                                                   \
        "            cache[pos, j] = row[j]\n\n"                                                         \
        "    @R.function\n"                                                                              \
        "    def main(cache: R.Tensor((8, 4), \"float32\"), row: R.Tensor((4,), \"float32\"),\n"         \
        "             pos: T.int64) -> " result ":\n"                                                    \
        "        R.func_attr({\"relax.inplace_arg\": [0]})\n"                                            \
        "        cls = Module\n"                                                                         \
        "        new = R.call_tir_inplace(cls.append, (cache, row, pos),\n"                              \
        "                                 out_ty=R.Tensor((8, 4), \"float32\"), inplace_indices=[0]" how \
        ")\n"                                                                                            \
        "        return " returned "\n"
#define APPEND(result, returned) APPEND_SO("", result, returned)
#define TENSOR                   "R.Tensor((8, 4), \"float32\")"

static const char plain[] = APPEND(TENSOR, "new");

static const struct inlay_dtype f32 = {INLAY_CODE_FLOAT, 32, 1};

static struct inlay_module *parse(struct inlay_session *session, const char *text)
{
    return inlay_parse(session, "test.py", text, strlen(text));
}

static struct inlay_value make(int ndim, int64_t rows, int64_t columns, float first)
{
    int64_t shape[] = {rows, columns};
    struct inlay_tensor *tensor = inlay_tensor_create(f32, ndim == 2 ? shape : &columns, ndim);
    struct inlay_value value = {.kind = INLAY_TENSOR, .tensor = tensor};

    for (int64_t i = 0; tensor && i < inlay_tensor_elements(tensor); i++)
        ((float *)tensor->data)[i] = first + (float)i;
    return value;
}

static float at(const struct inlay_value *value, size_t index)
{
    return ((const float *)value->tensor->data)[index];
}

struct arguments {
    struct inlay_value items[3];
};

static struct arguments make_arguments(int64_t position)
{
    return (struct arguments){{make(2, 8, 4, 0), make(1, 1, 4, 100),
                               (struct inlay_value){.kind = INLAY_INT, .integer = position}}};
}

static void drop_arguments(struct arguments *arguments)
{
    inlay_tensor_destroy(arguments->items[0].tensor);
    inlay_tensor_destroy(arguments->items[1].tensor);
}

/* Of the only error. */
static unsigned error_code(struct inlay_session *session)
{
    const struct inlay_diagnostic *items;
    size_t count = inlay_diagnostics(session, &items);
    unsigned code = 0;

    for (size_t i = 0; i < count; i++)
        if (items[i].severity == INLAY_ERROR) {
            assert_int_equal(code, 0);
            code = items[i].code;
        }
    return code;
}

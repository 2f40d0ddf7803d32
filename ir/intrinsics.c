#include "ir/intrinsics.h"

#include "base/util.h"

#include <string.h>

static const struct ir_intrinsic intrinsics[] = {
#define INTRINSIC(name, least, most, result, dtype, doc) \
    {#name, least, most, IR_RESULT_##result, IR_DTYPE_##dtype, doc},
#include "ir/intrinsics.def"
};

const struct ir_intrinsic *ir_intrinsic_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(intrinsics); i++)
        if (strcmp(intrinsics[i].name, name) == 0)
            return &intrinsics[i];
    return NULL;
}

/* For what functions are defined that are not for all dtypes. */
static const struct {
    const char *name;
    enum { OF_FLOATS, OF_INTEGERS, OF_NUMBERS } domain;
} domains[] = {
#define OF(domain, name) {name, OF_##domain},
#include "ir/intrinsic_domains.def"
};

bool ir_intrinsic_takes(const char *name, struct ir_dtype dtype)
{
    bool is_float = ir_dtype_is_float(dtype), is_int = ir_dtype_is_int(dtype);

    for (size_t i = 0; i < ARRAY_SIZE(domains); i++)
        if (strcmp(domains[i].name, name) == 0)
            return (is_float && domains[i].domain != OF_INTEGERS) ||
                   (is_int && domains[i].domain != OF_FLOATS);
    return true;
}

bool ir_intrinsic_is_for_gpu(const char *name)
{
    static const char *const starts[] = {
        "tvm_storage_sync",   "tvm_thread", "tvm_warp",           "tvm_load_matrix",
        "tvm_store_matrix",   "tvm_mma",    "tvm_bmma",           "tvm_fill_fragment",
        "tvm_global_barrier", "ptx_",       "cooperative_tensor", "texture2d",
        "thread_return"};

    for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

const char *ir_intrinsic_name(unsigned index)
{
    return index < ARRAY_SIZE(intrinsics) ? intrinsics[index].name : NULL;
}

void ir_intrinsic_put_arguments(struct text *out, const struct ir_intrinsic *intrinsic)
{
    text_printf(out, "%u", intrinsic->least);
    if (intrinsic->most == IR_ARGUMENTS_ANY)
        text_puts(out, " or more");
    else if (intrinsic->least != intrinsic->most)
        text_printf(out, " to %u", intrinsic->most);
}

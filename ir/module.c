/* Modules: globals by name, constants, and sizes that are checked for overflow. */
#include "ir/module.h"

#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

struct ir_module *ir_module_create(struct ir_context *context)
{
    struct ir_module *module = memory_new(sizeof(*module), 1);

    module->context = context;
    module->name = atom_intern_text(&context->atoms, "Module");
    return module;
}

void ir_module_destroy(struct ir_module *module)
{
    if (!module)
        return;
    map_finish(&module->by_name);
    map_finish(&module->suffixes);
    map_finish(&module->kernels);
    memory_free(module->globals);
    memory_free(module->constants);
    arena_finish(&module->arena);
    memory_free(module);
}

struct ir_global *ir_module_find(const struct ir_module *module, const char *name)
{
    return map_get(&module->by_name, atom_intern_text(&module->context->atoms, name));
}

struct ir_global *ir_module_add(struct ir_module *module, const char *name,
                                enum ir_global_kind kind)
{
    struct ir_global *global = arena_new(&module->arena, struct ir_global);

    global->name = atom_intern_text(&module->context->atoms, name);
    global->kind = kind;
    assert(!map_get(&module->by_name, global->name));
    map_set(&module->by_name, global->name, global);
    module->globals = array_grow(module->globals, module->global_count, &module->global_capacity, 1,
                                 sizeof(module->globals[0]));
    module->globals[module->global_count++] = global;
    return global;
}

const char *ir_module_fresh_name(struct ir_module *module, const char *name)
{
    struct atoms *atoms = &module->context->atoms;
    const char *base = atom_intern_text(atoms, name);
    unsigned *number = map_get(&module->suffixes, base);
    const char *fresh;

    if (!map_get(&module->by_name, base))
        return base;
    /* The last number of each name is kept, so that many copies of one name cost no search each. */
    if (!number) {
        number = arena_new(&module->arena, unsigned);
        map_set(&module->suffixes, base, number);
    }
    do {
        fresh = atom_printf(atoms, "%s_%u", name, ++*number);
    } while (map_get(&module->by_name, fresh));
    return fresh;
}

void ir_module_remove(struct ir_module *module, struct ir_global *global)
{
    size_t i = 0;

    while (i < module->global_count && module->globals[i] != global)
        i++;
    assert(i < module->global_count);
    module->global_count--;
    module->hashed_count -= i < module->hashed_count;
    memmove(&module->globals[i], &module->globals[i + 1],
            (module->global_count - i) * sizeof(module->globals[0]));
    map_set(&module->by_name, global->name, NULL);
}

/* Removed globals stay in the map: they are no longer what their name says. */
static void hash_globals(struct ir_module *module)
{
    for (; module->hashed_count < module->global_count; module->hashed_count++) {
        struct ir_global *global = module->globals[module->hashed_count];

        if (global->kind != IR_GLOBAL_KERNEL)
            continue;
        uint64_t hash = tir_func_hash(global->kernel);
        while (map_has(&module->kernels, hash_key(hash)))
            hash = hash_again(hash);
        map_set(&module->kernels, hash_key(hash), global);
    }
}

struct ir_global *ir_module_find_kernel(struct ir_module *module, const char *name,
                                        const struct tir_func *func)
{
    uint64_t hash = tir_func_hash(func);
    size_t length = strlen(name);
    struct ir_global *global;

    hash_globals(module);
    for (; (global = map_get(&module->kernels, hash_key(hash))); hash = hash_again(hash))
        if (map_get(&module->by_name, global->name) == global && global->kernel->is_private &&
            strncmp(global->name, name, length) == 0 && tir_func_equal(global->kernel, func))
            return global;
    return NULL;
}

struct ir_constant *ir_module_add_data(struct ir_module *module, struct ir_dtype dtype,
                                       const int64_t *shape, unsigned ndim,
                                       const struct ir_data *data)
{
    struct ir_constant *constant = arena_new(&module->arena, struct ir_constant);
    int64_t *dims = arena_array(&module->arena, int64_t, ndim);

    for (unsigned i = 0; i < ndim; i++)
        dims[i] = shape[i];
    constant->dtype = dtype;
    constant->ndim = ndim;
    constant->shape = dims;
    constant->store = data;
    constant->data = data->bytes;
    constant->bytes = data->size;
    constant->index = (unsigned)module->constant_count;
    module->constants = array_grow(module->constants, module->constant_count,
                                   &module->constant_capacity, 1, sizeof(module->constants[0]));
    module->constants[module->constant_count++] = constant;
    return constant;
}

struct ir_constant *ir_module_add_constant(struct ir_module *module, struct ir_dtype dtype,
                                           const int64_t *shape, unsigned ndim, const void *data)
{
    size_t bytes;

    if (!ir_shape_bytes(shape, ndim, dtype, &bytes))
        UNREACHABLE("size of a constant is checked before it is added");
    return ir_module_add_data(module, dtype, shape, ndim,
                              ir_data_copy(module->context, data, bytes));
}

bool ir_shape_elements(const int64_t *shape, unsigned ndim, int64_t *out_count)
{
    int64_t count = 1;
    bool is_empty = false;

    for (unsigned i = 0; i < ndim; i++) {
        if (shape[i] < 0)
            return false;
        is_empty |= shape[i] == 0;
    }
    for (unsigned i = 0; i < ndim && !is_empty; i++) {
        if (__builtin_mul_overflow(count, shape[i], &count))
            return false;
    }
    *out_count = is_empty ? 0 : count;
    return true;
}

bool ir_shape_bytes(const int64_t *shape, unsigned ndim, struct ir_dtype dtype, size_t *out_bytes)
{
    int64_t count;
    int64_t bytes;

    if (!ir_shape_elements(shape, ndim, &count))
        return false;
    if (__builtin_mul_overflow(count, (int64_t)ir_dtype_bytes(dtype), &bytes))
        return false;
    *out_bytes = (size_t)bytes;
    return true;
}

bool ir_function_donates(const struct ir_function *function, unsigned param)
{
    const struct ir_attr *attr =
        function->attrs ? ir_attr_dict_get(function->attrs, "relax.inplace_arg") : NULL;

    if (!attr || param >= function->param_count ||
        !ir_type_is_tensor(function->params[param]->type))
        return false;
    if (attr->kind == IR_ATTR_INT)
        return attr->integer == (int64_t)param;
    if (attr->kind == IR_ATTR_LIST)
        for (unsigned i = 0; i < attr->count; i++)
            if (attr->items[i]->kind == IR_ATTR_INT && attr->items[i]->integer == (int64_t)param)
                return true;
    return false;
}

/* See kept.h. */
#include "driver/kept.h"

#include "analysis/leaves.h"

#include <string.h>

enum { ALIGNMENT = 64, NOWHERE = -1 };

void kept_note_constants(const struct ir_module *module, kept_data_array *out)
{
    for (size_t i = 0; i < module->constant_count; i++)
        array_push(out,
                   (struct kept_data){module->constants[i]->data, module->constants[i]->bytes});
}

static bool is_fixed(const struct ir_type *type)
{
    bool is_good = type->kind == IR_TYPE_TENSOR && type->ndim >= 0 && (type->dims || !type->ndim);

    for (int i = 0; is_good && i < type->ndim; i++)
        is_good = type->dims[i]->kind == IR_EXPR_int;
    return is_good;
}

bool kept_is_possible(const struct ir_function *function)
{
    bool is_good = true;

    for (unsigned i = 0; i < function->param_count; i++)
        for (unsigned leaf = 0; leaf < leaf_count(function->params[i]->type); leaf++)
            is_good &= is_fixed(leaf_type(function->params[i]->type, leaf));
    return is_good;
}

/* --- out --- */

static int64_t find_data(const kept_data_array *script, const struct codegen_constant *constant)
{
    for (size_t i = 0; i < script->count; i++)
        if (script->items[i].data == constant->data && script->items[i].bytes == constant->bytes)
            return (int64_t)i;
    return NOWHERE;
}

/* What code was made to believe of where @data lies. */
static uint64_t alignment_of(const void *data)
{
    uintptr_t place = (uintptr_t)data | ALIGNMENT;

    return place & -place;
}

static void put_constant(const struct codegen_constant *constant, const kept_data_array *script,
                         struct text *out)
{
    int64_t place = find_data(script, constant);

    record_put_number(out, constant->index);
    record_put_number(out, (uint64_t)place);
    record_put_number(out, alignment_of(constant->data));
    if (place == NOWHERE)
        record_put_bytes(out, constant->data, constant->bytes);
}

static void put_given(const struct given_plan *plan, struct text *out)
{
    record_put_number(out, (uint64_t)plan->space);
    record_put_number(out, plan->results.count);
    for (size_t i = 0; i < plan->results.count; i++) {
        const struct given_result *result = &plan->results.items[i];
        uint64_t flags = (uint64_t)result->is_tensor | (uint64_t)result->is_own << 1;
        record_put_number(out, flags);
        record_put_bytes(out, &result->dtype, sizeof(result->dtype));
        record_put_bytes(out, result->dims, (size_t)result->ndim * sizeof(int64_t));
    }
}

static uint64_t size_of(const struct codegen_object *object, const kept_data_array *script)
{
    uint64_t bytes = object->size;

    for (size_t i = 0; i < object->constant_count; i++)
        if (find_data(script, &object->constants[i]) == NOWHERE)
            bytes += object->constants[i].bytes;
    return bytes;
}

void kept_write(struct record *record, const struct kept *kept, const kept_data_array *script)
{
    struct codegen_object object;
    struct text out = {0};

    record->driver->codegen_api->show(record->driver->codegen, &object);
    if (!record_is_wanted(record, size_of(&object, script)))
        return;
    record_put_bytes(&out, kept->places.items, kept->places.count * sizeof(int));
    put_given(&kept->given, &out);
    record_put_bytes(&out, &kept->cost, sizeof(kept->cost));
    record_put_bytes(&out, object.data, object.size);
    record_put_number(&out, object.constant_count);
    for (size_t i = 0; i < object.constant_count; i++)
        put_constant(&object.constants[i], script, &out);
    record_keep(record, &out);
    text_finish(&out);
}

/* --- in --- */

/* As @size bytes stand next, or nothing. */
static void get(struct record_reader *reader, void *out, size_t size)
{
    size_t found;
    const char *bytes = record_bytes(reader, &found);

    reader->is_bad |= found != size;
    if (!reader->is_bad && size)
        memcpy(out, bytes, size);
}

static void get_places(struct record_reader *reader, size_t input_count, place_array *out)
{
    size_t size;
    const char *bytes = record_bytes(reader, &size);

    reader->is_bad |= size % sizeof(int) != 0;
    for (size_t i = 0; !reader->is_bad && i < size / sizeof(int); i++) {
        int place;
        memcpy(&place, bytes + i * sizeof(int), sizeof(int));
        reader->is_bad |= place < 0 || (size_t)place >= input_count;
        array_push(out, place);
    }
}

static void get_result(struct record_reader *reader, struct given_plan *plan)
{
    struct given_result result = {0};
    uint64_t flags = record_number(reader);
    size_t size;

    result.is_tensor = flags & 1;
    result.is_own = flags >> 1 & 1;
    get(reader, &result.dtype, sizeof(result.dtype));
    const char *dims = record_bytes(reader, &size);
    result.ndim = (int)(size / sizeof(int64_t));
    result.dims = arena_array(&plan->arena, int64_t, (size_t)result.ndim + 1);
    if (dims)
        memcpy(result.dims, dims, (size_t)result.ndim * sizeof(int64_t));
    array_push(&plan->results, result);
}

static void get_given(struct record_reader *reader, size_t result_count, struct given_plan *plan)
{
    plan->space = (int64_t)record_number(reader);
    reader->is_bad |= record_number(reader) != result_count;
    for (size_t i = 0; !reader->is_bad && i < result_count; i++)
        get_result(reader, plan);
}

static void get_constant(struct record_reader *reader, const struct ir_module *module,
                         struct codegen_constant *out)
{
    uint64_t index = record_number(reader), place = record_number(reader);
    uint64_t alignment = record_number(reader);

    *out = (struct codegen_constant){.index = (unsigned)index};
    if (place == (uint64_t)NOWHERE) {
        out->data = record_bytes(reader, &out->bytes);
    } else if (place < module->constant_count) {
        out->data = module->constants[place]->data;
        out->bytes = module->constants[place]->bytes;
    } else {
        reader->is_bad = true;
    }
    reader->is_bad |= alignment_of(out->data) < alignment;
}

static bool load(struct driver *driver, struct record_reader *reader,
                 const struct ir_module *module, const struct codegen_options *options)
{
    struct codegen_object object = {0};
    struct arena arena = {0};

    object.data = record_bytes(reader, &object.size);
    object.constant_count = record_number(reader);
    if (!reader->is_bad && object.constant_count <= reader->size) {
        struct codegen_constant *constants =
            arena_array(&arena, struct codegen_constant, object.constant_count + 1);
        for (size_t i = 0; !reader->is_bad && i < object.constant_count; i++)
            get_constant(reader, module, &constants[i]);
        object.constants = constants;
    }
    bool is_good = !reader->is_bad && object.constants && driver_load(driver, &object, options);
    arena_finish(&arena);
    return is_good;
}

bool kept_read(struct record *record, const struct ir_module *module, size_t input_count,
               size_t result_count, const struct codegen_options *options, struct kept *kept)
{
    if (!record_find(record, &kept->view))
        return false;
    struct record_reader reader = {.data = kept->view.data, .size = kept->view.size};
    get_places(&reader, input_count, &kept->places);
    get_given(&reader, result_count, &kept->given);
    get(&reader, &kept->cost, sizeof(kept->cost));
    kept->is_there = load(record->driver, &reader, module, options);
    if (!kept->is_there) {
        record_refuse(record, &kept->view);
        kept_finish(kept);
    }
    return kept->is_there;
}

void kept_finish(struct kept *kept)
{
    array_finish(&kept->places);
    given_plan_finish(&kept->given);
    record_release(&kept->view);
    *kept = (struct kept){0};
}

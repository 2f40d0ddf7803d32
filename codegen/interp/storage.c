/*
 * When storage goes: where the text ends it, and when the call that made it returns something else.
 *
 * A result in place is a private copy, so each value of a kernel has storage of its own, and the end of
 * one is not the end of others that the text lets share it.  A run that makes functions of values gives
 * nothing back when calls return: they may read anything.
 */
#include "codegen/interp/storage.h"

#include <string.h>

struct interp_storage *interp_storage_new(struct interp *run)
{
    struct interp_storage *storage = arena_new(&run->arena, struct interp_storage);
    *storage = (struct interp_storage){.place = run->storages.count};
    array_push(&run->storages, storage);
    return storage;
}

bool interp_need(struct interp *run, const struct interp_value *value)
{
    struct interp_storage *storage = value->storage;
    for (unsigned i = 0; value->kind == INTERP_TUPLE && i < value->count; i++)
        if (!interp_need(run, value->items[i]))
            return false;
    if (!storage || storage->data || storage->is_ended)
        return true;
    const struct inlay_tensor *tensor = value->tensor;
    int64_t bytes =
        inlay_tensor_bytes(tensor->shape, tensor->ndim, inlay_dtype_bytes(tensor->dtype));
    storage->data = inlay_alloc(run->frame, bytes, location_line(run->loc));
    if (!storage->data)
        return false;
    memset(storage->data, 0, (size_t)bytes);
    value->tensor->data = storage->data;
    return true;
}

static void give_back(struct interp *run, struct interp_storage *storage)
{
    run->storages.items[storage->place] = NULL;
    inlay_free(run->frame, storage->data);
    storage->data = NULL;
    storage->is_ended = true;
}

void interp_end(struct interp *run, const struct interp_value *value)
{
    for (unsigned i = 0; value->kind == INTERP_TUPLE && i < value->count; i++)
        interp_end(run, value->items[i]);
    if (value->storage && !value->is_part && !value->storage->is_ended)
        give_back(run, value->storage);
}

static bool is_alive(const struct interp_value *value)
{
    bool is_whole = true;
    for (unsigned i = 0; value->kind == INTERP_TUPLE && i < value->count; i++)
        is_whole = is_whole && is_alive(value->items[i]);
    return is_whole && !(value->storage && value->storage->is_ended);
}

bool interp_check_alive(struct interp *run, const struct ir_value *name,
                        const struct interp_value *value)
{
    if (is_alive(value))
        return true;
    diag_report(run->diag, run->loc, INTERP_ENDED, name->name ? name->name : "a value");
    return false;
}

/* Everything that @value holds. */
static void collect(const struct interp_value *value, struct map *out)
{
    if (value->storage)
        map_set(out, value->storage, value);
    for (unsigned i = 0; value->kind == INTERP_TUPLE && i < value->count; i++)
        collect(value->items[i], out);
}

void interp_end_call(struct interp *run, size_t mark, const struct interp_value *result)
{
    struct map kept = {0};
    size_t count = mark;
    if (run->keeps_all)
        return;
    collect(result, &kept);
    for (size_t i = mark; i < run->storages.count; i++) {
        struct interp_storage *storage = run->storages.items[i];
        if (!storage)
            continue;
        if (map_has(&kept, storage)) {
            storage->place = count;
            run->storages.items[count++] = storage;
        } else {
            give_back(run, storage);
        }
    }
    run->storages.count = count;
    map_finish(&kept);
}

void interp_storages_finish(struct interp *run)
{
    for (size_t i = 0; i < run->storages.count; i++)
        if (run->storages.items[i])
            inlay_free(run->frame, run->storages.items[i]->data);
    array_finish(&run->storages);
}

/* Data of constants; see data.h. */
#include "ir/data.h"

#include "base/map.h"
#include "ir/internal.h"
#include "ir/module.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    DATA_ALIGN = 64, /* what kernels may assume of tensor data */
    NAME_LENGTH = 48,
};

struct owner {
    ir_data_release_fn *release;
    void *state;
    struct owner *next;
};

struct ir_data_table {
    struct map by_hash; /* a number made of the hash -> first struct ir_data */
    struct map by_name; /* atom -> struct ir_data */
    struct owner *owners;
};

struct ir_data_table *ir_data_table_create(struct ir_context *context)
{
    return arena_new(&context->arena, struct ir_data_table);
}

void ir_data_table_destroy(struct ir_data_table *table)
{
    for (struct owner *owner = table->owners; owner; owner = owner->next)
        owner->release(owner->state);
    map_finish(&table->by_hash);
    map_finish(&table->by_name);
}

/* 64 bits, eight bytes a step: multiply and fold, as in the family of wyhash. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash_of(const void *bytes, size_t size)
{
    static const uint64_t k0 = UINT64_C(0x9E3779B97F4A7C15), k1 = UINT64_C(0xD1B54A32D192ED03);
    const unsigned char *at = bytes;
    uint64_t hash = k0 ^ size, word;
    size_t left = size;

    for (; left >= sizeof(word); left -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        hash = mix(hash ^ word ^ k1, k0 + left);
    }
    word = 0;
    if (left)
        memcpy(&word, at, left);
    return mix(hash ^ word ^ k1, k0);
}

/* Maps have pointers for keys, and NULL is none. */
static const void *key_of(uint64_t hash)
{
    return (const void *)(uintptr_t)(hash | 1); // NOLINT(performance-no-int-to-ptr)
}

static bool is_equal(const struct ir_data *data, uint64_t hash, const void *bytes, size_t size)
{
    return data->hash == hash && data->size == size &&
           (size == 0 || memcmp(data->bytes, bytes, size) == 0);
}

static struct ir_data *data_new(struct ir_context *context, const void *bytes, size_t size)
{
    struct ir_data *data = arena_new(&context->arena, struct ir_data);

    data->bytes = bytes;
    data->size = size;
    return data;
}

static void remember(struct ir_data_table *table, struct ir_data *data, uint64_t hash)
{
    data->hash = hash;
    data->next = map_get(&table->by_hash, key_of(hash));
    map_set(&table->by_hash, key_of(hash), data);
}

const struct ir_data *ir_data_copy(struct ir_context *context, const void *bytes, size_t size)
{
    struct ir_data_table *table = context->data;
    char *copy = NULL;

    if (!bytes)
        bytes = copy = arena_alloc(&context->arena, size ? size : 1, 1, DATA_ALIGN);
    uint64_t hash = hash_of(bytes, size);

    for (struct ir_data *data = map_get(&table->by_hash, key_of(hash)); data; data = data->next)
        if (is_equal(data, hash, bytes, size))
            return data;
    if (!copy) {
        copy = arena_alloc(&context->arena, size ? size : 1, 1, DATA_ALIGN);
        if (size)
            memcpy(copy, bytes, size);
    }
    struct ir_data *data = data_new(context, copy, size);

    remember(table, data, hash);
    return data;
}

/* (Not compared with others: that would read all of what may be a mapped file.) */
const struct ir_data *ir_data_take(struct ir_context *context, const void *bytes, size_t size,
                                   ir_data_release_fn *release, void *state)
{
    struct ir_data_table *table = context->data;
    struct owner *owner = arena_new(&context->arena, struct owner);

    *owner = (struct owner){.release = release, .state = state, .next = table->owners};
    table->owners = owner;
    return data_new(context, bytes, size);
}

const char *ir_data_name(struct ir_context *context, const struct ir_data *data)
{
    struct ir_data_table *table = context->data;
    struct ir_data *named = (struct ir_data *)(uintptr_t)data; // NOLINT(performance-no-int-to-ptr)
    const char *name;
    unsigned number = 0;

    if (data->name)
        return data->name;
    named->hash = hash_of(data->bytes, data->size);
    do {
        name = number ? atom_printf(&context->atoms, "%016" PRIx64 "-%u", named->hash, number)
                      : atom_printf(&context->atoms, "%016" PRIx64, named->hash);
        number++;
    } while (map_get(&table->by_name, name));
    named->name = name;
    map_set(&table->by_name, name, named);
    return name;
}

const struct ir_data *ir_data_find(struct ir_context *context, const char *name)
{
    return map_get(&context->data->by_name, atom_intern_text(&context->atoms, name));
}

bool ir_data_set_name(struct ir_context *context, const struct ir_data *data, const char *name)
{
    struct ir_data *named = (struct ir_data *)(uintptr_t)data; // NOLINT(performance-no-int-to-ptr)
    uint64_t hash = hash_of(data->bytes, data->size);
    char begin[NAME_LENGTH];

    snprintf(begin, sizeof(begin), "%016" PRIx64, hash);
    if (strncmp(begin, name, strlen(begin)) != 0)
        return false;
    named->hash = hash;
    named->name = atom_intern_text(&context->atoms, name);
    map_set(&context->data->by_name, named->name, named);
    return true;
}

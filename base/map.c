/* Open addressing with linear probing, at most half full; nothing is ever removed. */
#include "base/map.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/util.h"

#include <stdint.h>

struct map_slot {
    const void *key;
    void *value;
};

static size_t hash_pointer(const void *key)
{
    uint64_t hash = (uintptr_t)key * 0x9e3779b97f4a7c15u; /* Fibonacci hashing: the high bits mix */

    return (size_t)(hash ^ (hash >> 32));
}

/* The slot of @key, or the empty one where it belongs. */
static struct map_slot *find_slot(const struct map *map, const void *key)
{
    size_t mask = map->slot_count - 1;
    size_t i = hash_pointer(key) & mask;

    while (map->slots[i].key && map->slots[i].key != key)
        i = (i + 1) & mask;
    return &map->slots[i];
}

static void grow(struct map *map)
{
    struct map bigger = *map;

    bigger.slot_count = map->slot_count ? map->slot_count * 2 : 16;
    bigger.slots = memory_new(bigger.slot_count, sizeof(bigger.slots[0]));
    for (size_t i = 0; i < map->slot_count; i++) {
        if (map->slots[i].key)
            *find_slot(&bigger, map->slots[i].key) = map->slots[i];
    }
    memory_free(map->slots);
    *map = bigger;
}

void map_set(struct map *map, const void *key, const void *value)
{
    assert(key);
    if (map->count * 2 >= map->slot_count)
        grow(map);
    struct map_slot *slot = find_slot(map, key);
    if (!slot->key) {
        slot->key = key;
        map->count++;
    }
    slot->value = (void *)(uintptr_t)value; /* NOLINT(performance-no-int-to-ptr): drops const */
}

void *map_get(const struct map *map, const void *key)
{
    return map->slot_count && key ? find_slot(map, key)->value : NULL;
}

bool map_has(const struct map *map, const void *key)
{
    return map->slot_count && key && find_slot(map, key)->key;
}

void map_finish(struct map *map)
{
    memory_free(map->slots);
    *map = (struct map){0};
}

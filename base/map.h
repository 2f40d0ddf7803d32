/*
 * A hash map from pointers to pointers (or integers cast to them): side tables of passes.
 * A zeroed map is empty and ready.  NULL is no key.  Iteration order is never used: what is
 * printed must not depend on addresses.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct map {
    struct map_slot *slots;
    size_t slot_count, count;
};

/* Sets @key to @value, replacing what was there. */
void map_set(struct map *map, const void *key, const void *value);

/* What @key maps to, or NULL. */
void *map_get(const struct map *map, const void *key);
bool map_has(const struct map *map, const void *key);
void map_finish(struct map *map);

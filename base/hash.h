/*
 * Hashes.  There is one hash table, map.h, of pointers.  What is looked up by its contents has its hash
 * as key; where something else has that key, the hash of the hash, and so on:
 *
 *     while ((item = map_get(&items, hash_key(hash))) && !is_same(item, what))
 *         hash = hash_again(hash);
 *     if (!item)
 *         map_set(&items, hash_key(hash), item = make(what));
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The hash of what has @hash, and then @value. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static inline uint64_t hash_bytes(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

static inline uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

static inline uint64_t hash_again(uint64_t hash)
{
    return hash_mix(hash, 1);
}

/* As the key of a map, which is never NULL. */
static inline const void *hash_key(uint64_t hash)
{
    return (const void *)(uintptr_t)(hash | 1); /* NOLINT(performance-no-int-to-ptr): never read */
}

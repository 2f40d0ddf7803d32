/*
 * XXH64, with seed 0, as its specification says: finds what was damaged or exchanged by accident, at the speed of
 * memory.  What has to tell any two contents apart is in digest.h.
 *
 * All inline: runtime/, which links nothing of base/, reads it too.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define XXH64_PRIME1 UINT64_C(0x9E3779B185EBCA87)
#define XXH64_PRIME2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define XXH64_PRIME3 UINT64_C(0x165667B19E3779F9)
#define XXH64_PRIME4 UINT64_C(0x85EBCA77C2B2AE63)
#define XXH64_PRIME5 UINT64_C(0x27D4EB2F165667C5)

enum { XXH64_STRIPE = 32, XXH64_LANES = 4 };

static inline uint64_t xxh64_turn(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

/* Files are little-endian, and so are the machines that there is code for. */
static inline uint64_t xxh64_read_64(const unsigned char *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof(value));
    return value;
}

static inline uint64_t xxh64_read_32(const unsigned char *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof(value));
    return value;
}

static inline uint64_t xxh64_step(uint64_t lane, uint64_t word)
{
    return xxh64_turn(lane + word * XXH64_PRIME2, 31) * XXH64_PRIME1;
}

/* The whole stripes from *@at on. */
static inline uint64_t xxh64_stripes(const unsigned char **at, const unsigned char *end)
{
    static const unsigned turns[XXH64_LANES] = {1, 7, 12, 18};
    uint64_t lanes[XXH64_LANES] = {XXH64_PRIME1 + XXH64_PRIME2, XXH64_PRIME2, 0, -XXH64_PRIME1},
             hash = 0;

    for (; end - *at >= XXH64_STRIPE; *at += XXH64_STRIPE)
        for (unsigned i = 0; i < XXH64_LANES; i++)
            lanes[i] = xxh64_step(lanes[i], xxh64_read_64(*at + i * sizeof(uint64_t)));
    for (unsigned i = 0; i < XXH64_LANES; i++)
        hash += xxh64_turn(lanes[i], turns[i]);
    for (unsigned i = 0; i < XXH64_LANES; i++)
        hash = (hash ^ xxh64_step(0, lanes[i])) * XXH64_PRIME1 + XXH64_PRIME4;
    return hash;
}

static inline uint64_t xxh64_rest(uint64_t hash, const unsigned char *at, const unsigned char *end)
{
    for (; end - at >= 8; at += 8)
        hash =
            xxh64_turn(hash ^ xxh64_step(0, xxh64_read_64(at)), 27) * XXH64_PRIME1 + XXH64_PRIME4;
    if (end - at >= 4) {
        hash =
            xxh64_turn(hash ^ xxh64_read_32(at) * XXH64_PRIME1, 23) * XXH64_PRIME2 + XXH64_PRIME3;
        at += 4;
    }
    for (; at < end; at++)
        hash = xxh64_turn(hash ^ *at * XXH64_PRIME5, 11) * XXH64_PRIME1;
    return hash;
}

static inline uint64_t xxh64(const void *bytes, size_t size)
{
    const unsigned char *at = bytes, *end = size ? at + size : at;
    uint64_t hash = size >= XXH64_STRIPE ? xxh64_stripes(&at, end) : XXH64_PRIME5;

    hash = xxh64_rest(hash + size, at, end);
    hash = (hash ^ hash >> 33) * XXH64_PRIME2;
    hash = (hash ^ hash >> 29) * XXH64_PRIME3;
    return hash ^ hash >> 32;
}

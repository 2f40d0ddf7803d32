/* See hash.h. */
#include "runtime/hash.h"

#include <string.h>

#define PRIME1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME3 UINT64_C(0x165667B19E3779F9)
#define PRIME4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME5 UINT64_C(0x27D4EB2F165667C5)

enum { STRIPE = 32, LANES = 4 };

static uint64_t turn(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

/* Files are little-endian, and so are the machines that there is code for. */
static uint64_t read_64(const unsigned char *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof(value));
    return value;
}

static uint64_t read_32(const unsigned char *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof(value));
    return value;
}

static uint64_t step(uint64_t lane, uint64_t word)
{
    return turn(lane + word * PRIME2, 31) * PRIME1;
}

/* The whole stripes from *@at on. */
static uint64_t hash_stripes(const unsigned char **at, const unsigned char *end)
{
    static const unsigned turns[LANES] = {1, 7, 12, 18};
    uint64_t lanes[LANES] = {PRIME1 + PRIME2, PRIME2, 0, -PRIME1}, hash = 0;

    for (; end - *at >= STRIPE; *at += STRIPE)
        for (unsigned i = 0; i < LANES; i++)
            lanes[i] = step(lanes[i], read_64(*at + i * sizeof(uint64_t)));
    for (unsigned i = 0; i < LANES; i++)
        hash += turn(lanes[i], turns[i]);
    for (unsigned i = 0; i < LANES; i++)
        hash = (hash ^ step(0, lanes[i])) * PRIME1 + PRIME4;
    return hash;
}

static uint64_t hash_rest(uint64_t hash, const unsigned char *at, const unsigned char *end)
{
    for (; end - at >= 8; at += 8)
        hash = turn(hash ^ step(0, read_64(at)), 27) * PRIME1 + PRIME4;
    if (end - at >= 4) {
        hash = turn(hash ^ read_32(at) * PRIME1, 23) * PRIME2 + PRIME3;
        at += 4;
    }
    for (; at < end; at++)
        hash = turn(hash ^ *at * PRIME5, 11) * PRIME1;
    return hash;
}

uint64_t inlay_hash(const void *bytes, size_t size)
{
    const unsigned char *at = bytes, *end = size ? at + size : at;
    uint64_t hash = size >= STRIPE ? hash_stripes(&at, end) : PRIME5;

    hash = hash_rest(hash + size, at, end);
    hash = (hash ^ hash >> 33) * PRIME2;
    hash = (hash ^ hash >> 29) * PRIME3;
    return hash ^ hash >> 32;
}

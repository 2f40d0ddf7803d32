/* SHA-256 as FIPS 180-4 defines it. */
#include "base/digest.h"

#include <stdio.h>
#include <string.h>

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turned(uint32_t value, unsigned bits)
{
    return value >> bits | value << (32 - bits);
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void extend(uint32_t words[64], const unsigned char *block)
{
    for (unsigned i = 0; i < 16; i++)
        words[i] = big_endian(block + 4 * i);
    for (unsigned i = 16; i < 64; i++) {
        uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + words[i - 7] +
                   (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
}

static void add_block(uint32_t hash[8], const unsigned char *block)
{
    uint32_t words[64], h[8];
    extend(words, block);
    memcpy(h, hash, sizeof(h));
    for (unsigned i = 0; i < 64; i++) {
        uint32_t choice = (h[4] & h[5]) ^ (~h[4] & h[6]);
        uint32_t majority = (h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]);
        uint32_t first = h[7] + (turned(h[4], 6) ^ turned(h[4], 11) ^ turned(h[4], 25)) + choice +
                         constants[i] + words[i];
        uint32_t second = (turned(h[0], 2) ^ turned(h[0], 13) ^ turned(h[0], 22)) + majority;
        memmove(h + 1, h, 7 * sizeof(*h));
        h[4] += first;
        h[0] = first + second;
    }
    for (unsigned i = 0; i < 8; i++)
        hash[i] += h[i];
}

void digest_begin(struct digest_state *state)
{
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(state, 0, sizeof(*state));
    memcpy(state->hash, first, sizeof(first));
}

void digest_add(struct digest_state *state, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    size_t waiting = state->length % 64;
    state->length += size;
    if (waiting) {
        size_t part = size < 64 - waiting ? size : 64 - waiting;
        memcpy(state->block + waiting, bytes, part);
        bytes += part;
        size -= part;
        if (waiting + part < 64)
            return;
        add_block(state->hash, state->block);
    }
    for (; size >= 64; bytes += 64, size -= 64)
        add_block(state->hash, bytes);
    if (size)
        memcpy(state->block, bytes, size);
}

void digest_add_text(struct digest_state *state, const char *text)
{
    digest_add(state, text, strlen(text) + 1);
}

struct digest digest_end(struct digest_state *state)
{
    static const unsigned char padding[64] = {0x80};
    unsigned char bits[8];
    struct digest digest;
    for (unsigned i = 0; i < 8; i++)
        bits[i] = (unsigned char)(state->length * 8 >> (56 - 8 * i));
    digest_add(state, padding, 1 + (119 - state->length % 64) % 64);
    digest_add(state, bits, sizeof(bits));
    for (unsigned i = 0; i < DIGEST_SIZE; i++)
        digest.bytes[i] = (unsigned char)(state->hash[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

struct digest digest_of(const void *data, size_t size)
{
    struct digest_state state;
    digest_begin(&state);
    digest_add(&state, data, size);
    return digest_end(&state);
}

void digest_text(const struct digest *digest, char out[2 * DIGEST_SIZE + 1])
{
    for (unsigned i = 0; i < DIGEST_SIZE; i++)
        snprintf(out + 2 * i, 3, "%02x", digest->bytes[i]);
}

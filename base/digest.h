/* SHA-256: names contents so that two that differ have other names. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { DIGEST_SIZE = 32 };
struct digest {
    unsigned char bytes[DIGEST_SIZE];
};

/* Begun with digest_begin(), fed in any pieces. */
struct digest_state {
    uint32_t hash[8];
    uint64_t length;
    unsigned char block[64]; /* length % 64 bytes of it wait */
};

void digest_begin(struct digest_state *state);
void digest_add(struct digest_state *state, const void *data, size_t size);
/* @text and its end, so that two texts are not one. */
void digest_add_text(struct digest_state *state, const char *text);
struct digest digest_end(struct digest_state *state);

struct digest digest_of(const void *data, size_t size);
/* 64 digits and a NUL. */
void digest_text(const struct digest *digest, char out[2 * DIGEST_SIZE + 1]);

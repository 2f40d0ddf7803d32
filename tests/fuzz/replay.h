/* Changes of inputs that replay.c runs besides the inputs. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *items;
    size_t count, capacity;
};

uint32_t next_random(uint32_t *state);

/* change_tokens.c: a mistake or a few as people make them, of tokens, arguments and lines. */
void change_tokens(struct bytes *bytes, uint32_t *random);

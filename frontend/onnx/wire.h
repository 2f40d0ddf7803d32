/*
 * Protocol buffers before they are decoded: every length is inside of what is around it, nothing nests deeper
 * than a limit, and long raw data are named by their place, not copied.
 */
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    WIRE_DEPTH_LIMIT = 200, /* messages in messages */
    WIRE_MAPPED_LEAST = 64, /* raw data of so many bytes stay where they are */
};

/*
 * Writes the model at @bytes to @out without its long raw data and without fields that nobody reads.
 * False with a sentence in *@out_why and the place in *@out_offset.
 */
bool wire_shrink_model(const uint8_t *bytes, size_t size, struct text *out, const char **out_why,
                       size_t *out_offset);

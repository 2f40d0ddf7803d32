/* Makes one relocatable object of several, as a linker does that is asked to link partially. */
#pragma once

#include "base/text.h"

#include <stddef.h>

struct join_part {
    const char *data;
    size_t size;
};

/*
 * Appends the object of @parts to @out: sections of one name become one, symbols are resolved among the
 * parts, and what is hidden becomes local.  ELF of 64 bits with explicit addends.  Returns NULL, or what is
 * wrong.
 */
const char *join_objects(const struct join_part *parts, size_t count, struct text *out);

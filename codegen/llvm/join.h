/* Makes one relocatable object of several, as a linker does that is asked to link partially. */
#pragma once

#include "base/text.h"

#include <stddef.h>

struct join_part {
    const char *data;
    size_t size;
};

/* Bytes that parts refer to by a hidden name, aligned to 64. */
struct join_data {
    const char *name;
    const void *bytes;
    size_t size;
};

/*
 * Appends the object of @parts to @out: sections of one name become one, symbols are resolved among the
 * parts, and what is hidden becomes local.  @data lies in it, too.  ELF of 64 bits with explicit addends.  Returns NULL, or what is
 * wrong.
 */
const char *join_objects(const struct join_part *parts, size_t count, const struct join_data *data,
                         size_t data_count, struct text *out);

/* What a file says of itself: the section .inlay of an object, a library or the object in an archive. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>

/*
 * The note has three texts, each with a 0 behind it: JSON (the manifest), sentences for people, and a table for
 * tools, a line each:
 *
 *     abi NUMBER
 *     weights PREFIX FILE               if there are some: of the names of their functions
 *     weight NAME OFFSET BYTES XXH64    of a tensor in the file
 *     function NAME SYMBOL
 *     argument NAME     of the function in front, in order; tuples field by field
 *     result ARGUMENT   that it lies in, -1: in room of its own
 */
struct artifact_note {
    const char *json, *summary, *table;
    const char *object; /* the file, or the member of the archive */
    size_t object_size;
    bool is_library; /* a shared one */
};

/* @data is a file of @size bytes; NULL, or why it has no note. */
const char *artifact_note_find(const char *data, size_t size, struct artifact_note *out);

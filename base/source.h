/* Source texts and places in them. */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* One text that was read.  Lives in an arena; the text is NUL-terminated at @length. */
struct source {
    const char *name; /* as the user gave it */
    const char *text;
    size_t length;
    const uint32_t *line_starts; /* offset of each line's first byte */
    unsigned line_count;
};

/* Bytes [begin, end) of @source; a zeroed location means "nowhere". */
struct location {
    const struct source *source;
    uint32_t begin, end;
};

/* Takes a copy of @text into @arena and finds its lines (LF, CRLF or CR end one). */
struct source *source_new(struct arena *arena, const char *name, const char *text, size_t length);

/* 1-based line of byte @offset; 1-based column in bytes goes to @out_column unless NULL. */
unsigned source_line(const struct source *source, uint32_t offset, unsigned *out_column);

/* 1-based line of @location, 0 for nowhere. */
unsigned location_line(struct location location);

/* From the begin of @first to the end of @last. */
struct location location_join(struct location first, struct location last);

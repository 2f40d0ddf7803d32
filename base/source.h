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

/* The empty places right in front of @location and right behind it. */
struct location location_before(struct location location);
struct location location_behind(struct location location);
/* The line that @location begins in, with the end of the line. */
struct location location_whole_line(struct location location);

/*
 * The text of the argument @index of the call, list or tuple that @call is, or that is given as @keyword
 * (or NULL); @call itself if there is none.
 */
struct location location_argument(struct location call, unsigned index, const char *keyword);
/* The first @text from the begin of @from on; @from if there is none. */
struct location location_text_behind(struct location from, const char *text);
/* The one place of the word @name in @in; nowhere if there is none, or another one. */
struct location location_word(struct location in, const char *name);

/* The text at a location, for "%.*s". */
#define LOCATION_TEXT(loc) (int)((loc).end - (loc).begin), (loc).source->text + (loc).begin

/* From the begin of @first to the end of @last. */
struct location location_join(struct location first, struct location last);

/*
 * A text that an editor has open, as it is there now, and places in it as the protocol counts them: lines from 0,
 * and in a line units of UTF-16.
 */
#pragma once

#include "base/source.h"
#include "base/text.h"
#include "lsp/look.h"

#include <sys/types.h>

struct place {
    unsigned line, unit;
};

/* What stands behind a call. */
struct hint {
    uint32_t at; /* byte of the text; moves with edits */
    bool is_gone;
    char *label, *tip;
};

struct hints {
    struct hint *items;
    size_t count, capacity; /* an array() */
};

struct document {
    char *uri, *name; /* name: its path, or the URI of what is no file */
    struct text text;
    long version;
    struct look *look; /* what is known of the text; NULL: it was not looked at since it changed */
    bool is_dirty;     /* its diagnostics are to be published */
    struct hints hints;
    bool has_hints; /* of the text as it is; else they are of an earlier one, and moved */
};

struct document *document_new(const char *uri);
void document_free(struct document *document);

/* The byte of @place; behind the end of a line: that end; behind the text: its end. */
size_t document_offset(const struct text *text, struct place place);
/* The place of byte @offset of @source. */
struct place document_place(const struct source *source, uint32_t offset);

/* Puts @text in the place of what stands from @begin to @end. */
void document_replace(struct document *document, struct place begin, struct place end,
                      const char *text, size_t length);
void document_set(struct document *document, const char *text, size_t length);

void hints_clear(struct hints *hints);

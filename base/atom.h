/* Interned names: equal text is the same pointer, so names are compared with ==. */
#pragma once

#include "base/arena.h"
#include "base/map.h"

struct atoms {
    struct arena *arena; /* holds the text; set by the owner before the first use */
    struct map heads;    /* by hash */
};

/* The atom of @length bytes at @text.  NUL-terminated; lives as long as the arena. */
const char *atom_intern(struct atoms *atoms, const char *text, size_t length) MUST_USE;
const char *atom_intern_text(struct atoms *atoms, const char *text) MUST_USE;
const char *atom_printf(struct atoms *atoms, const char *format, ...) PRINTF(2, 3) MUST_USE;

/* Frees the table; the text goes with the arena. */
void atoms_finish(struct atoms *atoms);

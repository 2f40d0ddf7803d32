/* Where objects are kept that were compiled before, and what is in there. */
#pragma once

#include "base/arena.h"
#include "base/store.h"

enum { OBJECT_CACHE_BYTES = 1 << 30 };

/* $XDG_CACHE_HOME/inlay, or ~/.cache/inlay; NULL: the environment names no place. */
const char *object_cache_folder(struct arena *arena);

/* What is in @folder, after all is taken away if @clears.  False: it cannot be used. */
bool object_cache_look(const char *folder, bool clears, struct store_sums *out);

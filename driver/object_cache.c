/* The folder of compiled objects; see base/store.h for what lies in it, codegen/llvm/units.c for who uses it. */
#include "driver/object_cache.h"

#include <stdlib.h>

const char *object_cache_folder(struct arena *arena)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (base && *base == '/')
        return arena_printf(arena, "%s/inlay", base);
    return home && *home == '/' ? arena_printf(arena, "%s/.cache/inlay", home) : NULL;
}

bool object_cache_look(const char *folder, bool clears, struct store_sums *out)
{
    struct store store;

    store_open(&store, folder, OBJECT_CACHE_BYTES, false);
    bool is_open = store_is_open(&store);
    *out = store_shrink(&store, clears ? 0 : UINT64_MAX);
    store_close(&store);
    return is_open;
}

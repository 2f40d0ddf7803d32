/* Packed functions from libraries that --load names. */
#include "driver/packed.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool packed_load(struct packed *packed, const struct driver_options *options, struct diag *diag)
{
    *packed = (struct packed){0};
    for (size_t i = 0; i < options->libraries.count; i++) {
        /* The file that was named, not one of that name from the system's folders. */
        const char *name = options->libraries.items[i];
        char *path = realpath(name, NULL);
        void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
        if (library)
            array_push(&packed->libraries, library);
        else
            diag_report(diag, (struct location){0}, LIBRARY_FAILED, name,
                        path ? dlerror() : strerror(errno));
        free(path);
        if (!library)
            return false;
    }
    return true;
}

inlay_packed_fn *packed_find(const struct packed *packed, const char *symbol, void **out_handle)
{
    struct text name = {0};
    void *found = NULL;
    text_printf(&name, "__tvm_ffi_%s", symbol);
    for (size_t i = 0; i < packed->libraries.count && !found; i++)
        found = dlsym(packed->libraries.items[i], text_string(&name));
    text_finish(&name);
    inlay_packed_fn *function;
    memcpy(&function, &found, sizeof(function)); /* ISO C has no cast from data to function */
    *out_handle = NULL;
    return function;
}

void packed_finish(struct packed *packed)
{
    for (size_t i = 0; i < packed->libraries.count; i++)
        dlclose(packed->libraries.items[i]);
    array_finish(&packed->libraries);
}

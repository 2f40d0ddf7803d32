/* See llvm_library.h. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "driver/llvm_library.h"

#include "driver/config.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "inlay-llvm.so"

/* The loaded file that holds the code at @address. */
struct holder {
    uintptr_t address;
    const char *name; /* "" for the program itself; NULL: not found */
};

static int look_into(struct dl_phdr_info *info, size_t size, void *state)
{
    struct holder *holder = state;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && holder->address >= begin &&
            holder->address - begin < info->dlpi_phdr[i].p_memsz)
            holder->name = info->dlpi_name;
    }
    return holder->name != NULL;
}

/* The folder that this code lies in, with a slash at the end; "" if that is not known. */
static void find_folder(char folder[PATH_MAX])
{
    struct holder holder = {.address = (uintptr_t)find_folder};
    dl_iterate_phdr(look_into, &holder);
    const char *path = holder.name && *holder.name ? holder.name : "/proc/self/exe";
    char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
    size_t length = slash ? (size_t)(slash - real) + 1 : 0;
    if (length >= PATH_MAX)
        length = 0;
    if (length)
        memcpy(folder, real, length);
    folder[length] = 0;
    free(real);
}

/* NULL with the sentence in @why if it cannot be loaded. */
static void *open_path(const char *path, struct text *why)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        text_clear(why);
        text_puts(why, dlerror());
    }
    return library;
}

/* The same for a file that need not be there. */
static void *open_file(const char *folder, const char *place, struct text *why)
{
    struct text path = {0};
    text_printf(&path, "%s%s/" FILE_NAME, folder, place);
    bool is_there = access(text_string(&path), F_OK) == 0;
    void *library = is_there ? open_path(text_string(&path), why) : NULL;
    text_finish(&path);
    return library;
}

static void *open_any(struct text *why)
{
    static const char *const places[] = {".", "inlay", INLAY_FROM_BINDIR};
    char folder[PATH_MAX];
    void *library = NULL;
    find_folder(folder);
    for (size_t i = 0; i < ARRAY_SIZE(places) && *folder && !library; i++)
        library = open_file(folder, places[i], why);
    return library ? library : open_file("", INLAY_LIBRARY_FOLDER, why);
}

const struct codegen_api *llvm_library_open(struct diag *diag, const char *path, void **out_library)
{
    struct text why = {0};
    if (!*out_library)
        *out_library = path ? open_path(path, &why) : open_any(&why);
    if (!*out_library) {
        struct diag_message *m = diag_report(diag, (struct location){0}, CODEGEN_MISSING);
        if (why.length)
            diag_note(m, "%s", text_string(&why));
        diag_help(m, "--interpret runs the script without it");
        text_finish(&why);
        return NULL;
    }
    text_finish(&why);
    void *symbol = dlsym(*out_library, "codegen_api");
    codegen_api_fn *get;
    memcpy(&get, &symbol, sizeof(get)); /* ISO C has no cast from data to function pointers */
    const struct codegen_api *api = get ? get() : NULL;
    if (!api || api->version != CODEGEN_API_VERSION) {
        struct diag_message *m = diag_report(diag, (struct location){0}, CODEGEN_MISSING);
        diag_note(m, "the " FILE_NAME " that was found belongs to another version");
        return NULL;
    }
    return api;
}

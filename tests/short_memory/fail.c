/*
 * Loaded in front of libc (LD_PRELOAD): one allocation of the process fails, or all from one on.
 *
 *     FAIL_AT=N     the N-th one, from 1
 *     FAIL_REST=1   and all behind it
 *     FAIL_COUNT=F  writes to file F how many there were
 *
 * What LLVM and the C++ library ask for is not counted and never fails: both end the process when
 * memory is short, and offer C no other way.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);

static unsigned long count, fail_at;
static bool fails_rest, is_ready;
static _Thread_local bool is_inside; /* dladdr() may allocate */

static void make_ready(void)
{
    const char *at = getenv("FAIL_AT");
    fails_rest = getenv("FAIL_REST") != NULL;
    fail_at = at ? strtoul(at, NULL, 10) : 0;
    is_ready = true;
}

/* Is the code at @address that of a library which cannot go on? */
static bool is_foreign(void *address)
{
    static const char *const names[] = {"libLLVM", "libstdc++", "ld-linux", "libgcc_s"};
    Dl_info info;
    if (!dladdr(address, &info) || !info.dli_fname)
        return false;
    /* isl makes its context with this and cannot go on without; all else of isl can */
    if (info.dli_sname && strcmp(info.dli_sname, "isl_calloc_or_die") == 0)
        return true;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strstr(info.dli_fname, names[i]))
            return true;
    return false;
}

static bool fails(void *caller)
{
    if (is_inside)
        return false;
    is_inside = true;
    if (!is_ready)
        make_ready();
    bool is_counted = !is_foreign(caller);
    is_inside = false;
    if (!is_counted)
        return false;
    unsigned long now = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    if (!fail_at || (fails_rest ? now < fail_at : now != fail_at))
        return false;
    errno = ENOMEM;
    return true;
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%lu\n", count);
    fclose(file);
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *block, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    if (fails(__builtin_return_address(0)))
        return ENOMEM;
    *out = __libc_memalign(align, size);
    return *out ? 0 : ENOMEM;
}

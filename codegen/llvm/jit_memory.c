/*
 * Memory of code that is loaded into this process: all sections of an object lie in one piece.
 *
 * Code refers to its data, and to the table that holds the addresses of functions of the C library, by distances of 32
 * bits.  LLVM's own manager maps each section where the system likes, which in a process with many libraries (torch) may
 * be further away; then a call goes anywhere.
 */
#include "codegen/llvm/internal.h"

#include <sys/mman.h>
#include <unistd.h>

enum {
    SECTIONS = 256,
    ROOM = 4 << 20, /* for stubs and tables, which the object does not have */
};

struct section {
    uint8_t *begin;
    size_t bytes; /* whole pages */
    int protection;
};
/* At the start of what it describes. */
struct slab {
    size_t bytes, used, page;
    size_t count;
    struct section sections[SECTIONS];
};

static size_t whole_pages(const struct slab *slab, size_t bytes)
{
    return (bytes + slab->page - 1) / slab->page * slab->page;
}

void *cg_jit_memory_create(void *state)
{
    const struct codegen *codegen = state;
    size_t object = LLVMGetBufferSize(codegen->object), bytes;
    long page = sysconf(_SC_PAGESIZE);

    if (page <= 0 || __builtin_mul_overflow(object, (size_t)2, &bytes) ||
        __builtin_add_overflow(bytes, (size_t)ROOM, &bytes))
        return NULL;
    struct slab *slab =
        mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slab == MAP_FAILED)
        return NULL;
    if (mprotect(slab, (sizeof(*slab) / (size_t)page + 1) * (size_t)page, PROT_READ | PROT_WRITE)) {
        munmap(slab, bytes);
        return NULL;
    }
    slab->bytes = bytes;
    slab->page = (size_t)page;
    slab->used = whole_pages(slab, sizeof(*slab));
    return slab;
}

/* Each section has pages of its own, so that each is protected as it should be. */
static uint8_t *add_section(struct slab *slab, size_t bytes, unsigned alignment, int protection)
{
    if (!slab || slab->count == SECTIONS || alignment > slab->page || bytes > slab->bytes)
        return NULL;
    size_t whole = whole_pages(slab, bytes ? bytes : 1);
    uint8_t *begin = (uint8_t *)slab + slab->used;
    if (whole > slab->bytes - slab->used || mprotect(begin, whole, PROT_READ | PROT_WRITE))
        return NULL;
    slab->sections[slab->count++] = (struct section){begin, whole, protection};
    slab->used += whole;
    return begin;
}

uint8_t *cg_jit_memory_code(void *state, uintptr_t bytes, unsigned alignment, unsigned id,
                            const char *name)
{
    return add_section(state, bytes, alignment, PROT_READ | PROT_EXEC);
}

uint8_t *cg_jit_memory_data(void *state, uintptr_t bytes, unsigned alignment, unsigned id,
                            const char *name, LLVMBool is_read_only)
{
    return add_section(state, bytes, alignment, is_read_only ? PROT_READ : PROT_READ | PROT_WRITE);
}

LLVMBool cg_jit_memory_finalize(void *state, char **out_message)
{
    struct slab *slab = state;

    for (size_t i = 0; slab && i < slab->count; i++) {
        const struct section *section = &slab->sections[i];
        if (mprotect(section->begin, section->bytes, section->protection)) {
            *out_message = LLVMCreateMessage("memory of code cannot be protected");
            return true;
        }
        if (section->protection & PROT_EXEC)
            __builtin___clear_cache((char *)section->begin,
                                    (char *)section->begin + section->bytes);
    }
    return false;
}

void cg_jit_memory_destroy(void *state)
{
    struct slab *slab = state;

    if (slab)
        munmap(slab, slab->bytes);
}

void cg_jit_memory_ended(void *state)
{
}

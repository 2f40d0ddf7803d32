/*
 * Memory of code that is loaded into this process: all sections of an object lie in one piece.
 *
 * Code refers to its data, and to the table that holds the addresses of functions of the C library, by distances of 32
 * bits.  LLVM's own manager maps each section where the system likes, which in a process with many libraries (torch) may
 * be further away; then a call goes anywhere.
 *
 * LLVM ends the process where a section finds no memory.  So the piece is mapped before LLVM is asked, as large as the
 * object's sections can become; what stays unused is never touched.
 */
#include "codegen/llvm/internal.h"

#include <llvm-c/Object.h>

#include <sys/mman.h>
#include <unistd.h>

/* Sections that LLVM makes itself: the table of addresses, common symbols. */
enum { OWN_SECTIONS = 8 };

struct section {
    uint8_t *begin;
    size_t bytes; /* whole pages */
    int protection;
};
/* At the start of the piece that it describes. */
struct slab {
    size_t bytes, used, page;
    size_t count, limit;
    struct section sections[];
};

static bool add_pages(size_t *total, size_t bytes, size_t page)
{
    size_t rounded;

    if (__builtin_add_overflow(bytes, page - 1, &rounded))
        return false;
    return !__builtin_add_overflow(*total, rounded / page * page, total);
}

/*
 * How many sections @object has, and the bytes that they take at most, each on pages of its own: a section may have
 * stubs behind it, and the table of addresses has entries, each for a relocation, which takes more in the object.
 */
static bool measure(LLVMMemoryBufferRef object, size_t page, size_t *out_count, size_t *out_bytes)
{
    char *message = NULL;
    LLVMBinaryRef binary = LLVMCreateBinary(object, NULL, &message);
    size_t count = OWN_SECTIONS, bytes = 0;
    bool is_fine = binary != NULL;

    LLVMDisposeMessage(message);
    if (!binary)
        return false;
    LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(binary);
    for (; !LLVMObjectFileIsSectionIteratorAtEnd(binary, section); LLVMMoveToNextSection(section)) {
        count++;
        is_fine = is_fine && add_pages(&bytes, LLVMGetSectionSize(section), page) &&
                  add_pages(&bytes, 1, page);
    }
    LLVMDisposeSectionIterator(section);
    LLVMDisposeBinary(binary);
    for (size_t i = 0; i < OWN_SECTIONS; i++)
        is_fine = is_fine && add_pages(&bytes, page, page);
    is_fine = is_fine && add_pages(&bytes, LLVMGetBufferSize(object), page) &&
              add_pages(&bytes, LLVMGetBufferSize(object), page) &&
              add_pages(&bytes, sizeof(struct slab) + count * sizeof(struct section), page);
    *out_count = count;
    *out_bytes = bytes;
    return is_fine;
}

void *cg_jit_memory_reserve(LLVMMemoryBufferRef object)
{
    long page = sysconf(_SC_PAGESIZE);
    size_t count, bytes;

    if (page <= 0 || !measure(object, (size_t)page, &count, &bytes))
        return NULL;
    struct slab *slab =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slab == MAP_FAILED)
        return NULL;
    slab->bytes = bytes;
    slab->page = (size_t)page;
    slab->limit = count;
    add_pages(&slab->used, sizeof(*slab) + count * sizeof(slab->sections[0]), slab->page);
    return slab;
}

void *cg_jit_memory_create(void *state)
{
    struct codegen *codegen = state;
    void *slab = codegen->code_memory;

    codegen->code_memory = NULL; /* for one object, whose loader has it now */
    return slab;
}

/* Each section has pages of its own, so that each is protected as it should be. */
static uint8_t *add_section(struct slab *slab, size_t bytes, unsigned alignment, int protection)
{
    size_t end = slab ? slab->used : 0;

    if (!slab || slab->count == slab->limit || alignment > slab->page ||
        !add_pages(&end, bytes ? bytes : 1, slab->page) || end > slab->bytes)
        return NULL;
    uint8_t *begin = (uint8_t *)slab + slab->used;
    slab->sections[slab->count++] = (struct section){begin, end - slab->used, protection};
    slab->used = end;
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

#include "runtime/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    ALIGNMENT = 64,
    PAGE = 4096,
    HUGE_PAGE = 2 << 20,
    HUGE_LEAST = 2 * HUGE_PAGE, /* smaller blocks would be mostly slack */
};

struct kept {
    struct kept *next;
    size_t bytes;
};
_Static_assert(sizeof(struct kept) <= ALIGNMENT, "every block has room for it");

struct inlay_memory {
    struct kept *kept; /* the last given first: its pages are warm */
    size_t kept_bytes, used_bytes, peak_bytes;
};

struct inlay_memory *inlay_memory_create(void)
{
    return calloc(1, sizeof(struct inlay_memory));
}

void inlay_memory_destroy(struct inlay_memory *memory)
{
    if (!memory)
        return;
    while (memory->kept) {
        struct kept *next = memory->kept->next;
        free(memory->kept);
        memory->kept = next;
    }
    free(memory);
}

void inlay_memory_advise(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    uintptr_t begin = (uintptr_t)block / PAGE * PAGE, end = (uintptr_t)block + bytes;

    if (bytes >= HUGE_PAGE)
        (void)madvise((void *)begin, end - begin, // NOLINT(performance-no-int-to-ptr)
                      MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

static void *allocate(size_t bytes)
{
    if (bytes < HUGE_LEAST)
        return aligned_alloc(ALIGNMENT, bytes);
    if (bytes > (size_t)-1 - HUGE_PAGE)
        return NULL;
    size_t rounded = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *block = aligned_alloc(HUGE_PAGE, rounded);
    if (block)
        inlay_memory_advise(block, rounded);
    return block;
}

/* The first kept block that has @bytes and at most an eighth more. */
static struct kept *find(struct inlay_memory *memory, size_t bytes)
{
    for (struct kept **at = &memory->kept; *at; at = &(*at)->next) {
        struct kept *block = *at;
        if (block->bytes < bytes || block->bytes - bytes > bytes / 8)
            continue;
        *at = block->next;
        memory->kept_bytes -= block->bytes;
        return block;
    }
    return NULL;
}

void *inlay_memory_take(struct inlay_memory *memory, size_t bytes, size_t *out_bytes)
{
    struct kept *found = memory ? find(memory, bytes) : NULL;
    *out_bytes = found ? found->bytes : bytes;
    void *block = found ? found : allocate(bytes);
    if (!block || !memory)
        return block;
    memory->used_bytes += *out_bytes;
    if (memory->used_bytes > memory->peak_bytes)
        memory->peak_bytes = memory->used_bytes;
    return block;
}

void inlay_memory_give(struct inlay_memory *memory, void *block, size_t bytes)
{
    if (!memory) {
        free(block);
        return;
    }
    memory->used_bytes -= bytes;
    if (memory->kept_bytes + bytes > memory->peak_bytes) {
        free(block);
        return;
    }
    struct kept *kept = block;
    kept->bytes = bytes;
    kept->next = memory->kept;
    memory->kept = kept;
    memory->kept_bytes += bytes;
}

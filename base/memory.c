#include "base/memory.h"

#include "base/guard.h"

#include <stdint.h>
#include <stdlib.h>

/* A block stands alone, or in the ring of the guard that it was allocated under. */
static void link_block(struct guard_link *block)
{
    struct guard *guard = guard_now();
    struct guard_link *ring = guard ? &guard->blocks : block;

    if (!guard)
        block->next = block->prev = block;
    block->next = ring->next;
    block->prev = ring;
    block->next->prev = block;
    ring->next = block;
}

void *memory_new(size_t size, size_t count)
{
    struct guard_link *block = NULL;
    size_t bytes;

    if (!__builtin_mul_overflow(size, count, &bytes) &&
        !__builtin_add_overflow(bytes, sizeof(*block), &bytes) && bytes <= PTRDIFF_MAX)
        block = calloc(1, bytes);
    if (!block)
        memory_short();
    link_block(block);
    return block + 1;
}

void *memory_resize(void *old, size_t size)
{
    struct guard_link *moved = NULL;

    if (!old)
        return memory_new(size, 1);
    struct guard_link *block = (struct guard_link *)old - 1;
    bool is_alone = block->next == block;
    if (size <= PTRDIFF_MAX - sizeof(*block))
        moved = realloc(block, size + sizeof(*block));
    if (!moved)
        memory_short();
    if (is_alone)
        moved->next = moved->prev = moved;
    moved->next->prev = moved;
    moved->prev->next = moved;
    return moved + 1;
}

void memory_free(void *old)
{
    if (!old)
        return;
    struct guard_link *block = (struct guard_link *)old - 1;
    block->next->prev = block->prev;
    block->prev->next = block->next;
    free(block);
}

_Noreturn void memory_short(void)
{
    guard_leave(GUARD_MEMORY, __FILE__, __LINE__, "out of memory");
    base_die(__FILE__, __LINE__, "out of memory");
}

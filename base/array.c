#include "base/array.h"

#include "base/memory.h"
#include "base/util.h"

#include <string.h>

void *array_grow(void *items, size_t count, size_t *capacity, size_t extra, size_t size)
{
    size_t wanted;
    size_t bytes;

    if (extra <= *capacity - count)
        return items;
    if (__builtin_add_overflow(count, extra, &wanted))
        memory_short();
    if (wanted < *capacity * 2)
        wanted = *capacity * 2;
    if (wanted < 8)
        wanted = 8;
    if (__builtin_mul_overflow(wanted, size, &bytes))
        memory_short();
    items = memory_resize(items, bytes);
    *capacity = wanted;
    return items;
}

void array_release(void *items_address, size_t *count, size_t *capacity)
{
    void *items;

    memcpy(&items, items_address, sizeof(items));
    memory_free(items);
    memset(items_address, 0, sizeof(items));
    *count = *capacity = 0;
}

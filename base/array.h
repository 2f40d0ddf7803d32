/*
 * A growable array of any type, on malloc.
 *
 *     array(int) numbers = {0};
 *     array_push(&numbers, 7);
 *     for (size_t i = 0; i < numbers.count; i++) use(numbers.items[i]);
 *     array_finish(&numbers);
 *
 * A zeroed array is empty and ready.  What happens when memory is short stands in memory.h.  Not for runtime/, which returns allocation failures.
 */
#pragma once

#include <stddef.h>

#define array(type)             \
    struct {                    \
        type *items;            \
        size_t count, capacity; \
    }

/* Appends VALUE. */
#define array_push(array, ...) \
    (array_reserve(array, 1), (void)((array)->items[(array)->count++] = (__VA_ARGS__)))

/* Makes room for EXTRA more items; the count does not change. */
#define array_reserve(array, extra)                                                           \
    ((array)->items = array_grow((array)->items, (array)->count, &(array)->capacity, (extra), \
                                 sizeof((array)->items[0])))

#define array_last(array)   ((array)->items[(array)->count - 1])
#define array_pop(array)    ((array)->items[--(array)->count])
#define array_finish(array) array_release(&(array)->items, &(array)->count, &(array)->capacity)

void *array_grow(void *items, size_t count, size_t *capacity, size_t extra, size_t size);

/* @items_address points at the items pointer. */
void array_release(void *items_address, size_t *count, size_t *capacity);

/* Preloaded: the most bytes that a process holds at once in blocks of a page or more, from a mark on.
 *
 * What a library says of its plan is one thing; this is what it takes.  Smaller blocks are bookkeeping.
 */
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { SMALLEST = 4096 };

void *__libc_malloc(size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static _Atomic long long held, highest, largest;

static void raise_to(_Atomic long long *mark, long long value)
{
    long long old = atomic_load(mark);

    while (old < value && !atomic_compare_exchange_weak(mark, &old, value))
        ;
}

static void *note(void *block)
{
    long long size = block ? (long long)malloc_usable_size(block) : 0;

    if (size >= SMALLEST) {
        raise_to(&highest, atomic_fetch_add(&held, size) + size);
        raise_to(&largest, size);
    }
    return block;
}

static void forget(void *block)
{
    long long size = block ? (long long)malloc_usable_size(block) : 0;

    if (size >= SMALLEST)
        atomic_fetch_sub(&held, size);
}

void *malloc(size_t size)
{
    return note(__libc_malloc(size));
}

void free(void *block)
{
    forget(block);
    __libc_free(block);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    void *block;

    if (__builtin_mul_overflow(count, size, &bytes) || !(block = __libc_malloc(bytes)))
        return NULL;
    return note(memset(block, 0, bytes));
}

void *realloc(void *block, size_t size)
{
    void *moved = malloc(size);
    size_t old = block ? malloc_usable_size(block) : 0;

    if (moved && block) {
        memcpy(moved, block, old < size ? old : size);
        free(block);
    }
    return moved;
}

void *memalign(size_t alignment, size_t size)
{
    return note(__libc_memalign(alignment, size));
}
void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    *out = memalign(alignment, size);
    return *out ? 0 : 12;
}

static _Atomic long long before;

void high_water_mark(void)
{
    atomic_store(&before, atomic_load(&held));
    atomic_store(&highest, atomic_load(&held));
    atomic_store(&largest, 0);
}

long long high_water_bytes(void)
{
    return atomic_load(&highest) - atomic_load(&before);
}
long long high_water_largest(void)
{
    return atomic_load(&largest);
}

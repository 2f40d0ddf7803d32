/* See blocks.h. */
#include "runtime/artifact/blocks.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    ALIGN = 64,
    PLACES = 256,    /* a decoder of 96 layers gives back the keys and values of each */
    LEAST = 1 << 16, /* bytes of a block that is kept */
    FITTING = 2,     /* times what is asked for may be given */
};

struct head { /* in front of a block */
    size_t bytes;
};
_Static_assert(sizeof(struct head) <= ALIGN, "the head keeps a block aligned");

/* One kept block.  Its size is a hint for who looks for one: the block itself is only looked at while nobody else has it. */
struct place {
    _Atomic(struct head *) head; /* NULL: none */
    atomic_size_t bytes;
};

static struct place places[PLACES];
static atomic_size_t used, kept, most_used; /* bytes of blocks of at least LEAST */

static void drop(struct head *head)
{
    atomic_fetch_sub(&kept, head->bytes);
    free(head);
}

static bool keep(struct place *place, struct head *head)
{
    struct head *none = NULL;
    size_t bytes = head->bytes; /* once it is kept, another thread may take and free it */

    if (atomic_load_explicit(&place->head, memory_order_relaxed) ||
        !atomic_compare_exchange_strong(&place->head, &none, head))
        return false;
    atomic_store_explicit(&place->bytes, bytes, memory_order_relaxed);
    return true;
}

static bool fits(size_t bytes, size_t least, size_t most)
{
    return bytes >= least && bytes <= most;
}

/* A kept block of between @least and @most bytes; NULL: none was found. */
static struct head *take_kept(size_t least, size_t most)
{
    for (unsigned i = 0; i < PLACES; i++) {
        struct place *place = &places[i];

        if (!atomic_load_explicit(&place->head, memory_order_relaxed) ||
            !fits(atomic_load_explicit(&place->bytes, memory_order_relaxed), least, most))
            continue;
        struct head *head = atomic_exchange(&place->head, NULL);
        if (!head)
            continue;
        if (fits(head->bytes, least, most)) {
            atomic_fetch_sub(&kept, head->bytes);
            return head;
        }
        if (!keep(place, head)) /* the hint was that of another block */
            drop(head);
    }
    return NULL;
}

static bool is_above_most(void)
{
    return atomic_load(&used) + atomic_load(&kept) > atomic_load(&most_used);
}

/* Says of @bytes more that they are used; what is kept makes room for them. */
static void note_used(size_t bytes)
{
    size_t now = atomic_fetch_add(&used, bytes) + bytes, most = atomic_load(&most_used);
    struct head *head;

    while (now > most && !atomic_compare_exchange_weak(&most_used, &most, now))
        continue;
    while (is_above_most() && (head = take_kept(0, SIZE_MAX)) != NULL)
        free(head);
}

void *inlay_block_take(size_t bytes)
{
    if (!aligned_alloc || !free || bytes > SIZE_MAX - 2 * ALIGN)
        return NULL;
    size_t whole = (bytes + 2 * ALIGN - 1) / ALIGN * ALIGN;
    bool is_large = whole >= LEAST;
    struct head *head =
        is_large && whole <= SIZE_MAX / FITTING ? take_kept(whole, whole * FITTING) : NULL;

    if (head) {
        note_used(head->bytes);
        return (char *)head + ALIGN;
    }
    if (is_large)
        note_used(whole);
    head = aligned_alloc(ALIGN, whole);
    if (!head) {
        if (is_large)
            atomic_fetch_sub(&used, whole);
        return NULL;
    }
    head->bytes = whole;
    return (char *)head + ALIGN;
}

void inlay_block_give(void *block)
{
    if (!block)
        return;
    struct head *head = (void *)((char *)block - ALIGN);

    if (head->bytes < LEAST) {
        free(head);
        return;
    }
    atomic_fetch_sub(&used, head->bytes);
    atomic_fetch_add(&kept, head->bytes);
    for (unsigned i = 0; i < PLACES && !is_above_most(); i++)
        if (keep(&places[i], head))
            return;
    drop(head);
}

__attribute__((destructor)) static void end_blocks(void)
{
    struct head *head;

    while ((head = take_kept(0, SIZE_MAX)) != NULL)
        free(head);
}

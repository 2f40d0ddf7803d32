/*
 * The stack of a run: storage that ends in the opposite order in which it was taken.
 *
 * It begins in the arena of the host, if that gave one, and goes on in chunks of the frame's memory, which go
 * back there and so to the next run.  Each chunk knows what the stack was before.  Where memory is checked,
 * each piece is a block of its own instead, with guards around it.
 */
#include "runtime/internal.h"
#include "runtime/poison.h"

enum {
    ALIGNMENT = INLAY_STACK_ALIGNMENT,
    CHUNK_LEAST = 4096, /* bytes of a chunk that nobody has asked for beforehand */
    CHUNK_GROWTH = 1 << 20,
};

struct inlay_stack_chunk {
    struct inlay_stack below; /* without this chunk */
    size_t room;              /* of all of it, as inlay_memory_take() gave it */
};
enum { HEADER = (sizeof(struct inlay_stack_chunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

/* --- what the frame holds --- */

static struct inlay_frame *owner_of(struct inlay_frame *frame)
{
    return frame->whole ? frame->whole : frame;
}

static void add_bytes(struct inlay_frame *owner, size_t bytes)
{
    struct inlay_stats *stats = &owner->stats;
    stats->live_bytes += bytes;
    if (stats->live_bytes > stats->peak_bytes)
        stats->peak_bytes = stats->live_bytes;
}

/* A stack of a thread's part of a loop lies in what the whole frame has counted already. */
static void note_taken(struct inlay_frame *frame, size_t bytes)
{
    if (frame->whole)
        return;
    add_bytes(frame, bytes);
    frame->stats.stack_bytes += bytes;
    if (frame->stats.stack_bytes > frame->stats.stack_peak_bytes)
        frame->stats.stack_peak_bytes = frame->stats.stack_bytes;
}

static void note_given(struct inlay_frame *frame, const char *data, size_t bytes)
{
    if (frame->whole)
        return;
    inlay_count_free(frame, data, bytes);
    frame->stats.live_bytes -= bytes;
    frame->stats.stack_bytes -= bytes;
}

static bool is_within_limit(const struct inlay_frame *owner, size_t bytes)
{
    size_t limit = owner->host.memory_limit;
    return !limit || (bytes <= limit && owner->stats.live_bytes <= limit - bytes);
}

static int32_t fail_limit(struct inlay_frame *frame, const struct inlay_frame *owner, int64_t bytes,
                          uint32_t line)
{
    return inlay_fail(
        frame, INLAY_ERROR_MEMORY, line,
        "%lld bytes more would exceed the memory limit of %lld bytes (%lld are in use)",
        (long long)bytes, (long long)owner->host.memory_limit, (long long)owner->stats.live_bytes);
}

/* --- chunks --- */

void inlay_stack_init(struct inlay_stack *stack, void *data, size_t bytes)
{
    size_t skipped = -(uintptr_t)data & (ALIGNMENT - 1);
    *stack = (struct inlay_stack){0};
    if (!data || bytes < skipped + ALIGNMENT)
        return;
    stack->base = (char *)data + skipped;
    stack->size = (bytes - skipped) / ALIGNMENT * ALIGNMENT;
    ASAN_POISON_MEMORY_REGION(stack->base, stack->size);
}

/* The stack goes on in a chunk with room for @bytes, a multiple of the alignment.  False: memory is short. */
static bool add_chunk(struct inlay_frame *frame, size_t bytes)
{
    struct inlay_frame *owner = inlay_frame_lock(frame);
    size_t room = 0;
    struct inlay_stack_chunk *chunk =
        bytes <= SIZE_MAX - HEADER ? inlay_memory_take(owner->host.memory, bytes + HEADER, &room)
                                   : NULL;
    if (chunk) {
        owner->stats.allocations++;
        owner->stats.allocated_bytes += bytes;
        if (frame->whole)
            add_bytes(owner, room - HEADER);
    }
    inlay_frame_unlock(frame);
    if (!chunk)
        return false;
    chunk->below = frame->stack;
    chunk->room = room;
    frame->stack =
        (struct inlay_stack){.base = (char *)chunk + HEADER, .size = room - HEADER, .chunk = chunk};
    ASAN_POISON_MEMORY_REGION(frame->stack.base, frame->stack.size);
    return true;
}

static void drop_chunk(struct inlay_frame *frame)
{
    struct inlay_stack_chunk *chunk = frame->stack.chunk;
    ASAN_UNPOISON_MEMORY_REGION(frame->stack.base, frame->stack.size);
    frame->stack = chunk->below;
    struct inlay_frame *owner = inlay_frame_lock(frame);
    if (frame->whole)
        owner->stats.live_bytes -= chunk->room - HEADER;
    inlay_memory_give(owner->host.memory, chunk, chunk->room);
    inlay_frame_unlock(frame);
}

void inlay_stack_finish(struct inlay_frame *frame)
{
    while (frame->stack.chunk)
        drop_chunk(frame);
    ASAN_UNPOISON_MEMORY_REGION(frame->stack.base, frame->stack.size);
}

/* A chunk for one more piece: the more there was, the more there will be. */
static bool grow(struct inlay_frame *frame, size_t bytes)
{
    size_t wanted = 2 * frame->stack.size;
    if (wanted > CHUNK_GROWTH)
        wanted = CHUNK_GROWTH;
    if (wanted < CHUNK_LEAST)
        wanted = CHUNK_LEAST;
    return add_chunk(frame, bytes > wanted ? bytes : wanted);
}

void inlay_stack_reserve(struct inlay_frame *frame, int64_t bytes)
{
    const struct inlay_stack *stack = &frame->stack;
    if (bytes <= 0 || bytes > INT64_MAX - ALIGNMENT || owner_of(frame)->watch)
        return;
    size_t rounded = ((size_t)bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (stack->size - stack->used < rounded && is_within_limit(owner_of(frame), rounded))
        (void)add_chunk(frame, rounded);
}

/* --- pieces --- */

/* Where memory is checked. */
static void *take_block(struct inlay_frame *frame, int64_t bytes, uint32_t line)
{
    char *data = inlay_alloc_storage(frame, bytes, line);
    struct inlay_block *block =
        data ? (struct inlay_block *)(void *)(data - INLAY_BLOCK_HEADER) : NULL;
    if (block) {
        block->is_stacked = true;
        block->below = frame->stacked;
        frame->stacked = block;
    }
    return data;
}

static void give_block(struct inlay_frame *frame, const void *data)
{
    const struct inlay_block *block = frame->stacked;
    while (block && (const char *)block + INLAY_BLOCK_HEADER != data)
        block = block->below;
    bool is_given = !block; /* with what it was taken before */
    while (!is_given) {
        char *top = (char *)frame->stacked + INLAY_BLOCK_HEADER;
        frame->stacked = frame->stacked->below;
        is_given = top == data;
        inlay_free(frame, top);
    }
}

/* A place that nothing is read of or written to. */
static void *no_bytes(void)
{
    static const _Alignas(ALIGNMENT) char place = 0;
    union {
        const char *place;
        void *data;
    } any = {&place};
    return any.data;
}

void *inlay_stack_take(struct inlay_frame *frame, int64_t bytes, uint32_t line)
{
    struct inlay_frame *owner = owner_of(frame);
    if (owner->watch)
        return take_block(frame, bytes, line);
    if (bytes < 0 || bytes > INT64_MAX - ALIGNMENT) {
        inlay_fail(frame, INLAY_ERROR_MEMORY, line,
                   "the size of a tensor is negative or too large");
        return NULL;
    }
    size_t rounded = ((size_t)bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (rounded == 0 && !frame->stack.base)
        return no_bytes();
    if (!frame->whole && !is_within_limit(owner, rounded)) {
        fail_limit(frame, owner, bytes, line);
        return NULL;
    }
    if (frame->stack.size - frame->stack.used < rounded && !grow(frame, rounded)) {
        inlay_fail(frame, INLAY_ERROR_MEMORY, line, "out of memory: %lld bytes could not be had",
                   (long long)bytes);
        return NULL;
    }
    char *data = frame->stack.base + frame->stack.used;
    frame->stack.used += rounded;
    note_taken(frame, rounded);
    ASAN_UNPOISON_MEMORY_REGION(data, (size_t)bytes);
    return data;
}

static bool holds(const struct inlay_stack *stack, const void *data)
{
    return (uintptr_t)data - (uintptr_t)stack->base < stack->used;
}

/* What lies from @data on in the chunk in use. */
static void give_rest(struct inlay_frame *frame, char *data)
{
    size_t kept = (size_t)(data - frame->stack.base), bytes = frame->stack.used - kept;
    frame->stack.used = kept;
    note_given(frame, data, bytes);
    ASAN_POISON_MEMORY_REGION(data, bytes);
}

void inlay_stack_give(struct inlay_frame *frame, void *data)
{
    if (owner_of(frame)->watch) {
        give_block(frame, data);
        return;
    }
    const struct inlay_stack *stack = &frame->stack;
    while (!holds(stack, data) && stack->chunk)
        stack = &stack->chunk->below;
    if (!holds(stack, data))
        return; /* given before, with what it was taken on */
    while (!holds(&frame->stack, data)) {
        give_rest(frame, frame->stack.base);
        drop_chunk(frame);
    }
    give_rest(frame, data);
}

void inlay_stack_lower(struct inlay_frame *frame, void *data)
{
    if (!owner_of(frame)->watch && holds(&frame->stack, data))
        give_rest(frame, data);
}

/* Is the stack used up to @data, in the chunk that has it? */
static bool ends_at(const struct inlay_stack *stack, const char *data)
{
    return stack->base && (uintptr_t)data - (uintptr_t)stack->base == stack->used;
}

void inlay_stack_raise(struct inlay_frame *frame, void *data, int64_t bytes)
{
    if (owner_of(frame)->watch)
        return;
    while (frame->stack.chunk && !ends_at(&frame->stack, data) && frame->stack.used == 0)
        drop_chunk(frame); /* of what was taken in between */
    if (!ends_at(&frame->stack, data))
        return;
    frame->stack.used += (size_t)bytes;
    note_taken(frame, (size_t)bytes);
    ASAN_UNPOISON_MEMORY_REGION(data, (size_t)bytes);
}

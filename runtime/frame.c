/* One run: what it holds, the first error, calls out. */
#include "runtime/format.h"
#include "runtime/internal.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = INLAY_BLOCK_HEADER };

_Static_assert(sizeof(struct inlay_block) <= ALIGNMENT, "the header fits before aligned data");

/* @frame, of which nothing is kept, becomes that of a run for @host. */
static bool begin(struct inlay_frame *frame, const struct inlay_host *host)
{
    *frame = (struct inlay_frame){0};
    if (host)
        frame->host = *host;
    frame->blocks.prev = frame->blocks.next = &frame->blocks;
    inlay_stack_init(&frame->stack, frame->host.arena, frame->host.arena_bytes);
    pthread_mutex_init(&frame->lock, NULL);
    if (frame->host.checks_memory)
        frame->watch = inlay_watch_create();
    return !frame->host.checks_memory || frame->watch;
}

static void end(struct inlay_frame *frame)
{
    struct inlay_block *block = frame->blocks.next;
    while (block != &frame->blocks) {
        struct inlay_block *next = block->next;
        if (frame->watch)
            inlay_watch_unpoison(block);
        inlay_memory_give(frame->host.memory, block, block->room);
        block = next;
    }
    inlay_stack_finish(frame);
    pthread_mutex_destroy(&frame->lock);
    inlay_watch_destroy(frame->watch);
    free(frame->counted.items);
}

struct inlay_frame *inlay_frame_create(const struct inlay_host *host)
{
    struct inlay_frame *frame = malloc(sizeof(*frame));
    if (frame && !begin(frame, host)) {
        inlay_frame_destroy(frame);
        return NULL;
    }
    return frame;
}

bool inlay_frame_renew(struct inlay_frame *frame, const struct inlay_host *host)
{
    end(frame);
    return begin(frame, host);
}

void inlay_frame_destroy(struct inlay_frame *frame)
{
    if (!frame)
        return;
    end(frame);
    free(frame);
}

const struct inlay_error *inlay_frame_error(const struct inlay_frame *frame)
{
    return &frame->error;
}

const struct inlay_stats *inlay_frame_stats(const struct inlay_frame *frame)
{
    return &frame->stats;
}

struct inlay_frame *inlay_frame_lock(struct inlay_frame *frame)
{
    if (!frame->whole)
        return frame;
    pthread_mutex_lock(&frame->whole->lock);
    return frame->whole;
}

void inlay_frame_unlock(struct inlay_frame *frame)
{
    if (frame->whole)
        pthread_mutex_unlock(&frame->whole->lock);
}

/* From the memory of @owner; errors go to @frame. */
static void *allocate(struct inlay_frame *owner, struct inlay_frame *frame, int64_t bytes,
                      bool has_tensors, uint32_t line)
{
    if (bytes < 0) {
        inlay_fail(frame, INLAY_ERROR_MEMORY, line,
                   "the size of a tensor is negative or too large");
        return NULL;
    }
    size_t size = (size_t)bytes;
    size_t limit = owner->host.memory_limit;
    if (limit && (size > limit || owner->stats.live_bytes > limit - size)) {
        inlay_fail(frame, INLAY_ERROR_MEMORY, line,
                   "%lld bytes more would exceed the memory limit of %lld bytes (%lld are in use)",
                   (long long)bytes, (long long)limit, (long long)owner->stats.live_bytes);
        return NULL;
    }
    size_t extra = 2 * ALIGNMENT - 1 + (owner->watch ? INLAY_BLOCK_GUARD : 0);
    size_t rounded = size > SIZE_MAX - extra ? 0 : (size + extra) / ALIGNMENT * ALIGNMENT;
    if (rounded && rounded == ALIGNMENT)
        rounded += ALIGNMENT; /* no bytes: still a place of its own */
    size_t room = 0;
    struct inlay_block *block =
        rounded ? inlay_memory_take(owner->host.memory, rounded, &room) : NULL;
    if (!block) {
        inlay_fail(frame, INLAY_ERROR_MEMORY, line, "out of memory: %lld bytes could not be had",
                   (long long)bytes);
        return NULL;
    }
    block->bytes = size;
    block->room = room & SIZE_MAX >> 2;
    block->has_tensors = has_tensors;
    block->is_stacked = false;
    if (owner->watch)
        inlay_watch_block(block);
    block->prev = owner->blocks.prev;
    block->next = &owner->blocks;
    block->prev->next = block;
    owner->blocks.prev = block;
    if (owner->is_indexed)
        inlay_blocks_add(&owner->index, block);
    owner->stats.allocations++;
    owner->stats.allocated_bytes += size;
    owner->stats.live_bytes += size;
    if (owner->stats.live_bytes > owner->stats.peak_bytes)
        owner->stats.peak_bytes = owner->stats.live_bytes;
    if (!has_tensors)
        inlay_count(owner, size);
    return (char *)block + ALIGNMENT;
}

void *inlay_alloc(struct inlay_frame *frame, int64_t bytes, uint32_t line)
{
    void *data = allocate(inlay_frame_lock(frame), frame, bytes, false, line);
    inlay_frame_unlock(frame);
    return data;
}

void *inlay_alloc_storage(struct inlay_frame *frame, int64_t bytes, uint32_t line)
{
    void *data = allocate(inlay_frame_lock(frame), frame, bytes, true, line);
    inlay_frame_unlock(frame);
    return data;
}

static void give_back(struct inlay_frame *owner, struct inlay_block *block)
{
    if (owner->watch)
        inlay_watch_free(owner, block);
    block->prev->next = block->next;
    block->next->prev = block->prev;
    if (owner->is_indexed)
        inlay_blocks_remove(&owner->index, block);
    owner->stats.live_bytes -= block->bytes;
    if (block->has_tensors)
        inlay_count_free(owner, (const char *)block + ALIGNMENT, block->bytes);
    else
        owner->stats.needed_bytes -= block->bytes;
    inlay_memory_give(owner->host.memory, block, block->room);
}

void inlay_free(struct inlay_frame *frame, void *data)
{
    if (!data)
        return;
    struct inlay_block *block = (struct inlay_block *)(void *)((char *)data - ALIGNMENT);
    give_back(inlay_frame_lock(frame), block);
    inlay_frame_unlock(frame);
}

/* Most runs know who owns what, and need no index. */
static void make_index(struct inlay_frame *owner)
{
    struct inlay_block *block = owner->blocks.next;
    for (; block != &owner->blocks; block = block->next)
        inlay_blocks_add(&owner->index, block);
    owner->is_indexed = true;
}

/* Frees the block around @data; one that has tensors only as @is_storage. */
static void release(struct inlay_frame *frame, const void *data, bool is_storage)
{
    struct inlay_frame *owner = inlay_frame_lock(frame);
    if (data && !owner->is_indexed)
        make_index(owner);
    struct inlay_block *block = data ? inlay_blocks_find(owner->index, data) : NULL;
    if (block && !block->is_stacked && (is_storage || !block->has_tensors))
        give_back(owner, block);
    inlay_frame_unlock(frame);
}

void inlay_release(struct inlay_frame *frame, const void *data)
{
    release(frame, data, false);
}

void inlay_release_storage(struct inlay_frame *frame, const void *data)
{
    release(frame, data, true);
}

void inlay_release_value(struct inlay_frame *frame, const struct inlay_value *value)
{
    if (value->kind == INLAY_TENSOR)
        inlay_release(frame, (const char *)value->tensor->data + value->tensor->byte_offset);
    for (size_t i = 0; value->kind == INLAY_TUPLE && i < value->tuple->count; i++)
        inlay_release_value(frame, &value->tuple->fields[i]);
}

int32_t inlay_fail(struct inlay_frame *frame, int32_t kind, uint32_t line, const char *format, ...)
{
    if (frame->error.kind != INLAY_ERROR_NONE)
        return -1;
    va_list args;
    va_start(args, format);
    inlay_format_message(frame->error.message, sizeof(frame->error.message), format, args);
    va_end(args);
    frame->error.kind = (enum inlay_error_kind)kind;
    frame->error.line = line;
    return -1;
}

int32_t inlay_enter(struct inlay_frame *frame, uint32_t line)
{
    if (!inlay_has_stack(frame))
        return inlay_fail(frame, INLAY_ERROR_DEPTH, line,
                          "nested calls use up the stack of the thread; does the recursion end?");
    frame->depth++;
    return 0;
}

void inlay_leave(struct inlay_frame *frame)
{
    frame->depth--;
}

bool inlay_is_nested(const struct inlay_frame *frame)
{
    return frame->depth > 1;
}

bool inlay_is_checked(const struct inlay_frame *frame)
{
    (void)frame;
    return false;
}

const char *inlay_room_teller(void)
{
    return "inlay_module_call_with_room() does, in Python inlay.Room";
}

const size_t *inlay_argument_bytes(const struct inlay_frame *frame)
{
    return frame->host.argument_bytes;
}

int32_t inlay_call_packed(struct inlay_frame *frame, const char *symbol,
                          const struct inlay_value *args, int32_t arg_count,
                          struct inlay_value *result, uint32_t line)
{
    void *handle = NULL;
    inlay_packed_fn *function = NULL;
    if (frame->host.find_packed)
        function = frame->host.find_packed(frame->host.state, symbol, &handle);
    if (!function)
        return inlay_fail(frame, INLAY_ERROR_PACKED, line,
                          "there is no packed function `%s`; libraries are given with --load",
                          symbol);
    struct inlay_value ignored = {0};
    for (int32_t i = 0; i < arg_count; i++)
        if (args[i].kind == INLAY_TUPLE)
            return inlay_fail(frame, INLAY_ERROR_PACKED, line,
                              "argument %lld of the packed function `%s` is a tuple", (long long)i,
                              symbol);
    if (!result)
        result = &ignored;
    memset(result, 0, sizeof(*result));
    int32_t status = function(handle, args, arg_count, result);
    if (status != 0)
        return inlay_fail(frame, INLAY_ERROR_PACKED, line,
                          "the packed function `%s` failed with status %lld", symbol,
                          (long long)status);
    return 0;
}

int32_t inlay_print(struct inlay_frame *frame, const char *format, const struct inlay_value *values,
                    int32_t count)
{
    if (!frame->host.print)
        return 0;
    struct inlay_text text = {0};
    inlay_format_values(&text, format, values, count);
    int32_t status = 0;
    if (text.failed)
        status = inlay_fail(frame, INLAY_ERROR_MEMORY, 0, "out of memory while printing");
    else
        frame->host.print(frame->host.state, inlay_text_string(&text));
    inlay_text_finish(&text);
    return status;
}

int32_t inlay_assert(struct inlay_frame *frame, int32_t condition, const char *format,
                     const struct inlay_value *values, int32_t count, uint32_t line)
{
    if (condition)
        return 0;
    struct inlay_text text = {0};
    if (format && *format)
        inlay_format_values(&text, format, values, count);
    if (text.failed || text.length == 0)
        inlay_fail(frame, INLAY_ERROR_ASSERT, line, "assertion failed");
    else
        inlay_fail(frame, INLAY_ERROR_ASSERT, line, "assertion failed: %s",
                   inlay_text_string(&text));
    inlay_text_finish(&text);
    return -1;
}

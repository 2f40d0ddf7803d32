/*
 * Loops of the graph: a function whose last act is a call leaves before it.
 *
 * It says what is to be called, and with what, and returns INLAY_TAIL; whoever called it makes the call in its
 * place.  All that the functions of such a loop took from the heap is given back from turn to turn, but for what
 * the next one is given: nothing else can reach it.  The arguments are copied, since they lay among the variables
 * of the function that left.
 */
#include "runtime/internal.h"
#include "runtime/row.h"

enum { ROUND = 64 }; /* what inlay_memory_take() takes multiples of */

/* --- the size of arguments, and a copy of them --- */

static size_t bytes_of(const struct inlay_value *value)
{
    size_t bytes = 0;

    if (value->kind != INLAY_TUPLE)
        return inlay_flat_bytes(value);
    bytes = sizeof(*value->tuple) + value->tuple->count * sizeof(*value);
    for (size_t i = 0; i < value->tuple->count; i++)
        bytes += bytes_of(&value->tuple->fields[i]);
    return bytes;
}

/* Copies what @value points at to *@place and on. */
static void copy_value(struct inlay_value *value, char **place)
{
    if (value->kind != INLAY_TUPLE) {
        inlay_flat_copy(value, place);
        return;
    }
    struct inlay_tuple *tuple = inlay_row_take(place, sizeof(*tuple));
    struct inlay_value *fields = inlay_row_take(place, value->tuple->count * sizeof(*fields));

    *tuple = (struct inlay_tuple){fields, value->tuple->count};
    if (tuple->count > 0)
        memcpy(fields, value->tuple->fields, tuple->count * sizeof(*fields));
    for (size_t i = 0; i < tuple->count; i++)
        copy_value(&fields[i], place);
    value->tuple = tuple;
}

/* Room for @bytes, in the memory of which nothing is needed any more. */
static bool make_room(struct inlay_frame *frame, struct inlay_tail_room *room, size_t bytes)
{
    struct inlay_memory *memory = frame->host.memory;

    if (room->bytes >= bytes)
        return true;
    bytes = (bytes + ROUND - 1) / ROUND * ROUND;
    if (room->data)
        inlay_memory_give(memory, room->data, room->bytes);
    room->bytes = 0;
    room->data = inlay_memory_take(memory, bytes, &room->bytes);
    return room->data != NULL;
}

int32_t inlay_tail(struct inlay_frame *frame, inlay_entry_fn *entry, const struct inlay_value *args,
                   int32_t count, uint32_t line)
{
    struct inlay_tail *tail = frame->tail;
    struct inlay_tail_room *room = &tail->rooms[tail->turn++ % 2]; /* the other one is being read */
    size_t row = (size_t)count * sizeof(*args), bytes = row + 1;   /* never nothing */

    for (int32_t i = 0; i < count; i++)
        bytes += bytes_of(&args[i]);

    if (!make_room(frame, room, bytes))
        return inlay_fail(frame, INLAY_ERROR_MEMORY, line,
                          "out of memory: %lld bytes could not be had", (long long)bytes);
    char *place = (char *)room->data + row;

    tail->args = room->data;
    tail->count = count;
    tail->entry = entry;
    if (count > 0)
        memcpy(tail->args, args, row);
    for (int32_t i = 0; i < count; i++)
        copy_value(&tail->args[i], &place);
    return 0;
}

/* --- what lives on --- */

static bool is_within(const struct inlay_block *block, const void *data)
{
    return (uintptr_t)data - ((uintptr_t)block + INLAY_BLOCK_HEADER) <= block->bytes;
}

/* Does @value lie in @block, or what says where it lies? */
static bool reaches(const struct inlay_value *value, const struct inlay_block *block)
{
    if (value->kind == INLAY_TENSOR)
        return is_within(block, value->tensor) ||
               is_within(block, (const char *)value->tensor->data + value->tensor->byte_offset);
    if (value->kind == INLAY_SHAPE || value->kind == INLAY_STRING)
        return is_within(block, value->pointer);
    if (value->kind != INLAY_TUPLE)
        return false;
    if (is_within(block, value->tuple))
        return true;
    for (size_t i = 0; i < value->tuple->count; i++)
        if (reaches(&value->tuple->fields[i], block))
            return true;
    return false;
}

/* Gives back the blocks taken since @mark that none of @values reaches. */
static void give_rest(struct inlay_frame *frame, const void *mark, const struct inlay_value *values,
                      int32_t count)
{
    struct inlay_block *block = frame->blocks.prev, *prev;

    for (; (char *)block + INLAY_BLOCK_HEADER != mark; block = prev) {
        bool is_needed = false;

        prev = block->prev;
        for (int32_t i = 0; i < count && !is_needed; i++)
            is_needed = reaches(&values[i], block);
        if (!is_needed)
            inlay_free(frame, (char *)block + INLAY_BLOCK_HEADER);
    }
}

static void finish(struct inlay_frame *frame, const struct inlay_tail *tail)
{
    for (int i = 0; i < 2; i++)
        if (tail->rooms[i].data)
            inlay_memory_give(frame->host.memory, tail->rooms[i].data, tail->rooms[i].bytes);
}

int32_t inlay_call(struct inlay_frame *frame, inlay_entry_fn *entry, const struct inlay_value *args,
                   int32_t arg_count, struct inlay_value *results, int32_t result_count,
                   int64_t room)
{
    struct inlay_tail tail = {0}, *outer = frame->tail;
    void *mark = inlay_alloc(frame, 0, 0); /* blocks are in the order in which they were taken */

    if (!mark)
        return -1;
    frame->tail = &tail;
    int32_t status = entry(frame, args, arg_count, results, result_count);

    while (status == INLAY_TAIL) {
        give_rest(frame, mark, tail.args, tail.count);
        status = tail.entry(frame, tail.args, tail.count, results, result_count);
    }
    if (status == 0 && tail.turn > 0)
        give_rest(frame, mark, results, result_count);
    finish(frame, &tail);
    inlay_free(frame, mark);
    frame->tail = outer;
    return status;
}

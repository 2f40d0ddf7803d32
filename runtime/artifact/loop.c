/*
 * Loops of the graph in artifacts: what runtime/tail.c does, without a heap.
 *
 * What turns take grows down from the end of the arena, piece by piece, each with a head.  Between two turns the pieces that the
 * next one is not given are dropped, and the others move up, to where the loop began: so it takes what one turn
 * takes, and what that was given (analysis/stack_loop.c).  Only tensors point at pieces: all that says what they are is copied.
 */
#include "runtime/artifact/internal.h"
#include "runtime/row.h"

#include <string.h>

struct inlay_loop {
    struct inlay_loop *outer;
    inlay_entry_fn *entry; /* to be called next */
    struct inlay_value *args;
    int32_t count;
    char *rooms[2]; /* for arguments, in turns */
    uint32_t turn;
    uint64_t room;      /* of each */
    uint64_t top, kept; /* of the frame, when a turn begins that was given nothing of the loop */
};

int32_t inlay_tail(struct inlay_frame *frame, inlay_entry_fn *entry, const struct inlay_value *args,
                   int32_t count, uint32_t line)
{
    struct inlay_loop *loop = frame->loop;
    size_t row = (size_t)count * sizeof(*args), bytes = row;

    for (int32_t i = 0; i < count; i++)
        bytes += inlay_flat_bytes(&args[i]);
    if (bytes > loop->room)
        return inlay_fail(frame, INLAY_ERROR_MEMORY, line, "the arena is too small");
    loop->args =
        (struct inlay_value *)(void *)loop->rooms[loop->turn++ % 2]; /* the other one is read */
    loop->count = count;
    loop->entry = entry;
    char *place = (char *)loop->args + row;
    if (count > 0)
        memcpy(loop->args, args, row);
    for (int32_t i = 0; i < count; i++)
        inlay_flat_copy(&loop->args[i], &place);
    return 0;
}

/* --- pieces --- */

static char *address(struct inlay_frame *frame, uint64_t kept)
{
    return frame->base + (frame->room - kept);
}

static bool is_within(const struct inlay_piece_head *piece, const void *data)
{
    uintptr_t begin = (uintptr_t)(piece + 1), end = (uintptr_t)piece + piece->bytes;

    return (uintptr_t)data >= begin && (uintptr_t)data < end;
}

/* Does @value lie in @piece? */
static bool is_of(const struct inlay_value *value, const struct inlay_piece_head *piece)
{
    return value->kind == INLAY_TENSOR &&
           is_within(piece, (const char *)value->tensor->data + value->tensor->byte_offset);
}

/* Moves what of @values lies in @piece @distance bytes up; is there any? */
static bool follow(const struct inlay_piece_head *piece, const struct inlay_value *values,
                   int32_t count, uint64_t distance)
{
    bool is_any = false;

    for (int32_t i = 0; i < count; i++) {
        if (!is_of(&values[i], piece))
            continue;
        is_any = true;
        values[i].tensor->data = (char *)values[i].tensor->data + distance;
    }
    return is_any;
}

/* The piece that was taken first, with all of them in a row. */
static struct inlay_piece_head *first_piece(struct inlay_frame *frame,
                                            const struct inlay_loop *loop)
{
    struct inlay_piece_head *below = NULL;

    for (char *p = address(frame, frame->kept); p != address(frame, loop->kept);) {
        struct inlay_piece_head *piece = (struct inlay_piece_head *)(void *)p;
        piece->below = below;
        below = piece;
        p += piece->bytes;
    }
    return below;
}

/* Bytes that are copied at once are as many as the distance, so that they do not overlap. */
static void move_up(char *to, const char *from, uint64_t bytes)
{
    uint64_t distance = (uint64_t)(to - from);

    while (bytes > 0) {
        uint64_t part = bytes < distance ? bytes : distance;
        bytes -= part;
        memcpy(to + bytes, from + bytes, part);
    }
}

/* Drops what none of @values lies in. */
static void keep(struct inlay_frame *frame, const struct inlay_loop *loop,
                 const struct inlay_value *values, int32_t count)
{
    uint64_t kept = loop->kept;
    struct inlay_piece_head *below;

    for (struct inlay_piece_head *piece = first_piece(frame, loop); piece; piece = below) {
        uint64_t bytes = piece->bytes;
        char *to = address(frame, kept + bytes);

        below = piece->below;
        if (!follow(piece, values, count, (uint64_t)(to - (char *)piece)))
            continue;
        kept += bytes;
        if (to != (char *)piece)
            move_up(to, (const char *)piece, bytes);
    }
    frame->kept = kept;
    frame->top = loop->top;
}

int32_t inlay_call(struct inlay_frame *frame, inlay_entry_fn *entry, const struct inlay_value *args,
                   int32_t arg_count, struct inlay_value *results, int32_t result_count,
                   int64_t room)
{
    struct inlay_loop loop = {.outer = frame->loop, .room = (uint64_t)room};
    uint64_t top = frame->top;

    for (int i = 0; i < 2; i++) {
        loop.rooms[i] = inlay_stack_take(frame, room, 0);
        if (!loop.rooms[i])
            return -1;
    }
    loop.top = frame->top;
    loop.kept = frame->kept;
    frame->loop = &loop;
    int32_t status = entry(frame, args, arg_count, results, result_count);

    while (status == INLAY_TAIL) {
        keep(frame, &loop, loop.args, loop.count);
        status = loop.entry(frame, loop.args, loop.count, results, result_count);
    }
    if (status == 0)
        keep(frame, &loop, results, result_count);
    frame->loop = loop.outer;
    frame->top = top;
    return status;
}

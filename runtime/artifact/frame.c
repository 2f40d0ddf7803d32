/* A run in an artifact: memory, the first error, loops.  What runtime.def names, without a host. */
#include "runtime/artifact/giver.h"
#include "runtime/artifact/internal.h"
#include "runtime/artifact/weights.h"
#include "runtime/message.h"
#include "runtime/tensor.h"

#include <stdarg.h>
#include <string.h>

enum { LINE_UNIT = 16, LINE_LIMIT = INT32_MAX / LINE_UNIT };

void inlay_artifact_open(struct inlay_frame *frame, struct inlay_artifact_error *error)
{
    *frame = (struct inlay_frame){.error = error};
    if (error) {
        error->kind = 0;
        error->line = 0;
        error->arena_bytes = 0;
        error->message[0] = 0;
    }
}

void inlay_artifact_ask(struct inlay_frame *frame, struct inlay_artifact_giver *giver)
{
    frame->giver = giver;
}

struct inlay_artifact_giver *inlay_artifact_giver_of(const struct inlay_frame *frame)
{
    return frame->giver;
}

int32_t inlay_artifact_arena(struct inlay_frame *frame, void *arena, int64_t room, int64_t bytes)
{
    if (frame->error && bytes > 0)
        frame->error->arena_bytes = (uint64_t)bytes;
    if (bytes == 0)
        return 0;
    if (bytes < 0)
        return inlay_fail(frame, INLAY_ERROR_MEMORY, 0, "the arena would have to be too large");
    if (frame->giver) {
        arena = frame->giver->arena(frame->giver, (size_t)bytes);
        room = bytes;
    }
    if (!arena)
        return inlay_fail(frame, INLAY_ERROR_MEMORY, 0, "the call needs an arena of %lld bytes",
                          (long long)bytes);
    if ((uintptr_t)arena % INLAY_ARTIFACT_ALIGN)
        return inlay_fail(frame, INLAY_ERROR_MEMORY, 0,
                          "the arena does not begin at a multiple of %lld",
                          (long long)INLAY_ARTIFACT_ALIGN);
    if (room < bytes)
        return inlay_fail(frame, INLAY_ERROR_MEMORY, 0,
                          "the call needs an arena of %lld bytes, but it has %lld",
                          (long long)bytes, (long long)room);
    frame->base = arena;
    frame->room = (uint64_t)room; /* loops on threads take what is more than needed */
    return 0;
}

const void *inlay_weights_base(const struct inlay_frame *frame)
{
    return frame->weights;
}

void inlay_weights_set_base(struct inlay_frame *frame, const void *base)
{
    frame->weights = base;
}

void inlay_artifact_rooms(struct inlay_frame *frame, const size_t *argument_bytes)
{
    frame->argument_bytes = argument_bytes;
}

const char *inlay_room_teller(void)
{
    return "the entry that ends with _dl takes it as arg_bytes, that of tvm-ffi as (storage, length)";
}

const size_t *inlay_argument_bytes(const struct inlay_frame *frame)
{
    return frame->argument_bytes;
}

/* --- memory: a stack from below, and what is given back by nobody from above --- */

/* @bytes as the arena gives them; false after an error. */
static bool count(struct inlay_frame *frame, int64_t bytes, uint32_t line, uint64_t *out)
{
    uint64_t unit = INLAY_ARTIFACT_ALIGN, left = frame->room - frame->top - frame->kept;

    *out = ((uint64_t)bytes + unit - 1) / unit * unit;
    return (bytes >= 0 && *out <= left) ||
           inlay_fail(frame, INLAY_ERROR_MEMORY, line, "the arena is too small") == 0;
}

void *inlay_alloc(struct inlay_frame *frame, int64_t bytes, uint32_t line)
{
    uint64_t taken, head = frame->loop ? sizeof(struct inlay_piece_head) : 0;

    if (!count(frame, bytes, line, &taken))
        return NULL;
    if (frame->loop && !count(frame, (int64_t)(taken + head), line, &taken))
        return NULL;
    frame->kept += taken;
    if (!frame->base) /* no bytes: any place */
        return (char *)INLAY_ARTIFACT_ALIGN;
    if (frame->loop)
        *(struct inlay_piece_head *)(void *)(frame->base + (frame->room - frame->kept)) =
            (struct inlay_piece_head){.bytes = taken};
    return frame->base + (frame->room - frame->kept) + head;
}

void *inlay_alloc_storage(struct inlay_frame *frame, int64_t bytes, uint32_t line)
{
    return inlay_alloc(frame, bytes, line);
}

void *inlay_stack_take(struct inlay_frame *frame, int64_t bytes, uint32_t line)
{
    uint64_t taken, begin = frame->top;

    if (!count(frame, bytes, line, &taken))
        return NULL;
    frame->top += taken;
    return frame->base ? frame->base + begin : (char *)INLAY_ARTIFACT_ALIGN;
}

/* All is there from the beginning. */
void inlay_stack_reserve(struct inlay_frame *frame, int64_t bytes)
{
}

void inlay_stack_give(struct inlay_frame *frame, void *data)
{
    if (frame->base)
        frame->top = (uint64_t)((char *)data - frame->base);
}

void inlay_stack_lower(struct inlay_frame *frame, void *data)
{
    inlay_stack_give(frame, data);
}

void inlay_stack_raise(struct inlay_frame *frame, void *data, int64_t bytes)
{
    if (frame->base)
        frame->top = (uint64_t)((char *)data - frame->base) + (uint64_t)bytes;
}

/* --- results: whoever calls gives their room, and doors the memory that they go to --- */

void *inlay_result_take(struct inlay_frame *frame, const struct inlay_value *results, int32_t index,
                        int64_t bytes, uint32_t line)
{
    void *data = results[index].tensor->data;

    if (data)
        return data;
    return inlay_is_nested(frame) || bytes != 0 ? inlay_alloc(frame, bytes, line)
                                                : (char *)INLAY_ARTIFACT_ALIGN;
}

int32_t inlay_result_put(struct inlay_frame *frame, struct inlay_value *results, int32_t index,
                         const struct inlay_tensor *result, uint32_t line)
{
    struct inlay_tensor *to = results[index].tensor;

    if (!to->data) {
        to->data = result->data;
        for (int32_t i = 0; i < to->ndim; i++)
            to->shape[i] = result->shape[i];
    } else if (to->data != result->data) { /* apart from all: the door has seen to it */
        memcpy(to->data, result->data,
               (size_t)inlay_tensor_bytes(result->shape, result->ndim,
                                          inlay_dtype_bytes(result->dtype)));
    }
    return 1;
}

/* --- errors and calls --- */

/*
 * Of all errors in a loop the one of the first piece counts, which is that of the serial loop. True: it is this
 * one so far, and a piece holds the lock.
 */
static bool claim(struct inlay_frame *frame)
{
    struct inlay_frame *whole = frame->whole;

    if (!whole)
        return true;
    while (__atomic_test_and_set(&whole->lock, __ATOMIC_ACQUIRE))
        ;
    if (whole->kind != INLAY_ERROR_NONE && whole->at <= frame->at) {
        __atomic_clear(&whole->lock, __ATOMIC_RELEASE);
        return false;
    }
    whole->kind = frame->kind;
    whole->line = frame->line;
    whole->at = frame->at;
    return true;
}

int32_t inlay_fail(struct inlay_frame *frame, int32_t kind, uint32_t line, const char *format, ...)
{
    if (frame->kind != INLAY_ERROR_NONE)
        return -1;
    frame->kind = kind;
    frame->line = line;
    if (!claim(frame))
        return -1;
    if (frame->error) {
        va_list args;
        va_start(args, format);
        inlay_format_message(frame->error->message, sizeof(frame->error->message), format, args);
        va_end(args);
        frame->error->kind = kind;
        frame->error->line = line;
    }
    if (frame->whole)
        __atomic_clear(&frame->whole->lock, __ATOMIC_RELEASE);
    return -1;
}

int32_t inlay_artifact_status(const struct inlay_frame *frame)
{
    uint32_t line = frame->line <= LINE_LIMIT ? frame->line : 0;

    return frame->kind == INLAY_ERROR_NONE ? 0 : (int32_t)line * LINE_UNIT + frame->kind;
}

/* Calls that are nested without end need an arena without end, and are not compiled. */
int32_t inlay_enter(struct inlay_frame *frame, uint32_t line)
{
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
    return frame->is_checked && frame->depth == 1;
}

int32_t inlay_artifact_check(struct inlay_frame *frame, uint32_t line, const char *function,
                             const struct inlay_expected *expected, int32_t expected_count,
                             const struct inlay_value *args, int32_t arg_count)
{
    if (inlay_check_arguments(frame, line, function, expected, expected_count, args, arg_count) !=
        0)
        return -1;
    frame->is_checked = true;
    return 0;
}

/* --- loops: on the threads of the host or of the artifact --- */

struct loop {
    struct inlay_frame *frame;
    inlay_loop_fn *body;
    void *captured;
    int64_t begin, end;
    int64_t size, longer; /* iterations of a piece; so many pieces have one more */
    char *scratch;        /* a slice for each piece */
    uint64_t slice;
};

static int64_t begin_of(const struct loop *loop, int64_t piece)
{
    return loop->begin + piece * loop->size + (piece < loop->longer ? piece : loop->longer);
}

static void run_piece(void *state, int32_t index)
{
    const struct loop *loop = state;
    int64_t begin = begin_of(loop, index), end = begin_of(loop, (int64_t)index + 1);
    struct inlay_frame part = {.error = loop->frame->error,
                               .depth = loop->frame->depth,
                               .whole = loop->frame,
                               .at = begin};

    if (loop->slice > 0) {
        part.base = loop->scratch + (uint64_t)index * loop->slice;
        part.room = loop->slice;
    }
    (void)loop->body(&part, loop->captured, begin, end);
}

/* In how many pieces, each with its scratch in what is left of the arena; 1: as one. */
static int64_t divide(struct loop *loop, int64_t grain, int64_t scratch)
{
    struct inlay_frame *frame = loop->frame;
    uint64_t free = frame->room - frame->top - frame->kept;
    uint64_t left = free & ~(uint64_t)(INLAY_ARTIFACT_ALIGN - 1);
    int64_t pieces = inlay_artifact_pieces(), least = grain >= 4 ? grain / 4 : 1;

    if (pieces < 2 || loop->end - loop->begin <= grain || frame->whole || scratch < 0 ||
        (uint64_t)scratch > left)
        return 1;
    if (scratch > 0) {
        loop->slice = ((uint64_t)scratch + INLAY_ARTIFACT_ALIGN - 1) / INLAY_ARTIFACT_ALIGN *
                      INLAY_ARTIFACT_ALIGN;
        loop->scratch = frame->base + frame->top;
        if (left / loop->slice < (uint64_t)pieces)
            pieces = (int64_t)(left / loop->slice);
    }
    if (pieces < 2)
        return 1;
    int64_t count = loop->end - loop->begin, most = (count - 1) / least + 1;
    pieces = pieces < most ? pieces : most;
    loop->size = count / pieces;
    loop->longer = count % pieces;
    return pieces;
}

int32_t inlay_parallel_for(struct inlay_frame *frame, inlay_loop_fn *body, void *captured,
                           int64_t begin, int64_t end, int64_t grain, int64_t scratch)
{
    struct loop loop = {
        .frame = frame, .body = body, .captured = captured, .begin = begin, .end = end};

    if (begin >= end)
        return 0;
    int64_t pieces = divide(&loop, grain, scratch);
    if (pieces < 2)
        return body(frame, captured, begin, end);
    inlay_artifact_parallel(run_piece, &loop, (int32_t)pieces);
    return frame->kind == INLAY_ERROR_NONE ? 0 : -1;
}

/* @values have no words here: the message is the text that the script gives. */
int32_t inlay_assert(struct inlay_frame *frame, int32_t condition, const char *format,
                     const struct inlay_value *values, int32_t count, uint32_t line)
{
    if (condition)
        return 0;
    if (format && *format)
        return inlay_fail(frame, INLAY_ERROR_ASSERT, line, "assertion failed: %s", format);
    return inlay_fail(frame, INLAY_ERROR_ASSERT, line, "assertion failed");
}

const char *inlay_artifact_message(int32_t status, char *buffer, size_t size, const char *script)
{
    static const char *const texts[] = {
        "no error",
        "an argument is not what the function takes",
        "a shape is not what the script says",
        "an index is out of range",
        "an assertion failed",
        "a packed function is missing or failed",
        "the arena is missing, not aligned or too small",
        "too many calls are nested",
        "bytes were used that belong to another value",
        "tensors of a call do not lie as was proved",
        "the weights are missing, or those of another artifact",
        "the processor has not what the code needs",
    };
    enum { COUNT = sizeof(texts) / sizeof(texts[0]) };
    int32_t kind = status % LINE_UNIT, line = status / LINE_UNIT;

    if (!buffer || size == 0)
        return "";
    struct inlay_line text = inlay_line_in(buffer, size);
    if (line > 0) {
        inlay_line_puts(&text, script);
        inlay_line_puts(&text, ":");
        inlay_line_number(&text, line);
        inlay_line_puts(&text, ": ");
    }
    inlay_line_puts(&text, status >= 0 && kind < COUNT ? texts[kind] : "no status of this library");
    return buffer;
}

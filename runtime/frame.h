/*
 * One run: allocations, the first error, calls out.  The functions that compiled code and the
 * interpreter call.  Links into artifacts: libc only, no global state, no printing, no abort.
 */
#pragma once

#include "include/inlay/abi.h"
#include "runtime/memory.h"
#include "runtime/pool.h"
#include "runtime/profile.h"

#include <stdbool.h>

/* What the host of a run provides; copied by inlay_frame_create().  Members may be NULL. */
struct inlay_host {
    void *state;
    /* A packed function by its symbol; NULL result: there is none. */
    inlay_packed_fn *(*find_packed)(void *state, const char *symbol, void **out_handle);
    /* R.print: one line of text, without the newline. */
    void (*print)(void *state, const char *text);
    size_t memory_limit;         /* bytes a run may hold at once; 0: no limit */
    struct inlay_memory *memory; /* where blocks come from and go back to; outlives the frame */
    /* Where the stack of the run begins, outlives the frame; NULL: what is wanted is taken from @memory. */
    void *arena;
    size_t arena_bytes;
    struct inlay_pool *pool;       /* helps with parallel loops; outlives the frame */
    bool checks_memory;            /* see watch.h */
    struct inlay_profile *profile; /* what calls of kernels are noted in; see profile.h */
    /*
     * By argument of the entry: the bytes that its storage holds from its first element on, a promise;
     * 0, or NULL for all of them: nothing is said.  Outlives the call.
     */
    const size_t *argument_bytes;
    bool
        gives_results; /* the row of results of an entry says where they are to be; see results.c */
};

struct inlay_stats {
    size_t allocated_bytes; /* sum of all allocations */
    size_t live_bytes, peak_bytes;
    /* The same for values, each by itself; those in storage for several if inlay_count_tensor() says so. */
    size_t value_bytes, needed_bytes, needed_peak_bytes;
    size_t allocations;
    size_t stack_bytes, stack_peak_bytes; /* of the stack, which are held, too */
};

enum inlay_error_kind {
    INLAY_ERROR_NONE,
    INLAY_ERROR_ARGUMENT, /* an argument of the entry is wrong */
    INLAY_ERROR_SHAPE,    /* a run-time shape check failed (match_cast, kernel argument) */
    INLAY_ERROR_BOUNDS,   /* an index is out of range */
    INLAY_ERROR_ASSERT,   /* assert_op, T.assert */
    INLAY_ERROR_PACKED,   /* a packed function is missing or failed */
    INLAY_ERROR_MEMORY,   /* allocation failed, limit or size overflow */
    INLAY_ERROR_DEPTH,    /* too many nested calls */
    INLAY_ERROR_OWNER,    /* bytes were read or written that belong to another value; see watch.h */
    INLAY_ERROR_PLACE,    /* tensors of a call do not lie as was proved: a bug in Inlay */
    INLAY_ERROR_WEIGHTS,  /* of an artifact: a file is missing or another */
    INLAY_ERROR_PROCESSOR, /* an artifact is for other processors */
};

struct inlay_error {
    enum inlay_error_kind kind;
    uint32_t line;     /* of the script; 0: none */
    char message[512]; /* one sentence, no full stop */
};

/* NULL when memory is short. */
struct inlay_frame *inlay_frame_create(const struct inlay_host *host);
/* Makes it as new, for another run; false when memory is short: then it can only be destroyed. */
bool inlay_frame_renew(struct inlay_frame *frame, const struct inlay_host *host);
/* Frees all that the run still holds, results included. */
void inlay_frame_destroy(struct inlay_frame *frame);
const struct inlay_error *inlay_frame_error(const struct inlay_frame *frame);
const struct inlay_stats *inlay_frame_stats(const struct inlay_frame *frame);

/* @bytes (negative or over the limit: an error), 64-byte aligned, owned by the frame; NULL: error set.
 * 0 bytes give a valid pointer. */
void *inlay_alloc(struct inlay_frame *frame, int64_t bytes, uint32_t line);
/* The same for several tensors, each of which may end before the storage does. */
void *inlay_alloc_storage(struct inlay_frame *frame, int64_t bytes, uint32_t line);
void inlay_free(struct inlay_frame *frame, void *data); /* from either, or NULL */
/*
 * A tensor ends: frees the block of the frame that @data points into, if it is one and not for several
 * tensors: storage whose owner is only known when it runs.  Nothing for NULL, for what comes from
 * elsewhere, and for what was freed.
 */
void inlay_release(struct inlay_frame *frame, const void *data);
/* Frees storage for several tensors in the same way. */
void inlay_release_storage(struct inlay_frame *frame, const void *data);
/* The same of the tensor that @value is, or of those in the tuple. */
void inlay_release_value(struct inlay_frame *frame, const struct inlay_value *value);
/* A tensor of @bytes was put into storage for several, or the one around @data has ended. */
void inlay_count_tensor(struct inlay_frame *frame, const void *data, int64_t bytes);
void inlay_count_end(struct inlay_frame *frame, const void *data);

/*
 * The stack: @bytes, 64-byte aligned, which must end before all that was taken before them; NULL: error set.
 * They take a multiple of 64, and no less.
 */
enum { INLAY_STACK_ALIGNMENT = 64 };
void *inlay_stack_take(struct inlay_frame *frame, int64_t bytes, uint32_t line);
/* Gives back what begins at @data and all that was taken after it.  Nothing for what was given before. */
void inlay_stack_give(struct inlay_frame *frame, void *data);
/*
 * The innermost piece holds nothing from @data on, but for what is taken until inlay_stack_raise() with the same, when
 * all of that was given back: then its @bytes are there again.
 */
void inlay_stack_lower(struct inlay_frame *frame, void *data);
void inlay_stack_raise(struct inlay_frame *frame, void *data, int64_t bytes);
/* So many bytes will be taken from here on, at most: if there is no room, makes it at once. */
void inlay_stack_reserve(struct inlay_frame *frame, int64_t bytes);

/* Checked product of dims and element size in bytes; -1 if it overflows or a dim is negative. */
int64_t inlay_tensor_bytes(const int64_t *shape, int32_t ndim, int32_t element_bytes);

/* Sets the error unless one is set, formatting @format (printf; only %lld and %s) with what follows;
 * returns -1. */
int32_t inlay_fail(struct inlay_frame *frame, int32_t kind, uint32_t line, const char *format, ...);

/*
 * Runs iterations @begin to @end - 1 of a loop, where they are more than @grain in pieces on the threads of the host's
 * pool.  -1 with the error set if one failed: that of the first piece that did.  A loop in an iteration of
 * another one is not divided.  Each piece gets a frame of its thread, which may be used as any other to
 * allocate and to fail; its stack begins in a slice of this one's, of @scratch bytes (0: it needs none, below 0:
 * that is not known).
 */
typedef int32_t inlay_loop_fn(struct inlay_frame *frame, void *captured, int64_t begin,
                              int64_t end);
int32_t inlay_parallel_for(struct inlay_frame *frame, inlay_loop_fn *body, void *captured,
                           int64_t begin, int64_t end, int64_t grain, int64_t scratch);

/* Enters and leaves a call of a graph function; -1 where the stack of the thread has no room for it. */
int32_t inlay_enter(struct inlay_frame *frame, uint32_t line);
void inlay_leave(struct inlay_frame *frame);
/*
 * Calls @entry and, as long as the last one called leaves with INLAY_TAIL, what that said is to be called.  What they
 * took from the heap is given back from turn to turn, and at the end all but results.  Arguments of a turn take @room
 * bytes at most, for those who must know it beforehand.
 */
int32_t inlay_call(struct inlay_frame *frame, inlay_entry_fn *entry, const struct inlay_value *args,
                   int32_t arg_count, struct inlay_value *results, int32_t result_count,
                   int64_t room);
/* Says what is to be called next: @args are copied.  0: the caller returns INLAY_TAIL; -1 with the error set. */
int32_t inlay_tail(struct inlay_frame *frame, inlay_entry_fn *entry, const struct inlay_value *args,
                   int32_t count, uint32_t line);
/* Whether the call that runs was made by another graph function, not from outside. */
bool inlay_is_nested(const struct inlay_frame *frame);
/* Were the arguments of the call that runs checked before? */
bool inlay_is_checked(const struct inlay_frame *frame);
/* How a host says it, in messages. */
const char *inlay_room_teller(void);
/* argument_bytes of the host; may be NULL. */
const size_t *inlay_argument_bytes(const struct inlay_frame *frame);

/*
 * Results in memory of the host (inlay_host.gives_results), in calls from outside.  Storage for result @index
 * of an entry: the host's, aligned to its elements, or, if it gives none, the frame's; NULL: error set.
 */
void *inlay_result_take(struct inlay_frame *frame, const struct inlay_value *results, int32_t index,
                        int64_t bytes, uint32_t line);
/* Puts @result where the host wants it.  1: it is there; 0: the host gives nothing; -1 with the error set. */
int32_t inlay_result_put(struct inlay_frame *frame, struct inlay_value *results, int32_t index,
                         const struct inlay_tensor *result, uint32_t line);
/* -1 with the error set if the host gives a tensor for this one, which cannot be put there. */
int32_t inlay_result_refuse(struct inlay_frame *frame, const struct inlay_value *results,
                            int32_t index, uint32_t line);
bool inlay_gives_results(const struct inlay_frame *frame);

/* Calls the packed function @symbol; result may be NULL.  -1 with the error set. */
int32_t inlay_call_packed(struct inlay_frame *frame, const char *symbol,
                          const struct inlay_value *args, int32_t arg_count,
                          struct inlay_value *result, uint32_t line);

/* R.print: @format with {} holes, or "" for all values with spaces between.  R.assert_op fails with it. */
int32_t inlay_print(struct inlay_frame *frame, const char *format, const struct inlay_value *values,
                    int32_t count);
int32_t inlay_assert(struct inlay_frame *frame, int32_t condition, const char *format,
                     const struct inlay_value *values, int32_t count, uint32_t line);

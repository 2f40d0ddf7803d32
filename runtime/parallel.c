/*
 * Parallel loops: pieces of the iterations, taken in order by whichever thread is free.
 *
 * Iterations are independent, so results do not depend on who runs what.  Nor does the error: when a
 * piece fails, all pieces before it have been taken already and run to their end, no new ones are taken,
 * and of all errors the one of the first piece is kept.  That is the error of the serial loop.
 */
#include "runtime/internal.h"

#include <stdatomic.h>
#include <string.h>

enum { PIECES = 4 }; /* for each thread, so that a slow one does not keep the others waiting */

struct loop {
    struct inlay_frame *frame;
    inlay_loop_fn *body;
    void *captured;
    int64_t end, step; /* of pieces */
    char *scratch;     /* one slice of the frame's stack for each thread; NULL: none */
    size_t slice;
    unsigned threads; /* that have slices */
    _Atomic int64_t next;
    atomic_uint thread; /* the next one that comes */
    atomic_bool has_failed;
    int64_t
        failed_at; /* first iteration of the piece that the error is from; under the frame's lock */
};

static void keep_error(struct loop *loop, int64_t begin, const struct inlay_error *error)
{
    struct inlay_frame *frame = loop->frame;
    pthread_mutex_lock(&frame->lock);
    if (!atomic_load(&loop->has_failed) || begin < loop->failed_at) {
        loop->failed_at = begin;
        frame->error = *error;
    }
    atomic_store(&loop->has_failed, true);
    pthread_mutex_unlock(&frame->lock);
}

/* What one thread does. */
static void take_pieces(void *state)
{
    struct loop *loop = state;
    struct inlay_frame part = {.whole = loop->frame};
    unsigned thread = atomic_fetch_add(&loop->thread, 1);
    if (loop->scratch && thread < loop->threads)
        inlay_stack_init(&part.stack, loop->scratch + thread * loop->slice, loop->slice);
    while (!atomic_load(&loop->has_failed)) {
        int64_t begin = atomic_fetch_add(&loop->next, loop->step);
        if (begin >= loop->end)
            break;
        int64_t end = loop->end - begin < loop->step ? loop->end : begin + loop->step;
        if (loop->body(&part, loop->captured, begin, end) != 0) {
            keep_error(loop, begin, &part.error);
            break;
        }
    }
    inlay_stack_finish(&part);
}

/* A slice of @scratch bytes for each thread; where that cannot be had, they take what they need themselves. */
static int32_t take_slices(struct loop *loop, unsigned threads, int64_t scratch)
{
    int64_t all;
    if (scratch <= 0 || loop->frame->watch || scratch > INT64_MAX - INLAY_STACK_ALIGNMENT)
        return 0;
    loop->slice = ((size_t)scratch + INLAY_STACK_ALIGNMENT - 1) / INLAY_STACK_ALIGNMENT *
                  INLAY_STACK_ALIGNMENT;
    loop->threads = threads;
    if (__builtin_mul_overflow((int64_t)loop->slice, (int64_t)threads, &all))
        return 0;
    loop->scratch = inlay_stack_take(loop->frame, all, 0);
    if (loop->scratch)
        inlay_count_tensor(loop->frame, loop->scratch, all);
    return loop->scratch ? 0 : -1;
}

int32_t inlay_parallel_for(struct inlay_frame *frame, inlay_loop_fn *body, void *captured,
                           int64_t begin, int64_t end, int64_t grain, int64_t scratch)
{
    struct inlay_pool *pool = frame->whole ? NULL : frame->host.pool;
    unsigned threads = pool ? inlay_pool_threads(pool) : 1;
    if (begin >= end)
        return 0;
    if (threads == 1 || end - begin <= grain)
        return body(frame, captured, begin, end);
    struct loop loop = {.frame = frame, .body = body, .captured = captured, .end = end};
    int64_t even = (end - begin - 1) / ((int64_t)threads * PIECES) + 1;
    loop.step = even > grain ? even : grain;
    atomic_init(&loop.next, begin);
    if (take_slices(&loop, threads, scratch) < 0)
        return -1;
    inlay_pool_run(pool, take_pieces, &loop);
    if (loop.scratch)
        inlay_stack_give(frame, loop.scratch);
    return atomic_load(&loop.has_failed) ? -1 : 0;
}

/*
 * Parallel loops: pieces of the iterations, each for the thread whose share it is, or one that is free.
 *
 * Iterations are independent, so results do not depend on who runs what.  Nor does the error: when a
 * piece fails, all pieces before it run to their end, whoever takes them, none behind it is begun any more,
 * and of all errors the one of the first piece is kept.  That is the error of the serial loop.
 */
#include "runtime/internal.h"
#include "runtime/shares.h"

#include <stdatomic.h>
#include <string.h>

enum { PIECES = 8 }; /* for each thread, so that a slow one does not keep the others waiting */

struct loop {
    struct inlay_frame *frame;
    inlay_loop_fn *body;
    void *captured;
    int64_t begin, size, longer; /* iterations of a piece; so many pieces have one more */
    char *scratch;               /* one slice of the frame's stack for each thread; NULL: none */
    size_t slice;
    unsigned threads; /* that have slices */
    atomic_int
        failed; /* the first piece that has, or INT32_MAX; written under the lock of the frame */
    struct inlay_shares shares;
};

static void keep_error(struct loop *loop, int32_t piece, const struct inlay_error *error)
{
    struct inlay_frame *frame = loop->frame;
    pthread_mutex_lock(&frame->lock);
    if (piece < atomic_load(&loop->failed)) {
        atomic_store(&loop->failed, piece);
        frame->error = *error;
    }
    pthread_mutex_unlock(&frame->lock);
}

static int64_t begin_of(const struct loop *loop, int64_t piece)
{
    return loop->begin + piece * loop->size + (piece < loop->longer ? piece : loop->longer);
}

/* Until one fails, or none are left. */
static bool take_some(struct loop *loop, unsigned thread)
{
    struct inlay_frame part = {.whole = loop->frame};
    int32_t piece, status = 0;
    if (loop->scratch && thread < loop->threads)
        inlay_stack_init(&part.stack, loop->scratch + thread * loop->slice, loop->slice);
    while (status == 0 && (piece = inlay_shares_take(&loop->shares, thread)) >= 0) {
        if (piece < atomic_load(&loop->failed))
            status =
                loop->body(&part, loop->captured, begin_of(loop, piece), begin_of(loop, piece + 1));
        inlay_pool_look(loop->frame->host.pool);
    }
    if (status != 0)
        keep_error(loop, piece, &part.error);
    inlay_stack_finish(&part);
    return status != 0;
}

/* What one thread does: those in front of a piece that failed are still to be done. */
static void take_pieces(void *state, unsigned thread)
{
    while (take_some(state, thread))
        ;
}

/* As many pieces as share well, of a quarter of @grain iterations or more; their sizes differ by one at most. */
static void divide(struct loop *loop, unsigned threads, int64_t count, int64_t grain)
{
    int64_t least = grain >= 4 ? grain / 4 : 1, most = (int64_t)threads * PIECES;
    int64_t pieces = (count - 1) / least + 1;
    if (pieces < most) /* as many for each thread */
        pieces = (pieces + threads - 1) / threads * threads;
    pieces = pieces < most ? pieces : most;
    pieces = pieces < count ? pieces : count;
    loop->size = count / pieces;
    loop->longer = count % pieces;
    atomic_init(&loop->failed, INT32_MAX);
    inlay_shares_init(&loop->shares, threads, (int32_t)pieces);
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
    struct loop loop = {.frame = frame, .body = body, .captured = captured, .begin = begin};
    divide(&loop, threads, end - begin, grain);
    if (take_slices(&loop, threads, scratch) < 0)
        return -1;
    inlay_pool_run(pool, take_pieces, &loop);
    if (loop.scratch)
        inlay_stack_give(frame, loop.scratch);
    return atomic_load(&loop.failed) < INT32_MAX ? -1 : 0;
}

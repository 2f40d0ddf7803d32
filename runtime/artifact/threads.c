/*
 * Loops of an artifact with threads of its own (--threads), unless the host has told of some: a pool in the
 * artifact's own memory, made when the first loop is worth it, and ended when the library is unloaded or the
 * process ends.
 *
 * A word says which process the pool belongs to, so the child of a fork, in which the threads are not, makes another.
 * Who finds the pool in the making, or at work, runs the pieces alone: the results are the same.
 */
#include "runtime/artifact/artifact.h"
#include "runtime/pool.h"
#include "runtime/shares.h"

#include <stdatomic.h>
#include <unistd.h>

extern const int32_t inlay_artifact_threads; /* says the code generator */

static _Alignas(64) char memory[2048];
static atomic_int owner; /* the process; negative: it is at making or ending it; 0: nobody yet */

/* NULL: there is none that could help. */
static struct inlay_pool *pool_of_process(void)
{
    int self = getpid(), found = atomic_load_explicit(&owner, memory_order_acquire);
    unsigned threads = (unsigned)inlay_artifact_threads, cores;

    if (found == self)
        return (struct inlay_pool *)memory;
    if (found == -self || inlay_pool_bytes(threads) > sizeof(memory) ||
        !atomic_compare_exchange_strong(&owner, &found, -self))
        return NULL;
    cores = inlay_usable_cores();
    struct inlay_pool *pool = inlay_pool_begin(memory, threads < cores ? threads : cores);
    atomic_store_explicit(&owner, self, memory_order_release);
    return pool;
}

__attribute__((destructor)) static void end(void)
{
    int self = getpid(), found = self;

    if (atomic_compare_exchange_strong(&owner, &found, -self))
        inlay_pool_end((struct inlay_pool *)memory);
}

struct pieces {
    inlay_piece_fn *piece;
    void *state;
    struct inlay_pool *pool; /* NULL: there is none that could help */
    struct inlay_shares shares;
};

static void take_pieces(void *state, unsigned thread)
{
    struct pieces *pieces = state;
    int32_t index;

    while ((index = inlay_shares_take(&pieces->shares, thread)) >= 0) {
        pieces->piece(pieces->state, index);
        if (pieces->pool)
            inlay_pool_look(pieces->pool);
    }
}

int32_t inlay_artifact_pieces(void)
{
    return INLAY_ARTIFACT_PIECES;
}

void inlay_artifact_parallel(inlay_piece_fn *piece, void *state, int32_t count)
{
    struct pieces pieces = {.piece = piece, .state = state};

    if (inlay_host_parallel) {
        inlay_host_parallel(piece, state, count);
        return;
    }
    pieces.pool = pool_of_process();
    inlay_shares_init(&pieces.shares, pieces.pool ? inlay_pool_threads(pieces.pool) : 1, count);
    inlay_pool_run(pieces.pool, take_pieces, &pieces);
}

/*
 * Threads that help with loops.
 *
 * The thread that has a loop works on it itself; others come if they are awake or wake up in time, and
 * nobody waits for those that do not.  An idle thread spins for some time, so that the next loop
 * of a run finds it awake, and then sleeps.  No thread is started before there is a loop.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct inlay_pool;

/* @threads work on a loop at most, the caller among them.  NULL when memory is short. */
struct inlay_pool *inlay_pool_create(unsigned threads);
/* No loop may be running. */
void inlay_pool_destroy(struct inlay_pool *pool);
/* The same in @memory of the caller, inlay_pool_bytes() of it, aligned as malloc() does. */
size_t inlay_pool_bytes(unsigned threads);
struct inlay_pool *inlay_pool_begin(void *memory, unsigned threads);
void inlay_pool_end(struct inlay_pool *pool);

/* How many threads this process may run at the same time: the default size of a pool. */
unsigned inlay_usable_cores(void);

unsigned inlay_pool_threads(const struct inlay_pool *pool);
/* How many threads the pool has started so far. */
unsigned inlay_pool_started(const struct inlay_pool *pool);

/*
 * Calls @work(@state, number) here and, at the same time, on threads of the pool; returns when all calls have.
 * The number is 0 here, and always the same for a thread of the pool, below inlay_pool_threads().
 * A call takes pieces of the work until none are left.  Any thread may call this at any time: while the
 * pool is in use by another one, the call here is the only one.
 */
typedef void inlay_work_fn(void *state, unsigned thread);
void inlay_pool_run(struct inlay_pool *pool, inlay_work_fn *work, void *state);
/* For @work, between two pieces: wakes threads that sleep, if it takes long enough to be worth it. */
void inlay_pool_look(struct inlay_pool *pool);

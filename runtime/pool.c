/*
 * The pool of threads.
 *
 * All goes over one word, the gate: a bit that says that there is work, and the number of threads that
 * are at it.  A thread enters by adding itself while the bit is set; whoever finds nothing left to do
 * clears the bit; the caller waits until the gate is 0.  So a thread that sleeps costs nothing, and no new
 * work is given out while somebody still looks at the old one.
 *
 * Before it sleeps, a thread counts itself as a sleeper and looks at the gate again; the caller opens the
 * gate and then looks for sleepers.  One of them sees the other (all of this is sequentially consistent).
 * The same holds for the caller that sleeps until the last thread leaves.
 *
 * To wake a thread takes its caller some ten microseconds where a core that has nothing to do is switched off (virtual
 * machines).  So a thread that has nothing to do spins for a while, and lets others have its core if they want it; and who
 * finds it asleep works alone until that has taken as long as waking it, in this loop and those shortly before.
 *
 * Where others keep the cores busy, a thread that helps may be taken off its core in the middle of a piece, and the caller
 * waits for milliseconds.  If it waits for twice as long as it worked, which alone it need not have, it works alone for a
 * while: 2 times, then 4, .. as long as that goes on.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "runtime/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum {
    OPEN = 1, /* bit of the gate */
    ONE = 2,  /* a thread in the gate */
    SPIN_NANOSECONDS = 200000,
    OWN_NANOSECONDS = 20000, /* .. of that, without asking whether somebody else wants the core */
    WAKE_NANOSECONDS = 15000,
    SPINS = 32, /* between two looks at the clock */
    LATE_NANOSECONDS = 100000,
    STRIKES_MOST = 8,
};

struct inlay_pool {
    unsigned limit; /* of threads to start */
    atomic_uint started;
    atomic_uint numbered; /* threads that know which one they are */
    atomic_bool is_in_use, is_ending;
    atomic_uint gate;
    atomic_uint sleepers;
    atomic_bool is_awaited; /* the caller sleeps */
    pthread_mutex_t lock;
    pthread_cond_t has_work, is_done;
    unsigned calls; /* of those that sleep; under the lock */
    /* What there is to do: written while the gate is 0. */
    inlay_work_fn *work;
    void *state;
    atomic_bool is_quiet; /* threads sleep that may be worth waking */
    atomic_llong begin;   /* of the loop in work */
    long long quiet,
        end; /* the caller's own: how long it worked while they slept; when it did last */
    unsigned strikes,
        alone; /* the caller's own: how often it waited for long; times that it still works alone */
    pthread_t threads[];
};

static void rest(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

struct spin {
    long long begin; /* 0: not looked at the clock yet */
    unsigned count;
};

/* False when it is time to sleep. */
static bool spin_on(struct spin *spin)
{
    rest();
    if (++spin->count % SPINS)
        return true;
    if (!spin->begin)
        spin->begin = now();
    long long since = now() - spin->begin;
    if (since > OWN_NANOSECONDS)
        sched_yield();
    return since < SPIN_NANOSECONDS;
}

/* --- the threads --- */

static bool enter(struct inlay_pool *pool)
{
    unsigned gate = atomic_load(&pool->gate);
    while (gate & OPEN)
        if (atomic_compare_exchange_weak(&pool->gate, &gate, gate + ONE))
            return true;
    return false;
}

static void leave(struct inlay_pool *pool)
{
    atomic_fetch_and(&pool->gate, ~(unsigned)OPEN);
    bool is_last = atomic_fetch_sub(&pool->gate, ONE) == ONE;
    if (!is_last || !atomic_load(&pool->is_awaited))
        return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->is_done);
    pthread_mutex_unlock(&pool->lock);
}

/* .. or somebody wakes all: where that loop is over by now, the next one is soon to come. */
static void sleep_until_work(struct inlay_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    unsigned calls = pool->calls;
    atomic_fetch_add(&pool->sleepers, 1);
    while (!(atomic_load(&pool->gate) & OPEN) && !atomic_load(&pool->is_ending) &&
           pool->calls == calls)
        pthread_cond_wait(&pool->has_work, &pool->lock);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->lock);
}

static void *run_thread(void *argument)
{
    struct inlay_pool *pool = argument;
    unsigned number = 1 + atomic_fetch_add(&pool->numbered, 1);
    struct spin spin = {0};
    while (!atomic_load(&pool->is_ending)) {
        if (enter(pool)) {
            pool->work(pool->state, number);
            leave(pool);
            spin = (struct spin){0};
        } else if (!spin_on(&spin)) {
            sleep_until_work(pool);
            spin = (struct spin){0};
        }
    }
    return NULL;
}

/*
 * By the thread that uses the pool.  The system may give fewer threads, or none.  Signals are for the
 * threads of the host.
 */
static void start_threads(struct inlay_pool *pool)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    unsigned count = 0;
    while (count < pool->limit &&
           pthread_create(&pool->threads[count], NULL, run_thread, pool) == 0)
        count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    atomic_store(&pool->started, count);
}

/* --- the caller --- */

unsigned inlay_usable_cores(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof(cores), &cores) != 0)
        return 1;
    int count = CPU_COUNT(&cores);
    return count > 0 ? (unsigned)count : 1;
}

size_t inlay_pool_bytes(unsigned threads)
{
    return sizeof(struct inlay_pool) + threads * sizeof(pthread_t);
}

struct inlay_pool *inlay_pool_begin(void *memory, unsigned threads)
{
    struct inlay_pool *pool = memory;

    *pool = (struct inlay_pool){.limit = threads ? threads - 1 : 0};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->has_work, NULL);
    pthread_cond_init(&pool->is_done, NULL);
    return pool;
}

void inlay_pool_end(struct inlay_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->is_ending, true);
    pthread_cond_broadcast(&pool->has_work);
    pthread_mutex_unlock(&pool->lock);
    unsigned started = atomic_load(&pool->started);
    for (unsigned i = 0; i < started; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->is_done);
    pthread_cond_destroy(&pool->has_work);
    pthread_mutex_destroy(&pool->lock);
}

struct inlay_pool *inlay_pool_create(unsigned threads)
{
    void *memory = calloc(1, inlay_pool_bytes(threads));

    return memory ? inlay_pool_begin(memory, threads) : NULL;
}

void inlay_pool_destroy(struct inlay_pool *pool)
{
    if (!pool)
        return;
    inlay_pool_end(pool);
    free(pool);
}

unsigned inlay_pool_threads(const struct inlay_pool *pool)
{
    return pool->limit + 1;
}

unsigned inlay_pool_started(const struct inlay_pool *pool)
{
    return atomic_load(&pool->started);
}

static void wait_for_all(struct inlay_pool *pool)
{
    struct spin spin = {0};
    while (atomic_load(&pool->gate)) {
        if (spin_on(&spin))
            continue;
        pthread_mutex_lock(&pool->lock);
        atomic_store(&pool->is_awaited, true);
        while (atomic_load(&pool->gate))
            pthread_cond_wait(&pool->is_done, &pool->lock);
        atomic_store(&pool->is_awaited, false);
        pthread_mutex_unlock(&pool->lock);
    }
}

/* Lets the threads in that there are. */
static void open_gate(struct inlay_pool *pool, inlay_work_fn *work, void *state)
{
    if (!atomic_load(&pool->started))
        start_threads(pool);
    pool->work = work;
    pool->state = state;
    atomic_store(&pool->gate, OPEN);
    atomic_store(&pool->is_quiet, atomic_load(&pool->sleepers) > 0);
}

void inlay_pool_look(struct inlay_pool *pool)
{
    if (!atomic_load_explicit(&pool->is_quiet, memory_order_relaxed) ||
        now() - atomic_load(&pool->begin) < WAKE_NANOSECONDS)
        return;
    atomic_store(&pool->is_quiet, false);
    pthread_mutex_lock(&pool->lock);
    pool->calls++;
    pthread_cond_broadcast(&pool->has_work);
    pthread_mutex_unlock(&pool->lock);
}

/* Lets the loop that begins now count as begun earlier, by what those shortly before took. */
static void begin_loop(struct inlay_pool *pool, long long time)
{
    if (time - pool->end > SPIN_NANOSECONDS)
        pool->quiet = 0;
    atomic_store(&pool->begin, time - pool->quiet);
}

static void end_loop(struct inlay_pool *pool, long long time)
{
    pool->quiet = atomic_load(&pool->is_quiet) ? time - atomic_load(&pool->begin) : 0;
    pool->end = time;
}

/* What the caller does next time, after it has worked and waited for so long. */
static void judge(struct inlay_pool *pool, long long worked, long long waited)
{
    if (waited > 2 * worked && waited > LATE_NANOSECONDS) {
        if (pool->strikes < STRIKES_MOST)
            pool->strikes++;
        pool->alone = 1U << pool->strikes;
    } else if (pool->strikes) {
        pool->strikes--;
    }
}

static void run_together(struct inlay_pool *pool, inlay_work_fn *work, void *state)
{
    long long begin = now();

    begin_loop(pool, begin);
    open_gate(pool, work, state);
    inlay_pool_look(pool);
    work(state, 0);
    atomic_fetch_and(&pool->gate, ~(unsigned)OPEN);
    long long end = now();
    end_loop(pool, end);
    wait_for_all(pool);
    judge(pool, end - begin, now() - end);
}

void inlay_pool_run(struct inlay_pool *pool, inlay_work_fn *work, void *state)
{
    if (!pool || atomic_exchange(&pool->is_in_use, true)) {
        work(state, 0);
        return;
    }
    if (!pool->limit || pool->alone > 0) {
        pool->alone -= pool->alone > 0;
        work(state, 0);
    } else {
        run_together(pool, work, state);
    }
    atomic_store(&pool->is_in_use, false);
}

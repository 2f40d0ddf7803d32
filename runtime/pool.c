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
 *
 * To wake a thread takes its caller some ten microseconds where a core that has nothing to do is switched off (virtual
 * machines).  So a thread that has nothing to do spins for a while, and who finds it asleep works alone until that has
 * taken as long as waking it, in this loop and those shortly before.
 *
 * Where others keep cores busy, a thread that helps may be taken off its core in the middle of a piece.  The caller waits,
 * and sleeps in between: then its own core is free, and the system moves the thread there, where it goes on.  There they
 * would stay, two threads on one core, while what was in their way has the other for itself: Linux moves nothing from two
 * and one to one and two.  So the threads are kept off the caller's core, but while it waits for them: beside one busy
 * process two threads on two cores get a core and a half.
 */
#define _GNU_SOURCE /* sched_getcpu, pthread_setaffinity_np */
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
    SPIN_NANOSECONDS = 100000,
    WAKE_NANOSECONDS = 15000,
    SPINS = 32,              /* between two looks at the clock */
    NAP_NANOSECONDS = 20000, /* the first of the caller's naps, and .. */
    NAP_PART = 8,            /* .. the part of the time it has waited that a nap may take */
    NAP_MOST = 1000000,
    MOVE_NANOSECONDS = 1000000, /* between two times that the threads are told to keep off a core */
};

struct inlay_pool {
    unsigned limit; /* of threads to start */
    atomic_uint started;
    atomic_uint numbered; /* threads that know which one they are */
    atomic_bool is_in_use, is_ending;
    atomic_uint gate;
    atomic_uint sleepers;
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    unsigned calls; /* of those that sleep; under the lock */
    /* What there is to do: written while the gate is 0. */
    inlay_work_fn *work;
    void *state;
    atomic_bool is_quiet; /* threads sleep that may be worth waking */
    atomic_llong begin;   /* of the loop in work */
    long long quiet,
        end;         /* the caller's own: how long it worked while they slept; when it did last */
    int core;        /* the caller's own: that of it which the threads keep off; -1: none */
    long long moved; /* .. since when */
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
    return now() - spin->begin < SPIN_NANOSECONDS;
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
    atomic_fetch_sub(&pool->gate, ONE);
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

    *pool = (struct inlay_pool){.limit = threads ? threads - 1 : 0, .core = -1};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->has_work, NULL);
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

/* Where may the threads run?  Where the caller may, but on @core; -1: they need not keep off any. */
static void keep_off(struct inlay_pool *pool, int core)
{
    unsigned count = atomic_load(&pool->started);
    cpu_set_t cores;

    if (core == pool->core || count == 0 || sched_getaffinity(0, sizeof(cores), &cores) != 0)
        return;
    if (core >= 0)
        CPU_CLR(core, &cores);
    if (CPU_COUNT(&cores) < (int)count)
        return; /* more threads than cores */
    for (unsigned i = 0; i < count; i++)
        pthread_setaffinity_np(pool->threads[i], sizeof(cores), &cores);
    pool->core = core;
}

/* A thread that the caller moved away from, or that came to it while it waited, goes to another core. */
static void keep_apart(struct inlay_pool *pool, long long time)
{
    int core = sched_getcpu();

    if (core < 0 || core == pool->core || time - pool->moved < MOVE_NANOSECONDS ||
        !atomic_load(&pool->started))
        return;
    keep_off(pool, core);
    pool->moved = time;
}

static void nap(long long waited)
{
    long long most = waited / NAP_PART < NAP_MOST ? waited / NAP_PART : NAP_MOST;

    nanosleep(&(struct timespec){.tv_nsec = most > NAP_NANOSECONDS ? (long)most : NAP_NANOSECONDS},
              NULL);
}

static void wait_for_all(struct inlay_pool *pool)
{
    struct spin spin = {0};

    while (atomic_load(&pool->gate)) {
        if (spin_on(&spin))
            continue;
        keep_off(pool, -1);
        nap(now() - spin.begin);
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

static void run_together(struct inlay_pool *pool, inlay_work_fn *work, void *state)
{
    long long begin = now();

    keep_apart(pool, begin);
    begin_loop(pool, begin);
    open_gate(pool, work, state);
    inlay_pool_look(pool);
    work(state, 0);
    atomic_fetch_and(&pool->gate, ~(unsigned)OPEN);
    end_loop(pool, now());
    wait_for_all(pool);
}

void inlay_pool_run(struct inlay_pool *pool, inlay_work_fn *work, void *state)
{
    if (!pool || atomic_exchange(&pool->is_in_use, true)) {
        work(state, 0);
        return;
    }
    if (!pool->limit)
        work(state, 0);
    else
        run_together(pool, work, state);
    atomic_store(&pool->is_in_use, false);
}

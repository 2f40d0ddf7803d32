/*
 * Parallel loops of the runtime: each iteration runs once, on however many threads; errors are those of
 * the serial loop; no thread is started before it is needed.  Also built with ThreadSanitizer.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "runtime/frame.h"
#include "runtime/shares.h"
#include "tests/unit/test.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { COUNT = 10000 };

static unsigned threads_of_process(void)
{
    DIR *folder = opendir("/proc/self/task");
    unsigned count = 0;
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static void pause_for(long microseconds)
{
    struct timespec time = {.tv_nsec = microseconds * 1000};
    nanosleep(&time, NULL);
}

static struct inlay_frame *frame_on(struct inlay_pool *pool)
{
    struct inlay_frame *frame = inlay_frame_create(&(struct inlay_host){.pool = pool});
    assert_non_null(frame);
    return frame;
}

static int32_t add_one(struct inlay_frame *frame, void *captured, int64_t begin, int64_t end)
{
    unsigned char *seen = captured;
    for (int64_t i = begin; i < end; i++)
        seen[i]++;
    return 0;
}

static void run_once_each(struct inlay_pool *pool, int64_t begin, int64_t end, int64_t grain)
{
    static unsigned char seen[COUNT];
    struct inlay_frame *frame = frame_on(pool);
    memset(seen, 0, sizeof(seen));
    assert_int_equal(inlay_parallel_for(frame, add_one, seen, begin, end, grain, 0), 0);
    for (int64_t i = 0; i < COUNT; i++)
        assert_int_equal(seen[i], i >= begin && i < end);
    inlay_frame_destroy(frame);
}

static void test_each_iteration_runs_once(void **state)
{
    static const int64_t grains[] = {1, 3, 100, COUNT, INT64_MAX};
    static const int64_t ends[] = {0, 1, 2, 7, 1000, COUNT};
    for (unsigned threads = 1; threads <= 9; threads += 2) {
        struct inlay_pool *pool = inlay_pool_create(threads);
        for (size_t i = 0; i < sizeof(grains) / sizeof(*grains); i++)
            for (size_t j = 0; j < sizeof(ends) / sizeof(*ends); j++) {
                run_once_each(pool, 0, ends[j], grains[i]);
                run_once_each(pool, ends[j] / 2, ends[j], grains[i]);
                run_once_each(pool, 1, -1, grains[i]);
            }
        inlay_pool_destroy(pool);
    }
    run_once_each(NULL, 0, COUNT, 1);
}

static int32_t count_calls(struct inlay_frame *frame, void *captured, int64_t begin, int64_t end)
{
    atomic_int *calls = captured;
    assert_true(end - begin >= 1 && end - begin <= 3);
    atomic_fetch_add(calls, 1);
    return 0;
}

/* Pieces differ by one iteration at most, and each thread has as many. */
static void test_pieces_are_even(void **state)
{
    struct inlay_pool *pool = inlay_pool_create(2);
    struct inlay_frame *frame = frame_on(pool);
    atomic_int calls = 0;
    assert_int_equal(inlay_parallel_for(frame, count_calls, &calls, 0, 27, 9, 0), 0);
    assert_int_equal(atomic_load(&calls), 14); /* of two iterations or more: 13.5 */
    atomic_store(&calls, 0);
    assert_int_equal(inlay_parallel_for(frame, count_calls, &calls, 5, 46, 1, 0), 0);
    assert_int_equal(atomic_load(&calls), 16);
    inlay_frame_destroy(frame);
    inlay_pool_destroy(pool);
}

static void test_threads_start_late(void **state)
{
    unsigned before = threads_of_process();
    struct inlay_pool *pool = inlay_pool_create(1);
    run_once_each(pool, 0, COUNT, 1);
    assert_int_equal(inlay_pool_started(pool), 0);
    inlay_pool_destroy(pool);

    pool = inlay_pool_create(4);
    assert_int_equal(inlay_pool_threads(pool), 4);
    run_once_each(pool, 0, COUNT, COUNT); /* one piece */
    assert_int_equal(inlay_pool_started(pool), 0);
    assert_int_equal(threads_of_process(), before);
    run_once_each(pool, 0, COUNT, 1);
    assert_int_equal(inlay_pool_started(pool), 3);
    assert_true(threads_of_process() >= before + 3); /* sanitizers have one of their own */
    inlay_pool_destroy(pool);
    assert_true(inlay_usable_cores() >= 1);
}

/* Loops at all distances: threads are awake, about to sleep, asleep. */
static void test_sleep_and_wake(void **state)
{
    struct inlay_pool *pool = inlay_pool_create(3);
    for (long i = 0; i < 300; i++) {
        run_once_each(pool, 0, 100, 1);
        if (i % 3)
            pause_for(i % 50);
    }
    inlay_pool_destroy(pool);
    for (int i = 0; i < 50; i++) { /* end while they start */
        pool = inlay_pool_create(4);
        run_once_each(pool, 0, i, 1);
        inlay_pool_destroy(pool);
    }
}

struct apart {
    struct inlay_pool *pool;
    atomic_bool is_met;
    bool is_late; /* the caller has nothing to do once somebody helps, who takes long */
    int cores;    /* that the other thread may use, at the end of its piece */
};

static int own_cores(void)
{
    cpu_set_t cores;

    assert_int_equal(sched_getaffinity(0, sizeof(cores), &cores), 0);
    return CPU_COUNT(&cores);
}

static void note_cores(void *state, unsigned thread)
{
    struct apart *apart = state;

    if (thread > 0) {
        atomic_store(&apart->is_met, true);
        pause_for(apart->is_late ? 20000 : 10);
        apart->cores = own_cores();
    }
    for (int i = 0; thread == 0 && i < 100 && !atomic_load(&apart->is_met); i++) {
        pause_for(100);
        inlay_pool_look(apart->pool);
    }
}

/* A thread keeps off the core of the caller, until that waits for it. */
static void test_threads_keep_apart(void **state)
{
    struct inlay_pool *pool = inlay_pool_create(2);
    struct apart apart = {.pool = pool};
    int cores = own_cores(), kept_off = 0, came_back = 0;

    for (int i = 0; i < 200 && cores > 1; i++) {
        apart.is_late = i % 2 == 1;
        atomic_store(&apart.is_met, false);
        apart.cores = 0;
        inlay_pool_run(pool, note_cores, &apart);
        kept_off += !apart.is_late && apart.cores == cores - 1;
        came_back += apart.is_late && apart.cores == cores;
        pause_for(1000);
    }
    assert_true(cores == 1 || (kept_off > 20 && came_back > 20));
    assert_int_equal(own_cores(), cores);
    inlay_pool_destroy(pool);
}

/* Short loops far apart are not worth waking anybody; a long one is. */
struct alone {
    struct inlay_pool *pool;
    bool is_long;
    atomic_uint helped;
};

static void note_help(void *state, unsigned thread)
{
    struct alone *alone = state;
    if (thread > 0)
        atomic_fetch_add(&alone->helped, 1);
    for (int i = 0; thread == 0 && alone->is_long && i < 2000 && !atomic_load(&alone->helped);
         i++) {
        pause_for(1000);
        inlay_pool_look(alone->pool);
    }
}

static void test_only_long_loops_wake(void **state)
{
    enum { RUNS = 40 };
    struct inlay_pool *pool = inlay_pool_create(2);
    struct alone alone = {.pool = pool};
    for (int i = 0; i < RUNS; i++) {
        pause_for(5000);
        inlay_pool_run(pool, note_help, &alone);
    }
    assert_true(atomic_load(&alone.helped) <= RUNS / 4);
    atomic_store(&alone.helped, 0);
    alone.is_long = true;
    pause_for(5000);
    inlay_pool_run(pool, note_help, &alone);
    assert_int_equal(atomic_load(&alone.helped), 1);
    inlay_pool_destroy(pool);
}

/* Shares of equal size, taken in order by whose they are, from the end by others; each piece once. */
static void test_shares(void **state)
{
    static const int32_t own[] = {0, 1, 2, 3}, others[] = {9, 8, 7, 6, 5, 4};
    struct inlay_shares shares;
    inlay_shares_init(&shares, 2, 10);
    assert_int_equal(inlay_shares_take(&shares, 1), 5);
    assert_int_equal(inlay_shares_take(&shares, 0), 0);
    inlay_shares_init(&shares, 3, 10); /* 0 to 2, 3 to 5, 6 to 9 */
    for (int i = 0; i < 4; i++)
        assert_int_equal(inlay_shares_take(&shares, 2), 6 + own[i]);
    assert_int_equal(inlay_shares_take(&shares, 2), 2);
    inlay_shares_init(&shares, 2, 10);
    for (int i = 0; i < 5; i++)
        (void)inlay_shares_take(&shares, 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(inlay_shares_take(&shares, 0), others[i]);
    assert_int_equal(inlay_shares_take(&shares, 0), -1);
    assert_int_equal(inlay_shares_take(&shares, 1), -1);
    for (unsigned threads = 1; threads < 40; threads++)
        for (int32_t pieces = 0; pieces < 100; pieces += 7) {
            unsigned char seen[100] = {0};
            int32_t piece;
            inlay_shares_init(&shares, threads, pieces);
            for (unsigned i = 0; (piece = inlay_shares_take(&shares, i % threads)) >= 0; i++)
                seen[piece]++;
            for (int32_t i = 0; i < 100; i++)
                assert_int_equal(seen[i], i < pieces);
        }
}

struct failing {
    int64_t first; /* that fails */
    atomic_int runs;
};

static int32_t fail_from(struct inlay_frame *frame, void *captured, int64_t begin, int64_t end)
{
    struct failing *failing = captured;
    for (int64_t i = begin; i < end; i++) {
        atomic_fetch_add(&failing->runs, 1);
        if (i >= failing->first)
            return inlay_fail(frame, INLAY_ERROR_BOUNDS, (uint32_t)i, "iteration %lld",
                              (long long)i);
    }
    return 0;
}

static void test_first_error(void **state)
{
    struct inlay_pool *pool = inlay_pool_create(4);
    for (int64_t i = 0; i < 200; i++) {
        struct inlay_frame *frame = frame_on(pool);
        struct failing failing = {.first = i * 5};
        assert_int_equal(inlay_parallel_for(frame, fail_from, &failing, 0, 1000, 1 + i % 7, 0), -1);
        const struct inlay_error *error = inlay_frame_error(frame);
        char expected[32];
        snprintf(expected, sizeof(expected), "iteration %d", (int)failing.first);
        assert_int_equal(error->kind, INLAY_ERROR_BOUNDS);
        assert_string_equal(error->message, expected);
        assert_int_equal(error->line, failing.first);
        assert_true(atomic_load(&failing.runs) > failing.first);
        inlay_frame_destroy(frame);
    }
    inlay_pool_destroy(pool);
}

static int32_t allocate(struct inlay_frame *frame, void *captured, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        char *a = inlay_alloc(frame, i % 100, 1), *b = inlay_alloc(frame, 64, 1);
        if (!a || !b)
            return -1;
        memset(a, 1, (size_t)(i % 100));
        memset(b, 2, 64);
        inlay_free(frame, a);
        if (i % 10)
            inlay_free(frame, b);
    }
    return 0;
}

static void test_memory_of_pieces(void **state)
{
    struct inlay_pool *pool = inlay_pool_create(4);
    struct inlay_memory *memory = inlay_memory_create();
    struct inlay_host host = {.pool = pool, .memory = memory, .memory_limit = 1 << 20};
    struct inlay_frame *frame = inlay_frame_create(&host);
    assert_int_equal(inlay_parallel_for(frame, allocate, NULL, 0, 2000, 1, 0), 0);
    const struct inlay_stats *stats = inlay_frame_stats(frame);
    assert_int_equal(stats->allocations, 4000);
    assert_int_equal(stats->live_bytes, 200 * 64); /* the frame has what is left */
    inlay_frame_destroy(frame);

    host.memory_limit = 6400;
    frame = inlay_frame_create(&host);
    assert_int_equal(inlay_parallel_for(frame, allocate, NULL, 0, 2000, 1, 0), -1);
    assert_int_equal(inlay_frame_error(frame)->kind, INLAY_ERROR_MEMORY);
    inlay_frame_destroy(frame);
    inlay_memory_destroy(memory);
    inlay_pool_destroy(pool);
}

static int32_t run_inner(struct inlay_frame *frame, void *captured, int64_t begin, int64_t end)
{
    unsigned char *seen = captured;
    for (int64_t i = begin; i < end; i++)
        if (inlay_parallel_for(frame, add_one, seen + i * 10, 0, 10, 1, 0) != 0)
            return -1;
    return 0;
}

static void test_loop_in_loop(void **state)
{
    unsigned char seen[1000] = {0};
    struct inlay_pool *pool = inlay_pool_create(4);
    struct inlay_frame *frame = frame_on(pool);
    assert_int_equal(inlay_parallel_for(frame, run_inner, seen, 0, 100, 1, 0), 0);
    for (size_t i = 0; i < sizeof(seen); i++)
        assert_int_equal(seen[i], 1);
    inlay_frame_destroy(frame);
    inlay_pool_destroy(pool);
}

struct user {
    struct inlay_pool *pool;
    bool is_good;
};

static void *use(void *argument)
{
    struct user *user = argument;
    unsigned char seen[1000] = {0};
    struct inlay_frame *frame = inlay_frame_create(&(struct inlay_host){.pool = user->pool});
    user->is_good = frame != NULL;
    for (int i = 1; frame && i <= 100; i++) {
        user->is_good &= inlay_parallel_for(frame, add_one, seen, 0, 1000, 10, 0) == 0;
        for (size_t j = 0; j < sizeof(seen); j++)
            user->is_good &= seen[j] == i;
    }
    inlay_frame_destroy(frame);
    return NULL;
}

/* Threads of the host with a frame each, on one pool. */
static void test_many_users(void **state)
{
    enum { USERS = 4 };
    struct inlay_pool *pool = inlay_pool_create(3);
    struct user users[USERS];
    pthread_t threads[USERS];
    for (int i = 0; i < USERS; i++) {
        users[i] = (struct user){.pool = pool};
        assert_int_equal(pthread_create(&threads[i], NULL, use, &users[i]), 0);
    }
    for (int i = 0; i < USERS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(users[i].is_good);
    }
    assert_int_equal(inlay_pool_started(pool), 2);
    inlay_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_start_late),
        cmocka_unit_test(test_each_iteration_runs_once),
        cmocka_unit_test(test_sleep_and_wake),
        cmocka_unit_test(test_threads_keep_apart),
        cmocka_unit_test(test_first_error),
        cmocka_unit_test(test_memory_of_pieces),
        cmocka_unit_test(test_pieces_are_even),
        cmocka_unit_test(test_only_long_loops_wake),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_loop_in_loop),
        cmocka_unit_test(test_many_users),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

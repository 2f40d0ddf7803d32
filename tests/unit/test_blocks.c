/*
 * Kept blocks of artifacts: threads that take and give them at the same time have each its own.  Under
 * ThreadSanitizer, where it is there.
 */
#include "runtime/artifact/blocks.h"
#include "tests/unit/test.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 20000, HELD = 8, LEAST = 60000, MOST = 460000 };

struct user {
    pthread_t thread;
    uint32_t seed;
    int wrong;
};

/* Small numbers, of a generator that has no state but the user's. */
static unsigned next(struct user *user, unsigned count)
{
    user->seed = user->seed * 1664525U + 1013904223U;
    return (user->seed >> 8) % count;
}

static void *use(void *state)
{
    struct user *user = state;
    unsigned char *held[HELD] = {0}, marks[HELD] = {0};

    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned k = next(user, HELD);
        size_t bytes = LEAST + next(user, MOST - LEAST);

        user->wrong += held[k] && *held[k] != marks[k];
        inlay_block_give(held[k]);
        held[k] = next(user, 3) ? inlay_block_take(bytes) : NULL;
        marks[k] = (unsigned char)next(user, 256);
        if (held[k])
            held[k][0] = held[k][bytes - 1] = marks[k];
    }
    for (unsigned k = 0; k < HELD; k++)
        inlay_block_give(held[k]);
    return NULL;
}

static void test_threads_have_their_own(void **state)
{
    struct user users[THREADS] = {0};

    (void)state;
    for (unsigned i = 0; i < THREADS; i++) {
        users[i].seed = i;
        assert_int_equal(pthread_create(&users[i].thread, NULL, use, &users[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(users[i].thread, NULL);
        assert_int_equal(users[i].wrong, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads_have_their_own)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

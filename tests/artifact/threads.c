/* 16 threads call the artifact of STATE (artifact_errors.py) at the same time, through both doors. */
#include <m.h> /* made by the test */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 16, CALLS = 500 };

static float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int64_t places[] = {1, 7}, outside[] = {1, 8};

static void *work(void *state)
{
    _Alignas(64) float own[8] = {0}, taken[2];
    _Alignas(64) unsigned char arena[M_MAIN_ARENA_BYTES + 64];
    int64_t eight[] = {8}, two[] = {2};
    inlay_dltensor a = {own, {1, 0}, 1, {2, 32, 1}, eight, NULL, 0};
    inlay_dltensor b = {x, {1, 0}, 1, {2, 32, 1}, eight, NULL, 0};
    inlay_dltensor c = {outside, {1, 0}, 1, {0, 64, 1}, two, NULL, 0};
    inlay_dltensor d = {taken, {1, 0}, 1, {2, 32, 1}, two, NULL, 0};
    inlay_dltensor *args[] = {&a, &b, &c}, *results[] = {&d};
    struct inlay_run_error error;
    long bad = 0;

    for (int i = 0; i < CALLS; i++) {
        bad |= m_main(own, x, places, taken, arena) != 0 || taken[1] != 36;
        c.data = places;
        bad |= m_main_dl(args, NULL, 3, results, 1, arena, sizeof(arena), &error) != 0;
    }
    bad |= own[2] != 3.0f * 2 * CALLS;
    *(long *)state = bad;
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    long bad[THREADS], all = 0;

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &bad[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        all |= bad[i];
    }
    (void)outside;
    return all != 0;
}

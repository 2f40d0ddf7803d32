/*
 * Calls the artifact of STATE (artifact_errors.py) on a stack that is painted before, and holds what it has taken
 * against what its header says, with good arguments and with wrong ones.
 */
#include <m.h> /* made by the test */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 1 << 18, PAINT = 0xa7, NEAR = 512 };

static _Alignas(4096) unsigned char stack[SIZE];
static int64_t eight[] = {8}, two[] = {2}, nine[] = {9};
static _Alignas(64) float state[8], x[8], taken[2];
static int64_t places[] = {1, 7}, outside[] = {1, 8};
static _Alignas(64) unsigned char arena[M_MAIN_ARENA_BYTES + 64];
static struct inlay_run_error error;

static inlay_dltensor a = {state, {1, 0}, 1, {2, 32, 1}, eight, NULL, 0},
                      b = {x, {1, 0}, 1, {2, 32, 1}, eight, NULL, 0},
                      c = {places, {1, 0}, 1, {0, 64, 1}, two, NULL, 0},
                      d = {taken, {1, 0}, 1, {2, 32, 1}, two, NULL, 0};

static int32_t call_tensors(void)
{
    inlay_dltensor *args[] = {&a, &b, &c}, *results[] = {&d};

    return m_main_dl(args, NULL, 3, results, 1, arena, sizeof(arena), &error);
}

static int32_t plain(void)
{
    return m_main(state, x, places, taken, arena);
}

static int32_t wrong_index(void)
{
    c.data = outside;
    int32_t status = call_tensors();
    c.data = places;
    return status == 0;
}

static int32_t wrong_shape(void)
{
    b.shape = nine;
    int32_t status = call_tensors();
    b.shape = eight;
    return status == 0;
}

static int32_t wrong_dtype(void)
{
    d.dtype.bits = 64;
    int32_t status = call_tensors();
    d.dtype.bits = 32;
    return status == 0;
}

static int32_t nothing(void)
{
    return 0;
}

typedef int32_t step(void);

__attribute__((noinline)) static size_t depth_of(step *take)
{
    unsigned char *here = __builtin_frame_address(0);
    size_t first = 0, room = (size_t)(here - stack) - NEAR;

    for (volatile unsigned char *p = stack; p < stack + room; p++)
        *p = PAINT;
    if (take() != 0)
        return SIZE; /* it must go as its name says */
    while (first < room && stack[first] == PAINT)
        first++;
    return first < room ? (size_t)(here - (stack + first)) : NEAR;
}

static void *work(void *most)
{
    static step *const steps[] = {nothing,     plain,       call_tensors,
                                  wrong_index, wrong_shape, wrong_dtype};

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        size_t depth = depth_of(steps[i]);
        if (depth > *(size_t *)most)
            *(size_t *)most = depth;
    }
    return NULL;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    size_t most = 0;

    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, sizeof(stack));
    if (pthread_create(&thread, &attributes, work, &most) != 0)
        return 2;
    pthread_join(thread, NULL);
    printf("%zu bytes were taken, %u are allowed\n", most, M_MAIN_STACK_BYTES);
    /* NEAR: frames of this file */
    return most > M_MAIN_STACK_BYTES + NEAR || most < M_MAIN_STACK_BYTES / 3;
}

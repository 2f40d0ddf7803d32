/*
 * A loop that generates: each step appends a row to the caches of keys and values where they lie, and attends to
 * the last 32 rows. All memory is static; nothing is allocated, and of Inlay nothing is needed to run.
 *
 *     inlay compile ../kv_cache.py -o kv.o --header kv.h
 *     cc -std=c11 -pedantic-errors -Wall -Wextra -O2 generate.c kv.o -lm -o generate
 *     ./generate
 */
#include "kv.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 128, WIDTH = 64, WINDOW = 32, STEPS = 100 };

static float keys[ROWS][WIDTH], values[ROWS][WIDTH];
static _Alignas(KV_ARENA_ALIGN) unsigned char arena[KV_ARENA_ROOM(KV_MAIN_ARENA_BYTES)];

/* Stands for the rest of a model: query, key and value of a step, from what the last one gave. */
static void project(const float *last, int step, float *q, float *k, float *v)
{
    for (int j = 0; j < WIDTH; j++) {
        q[j] = sinf(0.1f * (float)(j + step)) + last[j];
        k[j] = cosf(0.2f * (float)(j * step % 29)) - last[WIDTH - 1 - j];
        v[j] = sinf(0.3f * (float)(j + 7 * step)) + 0.5f * last[(j + 1) % WIDTH];
    }
}

/* What the step should give, in plain C. */
static void expect(const float *q, int pos, float *out)
{
    double score[WINDOW], largest = -INFINITY, total = 0;
    int first = pos >= WINDOW ? pos - WINDOW + 1 : 0;

    for (int row = first; row <= pos; row++) {
        score[row - first] = 0;
        for (int j = 0; j < WIDTH; j++)
            score[row - first] += 0.125 * (double)q[j] * (double)keys[row][j];
        largest = fmax(largest, score[row - first]);
    }
    for (int row = first; row <= pos; row++)
        total += exp(score[row - first] - largest);
    for (int j = 0; j < WIDTH; j++) {
        double sum = 0;
        for (int row = first; row <= pos; row++)
            sum += exp(score[row - first] - largest) / total * (double)values[row][j];
        out[j] = (float)sum;
    }
}

int main(void)
{
    float q[WIDTH], k[WIDTH], v[WIDTH], out[WIDTH] = {0}, wanted[WIDTH];
    float worst = 0;

    for (int pos = 0; pos < STEPS; pos++) {
        project(out, pos, q, k, v);
        int32_t status =
            kv_main(&keys[0][0], &values[0][0], q, k, v, pos, out, /* t */ ROWS, arena);
        if (status != 0) {
            char text[128];
            fprintf(stderr, "%s\n", kv_message(status, text, sizeof(text)));
            return 1;
        }
        expect(q, pos, wanted);
        for (int j = 0; j < WIDTH; j++)
            worst = fmaxf(worst, fabsf(out[j] - wanted[j]));
    }
    printf("%d steps, %u bytes of arena\n", STEPS, KV_MAIN_ARENA_BYTES);
    if (!(worst < 1e-4f)) {
        fprintf(stderr, "a step differs from plain C by %g\n", (double)worst);
        return 1;
    }
    /* what the script demands is checked in every call: there is no row 128 */
    return kv_main(&keys[0][0], &values[0][0], q, k, v, ROWS, out, ROWS, arena) == 0;
}

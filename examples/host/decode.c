/*
 * Text in one call: the loop over tokens is in the graph (../generate.py), and goes round as often as the host says.
 * Tokens and caches are updated where they lie, and the arena is that of one turn, for any number of them.
 *
 *     inlay compile ../generate.py -o gen.o --header gen.h
 *     cc -std=c11 -pedantic-errors -Wall -Wextra -O2 decode.c gen.o -lm -o decode
 *     ./decode
 */
#include "gen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 96, WIDTH = 32, WORDS = 64, WINDOW = 32, GIVEN = 5, LAST = 90 };

static const char letters[WORDS + 1] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .";
static float keys[ROWS][WIDTH], values[ROWS][WIDTH];
static float table[WORDS][WIDTH], head[WIDTH][WORDS];
static float wq[WIDTH][WIDTH], wk[WIDTH][WIDTH], wv[WIDTH][WIDTH];
static _Alignas(GEN_ARENA_ALIGN) unsigned char arena[GEN_ARENA_ROOM(GEN_MAIN_ARENA_BYTES)];

/* Stands for training: numbers between -scale and scale, the same every time. */
static void fill(float *weights, int count, float scale)
{
    static uint32_t state = 1;

    for (int i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        weights[i] = scale * ((float)(state >> 8) / 8388608.0f - 1.0f);
    }
}

/* --- what the call should give, in plain C --- */

static void multiply(const float *x, const float *matrix, int columns, double *out)
{
    for (int j = 0; j < columns; j++) {
        out[j] = 0;
        for (int i = 0; i < WIDTH; i++)
            out[j] += (double)x[i] * (double)matrix[i * columns + j];
    }
}

static int likeliest(int pos, int64_t token)
{
    static double k[ROWS][WIDTH], v[ROWS][WIDTH];
    double q[WIDTH], score[WINDOW], logits[WORDS], total = 0, largest = -INFINITY;
    int first = pos >= WINDOW ? pos - WINDOW + 1 : 0, best = 0;
    float sum[WIDTH];

    multiply(table[token], &wq[0][0], WIDTH, q);
    multiply(table[token], &wk[0][0], WIDTH, k[pos]);
    multiply(table[token], &wv[0][0], WIDTH, v[pos]);
    for (int row = first; row <= pos; row++) {
        score[row - first] = 0;
        for (int j = 0; j < WIDTH; j++)
            score[row - first] += 0.17677669 * q[j] * k[row][j];
        largest = fmax(largest, score[row - first]);
    }
    for (int row = first; row <= pos; row++)
        total += exp(score[row - first] - largest);
    for (int j = 0; j < WIDTH; j++) {
        double mean = 0;
        for (int row = first; row <= pos; row++)
            mean += exp(score[row - first] - largest) / total * v[row][j];
        sum[j] = (float)(mean + (double)table[token][j]);
    }
    multiply(sum, &head[0][0], WORDS, logits);
    for (int i = 1; i < WORDS; i++)
        best = logits[i] > logits[best] ? i : best;
    return best;
}

/* --- */

static int32_t generate(int64_t *tokens, int64_t last)
{
    return gen_main(tokens, &keys[0][0], &values[0][0], &table[0][0], &wq[0][0], &wk[0][0],
                    &wv[0][0], &head[0][0], last, GIVEN, /* t */ ROWS, arena);
}

int main(void)
{
    int64_t tokens[ROWS] = {7, 4, 11, 11, 14};
    char text[ROWS + 1] = {0};

    fill(&table[0][0], WORDS * WIDTH, 2);
    fill(&head[0][0], WIDTH * WORDS, 2);
    fill(&wq[0][0], WIDTH * WIDTH, 0.4f);
    fill(&wk[0][0], WIDTH * WIDTH, 0.4f);
    fill(&wv[0][0], WIDTH * WIDTH, 0.4f);
    int32_t status = generate(tokens, LAST);
    if (status != 0) {
        fprintf(stderr, "%s\n", gen_message(status, text, sizeof(text)));
        return 1;
    }
    for (int i = 0; i <= LAST; i++)
        text[i] = letters[tokens[i]];
    printf("%s\n%d tokens, %u bytes of arena\n", text, LAST + 1, GEN_MAIN_ARENA_BYTES);
    for (int pos = 0; pos < LAST; pos++) {
        int next = likeliest(pos, tokens[pos]);
        if (pos + 1 >= GIVEN && next != tokens[pos + 1]) {
            fprintf(stderr, "token %d is not what plain C says\n", pos + 1);
            return 1;
        }
    }
    /* what a turn may not do is an error of the call: there is no token 96 */
    status = generate(tokens, ROWS);
    printf("refused: %s\n", gen_message(status, text, sizeof(text)));
    return status == 0;
}

/*
 * A whole decoder in a program that allocates nothing: its weights are in the object, its caches here.  The loop that
 * generates is written twice, once here around `step`, and once in the script, of which one call gives all tokens.
 *
 *     W=../decoder/weights.safetensors
 *     P="BindParams(file=\"$W\"),BindParams(file=\"$W\", function=\"step\"),default"
 *     inlay compile ../decoder.py -p "$P" -o decoder.o --header decoder.h
 *     cc -std=c11 -O2 llama.c decoder.o -lm -o llama
 *     ./llama
 */
#include "decoder.h"

#include <stdio.h>
#include <string.h>

enum { GIVEN = 8, MADE = 256, ROWS = GIVEN + MADE, LAYERS = 2, WIDTH = 2 * 8 };

static int64_t tokens[ROWS], all[MADE];
static float keys[LAYERS][ROWS][WIDTH], values[LAYERS][ROWS][WIDTH];
static _Alignas(
    DECODER_ARENA_ALIGN) unsigned char arena[DECODER_ARENA_ROOM(DECODER_MAIN_ARENA_BYTES)];

_Static_assert(sizeof(arena) >= DECODER_STEP_ARENA_BYTES, "the larger entry's arena does for both");

static int fail(int32_t status)
{
    char text[128];

    fprintf(stderr, "%s\n", decoder_message(status, text, sizeof(text)));
    return 1;
}

int main(void)
{
    /* ../decoder/prompt.npy: a header of 128 bytes, then numbers of 64 bits */
    FILE *file = fopen("../decoder/prompt.npy", "rb");

    if (!file || fseek(file, 128, SEEK_SET) || fread(tokens, 8, GIVEN, file) != GIVEN)
        return 1;
    fclose(file);
    int32_t status = decoder_main(tokens, all, arena);
    if (status != 0)
        return fail(status);
    for (int64_t pos = 0; pos < ROWS - 1; pos++) {
        status = decoder_step(tokens, &keys[0][0][0], &values[0][0][0], &keys[1][0][0],
                              &values[1][0][0], pos, arena);
        if (status != 0)
            return fail(status);
    }
    for (int i = 0; i < MADE; i++)
        printf("%lld%c", (long long)tokens[GIVEN + i], i % 32 == 31 ? '\n' : ' ');
    return memcmp(all, tokens + GIVEN, sizeof(all)) != 0;
}

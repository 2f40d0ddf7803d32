/*
 * A host whose threads run the loops of an artifact: the same bits and the same errors for any number of them.
 * With -DTHREADS=N there are N; without, loops are serial. Prints a hash of each result, each error, and how many
 * pieces ran.
 */
#include "t.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int pieces;

#ifdef THREADS
struct work {
    void (*piece)(void *state, int32_t index);
    void *state;
    int32_t count;
    atomic_int next;
};

static void *help(void *argument)
{
    struct work *work = argument;

    for (int32_t i = work->count - 1 - atomic_fetch_add(&work->next, 1); i >= 0;
         i = work->count - 1 - atomic_fetch_add(&work->next, 1)) { /* the last one first */
        work->piece(work->state, i);
        atomic_fetch_add(&pieces, 1);
    }
    return NULL;
}

void inlay_host_parallel(void (*piece)(void *state, int32_t index), void *state, int32_t count)
{
    struct work work = {piece, state, count, 0};
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, help, &work) != 0)
            abort();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}
#endif

static float x[64000], y[64000];
static int64_t indices[1000];

static void show(const char *what, int32_t status, size_t count)
{
    const unsigned char *bytes = (const unsigned char *)y;
    uint64_t hash = 14695981039346656037u;

    for (size_t i = 0; status == 0 && i < count * sizeof(float); i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    printf("%s %d %016llx\n", what, (int)status, (unsigned long long)hash);
}

static inlay_dltensor matrix(float *data, int64_t *shape, int32_t ndim)
{
    inlay_dltensor tensor = {.data = data, .ndim = ndim, .shape = shape};

    tensor.device.device_type = 1;
    tensor.dtype.code = 2;
    tensor.dtype.bits = 32;
    tensor.dtype.lanes = 1;
    return tensor;
}

/* Scratch of several pieces needs a larger arena, which the checked door is told. */
static void summed_in(size_t arena_bytes)
{
    int64_t in_shape[] = {1000, 64}, out_shape[] = {1000};
    inlay_dltensor in = matrix(x, in_shape, 2), out = matrix(y, out_shape, 1);
    inlay_dltensor *args[] = {&in}, *results[] = {&out};
    void *arena = aligned_alloc(64, (arena_bytes + 63) / 64 * 64);
    struct inlay_run_error error;

    memset(y, 0, sizeof(y));
    show("summed_dl", t_summed_dl(args, NULL, 1, results, 1, arena, arena_bytes, &error), 1000);
    free(arena);
}

int main(void)
{
    static _Alignas(64) unsigned char arena[1 << 20];

    for (int i = 0; i < 64000; i++)
        x[i] = (float)(i * 37 % 1009) * 0.01f;
    for (int i = 0; i < 1000; i++)
        indices[i] = i * 7 % 1000;
    show("squares", t_squares(x, y, arena), 64000);
    show("picked", t_picked(x, indices, y, arena), 1000);
    fprintf(stderr, "%d pieces without scratch\n", atomic_exchange(&pieces, 0));
    show("summed", t_summed(x, y, arena), 1000);
    fprintf(stderr, "%d pieces in the least arena\n", atomic_exchange(&pieces, 0));
    summed_in(T_SUMMED_ARENA_BYTES);
    atomic_store(&pieces, 0);
    summed_in(T_SUMMED_ARENA_BYTES + 8 * 4096 * sizeof(float));
    fprintf(stderr, "%d pieces in a large arena\n", atomic_exchange(&pieces, 0));
    indices[990] = 5000;
    indices[400] = 1000;
    indices[401] = -1;
    struct inlay_run_error error;
    int64_t shape[] = {1000};
    inlay_dltensor in = matrix(x, shape, 1), which = matrix(x, shape, 1), out = matrix(y, shape, 1);
    which.data = indices;
    which.dtype.code = 0;
    which.dtype.bits = 64;
    inlay_dltensor *args[] = {&in, &which}, *results[] = {&out};
    int32_t status = t_picked_dl(args, NULL, 2, results, 1, arena, sizeof(arena), &error);
    printf("picked %d line %u: %s\n", (int)(status % 16), error.line, error.message);
    return 0;
}

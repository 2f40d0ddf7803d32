/* Calls the artifact of STATE (artifact_errors.py) while every function of the heap counts. */
#include <m.h> /* made by the test */
#include <stdio.h>

static long taken_count;
static _Alignas(64) float state[8], x[8], taken[2];
static int64_t places[] = {1, 7};
static _Alignas(64) unsigned char arena[M_MAIN_ARENA_BYTES + 64];

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    taken_count++;
    return __real_malloc(size);
}
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    taken_count++;
    return __real_calloc(count, size);
}
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
    taken_count++;
    return __real_realloc(old, size);
}
void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size)
{
    taken_count++;
    return __real_aligned_alloc(align, size);
}
void __real_free(void *data);
void __wrap_free(void *data);
void __wrap_free(void *data)
{
    taken_count++;
    __real_free(data);
}

int main(void)
{
    int64_t eight[] = {8}, two[] = {2};
    inlay_dltensor a = {state, {1, 0}, 1, {2, 32, 1}, eight, NULL, 0};
    inlay_dltensor b = {x, {1, 0}, 1, {2, 32, 1}, eight, NULL, 0};
    inlay_dltensor c = {places, {1, 0}, 1, {0, 64, 1}, two, NULL, 0};
    inlay_dltensor d = {taken, {1, 0}, 1, {2, 32, 1}, two, NULL, 0};
    inlay_dltensor *args[] = {&a, &b, &c}, *results[] = {&d};
    struct inlay_run_error error;
    int bad = 0;

    for (int i = 0; i < 8; i++)
        x[i] = 1;
    for (int i = 0; i < 1000; i++) {
        bad |= m_main(state, x, places, taken, arena);
        bad |= m_main_dl(args, NULL, 3, results, 1, arena, sizeof(arena), &error);
    }
    if (bad || taken_count || state[3] != 2000.0f) {
        printf("status %d, %ld calls of the heap, state %g\n", bad, taken_count, (double)state[3]);
        return 1;
    }
    return 0;
}

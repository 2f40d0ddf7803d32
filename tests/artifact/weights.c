/*
 * Uses an artifact whose weights lie in a file: WEIGHTED (artifact_weights.py), y = x @ w + b.
 *
 *     weights LIBRARY all FILE         every door, the same bits
 *     weights LIBRARY open FILE        what opening says
 *     weights LIBRARY use FILE SHIFT   the same of its bytes at a place that is off by SHIFT
 *     weights LIBRARY entry FILE       doors without weights, and with those of somebody else
 *     weights LIBRARY ffi              what the door of tvm-ffi says
 *     weights LIBRARY threads          16 threads come first there
 */
#include <dlfcn.h>
#include <m.h> /* made by the test */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 2, DEPTH = 64, COLUMNS = 48, THREADS = 16 };

/* TVMFFIAny */
struct any {
    int32_t kind, padding;
    void *pointer;
};
struct ffi_tensor {
    uint64_t counts;
    int32_t type;
    uint32_t padding;
    void (*end)(void *self, int32_t flags);
    inlay_dltensor tensor;
};

static __typeof__(m_main) *plain;
static __typeof__(m_main_dl) *checked;
static __typeof__(m_weights_open) *open_weights;
static __typeof__(m_weights_use) *use_weights;
static __typeof__(m_weights_close) *close_weights;
static __typeof__(m_message) *message;
static int32_t (*ffi)(void *handle, const struct any *args, int32_t count, struct any *result);

static _Alignas(64) float x[ROWS * DEPTH], expected[ROWS * COLUMNS];
static _Thread_local char raised[1024];

/* The library finds it here. */
void TVMFFIErrorSetRaisedFromCStrParts(const char *kind, const char **parts, int32_t count)
{
    snprintf(raised, sizeof(raised), "%s: ", kind);
    for (int32_t i = 0; i < count; i++)
        strncat(raised, parts[i], sizeof(raised) - strlen(raised) - 1);
}

static void load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(3);
    }
    *(void **)&plain = dlsym(library, "m_main");
    *(void **)&checked = dlsym(library, "m_main_dl");
    *(void **)&open_weights = dlsym(library, "m_weights_open");
    *(void **)&use_weights = dlsym(library, "m_weights_use");
    *(void **)&close_weights = dlsym(library, "m_weights_close");
    *(void **)&message = dlsym(library, "m_message");
    *(void **)&ffi = dlsym(library, "__tvm_ffi_main");
}

static int32_t call_plain(const struct inlay_weights *weights, float *y)
{
    static _Thread_local _Alignas(64) unsigned char arena[M_MAIN_ARENA_BYTES + 64];

    return plain(x, y, weights, arena);
}

static int32_t call_checked(const struct inlay_weights *weights, float *y,
                            struct inlay_run_error *error)
{
    static _Alignas(64) unsigned char arena[M_MAIN_ARENA_BYTES + 64];
    int64_t in[] = {ROWS, DEPTH}, out[] = {ROWS, COLUMNS};
    inlay_dltensor arg = {x, {1, 0}, 2, {2, 32, 1}, in, NULL, 0};
    inlay_dltensor result = {y, {1, 0}, 2, {2, 32, 1}, out, NULL, 0}, *args = &arg,
                   *results = &result;

    return checked(&args, NULL, 1, &results, 1, weights, arena, sizeof(arena), error);
}

/* By tvm-ffi: 0, or -1 with the words in `raised`. */
static int32_t call_ffi(float *y)
{
    int64_t in[] = {ROWS, DEPTH};
    inlay_dltensor arg = {x, {1, 0}, 2, {2, 32, 1}, in, NULL, 0};
    struct any args = {7, 0, &arg}, result = {0};
    int32_t status = ffi(NULL, &args, 1, &result);

    if (status == 0) {
        struct ffi_tensor *tensor = result.pointer;
        memcpy(y, tensor->tensor.data, ROWS * COLUMNS * sizeof(float));
        tensor->end(tensor, 3);
    }
    return status;
}

static void *read_file(const char *path, size_t shift, size_t *out_size)
{
    FILE *file = fopen(path, "rb");
    char *at = NULL;

    if (!file || fseek(file, 0, SEEK_END) != 0)
        exit(3);
    *out_size = (size_t)ftell(file);
    rewind(file);
    at = (char *)aligned_alloc(64, (*out_size + 127) / 64 * 64) + shift;
    if (fread(at, 1, *out_size, file) != *out_size)
        exit(3);
    fclose(file);
    return at;
}

static int check(const char *what, int32_t status, const float *y)
{
    char text[256];
    int is_good = status == 0 && memcmp(y, expected, sizeof(expected)) == 0;

    printf("%s: %s\n", what, is_good ? "the same" : message(status, text, sizeof(text)));
    return !is_good;
}

/* The mappings of @name, all of which must be for reading only. */
static int count_mappings(const char *name)
{
    FILE *file = fopen("/proc/self/maps", "r");
    char line[4400];
    int count = 0;

    while (fgets(line, sizeof(line), file))
        if (strstr(line, name)) {
            count++;
            if (!strstr(line, " r--"))
                count += 1000;
        }
    fclose(file);
    return count;
}

static int test_all(const char *path)
{
    struct inlay_weights weights, given;
    struct inlay_run_error error;
    float y[ROWS * COLUMNS];
    size_t size;
    int failures = 0;

    if (open_weights(&weights, path, &error) != 0) {
        printf("%s\n", error.message);
        return 1;
    }
    printf("mappings: %d\n", count_mappings(".safetensors"));
    call_plain(&weights, expected);
    failures += check("plain", call_plain(&weights, y), y);
    memset(y, 0, sizeof(y));
    failures += check("checked", call_checked(&weights, y, &error), y);
    char *file = read_file(path, 0, &size);
    failures += use_weights(&given, file, size, NULL) != 0;
    memset(y, 0, sizeof(y));
    failures += check("bytes in memory", call_plain(&given, y), y);
    close_weights(&given); /* they stay the caller's */
    free(file);
    close_weights(&weights);
    close_weights(&weights); /* is nothing any more */
    printf("mappings: %d\n", count_mappings(".safetensors"));
    memset(y, 0, sizeof(y));
    failures += check("tvm-ffi", call_ffi(y), y);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        printf("%s%.9g", i ? " " : "", expected[i]);
    printf("\n");
    return failures;
}

static int say(int32_t status, const struct inlay_run_error *error)
{
    char text[256];

    printf("%d: %s\n%s\n", status, error->message, message(status, text, sizeof(text)));
    return status == INLAY_RUN_WEIGHTS ? 0 : 1;
}

static int test_entry(const char *path)
{
    struct inlay_weights weights, other;
    struct inlay_run_error error;
    float y[ROWS * COLUMNS];
    int failures = open_weights(&weights, path, &error) != 0;

    failures += say(call_checked(NULL, y, &error), &error);
    other = (struct inlay_weights){0};
    failures += say(call_checked(&other, y, &error), &error);
    other = weights;
    other.identity++;
    failures += say(call_checked(&other, y, &error), &error);
    failures += call_plain(NULL, y) != INLAY_RUN_WEIGHTS;
    failures += call_plain(&other, y) != INLAY_RUN_WEIGHTS;
    failures += call_plain(&weights, y) != 0;
    close_weights(&weights);
    failures += call_plain(&weights, y) != INLAY_RUN_WEIGHTS;
    return failures;
}

static void *run_thread(void *state)
{
    pthread_barrier_t *barrier = state;
    float y[ROWS * COLUMNS];

    pthread_barrier_wait(barrier);
    for (int i = 0; i < 20; i++)
        if (call_ffi(y) != 0)
            return raised;
    return NULL;
}

static int test_threads(void)
{
    pthread_barrier_t barrier;
    pthread_t threads[THREADS];
    int failures = 0;

    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run_thread, &barrier);
    for (int i = 0; i < THREADS; i++) {
        void *why = NULL;
        pthread_join(threads[i], &why);
        failures += why != NULL;
    }
    pthread_barrier_destroy(&barrier);
    printf("mappings: %d\n", count_mappings(".safetensors"));
    return failures;
}

int main(int argc, char **argv)
{
    struct inlay_weights weights;
    struct inlay_run_error error;
    float y[ROWS * COLUMNS];
    const char *mode = argc > 2 ? argv[2] : "", *path = argc > 3 ? argv[3] : NULL;
    size_t size;

    for (int i = 0; i < ROWS * DEPTH; i++)
        x[i] = (float)(i % 7) - 3;
    load(argv[1]);
    if (strcmp(mode, "all") == 0)
        return test_all(path);
    if (strcmp(mode, "open") == 0)
        return say(open_weights(&weights, path, &error), &error);
    if (strcmp(mode, "use") == 0) {
        size_t shift = (size_t)atoi(argv[4]);
        char *file = read_file(path, shift, &size);
        int32_t status = use_weights(&weights, file, size, &error);
        free(file - shift);
        return say(status, &error);
    }
    if (strcmp(mode, "entry") == 0)
        return test_entry(path);
    if (strcmp(mode, "threads") == 0)
        return test_threads();
    int32_t status = call_ffi(y);
    printf("%s\n", status == 0 ? "fine" : raised);
    return status != 0;
}

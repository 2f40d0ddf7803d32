/*
 * A library with doors for tvm-ffi in a process without libtvm_ffi: it loads, results can be owned, an error is
 * an error.  With -DWITH_LIBRARY this program has the functions that a library asks for, and looks at what it is
 * told through them.
 *
 * usage: alone LIBRARY       prints TAP
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct any {
    int32_t type;
    uint32_t padding;
    union {
        int64_t integer;
        void *object;
    };
};
struct object {
    uint64_t counts;
    int32_t type;
    uint32_t padding;
    void (*end)(void *self, int flags);
};
struct tensor {
    void *data;
    int32_t device, device_id, ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};
typedef int door(void *handle, const struct any *args, int32_t count, struct any *result);

enum { TENSOR_POINTER = 7, TENSOR = 70, ARRAY = 71, BOTH_ENDS = 3 };

static int failures;

static void expect(int is_true, const char *what)
{
    printf("%sok - %s\n", is_true ? "" : "not ", what);
    failures += !is_true;
}

static char kind[64], message[2048];
static int functions_asked, owned;

#ifdef WITH_LIBRARY
static int taken; /* blocks of libc */

void *aligned_alloc(size_t alignment, size_t bytes)
{
    void *block = NULL;

    taken++;
    return posix_memalign(&block, alignment, bytes) == 0 ? block : NULL;
}

static struct any fields[8];
static int field_count, is_refusing;

void TVMFFIErrorSetRaisedFromCStrParts(const char *name, const char **parts, int32_t count)
{
    snprintf(kind, sizeof(kind), "%s", name);
    message[0] = 0;
    for (int32_t i = 0; i < count; i++)
        strncat(message, parts[i], sizeof(message) - strlen(message) - 1);
}

int TVMFFIFunctionGetGlobal(const void *name, void **out)
{
    const struct {
        const char *data;
        size_t size;
    } *text = name;

    functions_asked++;
    *out = text->size == 9 && memcmp(text->data, "ffi.Array", 9) == 0 && !is_refusing
               ? &functions_asked
               : NULL;
    return 0;
}

int TVMFFIFunctionCall(void *function, struct any *args, int32_t count, struct any *result)
{
    field_count = count;
    for (int32_t i = 0; i < count; i++) {
        fields[i] = args[i];
        owned++;
        ((struct object *)args[i].object)->counts++;
    }
    *result = (struct any){.type = ARRAY};
    return 0;
}

int TVMFFIObjectIncRef(void *object)
{
    ((struct object *)object)->counts++;
    return 0;
}

int TVMFFIObjectDecRef(void *object)
{
    struct object *o = object;

    if (object == &functions_asked)
        return 0;
    if ((uint32_t)--o->counts == 0) {
        o->end(o, BOTH_ENDS);
        owned = -1;
    }
    return 0;
}
#endif

static struct tensor floats(float *data, int64_t *shape, int32_t ndim)
{
    return (struct tensor){
        .data = data, .device = 1, .ndim = ndim, .code = 2, .bits = 32, .lanes = 1, .shape = shape};
}

/* Two results need `ffi.Array`. */
static void pair(door *f)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {1, 1, 1, 1, 1, 1};
    int64_t shape[2] = {2, 3};
    struct tensor a = floats(x, shape, 2), b = floats(y, shape, 2);
    struct any args[2] = {{TENSOR_POINTER, 0, {.object = &a}}, {TENSOR_POINTER, 0, {.object = &b}}},
               result = {0};

#ifdef WITH_LIBRARY
    expect(f(NULL, args, 2, &result) == 0 && result.type == ARRAY && field_count == 2 && owned == 2,
           "a tuple is made by the caller's library");
    for (int i = 0; i < field_count; i++)
        TVMFFIObjectDecRef(fields[i].object);
    is_refusing = 1;
#endif
    result = (struct any){0};
    expect(f(NULL, args, 2, &result) == -1 && result.type == 0,
           "a tuple that cannot be made is an error");
#ifdef WITH_LIBRARY
    expect(strcmp(kind, "MemoryError") == 0, "which has a kind");
#endif
    expect(x[5] == 6 && y[0] == 1, "arguments stay");
}

/* Large blocks are taken again; each result that is held has its own. */
static void blocks(door *add)
{
    enum { ROWS = 1 << 14, COUNT = 4 * ROWS };
    static float x[COUNT], y[COUNT];
    int64_t shape[2] = {ROWS, 4}, half[2] = {ROWS / 4, 4};
    struct tensor a = floats(x, shape, 2), b = floats(y, shape, 2);
    struct any args[2] = {{TENSOR_POINTER, 0, {.object = &a}}, {TENSOR_POINTER, 0, {.object = &b}}},
               results[3] = {0}, small = {0};
    int is_good = 1, is_whole = 1;

    for (int i = 0; i < COUNT; i++)
        x[i] = (float)i;
    for (int i = 0; i < 3; i++) {
        y[0] = (float)i;
        is_good = add(NULL, args, 2, &results[i]) == 0 && is_good;
    }
    expect(is_good, "large results are made");
    for (int i = 0; i < 3; i++) {
        float *z = ((struct tensor *)((struct object *)results[i].object + 1))->data;
        is_whole =
            is_whole && (uintptr_t)z % 64 == 0 && z[0] == (float)i && z[COUNT - 1] == COUNT - 1;
    }
    expect(is_whole, "each in memory of its own, aligned to 64");
    void *given = results[1].object;
    ((struct object *)given)->end(given, BOTH_ENDS);
    is_good = add(NULL, args, 2, &results[1]) == 0;
    expect(is_good && results[1].object == given, "memory that was given back is taken again");
    ((struct object *)given)->end(given, BOTH_ENDS);
    a.shape = b.shape = half;
    is_good = add(NULL, args, 2, &small) == 0;
    expect(is_good && small.object != given, "a block is not given for a quarter of it");
    a.shape = b.shape = shape;
    is_good = add(NULL, args, 2, &results[1]) == 0;
    expect(is_good, "and there is another");
    ((struct object *)small.object)->end(small.object, BOTH_ENDS);
    for (int i = 0; i < 3; i++)
        ((struct object *)results[i].object)->end(results[i].object, BOTH_ENDS);
}

#ifdef WITH_LIBRARY
/* So many at once, as a decoder gives the keys and values of each layer back: the second turn takes those of the first. */
static void many(door *add)
{
    enum { ROWS = 1 << 12, COUNT = 4 * ROWS, RESULTS = 200 };
    static float x[COUNT], y[COUNT];
    int64_t shape[2] = {ROWS, 4};
    struct tensor a = floats(x, shape, 2), b = floats(y, shape, 2);
    struct any args[2] = {{TENSOR_POINTER, 0, {.object = &a}}, {TENSOR_POINTER, 0, {.object = &b}}};
    struct any results[RESULTS] = {0};
    int is_good = 1, before = 0;

    for (int turn = 0; turn < 2; turn++) {
        before = taken;
        for (int i = 0; i < RESULTS; i++)
            is_good = add(NULL, args, 2, &results[i]) == 0 && is_good;
        for (int i = 0; i < RESULTS; i++)
            ((struct object *)results[i].object)->end(results[i].object, BOTH_ENDS);
    }
    expect(is_good && taken == before, "as many blocks as a large decoder has are kept");
}
#endif

int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    int64_t shape[2] = {2, 4}, other[2] = {1, 4};

    if (!library) {
        printf("not ok - the library loads: %s\n", dlerror());
        return 1;
    }
    door *add = (door *)(uintptr_t)dlsym(library, "__tvm_ffi_add");
    struct tensor a = floats(x, shape, 2), b = floats(y, shape, 2);
    struct any args[2] = {{TENSOR_POINTER, 0, {.object = &a}}, {TENSOR_POINTER, 0, {.object = &b}}},
               result = {0};

    expect(add && add(NULL, args, 2, &result) == 0 && result.type == TENSOR,
           "a call gives a tensor");
    struct object *object = result.object;
    struct tensor *z = (struct tensor *)(object + 1);
    expect(object->counts == ((uint64_t)1 << 32 | 1) && object->type == TENSOR,
           "that its caller owns");
    expect(z->ndim == 2 && z->shape[0] == 2 && z->shape[1] == 4 && z->strides[0] == 4 &&
               z->strides[1] == 1,
           "of its shape");
    expect(((float *)z->data)[0] == 2 && ((float *)z->data)[7] == 9, "with the sum");
    object->end(object, 1);
    expect(z->ndim == 2, "the block stays for weak references");
    object->end(object, 2);
    result = (struct any){0};
    b.shape = other;
    expect(add(NULL, args, 2, &result) == -1 && result.type == 0,
           "shapes that differ are an error");
#ifdef WITH_LIBRARY
    expect(strcmp(kind, "ValueError") == 0 && strstr(message, "programs.py:") &&
               strstr(message, "when calling: `add("),
           "that is told");
#endif
    expect(add(NULL, args, 1, &result) == -1, "one argument is an error");
    pair((door *)(uintptr_t)dlsym(library, "__tvm_ffi_pair"));
    blocks(add);
#ifdef WITH_LIBRARY
    many(add);
#endif
    (void)functions_asked, (void)kind, (void)message, (void)owned;
    return failures > 0;
}

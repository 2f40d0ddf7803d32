/* Frames: memory, the first error, depth, packed functions; and values as text; and 16-bit floats. */
#include "base/half.h"
#include "runtime/check.h"
#include "runtime/format.h"
#include "runtime/frame.h"
#include "runtime/hash.h"
#include "runtime/multiply.h"
#include "runtime/tensor.h"
#include "tests/unit/test.h"

#include <float.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void test_memory(void **state)
{
    struct inlay_frame *frame = inlay_frame_create(NULL);
    const struct inlay_stats *stats = inlay_frame_stats(frame);
    char *a = inlay_alloc(frame, 100, 1), *b = inlay_alloc(frame, 0, 1);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    assert_int_equal((uintptr_t)a % 64, 0);
    memset(a, 1, 100);
    assert_int_equal(stats->live_bytes, 100);
    inlay_free(frame, a);
    inlay_free(frame, NULL);
    assert_int_equal(stats->live_bytes, 0);
    assert_int_equal(stats->peak_bytes, 100);
    assert_int_equal(stats->allocations, 2);
    assert_null(inlay_alloc(frame, -1, 7));
    assert_int_equal(inlay_frame_error(frame)->kind, INLAY_ERROR_MEMORY);
    assert_int_equal(inlay_frame_error(frame)->line, 7);
    assert_null(inlay_alloc(frame, INT64_MAX, 8));
    assert_int_equal(inlay_frame_error(frame)->line, 7); /* the first error stays */
    inlay_frame_destroy(frame);                          /* frees b */
}

/* What one run frees the next one gets, but never more is kept than was in use at once. */
static void test_kept_memory(void **state)
{
    struct inlay_memory *memory = inlay_memory_create();
    struct inlay_host host = {.memory = memory};
    struct inlay_frame *frame = inlay_frame_create(&host);
    char *large = inlay_alloc(frame, 9 << 20, 0);
    char *small = inlay_alloc(frame, 5000, 0);
    assert_non_null(large);
    assert_non_null(small);
    assert_int_equal((uintptr_t)large % 64, 0);
    large[(9 << 20) - 1] = 1;
    inlay_frame_destroy(frame);

    frame = inlay_frame_create(&host);
    assert_ptr_equal(inlay_alloc(frame, 5000, 0), small);
    assert_ptr_equal(inlay_alloc(frame, (9 << 20) - 100, 0), large); /* nearly its size */
    assert_ptr_not_equal(inlay_alloc(frame, 9 << 20, 0), large);     /* it is taken */
    assert_int_equal(inlay_frame_stats(frame)->allocated_bytes, 5000 + (18 << 20) - 100);
    inlay_frame_destroy(frame);

    size_t bytes = 0;
    void *other = inlay_memory_take(memory, 64, &bytes); /* too small for what is kept */
    assert_int_equal(bytes, 64);
    inlay_memory_give(memory, other, bytes);
    inlay_memory_destroy(memory);
}

/* Tensors in a piece of storage end without it. */
static void test_release_storage(void **state)
{
    struct inlay_frame *frame = inlay_frame_create(NULL);
    const struct inlay_stats *stats = inlay_frame_stats(frame);
    char *piece = inlay_alloc_storage(frame, 256, 0), *other = inlay_alloc(frame, 64, 0);
    struct inlay_tensor tensor = {.data = piece, .byte_offset = 64};
    struct inlay_value value = {.kind = INLAY_TENSOR, .tensor = &tensor};
    inlay_release(frame, piece);
    inlay_release(frame, piece + 64);
    inlay_release_value(frame, &value);
    assert_int_equal(stats->live_bytes, 320);
    inlay_release_storage(frame, piece + 64);
    inlay_release_storage(frame, piece);
    assert_int_equal(stats->live_bytes, 64);
    inlay_release(frame, other);
    inlay_free(frame, inlay_alloc_storage(frame, 64, 0));
    assert_null(inlay_alloc_storage(frame, -1, 7));
    assert_int_equal(stats->live_bytes, 0);
    inlay_frame_destroy(frame);
}

/* What values need: those in a piece as long as they live there, in steps of 64 bytes. */
static void test_count(void **state)
{
    struct inlay_frame *frame = inlay_frame_create(NULL);
    const struct inlay_stats *stats = inlay_frame_stats(frame);
    char *piece = inlay_alloc_storage(frame, 256, 0), *own = inlay_alloc(frame, 100, 0);
    assert_int_equal(stats->needed_bytes, 100);
    inlay_count_tensor(frame, piece + 64, 60);
    inlay_count_tensor(frame, piece, 64);
    inlay_count_tensor(frame, piece + 128, 0);
    assert_int_equal(stats->needed_bytes, 228);
    inlay_count_end(frame, piece + 64 + 32); /* a view of it */
    inlay_count_end(frame, piece + 64);
    inlay_count_end(frame, own);
    inlay_count_end(frame, NULL);
    assert_int_equal(stats->needed_bytes, 164);
    for (int i = 0; i < 100; i++)
        inlay_count_tensor(frame, piece + 64, 1);
    assert_int_equal(stats->needed_bytes, 164 + 6400);
    inlay_free(frame, piece);
    assert_int_equal(stats->needed_bytes, 100);
    inlay_free(frame, own);
    assert_int_equal(stats->needed_bytes, 0);
    assert_int_equal(stats->needed_peak_bytes, 164 + 6400);
    assert_int_equal(stats->value_bytes, 100 + 60 + 64 + 100);
    assert_int_equal(stats->peak_bytes, 356);
    inlay_frame_destroy(frame);
}

/* Storage is found by any pointer into its data, and once only. */
static void test_release(void **state)
{
    enum { COUNT = 500, BYTES = 128 };
    struct inlay_frame *frame = inlay_frame_create(NULL);
    const struct inlay_stats *stats = inlay_frame_stats(frame);
    char *blocks[COUNT], outside[BYTES];
    for (int i = 0; i < COUNT / 2; i++)
        assert_non_null(blocks[i] = inlay_alloc(frame, BYTES, 0));
    inlay_release(frame, blocks[0]); /* from here on there is an index */
    for (int i = COUNT / 2; i < COUNT; i++)
        assert_non_null(blocks[i] = inlay_alloc(frame, BYTES, 0));
    inlay_free(frame, blocks[1]);
    assert_int_equal(stats->live_bytes, (COUNT - 2) * BYTES);
    inlay_release(frame, NULL);
    inlay_release(frame, outside);
    for (int i = 2; i < COUNT; i++)
        inlay_release(frame, blocks[i] + BYTES); /* behind it: maybe the header of the next one */
    assert_int_equal(stats->live_bytes, (COUNT - 2) * BYTES);
    for (int i = 2; i < COUNT; i += 2)
        inlay_release(frame, blocks[i] + i % BYTES);
    assert_int_equal(stats->live_bytes, (COUNT / 2 - 1) * BYTES);
    for (int i = 2; i < COUNT; i += 2)
        inlay_release(frame, blocks[i]); /* gone */
    assert_int_equal(stats->live_bytes, (COUNT / 2 - 1) * BYTES);
    struct inlay_tensor tensor = {.data = blocks[3], .byte_offset = 4};
    struct inlay_value value = {.kind = INLAY_TENSOR, .tensor = &tensor};
    inlay_release_value(frame, &value);
    assert_int_equal(stats->live_bytes, (COUNT / 2 - 2) * BYTES);
    struct inlay_tensor others[2] = {{.data = blocks[5]}, {.data = outside}};
    struct inlay_value fields[3] = {{.kind = INLAY_INT, .integer = 5},
                                    {.kind = INLAY_TENSOR, .tensor = &others[0]},
                                    {.kind = INLAY_TENSOR, .tensor = &others[1]}};
    struct inlay_tuple tuple = {.fields = fields, .count = 3};
    value = (struct inlay_value){.kind = INLAY_TUPLE, .tuple = &tuple};
    inlay_release_value(frame, &value);
    assert_int_equal(stats->live_bytes, (COUNT / 2 - 3) * BYTES);
    inlay_frame_destroy(frame);
}

static void test_limit(void **state)
{
    struct inlay_host host = {.memory_limit = 1000};
    struct inlay_frame *frame = inlay_frame_create(&host);
    void *a = inlay_alloc(frame, 600, 0);
    assert_non_null(a);
    inlay_free(frame, a);
    assert_non_null(inlay_alloc(frame, 1000, 0));
    assert_null(inlay_alloc(frame, 1, 3));
    assert_string_equal(
        inlay_frame_error(frame)->message,
        "1 bytes more would exceed the memory limit of 1000 bytes (1000 are in use)");
    inlay_frame_destroy(frame);
}

static void test_bytes(void **state)
{
    assert_int_equal(inlay_tensor_bytes((int64_t[]){2, 3}, 2, 4), 24);
    assert_int_equal(inlay_tensor_bytes(NULL, 0, 8), 8);
    assert_int_equal(inlay_tensor_bytes((int64_t[]){0, 5}, 2, 4), 0);
    assert_int_equal(inlay_tensor_bytes((int64_t[]){-1}, 1, 4), -1);
    assert_int_equal(inlay_tensor_bytes((int64_t[]){-1, 0}, 2, 4), -1);
    assert_int_equal(inlay_tensor_bytes((int64_t[]){INT64_MAX}, 1, 2), -1);
    /* The order of the dims does not decide. */
    assert_int_equal(inlay_tensor_bytes((int64_t[]){0, INT64_MAX, 4}, 3, 4), -1);
    assert_int_equal(inlay_tensor_bytes((int64_t[]){INT64_MAX, 4, 0}, 3, 4), -1);
}

/* Nested calls that use a KiB of the stack each, until one is refused; returns how many were not. */
static int nest(struct inlay_frame *frame, int depth)
{
    volatile char used[1024];
    used[depth % (int)sizeof(used)] = 1;
    if (inlay_enter(frame, 2) != 0)
        return depth;
    int result = nest(frame, depth + 1) + used[depth % (int)sizeof(used)] - 1;
    inlay_leave(frame);
    return result;
}

static void *nest_in_thread(void *state)
{
    struct inlay_frame *frame = inlay_frame_create(NULL);
    int *depth = state;
    *depth = nest(frame, 0);
    assert_int_equal(inlay_frame_error(frame)->kind, INLAY_ERROR_DEPTH);
    assert_int_equal(inlay_frame_error(frame)->line, 2);
    inlay_frame_destroy(frame);
    return NULL;
}

/* As deep as half of the thread's stack: more of it, more depth. */
static void test_depth(void **state)
{
    int depth[2];
    for (size_t i = 0; i < 2; i++) {
        pthread_attr_t attributes;
        pthread_t thread;
        pthread_attr_init(&attributes);
        assert_int_equal(pthread_attr_setstacksize(&attributes, (size_t)(i ? 8 : 1) << 20), 0);
        assert_int_equal(pthread_create(&thread, &attributes, nest_in_thread, &depth[i]), 0);
        pthread_join(thread, NULL);
        pthread_attr_destroy(&attributes);
    }
    assert_true(depth[0] >= 32 && depth[0] < 1 << 20);
    assert_true(depth[1] > 3 * depth[0]);
}

static int32_t sum_integers(void *handle, const struct inlay_value *args, int32_t count,
                            struct inlay_value *result)
{
    result->kind = INLAY_INT;
    for (int32_t i = 0; i < count; i++)
        result->integer += args[i].integer;
    return result->integer < 0 ? -1 : 0;
}

static inlay_packed_fn *find_sum(void *state, const char *symbol, void **out_handle)
{
    return strcmp(symbol, "sum") == 0 ? sum_integers : NULL;
}

static void test_packed(void **state)
{
    struct inlay_host host = {.find_packed = find_sum};
    struct inlay_frame *frame = inlay_frame_create(&host);
    struct inlay_value args[] = {{.kind = INLAY_INT, .integer = 3},
                                 {.kind = INLAY_INT, .integer = 4}};
    struct inlay_value result;
    assert_int_equal(inlay_call_packed(frame, "sum", args, 2, &result, 1), 0);
    assert_int_equal(result.integer, 7);
    assert_int_equal(inlay_call_packed(frame, "sum", args, 2, NULL, 1), 0);
    args[0].integer = -30;
    assert_int_equal(inlay_call_packed(frame, "sum", args, 2, &result, 5), -1);
    assert_string_equal(inlay_frame_error(frame)->message,
                        "the packed function `sum` failed with status -1");
    inlay_frame_destroy(frame);
    frame = inlay_frame_create(&host);
    assert_int_equal(inlay_call_packed(frame, "other", args, 2, &result, 5), -1);
    assert_int_equal(inlay_frame_error(frame)->kind, INLAY_ERROR_PACKED);
    inlay_frame_destroy(frame);
    struct inlay_tuple pair = {args, 2};
    struct inlay_value tuple = {.kind = INLAY_TUPLE, .tuple = &pair};
    frame = inlay_frame_create(&host);
    assert_int_equal(inlay_call_packed(frame, "sum", &tuple, 1, &result, 5), -1);
    assert_string_equal(inlay_frame_error(frame)->message,
                        "argument 0 of the packed function `sum` is a tuple");
    inlay_frame_destroy(frame);
}

static void keep_line(void *state, const char *text)
{
    strncpy(state, text, 99);
}

static void test_print(void **state)
{
    char line[100] = "";
    struct inlay_host host = {.state = line, .print = keep_line};
    struct inlay_frame *frame = inlay_frame_create(&host);
    int64_t dims[] = {2, 3};
    struct inlay_shape shape = {dims, 2};
    struct inlay_value values[] = {
        {.kind = INLAY_INT, .integer = -5},
        {.kind = INLAY_FLOAT, .real = 0.5},
        {.kind = INLAY_SHAPE, .shape = &shape},
        {.kind = INLAY_STRING, .string = "s"},
    };
    inlay_print(frame, "", values, 4);
    assert_string_equal(line, "-5 0.5 (2, 3) s");
    struct inlay_tuple pair = {values, 2}, one = {values, 1};
    struct inlay_value tuples[] = {{.kind = INLAY_TUPLE, .tuple = &pair},
                                   {.kind = INLAY_TUPLE, .tuple = &one}};
    inlay_print(frame, "", tuples, 2);
    assert_string_equal(line, "(-5, 0.5) (-5,)");
    inlay_print(frame, "a={} {{{}}} %s", values, 2);
    assert_string_equal(line, "a=-5 {0.5} %s");
    inlay_print(frame, "{} {} {}", values, 1);
    assert_string_equal(line, "-5 {} {}");
    inlay_print(frame, "x", values, 1);
    assert_string_equal(line, "x -5");
    assert_int_equal(inlay_assert(frame, 1, "no", NULL, 0, 1), 0);
    assert_int_equal(inlay_assert(frame, 0, "n is {}", values, 1, 4), -1);
    assert_string_equal(inlay_frame_error(frame)->message, "assertion failed: n is -5");
    inlay_frame_destroy(frame);
}

static void test_messages(void **state)
{
    struct inlay_frame *frame = inlay_frame_create(NULL);
    inlay_fail(frame, INLAY_ERROR_BOUNDS, 9, "index %lld of `%s` is 100%% wrong", -3ll, "A");
    assert_string_equal(inlay_frame_error(frame)->message, "index -3 of `A` is 100% wrong");
    inlay_frame_destroy(frame);
    frame = inlay_frame_create(NULL);
    char large[2000];
    memset(large, 'x', sizeof(large) - 1);
    large[sizeof(large) - 1] = 0;
    inlay_fail(frame, INLAY_ERROR_BOUNDS, 9, "%s", large);
    assert_int_equal(strlen(inlay_frame_error(frame)->message),
                     sizeof(inlay_frame_error(frame)->message) - 1);
    inlay_frame_destroy(frame);
}

static void expect_tensor(uint8_t code, uint8_t bits, const int64_t *shape, int32_t ndim,
                          const double *values, const char *expected)
{
    struct inlay_tensor *tensor =
        inlay_tensor_create((struct inlay_dtype){code, bits, 1}, shape, ndim);
    struct inlay_text text = {0};
    for (int64_t i = 0; i < inlay_tensor_elements(tensor); i++) {
        if (inlay_dtype_is_float(tensor->dtype))
            inlay_element_set_real(tensor->dtype, tensor->data, i, values[i]);
        else
            inlay_element_set_integer(tensor->dtype, tensor->data, i, (int64_t)values[i]);
    }
    inlay_format_tensor(&text, tensor, 1000);
    assert_string_equal(inlay_text_string(&text), expected);
    inlay_text_finish(&text);
    inlay_tensor_destroy(tensor);
}

static void test_tensors_as_text(void **state)
{
    expect_tensor(INLAY_CODE_FLOAT, 32, (int64_t[]){2, 2}, 2, (double[]){1, -2.5, 0.1, 100},
                  "[[  1. -2.5]\n [ 0.1 100.]]");
    expect_tensor(INLAY_CODE_FLOAT, 64, (int64_t[]){3}, 1, (double[]){INFINITY, -INFINITY, NAN},
                  "[ inf -inf  nan]");
    expect_tensor(INLAY_CODE_FLOAT, 64, (int64_t[]){2}, 1, (double[]){1e300, 1.0 / 3},
                  "[  1e+300 0.333333]");
    expect_tensor(INLAY_CODE_INT, 8, NULL, 0, (double[]){-7}, "-7");
    expect_tensor(INLAY_CODE_BOOL, 8, (int64_t[]){2}, 1, (double[]){1, 0}, "[ True False]");
    expect_tensor(INLAY_CODE_UINT, 64, (int64_t[]){1}, 1, (double[]){-1}, "[18446744073709551615]");
    expect_tensor(INLAY_CODE_FLOAT, 32, (int64_t[]){0, 3}, 2, NULL, "[] of shape (0, 3)");
}

/* All float16 values, and the borders between them, against arithmetic in double. */
static void test_half(void **state)
{
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        float value = half_to_float((uint16_t)bits);
        uint16_t back = half_from_double((double)value);
        if (isnan(value))
            assert_true((back & 0x7c00) == 0x7c00 && (back & 0x3ff));
        else
            assert_int_equal(back, bits);
        float bfloat = bfloat_to_float((uint16_t)bits);
        if (!isnan(bfloat))
            assert_int_equal(bfloat_from_double((double)bfloat), bits);
    }
    for (unsigned bits = 0; bits < 0x7bff; bits++) { /* halfway goes to the even one */
        double low = (double)half_to_float((uint16_t)bits);
        double high = (double)half_to_float((uint16_t)(bits + 1));
        double middle = (low + high) / 2;
        assert_int_equal(half_from_double(middle), bits % 2 ? bits + 1 : bits);
        assert_int_equal(half_from_double(nextafter(middle, 0)), bits);
        assert_int_equal(half_from_double(-nextafter(middle, INFINITY)), 0x8000 | (bits + 1));
    }
    assert_int_equal(half_from_double(65519.99), 0x7bff);
    assert_int_equal(half_from_double(65520), 0x7c00);
    assert_int_equal(half_from_double(DBL_MAX), 0x7c00);
    assert_int_equal(half_from_double(DBL_MIN), 0);
    assert_int_equal(half_from_double(-0.0), 0x8000);
    assert_int_equal(half_from_double(0x1p-25), 0);
    assert_int_equal(half_from_double(nextafter(0x1p-25, 1)), 1);
    /* One rounding: by way of float this would be 1 + 2^-10. */
    assert_int_equal(half_from_double(1 + 0x1p-11 - 0x1p-40), 0x3c00);
    assert_int_equal(bfloat_from_double(3.4e38), 0x7f80);
    assert_int_equal(bfloat_from_double(1e39), 0x7f80);
}

/* @message: what is wrong with arguments 0 and 1 of @sizes elements at @places; NULL: nothing. */
static void check_room(const size_t *given, const int64_t *sizes, const size_t *places,
                       const char *message)
{
    static char memory[256];
    struct inlay_host host = {.argument_bytes = given};
    struct inlay_frame *frame = inlay_frame_create(&host);
    struct inlay_tensor tensors[2];
    struct inlay_value args[2];
    int64_t shapes[] = {sizes[0], sizes[1]};

    for (unsigned i = 0; i < 2; i++) {
        tensors[i] = (struct inlay_tensor){.data = memory + places[i],
                                           .device = {1, 0},
                                           .ndim = 1,
                                           .dtype = {INLAY_CODE_INT, 8, 1},
                                           .shape = &shapes[i]};
        args[i] = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = &tensors[i]};
    }
    assert_int_equal(inlay_check_room(frame, 7, "`x`", 0, 64, args, 2), message ? -1 : 0);
    if (message) {
        assert_int_equal(inlay_frame_error(frame)->kind, INLAY_ERROR_ARGUMENT);
        assert_int_equal(inlay_frame_error(frame)->line, 7);
        assert_non_null(strstr(inlay_frame_error(frame)->message, message));
    }
    inlay_frame_destroy(frame);
}

static void test_room(void **state)
{
    const int64_t four[] = {4, 4}, one_empty[] = {4, 0};
    const size_t apart[] = {0, 64}, within[] = {0, 63};
    const size_t enough[] = {64, 0}, less[] = {63, 0}, none[] = {0, 64}, both[] = {64, 64};

    check_room(enough, four, apart, NULL);
    check_room(NULL, four, apart, "does not say");
    check_room(none, four, apart, "does not say");
    check_room(less, four, apart, "must have room for 64 bytes (relax.capacity), but has 63");
    check_room(enough, four, within, "where argument 2 lies");
    check_room(enough, one_empty, within, NULL);
    check_room(both, one_empty, within, "where argument 2 lies"); /* it may grow itself */

    struct inlay_host host = {.argument_bytes = enough};
    struct inlay_frame *frame = inlay_frame_create(&host);
    inlay_enter(frame, 0);
    inlay_enter(frame, 0);
    assert_int_equal(inlay_check_room(frame, 0, "`x`", 0, 64, NULL, 0), -1);
    assert_non_null(strstr(inlay_frame_error(frame)->message, "within the module"));
    inlay_frame_destroy(frame);
}

/* Values of the specification of XXH64 and its own tests. */
static void test_hash(void **state)
{
    static const char sentence[] = "Nobody inspects the spammish repetition";
    char zeros[100] = {0};

    assert_true(inlay_hash(NULL, 0) == UINT64_C(0xef46db3751d8e999));
    assert_true(inlay_hash("a", 1) == UINT64_C(0xd24ec4f1a98c6e5b));
    assert_true(inlay_hash("abc", 3) == UINT64_C(0x44bc2cf5ad770999));
    assert_true(inlay_hash(sentence, strlen(sentence)) == UINT64_C(0xfbcea83c8a378bf1));
    for (size_t i = 0; i < sizeof(zeros); i++) { /* each bit counts, in stripes and behind them */
        uint64_t before = inlay_hash(zeros, sizeof(zeros));

        zeros[i] = 1;
        assert_true(inlay_hash(zeros, sizeof(zeros)) != before);
        zeros[i] = 0;
    }
}

/* Products by parts are those of the machine, at all borders of their parts. */
static void test_products(void **state)
{
    int64_t values[64 * 6], count = 0;

    for (int bit = 0; bit < 64; bit++)
        for (int64_t near = -1; near <= 1; near++) {
            values[count++] = (int64_t)((UINT64_C(1) << bit) + (uint64_t)near);
            values[count++] = (int64_t)(UINT64_C(0x9e3779b97f4a7c15) >> bit) + near;
        }
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < count; k++) {
            int64_t found, wanted;
            bool is_more = inlay_multiply_by_parts(values[i], values[k], &found);
            assert_int_equal(is_more, __builtin_mul_overflow(values[i], values[k], &wanted));
            assert_true(found == wanted);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),   cmocka_unit_test(test_kept_memory),
        cmocka_unit_test(test_limit),    cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_release),  cmocka_unit_test(test_release_storage),
        cmocka_unit_test(test_count),    cmocka_unit_test(test_depth),
        cmocka_unit_test(test_packed),   cmocka_unit_test(test_print),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_tensors_as_text),
        cmocka_unit_test(test_half),     cmocka_unit_test(test_room),
        cmocka_unit_test(test_hash),     cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

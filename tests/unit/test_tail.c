/* Loops of the graph in the runtime: what a turn is given is there, and nothing else is held. */
#include "runtime/frame.h"
#include "tests/unit/test.h"

#include <string.h>

enum { FLOATS = 16 };

/* As compiled code describes it, among its variables. */
struct described {
    struct inlay_tensor tensor;
    int64_t dims[1];
    struct inlay_value value;
};

static void describe(struct described *out, float *data, int64_t count)
{
    *out = (struct described){.dims = {count}};
    out->tensor = (struct inlay_tensor){.data = data, .ndim = 1, .shape = out->dims};
    out->value = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = &out->tensor};
}

static size_t live(const struct inlay_frame *frame)
{
    return inlay_frame_stats(frame)->live_bytes;
}

static size_t most; /* bytes that were held at the beginning of a turn */

/* sum(x, i): x + 1 in storage of its own, and some that nobody needs, as long as i > 0. */
static int32_t add_ones(struct inlay_frame *frame, const struct inlay_value *args, int32_t count,
                        struct inlay_value *results, int32_t result_count)
{
    const float *from = args[0].tensor->data;
    struct described next;

    assert_int_equal(count, 2);
    assert_int_equal(args[0].tensor->shape[0], FLOATS);
    most = live(frame) > most ? live(frame) : most;
    float *to = inlay_alloc(frame, FLOATS * sizeof(*to), 1);
    void *unneeded = inlay_alloc_storage(frame, 1000, 1);

    assert_non_null(unneeded);
    memset(unneeded, 1, 1000);
    for (int i = 0; i < FLOATS; i++)
        to[i] = from[i] + 1;
    if (args[1].integer == 0) {
        struct described *kept = inlay_alloc(frame, sizeof(*kept), 1);
        describe(kept, to, FLOATS);
        results[0] = kept->value;
        return 0;
    }
    describe(&next, to, FLOATS);
    struct inlay_value values[] = {next.value, {.kind = INLAY_INT, .integer = args[1].integer - 1}};

    assert_int_equal(inlay_tail(frame, add_ones, values, 2, 1), 0);
    memset(&next, 0xff, sizeof(next)); /* it lay among the variables of who leaves */
    return INLAY_TAIL;
}

static void test_turns(void **state)
{
    struct inlay_frame *frame = inlay_frame_create(NULL);
    float x[FLOATS] = {0};
    struct described given;
    struct inlay_value result = {0};

    most = 0;
    describe(&given, x, FLOATS);
    void *own = inlay_alloc(frame, 100, 1); /* of the caller: stays */
    struct inlay_value args[] = {given.value, {.kind = INLAY_INT, .integer = 1000}};

    assert_int_equal(inlay_call(frame, add_ones, args, 2, &result, 1, 0), 0);
    assert_int_equal(result.tensor->shape[0], FLOATS);
    for (int i = 0; i < FLOATS; i++)
        assert_same_float(((float *)result.tensor->data)[i], 1001.0f);
    assert_true(most <= 100 + FLOATS * sizeof(float));
    assert_int_equal(live(frame), 100 + FLOATS * sizeof(float) + sizeof(struct described));
    inlay_free(frame, own);
    inlay_frame_destroy(frame);
}

/* What is behind tuples and shapes is copied and held, too. */
static int32_t take_tuple(struct inlay_frame *frame, const struct inlay_value *args, int32_t count,
                          struct inlay_value *results, int32_t result_count)
{
    assert_int_equal(args[0].kind, INLAY_TUPLE);
    assert_int_equal(args[0].tuple->count, 2);
    const struct inlay_value *fields = args[0].tuple->fields;

    const char *begin = (const char *)fields[0].tensor->data + fields[0].tensor->byte_offset;
    float last;

    memcpy(&last, begin + (FLOATS - 9) * sizeof(last), sizeof(last));
    assert_same_float(last, 5.0f);
    assert_int_equal(fields[1].shape->count, 2);
    assert_int_equal(fields[1].shape->dims[1], 7);
    results[0] = (struct inlay_value){.kind = INLAY_INT, .integer = (int64_t)live(frame)};
    return 0;
}

static int32_t give_tuple(struct inlay_frame *frame, const struct inlay_value *args, int32_t count,
                          struct inlay_value *results, int32_t result_count)
{
    float *data = inlay_alloc(frame, FLOATS * sizeof(*data), 1);
    int64_t dims[] = {3, 7};
    struct inlay_shape shape = {dims, 2};
    struct described tensor;

    assert_non_null(inlay_alloc(frame, 500, 1));
    data[FLOATS - 1] = 5;
    describe(&tensor, data + 4, FLOATS - 4); /* a part of the block */
    tensor.tensor.byte_offset = 4 * sizeof(float);
    struct inlay_value fields[] = {tensor.value, {.kind = INLAY_SHAPE, .shape = &shape}};
    struct inlay_tuple tuple = {fields, 2};
    struct inlay_value value = {.kind = INLAY_TUPLE, .tuple = &tuple};

    assert_int_equal(inlay_tail(frame, take_tuple, &value, 1, 1), 0);
    memset(dims, 0, sizeof(dims));
    memset(fields, 0, sizeof(fields));
    return INLAY_TAIL;
}

static void test_tuples(void **state)
{
    struct inlay_frame *frame = inlay_frame_create(NULL);
    struct inlay_value result = {0};

    assert_int_equal(inlay_call(frame, give_tuple, NULL, 0, &result, 1, 0), 0);
    assert_int_equal(result.integer, FLOATS * sizeof(float)); /* and the 500 bytes are gone */
    assert_int_equal(live(frame), 0);
    inlay_frame_destroy(frame);
}

static int32_t fail_later(struct inlay_frame *frame, const struct inlay_value *args, int32_t count,
                          struct inlay_value *results, int32_t result_count)
{
    if (args[0].integer == 0)
        return inlay_fail(frame, INLAY_ERROR_BOUNDS, 7, "no more");
    struct inlay_value next = {.kind = INLAY_INT, .integer = args[0].integer - 1};

    assert_int_equal(inlay_tail(frame, fail_later, &next, 1, 1), 0);
    return INLAY_TAIL;
}

static void test_errors(void **state)
{
    struct inlay_frame *frame = inlay_frame_create(NULL);
    struct inlay_value three = {.kind = INLAY_INT, .integer = 3}, result = {0};

    assert_int_equal(inlay_call(frame, fail_later, &three, 1, &result, 1, 0), -1);
    assert_int_equal(inlay_frame_error(frame)->line, 7);
    inlay_frame_destroy(frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_tuples),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

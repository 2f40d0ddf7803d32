/* Ownership of bytes in a run that checks its memory. */
#include "runtime/watch.h"
#include "tests/unit/test.h"

#include <string.h>

static struct inlay_frame *new_frame(void)
{
    struct inlay_host host = {.checks_memory = true};
    struct inlay_frame *frame = inlay_frame_create(&host);
    assert_non_null(frame);
    return frame;
}

static void finish(struct inlay_frame *frame, const char *wanted)
{
    const struct inlay_error *error = inlay_frame_error(frame);
    assert_int_equal(error->kind, wanted ? INLAY_ERROR_OWNER : INLAY_ERROR_NONE);
    if (wanted)
        assert_non_null(strstr(error->message, wanted));
    inlay_frame_destroy(frame);
}

/* Bytes that nobody may touch, which a sanitizer would tell of. */
__attribute__((no_sanitize_address)) static int peek(const volatile char *at)
{
    return (unsigned char)*at;
}

__attribute__((no_sanitize_address)) static void poke(volatile char *at)
{
    *at = 0;
}

static int32_t read(struct inlay_frame *frame, const char *data, int64_t bytes, int32_t owner)
{
    return inlay_watch_read(frame, data, bytes, owner, "x", "r", 9);
}

/* Parts of a value can go to others; what is left is still its own. */
static void test_parts(void **state)
{
    struct inlay_frame *frame = new_frame();
    char *data = inlay_alloc(frame, 100, 1);
    int32_t x = inlay_watch_write(frame, data, 100, "x", 1);
    assert_int_equal(read(frame, data, 100, x), 0);
    assert_int_equal(inlay_watch_owner(frame, data + 3, 5), x);
    memset(data + 40, 1, 20);
    int32_t y = inlay_watch_write(frame, data + 40, 20, "y", 2);
    assert_true(y > 0 && y != x);
    assert_int_equal(inlay_watch_owner(frame, data, 100), 0);
    assert_int_equal(read(frame, data, 40, x), 0);
    assert_int_equal(read(frame, data + 60, 40, x), 0);
    assert_int_equal(read(frame, data + 40, 20, y), 0);
    assert_int_equal(read(frame, data + 40, 0, x), 0); /* no byte */
    assert_int_equal(read(frame, data + 59, 2, x), -1);
    finish(frame, "`r` reads `x`, but finds byte 19 of `y` there");
}

static void test_whole(void **state)
{
    struct inlay_frame *frame = new_frame();
    char *data = inlay_alloc(frame, 64, 1);
    int32_t x = inlay_watch_write(frame, data, 16, "x", 1);
    assert_true(inlay_watch_write(frame, data + 16, 16, "y", 1) > 0);
    int32_t all = inlay_watch_write(frame, data, 64, "all", 2);
    assert_int_equal(read(frame, data + 8, 16, all), 0);
    assert_int_equal(read(frame, data, 16, x), -1);
    finish(frame, "`all`");
}

static void test_changed(void **state)
{
    struct inlay_frame *frame = new_frame();
    char *data = inlay_alloc(frame, 13, 1);
    int32_t x = inlay_watch_write(frame, data, 13, "x", 1);
    data[12]++;
    inlay_watch_change(frame, data, 13); /* for all to see */
    assert_int_equal(read(frame, data, 13, x), 0);
    data[12]++;
    assert_int_equal(read(frame, data, 4, x), -1);
    finish(frame,
           "the 13 bytes of `x` (line 1) were changed by somebody else before `r` read them");
}

static void test_end(void **state)
{
    struct inlay_frame *frame = new_frame();
    char *data = inlay_alloc(frame, 32, 1);
    int32_t x = inlay_watch_write(frame, data, 32, "x", 1);
    assert_int_equal(inlay_watch_end(frame, data + 8, 8, "y", 5), 0);
    assert_int_equal(peek(data + 8), 0xFF);
    assert_int_equal(read(frame, data, 8, x), 0);
    assert_int_equal(read(frame, data, 32, x), -1);
    finish(frame, "`x`, whose storage was given back with `y` (line 5)");
}

/* A block that is given back, and a place that nobody ever took. */
static void test_given_back(void **state)
{
    struct inlay_frame *frame = new_frame();
    char *data = inlay_alloc(frame, 32, 1), other[4];
    int32_t x = inlay_watch_write(frame, data, 32, "x", 1);
    assert_int_equal(inlay_watch_end(frame, data, 32, "x", 2), 0);
    inlay_free(frame, data);
    /* by another name: nothing is touched, for the block is gone */
    assert_int_equal(inlay_watch_end(frame, data, 32, "y", 3), 0);
    char *again = inlay_alloc(frame, 32, 4);
    memset(again, 0, 32);
    inlay_free(frame, again);
    assert_int_equal(read(frame, data, 32, x), -1);
    finish(frame, "given back");
    frame = new_frame();
    assert_int_equal(read(frame, other, 4, 1), -1);
    finish(frame, "where no storage was taken");
}

static void test_borrowed(void **state)
{
    struct inlay_frame *frame = new_frame();
    char borrowed[24] = {0}, donated[24] = {0};
    int32_t x = inlay_watch_given(frame, borrowed, 24, "x", 0, 1);
    assert_int_equal(inlay_watch_given(frame, borrowed, 24, "again", 0, 1), x);
    assert_int_equal(inlay_watch_given(frame, borrowed + 8, 16, "part", 0, 1), x);
    assert_true(inlay_watch_given(frame, donated, 24, "y", 1, 1) > 0);
    assert_true(inlay_watch_write(frame, donated, 24, "z", 2) > 0);
    assert_int_equal(inlay_watch_ask(frame, donated, 24, "z", 2), 0);
    assert_int_equal(inlay_watch_leave(frame, "main", 3), 0);
    borrowed[23] = 1;
    inlay_watch_change(frame, borrowed, 24); /* nobody may */
    assert_int_equal(inlay_watch_leave(frame, "main", 3), -1);
    finish(frame, "`main` has changed `x`, which is only borrowed");
    frame = new_frame();
    assert_true(inlay_watch_given(frame, borrowed, 24, "x", 0, 1) > 0);
    assert_int_equal(inlay_watch_ask(frame, borrowed + 23, 4, "z", 2), -1);
    finish(frame, "`z` is written to storage of `x`, which is only borrowed");
}

static void test_guards(void **state)
{
    for (int i = 0; i < 3; i++) {
        struct inlay_frame *frame = new_frame();
        char *data = inlay_alloc(frame, 10, 1);
        assert_int_equal((unsigned char)data[9], 0xFF);
        assert_true(inlay_watch_write(frame, data, 10, "x", 1) > 0);
        assert_int_equal(inlay_watch_guards(frame, "f", 2), 0);
        poke(i == 0 ? data + 10 : data - 1);
        if (i == 2)
            inlay_free(frame, data);
        assert_int_equal(inlay_watch_guards(frame, "f", 2), -1);
        finish(frame, i == 0   ? "`f` wrote behind the 10 bytes of the storage that `x` lies in"
                      : i == 1 ? "`f` wrote in front of the 10 bytes"
                               : "wrote in front of the 10 bytes");
    }
}

/* Many pieces, in an order that is not that of the addresses. */
static void test_many(void **state)
{
    enum { COUNT = 5000, BYTES = 8 };
    struct inlay_frame *frame = new_frame();
    char *data = inlay_alloc(frame, COUNT * BYTES, 1);
    int32_t owners[COUNT];
    for (int i = 0; i < COUNT; i++) {
        int place = i * 7 % COUNT;
        owners[place] = inlay_watch_write(frame, data + place * BYTES, BYTES, "x", 1);
    }
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(read(frame, data + i * BYTES, BYTES, owners[i]), 0);
    assert_int_equal(read(frame, data + BYTES, 2 * BYTES, owners[1]), -1);
    finish(frame, "`x`");
}

/* A frame that checks nothing is not bothered. */
static void test_off(void **state)
{
    struct inlay_frame *frame = inlay_frame_create(NULL);
    char data[8] = {0};
    assert_int_equal(inlay_watch_write(frame, data, 8, "x", 1), 0);
    assert_int_equal(read(frame, data, 8, 1), 0);
    assert_int_equal(inlay_watch_end(frame, data, 8, "x", 1), 0);
    assert_int_equal(data[0], 0);
    assert_int_equal(inlay_watch_guards(frame, "f", 1), 0);
    finish(frame, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),      cmocka_unit_test(test_whole),
        cmocka_unit_test(test_changed),    cmocka_unit_test(test_end),
        cmocka_unit_test(test_given_back), cmocka_unit_test(test_borrowed),
        cmocka_unit_test(test_guards),     cmocka_unit_test(test_many),
        cmocka_unit_test(test_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

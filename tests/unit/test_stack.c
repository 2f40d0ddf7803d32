/* The stack of a run: pieces, chunks, the arena of the host, limits, threads. */
#include "runtime/frame.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

static size_t held(const struct inlay_frame *frame)
{
    return inlay_frame_stats(frame)->stack_bytes;
}

/* Pieces lie one behind the other, and end with what was taken after them. */
static void test_pieces(void **state)
{
    _Alignas(64) char arena[640];
    struct inlay_host host = {.arena = arena, .arena_bytes = sizeof(arena)};
    struct inlay_frame *frame = inlay_frame_create(&host);
    char *a = inlay_stack_take(frame, 100, 1), *b = inlay_stack_take(frame, 64, 1);
    assert_ptr_equal(a, arena);
    assert_ptr_equal(b, arena + 128);
    memset(b, 1, 64);
    assert_int_equal(held(frame), 192);
    inlay_stack_give(frame, b);
    assert_ptr_equal(inlay_stack_take(frame, 1, 1), b);
    assert_ptr_equal(inlay_stack_take(frame, 320, 1), arena + 192);
    inlay_stack_give(frame, b); /* with what came after it */
    inlay_stack_give(frame, arena + 192);
    assert_int_equal(held(frame), 128);
    inlay_stack_give(frame, a);
    const struct inlay_stats *stats = inlay_frame_stats(frame);
    assert_int_equal(stats->live_bytes, 0);
    assert_int_equal(stats->stack_peak_bytes, 512);
    assert_int_equal(stats->peak_bytes, 512);
    assert_int_equal(stats->allocations, 0);
    inlay_frame_destroy(frame);
}

/* What the innermost piece does not hold is had by others for a while. */
static void test_lower(void **state)
{
    _Alignas(64) char arena[640];
    struct inlay_host host = {.arena = arena, .arena_bytes = sizeof(arena)};
    struct inlay_frame *frame = inlay_frame_create(&host);
    char *a = inlay_stack_take(frame, 320, 1);
    memset(a, 1, 320);
    inlay_stack_lower(frame, a + 64);
    assert_int_equal(held(frame), 64);
    char *b = inlay_stack_take(frame, 512, 1);
    assert_ptr_equal(b, a + 64);
    memset(b, 2, 512);
    inlay_stack_give(frame, b);
    inlay_stack_raise(frame, a + 64, 256);
    assert_int_equal(held(frame), 320);
    memset(a, 3, 320);
    assert_ptr_equal(inlay_stack_take(frame, 64, 1), a + 320);
    assert_int_equal(inlay_frame_stats(frame)->stack_peak_bytes, 576);
    assert_int_equal(inlay_frame_stats(frame)->allocations, 0);
    inlay_frame_destroy(frame);
}

/* What does not fit behind it lies in a chunk, which is gone when the piece is whole again. */
static void test_lower_chunk(void **state)
{
    _Alignas(64) char arena[640];
    struct inlay_host host = {.arena = arena, .arena_bytes = sizeof(arena)};
    struct inlay_frame *frame = inlay_frame_create(&host);
    char *a = inlay_stack_take(frame, 320, 1);
    for (int turn = 0; turn < 2; turn++) {
        inlay_stack_lower(frame, a);
        assert_int_equal(held(frame), 0);
        char *b = inlay_stack_take(frame, 10000, 1);
        assert_true(b < arena || b >= arena + sizeof(arena));
        memset(b, 1, 10000);
        inlay_stack_give(frame, b);
        inlay_stack_raise(frame, a, 320);
        assert_int_equal(held(frame), 320);
        assert_ptr_equal(inlay_stack_take(frame, 64, 1), a + 320);
        inlay_stack_give(frame, a + 320);
    }
    inlay_stack_give(frame, a);
    assert_int_equal(held(frame), 0);
    inlay_frame_destroy(frame);
}

static void test_no_bytes(void **state)
{
    struct inlay_frame *frame = inlay_frame_create(NULL);
    char *none = inlay_stack_take(frame, 0, 1);
    assert_non_null(none);
    assert_int_equal((uintptr_t)none % 64, 0);
    assert_int_equal(inlay_frame_stats(frame)->allocations, 0);
    inlay_stack_give(frame, none);
    char *some = inlay_stack_take(frame, 10, 1);
    none = inlay_stack_take(frame, 0, 1);
    assert_non_null(none);
    inlay_stack_give(frame, none);
    assert_int_equal(held(frame), 64);
    inlay_stack_give(frame, some);
    assert_int_equal(held(frame), 0);
    inlay_frame_destroy(frame);
}

/* Where the arena ends, the stack goes on in chunks, and comes back. */
static void test_chunks(void **state)
{
    _Alignas(64) char arena[192];
    struct inlay_host host = {.arena = arena + 1, .arena_bytes = sizeof(arena) - 1};
    struct inlay_frame *frame = inlay_frame_create(&host);
    char *a = inlay_stack_take(frame, 64, 1), *b = inlay_stack_take(frame, 10000, 1);
    assert_ptr_equal(a, arena + 64);
    assert_true(b < arena || b >= arena + sizeof(arena));
    memset(b, 1, 10000);
    char *c = inlay_stack_take(frame, 1 << 20, 1);
    memset(c, 1, 1 << 20);
    assert_int_equal(inlay_frame_stats(frame)->allocations, 2);
    assert_int_equal(held(frame), 64 + 10048 + (1 << 20));
    inlay_stack_give(frame, a);
    assert_int_equal(held(frame), 0);
    assert_ptr_equal(inlay_stack_take(frame, 64, 1), a);
    inlay_stack_give(frame, c); /* its chunk is gone, too */
    assert_int_equal(held(frame), 64);
    inlay_frame_destroy(frame);
}

/* A run gets the chunks of the one before; what was reserved is one of them. */
static void test_reserve(void **state)
{
    struct inlay_memory *memory = inlay_memory_create();
    struct inlay_host host = {.memory = memory};
    char *first = NULL;
    for (unsigned i = 0; i < 3; i++) {
        struct inlay_frame *frame = inlay_frame_create(&host);
        inlay_stack_reserve(frame, 100000);
        assert_int_equal(inlay_frame_stats(frame)->peak_bytes, 0);
        char *a = inlay_stack_take(frame, 70000, 1), *b = inlay_stack_take(frame, 30000, 1);
        assert_ptr_equal(b, a + 70016);
        assert_int_equal(inlay_frame_stats(frame)->allocations, 1);
        inlay_stack_reserve(frame, 64);
        assert_int_equal(inlay_frame_stats(frame)->allocations, 2);
        inlay_stack_reserve(frame, 64); /* there is room */
        inlay_stack_reserve(frame, -5);
        inlay_stack_reserve(frame, INT64_MAX);
        assert_int_equal(inlay_frame_stats(frame)->allocations, 2);
        assert_int_equal(inlay_frame_error(frame)->kind, INLAY_ERROR_NONE);
        assert_true(!first || a == first);
        first = a;
        inlay_frame_destroy(frame);
    }
    inlay_memory_destroy(memory);
}

static void test_limit(void **state)
{
    struct inlay_host host = {.memory_limit = 1000};
    struct inlay_frame *frame = inlay_frame_create(&host);
    inlay_stack_reserve(frame, 5000); /* more than it may take, which it may not need */
    assert_int_equal(inlay_frame_stats(frame)->allocations, 0);
    char *a = inlay_stack_take(frame, 500, 1);
    assert_non_null(a);
    assert_null(inlay_alloc(frame, 500, 2)); /* 512 are held */
    assert_int_equal(inlay_frame_error(frame)->line, 2);
    assert_null(inlay_stack_take(frame, 500, 3));
    assert_int_equal(inlay_frame_error(frame)->kind, INLAY_ERROR_MEMORY);
    inlay_stack_give(frame, a);
    assert_non_null(inlay_stack_take(frame, 900, 3));
    inlay_frame_destroy(frame);

    frame = inlay_frame_create(NULL);
    assert_null(inlay_stack_take(frame, -1, 7));
    assert_int_equal(inlay_frame_error(frame)->line, 7);
    assert_null(inlay_stack_take(frame, INT64_MAX, 8));
    inlay_frame_destroy(frame);
}

/* What lies on the stack is counted until it is given back. */
static void test_count(void **state)
{
    struct inlay_frame *frame = inlay_frame_create(NULL);
    const struct inlay_stats *stats = inlay_frame_stats(frame);
    char *a = inlay_stack_take(frame, 256, 1);
    inlay_count_tensor(frame, a, 100);
    inlay_count_tensor(frame, a + 128, 64);
    char *b = inlay_stack_take(frame, 64, 1);
    inlay_count_tensor(frame, b, 64);
    assert_int_equal(stats->needed_bytes, 256);
    inlay_stack_give(frame, b);
    assert_int_equal(stats->needed_bytes, 192);
    inlay_stack_give(frame, a);
    assert_int_equal(stats->needed_bytes, 0);
    assert_int_equal(stats->needed_peak_bytes, 256);
    inlay_frame_destroy(frame);
}

/* While memory is checked each piece has guards, and other names do not end it. */
static void test_checked(void **state)
{
    struct inlay_host host = {.checks_memory = true};
    struct inlay_frame *frame = inlay_frame_create(&host);
    const struct inlay_stats *stats = inlay_frame_stats(frame);
    char *a = inlay_stack_take(frame, 100, 1), *b = inlay_stack_take(frame, 64, 1);
    assert_int_equal((unsigned char)a[0], 0xFF);
    inlay_release(frame, a);
    inlay_release_storage(frame, b);
    assert_int_equal(stats->live_bytes, 164);
    inlay_stack_give(frame, a);
    inlay_stack_give(frame, b); /* it was given with the one below */
    assert_int_equal(stats->live_bytes, 0);
    assert_non_null(inlay_stack_take(frame, 100, 1));
    inlay_frame_destroy(frame);
}

struct parts {
    const char *begin, *end; /* that slices lie in; NULL: chunks */
    int64_t bytes;
};

static int32_t use_scratch(struct inlay_frame *frame, void *captured, int64_t begin, int64_t end)
{
    const struct parts *parts = captured;
    for (int64_t i = begin; i < end; i++) {
        char *a = inlay_stack_take(frame, parts->bytes, 1), *b = inlay_stack_take(frame, 64, 1);
        if (!a || !b)
            return -1;
        if (parts->begin && (a < parts->begin || b + 64 > parts->end))
            return inlay_fail(frame, INLAY_ERROR_BOUNDS, 9, "outside of the slices");
        memset(a, (int)i, (size_t)parts->bytes);
        memset(b, 0, 64);
        for (int64_t k = 0; k < parts->bytes; k++) /* nobody else is here */
            if (a[k] != (char)i)
                return inlay_fail(frame, INLAY_ERROR_BOUNDS, 9, "shared with another thread");
        inlay_stack_give(frame, a);
    }
    return 0;
}

/* Threads have a slice each, bounded by their number; without one, they take chunks. */
static void test_threads(void **state)
{
    static _Alignas(64) char arena[4 * 576 + 64];
    struct inlay_pool *pool = inlay_pool_create(4);
    struct inlay_memory *memory = inlay_memory_create();
    struct inlay_host host = {
        .pool = pool, .memory = memory, .arena = arena, .arena_bytes = sizeof(arena)};
    struct inlay_frame *frame = inlay_frame_create(&host);
    struct parts parts = {.begin = arena, .end = arena + sizeof(arena), .bytes = 500};
    assert_int_equal(inlay_parallel_for(frame, use_scratch, &parts, 0, 2000, 1, 576), 0);
    const struct inlay_stats *stats = inlay_frame_stats(frame);
    assert_int_equal(stats->allocations, 0);
    assert_int_equal(stats->stack_peak_bytes, 4 * 576);
    assert_int_equal(stats->live_bytes, 0);
    parts.begin = NULL; /* less than they take, nothing, and not known */
    assert_int_equal(inlay_parallel_for(frame, use_scratch, &parts, 0, 2000, 1, 64), 0);
    assert_int_equal(inlay_parallel_for(frame, use_scratch, &parts, 0, 2000, 1, 0), 0);
    assert_int_equal(inlay_parallel_for(frame, use_scratch, &parts, 0, 2000, 1, -1), 0);
    assert_true(stats->allocations > 0);
    assert_int_equal(stats->live_bytes, 0);
    /* one thread alone takes from the stack itself */
    assert_int_equal(inlay_parallel_for(frame, use_scratch, &parts, 0, 1, 1, 576), 0);
    parts.bytes = -1;
    assert_int_equal(inlay_parallel_for(frame, use_scratch, &parts, 0, 2000, 1, 576), -1);
    assert_int_equal(inlay_frame_error(frame)->kind, INLAY_ERROR_MEMORY);
    inlay_frame_destroy(frame);
    inlay_memory_destroy(memory);
    inlay_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),      cmocka_unit_test(test_lower),
        cmocka_unit_test(test_lower_chunk), cmocka_unit_test(test_no_bytes),
        cmocka_unit_test(test_chunks),      cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_limit),       cmocka_unit_test(test_count),
        cmocka_unit_test(test_checked),     cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Packing: plans are plans, against a judge of their own and against all orders of a few items. */
#include "analysis/pack/pack.h"
#include "tests/unit/test.h"

#include <string.h>

enum { FEW = 7, MANY = 400, CASES = 400 };

struct fixture {
    struct arena arena;
    struct pack_item items[MANY];
    size_t count;
    uint64_t seed;
};

static int64_t below(struct fixture *f, int64_t limit)
{
    f->seed = f->seed * 6364136223846793005U + 1442695040888963407U;
    return (int64_t)(f->seed >> 33) % limit;
}

/* ---- items at random ---- */

struct shape {
    int64_t steps, longest, largest;
    bool is_aligned, is_odd; /* odd: empty lives, no bytes, fixed places */
};

static int64_t random_alignment(struct fixture *f, const struct shape *shape)
{
    static const int64_t alignments[] = {0, 1, 2, 3, 4, 8, 12, 64};

    return shape->is_aligned ? alignments[below(f, 8)] : 0;
}

static void make(struct fixture *f, size_t count, const struct shape *shape)
{
    f->count = count;
    for (size_t i = 0; i < count; i++) {
        int64_t lower = below(f, shape->steps) - shape->steps / 2;

        f->items[i] = (struct pack_item){.lower = lower,
                                         .upper = lower + 1 + below(f, shape->longest),
                                         .size = 1 + below(f, shape->largest),
                                         .alignment = random_alignment(f, shape)};
        if (shape->is_odd && below(f, 8) == 0)
            f->items[i].upper = lower;
        if (shape->is_odd && below(f, 8) == 0)
            f->items[i].size = 0;
    }
}

static struct pack_result run(struct fixture *f, int64_t capacity, double seconds)
{
    struct pack_limits limits = {.capacity = capacity, .seconds = seconds};
    struct pack_result result;
    size_t item, other;

    assert_int_equal(pack_check(f->items, f->count, &item, &other), PACK_FINE);
    assert_true(pack(f->items, f->count, &limits, &result, &f->arena));
    assert_true(pack_is_valid(f->items, f->count, NULL, NULL));
    assert_true(result.height == pack_height(f->items, f->count));
    assert_true(result.height >= result.lower_bound);
    assert_true(result.lower_bound >= pack_lower_bound(f->items, f->count, &f->arena));
    arena_finish(&f->arena);
    return result;
}

/* ---- tests ---- */

static void test_random(void **state)
{
    static const struct shape shapes[] = {
        {10, 4, 9, false, false},     {100, 10, 100, false, true}, {1000, 3, 1000, true, false},
        {50, 50, 64, true, true},     {7, 20, 1000, false, false}, {400, 200, 5, true, true},
        {400, 200, 500, false, true},
    };
    struct fixture f = {.seed = 3};

    for (unsigned k = 0; k < CASES; k++) {
        make(&f, (size_t)below(&f, MANY), &shapes[k % (sizeof(shapes) / sizeof(shapes[0]))]);
        run(&f, -1, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

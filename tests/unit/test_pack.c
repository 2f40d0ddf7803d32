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

/* ---- all orders of a few items ---- */

static bool meets(const struct pack_item *a, const struct pack_item *b)
{
    return a->size > 0 && b->size > 0 && a->lower < a->upper && b->lower < b->upper &&
           a->lower < b->upper && b->lower < a->upper;
}

static int64_t align(int64_t value, int64_t alignment)
{
    return alignment > 1 ? (value + alignment - 1) / alignment * alignment : value;
}

static bool is_free(const struct pack_item *items, size_t count, const bool *placed, size_t index)
{
    for (size_t k = 0; k < count; k++)
        if (placed[k] && meets(&items[k], &items[index]) &&
            items[k].offset < items[index].offset + items[index].size &&
            items[index].offset < items[k].offset + items[k].size)
            return false;
    return true;
}

/* At 0 or on one that is placed, whatever is lowest. */
static void drop(struct pack_item *items, size_t count, const bool *placed, size_t index)
{
    int64_t best = INT64_MAX;

    items[index].offset = 0;
    if (is_free(items, count, placed, index))
        return;
    for (size_t k = 0; k < count; k++) {
        items[index].offset = align(items[k].offset + items[k].size, items[index].alignment);
        if (placed[k] && items[index].offset < best && is_free(items, count, placed, index))
            best = items[index].offset;
    }
    items[index].offset = best;
}

static int64_t lowest(struct pack_item *items, size_t count, bool *placed)
{
    int64_t best = INT64_MAX;
    bool is_done = true;

    for (size_t i = 0; i < count; i++) {
        if (placed[i])
            continue;
        is_done = false;
        drop(items, count, placed, i);
        placed[i] = true;
        int64_t height = lowest(items, count, placed);

        if (height < best)
            best = height;
        placed[i] = false;
    }
    return is_done ? pack_height(items, count) : best;
}

static int64_t brute(const struct pack_item *items, size_t count)
{
    struct pack_item copy[FEW];
    bool placed[FEW] = {0};

    memcpy(copy, items, count * sizeof(*items));
    for (size_t i = 0; i < count; i++)
        placed[i] = copy[i].is_fixed || copy[i].size == 0 || copy[i].lower == copy[i].upper;
    for (size_t i = 0; i < count; i++)
        if (placed[i] && !copy[i].is_fixed)
            copy[i].offset = 0;
    return lowest(copy, count, placed);
}

/* ---- tests ---- */

static const struct shape shapes[] = {{10, 4, 9, false, false},     {100, 10, 100, false, true},
                                      {1000, 3, 1000, true, false}, {50, 50, 64, true, true},
                                      {7, 20, 1000, false, false},  {400, 200, 5, true, true},
                                      {400, 200, 500, false, true}};

static const struct shape few_shapes[] = {{4, 4, 9, false, false},  {6, 3, 5, false, false},
                                          {6, 3, 30, false, false}, {5, 3, 20, true, true},
                                          {8, 5, 7, false, true},   {6, 4, 200, true, false}};

static void make_few(struct fixture *f, unsigned k)
{
    make(f, 1 + (size_t)below(f, k % 4 ? FEW - 1 : FEW), &few_shapes[k % 6]);
}

static void test_random(void **state)
{
    struct fixture f = {.seed = 3};

    for (unsigned k = 0; k < CASES; k++) {
        make(&f, (size_t)below(&f, MANY), &shapes[k % 7]);
        int64_t greedy = run(&f, -1, 0).height;
        struct pack_limits limits = {.capacity = -1, .seconds = 1000, .steps = 100000};
        struct pack_result result;

        assert_true(pack(f.items, f.count, &limits, &result, &f.arena));
        assert_true(pack_is_valid(f.items, f.count, NULL, NULL));
        assert_true(result.height == pack_height(f.items, f.count) && result.height <= greedy);
        arena_finish(&f.arena);
    }
}

/* The search finds the lowest plan, and proves that there is no lower one. */
static void test_lowest(void **state)
{
    struct fixture f = {.seed = 11};
    unsigned above_bound = 0;

    for (unsigned k = 0; k < CASES; k++) {
        make_few(&f, k);
        int64_t best = brute(f.items, f.count);
        struct pack_result result = run(&f, -1, 1000);

        assert_true(result.height == best && result.is_proved && result.lower_bound == best);
        above_bound += best > pack_lower_bound(f.items, f.count, &f.arena);
        assert_true(run(&f, best, 1000).fits);
        if (best == 0)
            continue;
        result = run(&f, best - 1, 1000);
        assert_true(!result.fits && result.is_proved && result.lower_bound >= best);
    }
    assert_true(above_bound > CASES / 40); /* or the search had nothing to do */
    arena_finish(&f.arena);
}

/* Some items of a plan of them all are held where they are, and others find the rest. */
static void test_fixed(void **state)
{
    struct fixture f = {.seed = 5};

    for (unsigned k = 0; k < CASES; k++) {
        struct pack_item before[MANY];
        int64_t moved;

        make_few(&f, k);
        run(&f, -1, 0);
        moved = 4 * below(&f, 4) * 24; /* a multiple of all alignments but 64, which some lack */
        for (size_t i = 0; i < f.count; i++)
            if (f.items[i].alignment != 64 && below(&f, 2)) {
                f.items[i].is_fixed = true;
                f.items[i].offset += moved;
            }
        memcpy(before, f.items, sizeof(before));
        struct pack_result result = run(&f, -1, 1000);

        assert_true(result.is_proved && result.height == brute(before, f.count));
        for (size_t i = 0; i < f.count; i++)
            assert_true(!before[i].is_fixed || f.items[i].offset == before[i].offset);
    }
}

/* Whoever is blamed cannot be planned together, and all but any one of them can. */
static void test_blame(void **state)
{
    struct fixture f = {.seed = 17};
    unsigned beyond_a_step = 0;

    for (unsigned k = 0; k < CASES; k++) {
        struct pack_item few[FEW];
        size_t blamed[FEW];
        bool is_irreducible = false;

        make_few(&f, k);
        int64_t best = brute(f.items, f.count);
        struct pack_limits limits = {.capacity = best - 1 - below(&f, best / 3 + 1),
                                     .seconds = 1000};

        if (limits.capacity < 0)
            continue;
        size_t count = pack_blame(f.items, f.count, &limits, blamed, &is_irreducible, &f.arena);

        assert_true(count > 0 && is_irreducible);
        for (size_t i = 0; i < count; i++)
            few[i] = f.items[blamed[i]];
        assert_true(brute(few, count) > limits.capacity);
        beyond_a_step += pack_lower_bound(few, count, &f.arena) <= limits.capacity;
        for (size_t out = 0; out < count; out++) {
            memcpy(few, f.items, sizeof(few));
            for (size_t i = 0, next = 0; i < count; i++)
                if (i != out)
                    few[next++] = f.items[blamed[i]];
            assert_true(brute(few, count - 1) <= limits.capacity);
        }
        limits.capacity = best;
        assert_true(pack_blame(f.items, f.count, &limits, blamed, &is_irreducible, &f.arena) == 0);
        arena_finish(&f.arena);
    }
    assert_true(beyond_a_step > 0);
}

/* The judge agrees with a comparison of all pairs, on plans that are mostly none. */
static void test_judge(void **state)
{
    struct fixture f = {.seed = 23};
    unsigned valid = 0;

    for (unsigned k = 0; k < 20 * CASES; k++) {
        bool is_plan = true;
        size_t item = MANY, other = MANY;

        make(&f, 2 + (size_t)below(&f, 9), &shapes[k % 7]);
        for (size_t i = 0; i < f.count; i++) {
            f.items[i].offset = align(below(&f, 3000), k % 2 ? f.items[i].alignment : 1);
            is_plan &= f.items[i].alignment <= 1 || f.items[i].offset % f.items[i].alignment == 0;
        }
        for (size_t i = 0; i < f.count; i++)
            for (size_t j = 0; j < i; j++)
                is_plan &= !meets(&f.items[i], &f.items[j]) ||
                           f.items[i].offset >= f.items[j].offset + f.items[j].size ||
                           f.items[j].offset >= f.items[i].offset + f.items[i].size;
        assert_true(pack_is_valid(f.items, f.count, &item, &other) == is_plan);
        assert_true(is_plan || (other <= item && item < f.count));
        valid += is_plan;
    }
    assert_true(valid > 100 && valid < 20 * CASES - 100);
}

/* Steps are only compared: what happens to all of them alike changes nothing, nor does the next run. */
static void test_repeatable(void **state)
{
    struct fixture f = {.seed = 29};

    for (unsigned k = 0; k < 14; k++) {
        int64_t offsets[MANY];

        make(&f, 100, &shapes[k % 7]);
        for (unsigned again = 0; again < 3; again++) {
            struct pack_limits limits = {.capacity = -1, .seconds = 1000, .steps = 2000000};
            struct pack_result result;

            assert_true(pack(f.items, f.count, &limits, &result, &f.arena));
            for (size_t i = 0; i < f.count; i++) {
                assert_true(again == 0 || f.items[i].offset == offsets[i]);
                offsets[i] = f.items[i].offset;
                f.items[i].lower += 1000;
                f.items[i].upper += 1000;
                f.items[i].offset = -7; /* is not read */
            }
            arena_finish(&f.arena);
        }
    }
}

static void test_faults(void **state)
{
    static const struct {
        struct pack_item items[3];
        enum pack_fault fault;
        size_t item, other;
    } cases[] = {
        {{{0, 1, 5, 0, 0, false}, {3, 2, 5, 0, 0, false}}, PACK_LIFE, 1, 1},
        {{{0, 1, 5, 0, 0, false}, {2, 3, -5, 0, 0, false}}, PACK_NEGATIVE, 1, 1},
        {{{0, 1, 5, -1, 0, false}}, PACK_NEGATIVE, 0, 0},
        {{{0, 1, 5, 0, -1, true}}, PACK_NEGATIVE, 0, 0},
        {{{0, 1, INT64_MAX, 0, 0, false}}, PACK_TOO_LARGE, 0, 0},
        {{{0, 1, 1, INT64_MAX, 0, false}}, PACK_TOO_LARGE, 0, 0},
        {{{0, 1, 1, 0, INT64_MAX, true}}, PACK_TOO_LARGE, 0, 0},
        {{{0, 2, PACK_LARGEST, 0, 0, false}, {1, 2, 1, 0, 0, false}}, PACK_TOO_LARGE, 1, 1},
        {{{0, 1, 1, 8, 4, true}}, PACK_ALIGNMENT, 0, 0},
        {{{0, 2, 8, 8, 8, true}, {2, 9, 9, 0, 8, true}, {1, 2, 1, 0, 15, true}},
         PACK_COLLISION,
         2,
         0},
        {{{0, 2, PACK_LARGEST, 0, 0, false}, {2, 3, PACK_LARGEST, 0, 0, false}}, PACK_FINE, 0, 0},
        {{{INT64_MIN, INT64_MAX, 8, 8, 8, true}, {0, 0, 9, 0, 8, true}, {5, 6, 0, 0, 8, true}},
         PACK_FINE,
         0,
         0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t item = 0, other = 0;

        assert_int_equal(pack_check(cases[i].items, 3, &item, &other), cases[i].fault);
        if (cases[i].fault != PACK_FINE)
            assert_true(item == cases[i].item && other == cases[i].other);
    }
}

/* Alignments so large that there is room for few: no plan is said, and none is overlooked. */
static void test_large(void **state)
{
    struct pack_item items[4];
    struct pack_limits limits = {.capacity = -1};
    struct pack_result result;
    struct arena arena = {0};

    for (size_t i = 0; i < 4; i++)
        items[i] = (struct pack_item){.upper = 1, .size = 1 + (int64_t)i % 2, .alignment = 1};
    items[0].alignment = items[1].alignment = items[2].alignment = PACK_LARGEST - 1;
    assert_false(pack(items, 4, &limits, &result, &arena));
    assert_true(result.height == INT64_MAX);
    assert_true(pack(items + 1, 3, &limits, &result, &arena));
    assert_true(pack_is_valid(items + 1, 3, NULL, NULL));
    assert_true(pack(items, 0, &limits, &result, &arena) && result.height == 0 && result.is_proved);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_lowest),
        cmocka_unit_test(test_fixed),  cmocka_unit_test(test_blame),
        cmocka_unit_test(test_judge),  cmocka_unit_test(test_repeatable),
        cmocka_unit_test(test_faults), cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

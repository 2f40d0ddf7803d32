/* Who lies near whom: the sorted search names all that meet, and few others. */
#include "analysis/verify_storage/near.h"
#include "tests/unit/test.h"

enum { VALUES = 60, ROUNDS = 300, ROOTS = 3 };

struct fixture {
    struct vs_replay r;
    struct vs_near near;
    unsigned random;
    unsigned seen[VALUES]; /* how often each was named */
};

static unsigned below(struct fixture *f, unsigned limit)
{
    f->random = f->random * 1664525u + 1013904223u;
    return (f->random >> 8) % limit;
}

/* A value in [low, high) of @root; root 0: in several places. */
static unsigned value_in(struct fixture *f, unsigned root, int64_t low, int64_t high)
{
    struct extent extent = extent_numbers(low, high);

    array_push(&f->r.spots, (struct vs_spot){.root = root, .extent = extent});
    array_push(&f->r.d.nodes,
               (struct diagram_node){.spot = root ? (unsigned)f->r.spots.count - 1 : 0});
    return (unsigned)f->r.d.nodes.count - 1;
}

static unsigned random_value(struct fixture *f)
{
    unsigned root = below(f, 12) ? 1 + below(f, ROOTS) : 0;
    int64_t low = below(f, 200), size = below(f, 8) ? below(f, 12) : 300;

    return below(f, 20) ? value_in(f, root, low, low + size) : value_in(f, root, 0, INT64_MAX);
}

static bool may_meet(const struct fixture *f, unsigned a, unsigned b)
{
    const struct vs_spot *x = &f->r.spots.items[f->r.d.nodes.items[a].spot];
    const struct vs_spot *y = &f->r.spots.items[f->r.d.nodes.items[b].spot];

    if (!x->root || !y->root)
        return true;
    return x->root == y->root && x->extent.low < y->extent.high && y->extent.low < x->extent.high;
}

static bool touches(const struct fixture *f, unsigned a, unsigned b)
{
    const struct vs_spot *x = &f->r.spots.items[f->r.d.nodes.items[a].spot];
    const struct vs_spot *y = &f->r.spots.items[f->r.d.nodes.items[b].spot];

    return x->root == y->root && x->extent.low <= y->extent.high && y->extent.low <= x->extent.high;
}

static void note(void *state, size_t index)
{
    struct fixture *f = state;

    f->seen[index]++;
}

static void check(struct fixture *f, const unsigned *values, unsigned count, unsigned asked)
{
    for (unsigned i = 0; i < count; i++)
        f->seen[i] = 0;
    vs_near_each(&f->r, &f->near, asked, note, f);
    for (unsigned i = 0; i < count; i++) {
        bool must = may_meet(f, values[i], asked);

        assert_true(f->seen[i] <= 1);
        assert_true(f->seen[i] == 1 || !must);
        assert_true(f->seen[i] == 0 || must || touches(f, values[i], asked));
    }
}

static void test_random(void **state)
{
    struct fixture f = {.random = 7};

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned values[VALUES], count = below(&f, VALUES + 1);

        array_push(&f.r.spots, (struct vs_spot){0}); /* spot 0 means several */
        for (unsigned i = 0; i < count; i++) {
            values[i] = random_value(&f);
            vs_near_add(&f.r, &f.near, i, values[i]);
        }
        vs_near_sort(&f.near);
        for (unsigned i = 0; i < count; i++)
            check(&f, values, count, values[i]);
        for (unsigned i = 0; i < 10; i++)
            check(&f, values, count, random_value(&f));
        vs_near_finish(&f.near);
        f.near = (struct vs_near){0};
        f.r.spots.count = f.r.d.nodes.count = 0;
    }
    array_finish(&f.r.spots);
    array_finish(&f.r.d.nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Orders for the least peak: worked by hand, and against all orders of a few nodes. */
#include "passes/memory/peak.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <time.h>

enum { FEW = 8, CASES = 3000, PLENTY = 1 << 20 };

struct fixture {
    uint64_t seed;
};

static unsigned below(struct fixture *f, unsigned limit)
{
    f->seed = f->seed * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(f->seed >> 33) % limit;
}

/* ---- what an order holds, from the words of peak.h ---- */

struct lives {
    unsigned from, to; /* places, closed */
};

static unsigned place_of(const unsigned *order, unsigned node)
{
    unsigned place = 0;

    while (order[place] != node)
        place++;
    return place;
}

static struct lives lives_of(const struct peak_problem *p, const unsigned *order, unsigned value)
{
    const struct peak_value *v = &p->values.items[value];
    struct lives lives = {v->maker == PEAK_NONE ? 0 : place_of(order, v->maker), 0};

    lives.to = lives.from;
    for (unsigned i = 0; i < v->readers.count; i++) {
        unsigned place = place_of(order, p->readers[v->readers.first + i]);

        lives.to = place > lives.to ? place : lives.to;
    }
    if (v->is_kept || (v->maker == PEAK_NONE && v->readers.count == 0))
        lives.to = (unsigned)p->nodes.count; /* behind the last */
    return lives;
}

/* What the node at @place need not hold twice. */
static int64_t taken_at(const struct peak_problem *p, const unsigned *order, unsigned place)
{
    const struct peak_node *node = &p->nodes.items[order[place]];
    bool *is_gone = calloc(p->values.count + 1, sizeof(bool));
    int64_t bytes = 0;

    for (unsigned i = 0; i < node->makes.count; i++) {
        const struct peak_make *make = &p->makes.items[node->makes.first + i];

        for (unsigned k = 0; k < make->takes.count; k++) {
            unsigned value = p->takes.items[make->takes.first + k];

            if (is_gone[value] || lives_of(p, order, value).to != place)
                continue;
            is_gone[value] = true;
            bytes += p->values.items[value].bytes;
            break;
        }
    }
    free(is_gone);
    return bytes;
}

static int64_t held_at(const struct peak_problem *p, const unsigned *order, unsigned place)
{
    int64_t held = p->base + p->nodes.items[order[place]].extra;

    for (unsigned i = 0; i < p->values.count; i++) {
        struct lives lives = lives_of(p, order, i);

        if (lives.from <= place && place <= lives.to)
            held += p->values.items[i].bytes;
    }
    return held - taken_at(p, order, place);
}

static int64_t judged_peak(const struct peak_problem *p, const unsigned *order)
{
    int64_t peak = 0;

    for (unsigned i = 0; i < p->nodes.count; i++) {
        int64_t held = held_at(p, order, i);

        peak = held > peak ? held : peak;
    }
    return peak;
}

static bool can_run(const struct peak_problem *p, const bool *done, unsigned node)
{
    for (size_t i = 0; i < p->edges.count; i++)
        if (p->edges.items[i].after == node && !done[p->edges.items[i].before])
            return false;
    return !done[node];
}

/* The least peak of all orders that begin with the first @count of @order. */
static int64_t least_of_all(const struct peak_problem *p, unsigned *order, unsigned count,
                            bool *done)
{
    int64_t best = INT64_MAX;

    if (count == p->nodes.count)
        return judged_peak(p, order);
    for (unsigned i = 0; i < p->nodes.count; i++) {
        if (!can_run(p, done, i))
            continue;
        done[i] = true;
        order[count] = i;
        int64_t peak = least_of_all(p, order, count + 1, done);

        done[i] = false;
        best = peak < best ? peak : best;
    }
    return best;
}

/* ---- problems at random ---- */

/* Values that @node may read: of nodes in front of it. */
static void read_some(struct fixture *f, struct peak_problem *p, unsigned node, unsigned outside)
{
    bool has[2 * FEW + 8] = {0};

    for (unsigned i = 0, wanted = below(f, 4); i < wanted && p->values.count > 0; i++) {
        unsigned value = below(f, (unsigned)p->values.count);
        unsigned maker = p->values.items[value].maker;

        if (has[value] || (maker == PEAK_NONE && value >= outside))
            continue;
        has[value] = true;
        peak_add_read(p, value);
        if (maker != PEAK_NONE)
            peak_add_edge(p, maker, node);
    }
}

/* What @make may take over: values of as many bytes that its node reads. */
static void take_some(struct fixture *f, struct peak_problem *p, unsigned value)
{
    const struct peak_node *node = &array_last(&p->nodes);

    for (unsigned i = 0; i < node->reads.count; i++) {
        unsigned read = p->reads.items[node->reads.first + i];

        if (p->values.items[read].bytes == p->values.items[value].bytes && below(f, 3) > 0)
            peak_add_take(p, read);
    }
}

static void make_random(struct fixture *f, struct peak_problem *p, unsigned nodes, unsigned makes)
{
    unsigned outside = below(f, 3);

    *p = (struct peak_problem){.base = below(f, 2) * 5};
    for (unsigned i = 0; i < outside; i++)
        (void)peak_add_value(p, 1 + below(f, 4), below(f, 2));
    for (unsigned i = 0; i < nodes; i++) {
        unsigned node = peak_add_node(p, below(f, 6) == 0 ? below(f, 8) : 0);

        read_some(f, p, node, outside);
        for (unsigned k = 0, count = below(f, 8) == 0 ? below(f, makes + 1) : 1; k < count; k++) {
            unsigned value = peak_add_value(p, 1 + below(f, 4) * below(f, 4), below(f, 8) == 0);

            peak_add_make(p, value);
            take_some(f, p, value);
        }
        if (i > 0 && below(f, 6) == 0) /* as of a call in place */
            peak_add_edge(p, below(f, i), i);
    }
    peak_finish(p);
}

/* ---- tests ---- */

static void test_judge(void **state)
{
    struct fixture f = {1};
    unsigned order[FEW];

    (void)state;
    for (unsigned i = 0; i < FEW; i++)
        order[i] = i;
    for (unsigned i = 0; i < CASES; i++) {
        struct peak_problem p;

        make_random(&f, &p, 1 + below(&f, FEW), 3);
        assert_int_equal(peak_of(&p, order, NULL), judged_peak(&p, order));
        peak_release(&p);
    }
}

/* Exact means exact; and what is found is an order, with the peak that is said. */
static void test_all_orders(void **state)
{
    struct fixture f = {7};
    unsigned better = 0;

    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        unsigned count = 1 + below(&f, i % 16 ? FEW - 1 : FEW), order[FEW], all[FEW];
        struct peak_problem p;
        struct peak_found found;
        bool done[FEW] = {0};

        make_random(&f, &p, count, i % 2 ? 3 : 1);
        bool is_better = peak_order(&p, PLENTY, order, &found);

        assert_true(peak_is_order(&p, order));
        assert_int_equal(found.peak, judged_peak(&p, order));
        assert_true(found.peak >= peak_least(&p));
        if (p.is_plain)
            assert_true(found.is_exact);
        if (found.is_exact)
            assert_int_equal(found.peak, least_of_all(&p, all, 0, done));
        better += is_better;
        peak_release(&p);
    }
    assert_true(better > CASES / 20);
}

/* The rules make orders, and searches with next to no tries are right, if not exact. */
static void test_bounded(void **state)
{
    struct fixture f = {11};
    enum { MANY = 200 };
    unsigned order[MANY];

    (void)state;
    for (unsigned i = 0; i < 200; i++) {
        struct peak_problem p;
        struct peak_found found;
        unsigned given[MANY];

        make_random(&f, &p, 1 + below(&f, FEW), 2);
        for (unsigned k = 0; k < p.nodes.count; k++)
            given[k] = k;
        for (unsigned kind = 0; kind < PEAK_LIST_COUNT; kind++) {
            peak_list_order(&p, kind, order);
            assert_true(peak_is_order(&p, order));
        }
        (void)peak_order(&p, 1, order, &found);
        assert_true(peak_is_order(&p, order));
        assert_int_equal(found.peak, judged_peak(&p, order));
        assert_true(found.peak <= judged_peak(&p, given));
        peak_release(&p);
    }
}

/* @width chains of @length nodes that each make 4 and keep 1: one after the other is best. */
static void make_chains(struct peak_problem *p, unsigned width, unsigned length)
{
    *p = (struct peak_problem){0};
    for (unsigned step = 0; step < length; step++)
        for (unsigned chain = 0; chain < width; chain++) {
            bool is_last = step + 1 == length;
            unsigned value = peak_add_value(p, is_last ? 1 : 4, is_last);
            unsigned node = peak_add_node(p, 0);

            if (step > 0) {
                peak_add_read(p, value - width);
                peak_add_edge(p, node - width, node);
            }
            peak_add_make(p, value);
        }
    peak_finish(p);
}

static void test_chains(void **state)
{
    enum { MOST = 100000 };
    unsigned *order = malloc(MOST * sizeof(*order));

    (void)state;
    for (unsigned width = 2; width * 10 <= MOST; width *= 10) {
        struct peak_problem p;
        struct peak_found found;
        clock_t begin = clock();

        make_chains(&p, width, 5);
        assert_true(peak_order(&p, PLENTY, order, &found));
        assert_true(peak_is_order(&p, order));
        /* two of a chain, and one of each that ran; the order that there was held 4 of each */
        assert_int_equal(found.peak, width - 1 + 8);
        assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 20);
        peak_release(&p);
    }
    free(order);
}

/* a small one, a large one, and who needs which: in a tree what needs most comes first. */
static void test_tree(void **state)
{
    struct peak_problem p = {0};
    struct peak_found found;
    unsigned order[5];
    unsigned small = peak_add_value(&p, 8, false), wide = peak_add_value(&p, 100, false);
    unsigned narrow = peak_add_value(&p, 1, false), result = peak_add_value(&p, 8, true);

    (void)state;
    (void)peak_add_node(&p, 5); /* (not lazy: it needs room while it runs) */
    peak_add_make(&p, small);
    (void)peak_add_node(&p, 0);
    peak_add_make(&p, wide);
    (void)peak_add_node(&p, 0);
    peak_add_read(&p, wide);
    peak_add_make(&p, narrow);
    (void)peak_add_node(&p, 0);
    peak_add_read(&p, small);
    peak_add_read(&p, narrow);
    peak_add_make(&p, result);
    peak_add_take(&p, small);
    peak_add_edge(&p, 1, 2);
    peak_add_edge(&p, 0, 3);
    peak_add_edge(&p, 2, 3);
    peak_finish(&p);
    assert_true(peak_order(&p, PLENTY, order, &found));
    assert_true(found.is_exact);
    assert_int_equal(found.peak, 101);
    assert_int_equal(order[0], 1);
    assert_int_equal(order[1], 2);
    assert_int_equal(order[2], 0);
    peak_release(&p);
}

/* The same problem gives the same order. */
static void test_repeatable(void **state)
{
    enum { NODES = 7 };
    unsigned first[NODES], second[NODES];

    (void)state;
    for (unsigned i = 0; i < 200; i++) {
        struct fixture f = {100 + i}, again = {100 + i};
        struct peak_problem p, q;
        struct peak_found found;

        make_random(&f, &p, NODES, 2);
        make_random(&again, &q, NODES, 2);
        (void)peak_order(&p, 50, first, &found);
        (void)peak_order(&q, 50, second, &found);
        assert_memory_equal(first, second, sizeof(first));
        peak_release(&p);
        peak_release(&q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judge),   cmocka_unit_test(test_all_orders),
        cmocka_unit_test(test_bounded), cmocka_unit_test(test_chains),
        cmocka_unit_test(test_tree),    cmocka_unit_test(test_repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

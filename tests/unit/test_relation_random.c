/* What is said of two accesses against all iterations of random kernels. */
#include "analysis/access/relation.h"
#include "tests/unit/kernel_events.h"

#include <stdlib.h>

enum { KERNELS = 60 };

static const char *const words[] = {"never", "sometimes", "unknown"};

struct tally {
    unsigned asked, unknown, never;
};

static bool is_wanted(const struct event *a, const struct event *b, unsigned level,
                      enum access_order order)
{
    for (unsigned i = 0; i < level; i++)
        if (a->iteration[i] != b->iteration[i])
            return false;
    if (order == ACCESS_ANY_TIME)
        return true;
    int64_t difference = b->iteration[level] - a->iteration[level];
    return order == ACCESS_LATER     ? difference > 0
           : order == ACCESS_EARLIER ? difference < 0
                                     : difference != 0;
}

static bool do_meet(const struct run *run, const struct access *a, const struct access *b,
                    unsigned level, enum access_order order)
{
    for (const struct event *i = run->first[a - run->list->items]; i; i = i->next)
        for (const struct event *k = run->first[b - run->list->items]; k; k = k->next)
            if (i->element == k->element && is_wanted(i, k, level, order))
                return true;
    return false;
}

static void compare(struct run *run, struct access_relation *relation, const struct access *a,
                    const struct access *b, const char *text, struct tally *tally)
{
    unsigned common = access_common_loops(a, b);

    for (unsigned level = 0; level <= common; level++)
        for (enum access_order order = ACCESS_ANY_TIME; order <= ACCESS_OTHER_TIME; order++) {
            if (level == common && order != ACCESS_ANY_TIME)
                continue;
            enum access_answer answer = access_may_meet(relation, a, b, level, order);
            bool truth = do_meet(run, a, b, level, order);

            tally->asked++;
            tally->unknown += answer == ACCESS_UNKNOWN && !truth;
            tally->never += answer == ACCESS_NEVER;
            if ((truth && answer == ACCESS_NEVER) || (!truth && answer == ACCESS_SOMETIMES))
                fail_msg("\n%s\naccesses %zu and %zu, level %u, order %u: said %s", text,
                         (size_t)(a - run->list->items), (size_t)(b - run->list->items), level,
                         (unsigned)order, words[answer]);
        }
}

static void check_kernel(unsigned seed, struct event *events, struct tally *tally)
{
    struct writer w = {.seed = seed};
    struct kernels k;
    struct access_cache cache = {0};
    struct run run = {.events = events};

    write_body(&w, 1);
    write_body(&w, 1);
    kernels_parse(&k, "X: T.Buffer((24,), \"float32\"), Y: T.Buffer((5, 5), \"float32\")",
                  text_string(&w.text));
    run.list = access_of(&cache, k.func);
    struct access_relation *relation = access_relation_new(&cache, run.list, run.list, NULL);
    if (seed % 2)
        access_relation_be_thorough(relation);
    if (run.list->count <= ACCESS_LIMIT && run_stmt(&run, k.func->body))
        for (size_t i = 0; i < run.list->count; i++)
            for (size_t j = 0; j < run.list->count; j++)
                if (run.list->items[i].root == run.list->items[j].root)
                    compare(&run, relation, &run.list->items[i], &run.list->items[j],
                            text_string(&w.text), tally);
    access_relation_free(relation);
    access_cache_finish(&cache);
    kernels_finish(&k);
    text_finish(&w.text);
}

static void test_random(void **state)
{
    struct event *events = calloc(EVENT_LIMIT, sizeof(events[0]));
    struct tally tally = {0};

    for (unsigned seed = 1; seed <= KERNELS; seed++)
        check_kernel(seed, events, &tally);
    free(events);
    /* never wrong; and with constant extents, hardly ever without an answer */
    print_message("# %u questions, %u never, %u without need unknown\n", tally.asked, tally.never,
                  tally.unknown);
    assert_true(tally.never > tally.asked / 20);
    assert_true(tally.unknown * 50 < tally.asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};

    return cmocka_run_group_tests_name("relation_random", tests, NULL, NULL);
}

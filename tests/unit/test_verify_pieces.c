/* Lists in chunks, as the checker of storage has them, against plain arrays: copies do not see later changes. */
#include "analysis/verify_storage/internal.h"
#include "tests/unit/test.h"

#include <string.h>

enum { LISTS = 6, MOST = 400, STEPS = 20000 };

struct list {
    struct vs_pieces pieces;
    unsigned owners[MOST], count;
};

struct fixture {
    struct vs_replay r;
    struct list lists[LISTS];
    unsigned random, next_owner;
};

static unsigned below(struct fixture *f, unsigned limit)
{
    f->random = f->random * 1664525u + 1013904223u;
    return (f->random >> 8) % limit;
}

static void check(const struct list *list)
{
    assert_int_equal(list->pieces.count, list->count);
    for (unsigned i = 0; i < list->count; i++)
        assert_int_equal(vs_piece_at(&list->pieces, i)->owner, list->owners[i]);
}

static void insert(struct fixture *f, struct list *list, unsigned at)
{
    struct vs_piece piece = {.owner = ++f->next_owner};

    if (list->count == MOST)
        return;
    vs_pieces_insert(&f->r, &list->pieces, at, &piece);
    memmove(&list->owners[at + 1], &list->owners[at], (list->count - at) * sizeof(unsigned));
    list->owners[at] = piece.owner;
    list->count++;
}

static void take_out(struct fixture *f, struct list *list, unsigned first, unsigned last)
{
    vs_pieces_remove(&f->r, &list->pieces, first, last);
    memmove(&list->owners[first], &list->owners[last], (list->count - last) * sizeof(unsigned));
    list->count -= last - first;
}

/* @to becomes @from, in a branch of its own. */
static void branch(struct fixture *f, struct list *to, const struct list *from)
{
    f->r.branch = ++f->r.last_branch;
    *to = *from;
    vs_pieces_copy(&f->r, &to->pieces);
}

/* @to becomes what @a and @b have in common in front, and the rest of @b. */
static void join(struct fixture *f, struct list *to, const struct list *a, const struct list *b)
{
    struct list out = {0};

    f->r.branch = ++f->r.last_branch;
    for (unsigned i = 0; i < b->count;) {
        unsigned shared = vs_pieces_shared(&a->pieces, i, &b->pieces, i);

        for (unsigned k = 0; k < shared; k++)
            assert_int_equal(a->owners[i + k], b->owners[i + k]);
        if (shared)
            vs_pieces_share(&f->r, &out.pieces, &a->pieces, i);
        else
            vs_pieces_append(&f->r, &out.pieces, vs_piece_at(&b->pieces, i));
        i += shared ? shared : 1;
    }
    out.count = b->count;
    memcpy(out.owners, b->owners, sizeof(out.owners));
    *to = out;
}

/* Only the list that was made last may be changed: that is the state of the branch in work. */
static void test_random(void **state)
{
    struct fixture f = {.random = 1};
    unsigned work = 0;

    (void)state;
    for (unsigned step = 0; step < STEPS; step++) {
        struct list *list = &f.lists[work];
        unsigned what = below(&f, 40), count = list->count, at = below(&f, count + 1);

        if (what < 24) {
            insert(&f, list, at);
        } else if (what < 30 && at < count) {
            vs_piece_to_change(&f.r, &list->pieces, at)->owner = list->owners[at] = ++f.next_owner;
        } else if (what < 36) {
            unsigned last = at + below(&f, what == 35 ? 150 : 4);

            take_out(&f, list, at, last < count ? last : count);
        } else {
            unsigned from = below(&f, LISTS), other = below(&f, LISTS);

            work = below(&f, LISTS);
            if (what < 38)
                branch(&f, &f.lists[work], &f.lists[from]);
            else
                join(&f, &f.lists[work], &f.lists[from], &f.lists[other]);
        }
        for (unsigned i = 0; i < LISTS; i++)
            check(&f.lists[i]);
    }
    arena_finish(&f.r.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

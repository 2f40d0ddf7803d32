/* Sets of origins and places. */
#include "analysis/leaves.h"
#include "analysis/storage/storage_internal.h"

#include <stdlib.h>

unsigned storage_origin_new(struct storage *storage, const struct ir_value *value, unsigned leaf)
{
    array_push(&storage->origins, (struct storage_origin){.value = value, .leaf = leaf});
    array_push(&storage->singletons, NULL);
    return (unsigned)storage->origins.count - 1;
}

unsigned storage_root_new(struct storage *storage, enum storage_root_kind kind, struct location loc)
{
    array_push(&storage->roots,
               (struct storage_root){.kind = kind, .loc = loc, .home = storage->function});
    return (unsigned)storage->roots.count - 1;
}

const struct storage_set *storage_single(struct storage *storage, unsigned origin)
{
    const struct storage_set **known = &storage->singletons.items[origin];

    if (!*known) {
        struct storage_set *set = arena_new(&storage->arena, struct storage_set);
        unsigned *item = arena_new(&storage->arena, unsigned);

        *item = origin;
        *set = (struct storage_set){.count = 1, .items = item};
        *known = set;
    }
    return *known;
}

static int compare_unsigned(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

    return (x > y) - (x < y);
}

/* Sorts @items, drops what repeats, and NOTHING beside something; returns how many are left. */
static unsigned make_set(unsigned *items, size_t count)
{
    unsigned kept = 0;

    if (count > 1)
        qsort(items, count, sizeof(*items), compare_unsigned);
    for (size_t i = 0; i < count; i++)
        if ((i == 0 || items[i] != items[i - 1]) &&
            (items[i] != STORAGE_NOTHING || items[count - 1] == STORAGE_NOTHING))
            items[kept++] = items[i];
    return kept;
}

static bool is_same_set(const struct storage_set *const *sets, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (sets[i] != sets[0])
            return false;
    return count > 0;
}

const struct storage_set *storage_union(struct storage *storage,
                                        const struct storage_set *const *sets, size_t count)
{
    array(unsigned) items = {0};
    const struct storage_set *result;

    if (is_same_set(sets, count))
        return sets[0];
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < sets[i]->count; k++)
            array_push(&items, sets[i]->items[k]);
    unsigned kept = make_set(items.items, items.count);

    if (kept > STORAGE_SET_LIMIT || (kept > 1 && bsearch(&(unsigned){STORAGE_ANYTHING}, items.items,
                                                         kept, sizeof(unsigned), compare_unsigned)))
        result = storage_single(storage, STORAGE_ANYTHING);
    else if (kept <= 1)
        result = storage_single(storage, kept ? items.items[0] : (unsigned)STORAGE_NOTHING);
    else {
        struct storage_set *set = arena_new(&storage->arena, struct storage_set);
        unsigned *copy = arena_array(&storage->arena, unsigned, kept);

        for (unsigned i = 0; i < kept; i++)
            copy[i] = items.items[i];
        *set = (struct storage_set){.count = kept, .items = copy};
        result = set;
    }
    array_finish(&items);
    return result;
}

void storage_map_leaves(struct storage *storage, const struct ir_type *from,
                        const struct storage_set *const *sets, const struct ir_type *to,
                        struct storage_sets *out)
{
    if (from->kind == IR_TYPE_TUPLE && to->kind == IR_TYPE_TUPLE &&
        from->field_count == to->field_count) {
        for (unsigned i = 0; i < from->field_count; i++) {
            storage_map_leaves(storage, from->fields[i], sets, to->fields[i], out);
            sets += leaf_count(from->fields[i]);
        }
        return;
    }
    const struct storage_set *all = storage_union(storage, sets, leaf_count(from));

    for (unsigned i = 0; i < leaf_count(to); i++)
        array_push(out, all);
}

/* ---- places ---- */

static int compare_places(const void *a, const void *b)
{
    const struct storage_place *x = a, *y = b;

    return (x->root > y->root) - (x->root < y->root);
}

/* Two regions of one root as one: all of it, unless they are the same. */
static struct storage_region join_regions(struct storage_region a, struct storage_region b)
{
    return a.offset == b.offset && a.bytes == b.bytes ? a : (struct storage_region){0};
}

void storage_set_places(struct storage *storage, unsigned origin,
                        const struct storage_place *places, size_t count)
{
    struct storage_place *sorted = arena_array(&storage->arena, struct storage_place, count + 1);
    unsigned kept = 0;

    for (size_t i = 0; i < count; i++)
        sorted[i] = places[i];
    qsort(sorted, count, sizeof(*sorted), compare_places);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && sorted[kept - 1].root == sorted[i].root)
            sorted[kept - 1].region = join_regions(sorted[kept - 1].region, sorted[i].region);
        else
            sorted[kept++] = sorted[i];
    }
    if (kept > STORAGE_SET_LIMIT) {
        /* too many to be told apart: all of them are as if kept by code that is not seen */
        for (unsigned i = 0; i < kept; i++)
            if (!storage->roots.items[sorted[i].root].retained_by)
                storage->roots.items[sorted[i].root].retained_by =
                    storage->origins.items[origin].value->def;
        sorted[0] = (struct storage_place){.root = STORAGE_ROOT_OPAQUE};
        kept = 1;
    }
    storage->origins.items[origin].places = sorted;
    storage->origins.items[origin].place_count = kept;
    for (unsigned i = 0; i < kept; i++) {
        struct storage_root *root = &storage->roots.items[sorted[i].root];

        if (root->origins.count == 0)
            root->first_origin = origin;
        array_push(&root->origins, origin);
    }
}

void storage_set_root(struct storage *storage, unsigned origin, unsigned root)
{
    const struct storage_place place = {.root = root};

    storage_set_places(storage, origin, &place, 1);
}

void storage_push_places(const struct storage *storage, const struct storage_set *set,
                         struct storage_places *out)
{
    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_origin *origin = &storage->origins.items[set->items[i]];

        for (unsigned k = 0; k < origin->place_count; k++)
            array_push(out, origin->places[k]);
    }
}

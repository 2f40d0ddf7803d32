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

/* A place among others of one origin, in the order in which they were found. */
struct found {
    struct storage_place place;
    size_t index;
};

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    if (x->place.root != y->place.root)
        return x->place.root > y->place.root ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Adds @place to the sorted ones, of which those from @first on are of its root. */
static void add_place(struct storage *storage, struct storage_place *sorted, unsigned *first,
                      unsigned *kept, const struct storage_place *place)
{
    struct ir_context *context = storage->module->module->context;

    if (*kept == 0 || sorted[*kept - 1].root != place->root)
        *first = *kept;
    for (unsigned i = *first; i < *kept; i++)
        if (storage_region_equal(&sorted[i].region, &place->region))
            return;
    sorted[(*kept)++] = *place;
    if (*kept - *first <= STORAGE_REGION_LIMIT)
        return;
    while (--*kept > *first)
        sorted[*first].region =
            storage_region_join(context, &sorted[*first].region, &sorted[*kept].region);
    sorted[*first].region.is_around = true;
    ++*kept;
}

static unsigned sort_places(struct storage *storage, const struct storage_place *places,
                            size_t count, struct storage_place *sorted)
{
    array(struct found) all = {0};
    unsigned first = 0, kept = 0;

    for (size_t i = 0; i < count; i++)
        array_push(&all, (struct found){places[i], i});
    if (count > 1)
        qsort(all.items, count, sizeof(*all.items), compare_found);
    for (size_t i = 0; i < count; i++)
        add_place(storage, sorted, &first, &kept, &all.items[i].place);
    array_finish(&all);
    return kept;
}

/* Too many to be told apart: all of them are as if kept by code that is not seen. */
static void give_up(struct storage *storage, unsigned origin, struct storage_place *places,
                    unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!storage->roots.items[places[i].root].retained_by)
            storage->roots.items[places[i].root].retained_by =
                storage->origins.items[origin].value->def;
    places[0] = (struct storage_place){.root = STORAGE_ROOT_OPAQUE};
}

static bool has_place(const struct storage_origin *origin, const struct storage_place *place)
{
    for (unsigned i = 0; i < origin->place_count; i++)
        if (origin->places[i].root == place->root &&
            storage_region_equal(&origin->places[i].region, &place->region))
            return true;
    return false;
}

static void put(struct storage *storage, unsigned index, const struct storage_place *places,
                size_t count)
{
    struct storage_place *sorted = arena_array(&storage->arena, struct storage_place, count + 1);
    struct storage_origin *origin = &storage->origins.items[index];
    unsigned kept = sort_places(storage, places, count, sorted);

    if (kept > STORAGE_SET_LIMIT) {
        give_up(storage, index, sorted, kept);
        kept = 1;
    }
    for (unsigned i = 0; i < kept; i++)
        if (!has_place(origin, &sorted[i]))
            storage_note_place(storage, index, &sorted[i]);
    origin->places = sorted;
    origin->place_count = kept;
}

/* ---- bytes of others ---- */

/* Where a view lies, as far as it is known where what it is a part of does. */
static void put_view(struct storage *storage, unsigned index)
{
    const struct ir_op *op = storage->origins.items[index].view;
    struct storage_sets sets = {0};
    struct storage_places places = {0};

    storage_sets_of(storage, op->operands[0].value, &sets);
    for (size_t i = 0; i < sets.count; i++)
        storage_push_places(storage, sets.items[i], &places);
    for (size_t i = 0; i < places.count; i++)
        places.items[i].region =
            storage_part_region(storage, op, sets.count == 1, &places.items[i].region);
    put(storage, index, places.items, places.count);
    array_finish(&sets);
    array_finish(&places);
}

void storage_add_view(struct storage *storage, unsigned origin, const struct ir_op *op)
{
    struct storage_sets sets = {0};

    storage->origins.items[origin].view = op;
    storage_sets_of(storage, op->operands[0].value, &sets);
    for (size_t i = 0; i < sets.count; i++)
        for (unsigned k = 0; k < sets.items[i]->count; k++) {
            struct storage_origin *of = &storage->origins.items[sets.items[i]->items[k]];

            array_push(&storage->views, (struct storage_view){origin, of->views});
            of->views = (unsigned)storage->views.count;
        }
    put_view(storage, origin);
    array_finish(&sets);
}

void storage_set_places(struct storage *storage, unsigned origin,
                        const struct storage_place *places, size_t count)
{
    array(unsigned) stack = {0};

    put(storage, origin, places, count);
    array_push(&stack, origin);
    while (stack.count > 0) {
        unsigned of = array_pop(&stack);

        for (unsigned i = storage->origins.items[of].views; i > 0;
             i = storage->views.items[i - 1].next) {
            put_view(storage, storage->views.items[i - 1].origin);
            array_push(&stack, storage->views.items[i - 1].origin);
        }
    }
    array_finish(&stack);
}

void storage_set_root(struct storage *storage, unsigned origin, unsigned root)
{
    const struct storage_place place = {.root = root};

    storage_set_places(storage, origin, &place, 1);
}

void storage_set_whole(struct storage *storage, unsigned origin, unsigned root,
                       const struct ir_expr *bytes)
{
    const struct storage_place place = {
        .root = root, .region = storage_region_all(storage->module->module->context, bytes)};

    storage->roots.items[root].bytes = bytes;
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

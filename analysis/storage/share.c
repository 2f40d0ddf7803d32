/* Who shares storage with whom. */
#include "analysis/leaves.h"
#include "analysis/storage/storage_internal.h"

void storage_init(struct storage *storage, struct storage_module *facts,
                  struct ir_function *function, const struct storage_choice *choice)
{
    *storage = (struct storage){.module = facts, .function = function};
    if (choice)
        storage->choice = *choice;
    storage->is_building = true;
    storage_find_names(storage);
    storage_find_roots(storage);
    storage->is_building = choice != NULL; /* then the lists of roots are not whole any more */
}

void storage_finish(struct storage *storage)
{
    for (size_t i = 0; i < storage->origins.count; i++)
        array_finish(&storage->origins.items[i].reads);
    for (size_t i = 0; i < storage->roots.count; i++)
        array_finish(&storage->roots.items[i].loose);
    storage_spans_finish(&storage->spans);
    array_finish(&storage->views);
    array_finish(&storage->origins);
    array_finish(&storage->roots);
    array_finish(&storage->leaves);
    array_finish(&storage->values);
    array_finish(&storage->singletons);
    map_finish(&storage->constants);
    arena_finish(&storage->arena);
}

/* ---- places ---- */

/* Proofs are bought for as much as the function is large: beyond that nothing is known to be
 * apart. */
static bool is_apart(struct storage *storage, const struct storage_region *a,
                     const struct storage_region *b)
{
    if (!storage_region_is_easy(a, b) &&
        ++storage->proofs > (size_t)STORAGE_PROOFS * (storage->value_count + STORAGE_PROOFS))
        return false;
    return storage_region_is_apart(storage->module->module->context, a, b);
}

/* Storage that code which is not seen keeps or makes may be any other such. */
static bool is_anywhere(const struct storage_root *root)
{
    return root->kind == STORAGE_OPAQUE || root->retained_by;
}

static bool places_meet(struct storage *storage, const struct storage_place *a,
                        const struct storage_place *b)
{
    if (a->root == b->root)
        return a->root != STORAGE_ROOT_NONE && !is_apart(storage, &a->region, &b->region);
    return is_anywhere(&storage->roots.items[a->root]) &&
           is_anywhere(&storage->roots.items[b->root]);
}

bool storage_origins_meet(struct storage *storage, unsigned a, unsigned b)
{
    const struct storage_origin *x = &storage->origins.items[a], *y = &storage->origins.items[b];

    if (a == b || a == STORAGE_ANYTHING || b == STORAGE_ANYTHING)
        return a != STORAGE_NOTHING && b != STORAGE_NOTHING;
    for (unsigned i = 0; i < x->place_count; i++)
        for (unsigned k = 0; k < y->place_count; k++)
            if (places_meet(storage, &x->places[i], &y->places[k]))
                return true;
    return false;
}

bool storage_sets_meet(struct storage *storage, const struct storage_set *a,
                       const struct storage_set *b)
{
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < b->count; k++)
            if (storage_origins_meet(storage, a->items[i], b->items[k]))
                return true;
    return false;
}

static const struct storage_set *all_of(struct storage *storage, const struct ir_value *value)
{
    struct storage_sets sets = {0};

    storage_sets_of(storage, value, &sets);
    const struct storage_set *all = storage_union(storage, sets.items, sets.count);
    array_finish(&sets);
    return all;
}

/* The one place of all that @set may be, if it is known to the byte. */
static const struct storage_place *only_place(const struct storage *storage,
                                              const struct storage_set *set)
{
    const struct storage_origin *origin = &storage->origins.items[set->items[0]];
    bool is_one = set->count == 1 && origin->place_count == 1 &&
                  storage->roots.items[origin->places[0].root].kind != STORAGE_OPAQUE;

    return is_one ? &origin->places[0] : NULL;
}

/* One tensor, whatever its name: a leaf that is known to be a tensor where it comes from. */
static bool is_one_tensor(const struct storage *storage, const struct storage_set *a,
                          const struct storage_set *b)
{
    if (a->count != 1 || b->count != 1 || a->items[0] != b->items[0])
        return false;
    const struct storage_origin *origin = &storage->origins.items[a->items[0]];

    return origin->value && ir_type_is_tensor(leaf_type(origin->value->type, origin->leaf));
}

bool storage_sets_shift(struct storage *storage, const struct storage_set *a,
                        const struct storage_set *b, int64_t *out)
{
    struct ir_context *context = storage->module->module->context;
    const struct storage_place *x = only_place(storage, a), *y = only_place(storage, b);

    *out = 0;
    if (is_one_tensor(storage, a, b))
        return true;
    if (!x || !y || x->root != y->root || !x->region.offset || !y->region.offset ||
        x->region.is_around || y->region.is_around)
        return false;
    const struct ir_expr *shift =
        ir_expr_binary(context, IR_EXPR_sub, y->region.offset, x->region.offset);

    return ir_expr_constant(context, ir_simplify(context, shift), out);
}

bool storage_sets_are_same(struct storage *storage, const struct storage_set *a,
                           const struct storage_set *b)
{
    const struct storage_place *x = only_place(storage, a), *y = only_place(storage, b);

    return x && y && x->root == y->root &&
           storage_region_is_same(storage->module->module->context, &x->region, &y->region);
}

bool storage_values_meet(struct storage *storage, const struct ir_value *a,
                         const struct ir_value *b)
{
    return storage_sets_meet(storage, all_of(storage, a), all_of(storage, b));
}

bool storage_overlap(struct storage *storage, const struct ir_value *a, const struct ir_value *b,
                     const struct ir_expr **out_low, const struct ir_expr **out_high)
{
    const struct storage_place *x = only_place(storage, all_of(storage, a));
    const struct storage_place *y = only_place(storage, all_of(storage, b));

    return x && y && x->root == y->root &&
           storage_region_overlap(storage->module->module->context, &x->region, &y->region, out_low,
                                  out_high);
}

bool storage_is_own(struct storage *storage, const struct ir_value *value)
{
    struct storage_places places = {0};
    bool is_own = true;

    storage_push_places(storage, all_of(storage, value), &places);
    for (size_t i = 0; i < places.count; i++) {
        const struct storage_root *root = &storage->roots.items[places.items[i].root];

        is_own &= !root->retained_by && root->home == storage->function &&
                  (root->kind == STORAGE_ALLOCATED ||
                   (root->kind == STORAGE_PARAMETER &&
                    storage_is_donated(storage->module, root->home, root->parameter)));
    }
    array_finish(&places);
    return is_own;
}

/* ---- classes ---- */

static unsigned find(const struct storage *storage, unsigned i)
{
    while (storage->classes[i] != i) {
        storage->classes[i] = storage->classes[storage->classes[i]];
        i = storage->classes[i];
    }
    return i;
}

static void join(struct storage *storage, unsigned a, unsigned b)
{
    unsigned from = find(storage, a), to = find(storage, b);

    if (from == STORAGE_ROOT_NONE || to == STORAGE_ROOT_NONE || from == to)
        return;
    storage->classes[from] = to;
    storage->roots.items[to].is_overwritten |= storage->roots.items[from].is_overwritten;
    storage->roots.items[to].is_written |= storage->roots.items[from].is_written;
}

static void join_set(struct storage *storage, const struct storage_set *set, unsigned *with)
{
    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_origin *origin = &storage->origins.items[set->items[i]];

        for (unsigned k = 0; k < origin->place_count; k++) {
            unsigned root = origin->places[k].root;

            if (*with == STORAGE_ROOT_NONE)
                *with = root;
            join(storage, root, *with);
        }
    }
}

/* Does some leaf name ANYTHING?  Counts those that do. */
static bool names_anything(struct storage *storage)
{
    size_t count = storage->leaves.count;

    storage->unknown = arena_array(&storage->arena, unsigned, count + 1);
    for (size_t i = 0; i < count; i++)
        storage->unknown[i + 1] =
            storage->unknown[i] + (storage->leaves.items[i]->items[0] == STORAGE_ANYTHING);
    return storage->unknown[count] > 0;
}

/* All that one value may live in is one class, and so is all that code which is not seen may
 * hold. */
static void make_classes(struct storage *storage)
{
    bool is_one = names_anything(storage);

    storage->classes = arena_array(&storage->arena, unsigned, storage->roots.count);
    for (unsigned i = 0; i < storage->roots.count; i++)
        storage->classes[i] = i;
    for (unsigned i = 0; i < storage->roots.count; i++)
        if (is_one || is_anywhere(&storage->roots.items[i]))
            join(storage, i, STORAGE_ROOT_OPAQUE);
    for (size_t i = 0; i < storage->values.count; i++) {
        size_t end =
            i + 1 < storage->values.count ? storage->values.items[i + 1] : storage->leaves.count;
        unsigned with = STORAGE_ROOT_NONE;

        for (size_t leaf = storage->values.items[i]; leaf < end; leaf++)
            join_set(storage, storage->leaves.items[leaf], &with);
    }
}

/* The leaves of a value that was there are of one class: the first that has storage is enough. */
static unsigned class_of_known(struct storage *storage, const struct ir_value *value)
{
    unsigned with = STORAGE_ROOT_NONE;

    for (unsigned i = 0; with == STORAGE_ROOT_NONE && i < leaf_count(value->type); i++)
        join_set(storage, storage_leaf(storage, value, i), &with);
    return find(storage, with);
}

unsigned storage_class(struct storage *storage, const struct ir_value *value)
{
    unsigned with = STORAGE_ROOT_NONE;

    if (!storage->classes)
        make_classes(storage);
    if (!ir_value_is_inline(value))
        return class_of_known(storage, value);
    join_set(storage, all_of(storage, value), &with);
    return find(storage, with);
}

bool storage_is_shared(struct storage *storage, const struct ir_value *a, const struct ir_value *b)
{
    unsigned class = storage_class(storage, a);

    return class != STORAGE_ROOT_NONE && class == storage_class(storage, b);
}

/* What was made after the analysis may be anything. */
static bool is_known(struct storage *storage, const struct ir_value *value)
{
    unsigned count = leaf_count(value->type);

    if (ir_value_is_inline(value))
        return all_of(storage, value)->items[0] != STORAGE_ANYTHING;
    if (count > 0 && storage_leaf(storage, value, 0)->items[0] == STORAGE_ANYTHING)
        return false;
    if (!storage->classes)
        make_classes(storage);
    const unsigned *unknown = storage->unknown + (count ? storage->first_leaf[value->index] : 0);

    return unknown[count] == unknown[0];
}

bool storage_is_written(struct storage *storage, const struct ir_value *value)
{
    return !is_known(storage, value) ||
           storage->roots.items[storage_class(storage, value)].is_written;
}

bool storage_is_changed(struct storage *storage, const struct ir_value *value)
{
    return storage_is_written(storage, value) ||
           storage->roots.items[storage_class(storage, value)].is_overwritten;
}

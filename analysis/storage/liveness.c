/* Reads on paths from an op. */
#include "analysis/storage/storage_internal.h"

/* First index of the reads of @origin with a position of at least @position. */
static size_t lower_bound(const struct storage_origin *origin, unsigned position)
{
    size_t low = 0, high = origin->reads.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (origin->reads.items[middle].position < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct storage_read *storage_read_after(const struct storage *storage, unsigned origin,
                                              const struct ir_op *op)
{
    const struct storage_origin *of = &storage->origins.items[origin];
    size_t at = lower_bound(of, storage_position(storage, op) + 1);
    const struct ir_op *inner = op;

    /* the else branch of each `if` whose then branch holds @op is skipped, innermost first */
    while (at < of->reads.count && inner->block->region->owner) {
        const struct ir_op *owner = inner->block->region->owner;

        if (inner->block->region == owner->regions[0]) {
            unsigned begin = ~0U, end = storage_position(storage, owner);

            /* the branch is the stretch of positions between the end of this one and the `if` */
            if (inner->block->region->last && inner->block->region->last->last)
                begin = storage_position(storage, inner->block->region->last->last) + 1;
            if (of->reads.items[at].position >= begin && of->reads.items[at].position < end)
                at = lower_bound(of, end);
        }
        inner = owner;
    }
    return at < of->reads.count ? &of->reads.items[at] : NULL;
}

/* ---- what is in a root ---- */

/* The tree of @root whose ends are multiples of @unit; a new one where there is none. */
static struct storage_tree *tree_of(struct storage *storage, struct storage_root *root,
                                    const struct ir_expr *unit)
{
    for (unsigned i = root->trees; i > 0; i = storage->spans.trees.items[i - 1].next) {
        struct storage_tree *tree = &storage->spans.trees.items[i - 1];

        if (tree->unit == unit || (tree->unit && unit && ir_expr_equal(tree->unit, unit)))
            return tree;
    }
    array_push(&storage->spans.trees, (struct storage_tree){unit, 0, root->trees});
    root->trees = (unsigned)storage->spans.trees.count;
    return &array_last(&storage->spans.trees);
}

void storage_note_place(struct storage *storage, unsigned origin, const struct storage_place *place)
{
    const struct storage_origin *of = &storage->origins.items[origin];
    struct storage_root *root = &storage->roots.items[place->root];

    if (of->reads.count == 0)
        return; /* nobody will find a read of it */
    if (!place->region.has_span || place->region.low == place->region.high) {
        array_push(&root->loose, origin);
        return;
    }
    struct storage_tree *tree = tree_of(storage, root, place->region.unit);

    tree->top =
        storage_spans_add(&storage->spans, tree->top,
                          (struct storage_span){.low = place->region.low,
                                                .high = place->region.high,
                                                .origin = origin,
                                                .last_read = array_last(&of->reads).position + 1});
}

/* ---- the first read of what meets an origin ---- */

struct search {
    struct storage *storage;
    unsigned origin;
    const struct ir_op *op;
    const struct storage_read *read;
};

static bool visit_origin(void *state, unsigned other)
{
    struct search *search = state;
    const struct storage_read *read = storage_read_after(search->storage, other, search->op);

    if (read && storage_origins_meet(search->storage, search->origin, other))
        search->read = read;
    return search->read != NULL;
}

static bool is_over(const struct storage_origin *origin, unsigned position)
{
    return array_last(&origin->reads).position <= position;
}

/* While roots are found, who is asked about moves on in program order: origins whose reads are over are
 * forgotten, so that all questions together take linear time. */
static bool search_loose(struct search *search, struct storage_root *root)
{
    struct storage *storage = search->storage;
    unsigned position = storage_position(storage, search->op);

    for (size_t k = 0; k < root->loose.count; k++) {
        unsigned other = root->loose.items[k];

        if (!is_over(&storage->origins.items[other], position)) {
            if (visit_origin(search, other))
                return true;
        } else if (storage->is_building) {
            root->loose.items[k--] = array_last(&root->loose);
            root->loose.count--;
        }
    }
    return false;
}

/* Spans of another unit have no order with those of this one: all of them are asked about. */
static bool search_trees(struct search *search, const struct storage_root *root,
                         const struct storage_region *region)
{
    const struct storage_spans *spans = &search->storage->spans;
    unsigned position = storage_position(search->storage, search->op);

    for (unsigned i = root->trees; i > 0; i = spans->trees.items[i - 1].next) {
        struct storage_tree tree = spans->trees.items[i - 1];
        bool is_same = region->has_span &&
                       (tree.unit == region->unit ||
                        (tree.unit && region->unit && ir_expr_equal(tree.unit, region->unit)));

        if (storage_spans_find(spans, tree.top, is_same ? region->low : INT64_MIN,
                               is_same ? region->high : INT64_MAX, position, visit_origin, search))
            return true;
    }
    return false;
}

const struct storage_read *storage_place_read_after(struct storage *storage, unsigned origin,
                                                    const struct ir_op *op)
{
    struct search search = {.storage = storage, .origin = origin, .op = op};
    const struct storage_origin *of = &storage->origins.items[origin];

    if (visit_origin(&search, STORAGE_ANYTHING) || visit_origin(&search, origin))
        return search.read;
    for (unsigned i = 0; i < of->place_count; i++) {
        struct storage_root *root = &storage->roots.items[of->places[i].root];

        if (search_loose(&search, root) || search_trees(&search, root, &of->places[i].region))
            return search.read;
    }
    return NULL;
}

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

static bool is_over(const struct storage_origin *origin, unsigned position)
{
    return origin->reads.count == 0 || array_last(&origin->reads).position <= position;
}

/* While roots are found, who is asked about moves on in program order: origins whose reads are over are
 * forgotten, so that all questions together take linear time. */
static const struct storage_read *root_read_after(struct storage *storage, unsigned index,
                                                  unsigned origin, const struct ir_op *op)
{
    struct storage_root *root = &storage->roots.items[index];
    unsigned position = storage_position(storage, op);

    for (size_t k = 0; k < root->origins.count; k++) {
        unsigned other = root->origins.items[k];

        if (is_over(&storage->origins.items[other], position)) {
            if (storage->is_building) {
                root->origins.items[k--] = array_last(&root->origins);
                root->origins.count--;
            }
            continue;
        }
        const struct storage_read *read = storage_read_after(storage, other, op);

        if (read && storage_origins_meet(storage, origin, other))
            return read;
    }
    return NULL;
}

const struct storage_read *storage_place_read_after(struct storage *storage, unsigned origin,
                                                    const struct ir_op *op)
{
    const struct storage_read *read = storage_read_after(storage, STORAGE_ANYTHING, op);

    for (unsigned i = 0; !read && i < storage->origins.items[origin].place_count; i++)
        read = root_read_after(storage, storage->origins.items[origin].places[i].root, origin, op);
    return read;
}

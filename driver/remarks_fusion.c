/* Fusion: what passes said, in the order of the text. */
#include "driver/remarks.h"

#include <stdlib.h>

/* Those of one place stay in their order. */
struct ordered {
    struct remark_item item;
    size_t order;
};

static int compare(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;

    if (x->item.loc.begin != y->item.loc.begin)
        return x->item.loc.begin < y->item.loc.begin ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void remarks_of_fusion(struct driver *driver, struct remark_items *out)
{
    const struct remark_items *items = &driver->remarks->items;
    struct arena arena = {0};
    struct ordered *ordered = arena_array(&arena, struct ordered, items->count + 1);

    for (size_t i = 0; i < items->count; i++)
        ordered[i] = (struct ordered){items->items[i], i};
    if (items->count > 1)
        qsort(ordered, items->count, sizeof(*ordered), compare);
    for (size_t i = 0; i < items->count; i++)
        array_push(out, ordered[i].item);
    arena_finish(&arena);
}

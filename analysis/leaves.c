#include "analysis/leaves.h"

#include "base/assert.h"

/* The field that leaf @leaf is in: the last that begins no later, fields without leaves being passed by. */
static unsigned field_of(const struct ir_type *type, unsigned leaf)
{
    unsigned low = 0, high = type->field_count;

    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;

        if (type->leaf_offsets[middle] <= leaf)
            low = middle;
        else
            high = middle;
    }
    return low;
}

const struct ir_type *leaf_type(const struct ir_type *type, unsigned i)
{
    assert(i < type->leaf_count);
    while (type->kind == IR_TYPE_TUPLE) {
        unsigned field = type->leaf_offsets ? field_of(type, i) : i;

        i -= leaf_offset(type, field);
        type = type->fields[field];
    }
    return type;
}

unsigned leaf_offset(const struct ir_type *type, unsigned field)
{
    if (!type->leaf_offsets)
        return field;
    return field < type->field_count ? type->leaf_offsets[field] : type->leaf_count;
}

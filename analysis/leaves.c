#include "analysis/leaves.h"

#include "base/util.h"

const struct ir_type *leaf_type(const struct ir_type *type, unsigned i)
{
    if (type->kind != IR_TYPE_TUPLE)
        return type;
    for (unsigned field = 0; field < type->field_count; field++) {
        unsigned count = leaf_count(type->fields[field]);

        if (i < count)
            return leaf_type(type->fields[field], i);
        i -= count;
    }
    UNREACHABLE("leaf index past the last leaf");
}

unsigned leaf_offset(const struct ir_type *type, unsigned field)
{
    unsigned offset = 0;

    for (unsigned i = 0; i < field; i++)
        offset += leaf_count(type->fields[i]);
    return offset;
}

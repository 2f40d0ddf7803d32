#include "driver/plan_sums.h"

#include "analysis/stack_need.h"
#include "ir/arith.h"

#include <stdlib.h>

enum { PART_LIMIT = 256 };

static int compare_parts(const void *a, const void *b)
{
    const struct plan_part *x = a, *y = b;

    return (x->lower > y->lower) - (x->lower < y->lower);
}

/* Does something end in front of where the part behind @index begins?  Only such steps may have the most. */
static bool is_highest(const struct plan_part *parts, size_t count, size_t index)
{
    if (index + 1 == count)
        return true;
    for (size_t i = 0; i <= index; i++)
        if (parts[i].upper > parts[index].lower && parts[i].upper <= parts[index + 1].lower)
            return true;
    return false;
}

const struct ir_expr *plan_most(struct ir_context *context, struct plan_part *parts, size_t count)
{
    const struct ir_expr *most = ir_expr_int(context, IR_I64, 0);

    if (count > PART_LIMIT)
        return NULL;
    if (count > 1)
        qsort(parts, count, sizeof(*parts), compare_parts);
    for (size_t i = 0; i < count; i++) {
        const struct ir_expr *sum = ir_expr_int(context, IR_I64, 0);

        if (!is_highest(parts, count, i))
            continue;
        for (size_t k = 0; k <= i; k++)
            if (parts[k].upper > parts[i].lower)
                sum = stack_sum(context, sum, parts[k].bytes);
        most = stack_max(context, most, sum);
    }
    return most;
}

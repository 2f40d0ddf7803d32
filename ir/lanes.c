/*
 * Lanes of vectors: most operands have as many as the expression, some are scalars.
 *
 * Nothing else says so: code generation takes the dtype of an expression as it stands, and a vector
 * in the place of a scalar would give its first lane, silently.
 */
#include "ir/lanes.h"

#include "ir/intrinsics.h"

#include <string.h>

/* How many lanes operand @i of @e has to have; 0: any number. */
static unsigned lanes_of_call(const struct ir_expr *e, unsigned i)
{
    const struct ir_intrinsic *intrinsic = ir_intrinsic_find(e->name);

    if (strcmp(e->name, "if_then_else") == 0) /* one of the values is computed, not some of each */
        return i == 0 ? 1 : e->dtype.lanes;
    if (!intrinsic)
        return 0;
    switch (intrinsic->result) {
    case IR_RESULT_FIRST:
    case IR_RESULT_MATCH:
    case IR_RESULT_BOOL:
    case IR_RESULT_INT32:
        return e->dtype.lanes;
    default:
        return 0;
    }
}

static unsigned lanes_of_operand(const struct ir_expr *e, unsigned i)
{
    switch (e->kind) {
    case IR_EXPR_call:
        return lanes_of_call(e, i);
    case IR_EXPR_ramp:
    case IR_EXPR_broadcast:
        return 1;
    case IR_EXPR_shuffle: /* vectors, then what to take */
        return i < (unsigned)e->int_value ? 0 : 1;
    case IR_EXPR_load:
        return i + 1 < e->operand_count ? 1 : 0;
    case IR_EXPR_let:
        return i == 0 ? e->var->dtype.lanes : e->dtype.lanes;
    case IR_EXPR_select:
        return i == 0 && e->operands[0]->dtype.lanes == 1 ? 1 : e->dtype.lanes;
    default:
        return e->dtype.lanes;
    }
}

const struct ir_expr *ir_expr_lane_misfit(const struct ir_expr *e, struct ir_dtype *out_wanted)
{
    for (unsigned i = 0; i < e->operand_count; i++) {
        const struct ir_expr *operand = e->operands[i];
        unsigned lanes = lanes_of_operand(e, i);
        if (lanes == 0 || operand->dtype.lanes == 0 || operand->dtype.lanes == lanes)
            continue;
        *out_wanted = operand->dtype;
        out_wanted->lanes = (uint16_t)lanes;
        return operand;
    }
    return NULL;
}

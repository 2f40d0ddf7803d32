/* Vectors in scalar places: refused where they are written. */
#include "frontend/tvmscript/tir.h"
#include "ir/lanes.h"

static void report_lanes(struct frontend *f, struct location loc, struct ir_dtype wanted,
                         struct ir_dtype given)
{
    struct diag_message *m =
        diag_report(f->diag, loc, KERNEL_TYPE_MIX, dtype_text(f, wanted), dtype_text(f, given));

    if (wanted.lanes == 1)
        diag_help(m, "a vector stands where all of its lanes are stored: `B[i:i + %u] = ..`",
                  given.lanes);
}

bool lanes_check(struct frontend *f, struct location loc, const struct ir_expr *expr)
{
    struct ir_dtype wanted;
    const struct ir_expr *operand = ir_expr_lane_misfit(expr, &wanted);

    if (!operand)
        return true;
    report_lanes(f, operand->loc.source ? operand->loc : loc, wanted, operand->dtype);
    return false;
}

const struct ir_expr *scalar_only(struct frontend *f, const struct ast *a,
                                  const struct ir_expr *expr)
{
    if (!expr || expr->dtype.lanes <= 1)
        return expr;
    report_lanes(f, a->loc, (struct ir_dtype){expr->dtype.code, expr->dtype.bits, 1}, expr->dtype);
    return NULL;
}

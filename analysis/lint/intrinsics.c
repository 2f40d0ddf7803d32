/* Functions in kernels that are not defined for what they are given (E0681), as code generation refuses them. */
#include "ir/intrinsics.h"

#include "analysis/lint/lint.h"
#include "ir/expr.h"

#include <stdio.h>

struct check {
    struct diag *diag;
    struct location loc; /* of the statement */
};

static bool check_expr(void *state, const struct ir_expr *e)
{
    struct check *check = state;
    char name[32];

    if (e->kind != IR_EXPR_call || e->operand_count == 0 ||
        ir_intrinsic_takes(e->name, e->operands[0]->dtype))
        return true;
    struct location call = e->loc.source ? e->loc : check->loc;
    struct location place = location_argument(call, 0, NULL);
    const char *wanted = ir_intrinsic_takes(e->name, IR_F32) ? "float32" : "int32";
    struct diag_message *m = diag_report(check->diag, call, CODEGEN_INTRINSIC, e->name,
                                         ir_dtype_name(e->operands[0]->dtype, name));
    diag_help(m, "convert what it is given: `T.Cast(\"%s\", ..)`", wanted);
    if (e->loc.source && place.begin != call.begin && e->operand_count == 1) {
        char before[32];
        snprintf(before, sizeof(before), "T.Cast(\"%s\", ", wanted);
        diag_help_wrap(m, place, before, ")");
    }
    return true;
}

void lint_check_intrinsics(const struct tir_func *kernel, struct diag *diag)
{
    struct check check = {.diag = diag};

    lint_walk_exprs(kernel, check_expr, &check, &check.loc);
}

/*
 * Branches that give what the function must not return.
 *
 * The type of an `if` is what its branches have in common, so one that is provably wrong only makes the whole
 * less known: the run fails when it takes that branch.
 */
#include "analysis/lint/lint.h"

struct check {
    struct ir_function *function;
    struct diag *diag;
};

static struct ir_value *region_value(const struct ir_region *region)
{
    struct ir_op *last = region && region->last ? region->last->last : NULL;
    return last && last->operand_count ? last->operands[0].value : NULL;
}

static void report(struct check *check, const struct ir_op *branch, const struct ir_value *value)
{
    struct ir_function *function = check->function;
    struct ir_context *context = function->module->context;
    const struct location loc = value->loc.source ? value->loc
                                : value->def      ? value->def->loc
                                                  : branch->loc;
    struct diag_message *m = diag_report(check->diag, loc, GRAPH_BRANCH_RESULT,
                                         ir_type_text(context, value->type), function->name);
    diag_label(m, function->loc, "declared to return %s", ir_type_text(context, function->result));
    diag_note(m, "a run that takes this branch ends with an error");
}

/* @value becomes the function's result; @branch: of the `if` that it is chosen by. */
static void check_value(struct check *check, const struct ir_op *branch, struct ir_value *value)
{
    while (value->def && ir_op_is(value->def, IR_CORE_bind))
        value = value->def->operands[0].value;
    struct ir_op *def = value->def;
    if (def && ir_op_is(def, IR_CORE_if)) {
        for (unsigned i = 0; i < def->region_count; i++) {
            struct ir_value *given = region_value(def->regions[i]);
            if (given)
                check_value(check, def, given);
        }
    } else if (branch && value->type &&
               ir_type_check(check->function->module->context, check->function->result,
                             value->type) == IR_CHECK_FAIL_KIND) {
        report(check, branch, value);
    }
}

void lint_check_branches(struct ir_function *function, struct diag *diag)
{
    struct check check = {.function = function, .diag = diag};
    struct ir_value *result = region_value(function->body);
    if (result && function->is_result_annotated)
        check_value(&check, NULL, result);
}

/* What a function returns is of the type that callers see; of branches the one that is not. */
#include "ir/verify/internal.h"

static bool is_declared(struct verify *v, const struct ir_type *declared,
                        const struct ir_type *given)
{
    return ir_type_check(v->context, declared, given) >= IR_CHECK_FAIL_VALUE;
}

/* What is returned, or the one part of the tuple that is not what is declared. */
struct part {
    const struct ir_value *value;
    const struct ir_type *declared;
};

static struct part find_part(struct verify *v, const struct ir_value *value,
                             const struct ir_type *declared)
{
    const struct ir_op *tuple = value->def;
    struct part all = {value, declared}, found = all;
    unsigned count = 0;

    if (!tuple || !ir_op_is(tuple, IR_CORE_tuple) || declared->kind != IR_TYPE_TUPLE ||
        declared->field_count != tuple->operand_count)
        return all;
    for (unsigned i = 0; i < declared->field_count; i++)
        if (!is_declared(v, declared->fields[i], tuple->operands[i].value->type)) {
            found = (struct part){tuple->operands[i].value, declared->fields[i]};
            count++;
        }
    return count == 1 ? found : all;
}

/* What ends branch @i; NULL: nothing. */
static const struct ir_op *end_of(const struct ir_op *branches, unsigned i)
{
    const struct ir_region *region = branches->regions[i];
    const struct ir_op *last = region && region->last ? region->last->last : NULL;

    return last && last->operand_count ? last : NULL;
}

static struct location place_of(const struct ir_op *end)
{
    return end->loc.source ? end->loc : end->operands[0].value->loc;
}

/* Of two branches, one gives what is declared: marks the other one.  False: nothing is said. */
static bool report_branch(struct verify *v, const struct ir_function *function, struct part part)
{
    const struct ir_op *branches = part.value->def;

    while (branches && ir_op_is(branches, IR_CORE_bind))
        branches = branches->operands[0].value->def;
    if (!branches || !ir_op_is(branches, IR_CORE_if) || branches->region_count != 2)
        return false;
    const struct ir_op *first = end_of(branches, 0), *second = end_of(branches, 1);
    if (!first || !second)
        return false;
    bool is_first = is_declared(v, part.declared, first->operands[0].value->type);
    bool is_second = is_declared(v, part.declared, second->operands[0].value->type);
    if (is_first == is_second)
        return false;
    const struct ir_op *wrong = is_first ? second : first, *right = is_first ? first : second;
    const char *text = ir_type_text(v->context, wrong->operands[0].value->type);
    struct diag_message *m =
        diag_report(v->diag, place_of(wrong), TYPE_RETURN, function->name,
                    arena_printf(&v->context->arena, "%s from this branch", text),
                    ir_type_text(v->context, part.declared));
    diag_label(m, place_of(right), "%s", ir_type_text(v->context, right->operands[0].value->type));
    return true;
}

void verify_report_result(struct verify *v, const struct ir_function *function,
                          const struct ir_op *end)
{
    const struct ir_value *value = end->operands[0].value;

    if (!report_branch(v, function, find_part(v, value, function->result)))
        diag_report(v->diag, end->loc, TYPE_RETURN, function->name,
                    ir_type_text(v->context, value->type),
                    ir_type_text(v->context, function->result));
    v->is_fine = false;
}

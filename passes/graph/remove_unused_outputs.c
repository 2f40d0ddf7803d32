/*
 * RemoveUnusedOutputs: private functions that return a tuple lose the fields that no call reads.
 *
 *     def f(x): ..; return (a, b)      t = f(x); y = t[1]
 *  =>
 *     def f(x): ..; return b           y = f(x)
 *
 * What computes a is left to DeadCodeElimination.  A result that is used as a whole needs all fields; so
 * do functions that are used as values.  A function of which nothing is read is left alone: it is called
 * for its effect, or not at all.
 */
#include "ir/build.h"
#include "ir/edit/callees.h"
#include "ir/edit/rewrite.h"
#include "passes/pass.h"

/* Marks the fields that are read of the result of @call; false if it is used as a whole. */
static bool mark_fields(const struct ir_op *call, bool *is_read)
{
    ir_for_each_use (use, &call->result) {
        const struct ir_op *user = use->user;

        if (ir_op_is(user, IR_CORE_tuple_get))
            is_read[ir_op_attr(user, "index")->integer] = true;
        else if (!ir_op_is(user, IR_CORE_output))
            return false;
    }
    return true;
}

/* Has @call the type that its callee gives it, and not one that the script made less known? */
static bool is_as_inferred(struct pass_run *run, struct ir_op *call)
{
    const struct ir_type *type = call->result.type;
    bool is_same = ir_op_infer(run->module, run->diag, call) && call->result.type == type;

    call->result.type = type;
    return is_same;
}

/* How many fields are read, 0 if all must stay; *@is_read says which. */
static unsigned count_read(struct pass_run *run, const struct callee *callee, bool *is_read)
{
    const struct ir_type *result = callee->global->function->result;
    unsigned count = 0;

    for (size_t i = 0; i < callee->calls.count; i++) {
        struct ir_op *call = callee->calls.items[i];

        if (call->result.type->kind != IR_TYPE_TUPLE || !is_as_inferred(run, call) ||
            call->result.type->field_count != result->field_count || !mark_fields(call, is_read))
            return 0;
    }
    for (unsigned i = 0; i < result->field_count; i++)
        count += is_read[i];
    return count == result->field_count ? 0 : count;
}

/* ---- the change ---- */

static bool change_return(struct pass_run *run, struct ir_op *end, const bool *is_read,
                          unsigned count)
{
    struct ir_value *tuple = end->operands[0].value;
    const struct ir_type *type = tuple->type;
    struct ir_value **fields = arena_array(&run->scratch, struct ir_value *, count + 1);
    struct ir_builder b = {.module = run->module,
                           .diag = run->diag,
                           .block = end->block,
                           .before = end,
                           .loc = end->loc};
    unsigned kept = 0;

    for (unsigned i = 0; i < type->field_count; i++) {
        if (!is_read[i])
            continue;
        struct ir_value *field = ir_build_tuple_get(&b, tuple, i);
        if (!field)
            return false;
        if (field->def && field->def->block && field->def->block != end->block)
            rewrite_make_visible(run->module, field);
        fields[kept++] = field;
    }
    ir_op_set_operand(end, 0, count == 1 ? fields[0] : ir_inline_tuple(run->module, fields, count));
    return ir_op_infer(run->module, run->diag, end);
}

static bool change_call(struct pass_run *run, struct ir_op *call, const int *places, unsigned count)
{
    array(struct ir_op *) gets = {0};

    if (!ir_op_infer(run->module, run->diag, call))
        return false;
    ir_for_each_use (use, &call->result)
        if (ir_op_is(use->user, IR_CORE_tuple_get))
            array_push(&gets, use->user);
    for (size_t i = 0; i < gets.count; i++) {
        struct ir_op *get = gets.items[i];
        int64_t index = ir_op_attr(get, "index")->integer;

        if (count > 1) {
            ir_op_set_attr(get, "index", ir_attr_int(run->module->context, places[index]));
            continue;
        }
        call->result.name = get->result.name;
        rewrite_replace(run->module, get, &call->result);
    }
    array_finish(&gets);
    return true;
}

static bool change(struct pass_run *run, struct callee *callee, const bool *is_read, unsigned count)
{
    struct ir_function *function = callee->global->function;
    struct ir_module *module = run->module;
    const struct ir_type *result = function->result;
    const struct ir_type **fields = arena_array(&run->scratch, const struct ir_type *, count + 1);
    int *places = arena_array(&run->scratch, int, result->field_count);
    unsigned kept = 0;

    for (unsigned i = 0; i < result->field_count; i++) {
        places[i] = (int)kept;
        if (is_read[i])
            fields[kept++] = result->fields[i];
    }
    if (!change_return(run, function->body->last->last, is_read, count))
        return false;
    function->result = count == 1 ? fields[0] : ir_type_tuple(module->context, fields, count);
    callee_update_type(callee->global);
    for (size_t i = 0; i < callee->calls.count; i++)
        if (!change_call(run, callee->calls.items[i], places, count))
            return false;
    return true;
}

enum pass_result pass_remove_unused_outputs(struct pass_run *run)
{
    struct callees callees = {0};
    bool is_changed = false, is_fine = true;

    callees_find(run->module, false, &callees);
    for (size_t i = 0; i < callees.count; i++) {
        struct callee *callee = &callees.items[i];
        const struct ir_function *function = callee->global->function;
        const struct ir_op *end = function->body->last->last;

        if (callee->is_value || function->result->kind != IR_TYPE_TUPLE ||
            end->operands[0].value->type->kind != IR_TYPE_TUPLE)
            continue;
        bool *is_read = arena_array(&run->scratch, bool, function->result->field_count + 1);
        unsigned count = count_read(run, callee, is_read);
        if (count == 0)
            continue;
        is_fine &= change(run, callee, is_read, count);
        is_changed = true;
    }
    callees_finish(&callees);
    if (!is_fine)
        return PASS_FAILED;
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

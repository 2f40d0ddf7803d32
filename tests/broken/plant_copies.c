/*
 * Copies that protect a value are taken out: what an analysis that overlooks why they are needed
 * would do.
 */
#include "ir/contract.h"
#include "ops/ids.h"
#include "tests/broken/plant.h"

#include <string.h>

/* A copy and the call for which it was made. */
struct site {
    struct planter *p;
    struct ir_op *copy, *call;
    struct ir_value *value; /* that is copied */
    plant_names names;      /* of its storage */
};

static bool is_parameter(const struct ir_value *value)
{
    return value->parameter_of != NULL;
}

static bool is_constant(const struct ir_value *value)
{
    return value->def && ir_op_is_inline(value->def) && ir_op_is(value->def, IR_CORE_constant);
}

static bool is_opaque(const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;

    return (op->info->traits & IR_OPAQUE && (!callee || callee->kind == IR_GLOBAL_EXTERN)) ||
           ir_op_is(op, IR_CORE_call_dps_packed);
}

/* What a call of code outside has to do with @value, as its result or as operand @operand (-1: as the former). */
static const char *of_call(const struct ir_op *op, int64_t operand)
{
    struct ir_contract contract = ir_contract_of(op);
    struct ir_contract_places places = ir_contract_result(&contract, 0);

    if (!is_opaque(op) || (contract.attr && operand >= 0 && operand < contract.first))
        return NULL;
    if (!contract.attr || (operand < 0 && places.is_unknown))
        return "opaque_retains";
    if (operand >= 0 && ir_contract_retains(&contract, (unsigned)operand - contract.first))
        return "contract_retains";
    if (operand < 0 && ir_op_is(op, IR_CORE_call_dps_packed) &&
        ir_contract_retains(&contract, op->operand_count - contract.first))
        return "contract_retains";
    for (unsigned i = 0; i < places.count; i++)
        if (operand < 0 ? places.items[i]->integer >= 0
                        : places.items[i]->integer == operand - contract.first)
            return "contract_aliases";
    return NULL;
}

static const char *of_opaque(const struct ir_value *value)
{
    const char *why = value->def && !ir_op_is_inline(value->def) ? of_call(value->def, -1) : NULL;

    ir_for_each_use (use, value)
        if (!why)
            why = use->user->block              ? of_call(use->user, use - use->user->operands)
                  : is_opaque(ir_use_root(use)) ? "opaque_retains"
                                                : NULL;
    return why;
}

static const char *name_of_bonds(unsigned bonds)
{
    return bonds & BOND_OBJECT   ? "object_first_leaf"
           : bonds & BOND_REGION ? "regions_apart"
           : bonds & BOND_CALL   ? "callee_returns"
           : bonds & BOND_IF     ? "join_forgotten"
           : bonds & BOND_FIELD  ? "fields_ignored"
           : bonds & BOND_VIEW   ? "views_ignored"
           : bonds & BOND_CAST   ? "cast_ends_life"
           : bonds & BOND_RENAME ? "renames_ignored"
                                 : NULL;
}

/* Another operand of the call that lies in the storage: is it a result, too? */
static const char *of_operands(const struct site *s)
{
    const struct ir_attr *indices = ir_op_attr(s->call, "inplace_indices");

    for (unsigned i = 0; i < s->call->operand_count; i++) {
        bool is_target = false;

        for (unsigned k = 0; k < indices->count; k++)
            is_target |= indices->items[k]->integer == (int64_t)i;
        for (size_t k = 0; k < s->names.count; k++)
            if (s->names.items[k].value == s->call->operands[i].value)
                return is_target ? "duplicate_output" : "operand_elsewhere";
    }
    return NULL;
}

/* What is read behind the call. */
static const char *of_reads(const struct site *s)
{
    for (size_t i = 0; i < s->names.count; i++) {
        const struct plant_name *name = &s->names.items[i];

        ir_for_each_use (use, name->value) {
            const struct ir_op *user = ir_use_root(use);
            const char *bonds = name_of_bonds(name->bonds);

            if (plant_order(s->p, user) <= plant_order(s->p, s->call) || !plant_reads(user))
                continue;
            if (bonds)
                return bonds;
            return ir_op_is(user, IR_CORE_return) ? "output_dead" : "later_read";
        }
    }
    return NULL;
}

static const char *reason(const struct site *s)
{
    const char *why = NULL;

    if (ir_op_is(s->call, IR_CORE_call))
        return "callee_overwrites";
    for (size_t i = 0; i < s->names.count; i++) {
        const struct plant_name *name = &s->names.items[i];
        const struct ir_function *home = name->value->def && name->value->def->block
                                             ? ir_op_function(name->value->def)
                                             : name->value->parameter_of;

        if (home && home != ir_op_function(s->call))
            return "captured";
        if (is_constant(name->value))
            return "constant";
        if (of_opaque(name->value))
            return of_opaque(name->value);
        if (is_parameter(name->value))
            why =
                name->bonds & (BOND_IF | BOND_CALL) ? name_of_bonds(name->bonds) : "borrowed_input";
    }
    if (!why)
        why = of_operands(s);
    return why ? why : of_reads(s);
}

/* The only user of a copy, if it may overwrite it. */
static struct ir_op *updater(const struct ir_op *copy)
{
    const struct ir_use *use = copy->result.uses;
    struct ir_op *user = use && !use->next ? ir_use_root(use) : NULL;
    const struct ir_global *callee = user ? ir_op_callee(user) : NULL;

    if (!user || use->user != user)
        return NULL;
    if (ir_op_is(user, IR_CORE_call) && callee && callee->kind == IR_GLOBAL_FUNCTION)
        return user;
    return ir_op_is(user, IR_CORE_call_tir_inplace) || ir_op_is(user, IR_CORE_call_inplace_packed)
               ? user
               : NULL;
}

static void take_out(const struct site *s)
{
    for (unsigned i = 0; i < s->call->operand_count; i++)
        if (s->call->operands[i].value == &s->copy->result)
            ir_op_set_operand(s->call, i, ir_inline_copy(s->p->run->module, s->value));
    ir_op_erase(s->copy);
}

static void visit(struct planter *p, struct ir_op *op)
{
    struct site s = {.p = p, .copy = op};

    if (!op_is(op, OP_copy) || !(s.call = updater(op)))
        return;
    s.value = op->operands[0].value;
    plant_names_of(s.value, false, &s.names);
    const char *why = reason(&s);
    if (why && strcmp(why, p->bug) == 0 && plant_here(p))
        take_out(&s);
    array_finish(&s.names);
}

void plant_copies(struct planter *p)
{
    plant_walk(p, visit);
}

#include "ir/contract.h"

#include <string.h>

static bool takes_symbol(const struct ir_op *op)
{
    return ir_op_is(op, IR_CORE_call_packed) || ir_op_is(op, IR_CORE_call_pure_packed) ||
           ir_op_is(op, IR_CORE_call_inplace_packed) || ir_op_is(op, IR_CORE_call_dps_packed);
}

/* The symbol that an operand is, where it is one of an extern function. */
static const char *symbol_of(const struct ir_value *value)
{
    const struct ir_op *def = value->def;

    if (def && ir_op_is(def, IR_CORE_extern_func))
        return ir_op_attr(def, "symbol")->string;
    if (def && ir_op_is(def, IR_CORE_global)) {
        const struct ir_global *global = ir_op_attr(def, "callee")->global;

        return global->kind == IR_GLOBAL_EXTERN ? global->symbol : NULL;
    }
    return NULL;
}

struct ir_contract ir_contract_of(const struct ir_op *op)
{
    struct ir_contract contract = {0};

    if (takes_symbol(op)) {
        const struct ir_attr *func = ir_op_attr(op, "func");

        if (func->kind == IR_ATTR_STRING) {
            contract.symbol = func->string;
        } else {
            contract.first = 1;
            contract.symbol = op->operand_count ? symbol_of(op->operands[0].value) : NULL;
        }
    } else if (ir_op_is(op, IR_CORE_call)) {
        const struct ir_global *callee = ir_op_callee(op);

        if (callee && callee->kind == IR_GLOBAL_EXTERN)
            contract.symbol = callee->symbol;
    }
    if (contract.symbol)
        contract.attr = ir_module_contract(ir_op_function(op)->module, contract.symbol);
    return contract;
}

const struct ir_attr *ir_module_contract(const struct ir_module *module, const char *symbol)
{
    const struct ir_attr *all = ir_attr_dict_get(module->attrs, "relax.contracts");
    const struct ir_attr *found =
        all && all->kind == IR_ATTR_DICT ? ir_attr_dict_get(all, symbol) : NULL;

    return found && found->kind == IR_ATTR_DICT ? found : NULL;
}

static bool lists(const struct ir_attr *list, unsigned argument)
{
    for (unsigned i = 0; list && list->kind == IR_ATTR_LIST && i < list->count; i++)
        if (list->items[i]->kind == IR_ATTR_INT && list->items[i]->integer == (int64_t)argument)
            return true;
    return false;
}

bool ir_contract_reads(const struct ir_contract *contract, unsigned argument)
{
    const struct ir_attr *list = ir_attr_dict_get(contract->attr, "reads");

    return !list || lists(list, argument);
}

bool ir_contract_mutates(const struct ir_contract *contract, unsigned argument)
{
    return !contract->attr || lists(ir_attr_dict_get(contract->attr, "mutates"), argument);
}

bool ir_contract_retains(const struct ir_contract *contract, unsigned argument)
{
    return !contract->attr || lists(ir_attr_dict_get(contract->attr, "retains"), argument);
}

bool ir_contract_uses(const struct ir_contract *contract, unsigned argument)
{
    const struct ir_attr *aliases = ir_attr_dict_get(contract->attr, "aliases");
    bool is_shown = false;

    for (unsigned i = 0; aliases && i < aliases->count; i++)
        is_shown |= lists(aliases->items[i], argument);
    return is_shown || ir_contract_reads(contract, argument) ||
           ir_contract_mutates(contract, argument) || ir_contract_retains(contract, argument);
}

static bool is_some(const struct ir_contract *contract, const char *key)
{
    const struct ir_attr *list = ir_attr_dict_get(contract->attr, key);

    return !contract->attr || (list && list->count > 0);
}

bool ir_contract_mutates_any(const struct ir_contract *contract)
{
    return is_some(contract, "mutates");
}

bool ir_contract_retains_any(const struct ir_contract *contract)
{
    return is_some(contract, "retains");
}

struct ir_contract_places ir_contract_result(const struct ir_contract *contract, unsigned leaf)
{
    const struct ir_attr *aliases = ir_attr_dict_get(contract->attr, "aliases");
    struct ir_contract_places places = {.is_unknown = !contract->attr};

    if (!aliases || leaf >= aliases->count)
        return places;
    if (aliases->items[leaf]->kind == IR_ATTR_LIST) {
        places.count = aliases->items[leaf]->count;
        places.items = aliases->items[leaf]->items;
    } else {
        places.is_unknown = true;
    }
    return places;
}

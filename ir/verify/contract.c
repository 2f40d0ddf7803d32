/*
 * Contracts: their form, whether they contradict themselves, and the calls against them.
 */
#include "ir/contract.h"

#include "ir/verify/internal.h"

#include <string.h>

static const char *const keys[] = {"reads", "mutates", "retains", "aliases"};

/* The contract in work. */
struct form {
    struct verify *v;
    const char *symbol;
    const struct ir_attr *attr;
    const char *key; /* of the dict that is looked at; NULL: none */
};

/* "symbol": {"key": ..}: where the key stands; all attributes if it is not found. */
static struct location place_of(const struct form *form)
{
    struct location all = form->v->module->attrs_loc;
    const char *symbol = arena_printf(&form->v->arena, "\"%s\"", form->symbol);
    struct location contract = location_text_behind(all, symbol);

    if (!all.source || contract.end > all.end)
        return all;
    if (!form->key)
        return contract;
    struct location key =
        location_text_behind(contract, arena_printf(&form->v->arena, "\"%s\"", form->key));
    return key.begin > contract.begin && contract.begin > all.begin && key.end < all.end ? key
                                                                                         : all;
}

static struct diag_message *report_at(struct form *form, struct location place, const char *what)
{
    form->v->is_fine = false;
    return diag_report(form->v->diag, place, CONTRACT, form->symbol, what);
}

static struct diag_message *report_form(struct form *form, const char *what)
{
    return report_at(form, place_of(form), what);
}

/* Item @index of the list behind the key; the key if it is not found. */
static struct location item_place(const struct form *form, unsigned index)
{
    struct location key = place_of(form);
    struct location open = location_text_behind(location_behind(key), "[");
    struct location end = location_text_behind(open, "]");

    if (!key.source || open.begin == open.end || end.end > form->v->module->attrs_loc.end)
        return key;
    struct location list = location_join(open, end), item = location_argument(list, index, NULL);
    return item.begin == list.begin ? key : item;
}

/* What the keys are called elsewhere. */
static const char *const words[][2] = {
    {"writes", "mutates"}, {"write", "mutates"}, {"modifies", "mutates"}, {"keeps", "retains"}};

static void report_key(struct form *form)
{
    struct location place = place_of(form);
    struct diag_message *m =
        report_form(form, arena_printf(&form->v->arena, "there is no key `%s`", form->key));
    struct text_nearest nearest = text_nearest_to(form->key);

    for (unsigned i = 0; i < ARRAY_SIZE(keys); i++)
        text_nearest_offer(&nearest, keys[i]);
    for (unsigned i = 0; i < ARRAY_SIZE(words); i++)
        if (strcmp(form->key, words[i][0]) == 0)
            nearest.found = words[i][1];
    diag_help(m, "the keys are reads, mutates, retains and aliases");
    if (nearest.found && place.begin != form->v->module->attrs_loc.begin)
        diag_help_edit(m, place, "\"%s\"", nearest.found);
}

/* The number behind the key of @form, where a list of it is meant; nowhere if something else stands there. */
static struct location number_of(const struct form *form)
{
    struct location place = place_of(form);
    const char *text = place.source ? place.source->text : "";

    if (!place.source || place.begin == form->v->module->attrs_loc.begin)
        return (struct location){0};
    place.begin = place.end + (uint32_t)strspn(text + place.end, ": ");
    place.end = place.begin + (uint32_t)strspn(text + place.begin, "0123456789");
    return place;
}

/* ---- lists of arguments ---- */

static bool has_before(const struct ir_attr *list, unsigned end, int64_t argument)
{
    for (unsigned i = 0; i < end; i++)
        if (list->items[i]->kind == IR_ATTR_INT && list->items[i]->integer == argument)
            return true;
    return false;
}

static void check_list(struct form *form, const char *key, const struct ir_attr *list,
                       int64_t lowest)
{
    if (list->kind != IR_ATTR_LIST) {
        struct diag_message *m =
            report_form(form, arena_printf(&form->v->arena, "%s`%s` is no list of arguments",
                                           lowest < 0 ? "an item of " : "", key));
        struct location number = number_of(form);
        diag_help(m, "arguments are numbers and count from 0: `\"%s\": [%s0%s]`", key,
                  lowest < 0 ? "[" : "", lowest < 0 ? "]" : "");
        if (lowest == 0 && list->kind == IR_ATTR_INT && number.end > number.begin)
            diag_help_wrap(m, number, "[", "]");
        return;
    }
    for (unsigned i = 0; i < list->count; i++) {
        const struct ir_attr *item = list->items[i];
        struct location place = lowest < 0 ? place_of(form) : item_place(form, i);

        if (item->kind != IR_ATTR_INT)
            report_at(form, place,
                      arena_printf(&form->v->arena, "an item of `%s` is no number", key));
        else if (item->integer < lowest)
            report_at(form, place,
                      arena_printf(&form->v->arena,
                                   "`%s` names argument %lld; arguments count from 0", key,
                                   (long long)item->integer));
        else if (has_before(list, i, item->integer))
            report_at(form, place,
                      arena_printf(&form->v->arena, "`%s` names %lld twice", key,
                                   (long long)item->integer));
    }
}

/* What a result may lie in must have a part in the call. */
static void check_shown(struct form *form, const struct ir_attr *places)
{
    const struct ir_attr *bare[3];

    for (unsigned i = 0; i < ARRAY_SIZE(bare); i++)
        bare[i] = ir_attr_dict_get(form->attr, keys[i]);
    for (unsigned i = 0; bare[0] && places->kind == IR_ATTR_LIST && i < places->count; i++) {
        bool is_named = places->items[i]->kind != IR_ATTR_INT || places->items[i]->integer < 0;

        for (unsigned k = 0; k < ARRAY_SIZE(bare) && !is_named; k++)
            is_named = bare[k] && bare[k]->kind == IR_ATTR_LIST &&
                       has_before(bare[k], bare[k]->count, places->items[i]->integer);
        if (is_named)
            continue;
        const char *what =
            arena_printf(&form->v->arena,
                         "a result may lie in argument %lld, which it neither reads nor writes "
                         "nor retains",
                         (long long)places->items[i]->integer);
        diag_help(report_form(form, what), "who has the result reads the argument: `\"reads\"`");
    }
}

static void check_aliases(struct form *form, const struct ir_attr *aliases)
{
    if (aliases->kind != IR_ATTR_LIST) {
        diag_help(report_form(form, "`aliases` is no list"),
                  "it has an item for each result: a list of arguments, with -1 for new storage, "
                  "or None");
        return;
    }
    for (unsigned i = 0; i < aliases->count; i++) {
        if (aliases->items[i]->kind == IR_ATTR_NONE)
            continue;
        check_list(form, "aliases", aliases->items[i], -1);
        check_shown(form, aliases->items[i]);
    }
}

static void check_form(struct form *form)
{
    if (form->attr->kind != IR_ATTR_DICT) {
        diag_help(report_form(form, "it is no dict"),
                  "it says what the function does: `{\"reads\": [0], \"mutates\": [1]}`");
        return;
    }
    for (unsigned i = 0; i < form->attr->count; i++) {
        const char *key = form->attr->keys[i];
        unsigned known = 0;
        form->key = key;

        while (known < ARRAY_SIZE(keys) && strcmp(key, keys[known]) != 0)
            known++;
        if (known == ARRAY_SIZE(keys))
            report_key(form);
        else if (form->attr->items[i] != ir_attr_dict_get(form->attr, key))
            report_form(form, arena_printf(&form->v->arena, "it has `%s` twice", key));
        else if (strcmp(key, "aliases") == 0)
            check_aliases(form, form->attr->items[i]);
        else
            check_list(form, key, form->attr->items[i], 0);
    }
    form->key = NULL;
}

void verify_contracts(struct verify *v)
{
    const struct ir_attr *all = ir_attr_dict_get(v->module->attrs, "relax.contracts");
    struct map met = {0};

    if (all && all->kind != IR_ATTR_DICT) {
        struct form form = {v, "relax.contracts", NULL, NULL};

        diag_help(report_form(&form, "it is no dict"), "its keys are the symbols of functions");
        return;
    }
    for (unsigned i = 0; all && i < all->count; i++) {
        struct form form = {v, all->keys[i], all->items[i], NULL};

        check_form(&form);
        if (map_has(&met, all->keys[i]))
            report_form(&form, "it has two");
        map_set(&met, all->keys[i], (void *)(uintptr_t)all->keys[i]);
    }
    map_finish(&met);
}

/* ---- calls ---- */

struct call {
    struct verify *v;
    struct ir_op *op;
    struct ir_contract contract;
    unsigned given; /* arguments, results of call_dps_packed included */
};

static unsigned leaves(const struct ir_type *type)
{
    unsigned count = 0;

    if (type->kind != IR_TYPE_TUPLE)
        return 1;
    for (unsigned i = 0; i < type->field_count; i++)
        count += leaves(type->fields[i]);
    return count;
}

static struct diag_message *report_call(struct call *call, const char *what)
{
    struct diag_message *m =
        diag_report(call->v->diag, call->op->loc, CONTRACT_CALL, call->contract.symbol, what);

    if (call->v->module->attrs_loc.source)
        diag_label(m, call->v->module->attrs_loc, "the contract");
    call->v->is_fine = false;
    return m;
}

/* The largest number in a list, or in its lists. */
static int64_t largest(const struct ir_attr *list)
{
    int64_t most = -1;

    for (unsigned i = 0; list->kind == IR_ATTR_LIST && i < list->count; i++) {
        int64_t item =
            list->items[i]->kind == IR_ATTR_INT ? list->items[i]->integer : largest(list->items[i]);

        most = item > most ? item : most;
    }
    return most;
}

static bool check_range(struct call *call)
{
    for (unsigned i = 0; i < call->contract.attr->count; i++) {
        int64_t most = largest(call->contract.attr->items[i]);

        if (most < (int64_t)call->given)
            continue;
        report_call(call,
                    arena_printf(&call->v->arena, "it names argument %lld, and the call gives %u",
                                 (long long)most, call->given));
        return false;
    }
    return true;
}

static bool holds_storage(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR || type->kind == IR_TYPE_ANY || type->kind == IR_TYPE_TUPLE;
}

/* May the function write argument @i where the call gives it? */
static void check_mutated(struct call *call, unsigned i)
{
    const struct ir_op *op = call->op;
    unsigned operand = i + call->contract.first;
    bool is_result = operand >= op->operand_count; /* of call_dps_packed, for it to be written */

    if (is_result || !ir_contract_mutates(&call->contract, i))
        return;
    if (!holds_storage(op->operands[operand].value->type))
        report_call(
            call, arena_printf(&call->v->arena, "it writes argument %u, which has no elements", i));
    else if (ir_op_is(op, IR_CORE_call_inplace_packed) &&
             !has_before(ir_op_attr(op, "inplace_indices"),
                         ir_op_attr(op, "inplace_indices")->count, i))
        diag_help(report_call(call, arena_printf(&call->v->arena,
                                                 "it writes argument %u, which is not in "
                                                 "inplace_indices",
                                                 i)),
                  "add it, and take what it becomes as a result");
    else if (!ir_op_is(op, IR_CORE_call_inplace_packed) && ir_op_is_pure(op))
        diag_help(report_call(call, arena_printf(&call->v->arena,
                                                 "it writes argument %u, and the call promises no "
                                                 "effect",
                                                 i)),
                  "`R.call_packed` has an effect; `R.call_inplace_packed` gives the argument back "
                  "as a result");
}

/* What the call names as in place the function must write. */
static void check_inplace(struct call *call)
{
    const struct ir_attr *indices = ir_op_is(call->op, IR_CORE_call_inplace_packed)
                                        ? ir_op_attr(call->op, "inplace_indices")
                                        : NULL;

    for (unsigned i = 0; indices && i < indices->count; i++) {
        int64_t argument = indices->items[i]->integer;

        if (argument >= 0 && !ir_contract_mutates(&call->contract, (unsigned)argument))
            diag_help(report_call(call, arena_printf(&call->v->arena,
                                                     "output %u takes the place of argument %lld, "
                                                     "which it does not write",
                                                     i, (long long)argument)),
                      "add the argument to `\"mutates\"`, if the function writes it");
    }
}

static void check_results(struct call *call)
{
    const struct ir_attr *aliases = ir_attr_dict_get(call->contract.attr, "aliases");
    unsigned results = leaves(call->op->result.type);

    if (aliases && aliases->count > results && !ir_type_is_void(call->op->result.type))
        report_call(call, arena_printf(&call->v->arena,
                                       "`aliases` speaks of %u results, and the call has %u",
                                       aliases->count, results));
}

void verify_contract_call(struct verify *v, struct ir_op *op)
{
    struct call call = {.v = v, .op = op, .contract = ir_contract_of(op)};

    if (!call.contract.attr || op->operand_count < call.contract.first)
        return;
    call.given = op->operand_count - call.contract.first;
    if (ir_op_is(op, IR_CORE_call_dps_packed))
        call.given += leaves(op->result.type);
    if (!check_range(&call))
        return;
    for (unsigned i = 0; i < call.given; i++)
        check_mutated(&call, i);
    check_inplace(&call);
    check_results(&call);
}

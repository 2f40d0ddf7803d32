/* The in-place decisions of a module: functions bottom-up, checks. */
#include "analysis/inplace_internal.h"
#include "analysis/leaves.h"
#include "base/text.h"
#include "ir/capacity.h"
#include "ir/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the analysis ---- */

struct analysis {
    struct storage_module facts;
    enum inplace_mode mode;
    bool is_discovery;              /* of calls that ask for nothing, the others being obeyed */
    struct inplace_candidates *out; /* NULL: only summaries are wanted */
};

/* May operand @argument be in the storage of another one that @call asks for, but for @output? */
static bool is_shared(struct storage *storage, const struct ir_op *call, unsigned argument,
                      int output)
{
    const struct ir_attr *indices =
        ir_op_is(call, IR_CORE_call_tir_inplace) ? ir_op_attr(call, "inplace_indices") : NULL;

    for (unsigned i = 0; indices && i < indices->count; i++) {
        int64_t other = indices->items[i]->integer;

        if ((int)i != output && other >= 0 && other != (int64_t)argument &&
            storage_sets_meet(storage, storage->call.operands[argument],
                              storage->call.operands[other]))
            return true;
    }
    return false;
}

bool inplace_has_order(struct storage *storage, const struct ir_op *call, int output)
{
    for (unsigned i = 0; i < call->operand_count; i++)
        if (is_shared(storage, call, i, output))
            return true;
    return false;
}

static void add(struct analysis *analysis, struct storage *storage, struct ir_op *call,
                unsigned argument, int output, const struct inplace_conflict *conflict)
{
    struct inplace_candidate candidate = {
        .call = call,
        .is_shared = is_shared(storage, call, argument, -1),
        .reader = conflict->reader,
        .is_recursive = storage_is_recursive(storage->module, storage->function),
        .turn = conflict->code == IP_OPERAND && !inplace_has_order(storage, call, output)
                    ? conflict->turn
                    : NULL,
        .decision = inplace_decision_of(storage, call, argument, output, conflict,
                                        analysis->out->has_calls)};

    candidate.decision.is_found = analysis->is_discovery;
    if (analysis->is_discovery && conflict->code != IP_PROVED)
        candidate.decision.verdict = INPLACE_FRESH;
    array_push(analysis->out, candidate);
}

static bool decide(void *state, struct storage *storage, struct ir_op *call, unsigned argument,
                   int output)
{
    struct analysis *analysis = state;
    struct inplace_conflict conflict =
        inplace_judge(storage, analysis->mode, call, argument, output);

    if (analysis->out && !analysis->is_discovery)
        add(analysis, storage, call, argument, output, &conflict);
    return conflict.code == IP_PROVED;
}

/* Is operand @i the first of the call with this value? */
static bool is_first_of_its_value(const struct ir_op *call, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (call->operands[k].value == call->operands[i].value)
            return false;
    return true;
}

/* What was found on one output: the operand that came closest, and texts of the others. */
struct attempt {
    bool is_any;
    unsigned argument;
    struct inplace_conflict conflict;
    struct text others;
};

static void put_other(struct attempt *attempt, const struct ir_op *call, unsigned argument,
                      enum inplace_code code)
{
    text_puts(&attempt->others, attempt->others.length ? ", `" : "`");
    ir_value_print(call->operands[argument].value, &attempt->others);
    text_printf(&attempt->others, "` (IP%03d)", code);
}

static void add_attempt(struct analysis *analysis, struct storage *storage, struct ir_op *call,
                        int output, struct attempt *attempt)
{
    struct atoms *atoms = &storage->module->module->context->atoms;

    add(analysis, storage, call, attempt->argument, output, &attempt->conflict);
    if (attempt->others.length)
        array_last(analysis->out).decision.others =
            atom_intern_text(atoms, text_string(&attempt->others));
}

/* Tries the operands that fit as @fit says; true if one may be taken over: that of @attempt. */
static bool try_operands(struct analysis *analysis, struct storage *storage, struct ir_op *call,
                         int output, enum inplace_fit fit, struct attempt *attempt)
{
    for (unsigned i = 0; i < call->operand_count; i++) {
        if (!is_first_of_its_value(call, i) || inplace_fit_of(storage, call, i, output) != fit)
            continue;
        struct inplace_conflict conflict = inplace_judge(storage, INPLACE_AUTO, call, i, output);

        if (conflict.code == IP_PROVED)
            conflict = inplace_judge_caller(storage, call, i);
        bool is_found = conflict.code == IP_PROVED;
        bool is_closer = !attempt->is_any || is_found || conflict.step > attempt->conflict.step;

        /* (of what only has as many bytes nothing is expected, unless a loop could be turned) */
        if (fit == INPLACE_FITS_BYTES && !is_found && !conflict.turn)
            continue;
        if (attempt->is_any && analysis->out->has_calls)
            put_other(attempt, call, is_closer ? attempt->argument : i,
                      is_closer ? attempt->conflict.code : conflict.code);
        if (is_closer) {
            attempt->argument = i;
            attempt->conflict = conflict;
        }
        attempt->is_any = true;
        if (is_found)
            return true;
    }
    return false;
}

/*
 * The first operand that output @output may take over, of its type if there is one; adds one
 * decision if there is any to try.
 */
static int offer(void *state, struct storage *storage, struct ir_op *call, int output)
{
    struct analysis *analysis = state;
    struct attempt attempt = {.conflict.code = IP_PROVED};
    bool is_found = try_operands(analysis, storage, call, output, INPLACE_FITS, &attempt) ||
                    try_operands(analysis, storage, call, output, INPLACE_FITS_BYTES, &attempt);

    if (attempt.is_any)
        add_attempt(analysis, storage, call, output, &attempt);
    text_finish(&attempt.others);
    return is_found ? (int)attempt.argument : -1;
}

/* What the decisions of one function are, among all. */
struct part {
    size_t first, count;
};

/*
 * Callees first, so that a call knows what was decided in the function that it calls.  In cycles
 * of calls it knows the summary of the whole cycle, in which everything that asks for it is in
 * place.
 */
static void analyze(struct analysis *analysis, struct ir_module *module, struct map *parts)
{
    struct storage_module *facts = &analysis->facts;
    const struct storage_choice choice = {
        .decide = decide, .offer = analysis->is_discovery ? offer : NULL, .state = analysis};

    storage_module_init(facts, module);
    for (size_t i = 0; i < facts->node_count; i++) {
        const struct storage_node *node = facts->order[i];
        struct part *part = arena_new(&facts->arena, struct part);
        struct storage storage;

        if (node->is_recursive)
            (void)storage_summary(facts, node->function);
        part->first = analysis->out ? analysis->out->count : 0;
        storage_init(&storage, facts, node->function, &choice);
        part->count = analysis->out ? analysis->out->count - part->first : 0;
        map_set(parts, node->function, part);
        if (!node->is_recursive)
            storage_settle(&storage);
        storage_finish(&storage);
    }
}

static void run(struct analysis *analysis, struct ir_module *module, struct inplace_candidates *out)
{
    struct inplace_candidates found = {.has_calls = out->has_calls};
    struct map parts = {0};

    analysis->out = &found;
    analyze(analysis, module, &parts);
    for (size_t i = 0; i < module->global_count; i++) { /* in the order of the text */
        const struct part *part = module->globals[i]->kind == IR_GLOBAL_FUNCTION
                                      ? map_get(&parts, module->globals[i]->function)
                                      : NULL;

        for (size_t k = 0; part && k < part->count; k++)
            array_push(out, found.items[part->first + k]);
    }
    array_finish(&found);
    map_finish(&parts);
    storage_module_finish(&analysis->facts);
}

void inplace_analyze(struct ir_module *module, enum inplace_mode mode,
                     struct inplace_candidates *out)
{
    struct analysis analysis = {.mode = mode};

    run(&analysis, module, out);
}

void inplace_discover(struct ir_module *module, struct inplace_candidates *out)
{
    struct analysis analysis = {.mode = INPLACE_AUTO, .is_discovery = true};

    run(&analysis, module, out);
}

void inplace_decisions_finish(struct inplace_decisions *decisions)
{
    array_finish(decisions);
}

/* ---- donations ---- */

/* Number @index of the list of positions in the text. */
static struct location position_place(const struct ir_function *function, unsigned index)
{
    struct location name = location_text_behind(function->loc, "\"relax.inplace_arg\"");
    struct location open = location_text_behind(name, "["), end = location_text_behind(open, "]");
    struct location list = location_join(open, end);
    struct location item = location_argument(list, index, NULL);

    return item.begin == list.begin ? name : item;
}

/* The name of a parameter for its position; or the only one that a function of one tensor has, if it is the @only_one of the list. */
static void help_position(struct diag_message *m, const struct ir_function *function,
                          const struct ir_attr *position, struct location place, bool only_one)
{
    unsigned tensors = 0, only = 0, named = function->param_count;

    for (unsigned i = 0; i < function->param_count; i++) {
        bool is_tensor = ir_type_is_tensor(function->params[i]->type);
        tensors += is_tensor;
        only = is_tensor ? i : only;
        if (is_tensor && position->kind == IR_ATTR_STRING &&
            strcmp(function->params[i]->name, position->string) == 0)
            named = i;
    }
    if (!place.source || place.source->text[place.begin] == '[' ||
        strncmp(place.source->text + place.begin, "\"relax.", 7) == 0)
        return;
    if (named < function->param_count) {
        diag_help(m, "`%s` is parameter %u", position->string, named);
        diag_help_edit(m, place, "%u", named);
    } else if (tensors == 1 && only_one && position->kind == IR_ATTR_INT) {
        diag_help(m, "the only tensor is `%s`, parameter %u", function->params[only]->name, only);
        diag_help_edit(m, place, "%u", only);
        diag_help_unsure(m);
    } else if (position->kind == IR_ATTR_INT && position->integer == function->param_count &&
               only_one && only + 1 == function->param_count) {
        diag_help(m, "counted from 0, the last one is `%s`", function->params[only]->name);
        diag_help_edit(m, place, "%u", only);
        diag_help_unsure(m);
    }
}

static bool check_position(struct diag *diag, const struct ir_function *function,
                           const struct ir_attr *position, unsigned index, bool only_one)
{
    bool is_number = position->kind == IR_ATTR_INT;
    const char *why = !is_number ? "it is no position"
                      : position->integer < 0 || position->integer >= function->param_count
                          ? "there is no such parameter"
                      : !ir_type_is_tensor(function->params[position->integer]->type)
                          ? "the parameter is no tensor"
                          : NULL;

    if (!why)
        return true;
    struct location place = position_place(function, index);
    char text[80];
    if (position->kind == IR_ATTR_STRING)
        snprintf(text, sizeof(text), "\"%s\"", position->string);
    else
        snprintf(text, sizeof(text), "%lld", is_number ? (long long)position->integer : -1LL);
    struct diag_message *message =
        diag_report(diag, place, INPLACE_DONATION, function->name, text, why);
    diag_help(message, "\"relax.inplace_arg\" lists positions of tensor parameters, from 0 to %d",
              (int)function->param_count - 1);
    help_position(message, function, position, place, only_one);
    return false;
}

/* Every donated parameter must be one. */
static bool check_positions(struct diag *diag, const struct ir_function *function)
{
    const struct ir_attr *attr =
        function->attrs ? ir_attr_dict_get(function->attrs, "relax.inplace_arg") : NULL;
    bool is_list = attr && attr->kind == IR_ATTR_LIST, is_fine = true;

    for (unsigned i = 0; attr && i < (is_list ? attr->count : 1); i++)
        is_fine &= check_position(diag, function, is_list ? attr->items[i] : attr, i,
                                  is_list && attr->count == 1);
    return is_fine;
}

/* Where @key of `"relax.capacity": {"key": 8}` stands; NULL: all of it. */
static struct location capacity_place(const struct ir_function *function, const char *key)
{
    struct location said = location_text_behind(function->loc, "\"relax.capacity\"");
    char quoted[128];

    if (!said.source || said.begin == function->loc.begin)
        return function->loc;
    if (!key || strlen(key) + 3 > sizeof(quoted))
        return said;
    snprintf(quoted, sizeof(quoted), "\"%s\"", key);
    struct location open = {said.source, said.end, said.end};
    struct location found = location_text_behind(open, quoted);
    return found.begin == found.end ? said : found;
}

/* What is said of room must be of donated parameters. */
static bool check_capacity(struct diag *diag, const struct ir_function *function)
{
    const struct ir_attr *attr = ir_attr_dict_get(function->attrs, "relax.capacity");
    bool is_dict = attr && attr->kind == IR_ATTR_DICT, is_fine = true;

    for (unsigned i = 0; attr && i < (is_dict ? attr->count : 1); i++) {
        const char *why = is_dict ? ir_capacity_mistake(function, attr, i) : "it is no dict";

        if (!why)
            continue;
        struct diag_message *message = diag_report(
            diag, capacity_place(function, is_dict ? attr->keys[i] : NULL), INPLACE_CAPACITY,
            function->name, is_dict ? attr->keys[i] : "relax.capacity", why);
        diag_help(message,
                  "\"relax.capacity\" is {\"name\": number}, the room of a donated parameter along "
                  "its symbolic dimension, or {\"name\": [number, ..]}, along each");
        is_fine = false;
    }
    return is_fine;
}

static bool donates(const struct ir_function *function)
{
    return function->attrs && ir_attr_dict_get(function->attrs, "relax.inplace_arg");
}

struct maker {
    const struct ir_type *type;
    bool is_any; /* some op makes a tensor of it */
};

static bool look_for_maker(void *state, struct ir_op *op)
{
    struct maker *maker = state;
    unsigned leaves = storage_is_name(op) ? 0 : leaf_count(op->result.type);

    for (unsigned i = 0; i < leaves && !maker->is_any; i++)
        maker->is_any = leaf_type(op->result.type, i) == maker->type;
    return !maker->is_any;
}

/* Might a result be found that takes over a tensor of @type, though nothing asks for it? */
static bool may_be_found(const struct ir_function *function, const struct ir_type *type)
{
    struct maker maker = {.type = type};

    ir_region_walk(function->body, look_for_maker, &maker);
    return maker.is_any;
}

/* Some call should make use of a donation. */
static void warn_unused(struct analysis *analysis, struct diag *diag, struct ir_function *function)
{
    const struct storage_summary *summary = storage_summary(&analysis->facts, function);
    struct ir_capacity capacity;

    for (unsigned i = 0; i < function->param_count; i++) {
        if (!ir_function_donates(function, i) || summary->overwrites[i] ||
            ir_capacity_of(function, i, &capacity) ||
            may_be_found(function, function->params[i]->type))
            continue;
        struct diag_message *message = diag_report(
            diag, function->params[i]->loc, INPLACE_DONATION_UNUSED, function->params[i]->name);
        diag_note(
            message,
            "no in-place call of `%s` updates its storage, and none makes a tensor of its type",
            function->name);
        diag_help(message, "`inlay why` says what stands against each call; if none should, do not "
                           "donate the parameter");
    }
}

bool inplace_check_donations(struct ir_module *module, struct diag *diag)
{
    struct analysis analysis = {.mode = INPLACE_AUTO};
    struct map parts = {0};
    bool is_fine = true, is_any = false;

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION && module->globals[i]->function->attrs)
            is_fine &= check_capacity(diag, module->globals[i]->function);
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION &&
            donates(module->globals[i]->function)) {
            is_fine &= check_positions(diag, module->globals[i]->function);
            is_any = true;
        }
    if (!is_fine || !is_any)
        return is_fine;
    analyze(&analysis, module, &parts);
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            warn_unused(&analysis, diag, module->globals[i]->function);
    map_finish(&parts);
    storage_module_finish(&analysis.facts);
    return true;
}

/* ---- in front of code generation ---- */

bool inplace_check_resolved(struct ir_module *module, struct diag *diag)
{
    struct inplace_candidates candidates = {0};
    struct arena arena = {0};
    bool is_resolved = true;

    inplace_analyze(module, INPLACE_AUTO, &candidates);
    for (size_t i = 0; i < candidates.count && is_resolved; i++) {
        const struct inplace_decision *decision = &candidates.items[i].decision;

        if (decision->verdict == INPLACE_DONE)
            continue;
        struct diag_message *message =
            diag_report(diag, decision->call_loc, INPLACE_UNRESOLVED, decision->value);
        diag_note(message, "%s", inplace_explain(&arena, decision).reason);
        diag_help(message, "add the pass `ResolveInplace` as the last of the pipeline");
        is_resolved = false;
    }
    array_finish(&candidates);
    arena_finish(&arena);
    return is_resolved;
}

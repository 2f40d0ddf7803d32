/*
 * ResolveInplace: makes the decisions of the in-place analysis explicit.
 *
 * A call whose update is provably invisible is left alone; in front of one that is not stands a copy
 * afterwards, which the call may then overwrite:
 *
 *     y = R.call_tir_inplace(cls.f, (x,), .., inplace_indices=[0])      # x is read later
 *  =>
 *     x_copy = R.copy(x)
 *     y = R.call_tir_inplace(cls.f, (x_copy,), .., inplace_indices=[0])
 *
 * Where the kernel can, it runs out of place instead, which is one sweep less (out_of_place.h).  So the
 * text says what runs, and code generation needs no side table.  In strict mode, or with
 * strict=True on the call, a copy is an error instead.  R.assert_inplace is checked and removed.
 */
#include "ir/attr.h"
#include "ir/build.h"
#include "ir/print.h"
#include "ops/ids.h"
#include "passes/memory/destinations.h"
#include "passes/memory/out_of_place.h"
#include "passes/memory/second_proof.h"
#include "passes/memory/turn_calls.h"

#include <string.h>

/* ---- errors ---- */

static struct diag_message *report_code(struct diag *diag, const struct inplace_decision *decision,
                                        const char *reason)
{
#define AT(id) diag_report(diag, decision->call_loc, id, decision->value, reason)
    switch (decision->code) {
    case IP_BORROWED:
        return AT(INPLACE_BORROWED);
    case IP_CONSTANT:
        return AT(INPLACE_CONSTANT);
    case IP_OPAQUE:
        return AT(INPLACE_OPAQUE);
    case IP_OPERAND:
    case IP_DUPLICATE:
        return AT(INPLACE_SAME_STORAGE);
    case IP_KERNEL:
        return AT(INPLACE_KERNEL);
    default:
        return AT(INPLACE_READ_LATER);
    }
#undef AT
}

/* The list of `"relax.inplace_arg": [0]` in the text; nowhere if @function has none. */
static struct location donations_of(const struct ir_function *function, const struct ir_attr *list)
{
    if (!list || list->kind != IR_ATTR_LIST || !list->count || !function->loc.source)
        return (struct location){0};
    struct location name = location_text_behind(function->loc, "\"relax.inplace_arg\"");
    struct location open = location_text_behind(name, "[");

    return name.begin == function->loc.begin ? (struct location){0}
                                             : location_join(open, location_text_behind(open, "]"));
}

/* Where the body of the function whose name is at @name begins; nowhere: its head is not seen. */
static struct location body_of(struct location name)
{
    const char *text = name.source ? name.source->text : NULL;
    int depth = 0;
    uint32_t at = name.end;

    if (!text)
        return (struct location){0};
    for (; text[at] && !(depth == 0 && text[at] == ':'); at++)
        depth += (strchr("([{", text[at]) != NULL) - (strchr(")]}", text[at]) != NULL);
    if (!text[at] || text[at + 1] != '\n')
        return (struct location){0};
    return (struct location){name.source, at + 2, at + 2};
}

/* Nothing is donated yet: the line that says it, at the head of the body. */
static bool help_first_donation(struct diag_message *message, const struct ir_function *function,
                                const struct ir_attr *list, const struct inplace_decision *decision)
{
    struct location body = list ? (struct location){0} : body_of(function->loc);
    uint32_t blanks = 0;

    if (!body.source)
        return false;
    blanks = (uint32_t)strspn(body.source->text + body.begin, " ");
    diag_help(message, "donate it; the caller's tensor is then overwritten");
    if (blanks && !strchr("\r\n#", body.source->text[body.begin + blanks]))
        diag_help_edit(message, body, "%*sR.func_attr({\"relax.inplace_arg\": [%d]})\n",
                       (int)blanks, "", decision->parameter);
    diag_help_unsure(message);
    return true;
}

/* The parameter that the update wants is donated, with those that are; false: that is said in words alone. */
static bool help_donation(struct pass_run *run, struct diag_message *message,
                          const struct inplace_decision *decision)
{
    const struct ir_global *global = ir_module_find(run->module, decision->function);
    const struct ir_function *function =
        global && global->kind == IR_GLOBAL_FUNCTION ? global->function : NULL;
    const struct ir_attr *list =
        function && function->attrs ? ir_attr_dict_get(function->attrs, "relax.inplace_arg") : NULL;
    struct location place = function ? donations_of(function, list) : (struct location){0};
    unsigned next = 0;

    if (!function || decision->parameter < 0)
        return false;
    if (!place.source)
        return help_first_donation(message, function, list, decision);
    diag_help(message,
              "donate it, too: %d in \"relax.inplace_arg\"; the caller's tensor is then "
              "overwritten",
              decision->parameter);
    while (next < list->count && list->items[next]->kind == IR_ATTR_INT &&
           list->items[next]->integer < decision->parameter)
        next++;
    bool is_last = next == list->count;
    place = location_argument(place, is_last ? next - 1 : next, NULL);
    if (is_last)
        diag_help_edit(message, location_behind(place), ", %d", decision->parameter);
    else
        diag_help_edit(message, location_before(place), "%d, ", decision->parameter);
    diag_help_unsure(message);
    return true;
}

/* What reads the old numbers behind the update may mean the new ones. */
static void help_new_value(struct diag_message *message, const struct inplace_decision *decision)
{
    struct location word = location_word(decision->blocking_loc, decision->value);

    if (!decision->result || !word.source)
        return;
    diag_help(message, "if the new numbers are meant there, read `%s`", decision->result);
    diag_help_edit(message, word, "%s", decision->result);
    diag_help_unsure(message);
}

static void report_strict(struct pass_run *run, const struct inplace_decision *decision)
{
    struct inplace_explanation words = inplace_explain(&run->scratch, decision);
    struct diag_message *message = report_code(run->diag, decision, words.reason);

    if (decision->output >= 0)
        diag_primary(message, "output %d is to take the storage of `%s`", decision->output,
                     decision->value);
    else
        diag_primary(message, "the function overwrites its donated parameter %u",
                     decision->argument);
    if (decision->alias_loc.source)
        diag_label(message, decision->alias_loc, "%s", words.alias_text);
    if (decision->blocking_loc.source && words.blocking_text)
        diag_label(message, decision->blocking_loc, "%s", words.blocking_text);
    if (decision->written_loc.source)
        diag_label(message, decision->written_loc, "written here");
    diag_note(message, "%s [IP%03d]; %s", inplace_code_text(decision->code), decision->code,
              decision->is_strict ? "the call is strict" : "--inplace=strict allows no copy");
    bool is_donation =
        words.help && decision->code == IP_BORROWED && decision->evidence != EVIDENCE_GROWS;
    if (words.help && !(is_donation && help_donation(run, message, decision)))
        diag_help(message, "%s", words.help);
    if (decision->code == IP_READ_LATER && decision->output >= 0)
        help_new_value(message, decision);
}

/* ---- copies ---- */

static bool insert_copy(struct pass_run *run, struct ir_op *call, unsigned argument)
{
    struct ir_value *value = call->operands[argument].value;
    struct ir_builder b = {.module = run->module,
                           .diag = run->diag,
                           .block = call->block,
                           .before = call,
                           .loc = call->loc};
    struct ir_value *source = ir_inline_copy(run->module, value);
    struct ir_value *copy = ir_build_op(&b, OP_copy, &source, 1);

    if (!copy)
        return false;
    if (!ir_value_is_inline(value) && value->name)
        copy->name = atom_printf(&run->module->context->atoms, "%s_copy", value->name);
    copy->loc = call->loc;
    ir_op_set_operand(call, argument, copy);
    return true;
}

/* Does the call read a copy that stands there for it alone, from an earlier run with --inplace=off? */
static bool has_own_copy(const struct ir_op *call, unsigned argument)
{
    const struct ir_value *value = call->operands[argument].value;

    return value->def && op_is(value->def, OP_copy) && !value->uses->next &&
           ir_op_function(value->def) == ir_op_function(call);
}

/* ---- R.assert_inplace ---- */

/* The decision on the result that @value names; NULL if it is no result of an in-place call. */
static const struct inplace_decision *decision_of(const struct inplace_candidates *candidates,
                                                  const struct ir_value *value)
{
    int output = 0;

    while (value->def && !ir_op_is(value->def, IR_CORE_call_tir_inplace)) {
        const struct ir_op *def = value->def;

        if (ir_op_is(def, IR_CORE_tuple_get))
            output = (int)ir_op_attr(def, "index")->integer;
        else if (!(def->info->traits & IR_VIEW) && !ir_op_is(def, IR_CORE_bind) &&
                 !ir_op_is(def, IR_CORE_match_cast))
            return NULL;
        value = def->operands[0].value;
    }
    for (size_t i = 0; value->def && i < candidates->count; i++)
        if (candidates->items[i].call == value->def &&
            candidates->items[i].decision.output == output)
            return &candidates->items[i].decision;
    return NULL;
}

static bool check_assertion(struct pass_run *run, const struct inplace_candidates *candidates,
                            struct ir_op *op)
{
    struct ir_value *value = op->operands[0].value;
    const struct inplace_decision *decision = decision_of(candidates, value);
    struct inplace_explanation words = {.reason = "it is not the result of an in-place call"};
    struct text name = {0};

    if (run->inplace == INPLACE_OFF || (decision && decision->verdict == INPLACE_DONE))
        return true;
    if (decision)
        words = inplace_explain(&run->scratch, decision);
    ir_value_print(value, &name);
    struct diag_message *message =
        diag_report(run->diag, op->loc, INPLACE_ASSERT, text_string(&name), words.reason);
    text_finish(&name);
    if (decision)
        diag_label(message, decision->call_loc, "updated on a copy here");
    if (decision && decision->blocking_loc.source && words.blocking_text)
        diag_label(message, decision->blocking_loc, "%s", words.blocking_text);
    if (words.help)
        diag_help(message, "%s", words.help);
    return false;
}

struct assert_walk {
    struct pass_run *run;
    const struct inplace_candidates *candidates;
    bool is_fine, is_changed;
};

static void check_region(struct assert_walk *walk, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block) {
            for (unsigned i = 0; i < op->region_count; i++)
                check_region(walk, op->regions[i]);
            if (ir_op_is(op, IR_CORE_function))
                check_region(walk, ir_op_attr(op, "function")->function->body);
            if (!op_is(op, OP_assert_inplace))
                continue;
            walk->is_fine &= check_assertion(walk->run, walk->candidates, op);
            ir_value_replace(&op->result, op->operands[0].value);
            ir_op_erase(op);
            walk->is_changed = true;
        }
    }
}

/* ---- the pass ---- */

static bool is_error(const struct pass_run *run, const struct inplace_decision *decision)
{
    bool is_strict = (decision->is_strict || run->inplace == INPLACE_STRICT) &&
                     !(run->decisions && run->decisions->is_question);

    return run->inplace != INPLACE_OFF &&
           (is_strict || decision->code == IP_SHAPE || decision->code == IP_DTYPE);
}

/* Where the pass ran before: of its decisions the copies that it made stay, all others are made anew.
 * What other passes have decided stays. */
static void keep_copies(struct inplace_decisions *decisions)
{
    size_t kept = 0;

    for (size_t i = 0; i < decisions->count; i++)
        if (decisions->items[i].verdict == INPLACE_COPY ||
            decisions->items[i].verdict == INPLACE_ELIDED ||
            decisions->items[i].verdict == INPLACE_VIEW || decisions->items[i].is_view)
            decisions->items[kept++] = decisions->items[i];
    decisions->count = kept;
}

/* Outputs of one call that are to be copied run out of place instead where their kernel can. */
static bool set_fresh(struct out_of_place *o, struct inplace_candidate *candidates, size_t count)
{
    struct pass_run *run = o->run;
    struct ir_op *call = candidates->call;
    bool *wanted = arena_array(&run->scratch, bool, destination_count(call)), is_any = false;

    for (size_t i = 0; i < count; i++) {
        const struct inplace_decision *decision = &candidates[i].decision;

        if (decision->verdict != INPLACE_COPY || candidates[i].is_shared || is_error(run, decision))
            continue;
        wanted[decision->output] = true;
        is_any = true;
    }
    if (is_any && !out_of_place_set(o, &call, wanted))
        return false;
    for (size_t i = 0; i < count; i++) {
        candidates[i].call = call;
        if (is_any && wanted[candidates[i].decision.output])
            candidates[i].decision.verdict = INPLACE_FRESH;
    }
    return true;
}

/* All decisions of one call. */
static bool resolve_call(struct out_of_place *o, struct inplace_candidate *candidates, size_t count,
                         bool *out_changed)
{
    struct pass_run *run = o->run;
    bool is_fine = true;

    if (run->inplace != INPLACE_OFF && pass_option_bool(run, "fresh") &&
        ir_op_is(candidates->call, IR_CORE_call_tir_inplace))
        is_fine = set_fresh(o, candidates, count);
    for (size_t i = 0; i < count; i++) {
        const struct inplace_decision *decision = &candidates[i].decision;

        if (run->inplace == INPLACE_OFF && has_own_copy(candidates[i].call, decision->argument))
            continue;
        if (run->decisions && run->inplace == INPLACE_OFF)
            array_push(run->decisions, *decision);
        *out_changed |= decision->verdict != INPLACE_DONE;
        if (decision->verdict != INPLACE_COPY)
            continue;
        if (is_error(run, decision)) {
            report_strict(run, decision);
            is_fine = false;
            continue;
        }
        is_fine &= insert_copy(run, candidates[i].call, decision->argument);
    }
    return is_fine;
}

static bool resolve(struct pass_run *run, const struct inplace_candidates *candidates,
                    bool *out_changed)
{
    struct out_of_place o = {.run = run};
    bool is_fine = true;

    for (size_t i = 0, end; i < candidates->count; i = end) {
        const struct ir_op *call = candidates->items[i].call;

        for (end = i; end < candidates->count && candidates->items[end].call == call;)
            end++;
        is_fine &= resolve_call(&o, &candidates->items[i], end - i, out_changed);
    }
    out_of_place_finish(&o);
    return is_fine;
}

/* A call that the checker of storage does not follow. */
static bool copy_instead(struct pass_run *run, struct inplace_candidate *candidate)
{
    candidate->decision.verdict = INPLACE_COPY;
    if (!is_error(run, &candidate->decision))
        return insert_copy(run, candidate->call, candidate->decision.argument);
    report_strict(run, &candidate->decision);
    return false;
}

static void record(struct pass_run *run, const struct inplace_candidates *candidates)
{
    for (size_t i = 0; run->decisions && i < candidates->count; i++)
        array_push(run->decisions, candidates->items[i].decision);
}

static void analyze(struct pass_run *run, struct inplace_candidates *out)
{
    inplace_analyze(run->module, run->inplace, out);
}

enum pass_result pass_resolve_inplace(struct pass_run *run)
{
    struct inplace_candidates candidates = {.has_calls =
                                                run->decisions && run->decisions->is_question};
    struct assert_walk walk = {.run = run, .candidates = &candidates, .is_fine = true};

    if (run->decisions)
        keep_copies(run->decisions);
    walk.is_changed = turn_calls(run, analyze, &candidates);
    for (size_t i = 0; i < run->module->global_count; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            check_region(&walk, run->module->globals[i]->function->body);
    bool is_fine = resolve(run, &candidates, &walk.is_changed) && walk.is_fine;

    if (run->inplace != INPLACE_OFF) {
        is_fine = is_fine && second_proof(run, &candidates, copy_instead, &walk.is_changed);
        record(run, &candidates);
    }
    array_finish(&candidates);
    if (!is_fine)
        return PASS_FAILED;
    return walk.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

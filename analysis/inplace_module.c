/* The in-place analysis over a module: functions, summaries of calls, the gate. */
#include "analysis/internal.h"
#include "analysis/leaves.h"

#include <string.h>

enum { DEPTH_LIMIT = 256 };

bool inplace_is_donated(const struct ir_function *function, unsigned param)
{
    const struct ir_attr *attr =
        function->attrs ? ir_attr_dict_get(function->attrs, "relax.inplace_arg") : NULL;

    if (!attr || param >= function->param_count ||
        !ir_type_is_tensor(function->params[param]->type))
        return false;
    if (attr->kind == IR_ATTR_INT)
        return attr->integer == (int64_t)param;
    if (attr->kind == IR_ATTR_LIST)
        for (unsigned i = 0; i < attr->count; i++)
            if (attr->items[i]->kind == IR_ATTR_INT && attr->items[i]->integer == (int64_t)param)
                return true;
    return false;
}

void decide_mark_overwritten(struct decide *decide, const struct alias_origin *origin)
{
    for (unsigned i = 0; i < origin->root_count; i++) {
        const struct alias_root *root = &decide->alias.roots.items[origin->roots[i]];

        if (root->kind == ROOT_PARAMETER)
            decide->summary->overwrites[root->parameter] = true;
    }
}

/* What the value that @function returns may live in. */
static void summarize_results(struct decide *decide, struct summary *summary)
{
    struct arena *arena = &decide->analysis->arena;
    struct ir_block *last = decide->alias.function->body->last;
    struct alias_origins origins = {0};

    alias_origins_of(&decide->alias, last->last->operands[0].value, &origins);
    summary->root_count = (unsigned)decide->alias.roots.count;
    summary->roots = arena_array(arena, struct summary_root, summary->root_count);
    for (unsigned i = 0; i < summary->root_count; i++) {
        const struct alias_root *root = &decide->alias.roots.items[i];

        summary->roots[i] = (struct summary_root){
            .kind = root->is_retained && root->kind != ROOT_PARAMETER ? ROOT_OPAQUE : root->kind,
            .parameter = root->parameter,
            .parameter_leaf = root->parameter_leaf};
        if (root->kind == ROOT_PARAMETER && root->is_retained)
            summary->retains[root->parameter] = true;
    }
    summary->result_count = (unsigned)origins.count;
    summary->results = arena_array(arena, struct summary_result, origins.count);
    for (size_t i = 0; i < origins.count; i++) {
        const struct alias_origin *of = &decide->alias.origins.items[origins.items[i]];
        unsigned *roots = arena_array(arena, unsigned, of->root_count);

        for (unsigned k = 0; k < of->root_count; k++)
            roots[k] = of->roots[k];
        summary->results[i] = (struct summary_result){.root_count = of->root_count, .roots = roots};
    }
    array_finish(&origins);
}

/* Decides @function; the summary is known afterwards. */
static struct summary *analyze_function(struct inplace_analysis *analysis,
                                        struct ir_function *function,
                                        struct inplace_records *records, unsigned depth)
{
    struct decide decide = {.analysis = analysis, .records = records, .depth = depth};
    struct summary *summary = map_get(&analysis->summaries, function);

    if (!summary) {
        summary = arena_new(&analysis->arena, struct summary);
        map_set(&analysis->summaries, function, summary);
    }
    summary->is_unknown = true; /* while in work: what recursion sees */
    summary->param_count = function->param_count;
    summary->overwrites = arena_array(&analysis->arena, bool, function->param_count);
    summary->retains = arena_array(&analysis->arena, bool, function->param_count);
    decide.summary = summary;
    alias_init(&decide.alias, analysis->module, function);
    decide_visit_region(&decide, function->body);
    summarize_results(&decide, summary);
    summary->is_unknown = false;
    alias_finish(&decide.alias);
    arena_finish(&decide.scratch);
    return summary;
}

const struct summary *inplace_summary(struct inplace_analysis *analysis,
                                      struct ir_function *function, unsigned depth)
{
    static const struct summary unknown = {.is_unknown = true};
    const struct summary *known = map_get(&analysis->summaries, function);

    if (known)
        return known;
    if (depth >= DEPTH_LIMIT)
        return &unknown;
    return analyze_function(analysis, function, NULL, depth);
}

struct nested_walk {
    struct inplace_analysis *analysis;
    struct inplace_records *records;
};

static void analyze_with_nested(struct inplace_analysis *analysis, struct ir_function *function,
                                struct inplace_records *records);

static bool analyze_nested(void *state, struct ir_op *op)
{
    struct nested_walk *walk = state;

    if (ir_op_is(op, IR_CORE_function))
        analyze_with_nested(walk->analysis, ir_op_attr(op, "function")->function, walk->records);
    return true;
}

static void analyze_with_nested(struct inplace_analysis *analysis, struct ir_function *function,
                                struct inplace_records *records)
{
    struct nested_walk walk = {.analysis = analysis, .records = records};

    analyze_function(analysis, function, records, 0);
    ir_region_walk(function->body, analyze_nested, &walk);
}

void inplace_analyze(struct ir_module *module, enum inplace_mode mode,
                     struct inplace_records *records)
{
    struct inplace_analysis analysis = {.module = module, .mode = mode};

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            analyze_with_nested(&analysis, module->globals[i]->function, records);
    map_finish(&analysis.summaries);
    arena_finish(&analysis.arena);
}

static bool check_position(struct diag *diag, const struct ir_function *function,
                           const struct ir_attr *position)
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
    struct diag_message *message =
        is_number ? diag_report(diag, function->loc, INPLACE_DONATION, function->name,
                                (long long)position->integer, why)
                  : diag_report(diag, function->loc, INPLACE_DONATION, function->name, -1LL, why);
    diag_help(message, "\"relax.inplace_arg\" lists positions of tensor parameters, from 0 to %d",
              (int)function->param_count - 1);
    return false;
}

/* Every donated parameter must be one, and some call should make use of it. */
static bool check_donations(struct inplace_analysis *analysis, struct diag *diag,
                            struct ir_function *function)
{
    const struct ir_attr *attr =
        function->attrs ? ir_attr_dict_get(function->attrs, "relax.inplace_arg") : NULL;
    bool is_list = attr && attr->kind == IR_ATTR_LIST;
    bool is_fine = true;

    for (unsigned i = 0; attr && i < (is_list ? attr->count : 1); i++)
        is_fine &= check_position(diag, function, is_list ? attr->items[i] : attr);
    if (!attr || !is_fine)
        return is_fine;
    const struct summary *summary = inplace_summary(analysis, function, 0);

    for (unsigned i = 0; !summary->is_unknown && i < function->param_count; i++) {
        if (!inplace_is_donated(function, i) || summary->overwrites[i])
            continue;
        struct diag_message *message = diag_report(
            diag, function->params[i]->loc, INPLACE_DONATION_UNUSED, function->params[i]->name);
        diag_note(message, "no in-place call of `%s` updates its storage", function->name);
        diag_help(message, "`inlay why` says what stands against each call; if none should, do not "
                           "donate the parameter");
    }
    return true;
}

bool inplace_check_donations(struct ir_module *module, struct diag *diag)
{
    struct inplace_analysis analysis = {.module = module, .mode = INPLACE_AUTO};
    bool is_fine = true;

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_fine &= check_donations(&analysis, diag, module->globals[i]->function);
    map_finish(&analysis.summaries);
    arena_finish(&analysis.arena);
    return is_fine;
}

bool inplace_check_resolved(struct ir_module *module, struct diag *diag)
{
    struct inplace_records records = {0};
    bool is_resolved = true;

    inplace_analyze(module, INPLACE_AUTO, &records);
    for (size_t i = 0; i < records.count && is_resolved; i++) {
        const struct inplace_record *record = &records.items[i];

        if (record->verdict == INPLACE_DONE)
            continue;
        struct diag_message *message =
            diag_report(diag, record->call_loc, INPLACE_UNRESOLVED, record->value_name);
        diag_note(message, "%s", record->reason);
        diag_help(message, "add the pass `ResolveInplace` as the last of the pipeline");
        is_resolved = false;
    }
    inplace_records_finish(&records);
    return is_resolved;
}

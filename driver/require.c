/* Decisions against what is required of them; see require.h. */
#include "driver/require.h"

#include "driver/explain.h"

#include <string.h>

bool require_is_any(const struct driver_options *options)
{
    return options->require_inplace || options->missed != DRIVER_MISSED_SILENT;
}

/* ---- names ---- */

static bool is_all(const struct driver_options *options)
{
    return options->require_inplace && strcmp(options->require_inplace, "*") == 0;
}

/* The next of the names with commas between, in the arena; NULL behind the last. */
static const char *next_name(struct driver *driver, const char **cursor)
{
    while (**cursor == ',' || **cursor == ' ')
        ++*cursor;
    size_t length = strcspn(*cursor, ", ");
    const char *name = *cursor;

    *cursor += length;
    return length ? arena_copy_text(&driver->arena, name, length) : NULL;
}

struct name_search {
    const char *name;
    size_t length; /* of the variable: `t` of `t[0]` */
    bool is_found;
};

static bool is_name(const struct name_search *search, const struct ir_value *value)
{
    return value->name && strlen(value->name) == search->length &&
           memcmp(value->name, search->name, search->length) == 0;
}

static bool look_at(void *state, struct ir_op *op)
{
    struct name_search *search = state;

    search->is_found |= is_name(search, &op->result);
    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, look_at, search);
    return !search->is_found;
}

static bool has_value(struct ir_module *module, const char *name)
{
    struct name_search search = {.name = name, .length = strcspn(name, "[")};

    for (size_t i = 0; i < module->global_count && !search.is_found; i++) {
        struct ir_function *function =
            module->globals[i]->kind == IR_GLOBAL_FUNCTION ? module->globals[i]->function : NULL;

        for (unsigned k = 0; function && k < function->param_count; k++)
            search.is_found |= is_name(&search, function->params[k]);
        if (function)
            ir_region_walk(function->body, look_at, &search);
    }
    return search.is_found;
}

bool require_names(struct driver *driver, struct ir_module *module)
{
    const char *cursor = driver->options->require_inplace, *name;
    bool is_good = true;

    while (cursor && !is_all(driver->options) && (name = next_name(driver, &cursor)))
        if (!has_value(module, name)) {
            diag_report(driver->diag, (struct location){0}, INPLACE_REQUIRED_NAME, name);
            is_good = false;
        }
    return is_good;
}

/* ---- decisions ---- */

static const char *name_of(const struct inplace_decision *decision)
{
    return decision->result ? decision->result : decision->value;
}

/* What the message says of a decision that should be another one. */
static const char *state_of(const struct inplace_decision *decision)
{
    return decision->verdict == INPLACE_COPY ? "its call works on a copy"
                                             : "it has storage of its own";
}

static void report(struct driver *driver, const struct inplace_decision *decision, bool is_error,
                   const char *option)
{
    struct arena arena = {0};
    const char *reason = inplace_explain(&arena, decision).reason;
    struct diag_message *message =
        is_error ? diag_report(driver->diag, decision->call_loc, INPLACE_REQUIRED,
                               name_of(decision), state_of(decision), reason)
                 : diag_report(driver->diag, decision->call_loc, INPLACE_MISSED, name_of(decision),
                               state_of(decision), reason);

    explain_details(message, decision);
    diag_note(message, "asked for by `%s`", option);
    arena_finish(&arena);
}

/* Every decision that is missed; false after an error. */
static bool judge_all(struct driver *driver, const struct inplace_decisions *decisions,
                      bool is_error, const char *option)
{
    bool is_good = true;

    for (size_t i = 0; i < decisions->count; i++)
        if (totals_is_missed(&decisions->items[i])) {
            report(driver, &decisions->items[i], is_error, option);
            is_good &= !is_error;
        }
    return is_good;
}

/* What stands against the result @name: *@out_any says whether any decision is about it. */
static const struct inplace_decision *result_against(const struct inplace_decisions *decisions,
                                                     const char *name, bool *out_any)
{
    for (size_t i = 0; i < decisions->count; i++) {
        const struct inplace_decision *decision = &decisions->items[i];

        if (!explain_is_named(decision->result, name))
            continue;
        *out_any = true;
        if (totals_is_missed(decision))
            return decision;
    }
    return NULL;
}

/* The same of an argument, whose storage one call must take over. */
static const struct inplace_decision *argument_against(const struct inplace_decisions *decisions,
                                                       const char *name, bool *out_any)
{
    const struct inplace_decision *against = NULL;

    for (size_t i = 0; i < decisions->count; i++) {
        const struct inplace_decision *decision = &decisions->items[i];

        if (!explain_is_named(decision->value, name))
            continue;
        *out_any = true;
        if (!totals_is_missed(decision))
            return NULL;
        against = decision;
    }
    return against;
}

/* Nothing is missed where nobody has looked. */
static bool check_sought(struct driver *driver, const struct inplace_decisions *decisions,
                         const char *option)
{
    if (decisions->is_sought)
        return true;
    struct diag_message *message =
        diag_report(driver->diag, (struct location){0}, INPLACE_NOT_SOUGHT, option);

    diag_help(message,
              "run a pipeline with the pass `InplaceCalls`, such as `default`, and not with "
              "--inplace=off");
    return false;
}

static bool judge_name(struct driver *driver, struct ir_module *module,
                       const struct inplace_decisions *decisions, const char *name)
{
    bool is_any = false;
    const struct inplace_decision *against = result_against(decisions, name, &is_any);

    if (!is_any)
        against = argument_against(decisions, name, &is_any);
    if (!against && (is_any || !has_value(module, name)))
        return true; /* in place, or no value of the program that runs */
    if (against)
        report(driver, against, true, "--require-inplace");
    else if (check_sought(driver, decisions, "--require-inplace"))
        diag_report(driver->diag, (struct location){0}, INPLACE_REQUIRED_NONE, name);
    return false;
}

static bool judge_names(struct driver *driver, struct ir_module *module,
                        const struct inplace_decisions *decisions)
{
    const char *cursor = driver->options->require_inplace, *name;
    bool is_good = true;

    while ((name = next_name(driver, &cursor)))
        is_good &= judge_name(driver, module, decisions, name);
    return is_good;
}

bool require_judge(struct driver *driver, struct ir_module *module,
                   const struct inplace_decisions *decisions)
{
    const struct driver_options *options = driver->options;
    bool is_error = options->missed == DRIVER_MISSED_ERROR;
    const char *option = is_error ? "-Werror=inplace-missed" : "-Winplace-missed";
    bool is_good = true;

    if (is_all(options))
        is_good = check_sought(driver, decisions, "--require-inplace") &&
                  judge_all(driver, decisions, true, "--require-inplace");
    else if (options->require_inplace)
        is_good = judge_names(driver, module, decisions);
    if (options->missed != DRIVER_MISSED_SILENT && !is_all(options))
        is_good &= (!is_error || check_sought(driver, decisions, option)) &&
                   judge_all(driver, decisions, is_error, option);
    return is_good;
}

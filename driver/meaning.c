/* See meaning.h. */
#include "driver/meaning.h"

#include "driver/compare.h"
#include "ir/build.h"

#include <string.h>

enum { SMALL = 1 << 21 }; /* statements of kernels, which the interpreter runs in about a second */

static size_t input_count(const struct meaning *meaning)
{
    return meaning->session->inputs.values.count;
}

static void restore(struct meaning *meaning)
{
    for (size_t i = 0; i < input_count(meaning); i++)
        values_restore(&meaning->args[i], &meaning->given[i]);
}

static bool interpret(struct meaning *meaning, struct ir_function *function)
{
    restore(meaning);
    meaning->interpretations++;
    return session_execute(meaning->session, function, NULL, meaning->args);
}

/* ---- compiled ---- */

/* What code generation wants and @module has not yet. */
static const char *missing_passes(struct ir_module *module)
{
    struct arena scratch = {0};
    bool is_lowered = property_holds(module, "lowered", &scratch);
    bool is_resolved = property_holds(module, "resolved", &scratch);

    arena_finish(&scratch);
    return !is_lowered    ? "LambdaLift,LegalizeOps,ResolveInplace"
           : !is_resolved ? "LambdaLift,ResolveInplace"
                          : "LambdaLift";
}

static bool run_compiled(struct meaning *meaning, struct ir_module *module, unsigned level)
{
    struct session *s = meaning->session;
    struct codegen_options options = session_code_options(s);
    struct ir_function *function;
    inlay_entry_fn *entry;

    options.opt_level = level;
    if (!driver_make_code(s->driver, module, &options, &meaning->code))
        return false;
    function = session_entry(s, module);
    entry = function ? s->driver->codegen_api->find(meaning->code, function->name) : NULL;
    if (!entry)
        return false;
    restore(meaning);
    meaning->runs++;
    s->given.function = NULL; /* one of this module may lie where another one's was */
    return session_execute(s, function, entry, meaning->args);
}

/* Results of @module are those of the session; *@out_copy has them, and is destroyed after use. */
static bool compile(struct meaning *meaning, const struct ir_module *module, unsigned level,
                    bool is_completed, struct ir_module **out_copy)
{
    struct session *s = meaning->session;

    *out_copy = ir_module_clone(module);
    return (!is_completed || driver_run_passes(s->driver, out_copy, missing_passes(*out_copy),
                                               s->options->inplace, NULL, NULL)) &&
           run_compiled(meaning, *out_copy, level);
}

static void end_run(struct meaning *meaning, struct ir_module *copy)
{
    struct session *s = meaning->session;

    if (s->frame)
        inlay_frame_destroy(s->frame);
    s->frame = NULL;
    if (meaning->code)
        driver_free_code(s->driver, &meaning->code);
    ir_module_destroy(copy);
}

static struct inlay_value *copy_results(const struct session *s)
{
    return values_copy(s->results.values.items, s->results.values.count, NULL);
}

struct inlay_value *meaning_compiled(struct meaning *meaning, const struct ir_module *module,
                                     unsigned level, bool is_completed)
{
    struct ir_module *copy;
    bool is_good = compile(meaning, module, level, is_completed, &copy);
    struct inlay_value *results = is_good ? copy_results(meaning->session) : NULL;

    end_run(meaning, copy);
    return results;
}

/* ---- the question ---- */

/*
 * Interprets @function as long as that is quick; false, with nothing reported, if it is not: no
 * other module is interpreted then, unless that is asked for.  (Operators are quick, and the loops
 * that are made of them are not.)
 */
static bool interpret_small(struct meaning *meaning, struct ir_function *function,
                            bool *out_is_good)
{
    struct session *s = meaning->session;
    size_t messages = diag_message_count(s->driver->diag);
    uint64_t steps = SMALL;

    s->interpreted_steps = &steps;
    *out_is_good = function && interpret(meaning, function);
    s->interpreted_steps = NULL;
    meaning->is_small = *out_is_good || !function || steps > 0;
    if (!meaning->is_small)
        diag_truncate(s->driver->diag, messages);
    return meaning->is_small;
}

bool meaning_open(struct meaning *meaning, struct session *session)
{
    const struct inputs *inputs = &session->inputs;

    *meaning = (struct meaning){.session = session};
    meaning->given = values_copy(inputs->values.items, inputs->values.count, NULL);
    meaning->args = values_copy(inputs->values.items, inputs->values.count, inputs->rooms.items);
    bool is_good;

    if (interpret_small(meaning, session->entry, &is_good))
        meaning->expected = is_good ? copy_results(session) : NULL;
    else
        meaning->expected = meaning_compiled(meaning, session->module, 0, true);
    return meaning->expected != NULL;
}

void meaning_close(struct meaning *meaning)
{
    if (!meaning->session)
        return;
    values_free(meaning->given, input_count(meaning));
    values_free(meaning->args, input_count(meaning));
    values_free(meaning->expected, meaning->session->results.values.count);
}

static enum meaning_verdict judge(struct meaning *meaning, bool has_run, struct text *why)
{
    struct session *s = meaning->session;

    if (!has_run)
        return MEANING_NONE;
    return values_close(meaning->expected, s->results.values.items, s->results.values.count,
                        s->options->tolerance, why)
               ? MEANING_SAME
               : MEANING_OTHER;
}

enum meaning_verdict meaning_of(struct meaning *meaning, const struct ir_module *module,
                                bool by_interpreter, struct text *why)
{
    struct ir_module *copy = ir_module_clone(module);
    struct ir_function *function = session_entry(meaning->session, copy);
    bool is_good = false, is_asked = true;

    if (function && by_interpreter)
        is_good = interpret(meaning, function);
    else if (function && meaning->is_small)
        is_asked = interpret_small(meaning, function, &is_good);
    else
        is_asked = !function;
    if (!is_asked) {
        end_run(meaning, copy);
        is_good = compile(meaning, module, 0, true, &copy);
    }
    enum meaning_verdict verdict = judge(meaning, is_good, why);
    end_run(meaning, copy);
    return verdict;
}

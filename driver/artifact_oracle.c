/* See artifact_oracle.h. */
#include "driver/artifact_oracle.h"

#include "base/guard.h"
#include "ir/build.h"

enum { SMALL = 1 << 21 }; /* statements of kernels, which the interpreter runs in about a second */

static const char passes[] = "LambdaLift,debug";

/* The script's module lowered, as often as it is asked for; false after a report. */
static bool lower(struct artifact_oracle *oracle, struct session *s)
{
    if (oracle->module)
        return true;
    oracle->module = ir_module_clone(s->module);
    if (driver_run_passes(s->driver, &oracle->module, passes, INPLACE_OFF, NULL, NULL))
        return true;
    artifact_oracle_finish(oracle);
    return false;
}

/* Counts by running: only a run knows how often loops of the graph go round, and what symbols are. */
static bool is_small(struct artifact_oracle *oracle, struct session *s)
{
    size_t messages = diag_message_count(s->driver->diag);
    struct ir_function *function = lower(oracle, s) ? session_entry(s, oracle->module) : NULL;
    uint64_t steps = SMALL;

    s->interpreted_steps = &steps;
    if (function)
        (void)session_execute(s, function, NULL, s->inputs.values.items);
    s->interpreted_steps = NULL;
    diag_truncate(s->driver->diag, messages);
    return !function || steps > 0;
}

static bool interpret(struct session *s, const char **how)
{
    *how = "as the interpreter computes it";
    return session_execute(s, s->entry, NULL, s->inputs.values.items);
}

/* For all entries at once. */
static bool compile(struct artifact_oracle *oracle, struct session *s)
{
    const struct codegen_options options = {
        .opt_level = 1, .debug_info = true, .guard = guard_now()};

    if (!oracle->is_compiled)
        oracle->is_compiled =
            lower(oracle, s) && driver_compile(s->driver, oracle->module, &options);
    return oracle->is_compiled;
}

static bool execute(struct artifact_oracle *oracle, struct session *s, const char **how)
{
    struct ir_function *function = compile(oracle, s) ? session_entry(s, oracle->module) : NULL;
    inlay_entry_fn *entry = function ? driver_find(s->driver, function->name) : NULL;

    *how = "as code without schedules, fusion and results in place computes it";
    return entry && session_execute(s, function, entry, s->inputs.values.items);
}

bool artifact_oracle_run(struct artifact_oracle *oracle, struct session *session, const char **how)
{
    enum driver_oracle kind = session->options->oracle;
    bool is_interpreted = kind == DRIVER_ORACLE_INTERPRETER ||
                          (kind == DRIVER_ORACLE_AUTO && is_small(oracle, session));

    return is_interpreted ? interpret(session, how) : execute(oracle, session, how);
}

void artifact_oracle_finish(struct artifact_oracle *oracle)
{
    ir_module_destroy(oracle->module);
    oracle->module = NULL;
}

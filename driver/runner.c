/* See runner.h. */
#include "driver/runner.h"

#include "driver/artifact_oracle.h"
#include "driver/compare.h"

#include <string.h>

enum {
    BATCH_LIMIT = 200,
    PROFILE_LIMIT = 1 << 18, /* calls of kernels that are noted of one run */
};
#define BATCH_MS 0.5  /* a time is made of runs that take so long together */
#define WARM_MS  20.0 /* longer runs find nothing that is worth keeping of the run before */

/* ---- what is expected ---- */

static void take_inputs(struct runner_case *out, struct session *s)
{
    const struct inputs *inputs = &s->inputs;

    *out = (struct runner_case){.session = s};
    out->given = values_copy(inputs->values.items, inputs->values.count, NULL);
    out->args = values_copy(inputs->values.items, inputs->values.count, inputs->rooms.items);
}

void runner_case_bare(struct runner_case *out, struct session *session)
{
    take_inputs(out, session);
    session_keep_script(session);
}

bool runner_case_make(struct runner_case *out, struct session *session)
{
    struct session *s = session;
    struct artifact_oracle oracle = {0};

    take_inputs(out, s);
    if (artifact_oracle_run(&oracle, s, &out->how))
        out->expected = values_copy(s->results.values.items, s->results.values.count, NULL);
    artifact_oracle_finish(&oracle);
    session_forget_run(s); /* what it was given was the session's; runners have their own */
    if (out->expected)
        session_keep_script(s);
    return out->expected != NULL;
}

void runner_case_finish(struct runner_case *of)
{
    if (!of->session)
        return;
    values_free(of->given, of->session->inputs.values.count);
    values_free(of->args, of->session->inputs.values.count);
    values_free(of->expected, of->session->results.values.count);
}

/* What the last run was given to use up is as it was. */
static void restore(const struct runner_case *of)
{
    for (size_t i = 0; i < of->session->inputs.values.count; i++)
        if (of->session->is_donated[i])
            values_restore(&of->args[i], &of->given[i]);
}

/* ---- one runner ---- */

/* What a run keeps for the next one is the runner's, while it runs. */
static void take_turn(struct runner *runner)
{
    struct session *s = runner->session;

    s->given = runner->given;
    s->memory = runner->memory;
    s->profile = runner->profile.limit > 0 ? &runner->profile : NULL;
    runner->profile.count = 0;
}

static void end_turn(struct runner *runner)
{
    struct session *s = runner->session;

    if (s->frame) /* it has blocks of that memory, and results that lie in what was given */
        inlay_frame_destroy(s->frame);
    s->frame = NULL;
    runner->given = s->given;
    s->given = (struct given){0};
    s->memory = NULL;
    s->profile = NULL;
}

bool runner_run(struct runner *runner, const struct runner_case *of, double *ms)
{
    struct session *s = runner->session;

    restore(of);
    take_turn(runner);
    bool is_good = session_execute(s, runner->function, runner->entry, of->args);
    *ms = s->cost.run_ms;
    end_turn(runner);
    return is_good;
}

/* Borrowed inputs must be as they were, whatever a pipeline is. */
static bool check_inputs(const struct runner_case *of)
{
    const struct session *s = of->session;
    bool is_good = true;

    for (size_t i = 0; is_good && i < s->inputs.values.count; i++) {
        struct text why = {0};

        is_good = s->is_donated[i] || values_equal(&of->given[i], &of->args[i], 1, &why);
        if (!is_good)
            diag_report(s->driver->diag, s->entry->loc, RUN_DIFFERENT,
                        arena_printf(&s->driver->arena, "input `%s` is not what it was",
                                     s->inputs.items.items[i].name),
                        text_string(&why));
        text_finish(&why);
    }
    return is_good;
}

static bool check_first(struct runner *runner, const struct runner_case *of)
{
    struct session *s = runner->session;
    size_t count = s->results.values.count;
    struct text why = {0};

    restore(of);
    take_turn(runner);
    bool is_good =
        session_execute(s, runner->function, runner->entry, of->args) && check_inputs(of);
    if (is_good) {
        const struct inlay_value *results = s->results.values.items;

        runner->is_close = !of->expected ||
                           values_close(of->expected, results, count, s->options->tolerance, &why);
        runner->difference = of->expected ? values_difference(of->expected, results, count) : 0;
        cost_measure(&runner->cost, s->frame);
        runner->cost.threads = s->cost.threads;
    }
    end_turn(runner);
    text_finish(&why);
    return is_good;
}

static bool compile(struct runner *runner)
{
    struct session *s = runner->session;
    struct codegen_options options = session_code_options(s);
    double begin = cost_now();

    options.profiles = runner->profile.limit > 0;
    bool is_good = driver_make_code(s->driver, runner->module, &options, &runner->code);
    runner->cost.compile_ms += cost_now() - begin;
    runner->function = is_good ? session_entry(s, runner->module) : NULL;
    runner->entry = runner->function
                        ? s->driver->codegen_api->find(runner->code, runner->function->name)
                        : NULL;
    return runner->entry != NULL;
}

/* Compiles, and runs once. */
static bool prepare(struct runner *runner, const struct runner_case *of)
{
    size_t messages = diag_message_count(of->session->driver->diag);

    runner->memory = inlay_memory_create();
    runner->is_ready = compile(runner) && check_first(runner, of);
    if (!runner->is_ready)
        runner->code_error = diag_error_code(of->session->driver->diag, messages);
    return runner->is_ready;
}

bool runner_make_module(struct runner *runner, const struct runner_case *of, const char *passes,
                        const struct pass_watch *watch)
{
    struct session *s = of->session;
    size_t messages = diag_message_count(s->driver->diag);

    *runner = (struct runner){.name = passes, .session = s};
    session_fresh(s);
    struct pass_watch noting = kernel_notes_watch(&runner->notes, s->module, watch);
    bool is_good = session_run_passes(s, passes, &noting);

    runner->module = s->module;
    runner->decisions = s->decisions;
    runner->cost = s->cost;
    s->module = NULL;
    s->decisions = (struct inplace_decisions){0};
    if (is_good)
        cost_count(&runner->cost, runner->module, &runner->decisions, &s->inputs.dims);
    else
        runner->code_error = diag_error_code(s->driver->diag, messages);
    return is_good;
}

bool runner_make_code(struct runner *runner, const struct runner_case *of)
{
    return prepare(runner, of);
}

bool runner_make(struct runner *runner, const struct runner_case *of, const char *passes,
                 const struct pass_watch *watch)
{
    return runner_make_module(runner, of, passes, watch) && prepare(runner, of);
}

bool runner_make_twin(struct runner *twin, const struct runner *runner,
                      const struct runner_case *of)
{
    *twin = (struct runner){.name = runner->name,
                            .session = runner->session,
                            .module = runner->module,
                            .notes = runner->notes,
                            .is_twin = true,
                            .profile = {.limit = PROFILE_LIMIT}};
    return prepare(twin, of);
}

void runner_finish(struct runner *runner)
{
    if (!runner->session)
        return;
    given_finish(&runner->given);
    inlay_memory_destroy(runner->memory);
    inlay_profile_finish(&runner->profile);
    if (runner->code)
        driver_free_code(runner->session->driver, &runner->code);
    if (!runner->is_twin) {
        ir_module_destroy(runner->module);
        kernel_notes_finish(&runner->notes);
    }
    inplace_decisions_finish(&runner->decisions);
    array_finish(&runner->times);
    *runner = (struct runner){0};
}

/* ---- rounds ---- */

/* Marsaglia's xorshift: it is for orders only. */
static uint64_t next_random(uint64_t *random)
{
    *random = *random ? *random : UINT64_C(0x9e3779b97f4a7c15);
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

/* Runs that do not count: they say how many make a time. */
static bool warm_up(struct runner *runner, const struct runner_case *of)
{
    double ms, sum = 0;

    for (unsigned i = 0; i < 3 && (i == 0 || sum < WARM_MS); i++) {
        if (!runner_run(runner, of, &ms))
            return false;
        sum += ms;
    }
    runner->batch =
        ms * (double)BATCH_LIMIT < BATCH_MS ? BATCH_LIMIT : (unsigned)(BATCH_MS / ms) + 1;
    if (runner->profile.limit > 0)
        runner->batch = 1; /* the profile is that of one run */
    return true;
}

static bool time_one(struct runner *runner, const struct runner_case *of)
{
    double ms, sum = 0;

    if (runner->batch == 0 && !warm_up(runner, of))
        return false;
    /* others ran since: what they left in the caches is not to be seen */
    if (runner->is_warmed && !runner_run(runner, of, &ms))
        return false;
    for (unsigned i = 0; i < runner->batch; i++) {
        if (!runner_run(runner, of, &ms))
            return false;
        sum += ms;
    }
    runner->is_warmed = sum / runner->batch < WARM_MS;
    runner->measured_ms += sum;
    array_push(&runner->times, sum / runner->batch);
    return true;
}

bool runner_round(struct runner *const *runners, size_t count, const struct runner_case *of,
                  uint64_t *random)
{
    struct arena scratch = {0};
    size_t *order = arena_array(&scratch, size_t, count + 1);
    bool is_good = true;

    for (size_t i = 0; i < count; i++) {
        size_t other = (size_t)(next_random(random) % (i + 1));

        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; is_good && i < count; i++)
        if (runners[order[i]]->is_ready && !runners[order[i]]->is_out)
            is_good = time_one(runners[order[i]], of);
    arena_finish(&scratch);
    return is_good;
}

/* Was each of them measured for long enough? */
static bool is_enough(struct runner *const *runners, size_t count, double least_ms)
{
    for (size_t i = 0; i < count; i++)
        if (runners[i]->is_ready && !runners[i]->is_out && runners[i]->measured_ms < least_ms)
            return false;
    return true;
}

bool runner_measure(struct runner *const *runners, size_t count, const struct runner_case *of,
                    const struct runner_rounds *how, unsigned *out_rounds)
{
    uint64_t random = how->seed;
    unsigned least = how->rounds ? how->rounds : RUNNER_LEAST_ROUNDS, round = 0;

    while (round < least || (!how->rounds && round < RUNNER_MOST_ROUNDS &&
                             !is_enough(runners, count, how->least_ms))) {
        if (!runner_round(runners, count, of, &random))
            return false;
        round++;
        if (how->behind)
            how->behind(how->state);
    }
    *out_rounds = round;
    return true;
}

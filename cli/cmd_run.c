/* inlay run: inputs, compilation or interpretation, results, cost. */
#include "cli/report.h"
#include "driver/check.h"
#include "driver/compare.h"
#include "driver/require.h"
#include "driver/sample.h"

/* May a run overwrite what it is given? */
static bool uses_up_inputs(const struct session *s)
{
    for (size_t i = 0; i < s->inputs.values.count; i++)
        if (s->is_donated[i])
            return true;
    return false;
}

/* Runs, on copies of the inputs where another run is to see them as they are. */
static bool execute_once(struct session *s, struct ir_function *function, inlay_entry_fn *entry,
                         bool is_last)
{
    struct inlay_value *args = s->inputs.values.items;
    size_t count = s->inputs.values.count;

    if (is_last || !uses_up_inputs(s))
        return session_execute(s, function, entry, args);
    args = values_copy(args, count, s->inputs.rooms.items);
    bool is_good = session_execute(s, function, entry, args);
    values_free(args, count);
    return is_good;
}

/* All runs of --repeat; the cost is that of the median. */
static bool execute(struct session *s, const struct cli_options *options)
{
    struct ir_function *function = s->entry;
    inlay_entry_fn *entry = NULL;
    double *times = arena_array(&s->driver->arena, double, options->repeat);

    if (!options->is_interpreted) {
        function = s->kept.is_there ? s->entry : session_entry(s, s->module);
        entry = function ? driver_find(s->driver, function->name) : NULL;
        if (!entry)
            return false;
    }
    if (options->repeat > 1)
        s->memory = inlay_memory_create();
    for (unsigned i = 0; i < options->repeat; i++) {
        if (!execute_once(s, function, entry, i + 1 == options->repeat))
            return false;
        times[i] = s->cost.run_ms;
    }
    s->cost.run_ms = sample_of(times, options->repeat).median;
    return true;
}

/* Passes, code, and what --check has to say of each. */
static bool prepare(struct session *s, struct check *check, struct record *record,
                    const struct cli_options *options)
{
    struct pass_watch watch = report_watch(options);

    if (options->is_checked && !check_script(check, s))
        return false;
    if (!require_names(s->driver, s->module))
        return false;
    if (options->is_interpreted)
        return require_judge(s->driver, s->module, &s->decisions);
    if (session_restore(s, record))
        return true;
    bool is_good = session_run_passes(s, NULL, &watch) &&
                   require_judge(s->driver, s->module, &s->decisions) &&
                   (!options->is_checked || check_passes(check)) && session_compile(s) &&
                   (!options->is_checked || check_code(check));
    if (is_good)
        session_keep(s, record);
    return is_good;
}

/* What a run is given of memory depends on how many threads there are. */
static const char *kind_of_record(const struct cli_options *options, struct arena *arena)
{
    unsigned threads = options->driver.threads;

    return arena_printf(arena, "run on %u", threads ? threads : inlay_usable_cores());
}

static bool run(struct session *s, struct check *check, struct record *record,
                const struct cli_options *options)
{
    struct text text = {0};
    struct driver *driver = driver_create(&options->driver);
    const struct source *source = report_read(options, driver);

    record_open(record, driver, kind_of_record(options, &driver->arena),
                options->is_watched ? NULL : source, options->words.items, options->words.count);
    if (!session_open(s, driver, source))
        return false;
    driver_warn_of_numbers(driver, s->module);
    if (!prepare(s, check, record, options))
        return false;
    record_close(record);
    if (!execute(s, options))
        return false;
    if (options->out && !results_write(&s->results, options->out, s->driver->diag))
        return false;
    results_put(&s->results, &text);
    session_count(s);
    cost_measure(&s->cost, s->frame);
    if (options->stats == CLI_STATS_JSON ||
        (options->stats == CLI_STATS_TEXT && options->format == CLI_FORMAT_JSON))
        cost_put_json(&s->cost, &text);
    else if (options->stats == CLI_STATS_TEXT)
        cost_put_text(&s->cost, &text);
    fwrite(text_string(&text), 1, text.length, stdout);
    text_finish(&text);
    return true;
}

int command_run(const struct cli_options *options)
{
    struct session s = {0};
    struct check check = {0};
    struct record record;
    bool is_good = run(&s, &check, &record, options);

    record_close(&record);

    bool is_foreign = s.frame && inlay_frame_error(s.frame)->kind == INLAY_ERROR_OWNER;
    check_finish(&check);
    session_close(&s);
    int status = report_finish(options, s.driver, s.module);
    if (check.is_different || is_foreign)
        return CLI_DIFFERENT;
    return is_good || status != CLI_OK ? status : CLI_WRONG;
}

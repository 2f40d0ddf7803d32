/*
 * inlay race: pipelines side by side, on one script and the same inputs.
 *
 * A pipeline that is refused has a row that says so, and the others go on.  Which is the fastest is
 * only said where the times can tell (driver/sample.h).
 */
#include "base/digest.h"
#include "cli/measure.h"
#include "driver/kernel_times.h"
#include "ir/print.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

struct row {
    const char *name;
    struct runner runner;
    struct sample sample;
    struct measured_work work;
    double slower;      /* its median, as a multiple of the least */
    double probability; /* that it only seems slower than the fastest */
    char module[2 * DIGEST_SIZE + 1];
};

struct race {
    const struct cli_options *options;
    struct session session;
    struct runner_case of;
    struct row *rows;
    size_t count, fastest; /* fastest: count if none was measured */
    struct roof roof;
    struct measured measured;
    struct table table;
};

/* A file of passes ("mine.txt", "./mine") or passes; names of passes have no dots and slashes. */
static const char *pipeline_text(struct arena *arena, const char *given)
{
    const char *p = given;

    while (isalnum((unsigned char)*p) || *p == '_')
        p++;
    return *p == '.' || *p == '/' ? arena_printf(arena, "@\"%s\"", given) : given;
}

/* Equal names: the pipelines have made the same module. */
static void name_module(struct row *row)
{
    struct text text = {0};

    ir_module_print(row->runner.module, &ir_print_defaults, &text);
    struct digest digest = digest_of(text_string(&text), text.length);
    digest_text(&digest, row->module);
    text_finish(&text);
}

/* A run that tells of its kernels says how much is done. */
static bool find_work(struct race *race, struct row *row)
{
    struct runner twin;
    struct kernel_times times = {0};
    double ms;
    bool is_good =
        runner_make_twin(&twin, &row->runner, &race->of) && runner_run(&twin, &race->of, &ms);

    if (is_good) {
        kernel_times_init(&times, &twin);
        kernel_times_work(&times, &twin, &race->roof);
        row->work =
            (struct measured_work){times.operations, times.bytes, times.roof_ms, times.is_most};
    }
    if (times.is_cut)
        row->work = (struct measured_work){0};
    kernel_times_finish(&times);
    runner_finish(&twin);
    return is_good;
}

/* The first compilation loads the code generator, which is no pipeline's fault. */
static void make_rows(struct race *race)
{
    struct session *s = &race->session;
    struct pass_watch watch = report_watch(race->options);

    (void)driver_load_code_generator(s->driver);
    for (size_t i = 0; i < race->count; i++) {
        struct row *row = &race->rows[i];

        row->name = race->options->pipelines.items[i];
        row->runner.name = row->name;
        if (runner_make(&row->runner, &race->of, pipeline_text(&s->driver->arena, row->name),
                        &watch)) {
            name_module(row);
            row->runner.is_ready = find_work(race, row);
        }
    }
}

static bool measure(struct race *race)
{
    struct runner **runners =
        arena_array(&race->session.driver->arena, struct runner *, race->count + 1);
    struct runner_rounds how = measure_rounds(race->options);

    for (size_t i = 0; i < race->count; i++)
        runners[i] = &race->rows[i].runner;
    return runner_measure(runners, race->count, &race->of, &how, &race->measured.rounds);
}

/* ---- who is faster ---- */

static bool is_measured(const struct row *row)
{
    return row->runner.times.count > 0;
}

static void find_fastest(struct race *race)
{
    race->fastest = race->count;
    for (size_t i = 0; i < race->count; i++) {
        struct row *row = &race->rows[i];

        row->sample = sample_of(row->runner.times.items, row->runner.times.count);
        if (is_measured(row) && (race->fastest == race->count ||
                                 row->sample.median < race->rows[race->fastest].sample.median))
            race->fastest = i;
    }
}

/* Then times say nothing about the pipelines. */
static bool is_same(const struct row *a, const struct row *b)
{
    return strcmp(a->module, b->module) == 0;
}

static bool is_asked(const struct row *row, const struct row *best)
{
    return is_measured(row) && row != best && !is_same(row, best);
}

/* Each against the fastest, as one family of questions. */
static void compare(struct race *race)
{
    double *probabilities = arena_array(&race->session.driver->arena, double, race->count + 1);
    const struct row *best = &race->rows[race->fastest < race->count ? race->fastest : 0];
    size_t asked = 0;

    for (size_t i = 0; i < race->count; i++) {
        struct row *row = &race->rows[i];

        if (!is_asked(row, best))
            continue;
        row->slower = row->sample.median / best->sample.median;
        probabilities[asked++] = sample_compare_times(
            row->runner.times.items, best->runner.times.items, row->runner.times.count);
    }
    sample_correct(probabilities, asked);
    asked = 0;
    for (size_t i = 0; i < race->count; i++)
        if (is_asked(&race->rows[i], best))
            race->rows[i].probability = probabilities[asked++];
}

/* ---- what is printed ---- */

static void add_columns(struct table *table)
{
    table_add_column(table, "pipeline", "pipeline", true);
    table_add_column(table, "code", NULL, true);
    measured_add_columns(table);
    table_add_column(table, "slower", "against the fastest", true);
    table_add_column(table, "probability", NULL, false);
    table_add_column(table, "compile_ms", "compile", false);
    table_add_column(table, "peak_bytes", "peak bytes", false);
    table_add_column(table, "copies", "copies", false);
    table_add_column(table, "copied_bytes", NULL, false);
    table_add_column(table, "inplace", "in place", false);
    table_add_column(table, "is_close", NULL, false);
    table_add_column(table, "difference", "difference", false);
    table_add_column(table, "module_sha256", NULL, true);
}

static void add_comparison(struct race *race, const struct row *row)
{
    struct table *table = &race->table;
    const struct row *best = &race->rows[race->fastest];
    bool is_slower = row->probability < SAMPLE_LEVEL && row->slower > SAMPLE_MARGIN;

    if (row == best || is_same(row, best)) {
        table_add(table, row == best ? "fastest" : "same module", NULL);
        table_add(table, NULL, NULL);
        return;
    }
    table_add(table, is_slower ? "slower" : "not distinguishable",
              is_slower ? arena_printf(&table->arena, "%.2f times as long", row->slower) : NULL);
    table_add_number(table, NULL, "%.3g", row->probability);
}

static void add_cost(struct table *table, const struct row *row)
{
    const struct run_cost *cost = &row->runner.cost;
    double difference = row->runner.difference;
    const char *much = row->runner.is_close ? "" : " (too much)";

    table_add_number(table, arena_printf(&table->arena, "%.1f ms", cost->compile_ms), "%.3f",
                     cost->compile_ms);
    table_add_number(table, NULL, "%" PRId64, cost->arena_bytes);
    table_add_number(table, NULL, "%u", cost->copies);
    table_add_number(table, NULL, "%" PRId64, cost->copied_bytes);
    table_add_number(table, NULL, "%u", cost->inplace);
    table_add(table, row->runner.is_close ? "true" : "false", NULL);
    if (isfinite(difference))
        table_add_number(table, arena_printf(&table->arena, "%.3g%s", difference, much), "%.9g",
                         difference);
    else /* a shape or dtype, a NaN or an infinity on one side only */
        table_add(table, NULL, arena_printf(&table->arena, "%g%s", difference, much));
    table_add(table, row->module, NULL);
}

static void add_row(struct race *race, const struct row *row)
{
    struct table *table = &race->table;
    const char *code = arena_printf(&table->arena, "E%04u", row->runner.code_error);

    table_add(table, row->name, NULL);
    if (is_measured(row)) {
        table_add(table, NULL, NULL);
        measured_add_times(table, &row->sample, &row->work);
        add_comparison(race, row);
        add_cost(table, row);
        return;
    }
    table_add(table, code, NULL);
    measured_add_nothing(table, arena_printf(&table->arena, "refused: %s", code));
    table_add(table, NULL, NULL);
    for (unsigned i = 0; i < 9; i++)
        table_add(table, NULL, NULL);
}

static void make_table(struct race *race)
{
    find_fastest(race);
    compare(race);
    add_columns(&race->table);
    for (size_t i = 0; i < race->count; i++) {
        struct row *row = &race->rows[i];

        add_row(race, row);
        if (is_measured(row))
            measured_note_times(&race->measured, row->name, row->runner.times.items,
                                row->runner.times.count);
    }
}

/* ---- the command ---- */

static bool run_race(struct race *race)
{
    struct session *s = &race->session;

    if (!report_open(race->options, s) || !runner_case_make(&race->of, s))
        return false;
    race->count = race->options->pipelines.count;
    race->rows = arena_array(&s->driver->arena, struct row, race->count);
    race->roof.pool = s->pool;
    race->measured = measure_begin(race->options, "race", "pipelines", s, &race->of);
    race->measured.table = &race->table;
    race->measured.roof = &race->roof;
    make_rows(race);
    if (!measure(race))
        return false;
    make_table(race);
    measure_print(race->options, &race->measured);
    return true;
}

static bool is_different(const struct race *race)
{
    bool is_found = false;

    for (size_t i = 0; i < race->count; i++)
        is_found |= is_measured(&race->rows[i]) && !race->rows[i].runner.is_close;
    return is_found;
}

int command_race(const struct cli_options *options)
{
    struct race race = {.options = options};

    if (options->pipelines.count == 0)
        return cli_usage_error(options, "which pipelines? --pipelines default debug, for example");
    if (!measure_options(options))
        return CLI_USAGE;
    (void)run_race(&race);
    bool differs = is_different(&race);
    for (size_t i = 0; i < race.count; i++)
        runner_finish(&race.rows[i].runner);
    runner_case_finish(&race.of);
    measure_end(&race.measured, &race.table);
    session_close(&race.session);
    int status = report_finish(options, race.session.driver, race.session.module);
    return status == CLI_OK && differs ? CLI_DIFFERENT : status;
}

/*
 * inlay race: pipelines side by side, on one script and the same inputs.
 *
 * What the interpreter makes of the script is the reference of all.  A pipeline that is refused has a
 * row that says so, and the others go on.
 */
#include "cli/report.h"
#include "driver/compare.h"
#include "driver/session.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

struct row {
    const char *name;
    bool has_run, is_close;
    unsigned code; /* of the error that stands against a run */
    double difference;
    struct run_cost cost;
};

struct race {
    const struct cli_options *options;
    struct session session;
    struct inlay_value *given, *expected;
    array(struct row) rows;
};

/* A file of passes ("mine.txt", "./mine") or passes; names of passes have no dots and slashes. */
static const char *pipeline_text(struct arena *arena, const char *given)
{
    const char *p = given;

    while (isalnum((unsigned char)*p) || *p == '_')
        p++;
    return *p == '.' || *p == '/' ? arena_printf(arena, "@\"%s\"", given) : given;
}

/* Runs once and then --repeat times; each run gets inputs of its own, which it may use up. */
static bool run_all(struct race *race, struct row *row, struct ir_function *function,
                    inlay_entry_fn *entry)
{
    struct session *s = &race->session;
    size_t arg_count = s->inputs.values.count, result_count = s->results.values.count;
    double *times = arena_array(&s->driver->arena, double, race->options->repeat);
    struct text why = {0};

    for (unsigned i = 0; i <= race->options->repeat; i++) {
        struct inlay_value *args = values_copy(race->given, arg_count, s->inputs.rooms.items);
        bool is_good = session_execute(s, function, entry, args);

        if (is_good && i == 0) {
            row->difference =
                values_difference(race->expected, s->results.values.items, result_count);
            row->is_close = values_close(race->expected, s->results.values.items, result_count,
                                         s->options->tolerance, &why);
            text_finish(&why);
        } else if (is_good) {
            times[i - 1] = s->cost.run_ms;
        }
        values_free(args, arg_count);
        if (!is_good)
            return false;
    }
    s->cost.run_ms = session_median(times, race->options->repeat);
    return true;
}

static bool run_pipeline(struct race *race, struct row *row)
{
    struct session *s = &race->session;
    struct pass_watch watch = report_watch(race->options);

    session_fresh(s);
    if (!session_run_passes(s, pipeline_text(&s->driver->arena, row->name), &watch) ||
        !session_compile(s))
        return false;
    struct ir_function *function = session_entry(s, s->module);
    inlay_entry_fn *entry = function ? driver_find(s->driver, function->name) : NULL;

    if (!entry || !run_all(race, row, function, entry))
        return false;
    cost_count(&s->cost, s->module, &s->decisions, &s->inputs.dims);
    cost_measure(&s->cost, s->frame);
    row->cost = s->cost;
    return true;
}

/* The first compilation loads the code generator, which is no pipeline's fault. */
static void warm_up(struct session *s)
{
    size_t messages = diag_message_count(s->driver->diag);

    session_fresh(s);
    if (session_run_passes(s, "debug", NULL))
        session_compile(s);
    diag_truncate(s->driver->diag, messages);
}

/* ---- what is printed ---- */

static void print_table(const struct race *race)
{
    int width = (int)strlen("pipeline");

    for (size_t i = 0; i < race->rows.count; i++)
        if ((int)strlen(race->rows.items[i].name) > width)
            width = (int)strlen(race->rows.items[i].name);
    printf("%-*s  %12s  %12s  %12s  %7s  %8s  %s\n", width, "pipeline", "compile", "run",
           "peak bytes", "copies", "in place", "difference");
    for (size_t i = 0; i < race->rows.count; i++) {
        const struct row *row = &race->rows.items[i];

        if (row->has_run)
            printf("%-*s  %9.3f ms  %9.4f ms  %12" PRId64 "  %7u  %8u  %.3g%s\n", width, row->name,
                   row->cost.compile_ms, row->cost.run_ms, row->cost.arena_bytes, row->cost.copies,
                   row->cost.inplace, row->difference, row->is_close ? "" : " (too much)");
        else
            printf("%-*s  refused: E%04u\n", width, row->name, row->code);
    }
}

static void put_json_row(const struct row *row, struct text *out)
{
    const struct run_cost *cost = &row->cost;

    text_puts(out, "{\"pipeline\": ");
    text_put_json(out, row->name, strlen(row->name));
    if (row->has_run) {
        text_printf(
            out,
            ", \"code\": null, \"compile_ms\": %.3f, \"run_ms\": %.4f, \"peak_bytes\": %" PRId64
            ", \"copies\": %u, \"copied_bytes\": %" PRId64
            ", \"inplace\": %u, \"is_close\": %s, \"difference\": ",
            cost->compile_ms, cost->run_ms, cost->arena_bytes, cost->copies, cost->copied_bytes,
            cost->inplace, row->is_close ? "true" : "false");
        if (isfinite(row->difference))
            text_printf(out, "%.9g", row->difference);
        else
            text_puts(out, "null"); /* a shape or dtype, a NaN or an infinity on one side only */
    } else {
        text_printf(out, ", \"code\": \"E%04u\"", row->code);
    }
    text_putc(out, '}');
}

static void print_json(const struct race *race)
{
    struct text out = {0};

    for (size_t i = 0; i < race->rows.count; i++) {
        text_puts(&out, i == 0 ? "[" : ",\n ");
        put_json_row(&race->rows.items[i], &out);
    }
    text_puts(&out, "]\n");
    fwrite(text_string(&out), 1, out.length, stdout);
    text_finish(&out);
}

/* ---- the command ---- */

static bool run_race(struct race *race)
{
    const struct cli_options *options = race->options;
    struct session *s = &race->session;

    if (!report_open(options, s))
        return false;
    race->given = values_copy(s->inputs.values.items, s->inputs.values.count, NULL);
    /* on its own inputs: donated ones may be written */
    if (!session_execute(s, s->entry, NULL, s->inputs.values.items))
        return false;
    race->expected = values_copy(s->results.values.items, s->results.values.count, NULL);
    session_keep_script(s);
    warm_up(s);
    for (size_t i = 0; i < options->pipelines.count; i++) {
        struct row row = {.name = options->pipelines.items[i]};
        size_t messages = diag_message_count(s->driver->diag);

        row.has_run = run_pipeline(race, &row);
        row.code = diag_error_code(s->driver->diag, messages);
        array_push(&race->rows, row);
    }
    return true;
}

int command_race(const struct cli_options *options)
{
    struct race race = {.options = options};
    bool is_different = false;

    if (options->pipelines.count == 0)
        return cli_usage_error(options, "which pipelines? --pipelines default debug, for example");
    bool is_good = run_race(&race);
    if (is_good && options->format == CLI_FORMAT_JSON)
        print_json(&race);
    else if (is_good)
        print_table(&race);
    for (size_t i = 0; i < race.rows.count; i++)
        is_different |= race.rows.items[i].has_run && !race.rows.items[i].is_close;
    values_free(race.given, race.session.inputs.values.count);
    values_free(race.expected, race.session.results.values.count);
    array_finish(&race.rows);
    session_close(&race.session);
    int status = report_finish(options, race.session.driver, race.session.module);
    return status == CLI_OK && is_different ? CLI_DIFFERENT : status;
}

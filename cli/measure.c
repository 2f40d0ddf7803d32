/* See measure.h. */
#include "cli/measure.h"

#include "driver/machine.h"

bool measure_options(const struct cli_options *options)
{
    if (!options->export_path || measured_is_format(options->export_path))
        return true;
    cli_usage_error(options, "--export writes .json, .csv and .md, not `%s`", options->export_path);
    return false;
}

struct runner_rounds measure_rounds(const struct cli_options *options)
{
    return (struct runner_rounds){
        .rounds = options->rounds,
        .least_ms = options->least_seconds < 0 ? RUNNER_LEAST_MS : 1e3 * options->least_seconds,
        .seed = options->seed};
}

struct measured measure_begin(const struct cli_options *options, const char *command,
                              const char *rows_key, struct session *session,
                              const struct runner_case *of)
{
    return (struct measured){.command = command,
                             .rows_key = rows_key,
                             .session = session,
                             .how = of->how,
                             .seed = options->seed,
                             .load_before = machine_load()};
}

void measure_print(const struct cli_options *options, const struct measured *measured)
{
    struct text text = {0};

    if (options->format == CLI_FORMAT_JSON) {
        table_put_json(measured->table, &text);
        text_putc(&text, '\n');
    } else {
        table_put_text(measured->table, &text);
        measured_put_note(measured, &text);
    }
    fwrite(text_string(&text), 1, text.length, stdout);
    text_clear(&text);
    if (options->export_path) {
        measured_put(measured, options->export_path, &text);
        report_file(measured->session->driver, options->export_path, &text);
    }
    text_finish(&text);
}

void measure_end(struct measured *measured, struct table *table)
{
    text_finish(&measured->times);
    table_finish(table);
}

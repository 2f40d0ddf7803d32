/* inlay inspect, inlay verify: artifacts, read from themselves. */
#include "cli/report.h"
#include "driver/artifact_note.h"
#include "driver/artifact_verify.h"

#include <string.h>

/* The note of the file that the options name, whose bytes are in @data; false after a report. */
static bool read_note(const struct cli_options *options, struct driver *driver,
                      struct artifact_note *out)
{
    const char *path = options->arguments.items[0];
    const struct source *file = driver_read(driver, path);
    const char *why = file ? artifact_note_find(file->text, file->length, out) : NULL;

    if (why)
        diag_report(driver->diag, (struct location){0}, ARTIFACT_FOREIGN, path, why);
    return file && !why;
}

int command_inspect(const struct cli_options *options)
{
    struct driver *driver = driver_create(&options->driver);
    struct artifact_note note;
    struct text text = {0};

    if (read_note(options, driver, &note)) {
        text_puts(&text, options->format == CLI_FORMAT_JSON ? note.json : note.summary);
        report_output(options, driver, &text);
    }
    text_finish(&text);
    return report_finish(options, driver, NULL);
}

int command_verify(const struct cli_options *options)
{
    struct artifact_note note;
    bool is_different = false;

    struct driver *driver = driver_create(&options->driver);
    bool is_good = read_note(options, driver, &note);
    const char *against = options->against;

    if (is_good && !against && !strstr(note.table, "\nweights ")) {
        driver_destroy(driver);
        return cli_usage_error(options, "against which script? --against m.py");
    }
    const struct source *source = is_good && against ? driver_read(driver, against) : NULL;
    struct text text = {0};
    if (is_good && (source || !against))
        (void)artifact_verify(driver, options->arguments.items[0], &note, options->weights, source,
                              &text, &is_different);
    report_output(options, driver, &text);
    text_finish(&text);
    int status = report_finish(options, driver, NULL);

    return is_different ? CLI_DIFFERENT : status;
}

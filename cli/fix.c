/* See fix.h. */
#include "cli/fix.h"

#include "cli/report.h"
#include "driver/mend.h"

#include <stdio.h>

static void write_file(const struct cli_options *options, const char *path, const struct text *text,
                       unsigned edits)
{
    struct driver *driver = driver_create(&options->driver);

    report_file(driver, path, text);
    if (diag_error_count(driver->diag))
        report_diagnostics(options, driver->diag, stderr);
    else
        fprintf(stderr, "inlay: %u %s made in %s\n", edits, edits == 1 ? "edit" : "edits", path);
    driver_destroy(driver);
}

void fix_file(const struct cli_options *options, const char *path)
{
    struct driver *reader = driver_create(&options->driver);
    const struct source *source = driver_read(reader, path);
    struct text text = {0};

    if (source)
        text_append(&text, source->text, source->length);
    driver_destroy(reader);
    if (!source)
        return; /* `check` says why */
    unsigned edits = mend_text(&options->driver, path, &text);
    if (edits)
        write_file(options, path, &text, edits);
    text_finish(&text);
}

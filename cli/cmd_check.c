/* inlay check: all that can be said of scripts without running them. */
#include "cli/crash.h"
#include "cli/files.h"
#include "cli/fix.h"
#include "cli/report.h"

#include <string.h>

int command_check(const struct cli_options *options)
{
    for (size_t i = 0; options->is_fixed && i < options->arguments.count; i++)
        if (strcmp(options->arguments.items[i], "-") == 0)
            return cli_usage_error(options, "--fix writes files, and standard input is none");

    struct driver *driver = driver_create(&options->driver);
    struct files files;
    files_find(&files, options, driver->diag);
    for (size_t i = 0; i < files.count; i++) {
        if (options->is_fixed)
            fix_file(options, files.items[i]);
        const struct source *source = driver_read(driver, files.items[i]);
        if (!source)
            continue;
        crash_set_script(source);
        driver_check(driver, source);
    }
    bool is_for_machines =
        options->diagnostics == DIAG_FORMAT_JSON || options->diagnostics == DIAG_FORMAT_SARIF;
    report_diagnostics(options, driver->diag, is_for_machines ? stdout : stderr);
    files_finish(&files);
    int status = report_status(driver->diag);
    driver_destroy(driver);
    return status;
}

/* inlay check: all that can be said of scripts without running them. */
#include "analysis/lint/lint.h"
#include "cli/crash.h"
#include "cli/report.h"

int command_check(const struct cli_options *options)
{
    struct driver *driver = driver_create(&options->driver);
    for (size_t i = 0; i < options->arguments.count; i++) {
        const struct source *source = driver_read(driver, options->arguments.items[i]);
        if (source)
            crash_set_script(source);
        struct ir_module *module = source ? driver_parse(driver, source) : NULL;
        if (module)
            lint_check(module, driver->diag);
        /* The in-place rules: the copies that this puts in go away with the module. */
        if (module)
            (void)driver_run_passes(driver, &module, "ResolveInplace", options->driver.inplace,
                                    NULL, NULL);
        ir_module_destroy(module);
    }
    bool is_for_machines =
        options->diagnostics == DIAG_FORMAT_JSON || options->diagnostics == DIAG_FORMAT_SARIF;
    report_diagnostics(options, driver->diag, is_for_machines ? stdout : stderr);
    int status = report_status(driver->diag);
    driver_destroy(driver);
    return status;
}

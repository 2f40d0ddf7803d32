/* inlay opt: a module as text, after any passes. */
#include "cli/replay.h"
#include "cli/report.h"
#include "driver/require.h"
#include "ir/print.h"

/* The module behind the passes; NULL after a report. */
static struct ir_module *make_module(const struct cli_options *given, struct driver *driver)
{
    struct cli_options options = *given; /* a view of it: what it points at stays the caller's */
    const struct source *source = report_read(given, driver);

    if (!source || (!options.driver.passes && !replay_read(driver, source, &options)))
        return NULL;
    struct ir_module *module = driver_parse(driver, source);
    struct pass_watch watch = report_watch(&options);

    struct inplace_decisions decisions = {0};
    bool is_judged = require_is_any(&options.driver);

    if (!module || (!options.driver.passes && !is_judged))
        return module;
    bool is_good =
        require_names(driver, module) &&
        (!options.driver.passes ||
         driver_run_passes(driver, &module, options.driver.passes, options.driver.inplace,
                           is_judged ? &decisions : NULL, &watch)) &&
        (!is_judged || require_judge(driver, module, &decisions));
    inplace_decisions_finish(&decisions);
    if (is_good)
        return module;
    ir_module_destroy(module);
    return NULL;
}

int command_opt(const struct cli_options *options)
{
    struct driver *driver = driver_create(&options->driver);
    struct ir_module *module = make_module(options, driver);

    if (module) {
        struct text text = {0};
        struct ir_print_options print = ir_print_defaults;
        print.dialect = options->dialect;
        ir_module_print(module, &print, &text);
        report_output(options, driver, &text);
        text_finish(&text);
    }
    return report_finish(options, driver, module);
}

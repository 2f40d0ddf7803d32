/* inlay why: the in-place decisions of a pipeline, each with its reason and what stands against it. */
#include "cli/report.h"
#include "driver/decide.h"
#include "driver/explain.h"

static void put_text(struct diag *remarks, const unsigned *counts, struct text *out)
{
    diag_print(remarks, DIAG_FORMAT_TEXT, report_is_colored(stdout), out);
    explain_put_counts(counts, out);
}

/* The passes run as they would for `run`; what they decided is explained, not refused. */
static bool decide(const struct cli_options *options, struct driver *driver,
                   struct ir_module **module, struct inplace_decisions *out)
{
    const char *passes = options->driver.passes ? options->driver.passes : "default";
    enum inplace_mode mode = options->driver.inplace;
    struct pass_watch watch = report_watch(options);

    return driver_decide(driver, module, passes, mode == INPLACE_STRICT ? INPLACE_AUTO : mode,
                         &watch, out);
}

int command_why(const struct cli_options *options)
{
    struct driver *driver = driver_create(&options->driver);
    struct ir_module *module = report_load(options, driver);
    const char *value = options->arguments.count > 1 ? options->arguments.items[1] : NULL;
    struct inplace_decisions decisions = {0};
    struct diag *remarks = diag_create();
    struct text text = {0};
    unsigned counts[INPLACE_VERDICT_COUNT];

    if (module && decide(options, driver, &module, &decisions)) {
        size_t count = options->format == CLI_FORMAT_JSON
                           ? explain_put_json(driver->context, &decisions, value, &text)
                           : explain_decisions(remarks, &decisions, value, counts);

        if (value && count == 0)
            diag_report(driver->diag, (struct location){0}, WHY_NO_VALUE, value);
        else if (options->format != CLI_FORMAT_JSON)
            put_text(remarks, counts, &text);
    }
    if (diag_error_count(driver->diag) == 0)
        fwrite(text_string(&text), 1, text.length, stdout);
    text_finish(&text);
    diag_destroy(remarks);
    inplace_decisions_finish(&decisions);
    return report_finish(options, driver, module);
}

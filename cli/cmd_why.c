/* inlay why: the in-place decisions of a pipeline, each with its reason and what stands against it. */
#include "cli/report.h"
#include "driver/decide.h"
#include "driver/explain.h"
#include "driver/require.h"
#include "driver/what_if.h"
#include "ir/build.h"

enum { REMARKS = 10 }; /* unless all are asked for */

/* One question, on its way to an answer. */
struct question {
    const struct cli_options *options;
    struct driver *driver;
    const char *value; /* NULL: all */
    const char *passes;
    enum inplace_mode mode;
    struct pass_watch watch;
    struct ir_module *module, *script; /* script: as it was read, for what-if; or NULL */
    struct inplace_decisions decisions;
    struct sizes sizes;
};

static bool is_json(const struct question *q)
{
    return q->options->format == CLI_FORMAT_JSON;
}

/* Are totals and edits part of the answer? */
static bool has_totals(const struct question *q)
{
    return !is_json(q) || q->options->is_summary;
}

/* The passes run as they would for `run`; what they decided is explained, not refused. */
static bool decide(struct question *q)
{
    if (has_totals(q) && !q->value)
        q->script = ir_module_clone(q->module);
    return require_names(q->driver, q->module) &&
           driver_decide(q->driver, &q->module, q->passes, q->mode, &q->watch, &q->decisions);
}

static bool is_about_any(const struct question *q)
{
    for (size_t i = 0; i < q->decisions.count; i++)
        if (explain_is_about(&q->decisions.items[i], q->value))
            return true;
    return !q->value;
}

static void put_totals(struct question *q, struct text *out)
{
    struct pass_watch quiet = {.skip = q->watch.skip};
    struct what_if_edits edits = {0};
    struct totals totals;

    totals_make(&totals, &q->sizes, &q->decisions, q->value);
    if (q->script)
        what_if(q->driver, q->script, q->passes, q->mode, &quiet, &q->sizes, &q->decisions, &edits);
    if (is_json(q)) {
        text_putc(out, '{');
        totals_put_json(&totals, &q->sizes, out);
        text_puts(out, ", \"what_if\": ");
        what_if_put_json(&q->sizes, &edits, out);
        text_puts(out, "}\n");
    } else {
        totals_put(&totals, &q->sizes, out);
        what_if_put(&q->sizes, &edits, out);
    }
    totals_finish(&totals);
    array_finish(&edits);
}

static void put_remarks(struct question *q, struct text *out)
{
    const struct explain_choice choice = {.value = q->value,
                                          .limit = q->options->is_all || q->value ? 0 : REMARKS,
                                          .has_color = report_is_colored(q->options, stdout)};

    if (is_json(q))
        (void)explain_put_json(&q->sizes, &q->decisions, q->value, out);
    else
        (void)explain_put(&q->sizes, &q->decisions, &choice, out);
}

static void answer(struct question *q)
{
    struct text text = {0};

    if (!is_about_any(q)) {
        diag_report(q->driver->diag, (struct location){0}, WHY_NO_VALUE, q->value);
        return;
    }
    if (!q->options->is_summary)
        put_remarks(q, &text);
    if (has_totals(q))
        put_totals(q, &text);
    fwrite(text_string(&text), 1, text.length, stdout);
    text_finish(&text);
    (void)require_judge(q->driver, q->module, &q->decisions);
}

int command_why(const struct cli_options *options)
{
    enum inplace_mode mode = options->driver.inplace;
    struct question q = {.options = options,
                         .driver = driver_create(&options->driver),
                         .value = options->arguments.count > 1 ? options->arguments.items[1] : NULL,
                         .passes = options->driver.passes ? options->driver.passes : "default",
                         .mode = mode == INPLACE_STRICT ? INPLACE_AUTO : mode,
                         .watch = report_watch(options)};

    q.module = report_load(options, q.driver);
    sizes_init(&q.sizes, q.driver->context, &options->driver);
    if (q.module && decide(&q))
        answer(&q);
    sizes_finish(&q.sizes);
    inplace_decisions_finish(&q.decisions);
    ir_module_destroy(q.script);
    return report_finish(options, q.driver, q.module);
}

/*
 * inlay why: the in-place decisions of a pipeline, each with its reason and what stands against it; or what
 * became of loops (--loops), calls (--fusion) and storage (--memory), and why.
 */
#include "cli/report.h"
#include "driver/decide.h"
#include "driver/explain.h"
#include "driver/remarks.h"
#include "driver/require.h"
#include "driver/what_if.h"
#include "ir/build.h"

#include <string.h>

enum {
    REMARKS = 10, /* decisions, */
    PLACES = 40,  /* and places with loops, that are shown unless all are asked for */
};

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
    enum cli_format format;
    struct remarks remarks; /* where somebody asks for them */
};

static bool has_topics(const struct cli_options *options)
{
    return options->has_loops || options->has_fusion || options->has_memory;
}

static bool is_json(const struct question *q)
{
    return q->format == CLI_FORMAT_JSON;
}

/* Are totals and edits part of the answer? */
static bool has_totals(const struct question *q)
{
    return !is_json(q) || q->options->is_summary;
}

/* The passes run as they would for `run`; what they decided is explained, not refused. */
static bool decide(struct question *q)
{
    if (has_totals(q) && !q->value && !has_topics(q->options))
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
    report_output(q->options, q->driver, &text);
    text_finish(&text);
    (void)require_judge(q->driver, q->module, &q->decisions);
}

/* ---- loops ---- */

static void put_items(const struct question *q, const struct remark_items *items)
{
    const struct remark_choice choice = {.limit = q->options->is_all ? 0 : PLACES,
                                         .has_color = !q->options->output &&
                                                      report_is_colored(q->options, stdout)};
    struct ir_context *context = q->driver->context;
    struct text text = {0};

    if (q->format == CLI_FORMAT_JSON)
        remarks_put_json(context, items, &text);
    else if (q->format == CLI_FORMAT_YAML)
        remarks_put_yaml(context, items, &text);
    else
        remarks_put(context, items, &choice, &text);
    report_output(q->options, q->driver, &text);
    text_finish(&text);
}

/* Those of one kernel or function, or about one value. */
static bool keep_named(struct question *q, struct remark_items *items)
{
    size_t kept = 0;

    for (size_t i = 0; i < items->count; i++) {
        const struct remark_item *item = &items->items[i];

        if (!q->value || strcmp(item->function, q->value) == 0 ||
            explain_is_named(item->subject, q->value))
            items->items[kept++] = *item;
    }
    items->count = kept;
    if (q->value && kept == 0)
        diag_report(q->driver->diag, (struct location){0}, WHY_NO_ITEM, q->value);
    return !q->value || kept > 0;
}

static bool gather_items(struct question *q, struct remark_items *items)
{
    struct codegen_options code = {.opt_level = q->options->driver.opt_level};

    if (q->options->has_fusion)
        remarks_of_fusion(q->driver, items);
    if (q->options->has_memory)
        remarks_of_memory(q->driver, q->module, &q->sizes, &q->decisions, items);
    return !q->options->has_loops || remarks_of_loops(q->driver, q->module, &code, items);
}

static void answer_topics(struct question *q)
{
    struct remark_items items = {0};

    q->remarks.context = q->driver->context;
    q->driver->remarks = &q->remarks;
    if (decide(q) && gather_items(q, &items) && keep_named(q, &items))
        put_items(q, &items);
    q->driver->remarks = NULL;
    remarks_finish(&q->remarks);
    array_finish(&items);
}

/* As the file ends, unless --format says it. */
static enum cli_format format_of(const struct cli_options *options)
{
    const char *end = options->output ? strrchr(options->output, '.') : NULL;

    if (options->format != CLI_FORMAT_TEXT || !end)
        return options->format;
    if (strcmp(end, ".json") == 0)
        return CLI_FORMAT_JSON;
    return strcmp(end, ".yaml") == 0 ? CLI_FORMAT_YAML : CLI_FORMAT_TEXT;
}

int command_why(const struct cli_options *options)
{
    if (format_of(options) == CLI_FORMAT_YAML && !has_topics(options))
        return cli_usage_error(options,
                               "optimisation records are of --loops, --fusion and --memory");
    if (options->is_summary && has_topics(options))
        return cli_usage_error(options, "--summary is of in-place decisions");
    enum inplace_mode mode = options->driver.inplace;
    struct question q = {.options = options,
                         .format = format_of(options),
                         .driver = driver_create(&options->driver),
                         .value = options->arguments.count > 1 ? options->arguments.items[1] : NULL,
                         .passes = options->driver.passes ? options->driver.passes : "default",
                         .mode = mode == INPLACE_STRICT ? INPLACE_AUTO : mode,
                         .watch = report_watch(options)};

    q.module = report_load(options, q.driver);
    sizes_init(&q.sizes, q.driver->context, &options->driver);
    if (q.module && has_topics(options))
        answer_topics(&q);
    else if (q.module && decide(&q))
        answer(&q);
    sizes_finish(&q.sizes);
    inplace_decisions_finish(&q.decisions);
    ir_module_destroy(q.script);
    return report_finish(options, q.driver, q.module);
}

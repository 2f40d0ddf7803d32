/* inlay plan: the memory plan of a script, or a plan for a table of items. */
#include "cli/report.h"
#include "driver/plan_report.h"
#include "driver/plan_table.h"

#include <math.h>
#include <string.h>

enum { SECONDS = 1, SECONDS_OF_CAPACITY = 30, BLAME_STEPS = 20000000 };

static void show(const struct cli_options *options, struct driver *driver,
                 const struct plan_view *views, size_t count)
{
    struct text text = {0};

    plan_view_put(views, count, (enum plan_format)options->plan_format, &text);
    report_output(options, driver, &text);
    text_finish(&text);
}

static void draw(const struct cli_options *options, struct driver *driver,
                 const struct plan_view *views, size_t count)
{
    struct text text = {0};

    if (!options->svg)
        return;
    plan_view_put_svg(views, count, &text);
    report_file(driver, options->svg, &text);
    text_finish(&text);
}

/* ---- tables ---- */

static struct pack_limits limits_of(const struct cli_options *options)
{
    struct pack_limits limits = {.capacity = options->has_capacity ? options->capacity : -1,
                                 .seconds = options->has_capacity ? SECONDS_OF_CAPACITY : SECONDS};

    if (options->driver.has_plan_seconds)
        limits.seconds = options->driver.plan_seconds;
    return limits;
}

static void put_name(struct text *text, const char *name)
{
    text_printf(text, "%s`%s`", text->length ? ", " : "", name);
}

/* Where the header stands. */
static struct location whole(const struct plan_table *table)
{
    return (struct location){table->source, table->fields[0].begin,
                             table->fields[table->column_count - 1].end};
}

/* Says who cannot have the capacity. */
static void blame(struct driver *driver, const struct plan_table *table,
                  const struct pack_limits *limits, const size_t *blamed, size_t count,
                  bool is_irreducible, int64_t height)
{
    struct text names = {0};
    struct pack_item *items = arena_array(&driver->arena, struct pack_item, count);

    for (size_t i = 0; i < count; i++) {
        items[i] = table->items[blamed[i]];
        put_name(&names, table->ids[blamed[i]]);
    }
    struct diag_message *message =
        diag_report(driver->diag, whole(table), PLAN_NO_ROOM,
                    arena_printf(&driver->arena, "%zu item%s", count, count == 1 ? "" : "s"),
                    (long long)limits->capacity, text_string(&names));
    int64_t bound = pack_lower_bound(items, count, &driver->arena);

    if (bound > limits->capacity)
        diag_note(message, "at one step they need %lld bytes", (long long)bound);
    else
        diag_note(message, "no step needs more than %lld bytes, but no places fit: all were tried",
                  (long long)bound);
    if (is_irreducible && count > 1)
        diag_note(message, "without any one of them the others have a plan");
    diag_help(message, "the lowest plan of all items that was found takes %lld bytes",
              (long long)height);
    text_finish(&names);
}

/* Neither a plan nor a proof: says how far it came. */
static void give_up(struct driver *driver, const struct plan_table *table,
                    const struct pack_limits *limits, int64_t height)
{
    struct text text = {0}, names = {0};

    for (size_t i = 0; i < table->count; i++)
        if (table->items[i].offset + table->items[i].size > limits->capacity)
            put_name(&names, table->ids[i]);
    if (height == INT64_MAX)
        text_puts(&text, "there is none that numbers of 60 bits can say");
    else
        text_printf(&text, "the lowest takes %lld bytes, with %s above", (long long)height,
                    text_string(&names));
    diag_report(driver->diag, whole(table), PLAN_NOT_FOUND, (long long)limits->capacity,
                limits->seconds, text_string(&text));
    text_finish(&text);
    text_finish(&names);
}

static void refuse(struct driver *driver, const struct plan_table *table,
                   const struct pack_limits *limits, const struct pack_result *result)
{
    size_t *blamed = arena_array(&driver->arena, size_t, table->count + 1), count = 0;
    struct pack_limits each = *limits;
    bool is_irreducible = false;

    each.steps = BLAME_STEPS;
    if (result->is_proved)
        count =
            pack_blame(table->items, table->count, &each, blamed, &is_irreducible, &driver->arena);
    if (count)
        blame(driver, table, limits, blamed, count, is_irreducible, result->height);
    else
        give_up(driver, table, limits, result->height);
}

static void show_table(const struct cli_options *options, struct driver *driver,
                       const struct plan_table *table, const struct pack_result *result)
{
    struct plan_view view = {.arena_bytes = result->height,
                             .lower_bound = result->lower_bound,
                             .is_proved = result->height == result->lower_bound};
    struct text text = {0};

    for (size_t i = 0; i < table->count; i++) {
        array_push(&view.boxes, (struct plan_box){.name = table->ids[i], .item = table->items[i]});
        if (__builtin_add_overflow(view.unplanned_bytes, table->items[i].size,
                                   &view.unplanned_bytes))
            view.unplanned_bytes = INT64_MAX;
    }
    if (options->plan_format == PLAN_CSV) {
        plan_table_put(table, &text);
        report_output(options, driver, &text);
    } else {
        show(options, driver, &view, 1);
    }
    draw(options, driver, &view, 1);
    text_finish(&text);
    plan_view_finish(&view);
}

static void plan_table(const struct cli_options *options, struct driver *driver,
                       const struct source *source)
{
    struct pack_limits limits = limits_of(options);
    struct pack_result result;
    struct plan_table table;

    if (!plan_table_read(&table, source, driver->diag, &driver->arena))
        return;
    bool is_found = pack(table.items, table.count, &limits, &result, &driver->arena);

    if (limits.capacity < 0)
        limits.capacity = PACK_LARGEST; /* for the message, if there is one */
    if (is_found && (result.fits || !options->has_capacity))
        show_table(options, driver, &table, &result);
    else
        refuse(driver, &table, &limits, &result);
}

/* ---- scripts ---- */

static struct ir_module *plan_script(const struct cli_options *options, struct driver *driver,
                                     const struct source *source)
{
    const char *passes = options->driver.passes ? options->driver.passes : "default";
    struct pass_watch watch = report_watch(options);
    struct ir_module *module = driver_parse(driver, source);
    struct plan_report report;
    struct sizes sizes;

    if (!module ||
        !driver_run_passes(driver, &module, passes, options->driver.inplace, NULL, &watch))
        return module;
    sizes_init(&sizes, driver->context, &options->driver);
    plan_report_make(&report, module, &sizes);
    show(options, driver, report.functions.items, report.functions.count);
    draw(options, driver, report.functions.items, report.functions.count);
    plan_report_finish(&report);
    sizes_finish(&sizes);
    return module;
}

int command_plan(const struct cli_options *options)
{
    struct driver *driver = driver_create(&options->driver);
    const char *path = options->arguments.items[0];
    struct ir_module *module = NULL;

    if (options->has_capacity && !plan_is_table(path)) {
        driver_destroy(driver);
        return cli_usage_error(options, "--capacity is for tables (FILE.csv)");
    }
    const struct source *source =
        plan_is_table(path) ? driver_read(driver, path) : report_read(options, driver);

    if (source && plan_is_table(path))
        plan_table(options, driver, source);
    else if (source)
        module = plan_script(options, driver, source);
    return report_finish(options, driver, module);
}

/* See measured.h. */
#include "driver/measured.h"

#include "base/digest.h"
#include "driver/machine.h"

#include <math.h>
#include <string.h>

/* ---- rows ---- */

void measured_add_columns(struct table *table)
{
    table_add_column(table, "run_ms", "median", false);
    table_add_column(table, NULL, "quartiles", false);
    table_add_column(table, "min_ms", "least", false);
    table_add_column(table, "lower_ms", NULL, false);
    table_add_column(table, "upper_ms", NULL, false);
    table_add_column(table, "max_ms", NULL, false);
    table_add_column(table, "low_ms", NULL, false);
    table_add_column(table, "high_ms", NULL, false);
    table_add_column(table, "rounds", NULL, false);
    table_add_column(table, "gflops", "GFLOP/s", false);
    table_add_column(table, "gb_per_s", "GB/s", false);
    table_add_column(table, "roof_share", "of the roof", false);
}

/* The unit in which a time is a number of one to three digits. */
static const char *show_time(struct table *table, double ms)
{
    return ms >= 1000   ? arena_printf(&table->arena, "%.2f s", ms / 1000)
           : ms >= 1    ? arena_printf(&table->arena, "%.2f ms", ms)
           : ms >= 1e-3 ? arena_printf(&table->arena, "%.2f us", ms * 1e3)
                        : arena_printf(&table->arena, "%.0f ns", ms * 1e6);
}

static void add_time(struct table *table, double ms)
{
    table_add_number(table, show_time(table, ms), "%.6f", ms);
}

/* @number of which there may be less; nothing for 0. */
static void add_rate(struct table *table, double number, bool is_most, const char *unit)
{
    if (!(number > 0) || !isfinite(number))
        table_add(table, NULL, NULL);
    else
        table_add_number(table,
                         arena_printf(&table->arena, "%s%.1f%s", is_most ? "<=" : "", number, unit),
                         "%.5g", number);
}

static void add_rates(struct table *table, double ms, const struct measured_work *work)
{
    double share = work->roof_ms / ms;

    add_rate(table, work->operations / ms * 1e-6, work->is_most, " GFLOP/s");
    add_rate(table, work->bytes / ms * 1e-6, work->is_most, " GB/s");
    if (work->roof_ms > 0 && isfinite(share))
        table_add_number(table, arena_printf(&table->arena, "%.1f %%", 100 * share), "%.5g", share);
    else
        table_add(table, NULL, NULL);
}

void measured_add_times(struct table *table, const struct sample *sample,
                        const struct measured_work *work)
{
    add_time(table, sample->median);
    table_add(table, NULL,
              arena_printf(&table->arena, "%s to %s", show_time(table, sample->lower),
                           show_time(table, sample->upper)));
    add_time(table, sample->least);
    add_time(table, sample->lower);
    add_time(table, sample->upper);
    add_time(table, sample->most);
    add_time(table, sample->low);
    add_time(table, sample->high);
    table_add_number(table, NULL, "%zu", sample->count);
    add_rates(table, sample->median, work);
}

void measured_add_nothing(struct table *table, const char *shown)
{
    table_add(table, NULL, shown);
    for (unsigned i = 1; i < 12; i++)
        table_add(table, NULL, NULL);
}

/* ---- files ---- */

void measured_note_times(struct measured *measured, const char *name, const double *times,
                         size_t count)
{
    struct text *out = &measured->times;

    text_puts(out, out->length > 0 ? ",\n  " : "");
    text_put_json(out, name, strlen(name));
    text_puts(out, ": [");
    for (size_t i = 0; i < count; i++)
        text_printf(out, "%s%.7g", i ? ", " : "", times[i]);
    text_putc(out, ']');
}

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);

    return length > end_length && strcmp(path + length - end_length, end) == 0;
}

bool measured_is_format(const char *path)
{
    return ends_in(path, ".json") || ends_in(path, ".csv") || ends_in(path, ".md");
}

static void put_text(struct text *out, const char *key, const char *value)
{
    text_printf(out, ",\n \"%s\": ", key);
    text_put_json(out, value, strlen(value));
}

static void put_script(const struct session *s, struct text *out)
{
    struct digest digest = digest_of(s->source->text, s->source->length);
    char name[2 * DIGEST_SIZE + 1];

    digest_text(&digest, name);
    put_text(out, "script", s->source->name);
    put_text(out, "script_sha256", name);
    put_text(out, "entry", s->entry->name);
}

static void put_inputs(const struct session *s, struct text *out)
{
    text_puts(out, ",\n \"inputs\": [");
    for (size_t i = 0; i < s->inputs.items.count; i++) {
        const struct input *input = &s->inputs.items.items[i];
        const char *spec = input->spec_text ? input->spec_text : "random";

        text_puts(out, i ? ", {\"name\": " : "{\"name\": ");
        text_put_json(out, input->name, strlen(input->name));
        text_puts(out, ", \"spec\": ");
        text_put_json(out, spec, strlen(spec));
        text_putc(out, '}');
    }
    text_putc(out, ']');
}

/* What was asked of it. */
static void put_roof(const struct roof *roof, struct text *out)
{
    text_printf(out, ",\n \"roof\": {\"gflops\": %.5g, \"gb_per_s\": {", roof->flops * 1e-9);
    for (unsigned i = 0, n = 0; i < ROOF_SIZES; i++)
        if (roof->bandwidth[i] > 0)
            text_printf(out, "%s\"%llu\": %.5g", n++ ? ", " : "", 1ULL << (14 + i),
                        roof->bandwidth[i] * 1e-9);
    text_puts(out, "}}");
}

static void put_json(const struct measured *measured, struct text *out)
{
    struct session *s = measured->session;

    text_printf(out, "{\"format\": 1,\n \"command\": \"%s\"", measured->command);
    put_script(s, out);
    put_inputs(s, out);
    text_puts(out, ",\n \"machine\": ");
    machine_put_json(s->driver, inlay_pool_threads(s->pool), measured->load_before, out);
    put_roof(measured->roof, out);
    put_text(out, "expected", measured->how);
    text_printf(out, ",\n \"rounds\": %u,\n \"seed\": %llu,\n \"%s\": ", measured->rounds,
                (unsigned long long)measured->seed, measured->rows_key);
    table_put_json(measured->table, out);
    text_printf(out, ",\n \"times_ms\": {%s}}\n", text_string(&measured->times));
}

void measured_put_note(const struct measured *measured, struct text *out)
{
    text_printf(out, "%u rounds; results held against the script's, %s\non ", measured->rounds,
                measured->how);
    machine_put_text(measured->load_before, out);
    text_putc(out, '\n');
    if (measured->load_before > 1.5 * inlay_usable_cores())
        text_puts(out,
                  "others used the machine at the same time: times are what it takes at most\n");
}

static void put_markdown(const struct measured *measured, struct text *out)
{
    text_printf(out, "## inlay %s %s\n\n", measured->command, measured->session->source->name);
    table_put_markdown(measured->table, out);
    text_putc(out, '\n');
    measured_put_note(measured, out);
}

void measured_put(const struct measured *measured, const char *path, struct text *out)
{
    if (ends_in(path, ".json"))
        put_json(measured, out);
    else if (ends_in(path, ".csv"))
        table_put_csv(measured->table, out);
    else
        put_markdown(measured, out);
}

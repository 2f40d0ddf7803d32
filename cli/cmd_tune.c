/* inlay tune: the fastest pipeline that a search finds, and what mattered. */
#include "cli/measure.h"
#include "driver/tune.h"

#include <stdlib.h>
#include <string.h>

#define BUDGET_SECONDS 60

struct tuning {
    const struct cli_options *options;
    struct session session;
    struct runner_case of;
    struct tune_space space;
    struct tune tune;
    const char *start; /* as it was given */
};

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

/* ---- as text ---- */

static void put_time(double ms, struct text *out)
{
    text_printf(out, ms >= 1 ? "%.2f ms" : "%.2f us", ms >= 1 ? ms : 1e3 * ms);
}

static void put_sample(const char *name, const struct sample *sample, struct text *out)
{
    text_printf(out, "%-12s ", name);
    put_time(sample->median, out);
    text_puts(out, "   (quartiles ");
    put_time(sample->lower, out);
    text_puts(out, " to ");
    put_time(sample->upper, out);
    text_puts(out, ")\n");
}

static void put_answer(const struct tuning *tuning, struct text *out)
{
    const struct tune *tune = &tuning->tune;

    text_printf(out,
                "%u pipeline%s in %.1f s: %u refused, %u with another result, %u that make a known "
                "module, %u measured\n\n",
                tune->tried, plural(tune->tried), tune->spent_ms / 1e3, tune->refused,
                tune->different, tune->same, tune->measured);
    put_sample("start", &tune->start_sample, out);
    if (tune->is_better) {
        put_sample("found", &tune->best_sample, out);
        text_printf(out, "%.2f times as fast, in %zu rounds (p = %.2g)\n",
                    tune->start_sample.median / tune->best_sample.median, tune->best_sample.count,
                    tune->probability);
    } else {
        text_printf(out, "nothing was found that is faster for certain: `%s` is the answer\n",
                    tuning->start);
    }
}

static void put_worths(const struct tune *tune, struct text *out)
{
    struct table table = {0};

    table_add_column(&table, "what", "what it is worth", true);
    table_add_column(&table, "ratio", "times as long without", false);
    for (size_t i = 0; i < tune->worths.count; i++) {
        table_add(&table, tune->worths.items[i].what, NULL);
        table_add_number(&table, NULL, "%.3f", tune->worths.items[i].ratio);
    }
    if (tune->is_better && tune->worths.count > 0) {
        text_putc(out, '\n');
        table_put_text(&table, out);
    }
    table_finish(&table);
}

struct rank {
    const struct tune_effect *effect;
    struct sample sample;
    double weight; /* how far from 1 */
};

/* What was measured first, most effect first. */
static int compare_ranks(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;

    return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight)
                                  : strcmp(x->effect->what, y->effect->what);
}

static struct rank *rank_effects(const struct tune *tune, struct arena *arena)
{
    struct rank *ranks = arena_array(arena, struct rank, tune->effects.count + 1);

    for (size_t i = 0; i < tune->effects.count; i++) {
        const struct tune_effect *effect = &tune->effects.items[i];
        struct sample sample = sample_of(effect->ratios.items, effect->ratios.count);
        double far = sample.median > 1 ? sample.median : sample.median > 0 ? 1 / sample.median : 0;

        ranks[i] = (struct rank){effect, sample, far};
    }
    if (tune->effects.count > 0)
        qsort(ranks, tune->effects.count, sizeof(*ranks), compare_ranks);
    return ranks;
}

static void add_number(struct table *table, bool is_there, double number)
{
    if (is_there)
        table_add_number(table, NULL, "%.3f", number);
    else
        table_add(table, NULL, "");
}

static void make_effects(const struct tune *tune, struct table *table)
{
    struct rank *ranks = rank_effects(tune, &table->arena);

    table_add_column(table, "choice", "choice", true);
    table_add_column(table, "tried", "tried", false);
    table_add_column(table, "refused", "refused", false);
    table_add_column(table, "different", "other result", false);
    table_add_column(table, "same", "known module", false);
    table_add_column(table, "ratio", "times as long as the best then", false);
    table_add_column(table, "least_ratio", "least", false);
    for (size_t i = 0; i < tune->effects.count; i++) {
        const struct rank *rank = &ranks[i];

        table_add(table, rank->effect->what, NULL);
        table_add_number(table, NULL, "%u", rank->effect->tried);
        table_add_number(table, NULL, "%u", rank->effect->refused);
        table_add_number(table, NULL, "%u", rank->effect->different);
        table_add_number(table, NULL, "%u", rank->effect->same);
        add_number(table, rank->sample.count > 0, rank->sample.median);
        add_number(table, rank->sample.count > 0, rank->sample.least);
    }
}

static void put_text(const struct tuning *tuning, struct text *out)
{
    struct table effects = {0};

    put_answer(tuning, out);
    put_worths(&tuning->tune, out);
    make_effects(&tuning->tune, &effects);
    if (tuning->tune.effects.count > 0) {
        text_putc(out, '\n');
        table_put_text(&effects, out);
    }
    text_putc(out, '\n');
    tune_pipeline_put(&tuning->tune.best, ",", out);
    text_putc(out, '\n');
    table_finish(&effects);
}

/* ---- as JSON ---- */

static void put_sample_json(const char *key, const struct sample *sample, struct text *out)
{
    text_printf(out,
                "\"%s\": {\"run_ms\": %.6f, \"min_ms\": %.6f, \"lower_ms\": %.6f, "
                "\"upper_ms\": %.6f, \"rounds\": %zu}, ",
                key, sample->median, sample->least, sample->lower, sample->upper, sample->count);
}

static void put_json(const struct tuning *tuning, struct text *out)
{
    const struct tune *tune = &tuning->tune;
    struct table effects = {0};
    struct text pipeline = {0};

    tune_pipeline_put(&tune->best, ",", &pipeline);
    text_puts(out, "{\"pipeline\": ");
    text_put_json(out, text_string(&pipeline), pipeline.length);
    text_printf(out,
                ", \"is_better\": %s, \"tried\": %u, \"refused\": %u, \"different\": %u, "
                "\"same\": %u, \"measured\": %u, \"spent_ms\": %.1f, \"probability\": %.3g, ",
                tune->is_better ? "true" : "false", tune->tried, tune->refused, tune->different,
                tune->same, tune->measured, tune->spent_ms, tune->probability);
    put_sample_json("start", &tune->start_sample, out);
    put_sample_json("best", &tune->best_sample, out);
    text_puts(out, "\"worth\": [");
    for (size_t i = 0; tune->is_better && i < tune->worths.count; i++) {
        text_puts(out, i ? ", {\"what\": " : "{\"what\": ");
        text_put_json(out, tune->worths.items[i].what, strlen(tune->worths.items[i].what));
        text_printf(out, ", \"ratio\": %.4f}", tune->worths.items[i].ratio);
    }
    text_puts(out, "],\n \"choices\": ");
    make_effects(tune, &effects);
    table_put_json(&effects, out);
    text_puts(out, "}\n");
    table_finish(&effects);
    text_finish(&pipeline);
}

/* ---- the command ---- */

/* A file for -p @FILE. */
static void save(const struct tuning *tuning)
{
    const struct tune *tune = &tuning->tune;
    struct text text = {0};

    text_printf(&text, "# inlay tune %s --seed %u: ", tuning->session.source->name,
                tuning->options->seed);
    if (tune->is_better)
        text_printf(&text, "%.2f times as fast as `%s`\n",
                    tune->start_sample.median / tune->best_sample.median, tuning->start);
    else
        text_printf(&text, "as `%s`\n", tuning->start);
    tune_pipeline_put(&tune->best, "\n", &text);
    text_putc(&text, '\n');
    report_file(tuning->session.driver, tuning->options->save, &text);
    text_finish(&text);
}

static bool run_tuning(struct tuning *tuning)
{
    const struct cli_options *options = tuning->options;
    struct session *s = &tuning->session;
    struct pass_watch watch = report_watch(options);
    struct text text = {0};

    if (!report_open(options, s))
        return false;
    if (!options->space)
        tune_space_init(&tuning->space, &s->driver->arena);
    else if (!tune_space_read(&tuning->space, s->driver, options->space))
        return false;
    if (!runner_case_make(&tuning->of, s))
        return false;
    tuning->start = options->driver.passes ? options->driver.passes : "default";
    tuning->tune = (struct tune){
        .session = s,
        .of = &tuning->of,
        .space = &tuning->space,
        .watch = &watch,
        .budget_ms = 1e3 * (options->budget_seconds > 0 ? options->budget_seconds : BUDGET_SECONDS),
        .random = options->seed + UINT64_C(0x9e3779b97f4a7c15) * (options->seed + UINT64_C(1))};
    if (!tune_search(&tuning->tune, tuning->start))
        return false;
    if (options->format == CLI_FORMAT_JSON)
        put_json(tuning, &text);
    else
        put_text(tuning, &text);
    fwrite(text_string(&text), 1, text.length, stdout);
    text_finish(&text);
    if (options->save)
        save(tuning);
    return true;
}

int command_tune(const struct cli_options *options)
{
    struct tuning tuning = {.options = options};
    bool is_good = run_tuning(&tuning);
    bool is_different = tuning.tune.start_runner.is_ready && !tuning.tune.start_runner.is_close;

    tune_finish(&tuning.tune);
    tune_space_finish(&tuning.space);
    runner_case_finish(&tuning.of);
    session_close(&tuning.session);
    int status = report_finish(options, tuning.session.driver, tuning.session.module);
    if (status == CLI_OK && is_different)
        return CLI_DIFFERENT;
    return is_good || status != CLI_OK ? status : CLI_WRONG;
}

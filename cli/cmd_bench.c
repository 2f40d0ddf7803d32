/* inlay bench: a script, and each of its kernels. */
#include "cli/measure.h"
#include "driver/kernel_times.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 30 }; /* kernels, unless all are asked for */

struct bench {
    const struct cli_options *options;
    struct session session;
    struct runner_case of;
    struct runner whole, twin; /* twin: tells of its kernels */
    struct kernel_times times;
    struct roof roof;
    struct measured measured;
    struct table table;
    array(double) outside; /* ms of each run of the twin that no kernel took */
    double twin_ms;        /* the median of its runs */
};

/* Behind each round: the twin has run once. */
static void note_round(void *state)
{
    struct bench *bench = state;
    double ms = array_last(&bench->twin.times);

    kernel_times_add(&bench->times, &bench->twin.profile);
    for (size_t i = 0; i < bench->times.items.count; i++)
        ms -= bench->times.items.items[i].ms;
    array_push(&bench->outside, ms > 0 ? ms : 0);
}

static bool measure(struct bench *bench)
{
    struct runner *runners[] = {&bench->whole, &bench->twin};
    struct runner_rounds how = measure_rounds(bench->options);
    double ms;

    how.behind = note_round;
    how.state = bench;
    kernel_times_init(&bench->times, &bench->twin);
    if (!runner_run(&bench->twin, &bench->of, &ms))
        return false;
    kernel_times_work(&bench->times, &bench->twin, &bench->roof);
    if (!runner_measure(runners, 2, &bench->of, &how, &bench->measured.rounds))
        return false;
    bench->twin_ms = sample_of(bench->twin.times.items, bench->twin.times.count).median;
    return true;
}

/* ---- the table ---- */

static void add_columns(struct table *table)
{
    table_add_column(table, "name", "what", true);
    table_add_column(table, "line", "line", false);
    table_add_column(table, "calls", "calls", false);
    measured_add_columns(table);
    table_add_column(table, "run_share", "of the run", false);
    table_add_column(table, "bound", "bound by", true);
}

static void add_share(struct table *table, double share)
{
    table_add_number(table, arena_printf(&table->arena, "%.1f %%", 100 * share), "%.5g", share);
}

static void add_whole(struct bench *bench)
{
    const struct kernel_times *times = &bench->times;
    struct measured_work work = {times->operations, times->bytes, times->roof_ms, times->is_most};
    struct sample sample = sample_of(bench->whole.times.items, bench->whole.times.count);
    const char *name = bench->session.entry->name;

    if (times->is_cut)
        work = (struct measured_work){0};
    table_add(&bench->table, name, NULL);
    table_add_number(&bench->table, NULL, "%u", location_line(bench->session.entry->loc));
    table_add(&bench->table, NULL, NULL);
    measured_add_times(&bench->table, &sample, &work);
    table_add(&bench->table, NULL, NULL);
    table_add(&bench->table, NULL, NULL);
    measured_note_times(&bench->measured, name, bench->whole.times.items, bench->whole.times.count);
}

static void add_kernel(struct bench *bench, const struct kernel_time *item)
{
    struct table *table = &bench->table;
    struct sample sample = sample_of(item->times.items, item->times.count);
    struct measured_work work = {item->operations, item->bytes, item->roof_ms, item->is_most};

    if (bench->times.is_cut)
        work = (struct measured_work){0};
    table_add(table, item->kernel->name, NULL);
    table_add_number(table, NULL, "%u", location_line(item->call->loc));
    table_add_number(table, NULL, "%zu", item->calls);
    measured_add_times(table, &sample, &work);
    add_share(table, sample.median / bench->twin_ms);
    table_add(table, item->computing_ms > item->moving_ms ? "arithmetic" : "memory", NULL);
    measured_note_times(&bench->measured, item->kernel->name, item->times.items, item->times.count);
}

static void add_outside(struct bench *bench)
{
    struct sample sample = sample_of(bench->outside.items, bench->outside.count);
    struct measured_work nothing = {0};

    table_add(&bench->table, "outside of kernels", NULL);
    table_add(&bench->table, NULL, NULL);
    table_add(&bench->table, NULL, NULL);
    measured_add_times(&bench->table, &sample, &nothing);
    add_share(&bench->table, sample.median / bench->twin_ms);
    table_add(&bench->table, NULL, NULL);
}

struct rank {
    const struct kernel_time *item;
    double median;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;

    return x->median != y->median ? (x->median < y->median) - (x->median > y->median)
                                  : (x->item > y->item) - (x->item < y->item);
}

/* The slowest first; returns how many are not shown. */
static size_t add_kernels(struct bench *bench)
{
    size_t count = bench->times.items.count, shown = 0;
    struct rank *ranks = arena_array(&bench->table.arena, struct rank, count + 1);

    for (size_t i = 0; i < count; i++) {
        const struct kernel_time *item = &bench->times.items.items[i];

        if (item->calls > 0)
            ranks[shown++] =
                (struct rank){item, sample_of(item->times.items, item->times.count).median};
    }
    qsort(ranks, shown, sizeof(*ranks), compare_ranks);
    size_t limit = bench->options->is_all || shown < SHOWN ? shown : SHOWN;
    for (size_t i = 0; i < limit; i++)
        add_kernel(bench, ranks[i].item);
    return shown - limit;
}

/* ---- the command ---- */

static void print(struct bench *bench)
{
    add_columns(&bench->table);
    add_whole(bench);
    size_t left = add_kernels(bench);
    add_outside(bench);
    measure_print(bench->options, &bench->measured);
    if (left > 0 && bench->options->format == CLI_FORMAT_TEXT)
        printf("%zu kernels that take less are left out: --all shows them\n", left);
    if (bench->times.is_cut && bench->options->format == CLI_FORMAT_TEXT)
        puts(
            "a run has more calls of kernels than are noted: times of kernels are of the first ones");
}

static bool run_bench(struct bench *bench)
{
    struct session *s = &bench->session;
    const char *passes = bench->options->driver.passes;
    struct pass_watch watch = report_watch(bench->options);

    if (!report_open(bench->options, s) || !runner_case_make(&bench->of, s))
        return false;
    bench->roof.pool = s->pool;
    bench->measured = measure_begin(bench->options, "bench", "kernels", s, &bench->of);
    bench->measured.table = &bench->table;
    bench->measured.roof = &bench->roof;
    if (!runner_make(&bench->whole, &bench->of, passes ? passes : "default", &watch) ||
        !runner_make_twin(&bench->twin, &bench->whole, &bench->of) || !measure(bench))
        return false;
    print(bench);
    return true;
}

int command_bench(const struct cli_options *options)
{
    struct bench bench = {.options = options};

    if (!measure_options(options))
        return CLI_USAGE;
    (void)run_bench(&bench);
    bool is_different = bench.whole.is_ready && !bench.whole.is_close;
    runner_finish(&bench.twin);
    runner_finish(&bench.whole);
    kernel_times_finish(&bench.times);
    array_finish(&bench.outside);
    runner_case_finish(&bench.of);
    measure_end(&bench.measured, &bench.table);
    session_close(&bench.session);
    int status = report_finish(options, bench.session.driver, bench.session.module);
    return status == CLI_OK && is_different ? CLI_DIFFERENT : status;
}

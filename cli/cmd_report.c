/* inlay report: one page that shows what the driver knows of a script and a pipeline. */
#include "cli/measure.h"
#include "driver/kernel_times.h"
#include "driver/machine.h"
#include "driver/page.h"

#include <string.h>
#include <unistd.h>

enum {
    ROUNDS = 5, /* unless more, or a time, are asked for */
};

enum emit { EMIT_HTML, EMIT_DOT, EMIT_ASM };

struct reporting {
    const struct cli_options *options;
    struct session session;
    struct runner_case of;
    struct runner whole, twin;
    struct kernel_times times;
    struct roof roof;
    struct page page;
    struct text assembly, members;
};

/* ---- times ---- */

static void note_round(void *state)
{
    struct reporting *r = state;

    kernel_times_add(&r->times, &r->twin.profile);
}

/* Writes "run" and "roof" for the page. */
static void put_run(struct reporting *r, unsigned rounds, double load)
{
    struct sample sample = sample_of(r->whole.times.items, r->whole.times.count);
    struct text machine = {0};

    machine_put_text(load, &machine);
    text_printf(&r->members,
                ",\n\"run\": {\"ms\": %.6f, \"lower\": %.6f, \"upper\": %.6f, \"rounds\": %u, "
                "\"machine\": ",
                sample.median, sample.lower, sample.upper, rounds);
    text_put_json(&r->members, text_string(&machine), machine.length);
    text_printf(&r->members, "},\n\"roof\": {\"gflops\": %.5g, \"gb_per_s\": {",
                r->roof.flops * 1e-9);
    for (unsigned i = 0, n = 0; i < ROOF_SIZES; i++)
        if (r->roof.bandwidth[i] > 0)
            text_printf(&r->members, "%s\"%llu\": %.5g", n++ ? ", " : "", 1ULL << (14 + i),
                        r->roof.bandwidth[i] * 1e-9);
    text_puts(&r->members, "}}");
    text_finish(&machine);
}

static bool measure(struct reporting *r)
{
    struct runner *runners[] = {&r->whole, &r->twin};
    struct runner_rounds how = measure_rounds(r->options);
    double load = machine_load(), ms;
    unsigned rounds;

    if (!how.rounds && r->options->least_seconds < 0)
        how.rounds = ROUNDS;
    how.behind = note_round;
    how.state = r;
    r->roof.pool = r->session.pool;
    if (!runner_make_twin(&r->twin, &r->whole, &r->of))
        return false;
    kernel_times_init(&r->times, &r->twin);
    if (!runner_run(&r->twin, &r->of, &ms))
        return false;
    kernel_times_work(&r->times, &r->twin, &r->roof);
    if (!runner_measure(runners, 2, &r->of, &how, &rounds))
        return false;
    put_run(r, rounds, load);
    return true;
}

/* ---- assembly ---- */

static bool take_text(void *state, const char *data, size_t size)
{
    text_append(state, data, size);
    return true;
}

static bool find_assembly(struct reporting *r)
{
    const struct codegen_api *api = r->session.driver->codegen_api;

    return api->text(r->whole.code, "s", take_text, &r->assembly);
}

/* ---- the command ---- */

static void write_page(struct reporting *r)
{
    struct text out = {0};

    page_put_kernels(&r->whole, text_string(&r->assembly), &r->times, &r->members);
    page_put(&r->page, &r->whole, text_string(&r->members), &out);
    report_output(r->options, r->session.driver, &out);
    text_finish(&out);
}

static bool run_report(struct reporting *r)
{
    const struct cli_options *options = r->options;
    struct session *s = &r->session;
    const char *passes = options->driver.passes ? options->driver.passes : "default";
    struct pass_watch watch = report_watch(options);

    if (!report_open(options, s))
        return false;
    runner_case_bare(&r->of, s);
    struct pass_watch watching = page_watch(&r->page, s, passes, &watch);
    if (!runner_make_module(&r->whole, &r->of, passes, &watching))
        return false;
    if (options->report_emit == EMIT_DOT) {
        report_output(options, s->driver, &r->page.dot);
        return true;
    }
    /* what runs is made of what is shown; who wants assembly gets all of it in one piece */
    s->keeps_assembly = options->report_emit == EMIT_HTML;
    if (!runner_make_code(&r->whole, &r->of) || !find_assembly(r))
        return false;
    if (options->report_emit == EMIT_ASM) {
        report_output(options, s->driver, &r->assembly);
        return true;
    }
    if (!page_put_remarks(&r->page, &r->whole, &r->members) || !measure(r))
        return false;
    write_page(r);
    return true;
}

int command_report(const struct cli_options *options)
{
    if (!options->output && options->report_emit == EMIT_HTML && isatty(STDOUT_FILENO))
        return cli_usage_error(options, "the page is for a browser: -o report.html");
    struct reporting r = {.options = options};
    bool is_good = run_report(&r);

    runner_finish(&r.twin);
    runner_finish(&r.whole);
    kernel_times_finish(&r.times);
    page_finish(&r.page);
    text_finish(&r.assembly);
    text_finish(&r.members);
    runner_case_finish(&r.of);
    session_close(&r.session);
    int status = report_finish(options, r.session.driver, r.session.module);
    return is_good || status != CLI_OK ? status : CLI_WRONG;
}

/* inlay run: inputs, compilation or interpretation, results, cost. */
#include "cli/compare.h"
#include "cli/inputs.h"
#include "cli/packed.h"
#include "cli/report.h"
#include "cli/results.h"
#include "cli/stats.h"
#include "codegen/interp/interp.h"

#include <stdlib.h>
#include <string.h>

/* One run: what must be freed at its end. */
struct session {
    const struct cli_options *options;
    struct driver *driver;
    struct ir_module *module;
    struct ir_function *entry;
    struct inputs inputs;
    struct packed packed;
    struct inplace_records records;
    struct inlay_frame *frame;
    struct results results;
    struct run_cost cost;
    /* of --check */
    struct inlay_value *given;    /* the inputs, before any run */
    struct inlay_value *expected; /* the interpreter's results */
    bool is_different;
};

static void name_functions(const struct ir_module *module, struct text *out)
{
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            text_printf(out, "%s`%s`", out->length ? ", " : "", module->globals[i]->name);
}

/* The function of --entry, `main`, or the only public one; NULL after a report. */
static struct ir_function *find_entry(struct session *s)
{
    const char *name = s->options->entry ? s->options->entry : "main";
    struct ir_global *global = ir_module_find(s->module, name);
    struct ir_function *only = NULL;
    unsigned count = 0;
    if (global && global->kind == IR_GLOBAL_FUNCTION)
        return global->function;
    for (size_t i = 0; i < s->module->global_count && !s->options->entry; i++) {
        global = s->module->globals[i];
        if (global->kind == IR_GLOBAL_FUNCTION && !global->function->is_private) {
            only = global->function;
            count++;
        }
    }
    if (count == 1)
        return only;
    struct text names = {0};
    name_functions(s->module, &names);
    const char *there = names.length ? text_string(&names) : "no graph function";
    struct diag_message *m;
    if (count > 1) {
        m = diag_report(s->driver->diag, (struct location){0}, INPUT_ENTRY_OPEN, there);
        diag_help(m, "name it with --entry");
    } else {
        m = diag_report(s->driver->diag, (struct location){0}, INPUT_NO_ENTRY, name);
        diag_note(m, "it has %s", there);
    }
    text_finish(&names);
    return NULL;
}

static void print_line(void *state, const char *text)
{
    fputs(text, stdout);
    fputc('\n', stdout);
}

/* The place of line @line of the script. */
static struct location line_location(const struct source *source, unsigned line)
{
    if (!source || line == 0 || line > source->line_count)
        return (struct location){0};
    uint32_t begin = source->line_starts[line - 1];
    uint32_t end = line < source->line_count ? source->line_starts[line] : (uint32_t)source->length;
    while (begin < end && (source->text[begin] == ' ' || source->text[begin] == '\t'))
        begin++;
    while (end > begin && strchr(" \t\r\n", source->text[end - 1]))
        end--;
    return (struct location){.source = source, .begin = begin, .end = end};
}

/* The frame's error as a diagnostic. */
static void report_error(struct session *s)
{
    const struct inlay_error *error = inlay_frame_error(s->frame);
    struct location loc = line_location(s->entry->loc.source, error->line);
    struct diag *diag = s->driver->diag;
    switch (error->kind) {
    case INLAY_ERROR_ARGUMENT:
        diag_report(diag, loc, RUN_ARGUMENT, error->message);
        break;
    case INLAY_ERROR_NONE:
    case INLAY_ERROR_SHAPE:
        diag_report(diag, loc, RUN_SHAPE, error->message);
        break;
    case INLAY_ERROR_BOUNDS:
        diag_report(diag, loc, RUN_BOUNDS, error->message);
        break;
    case INLAY_ERROR_ASSERT:
        diag_report(diag, loc, RUN_ASSERT, error->message);
        break;
    case INLAY_ERROR_PACKED:
        diag_report(diag, loc, RUN_PACKED, error->message);
        break;
    case INLAY_ERROR_MEMORY:
        diag_report(diag, loc, RUN_MEMORY, error->message);
        break;
    case INLAY_ERROR_DEPTH:
        diag_report(diag, loc, RUN_DEPTH, error->message);
        break;
    }
}

static bool compile(struct session *s)
{
    struct codegen_options codegen = {
        .opt_level = s->options->opt_level, .debug_info = true, .dump_llvm = s->options->dump_llvm};
    struct pass_watch watch = report_watch(s->options);
    const char *passes = s->options->passes ? s->options->passes : "default";
    double begin = cost_now();
    bool is_good = driver_run_passes(s->driver, &s->module, passes, s->options->inplace,
                                     &s->records, &watch) &&
                   driver_compile(s->driver, s->module, &codegen);
    s->cost.compile_ms = cost_now() - begin;
    return is_good;
}

/* One run in a new frame, by @entry or, if that is NULL, interpreted. */
static bool execute_once(struct session *s, inlay_entry_fn *entry, const struct inlay_value *args)
{
    struct inlay_host host = {.state = &s->packed, .find_packed = packed_find, .print = print_line};
    struct inlay_value *results = s->results.values.items;
    int32_t result_count = (int32_t)s->results.values.count;
    int32_t arg_count = (int32_t)s->inputs.values.count;

    if (s->frame)
        inlay_frame_destroy(s->frame);
    s->frame = inlay_frame_create(&host);
    if (!s->frame)
        FATAL("out of memory");
    double begin = cost_now();
    bool is_good = entry ? entry(s->frame, args, arg_count, results, result_count) == 0
                         : interp_run(s->driver->diag, s->entry, s->frame, args, arg_count, results,
                                      result_count);
    s->cost.run_ms = cost_now() - begin;
    if (!is_good && diag_error_count(s->driver->diag) == 0)
        report_error(s);
    return is_good;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All runs of --repeat; the cost is that of the median. */
static bool execute(struct session *s)
{
    inlay_entry_fn *entry = NULL;
    double *times = arena_array(&s->driver->arena, double, s->options->repeat);

    if (!s->options->is_interpreted && !(entry = driver_find(s->driver, s->entry->name)))
        return false;
    for (unsigned i = 0; i < s->options->repeat; i++) {
        if (!execute_once(s, entry, s->inputs.values.items))
            return false;
        times[i] = s->cost.run_ms;
    }
    qsort(times, s->options->repeat, sizeof(*times), compare_doubles);
    s->cost.run_ms = times[s->options->repeat / 2];
    return true;
}

/* ---- --check ---- */

static bool expect(struct session *s, bool is_equal, const char *what, struct text *why)
{
    if (!is_equal)
        diag_report(s->driver->diag, s->entry->loc, RUN_DIFFERENT, what, text_string(why));
    s->is_different |= !is_equal;
    text_finish(why);
    return is_equal;
}

/* Borrowed inputs must be as they were; a donated one may be overwritten. */
static bool check_inputs(struct session *s, const struct inlay_value *args)
{
    for (size_t i = 0; i < s->inputs.items.count; i++) {
        const struct input *input = &s->inputs.items.items[i];
        struct text why = {0};
        unsigned param = 0;

        while (s->entry->params[param] != input->param)
            param++;
        if (!inplace_is_donated(s->entry, param) &&
            !expect(s, values_equal(&s->given[i], &args[i], 1, &why),
                    arena_printf(&s->driver->arena, "input `%s` is not what it was", input->name),
                    &why))
            return false;
    }
    return true;
}

/* Before compilation changes the module: what the interpreter says. */
static bool check_prepare(struct session *s)
{
    s->given = values_copy(s->inputs.values.items, s->inputs.values.count);
    if (!execute_once(s, NULL, s->inputs.values.items) || !check_inputs(s, s->inputs.values.items))
        return false;
    s->expected = values_copy(s->results.values.items, s->results.values.count);
    return true;
}

/* Twice, since some mistakes need a first run to spoil something that lasts. */
static bool check_compiled(struct session *s)
{
    inlay_entry_fn *entry = driver_find(s->driver, s->entry->name);
    bool is_good = entry != NULL;

    for (unsigned i = 0; is_good && i < 2; i++) {
        struct inlay_value *args = values_copy(s->given, s->inputs.values.count);
        struct text why = {0};

        is_good = execute_once(s, entry, args) &&
                  expect(s,
                         values_equal(s->expected, s->results.values.items, s->results.values.count,
                                      &why),
                         i == 0 ? "the compiled result is not the interpreter's"
                                : "the second run gives another result",
                         &why) &&
                  check_inputs(s, args);
        values_free(args, s->inputs.values.count);
    }
    return is_good;
}

static bool run(struct session *s)
{
    s->module = report_load(s->options, s->driver);
    s->entry = s->module ? find_entry(s) : NULL;
    if (!s->entry)
        return false;
    if (!results_init(&s->results, s->entry->result)) {
        diag_report(s->driver->diag, s->entry->loc, INPUT_RESULT, s->entry->name,
                    ir_type_text(s->driver->context, s->entry->result));
        return false;
    }
    if (!inputs_make(&s->inputs, s->options, s->driver->context, s->driver->diag, s->entry) ||
        !packed_load(&s->packed, s->options, s->driver->diag))
        return false;
    if (s->options->is_checked && !check_prepare(s))
        return false;
    if (!s->options->is_interpreted && !compile(s))
        return false;
    if (s->options->is_checked && !s->options->is_interpreted && !check_compiled(s))
        return false;
    if (!execute(s))
        return false;
    if (s->options->out && !results_write(&s->results, s->options->out, s->driver->diag))
        return false;
    results_print(&s->results);
    cost_gather(&s->cost, s->module, &s->records, &s->inputs.dims, s->frame);
    cost_print(&s->cost, s->options->stats);
    return true;
}

int command_run(const struct cli_options *options)
{
    struct session s = {.options = options, .driver = driver_create()};
    bool is_good = run(&s);
    values_free(s.given, s.inputs.values.count);
    values_free(s.expected, s.results.values.count);
    if (s.frame)
        inlay_frame_destroy(s.frame);
    results_finish(&s.results);
    inputs_finish(&s.inputs);
    inplace_records_finish(&s.records);
    packed_finish(&s.packed);
    int status = report_finish(options, s.driver, s.module);
    if (s.is_different)
        return CLI_DIFFERENT;
    return is_good || status != CLI_OK ? status : CLI_WRONG;
}

/*
 * inlay reduce: the smallest script for which a command still succeeds.
 *
 * Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002) on
 * the IR: each kind of edit is tried on all of its places, then on halves, quarters, down to single ones,
 * and all kinds again until none helps.  A candidate counts only if it verifies, prints, parses
 * and is smaller; so what comes out is a script like any other, and the search ends.
 */
#include "cli/report.h"
#include "cli/shell.h"
#include "driver/reduce.h"
#include "ir/print.h"
#include "ir/verify.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Lines count first, then bytes, then the numbers in the text. */
struct size {
    size_t lines, bytes;
    double numbers;
};

struct reduce {
    const struct cli_options *options;
    struct shell shell;
    struct text text; /* the smallest so far */
    struct size size;
    unsigned tries;
};

static struct size measure(const char *text)
{
    struct size size = {.bytes = strlen(text)};

    for (const char *p = text; *p; p++) {
        size.lines += *p == '\n';
        if (isdigit((unsigned char)*p) && (p == text || !isalnum((unsigned char)p[-1])))
            size.numbers += strtod(p, NULL);
    }
    return size;
}

static bool is_smaller(struct size a, struct size b)
{
    if (a.lines != b.lines)
        return a.lines < b.lines;
    return a.bytes != b.bytes ? a.bytes < b.bytes : a.numbers < b.numbers;
}

/* Parses @text in a driver of its own, whose memory goes with it; NULL if it is not accepted. */
static struct ir_module *parse(struct driver *driver, const char *text)
{
    return driver_parse(driver, source_new(&driver->arena, "candidate", text, strlen(text)));
}

static void print(const struct ir_module *module, struct text *out)
{
    text_clear(out);
    ir_module_print(module, &ir_print_defaults, out);
}

/* Takes @text for the smallest if it is a script, is smaller, and the command succeeds. */
static bool try_text(struct reduce *reduce, const char *text)
{
    struct size size = measure(text);

    if (!is_smaller(size, reduce->size))
        return false;
    struct driver *driver = driver_create(&reduce->options->driver);
    struct ir_module *module = parse(driver, text);
    bool is_good = module && module->global_count > 0;

    ir_module_destroy(module);
    driver_destroy(driver);
    if (!is_good)
        return false;
    reduce->tries++;
    if (!shell_succeeds(&reduce->shell, text))
        return false;
    text_clear(&reduce->text);
    text_puts(&reduce->text, text);
    reduce->size = size;
    return true;
}

/* ---- edits of the module ---- */

static size_t count_places(struct reduce *reduce, const struct reduction *reduction)
{
    struct driver *driver = driver_create(&reduce->options->driver);
    struct ir_module *module = parse(driver, text_string(&reduce->text));
    size_t count = module ? reduction->count(module) : 0;

    ir_module_destroy(module);
    driver_destroy(driver);
    return count;
}

static bool try_edit(struct reduce *reduce, const struct reduction *reduction, size_t first,
                     size_t count)
{
    struct driver *driver = driver_create(&reduce->options->driver);
    struct ir_module *module = parse(driver, text_string(&reduce->text));
    struct text text = {0};

    /* what the edit broke must not reach the printer */
    if (module && reduction->apply(module, first, count) && ir_verify(module, driver->diag))
        print(module, &text);
    ir_module_destroy(module);
    driver_destroy(driver);
    bool is_good = text.length > 0 && try_text(reduce, text_string(&text));
    text_finish(&text);
    return is_good;
}

static bool reduce_by(struct reduce *reduce, const struct reduction *reduction)
{
    size_t count = count_places(reduce, reduction);
    bool is_changed = false;

    for (size_t chunk = reduction->is_single ? count > 0 : count; chunk > 0; chunk /= 2)
        for (size_t end = count; end > 0;) { /* from the end: what is used stands in front */
            size_t first = end > chunk ? end - chunk : 0;

            if (try_edit(reduce, reduction, first, end - first)) {
                is_changed = true;
                count = count_places(reduce, reduction);
                end = first < count ? first : count;
            } else {
                end = first;
            }
        }
    return is_changed;
}

/* ---- edits of the text: numbers, such as extents ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The next whole number at or behind @p, and where it ends; NULL if there is none. */
static const char *find_number(const char *text, const char *p, size_t *out_length)
{
    for (; *p; p++) {
        if (!isdigit((unsigned char)*p) || (p > text && is_word(p[-1])))
            continue;
        *out_length = strspn(p, "0123456789");
        if (!is_word(p[*out_length]))
            return p;
    }
    return NULL;
}

/* @text with @from, everywhere where it is a number of its own, as @to. */
static void replace_number(const char *text, long from, long to, struct text *out)
{
    const char *done = text;
    size_t length;

    for (const char *p = text; (p = find_number(text, p, &length)); p += length) {
        if (strtol(p, NULL, 10) != from)
            continue;
        text_append(out, done, (size_t)(p - done));
        text_printf(out, "%ld", to);
        done = p + length;
    }
    text_puts(out, done);
}

/* The largest number below @limit, -1 if there is none. */
static long largest_number(const char *text, long limit)
{
    long largest = -1;
    size_t length;

    for (const char *p = text; (p = find_number(text, p, &length)); p += length) {
        long number = length < 18 ? strtol(p, NULL, 10) : -1;

        if (number < limit && number > largest)
            largest = number;
    }
    return largest;
}

static bool try_number(struct reduce *reduce, long from, long to)
{
    struct text text = {0};

    replace_number(text_string(&reduce->text), from, to, &text);
    bool is_good = try_text(reduce, text_string(&text));
    text_finish(&text);
    return is_good;
}

static bool reduce_numbers(struct reduce *reduce)
{
    static const long small[] = {1, 2, 3, 4};
    bool is_changed = false;

    for (long number = largest_number(text_string(&reduce->text), 1000000000000); number > 1;
         number = largest_number(text_string(&reduce->text), number)) {
        bool is_done = false;

        for (size_t i = 0; i < ARRAY_SIZE(small) && small[i] < number && !is_done; i++)
            is_done = try_number(reduce, number, small[i]);
        for (long half = number / 2; half > 4 && !is_done; half /= 2)
            is_done = try_number(reduce, number, half);
        is_changed |= is_done;
    }
    return is_changed;
}

/* ---- the command ---- */

static void reduce_all(struct reduce *reduce)
{
    bool is_changed;

    do {
        is_changed = false;
        for (size_t i = 0; i < graph_reduction_count; i++)
            is_changed |= reduce_by(reduce, &graph_reductions[i]);
        for (size_t i = 0; i < kernel_reduction_count; i++)
            is_changed |= reduce_by(reduce, &kernel_reductions[i]);
        is_changed |= reduce_numbers(reduce);
    } while (is_changed);
}

static bool run_reduce(struct reduce *reduce, struct driver *driver, struct text *out)
{
    const struct cli_options *options = reduce->options;
    struct ir_module *module = report_load(options, driver);
    struct text text = {0};

    if (!module)
        return false;
    print(module, &text);
    ir_module_destroy(module);
    bool is_good = shell_open(&reduce->shell, options->keep, options->arguments.items[0]);
    if (!is_good)
        diag_report(driver->diag, (struct location){0}, OUTPUT_FAILED, "the folder for candidates",
                    "cannot be made");
    if (is_good && !shell_succeeds(&reduce->shell, text_string(&text))) {
        diag_note(diag_report(driver->diag, (struct location){0}, REDUCE_COMMAND, options->keep),
                  "%s", reduce->shell.how);
        is_good = false;
    }
    if (is_good) {
        size_t lines = measure(text_string(&text)).lines;

        text_puts(&reduce->text, text_string(&text));
        reduce->size = measure(text_string(&text));
        reduce_all(reduce);
        text_puts(out, text_string(&reduce->text));
        diag_report(driver->diag, (struct location){0}, REDUCE_DONE, (unsigned)lines,
                    (unsigned)reduce->size.lines, reduce->tries);
    }
    text_finish(&text);
    return is_good;
}

int command_reduce(const struct cli_options *options)
{
    struct reduce reduce = {.options = options};
    struct text out = {0};

    if (!options->keep)
        return cli_usage_error(options,
                               "which command? --keep 'inlay run --check {}', for example");
    struct driver *driver = driver_create(&options->driver);
    if (run_reduce(&reduce, driver, &out))
        report_output(options, driver, &out);
    shell_close(&reduce.shell);
    text_finish(&reduce.text);
    text_finish(&out);
    return report_finish(options, driver, NULL);
}

/*
 * inlay bisect: which pass makes a script mean something else?
 *
 * All passes run once, and the module behind each that changed something is kept.  The end is asked
 * first: where it means the same, no more is to be found out.  Else halves are asked, till a pass is
 * found behind which the module means something else, and in front of it not; the interpreter has
 * the last word on that.  Two passes that undo each other are only found with --all, which asks
 * behind each pass in order.
 *
 * If no pass is to blame the code generator is asked: its code has the bits of plain code.
 */
#include "cli/crash.h"
#include "cli/report.h"
#include "driver/compare.h"
#include "driver/meaning.h"
#include "ir/build.h"
#include "ir/print.h"
#include "passes/text_diff.h"

#include <string.h>

/* A pass, as it ran. */
struct step {
    const char *text;
    struct ir_module *module; /* behind it; NULL: it changed nothing */
    const char *verdict;      /* NULL: it was not asked */
};

struct bisect {
    const struct cli_options *options;
    struct session session;
    struct meaning meaning;
    struct ir_module *script;
    struct text before; /* the module in front of the pass that runs */
    const char *pass;   /* it, as one would write it */
    array(struct step) steps;
    bool has_found;
};

/* Data that are large have names of their contents. */
static void print_module(const struct ir_module *module, struct text *out)
{
    struct ir_print_options options = ir_print_defaults;

    options.refers_above = 256;
    text_clear(out);
    ir_module_print(module, &options, out);
}

/* ---- the passes ---- */

static void enter(void *observer, const char *done, const char *pass)
{
    struct bisect *bisect = observer;
    struct arena *arena = &bisect->session.driver->arena;

    crash_set_pass(NULL, done, pass);
    bisect->pass = pass ? arena_copy_text(arena, pass, strlen(pass)) : NULL;
}

static bool leave(void *observer, struct pass_run *run)
{
    struct bisect *bisect = observer;
    struct text after = {0};
    struct step step = {.text = bisect->pass};

    print_module(run->module, &after);
    if (strcmp(text_string(&after), text_string(&bisect->before)) != 0)
        step.module = ir_module_clone(run->module);
    text_finish(&bisect->before);
    bisect->before = after;
    array_push(&bisect->steps, step);
    return true;
}

/* ---- questions ---- */

/* The module behind the first @count passes. */
static const struct ir_module *module_behind(const struct bisect *bisect, size_t count)
{
    while (count > 0 && !bisect->steps.items[count - 1].module)
        count--;
    return count > 0 ? bisect->steps.items[count - 1].module : bisect->script;
}

static const char *verdict_text(struct bisect *bisect, enum meaning_verdict verdict,
                                const struct text *why)
{
    return verdict == MEANING_SAME ? "the same"
           : verdict == MEANING_NONE
               ? "cannot be run any more"
               : arena_copy_text(&bisect->session.driver->arena, text_string(why), why->length);
}

static bool is_same_behind(struct bisect *bisect, size_t count, bool by_interpreter)
{
    struct diag *diag = bisect->session.driver->diag;
    size_t messages = diag_message_count(diag);
    struct text why = {0};
    enum meaning_verdict verdict =
        meaning_of(&bisect->meaning, module_behind(bisect, count), by_interpreter, &why);

    for (size_t i = count; i > 0; i--) /* what it stands for changed nothing since */
        if (bisect->steps.items[i - 1].module || i == 1) {
            bisect->steps.items[i - 1].verdict = verdict_text(bisect, verdict, &why);
            break;
        }
    if (verdict != MEANING_NONE || count < bisect->steps.count)
        diag_truncate(diag, messages);
    text_finish(&why);
    return verdict == MEANING_SAME;
}

/* The number of the pass to blame, from 1; 0: none. */
static size_t search_halves(struct bisect *bisect, bool by_interpreter)
{
    size_t good = 0, bad = bisect->steps.count;

    if (bad == 0 || is_same_behind(bisect, bad, by_interpreter))
        return 0;
    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;

        if (module_behind(bisect, middle) == module_behind(bisect, good))
            good = middle;
        else if (module_behind(bisect, middle) == module_behind(bisect, bad))
            bad = middle;
        else if (is_same_behind(bisect, middle, by_interpreter))
            good = middle;
        else
            bad = middle;
    }
    return bad;
}

static size_t search_all(struct bisect *bisect)
{
    for (size_t i = 1; i <= bisect->steps.count; i++)
        if (bisect->steps.items[i - 1].module && !is_same_behind(bisect, i, false))
            return i;
    return 0;
}

/* What compiled code says of a pass may be a mistake of its own. */
static bool is_confirmed(struct bisect *bisect, size_t blamed)
{
    return bisect->meaning.is_small ||
           (is_same_behind(bisect, blamed - 1, true) && !is_same_behind(bisect, blamed, true));
}

static size_t search(struct bisect *bisect)
{
    size_t blamed = bisect->options->is_all ? search_all(bisect) : search_halves(bisect, false);

    if (blamed > 0 && !is_confirmed(bisect, blamed))
        blamed = search_halves(bisect, true);
    bisect->has_found = blamed > 0;
    return blamed;
}

/* ---- what is printed ---- */

static void print_steps(const struct bisect *bisect, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct step *step = &bisect->steps.items[i];

        printf("%3zu  %-28s %s\n", i + 1, step->text,
               !step->module   ? "no change"
               : step->verdict ? step->verdict
                               : "not asked");
    }
}

static void print_difference(const struct bisect *bisect, const char *before, const char *after)
{
    struct text difference = {0};

    text_diff(before, after, report_is_colored(bisect->options, stdout), &difference);
    fputs(text_string(&difference), stdout);
    text_finish(&difference);
}

static void print_blame(const struct bisect *bisect, size_t blamed)
{
    struct text before = {0}, after = {0};

    print_steps(bisect, blamed);
    print_module(module_behind(bisect, blamed - 1), &before);
    print_module(module_behind(bisect, blamed), &after);
    print_difference(bisect, text_string(&before), text_string(&after));
    text_finish(&before);
    text_finish(&after);
}

/* ---- code ---- */

/* What compiled code must have to the last bit: of the interpreter, or of plain code. */
static struct inlay_value *plain_results(struct bisect *bisect, const struct ir_module *module)
{
    struct session *s = &bisect->session;
    struct text why = {0};
    struct inlay_value *results = NULL;

    if (!bisect->meaning.is_small)
        return meaning_compiled(&bisect->meaning, module, 0, true);
    struct ir_module *copy = ir_module_clone(module);
    struct ir_function *function = session_entry(s, copy);
    if (function && session_execute(s, function, NULL, bisect->meaning.args))
        results = values_copy(s->results.values.items, s->results.values.count, NULL);
    ir_module_destroy(copy);
    text_finish(&why);
    return results;
}

static bool check_code(struct bisect *bisect, const struct ir_module *module)
{
    struct session *s = &bisect->session;
    size_t count = s->results.values.count;
    struct text why = {0};

    for (size_t i = 0; i < s->inputs.values.count; i++)
        values_restore(&bisect->meaning.args[i], &bisect->meaning.given[i]);
    struct inlay_value *plain = plain_results(bisect, module);
    struct inlay_value *code =
        plain ? meaning_compiled(&bisect->meaning, module, s->options->opt_level, false) : NULL;
    bool is_good = code != NULL, is_equal = is_good && values_equal(plain, code, count, &why);

    if (is_good)
        printf("     %-28s %s\n", "compiled code", is_equal ? "the same" : "another result");
    if (is_good && !is_equal) {
        diag_report(s->driver->diag, s->entry->loc, RUN_DIFFERENT,
                    "the compiled result is not the interpreter's", text_string(&why));
        bisect->has_found = true;
    }
    values_free(plain, count);
    values_free(code, count);
    text_finish(&why);
    return is_equal;
}

/* ---- the command ---- */

/* Runs all passes; false after a report: of a pass that broke the module, if that is so. */
static bool run_passes(struct bisect *bisect)
{
    struct session *s = &bisect->session;
    struct pass_watch watch = report_watch(bisect->options);

    watch.observer = bisect;
    watch.enter = enter;
    watch.leave = leave;
    bisect->script = ir_module_clone(s->module);
    print_module(s->module, &bisect->before);
    return session_run_passes(s, NULL, &watch);
}

/* A pass that was stopped by the verifier is to blame whatever the others do. */
static void print_broken(struct bisect *bisect)
{
    struct text after = {0};

    if (!diag_has(bisect->session.driver->diag, DIAG_PASS_BROKE_MODULE) || bisect->has_found)
        return;
    print_steps(bisect, bisect->steps.count);
    printf("%3zu  %-28s %s\n", bisect->steps.count + 1, bisect->pass,
           "leaves a module that is not well-formed");
    print_module(bisect->session.module, &after);
    print_difference(bisect, text_string(&bisect->before), text_string(&after));
    text_finish(&after);
    bisect->has_found = true;
}

static bool run_bisect(struct bisect *bisect)
{
    struct session *s = &bisect->session;

    if (!report_open(bisect->options, s) || !meaning_open(&bisect->meaning, s))
        return false;
    bool is_good = run_passes(bisect);
    size_t blamed = search(bisect);

    if (blamed > 0) {
        print_blame(bisect, blamed);
        return false;
    }
    if (!is_good) {
        print_broken(bisect);
        return false;
    }
    print_steps(bisect, bisect->steps.count);
    return check_code(bisect, module_behind(bisect, bisect->steps.count));
}

int command_bisect(const struct cli_options *options)
{
    struct bisect bisect = {.options = options};
    bool is_good = run_bisect(&bisect);

    meaning_close(&bisect.meaning);
    for (size_t i = 0; i < bisect.steps.count; i++)
        ir_module_destroy(bisect.steps.items[i].module);
    array_finish(&bisect.steps);
    ir_module_destroy(bisect.script);
    text_finish(&bisect.before);
    session_close(&bisect.session);
    int status = report_finish(options, bisect.session.driver, bisect.session.module);
    if (status == CLI_INTERNAL)
        return status;
    if (bisect.has_found)
        return CLI_DIFFERENT;
    return is_good || status != CLI_OK ? status : CLI_WRONG;
}

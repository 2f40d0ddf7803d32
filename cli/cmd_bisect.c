/*
 * inlay bisect: which pass makes a script mean something else?
 *
 * The interpreter runs the module behind each pass; the first one whose results are not those of the
 * script is named, with what it changed.  If none is, the code generator is asked: compiled code has
 * the bits that the interpreter computes from the last module, or it is to blame.
 */
#include "cli/crash.h"
#include "cli/report.h"
#include "driver/check.h"
#include "driver/compare.h"
#include "ir/print.h"
#include "passes/text_diff.h"

#include <stdlib.h>
#include <string.h>

struct bisect {
    struct session session;
    struct check check;
    struct text before; /* the module in front of the pass that runs */
    struct text pass;   /* it, as one would write it */
    unsigned number;    /* of it, from 1 */
    bool has_found;
};

static void print_module(const struct ir_module *module, struct text *out)
{
    text_clear(out);
    ir_module_print(module, &ir_print_defaults, out);
}

static void print_verdict(const struct bisect *bisect, const char *verdict)
{
    printf("%3u  %-28s %s\n", bisect->number, text_string(&bisect->pass), verdict);
}

/* The pass that is to blame, and what it changed. */
static void print_blame(struct bisect *bisect, const struct ir_module *module, const char *verdict)
{
    struct text after = {0}, difference = {0};

    print_verdict(bisect, verdict);
    print_module(module, &after);
    text_diff(text_string(&bisect->before), text_string(&after), report_is_colored(stdout),
              &difference);
    fputs(text_string(&difference), stdout);
    text_finish(&after);
    text_finish(&difference);
    bisect->has_found = true;
}

static void enter(void *observer, const char *done, const char *pass)
{
    struct bisect *bisect = observer;

    crash_set_pass(NULL, done, pass);
    if (!pass)
        return;
    bisect->number++;
    text_clear(&bisect->pass);
    text_puts(&bisect->pass, pass);
}

static bool leave(void *observer, struct pass_run *run)
{
    struct bisect *bisect = observer;
    struct session *s = &bisect->session;
    struct ir_function *function = session_entry(s, run->module);
    size_t count = s->results.values.count;
    struct text why = {0};

    /* a call for its effect may write donated inputs: each run gets its own */
    struct inlay_value *args =
        values_copy(bisect->check.given, s->inputs.values.count, s->inputs.rooms.items);
    bool is_good = function && session_execute(s, function, NULL, args);
    bool is_close = is_good && values_close(bisect->check.expected, s->results.values.items, count,
                                            s->options->tolerance, &why);

    values_free(args, s->inputs.values.count);
    if (!is_good) {
        print_blame(bisect, run->module, "cannot be run any more");
        return false;
    }
    if (is_close) {
        print_verdict(bisect, "the same");
        print_module(run->module, &bisect->before);
        return true;
    }
    print_blame(bisect, run->module, text_string(&why));
    text_finish(&why);
    return false;
}

static bool check_compiled(struct bisect *bisect)
{
    bool is_good = check_passes(&bisect->check) && session_compile(&bisect->session) &&
                   check_code(&bisect->check);

    bisect->has_found |= bisect->check.is_different;
    if (is_good)
        printf("     %-28s the same\n", "compiled code");
    else if (bisect->check.is_different)
        printf("     %-28s another result\n", "compiled code");
    return is_good;
}

static bool run_bisect(struct bisect *bisect, const struct cli_options *options)
{
    struct session *s = &bisect->session;
    struct pass_watch watch = report_watch(options);

    watch.observer = bisect;
    watch.enter = enter;
    watch.leave = leave;
    if (!report_open(options, s) || !check_script(&bisect->check, s))
        return false;
    print_module(s->module, &bisect->before);
    if (session_run_passes(s, NULL, &watch))
        return check_compiled(bisect);
    if (!bisect->has_found && diag_has(s->driver->diag, DIAG_PASS_BROKE_MODULE))
        print_blame(bisect, s->module, "leaves a module that is not well-formed");
    return false;
}

int command_bisect(const struct cli_options *options)
{
    struct bisect bisect = {0};
    bool is_good = run_bisect(&bisect, options);

    check_finish(&bisect.check);
    text_finish(&bisect.before);
    text_finish(&bisect.pass);
    session_close(&bisect.session);
    int status = report_finish(options, bisect.session.driver, bisect.session.module);
    if (status == CLI_INTERNAL)
        return status;
    if (bisect.has_found)
        return CLI_DIFFERENT;
    return is_good || status != CLI_OK ? status : CLI_WRONG;
}

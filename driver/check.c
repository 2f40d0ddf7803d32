/* See check.h. */
#include "driver/check.h"

#include "driver/compare.h"

/* What nothing has written is another number in each run: then nobody is to blame but the script, which was told. */
static bool reads_unwritten(const struct diag *diag)
{
    return diag_has(diag, DIAG_KERNEL_UNWRITTEN) || diag_has(diag, DIAG_KERNEL_UNSET_READ) ||
           diag_has(diag, DIAG_KERNEL_UNWRITTEN_BRANCH);
}

static void report_unwritten(struct check *check, const char *why)
{
    struct diag_message *message =
        diag_report(check->session->driver->diag, check->session->entry->loc, RUN_UNWRITTEN, why);

    diag_help(message, "mend what the warnings name first");
}

/* The donated inputs may be overwritten, the others must be as they were. */
static bool check_inputs(struct check *check, const struct inlay_value *args, bool is_compiled)
{
    struct session *s = check->session;
    bool is_good = true;

    for (size_t i = 0; is_good && i < s->inputs.items.count; i++) {
        const struct input *input = &s->inputs.items.items[i];
        struct text why = {0};

        is_good = s->is_donated[i] || values_equal(&check->given[i], &args[i], 1, &why);
        if (!is_good) {
            struct diag_message *message = diag_report(
                s->driver->diag, s->entry->loc, RUN_DIFFERENT,
                arena_printf(&s->driver->arena, "input `%s` is not what it was", input->name),
                text_string(&why));
            if (!is_compiled)
                diag_help(message,
                          "a call for its effect writes it: give the call a copy, R.copy(..), "
                          "or donate it with `relax.inplace_arg`");
        }
        text_finish(&why);
    }
    check->is_different |= !is_good;
    return is_good;
}

/*
 * Interprets @function on copies of the inputs, since a call for its effect may write donated ones; a copy
 * of the results, or NULL after a report.
 */
static struct inlay_value *interpret(struct check *check, struct ir_function *function)
{
    struct session *s = check->session;
    struct inlay_value *args =
        values_copy(check->given, s->inputs.values.count, s->inputs.rooms.items);
    bool is_good = session_execute(s, function, NULL, args) && check_inputs(check, args, false);
    struct inlay_value *results =
        is_good ? values_copy(s->results.values.items, s->results.values.count, NULL) : NULL;

    values_free(args, s->inputs.values.count);
    return results;
}

bool check_script(struct check *check, struct session *session)
{
    *check = (struct check){.session = session};
    check->given = values_copy(session->inputs.values.items, session->inputs.values.count, NULL);
    check->expected = interpret(check, session->entry);
    return check->expected != NULL;
}

bool check_passes(struct check *check)
{
    struct session *s = check->session;
    struct ir_function *function = session_entry(s, s->module);
    struct text why = {0};

    bool is_good = true;

    check->final = function ? interpret(check, function) : NULL;
    if (!check->final)
        return false;
    if (!values_close(check->expected, check->final, s->results.values.count, s->options->tolerance,
                      &why)) {
        is_good = false;
        if (reads_unwritten(s->driver->diag)) {
            report_unwritten(check, text_string(&why));
        } else {
            diag_report(s->driver->diag, s->entry->loc, RUN_PASSES, text_string(&why));
            check->is_different = true;
        }
    }
    text_finish(&why);
    return is_good;
}

static bool check_run(struct check *check, struct ir_function *function, inlay_entry_fn *entry,
                      const char *what)
{
    struct session *s = check->session;
    struct inlay_value *args =
        values_copy(check->given, s->inputs.values.count, s->inputs.rooms.items);
    bool is_good = session_execute(s, function, entry, args);
    struct text why = {0};

    if (is_good &&
        !values_equal(check->final, s->results.values.items, s->results.values.count, &why)) {
        is_good = false;
        if (reads_unwritten(s->driver->diag)) {
            report_unwritten(check, text_string(&why));
        } else {
            diag_report(s->driver->diag, s->entry->loc, RUN_DIFFERENT, what, text_string(&why));
            check->is_different = true;
        }
    }
    is_good = is_good && check_inputs(check, args, true);
    text_finish(&why);
    values_free(args, s->inputs.values.count);
    return is_good;
}

bool check_code(struct check *check)
{
    struct session *s = check->session;
    struct ir_function *function = session_entry(s, s->module);
    inlay_entry_fn *entry = function ? driver_find(s->driver, function->name) : NULL;

    return entry &&
           check_run(check, function, entry, "the compiled result is not the interpreter's") &&
           check_run(check, function, entry, "the second run gives another result");
}

void check_finish(struct check *check)
{
    if (!check->session)
        return;
    values_free(check->given, check->session->inputs.values.count);
    values_free(check->expected, check->session->results.values.count);
    values_free(check->final, check->session->results.values.count);
}

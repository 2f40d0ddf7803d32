/*
 * What may be watched while passes run.
 *
 * Everything that looks at the module works on its text, so that each watch also tests the printer,
 * and round trips the parser.
 */
#include "analysis/verify_storage/verify_storage.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/internal.h"

#include <string.h>
#include <time.h>

double now_ms(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* ---- sizes ---- */

static bool count_op(void *state, struct ir_op *op)
{
    (*(size_t *)state)++;
    return op != NULL;
}

static bool count_statement(void *state, struct tir_stmt *stmt)
{
    *(size_t *)state += stmt->kind != TIR_SEQ;
    return true;
}

struct step_size watch_count(const struct ir_module *module)
{
    struct step_size size = {0};

    for (size_t i = 0; i < module->global_count; i++) {
        const struct ir_global *global = module->globals[i];

        if (global->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(global->function->body, count_op, &size.ops);
        else if (global->kind == IR_GLOBAL_KERNEL)
            tir_stmt_walk(global->kernel->body, count_statement, &size.statements);
    }
    return size;
}

/* ---- text ---- */

static void say(struct pass_session *session, const char *name, const char *what, const char *body)
{
    struct text text = {0};

    text_printf(&text, "# ---- %s %s ----\n%s", what, name, body);
    session->watch->write(session->watch->state, text_string(&text));
    text_finish(&text);
}

/* Large data are named, not shown: a watch on a model must not print all its weights each time. */
enum { SHOWN_BYTES = 4096 };

static void print(const struct ir_module *module, struct text *out)
{
    struct ir_print_options options = ir_print_defaults;

    options.refers_above = SHOWN_BYTES;
    text_clear(out);
    ir_module_print(module, &options, out);
}

/* The data that the dumped text names. */
static bool save_data(struct pass_session *session)
{
    const struct ir_module *module = session->run->module;
    bool is_saved = true;

    for (size_t i = 0; i < module->constant_count && is_saved; i++)
        if (module->constants[i]->bytes > SHOWN_BYTES)
            is_saved = session->watch->save_data(session->watch->state, session->watch->dump_folder,
                                                 module->constants[i]->store);
    return is_saved;
}

static bool dump(struct pass_session *session, const char *name, const char *body)
{
    struct text path = {0};

    text_printf(&path, "%s/%03u_%s.py", session->watch->dump_folder, session->number, name);
    bool is_saved =
        session->watch->save(session->watch->state, text_string(&path), body) && save_data(session);
    text_finish(&path);
    return is_saved;
}

/* ---- checks ---- */

/*
 * Behind a pass that makes calls in place what they say, or wants them to be, they must be right
 * as they stand.  Other passes see values: common subexpressions may join two copies, say, if
 * ResolveInplace comes again.
 */
static enum verify_storage_mode storage_mode(const struct pass_info *pass)
{
    bool is_resolved = pass && (name_is_listed(pass->gives, "resolved") ||
                                name_is_listed(pass->needs, "resolved"));

    return is_resolved ? VERIFY_STORAGE_RESOLVED : VERIFY_STORAGE_VALUES;
}

static bool verify(struct pass_session *session, const char *name)
{
    struct pass_run *run = session->run;
    double start = now_ms();
    bool is_fine = ir_verify(run->module, run->diag);

    if (is_fine && session->watch->verify_each)
        is_fine = inplace_check_kernels(run->module, run->diag) &&
                  inplace_check_donations(run->module, run->diag) &&
                  verify_storage_check(run->module, storage_mode(run->pass), run->diag);
    session->verify_ms += now_ms() - start;
    if (!is_fine)
        diag_report(run->diag, (struct location){0}, PASS_BROKE_MODULE, name);
    return is_fine;
}

/* Goes on with what the module's text parses to. */
static bool round_trip(struct pass_session *session, const char *name, const char *body)
{
    struct pass_run *run = session->run;
    struct ir_module *copy = session->watch->reparse(session->watch->state, run->module, body);
    struct text again = {0};

    if (!copy) {
        diag_report(run->diag, (struct location){0}, PASS_ROUND_TRIP, name);
        return false;
    }
    array_push(&run->retired, run->module);
    run->module = copy;
    print(copy, &again);
    bool is_same = strcmp(text_string(&again), body) == 0;
    if (!is_same) {
        struct text difference = {0};

        text_diff(body, text_string(&again), false, &difference);
        diag_note(diag_report(run->diag, (struct location){0}, PASS_ROUND_TRIP, name),
                  "it parses to another module:\n%s", text_string(&difference));
        text_finish(&difference);
    }
    text_finish(&again);
    return is_same;
}

/* ---- the places where the runner calls ---- */

bool watch_start(struct pass_session *session)
{
    const struct pass_watch *watch = session->watch;
    struct text text = {0};
    bool is_fine = !watch->verify_each || verify(session, "input");

    if (is_fine && watch->dump_folder) {
        print(session->run->module, &text);
        is_fine = dump(session, "input", text_string(&text));
    }
    text_finish(&text);
    return is_fine;
}

void watch_before(struct pass_session *session, const char *name, struct text *before)
{
    const struct pass_watch *watch = session->watch;

    if (watch->print_changed || watch->check_each || watch->roundtrip_each ||
        name_is_listed(watch->print_before, name))
        print(session->run->module, before);
    if (name_is_listed(watch->print_before, name))
        say(session, name, "before", text_string(before));
}

static void say_change(struct pass_session *session, const char *name, const char *before,
                       const char *after)
{
    struct text difference = {0};

    text_diff(before, after, session->watch->use_color, &difference);
    say(session, name, difference.length > 0 ? "changed by" : "not changed by",
        text_string(&difference));
    text_finish(&difference);
}

bool watch_after(struct pass_session *session, const char *name, enum pass_result *result,
                 const struct text *before)
{
    const struct pass_watch *watch = session->watch;
    struct pass_run *run = session->run;
    struct text after = {0};
    bool is_fine = true;

    if ((*result == PASS_CHANGED || watch->verify_each) && !verify(session, name))
        return false;
    if (!before->data && !watch->print_after && !watch->dump_folder && !watch->roundtrip_each)
        return true;
    print(run->module, &after);
    bool is_same = before->data && strcmp(text_string(before), text_string(&after)) == 0;
    if (watch->check_each && *result == PASS_UNCHANGED && !is_same) {
        diag_report(run->diag, (struct location){0}, PASS_UNTRUE, name);
        is_fine = false;
    }
    if (watch->print_changed)
        say_change(session, name, text_string(before), text_string(&after));
    if (name_is_listed(watch->print_after, name))
        say(session, name, "after", text_string(&after));
    if (watch->dump_folder)
        is_fine &= dump(session, name, text_string(&after));
    /* what is not in the text comes back with the copy: a fixed point would wait for it in vain */
    if (watch->roundtrip_each && is_same)
        *result = PASS_UNCHANGED;
    if (is_fine && watch->roundtrip_each)
        is_fine = round_trip(session, name, text_string(&after));
    text_finish(&after);
    return is_fine;
}

/* ---- --time-passes ---- */

static void put_row(struct text *out, double ms, double total, struct step_size before,
                    struct step_size after)
{
    text_printf(out, "# %10.3f ms %5.1f %%  %6zu -> %-6zu %6zu -> %-6zu", ms,
                total > 0 ? 100 * ms / total : 0, before.ops, after.ops, before.statements,
                after.statements);
}

static void put_step(struct text *out, const struct step *step, double total, unsigned depth)
{
    if (step->runs == 0)
        return;
    put_row(out, step->ms, total, step->before, step->after);
    text_printf(out, " %*s%s", (int)(2 * depth), "", step->name);
    if (step->kind == STEP_FIX)
        text_printf(out, ", %u round%s", step->rounds, step->rounds == 1 ? "" : "s");
    else if (step->runs > 1)
        text_printf(out, ", %u times", step->runs);
    text_putc(out, '\n');
    for (size_t i = 0; i < step->children.count; i++)
        put_step(out, step->children.items[i], total, depth + 1);
}

void watch_times(struct pass_session *session, const struct step *root)
{
    struct text text = {0};
    double total = root->ms + session->verify_ms;

    text_printf(
        &text,
        "# ---- %u passes ----\n#          time      %%        operators        statements  step\n",
        session->number);
    put_step(&text, root, total, 0);
    text_printf(&text, "# %10.3f ms %5.1f %%  %34s verification\n", session->verify_ms,
                total > 0 ? 100 * session->verify_ms / total : 0, "");
    session->watch->write(session->watch->state, text_string(&text));
    text_finish(&text);
}

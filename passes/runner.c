/*
 * The runner: pass after pass, and what may be watched on the way.
 *
 * Everything that looks at the module works on its text, so that each watch also tests the printer,
 * and round trips the parser.
 */
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/internal.h"

#include <string.h>
#include <time.h>

bool name_is_listed(const char *names, const char *name)
{
    size_t length = strlen(name);

    if (!names)
        return false;
    if (strcmp(names, "*") == 0)
        return true;
    for (const char *p = names; *p; p += strcspn(p, ","), p += *p == ',')
        if (strcspn(p, ",") == length && strncmp(p, name, length) == 0)
            return true;
    return false;
}

/* What one pass did, for --time-passes. */
struct timing {
    const char *name;
    double ms;
    unsigned before, after; /* ops */
};

struct session {
    struct pass_run *run;
    const struct pass_watch *watch;
    array(struct timing) timings;
    unsigned number; /* of the pass in work, from 1 */
};

static double now_ms(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static bool count_op(void *state, struct ir_op *op)
{
    (*(unsigned *)state)++;
    return op != NULL;
}

static unsigned count_ops(const struct ir_module *module)
{
    unsigned count = 0;

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, count_op, &count);
    return count;
}

static void say(struct session *session, const char *name, const char *what, const char *body)
{
    struct text text = {0};

    text_printf(&text, "# ---- %s %s ----\n%s", what, name, body);
    session->watch->write(session->watch->state, text_string(&text));
    text_finish(&text);
}

static bool dump(struct session *session, const char *name, const char *body)
{
    struct text path = {0};

    text_printf(&path, "%s/%03u_%s.py", session->watch->dump_folder, session->number, name);
    bool is_saved = session->watch->save(session->watch->state, text_string(&path), body);
    text_finish(&path);
    return is_saved;
}

static void print(const struct ir_module *module, struct text *out)
{
    text_clear(out);
    ir_module_print(module, &ir_print_defaults, out);
}

/* Goes on with what the module's text parses to. */
static bool round_trip(struct session *session, const char *name, const char *body)
{
    struct pass_run *run = session->run;
    struct ir_module *copy = session->watch->reparse(session->watch->state, run->module, body);

    if (!copy) {
        diag_report(run->diag, (struct location){0}, PASS_ROUND_TRIP, name);
        return false;
    }
    array_push(&run->retired, run->module);
    run->module = copy;
    return true;
}

/* After a pass: verify, compare, show, save, round trip. */
static bool look(struct session *session, const char *name, enum pass_result result,
                 const struct text *before)
{
    const struct pass_watch *watch = session->watch;
    struct pass_run *run = session->run;
    struct text after = {0};
    bool is_fine = true;

    if (result == PASS_CHANGED && watch->verify_each && !ir_verify(run->module, run->diag)) {
        diag_report(run->diag, (struct location){0}, PASS_BROKE_MODULE, name);
        return false;
    }
    if (!before->data && !watch->print_after && !watch->dump_folder && !watch->roundtrip_each)
        return true;
    print(run->module, &after);
    if (watch->check_each && result == PASS_UNCHANGED &&
        strcmp(text_string(before), text_string(&after)) != 0) {
        diag_report(run->diag, (struct location){0}, PASS_UNTRUE, name);
        is_fine = false;
    }
    if (watch->print_changed) {
        struct text difference = {0};

        text_diff(text_string(before), text_string(&after), watch->use_color, &difference);
        say(session, name, difference.length > 0 ? "changed by" : "not changed by",
            text_string(&difference));
        text_finish(&difference);
    }
    if (name_is_listed(watch->print_after, name))
        say(session, name, "after", text_string(&after));
    if (watch->dump_folder)
        is_fine &= dump(session, name, text_string(&after));
    if (is_fine && watch->roundtrip_each)
        is_fine = round_trip(session, name, text_string(&after));
    text_finish(&after);
    return is_fine;
}

static bool run_step(struct session *session, const struct step *step)
{
    const struct pass_watch *watch = session->watch;
    struct pass_run *run = session->run;
    const char *name = step->pass->name;
    struct text before = {0};
    struct timing timing = {.name = name};

    if (!property_check(run->module, run->diag, step->pass->needs, name))
        return false;
    if (watch->print_changed || watch->check_each || name_is_listed(watch->print_before, name))
        print(run->module, &before);
    if (name_is_listed(watch->print_before, name))
        say(session, name, "before", text_string(&before));
    timing.before = watch->time_passes ? count_ops(run->module) : 0;
    double start = now_ms();

    run->pass = step->pass;
    run->options = step->options;
    enum pass_result result = step->pass->run(run);

    timing.ms = now_ms() - start;
    timing.after = watch->time_passes ? count_ops(run->module) : 0;
    array_push(&session->timings, timing);
    arena_finish(&run->scratch);
    bool is_fine = result != PASS_FAILED && look(session, name, result, &before);
    text_finish(&before);
    return is_fine;
}

static void print_times(struct session *session)
{
    struct text text = {0};
    double total = 0;

    for (size_t i = 0; i < session->timings.count; i++)
        total += session->timings.items[i].ms;
    text_printf(&text, "# ---- %u passes, %.3f ms ----\n", (unsigned)session->timings.count, total);
    for (size_t i = 0; i < session->timings.count; i++) {
        const struct timing *timing = &session->timings.items[i];

        text_printf(&text, "#   %10.3f ms %5.1f %%  %-24s %u -> %u ops\n", timing->ms,
                    total > 0 ? 100 * timing->ms / total : 0, timing->name, timing->before,
                    timing->after);
    }
    session->watch->write(session->watch->state, text_string(&text));
    text_finish(&text);
}

bool pass_run_pipeline(struct pass_run *run, const char *pipeline, const struct pass_watch *watch)
{
    struct session session = {.run = run, .watch = watch};
    struct steps steps = {0};
    bool is_fine = pipeline_read(run, pipeline, &steps);

    for (size_t i = 0; is_fine && i < steps.count; i++) {
        if (watch->stop_after > 0 && session.number == watch->stop_after)
            break;
        if (name_is_listed(watch->skip, steps.items[i].pass->name))
            continue;
        session.number++;
        is_fine = run_step(&session, &steps.items[i]);
    }
    if (watch->time_passes)
        print_times(&session);
    array_finish(&session.timings);
    array_finish(&steps);
    return is_fine;
}

void pass_run_finish(struct pass_run *run)
{
    for (size_t i = 0; i < run->retired.count; i++)
        ir_module_destroy(run->retired.items[i]);
    array_finish(&run->retired);
    arena_finish(&run->scratch);
}

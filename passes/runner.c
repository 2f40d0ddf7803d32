/* The runner: step after step, fixed points until they settle; what is watched is in watch.c. */
#include "passes/internal.h"
#include "passes/memory/kill_after_last_use.h"

#include <string.h>

/*
 * Who moves uses of values about does not know where their lives end: that is written again afterwards, by
 * the pass or the one who runs the module.  True if ends were there.
 */
static bool forget_ends(struct pass_run *run, const struct pass_info *pass)
{
    bool moves_values = pass->folder == PASS_FOLDER_graph || pass->folder == PASS_FOLDER_fuse;

    return moves_values && kill_nothing(run->module);
}

static bool run_pass(struct pass_session *session, struct step *step)
{
    const struct pass_watch *watch = session->watch;
    struct pass_run *run = session->run;
    struct text before = {0};

    if (!property_check(run->module, run->diag, step->loc, step->pass->needs, step->name))
        return false;
    session->number++;
    if (watch->enter)
        watch->enter(watch->observer, text_string(&session->done), step->text);
    watch_before(session, step->name, &before);
    double start = now_ms();

    size_t messages = diag_message_count(run->diag);

    bool has_lost = forget_ends(run, step->pass);

    run->pass = step->pass;
    run->options = step->options;
    enum pass_result result = step->pass->run(run);

    if (result == PASS_UNCHANGED && has_lost)
        result = PASS_CHANGED;

    diag_locate(run->diag, messages, step->loc);
    step->ms += now_ms() - start;
    arena_finish(&run->scratch);
    bool is_fine = result != PASS_FAILED && watch_after(session, step->name, &result, &before);
    step->has_changed = result == PASS_CHANGED;
    session->changes += step->has_changed;
    text_finish(&before);
    if (is_fine)
        text_printf(&session->done, "%s%s", session->done.length > 0 ? "," : "", step->text);
    session->is_stopped = session->number == watch->stop_after;
    return is_fine && (!watch->leave || watch->leave(watch->observer, run));
}

static bool run_step(struct pass_session *session, struct step *step);

static bool run_children(struct pass_session *session, struct step *step)
{
    bool is_fine = true;

    for (size_t i = 0; i < step->children.count && is_fine && !session->is_stopped; i++)
        is_fine = run_step(session, step->children.items[i]);
    step->ms = 0;
    for (size_t i = 0; i < step->children.count; i++)
        step->ms += step->children.items[i]->ms;
    return is_fine;
}

/* The passes below @step that changed something when they ran last. */
static void name_changers(const struct step *step, struct text *out)
{
    if (step->has_changed)
        text_printf(out, "%s`%s`", out->length > 0 ? ", " : "", step->name);
    for (size_t i = 0; i < step->children.count; i++)
        name_changers(step->children.items[i], out);
}

static bool report_unsettled(struct pass_session *session, const struct step *step)
{
    struct text names = {0};

    name_changers(step, &names);
    struct diag_message *message = diag_report(session->run->diag, step->loc, PASS_UNSETTLED,
                                               step->limit, text_string(&names));
    diag_note(message, "one of these passes may undo what another one does, or grow the module "
                       "without end");
    diag_help(message, "take one out, or allow more rounds: fix(limit=%u, ...)", 10 * step->limit);
    text_finish(&names);
    return false;
}

static bool run_fix(struct pass_session *session, struct step *step)
{
    unsigned before;

    do {
        if (step->rounds == step->limit)
            return report_unsettled(session, step);
        before = session->changes;
        step->rounds++;
        if (!run_children(session, step))
            return false;
    } while (session->changes != before && !session->is_stopped);
    return true;
}

static bool run_step(struct pass_session *session, struct step *step)
{
    const struct pass_watch *watch = session->watch;
    bool is_fine = true;

    if (step->kind == STEP_PASS && name_is_listed(watch->skip, step->name))
        return true;
    if (step->runs++ == 0 && watch->time_passes)
        step->before = watch_count(session->run->module);
    step->rounds = 0;
    if (step->kind == STEP_PASS)
        is_fine = run_pass(session, step);
    else if (step->kind == STEP_FIX)
        is_fine = run_fix(session, step);
    else
        is_fine = run_children(session, step);
    if (watch->time_passes)
        step->after = watch_count(session->run->module);
    return is_fine;
}

bool pass_run_pipeline(struct pass_run *run, const char *pipeline, const struct pass_watch *watch)
{
    struct pass_session session = {.run = run, .watch = watch};
    struct arena arena = {0};
    struct step *root = pipeline_read(run, watch, &arena, pipeline);
    bool is_fine = names_check(run->diag, watch->skip);

    is_fine &= names_check(run->diag, watch->print_before);
    is_fine &= names_check(run->diag, watch->print_after);

    is_fine = root && is_fine && watch_start(&session) && run_step(&session, root);
    if (is_fine && watch->enter)
        watch->enter(watch->observer, text_string(&session.done), NULL);
    if (root && watch->time_passes)
        watch_times(&session, root);
    pipeline_finish(root);
    text_finish(&session.done);
    arena_finish(&arena);
    return is_fine;
}

static void visit_step(const struct step *step,
                       void (*visit)(void *state, const struct pass_info *pass,
                                     const struct ir_attr *options),
                       void *state)
{
    if (step->kind == STEP_PASS)
        visit(state, step->pass, step->options);
    for (size_t i = 0; i < step->children.count; i++)
        visit_step(step->children.items[i], visit, state);
}

bool pass_visit_pipeline(struct pass_run *run, const char *pipeline, const struct pass_watch *watch,
                         void (*visit)(void *state, const struct pass_info *pass,
                                       const struct ir_attr *options),
                         void *state)
{
    struct arena arena = {0};
    struct step *root = pipeline_read(run, watch, &arena, pipeline);

    if (root)
        visit_step(root, visit, state);
    pipeline_finish(root);
    arena_finish(&arena);
    return root != NULL;
}

void pass_run_finish(struct pass_run *run)
{
    for (size_t i = 0; i < run->retired.count; i++)
        ir_module_destroy(run->retired.items[i]);
    array_finish(&run->retired);
    arena_finish(&run->scratch);
}

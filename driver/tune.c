/* See tune.h. */
#include "driver/tune.h"

#include "base/digest.h"
#include "ir/print.h"

#include <string.h>

enum {
    BATCH = 4,        /* that are tried at a time */
    MUTATIONS = 3,    /* of each, at most */
    RETRIES = 30,     /* to make one that was not seen */
    EARLY_ROUNDS = 3, /* who is far behind is out */
    TEST_ROUNDS = 10, /* from there on tests tell, also of all of a batch */
    BATCH_ROUNDS = 24,
    WORTH_ROUNDS = 16,
    FINAL_ROUNDS = 60,
    LEAST_WORTHS = 4, /* differences that are judged however late it is */
};
#define FAR_BEHIND  1.3
#define SEARCH_PART 0.7 /* of the budget; the rest is for the end */

/* The best of many that were tried may look faster by chance, and by where its code lies in memory. */
#define ACCEPT_LEVEL  0.001
#define ACCEPT_MARGIN 1.05

struct candidate {
    struct tune_pipeline pipeline;
    struct runner runner;
    const char *what[MUTATIONS];
    unsigned what_count;
    double ratio;
};

static double time_left(const struct tune *tune, double part)
{
    return part * tune->budget_ms - (cost_now() - tune->begin_ms);
}

/* ---- what was seen ---- */

static struct tune_effect *effect_of(struct tune *tune, const char *what)
{
    for (size_t i = 0; i < tune->effects.count; i++)
        if (strcmp(tune->effects.items[i].what, what) == 0)
            return &tune->effects.items[i];
    array_push(&tune->effects, (struct tune_effect){.what = what});
    return &array_last(&tune->effects);
}

/* True the first time; texts live as long as the driver. */
static bool is_new(struct tune *tune, const struct text *text, bool is_module)
{
    struct arena *arena = &tune->session->driver->arena;
    struct digest digest = digest_of(text_string(text), text->length);
    char name[2 * DIGEST_SIZE + 1];
    const char **items = is_module ? tune->seen_modules.items : tune->seen_texts.items;
    size_t count = is_module ? tune->seen_modules.count : tune->seen_texts.count;

    digest_text(&digest, name);
    for (size_t i = 0; i < count; i++)
        if (strcmp(items[i], name) == 0)
            return false;
    const char *kept = arena_copy_text(arena, name, strlen(name));
    if (is_module)
        array_push(&tune->seen_modules, kept);
    else
        array_push(&tune->seen_texts, kept);
    return true;
}

static bool is_new_pipeline(struct tune *tune, const struct tune_pipeline *pipeline)
{
    struct text text = {0};

    tune_pipeline_put(pipeline, ",", &text);
    bool is_first = is_new(tune, &text, false);
    text_finish(&text);
    return is_first;
}

static void put_module(const struct ir_module *module, struct text *out)
{
    struct ir_print_options options = ir_print_defaults;

    options.refers_above = 256;
    ir_module_print(module, &options, out);
}

static bool is_same_module(const struct ir_module *a, const struct ir_module *b)
{
    struct text one = {0}, other = {0};

    put_module(a, &one);
    put_module(b, &other);
    bool is_same = strcmp(text_string(&one), text_string(&other)) == 0;
    text_finish(&one);
    text_finish(&other);
    return is_same;
}

static bool is_new_module(struct tune *tune, const struct ir_module *module)
{
    struct text text = {0};

    put_module(module, &text);
    bool is_first = is_new(tune, &text, true);
    text_finish(&text);
    return is_first;
}

/* ---- runners ---- */

/* What becomes of a pipeline that is tried. */
enum fate { REFUSED, DIFFERENT, SAME, READY };

/* With nothing reported.  @is_new_only: a module that was seen is not compiled again. */
static enum fate make_runner(struct tune *tune, struct runner *runner,
                             const struct tune_pipeline *pipeline, bool is_new_only)
{
    struct driver *driver = tune->session->driver;
    size_t messages = diag_message_count(driver->diag);
    struct text text = {0};
    enum fate fate = REFUSED;

    tune_pipeline_put(pipeline, ",", &text);
    const char *passes = arena_copy_text(&driver->arena, text_string(&text), text.length);
    if (runner_make_module(runner, tune->of, passes, tune->watch)) {
        bool is_known = !is_new_module(tune, runner->module);

        fate = is_known && is_new_only               ? SAME
               : !runner_make_code(runner, tune->of) ? REFUSED
               : runner->is_close                    ? READY
                                                     : DIFFERENT;
    }
    diag_truncate(driver->diag, messages);
    text_finish(&text);
    return fate;
}

static void note_fate(struct tune *tune, const struct candidate *candidate, enum fate fate)
{
    tune->tried++;
    tune->refused += fate == REFUSED;
    tune->different += fate == DIFFERENT;
    tune->same += fate == SAME;
    tune->measured += fate == READY;
    for (unsigned i = 0; i < candidate->what_count; i++) {
        struct tune_effect *effect = effect_of(tune, candidate->what[i]);

        effect->tried++;
        effect->refused += fate == REFUSED;
        effect->different += fate == DIFFERENT;
        effect->same += fate == SAME;
    }
}

/* Chances of the best one that were not seen yet; false if none was found. */
static bool mutate(struct tune *tune, struct candidate *candidate)
{
    for (unsigned i = 0; i < RETRIES; i++) {
        size_t wanted = 1 + tune_random(&tune->random, MUTATIONS);

        tune_pipeline_copy(&candidate->pipeline, &tune->best);
        candidate->what_count = 0;
        for (size_t j = 0; j < wanted; j++) {
            const char *what = tune_mutate(tune->space, &candidate->pipeline, &tune->random);

            if (what)
                candidate->what[candidate->what_count++] = what;
        }
        if (candidate->what_count > 0 && is_new_pipeline(tune, &candidate->pipeline))
            return true;
    }
    return false;
}

static void finish_candidate(struct candidate *candidate)
{
    runner_finish(&candidate->runner);
    tune_pipeline_finish(&candidate->pipeline);
}

/* ---- races ---- */

static struct sample first_times(const struct runner *runner, size_t count)
{
    return sample_of(runner->times.items, count);
}

/* Of the rounds that @runner was in; below 1: it is faster than @best. */
static double ratio_to(const struct runner *runner, const struct runner *best)
{
    size_t count = runner->times.count;

    return first_times(runner, count).median / first_times(best, count).median;
}

static double probability_of(const struct runner *runner, const struct runner *best)
{
    return sample_compare_times(runner->times.items, best->times.items, runner->times.count);
}

/* Is @runner so slow that it need not be measured any more? */
static bool is_beaten(const struct runner *runner, const struct runner *best)
{
    size_t count = runner->times.count;

    if (count < EARLY_ROUNDS || ratio_to(runner, best) < 1)
        return false;
    return first_times(runner, count).least > FAR_BEHIND * first_times(best, count).median ||
           (count >= TEST_ROUNDS && probability_of(runner, best) < SAMPLE_LEVEL);
}

static void forget_times(struct runner *runner)
{
    runner->times.count = 0;
    runner->is_out = false;
}

/* The first of @runners is the one to beat; who is beaten is out.  False after a report. */
static bool race(struct tune *tune, struct runner *const *runners, size_t count, unsigned rounds,
                 double part)
{
    size_t left = count;

    for (size_t i = 0; i < count; i++)
        forget_times(runners[i]);
    for (unsigned round = 0; round < rounds && left > 1; round++) {
        if (round >= TEST_ROUNDS && time_left(tune, part) < 0)
            return true;
        if (!runner_round(runners, count, tune->of, &tune->random))
            return false;
        for (size_t i = 1; i < count; i++)
            if (!runners[i]->is_out && is_beaten(runners[i], runners[0])) {
                runners[i]->is_out = true;
                left--;
            }
    }
    return true;
}

/* ---- a batch ---- */

static void take_over(struct tune *tune, struct candidate *winner)
{
    runner_finish(&tune->best_runner);
    tune->best_runner = winner->runner;
    winner->runner = (struct runner){0};
    tune_pipeline_copy(&tune->best, &winner->pipeline);
}

/* The fastest that is faster for certain, as one family of questions; NULL: none. */
static struct candidate *find_winner(struct tune *tune, struct candidate *candidates, size_t count)
{
    double probabilities[BATCH];
    struct candidate *winner = NULL;

    for (size_t i = 0; i < count; i++)
        probabilities[i] = probability_of(&candidates[i].runner, &tune->best_runner);
    sample_correct(probabilities, count);
    for (size_t i = 0; i < count; i++) {
        struct candidate *candidate = &candidates[i];

        candidate->ratio = ratio_to(&candidate->runner, &tune->best_runner);
        if (candidate->ratio * SAMPLE_MARGIN < 1 && probabilities[i] < SAMPLE_LEVEL &&
            (!winner || candidate->ratio < winner->ratio))
            winner = candidate;
    }
    return winner;
}

static bool race_batch(struct tune *tune, struct candidate *candidates, size_t count)
{
    struct runner *runners[BATCH + 1] = {&tune->best_runner};

    for (size_t i = 0; i < count; i++)
        runners[i + 1] = &candidates[i].runner;
    if (count == 0)
        return true;
    if (!race(tune, runners, count + 1, BATCH_ROUNDS, SEARCH_PART))
        return false;
    struct candidate *winner = find_winner(tune, candidates, count);
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < candidates[i].what_count; j++)
            array_push(&effect_of(tune, candidates[i].what[j])->ratios, candidates[i].ratio);
    if (winner)
        take_over(tune, winner);
    return true;
}

/* False if there is nothing more to try, or after a report. */
static bool try_batch(struct tune *tune)
{
    struct candidate candidates[BATCH] = {0};
    size_t ready = 0;
    bool is_new_found = true;

    while (ready < BATCH && (tune->tried < BATCH || time_left(tune, SEARCH_PART) > 0)) {
        struct candidate *candidate = &candidates[ready];

        is_new_found = mutate(tune, candidate);
        if (!is_new_found)
            break;
        enum fate fate = make_runner(tune, &candidate->runner, &candidate->pipeline, true);
        note_fate(tune, candidate, fate);
        if (fate == READY)
            ready++;
        else
            runner_finish(&candidate->runner);
    }
    bool is_good = race_batch(tune, candidates, ready);
    for (size_t i = 0; i < BATCH; i++)
        finish_candidate(&candidates[i]);
    return is_good && is_new_found;
}

/* ---- the end: what is worth something ---- */

/*
 * Takes back the difference number @n of the best from the start; what it was, NULL: there are
 * fewer.
 */
static const char *take_back(const struct tune *tune, struct tune_pipeline *out, unsigned n)
{
    struct arena *arena = &tune->session->driver->arena;

    for (size_t i = 0; i < out->passes.count; i++) {
        struct tune_pass *pass = &out->passes.items[i];
        const struct tune_pass *before = NULL;

        for (size_t j = 0; j < tune->start.passes.count; j++)
            if (strcmp(tune->start.passes.items[j].name, pass->name) == 0)
                before = &tune->start.passes.items[j];
        if ((!before || pass->is_off != before->is_off) && n-- == 0) {
            pass->is_off = !pass->is_off;
            return arena_printf(arena, "%s %s", pass->is_off ? "with" : "without", pass->name);
        }
        for (unsigned k = 0; before && !pass->is_off && k < before->option_count; k++)
            if (strcmp(pass->values[k], before->values[k]) != 0 && n-- == 0) {
                const char *what =
                    arena_printf(arena, "%s(%s=%s)", pass->name, pass->options[k], pass->values[k]);

                pass->values[k] = before->values[k];
                return what;
            }
    }
    return NULL;
}

/*
 * The passes of @pipeline in the order of the start, those that are new where they stand among
 * their neighbours.
 */
static const char *take_back_order(const struct tune *tune, struct tune_pipeline *pipeline)
{
    size_t at = 0;
    bool has_changed = false;

    for (size_t i = 0; i < tune->start.passes.count; i++) {
        size_t from = at;

        while (from < pipeline->passes.count &&
               strcmp(pipeline->passes.items[from].name, tune->start.passes.items[i].name) != 0)
            from++;
        if (from == pipeline->passes.count)
            continue;
        /* passes of the start that lie between come later */
        bool is_moved = false;
        for (size_t j = at; j < from; j++)
            for (size_t k = i + 1; k < tune->start.passes.count; k++)
                is_moved |=
                    strcmp(pipeline->passes.items[j].name, tune->start.passes.items[k].name) == 0;
        if (!is_moved) {
            at = from + 1;
            continue;
        }
        struct tune_pass pass = pipeline->passes.items[from];
        for (size_t j = from; j > at; j--)
            pipeline->passes.items[j] = pipeline->passes.items[j - 1];
        pipeline->passes.items[at++] = pass;
        has_changed = true;
    }
    return has_changed ? "the order of passes" : NULL;
}

/*
 * Races the best one with what is left of it without @what; true if that is as good, and the best
 * now.
 */
static bool judge_worth(struct tune *tune, struct candidate *candidate, const char *what)
{
    struct runner *runners[] = {&tune->best_runner, &candidate->runner};

    if (make_runner(tune, &candidate->runner, &candidate->pipeline, false) != READY ||
        !race(tune, runners, 2, WORTH_ROUNDS, 1))
        return false;
    double ratio = ratio_to(&candidate->runner, &tune->best_runner);
    bool is_needed = candidate->runner.is_out || /* so slow that it was not measured to the end */
                     (ratio > SAMPLE_MARGIN &&
                      probability_of(&candidate->runner, &tune->best_runner) < SAMPLE_LEVEL);

    if (is_needed)
        array_push(&tune->worths, (struct tune_worth){what, ratio});
    else
        take_over(tune, candidate);
    return !is_needed;
}

static void find_worths(struct tune *tune)
{
    unsigned n = 0;
    bool is_order_asked = false;

    for (unsigned i = 0; i < LEAST_WORTHS || time_left(tune, 1 - (1 - SEARCH_PART) / 2) > 0; i++) {
        struct candidate candidate = {0};

        tune_pipeline_copy(&candidate.pipeline, &tune->best);
        const char *what = take_back(tune, &candidate.pipeline, n);
        if (!what && !is_order_asked) {
            what = take_back_order(tune, &candidate.pipeline);
            is_order_asked = true;
        }
        bool is_taken = what && judge_worth(tune, &candidate, what);
        n += !is_taken; /* else the next one has its number now */
        finish_candidate(&candidate);
        if (!what)
            break;
    }
}

/* ---- all ---- */

static bool make_start(struct tune *tune, const char *passes)
{
    struct driver *driver = tune->session->driver;

    session_fresh(tune->session);
    if (!tune_pipeline_read(&tune->start, driver, tune->session->module, passes) ||
        !runner_make(&tune->start_runner, tune->of, passes, tune->watch))
        return false;
    tune_pipeline_copy(&tune->best, &tune->start);
    (void)is_new_pipeline(tune, &tune->start);
    (void)is_new_module(tune, tune->start_runner.module);
    enum fate fate = make_runner(tune, &tune->best_runner, &tune->best, false);
    return fate == READY || fate == DIFFERENT;
}

/* The best one against the start, till that is clear. */
static bool race_at_end(struct tune *tune)
{
    struct runner *runners[] = {&tune->start_runner, &tune->best_runner};

    forget_times(runners[0]);
    forget_times(runners[1]);
    for (unsigned round = 0;
         round < FINAL_ROUNDS && (round < 2 * TEST_ROUNDS || time_left(tune, 1) > 0); round++)
        if (!runner_round(runners, 2, tune->of, &tune->random))
            return false;
    tune->start_sample = first_times(runners[0], runners[0]->times.count);
    tune->best_sample = first_times(runners[1], runners[1]->times.count);
    tune->probability = probability_of(runners[1], runners[0]);
    /* What is the same may lie better in memory: that is not found by tuning. */
    tune->is_better = !is_same_module(runners[0]->module, runners[1]->module) &&
                      tune->probability < ACCEPT_LEVEL &&
                      tune->best_sample.median * ACCEPT_MARGIN < tune->start_sample.median &&
                      tune->best_runner.is_close;
    return true;
}

bool tune_search(struct tune *tune, const char *passes)
{
    bool is_going;

    tune->begin_ms = cost_now();
    if (!make_start(tune, passes))
        return false;
    do /* something is tried, however small the budget is */
        is_going = try_batch(tune);
    while (is_going && time_left(tune, SEARCH_PART) > 0);
    find_worths(tune);
    if (!race_at_end(tune))
        return false;
    if (!tune->is_better)
        tune_pipeline_copy(&tune->best, &tune->start);
    tune->spent_ms = cost_now() - tune->begin_ms;
    return true;
}

void tune_finish(struct tune *tune)
{
    runner_finish(&tune->start_runner);
    runner_finish(&tune->best_runner);
    tune_pipeline_finish(&tune->start);
    tune_pipeline_finish(&tune->best);
    for (size_t i = 0; i < tune->effects.count; i++)
        array_finish(&tune->effects.items[i].ratios);
    array_finish(&tune->effects);
    array_finish(&tune->worths);
    array_finish(&tune->seen_texts);
    array_finish(&tune->seen_modules);
}

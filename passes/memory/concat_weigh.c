/*
 * What joins cost: where parts are made in their places, all of the result is held from the first part
 * on.  Mostly that is less than all parts and the result, side by side; but not where a part is needed
 * for other joins too, where much is held while the first parts are made, or where the result could have
 * been made around one of its parts.
 *
 * So it is tried, on copies of the module that are taken up to where results are in place of operands.
 * Each function must hold no more at once than with nothing elided.  At each step where it does, the
 * largest result that lives there is left out, and all of it is tried again.  Where that does not end
 * soon, nothing of the function is elided.
 */
#include "passes/memory/concat_weigh.h"

#include "ir/build.h"
#include "passes/memory/reorder_runs.h"

enum {
    ROUNDS = 4,             /* trials; behind the last all joins of the function are left out */
    LARGE = 4000,           /* operations of a module for which there is one */
    STEPS_LIMIT = 10000000, /* lives that are gone through */
};

/* What comes behind ElideConcat and decides how much is held. */
static const char passes_behind[] = "ResolveInplace,ReorderForPeak(tries=20000),InplaceCalls";

typedef int64_t sample_bytes[RUN_SAMPLES];

struct weighing {
    struct pass_run *run, *copy;
    const sample_bytes *limits; /* by function; NULL: they are being found */
    sample_bytes *peaks;        /* by function */
    const struct concat_trial *trial;
    struct concat_numbers *left_out;
    bool is_last; /* of the trials */
    bool is_worse;
};

/* A run in an order. */
struct weighed_run {
    const struct reorder_run *run;
    unsigned *order, *place;           /* by place: the node; by node: the place */
    int64_t *steps;                    /* by place: what is held */
    const struct peak_value **largest; /* by place at which too much is held: that of all wholes */
};

/* ---- what is left out ---- */

/* The number of the join whose result value @i of the run is, + 1; or 0. */
static size_t join_of(const struct weighing *w, const struct reorder_run *run, size_t i)
{
    return (uintptr_t)map_get(&w->trial->wholes, run->makers[i]);
}

static void leave_out(struct weighing *w, size_t join)
{
    while (w->left_out->count < join)
        array_push(w->left_out, false);
    w->left_out->items[join - 1] = true;
}

static unsigned first_place(const struct weighed_run *o, const struct peak_value *value)
{
    return value->maker == PEAK_NONE ? 0 : o->place[value->maker];
}

static unsigned last_place(const struct weighed_run *o, const struct peak_value *value)
{
    const struct peak_problem *problem = &o->run->problem;
    unsigned last = first_place(o, value);

    if (value->is_kept)
        return (unsigned)problem->nodes.count - 1;
    for (unsigned i = 0; i < value->readers.count; i++) {
        unsigned place = o->place[problem->readers[value->readers.first + i]];

        last = place > last ? place : last;
    }
    return last;
}

/* Finds the largest whole at each step that holds more than @limit; false: there is too much to look at. */
static bool find_largest(struct weighing *w, struct weighed_run *o, int64_t limit)
{
    size_t looked_at = 0;

    for (size_t i = 0; i < o->run->problem.values.count; i++) {
        const struct peak_value *value = &o->run->problem.values.items[i];

        if (join_of(w, o->run, i) == 0)
            continue;
        unsigned first = first_place(o, value), last = last_place(o, value);
        looked_at += last - first + 1;
        if (looked_at > STEPS_LIMIT)
            return false;
        for (unsigned k = first; k <= last; k++)
            if (o->steps[k] > limit && (!o->largest[k] || o->largest[k]->bytes < value->bytes))
                o->largest[k] = value;
    }
    return true;
}

static void leave_out_all(struct weighing *w, const struct ir_function *function)
{
    for (size_t i = 0; i < w->trial->functions.count; i++)
        if (w->trial->functions.items[i] == function)
            leave_out(w, i + 1);
}

static void leave_out_largest(struct weighing *w, struct weighed_run *o, int64_t limit)
{
    size_t count = o->run->problem.nodes.count;
    unsigned next = 0; /* up to there one is left out already */

    o->largest = arena_array(&w->run->scratch, const struct peak_value *, count + 1);
    if (w->is_last || !find_largest(w, o, limit)) {
        leave_out_all(w, ir_op_function(o->run->ops.items[0]));
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        if (i < next || !o->largest[i])
            continue;
        leave_out(w, join_of(w, o->run, (size_t)(o->largest[i] - o->run->problem.values.items)));
        next = last_place(o, o->largest[i]) + 1;
    }
}

/* ---- what is held ---- */

static void weigh_run(struct weighing *w, size_t function, struct reorder_run *run,
                      bool is_symbolic)
{
    size_t count = run->ops.count;
    struct weighed_run o = {.run = run};

    o.order = arena_array(&w->run->scratch, unsigned, count + 1);
    o.place = arena_array(&w->run->scratch, unsigned, count + 1);
    o.steps = arena_array(&w->run->scratch, int64_t, count + 1);
    for (unsigned i = 0; i < count; i++)
        o.order[i] = o.place[i] = i;
    for (unsigned k = 0; k < (is_symbolic ? RUN_SAMPLES : 1); k++) {
        int64_t peak = reorder_run_peak(run, o.order, k, o.steps);

        if (w->peaks[function][k] < peak)
            w->peaks[function][k] = peak;
        if (!w->limits || peak <= w->limits[function][k])
            continue;
        w->is_worse = true;
        leave_out_largest(w, &o, w->limits[function][k]);
    }
}

static void weigh_function(struct weighing *w, struct storage_module *facts, size_t number,
                           struct map *peaks)
{
    struct ir_function *function = facts->order[number]->function;
    struct reorder_runs runs = {0};

    reorder_runs_find(w->copy, facts, function, peaks, &runs);
    for (unsigned k = 0; k < RUN_SAMPLES; k++)
        w->peaks[number][k] = runs.fixed[k];
    for (size_t i = 0; i < runs.count; i++)
        weigh_run(w, number, &runs.items[i], runs.is_symbolic);
    for (unsigned k = 0; w->limits && k < RUN_SAMPLES; k++)
        if (runs.fixed[k] > w->limits[number][k]) {
            w->is_worse = true;
            leave_out_all(w, function);
        }
    uintptr_t most = (uintptr_t)w->peaks[number][0];
    map_set(peaks, function, (const void *)(most + 1)); /* NOLINT(performance-no-int-to-ptr) */
    reorder_runs_finish(&runs);
}

/* Functions are in the same order in copies of a module: callees first. */
static void weigh_module(struct weighing *w)
{
    struct storage_module facts;
    struct map peaks = {0};

    storage_module_init(&facts, w->copy->module);
    w->peaks = arena_array(&w->run->scratch, sample_bytes, facts.node_count + 1);
    for (size_t i = 0; i < facts.node_count; i++)
        weigh_function(w, &facts, i, &peaks);
    storage_module_finish(&facts);
    map_finish(&peaks);
}

/* ---- trials ---- */

/* A copy of the module of @run, to be tried on. */
static struct pass_run copy_of(const struct pass_run *run)
{
    struct pass_run copy = *run;

    copy.module = ir_module_clone(run->module);
    copy.scratch = (struct arena){0};
    copy.decisions = NULL;
    copy.retired.items = NULL;
    copy.retired.count = copy.retired.capacity = 0;
    return copy;
}

static void forget(struct pass_run *copy)
{
    arena_finish(&copy->scratch);
    ir_module_destroy(copy->module);
}

/* Finds the peaks of a copy; false where passes say that something is wrong with it. */
static bool weigh_copy(struct weighing *w, struct pass_run *copy)
{
    struct pass_watch watch = {0};
    bool is_fine = pass_run_pipeline(copy, passes_behind, &watch);

    w->copy = copy;
    if (is_fine)
        weigh_module(w);
    pass_run_finish(copy);
    return is_fine;
}

static bool find_limits(struct weighing *w)
{
    struct pass_run copy = copy_of(w->run);
    bool is_fine = weigh_copy(w, &copy);

    w->limits = (const sample_bytes *)w->peaks;
    forget(&copy);
    return is_fine;
}

/* Is more held, and other joins left out since? */
static bool try(struct weighing *w, concat_elide_fn *elide)
{
    struct pass_run copy = copy_of(w->run);
    struct concat_trial trial = {0};

    w->is_worse = false;
    if (elide(&copy, w->left_out, &trial) && trial.wholes.count > 0 &&
        (w->limits || find_limits(w))) {
        w->trial = &trial;
        w->is_worse = weigh_copy(w, &copy) && w->is_worse;
    }
    map_finish(&trial.wholes);
    array_finish(&trial.functions);
    forget(&copy);
    return w->is_worse;
}

static bool count_op(void *state, struct ir_op *op)
{
    size_t *count = state;

    (void)op;
    ++*count;
    return true;
}

static bool is_large(const struct ir_module *module)
{
    size_t count = 0;

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, count_op, &count);
    return count > LARGE;
}

void concat_weigh(struct pass_run *run, concat_elide_fn *elide, struct concat_numbers *left_out)
{
    struct weighing w = {.run = run, .left_out = left_out};
    size_t messages = diag_message_count(run->diag);
    unsigned rounds = is_large(run->module) ? 1 : ROUNDS;

    for (unsigned round = 1; round <= rounds; round++) {
        w.is_last = round == rounds;
        if (!try(&w, elide))
            break;
    }
    diag_truncate(run->diag, messages);
}

/*
 * Calls that run in place once a loop of their kernel runs backwards.
 *
 *     for i in range(n - 1):               for i in range(n - 1):
 *         new[i + 1] = old[i]       =>         new[n - i - 1] = old[n - i - 2]
 *
 * Forwards, on one storage, old[0] would spread over everything.  The iterations are independent as
 * long as there are two storages, so the other direction is right for all calls; only those that gain
 * by it get the new kernel.  Nothing is believed here: decisions are made again with the kernels that
 * the calls have got, and a call for which that did not help gets its own kernel back.
 */
#include "passes/memory/turn_calls.h"

#include "passes/loop/loop.h"

/* A call that got another kernel. */
struct turned {
    struct ir_op *call;
    int output;
    const struct ir_attr *before; /* the callee that it had */
    struct ir_global *kernel;
    bool is_done; /* in place with it */
};

struct turning {
    struct pass_run *run;
    struct map kernels; /* loop -> struct ir_global with that loop turned round */
    struct map by_call; /* call -> struct turned */
    array(struct turned *) calls;
};

static void set_callee(struct ir_op *call, const struct ir_attr *callee)
{
    ir_op_set_attr(call, "callee", callee);
}

static struct ir_global *kernel_with(struct turning *t, struct tir_func *func,
                                     const struct tir_stmt *loop)
{
    struct ir_global *known = map_get(&t->kernels, loop);

    if (!known) {
        known = loop_add_turned(func, loop);
        if (known)
            map_set(&t->kernels, loop, known);
    }
    return known;
}

static void try_candidate(struct turning *t, const struct inplace_candidate *candidate)
{
    struct ir_op *call = candidate->call;

    if (!candidate->turn || map_has(&t->by_call, call))
        return;
    struct turned *turned = arena_new(&t->run->scratch, struct turned);
    turned->call = call;
    turned->output = candidate->decision.output;
    turned->before = ir_op_attr(call, "callee");
    turned->kernel = kernel_with(t, ir_op_callee(call)->kernel, candidate->turn);
    if (!turned->kernel)
        return;
    set_callee(call, ir_attr_global(t->run->module->context, turned->kernel));
    map_set(&t->by_call, call, turned);
    array_push(&t->calls, turned);
}

/* ---- what did not help ---- */

static void note_done(struct turning *t, const struct inplace_candidates *candidates)
{
    for (size_t i = 0; i < candidates->count; i++) {
        const struct inplace_decision *decision = &candidates->items[i].decision;
        struct turned *turned = map_get(&t->by_call, candidates->items[i].call);

        if (turned && turned->output == decision->output)
            turned->is_done = decision->verdict == INPLACE_DONE;
    }
}

static void remove_unused(struct turning *t, size_t first)
{
    struct ir_module *module = t->run->module;
    struct map used = {0};

    for (size_t i = 0; i < t->calls.count; i++)
        map_set(&used, t->calls.items[i]->kernel, t);
    for (size_t i = module->global_count; i-- > first;)
        if (!map_has(&used, module->globals[i]))
            ir_module_remove(module, module->globals[i]);
    map_finish(&used);
}

/* Gives calls that are not in place their kernels back; true if there are such. */
static bool take_back(struct turning *t, const struct inplace_candidates *candidates, size_t first)
{
    size_t kept = 0, count = t->calls.count;

    note_done(t, candidates);
    for (size_t i = 0; i < count; i++) {
        struct turned *turned = t->calls.items[i];

        if (turned->is_done)
            t->calls.items[kept++] = turned;
        else
            set_callee(turned->call, turned->before);
    }
    t->calls.count = kept;
    if (kept < count)
        remove_unused(t, first);
    return kept < count;
}

bool turn_calls(struct pass_run *run, turn_decide_fn *decide, struct inplace_candidates *out)
{
    struct turning t = {.run = run};
    size_t first = run->module->global_count;

    decide(run, out);
    for (size_t i = 0; i < out->count; i++)
        try_candidate(&t, &out->items[i]);
    if (t.calls.count > 0) {
        out->count = 0;
        decide(run, out);
    }
    if (take_back(&t, out, first)) {
        out->count = 0;
        decide(run, out);
    }
    bool is_changed = t.calls.count > 0;
    map_finish(&t.kernels);
    map_finish(&t.by_call);
    array_finish(&t.calls);
    return is_changed;
}

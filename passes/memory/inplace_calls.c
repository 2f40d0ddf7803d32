/*
 * InplaceCalls: outputs that ask for no storage take over that of operands which nobody needs any
 * more.
 *
 *     y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((n,), "float32"))              # the last use
 * of x  =>
 *     y = R.call_tir_inplace(cls.f, (x, x), out_ty=.., inplace_indices=[1])
 *
 * The kernel is not changed: it is given the operand as its destination, too.  Whether it may be is
 * asked of its loops (IP010), so it does not matter which operator it came from; see
 * docs/inplace.md.  Where it would copy the operand onto itself, it gets a kernel that does not. Loops of kernels that run afterwards must not change the order of accesses, so
 * this is a late pass; those that do ask first whether what is proved here still holds.
 */
#include "passes/memory/destinations.h"
#include "passes/memory/fit_sizes.h"
#include "passes/memory/move_readers.h"
#include "passes/memory/second_proof.h"
#include "passes/memory/self_copies.h"
#include "passes/memory/turn_calls.h"

/* Rewrites a call by its decisions, the first of @count. */
static bool rewrite(struct pass_run *run, struct inplace_candidate *candidates, size_t count)
{
    struct ir_op *call = candidates->call;
    struct ir_value **destinations =
        arena_array(&run->scratch, struct ir_value *, destination_count(call));
    bool is_any = false;

    for (size_t i = 0; i < count; i++) {
        const struct inplace_decision *decision = &candidates[i].decision;

        if (decision->verdict != INPLACE_DONE)
            continue;
        destinations[decision->output] =
            destination_in(run, call, (unsigned)decision->output,
                           call->operands[decision->argument].value, 0, call);
        if (!destinations[decision->output])
            return false;
        is_any = true;
    }
    if (is_any)
        call = destinations_set(run, call, destinations);
    for (size_t i = 0; i < count; i++)
        candidates[i].call = call;
    return call != NULL;
}

/* ---- cycles of calls ---- */

/*
 * In a cycle of calls a decision was made on what functions handed on before: with results in the
 * storage of operands they may hand on more.  If that stands against anything, the cycles stay as
 * they were.
 */
static bool check_cycles(struct pass_run *run, struct inplace_candidates *found)
{
    bool is_any = false, is_fine = true;

    for (size_t i = 0; i < found->count; i++)
        is_any |= found->items[i].is_recursive && found->items[i].decision.verdict == INPLACE_DONE;
    if (!is_any || first_proof(run))
        return true;
    for (size_t i = 0; i < found->count; i++) {
        struct inplace_decision *decision = &found->items[i].decision;

        if (!found->items[i].is_recursive || decision->verdict != INPLACE_DONE)
            continue;
        decision->verdict = INPLACE_FRESH;
        decision->code = IP_CYCLE;
        is_fine &= destinations_renew(run, found->items[i].call, (unsigned)decision->output);
    }
    return is_fine;
}

static bool renew(struct pass_run *run, struct inplace_candidate *candidate)
{
    candidate->decision.verdict = INPLACE_FRESH;
    return destinations_renew(run, candidate->call, (unsigned)candidate->decision.output);
}

/* Where the pass ran before: what it did stays, what it did not do is tried anew. */
static void keep_done(struct inplace_decisions *decisions)
{
    size_t kept = 0;

    for (size_t i = 0; i < decisions->count; i++)
        if (!decisions->items[i].is_found || decisions->items[i].is_view ||
            decisions->items[i].verdict == INPLACE_DONE)
            decisions->items[kept++] = decisions->items[i];
    decisions->count = kept;
}

/* ---- what was asked for ---- */

static const char *place_of(const struct inplace_decision *decision)
{
    const struct source *source = decision->call_loc.source;

    return source ? source->text + decision->call_loc.begin : NULL;
}

/* Calls that asked, and run out of place instead: why is told already. */
static void find_asked(const struct inplace_decisions *decisions, struct map *out)
{
    for (size_t i = 0; i < decisions->count; i++) {
        const struct inplace_decision *decision = &decisions->items[i];

        if (!decision->is_found && decision->verdict == INPLACE_FRESH && place_of(decision))
            map_set(out, place_of(decision), out);
    }
}

static void record(struct inplace_decisions *decisions, const struct inplace_candidates *found)
{
    struct map asked = {0};

    keep_done(decisions);
    find_asked(decisions, &asked);
    for (size_t i = 0; i < found->count; i++) {
        const struct inplace_decision *decision = &found->items[i].decision;

        if (decision->verdict == INPLACE_DONE || !map_has(&asked, place_of(decision)))
            array_push(decisions, *decision);
    }
    map_finish(&asked);
}

/* ---- the pass ---- */

static void discover(struct pass_run *run, struct inplace_candidates *out)
{
    inplace_discover(run->module, out);
}

static bool asks_nothing(void *state, struct ir_op *op)
{
    (void)state;
    return !ir_op_is(op, IR_CORE_call_tir_inplace);
}

/* Has somebody asked for an update, or has this pass run before? */
static bool has_updates(const struct ir_module *module)
{
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION &&
            !ir_region_walk(module->globals[i]->function->body, asks_nothing, NULL))
            return true;
    return false;
}

enum pass_result pass_inplace_calls(struct pass_run *run)
{
    struct inplace_candidates candidates = {.has_calls =
                                                run->decisions && run->decisions->is_question};
    bool is_fine = true, is_changed = false, was_proved;

    if (run->inplace == INPLACE_OFF)
        return PASS_UNCHANGED;
    was_proved = has_updates(run->module) && first_proof(run);
    is_changed = pass_option_bool(run, "move") && move_readers(run);
    is_changed |= turn_calls(run, discover, &candidates);
    for (size_t i = 0, end; i < candidates.count && is_fine; i = end) {
        struct ir_op *call = candidates.items[i].call;

        for (end = i; end < candidates.count && candidates.items[end].call == call; end++)
            is_changed |= candidates.items[end].decision.verdict == INPLACE_DONE;
        is_fine = rewrite(run, &candidates.items[i], end - i);
    }
    is_fine = is_fine && check_cycles(run, &candidates) &&
              second_proof(run, &candidates, renew, &is_changed) &&
              (!was_proved || keep_first_proof(run, &candidates, renew, &is_changed));
    if (run->decisions) {
        record(run->decisions, &candidates);
        run->decisions->is_sought = true;
    }
    array_finish(&candidates);
    if (is_fine && pass_option_bool(run, "sizes"))
        is_fine = fit_sizes(run, &is_changed);
    if (is_fine)
        is_changed |= drop_self_copies(run);
    return !is_fine ? PASS_FAILED : is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

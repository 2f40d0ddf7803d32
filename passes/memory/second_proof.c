/* What the checker of storage says of decisions; see second_proof.h. */
#include "passes/memory/second_proof.h"

#include "analysis/verify_storage/verify_storage.h"

bool first_proof(struct pass_run *run)
{
    struct inplace_candidates all = {0};
    bool is_done = true;

    inplace_analyze(run->module, INPLACE_AUTO, &all);
    for (size_t i = 0; i < all.count; i++)
        is_done &= all.items[i].decision.verdict == INPLACE_DONE;
    array_finish(&all);
    return is_done;
}

enum { CLOSE_ROUNDS = 4 }; /* then all updates of a refused function go: each round is a replay */

/* What is to blame for a refusal: who overwrote, else who is refused. */
static bool is_blamed(const struct verify_storage_refusals *refusals, const struct ir_op *call)
{
    for (size_t i = 0; i < refusals->count; i++)
        if (refusals->items[i].because == call || refusals->items[i].op == call)
            return true;
    return false;
}

static bool is_near(const struct verify_storage_refusals *refusals, const struct ir_op *call)
{
    for (size_t i = 0; i < refusals->count; i++)
        if (refusals->items[i].function == ir_op_function(call))
            return true;
    return false;
}

static bool is_in_place(const struct inplace_candidate *candidate)
{
    return candidate->decision.verdict == INPLACE_DONE;
}

static bool take_back(struct pass_run *run, struct inplace_candidate *candidate,
                      second_proof_fn *undo)
{
    diag_report(run->diag, candidate->decision.call_loc, INPLACE_UNFOLLOWED,
                candidate->decision.value);
    candidate->decision.code = IP_UNFOLLOWED;
    candidate->decision.evidence = EVIDENCE_NONE;
    return undo(run, candidate);
}

/* Takes back what is to blame, or, if that is none of the candidates, all in functions that are refused. */
static bool take_back_blamed(struct pass_run *run, struct inplace_candidates *candidates,
                             const struct verify_storage_refusals *refusals, unsigned round,
                             second_proof_fn *undo, size_t *out_count)
{
    *out_count = 0;
    for (unsigned is_wide = round >= CLOSE_ROUNDS; is_wide < 2 && *out_count == 0; is_wide++)
        for (size_t i = 0; i < candidates->count; i++) {
            struct inplace_candidate *candidate = &candidates->items[i];

            if (!is_in_place(candidate) || !(is_wide ? is_near(refusals, candidate->call)
                                                     : is_blamed(refusals, candidate->call)))
                continue;
            ++*out_count;
            if (!take_back(run, candidate, undo))
                return false;
        }
    return true;
}

static bool has_any(const struct inplace_candidates *candidates)
{
    for (size_t i = 0; i < candidates->count; i++)
        if (is_in_place(&candidates->items[i]))
            return true;
    return false;
}

bool second_proof(struct pass_run *run, struct inplace_candidates *candidates,
                  second_proof_fn *undo, bool *out_changed)
{
    bool is_fine = true, is_agreed = !has_any(candidates);

    for (unsigned round = 0; is_fine && !is_agreed; round++) {
        struct verify_storage_refusals refusals = {0};
        size_t count = 0;

        is_agreed = verify_storage(run->module, VERIFY_STORAGE_RESOLVED, &refusals);
        if (!is_agreed && (round > 0 || first_proof(run)))
            is_fine = take_back_blamed(run, candidates, &refusals, round, undo, &count);
        *out_changed |= count > 0;
        is_agreed |= count == 0; /* who is to blame is not here: code generation will say it */
        verify_storage_finish(&refusals);
    }
    return is_fine;
}

/* ---- calls that were proved before ---- */

static bool makes_operand(const struct ir_op *maker, const struct ir_op *call)
{
    for (unsigned i = 0; i < call->operand_count; i++)
        if (call->operands[i].value->def == maker)
            return true;
    return false;
}

static bool is_near_unproved(const struct inplace_candidates *all, const struct ir_op *call,
                             bool is_wide)
{
    for (size_t i = 0; i < all->count; i++)
        if (!is_in_place(&all->items[i]) &&
            (is_wide ? ir_op_function(all->items[i].call) == ir_op_function(call)
                     : makes_operand(call, all->items[i].call)))
            return true;
    return false;
}

bool keep_first_proof(struct pass_run *run, struct inplace_candidates *candidates,
                      second_proof_fn *undo, bool *out_changed)
{
    bool is_fine = true, is_proved = !has_any(candidates);

    for (unsigned is_wide = 0; is_wide < 2 && is_fine && !is_proved; is_wide++) {
        struct inplace_candidates all = {0};

        is_proved = true;
        inplace_analyze(run->module, INPLACE_AUTO, &all);
        for (size_t i = 0; i < all.count; i++)
            is_proved &= is_in_place(&all.items[i]);
        for (size_t i = 0; i < candidates->count && is_fine && !is_proved; i++) {
            struct inplace_candidate *candidate = &candidates->items[i];

            if (!is_in_place(candidate) || !is_near_unproved(&all, candidate->call, is_wide))
                continue;
            candidate->decision.code = IP_UNFOLLOWED;
            candidate->decision.evidence = EVIDENCE_NONE;
            is_fine = undo(run, candidate);
            *out_changed = true;
        }
        array_finish(&all);
    }
    return is_fine;
}

/*
 * The checker of storage is asked while it is decided: an update that it refuses is taken back, and not left
 * for code generation to stop at.
 */
#pragma once

#include "passes/pass.h"

/* Does the analysis prove all that the module asks for? */
bool first_proof(struct pass_run *run);

/* Makes the update of @candidate, which is in place, one of other storage.  False after a report. */
typedef bool second_proof_fn(struct pass_run *run, struct inplace_candidate *candidate);

/*
 * Replays the module as the decisions of @candidates have left it, and takes back with @undo what it refuses,
 * until nothing is refused that could be taken back.  *@out_changed: something was.  Where the first proof is
 * missing (no ResolveInplace yet) a refusal says nothing of the second.  False after a report.
 */
bool second_proof(struct pass_run *run, struct inplace_candidates *candidates,
                  second_proof_fn *undo, bool *out_changed);

/*
 * The same of calls that were proved already: a value in the storage of one of several others lies in several
 * places, and what is known of a call that has it twice may be lost with that.  @candidates that make the
 * operands of such a call are taken back, then all of its function.  For modules that had the first proof.
 */
bool keep_first_proof(struct pass_run *run, struct inplace_candidates *candidates,
                      second_proof_fn *undo, bool *out_changed);

/*
 * Do modules mean what their script means?  Asked of many modules, so it has to be cheap: the
 * interpreter where it takes no time to speak of, else compiled code, which has its bits, plain and
 * hardly optimised.
 */
#pragma once

#include "driver/session.h"

struct meaning {
    struct session *session;
    struct inlay_value *given; /* the inputs, before any run */
    struct inlay_value *args;  /* the same, for a run to use up */
    struct inlay_value *expected;
    struct codegen *code;
    bool is_small; /* the interpreter is asked */
    unsigned runs; /* so far, of each kind */
    unsigned interpretations;
};

/* What the session's script means.  False after a report. */
bool meaning_open(struct meaning *meaning, struct session *session);
void meaning_close(struct meaning *meaning); /* accepts one that was not opened */

enum meaning_verdict { MEANING_SAME, MEANING_OTHER, MEANING_NONE };
/*
 * Of @module, which stays as it is; @by_interpreter whatever it takes.  OTHER: @why says how; NONE:
 * it cannot be run, after a report.
 */
enum meaning_verdict meaning_of(struct meaning *meaning, const struct ir_module *module,
                                bool by_interpreter, struct text *why);
/*
 * A copy of the results of @module, by compiled code at level @level; NULL after a report.  What a
 * pipeline has left undone is done, if @is_completed.
 */
struct inlay_value *meaning_compiled(struct meaning *meaning, const struct ir_module *module,
                                     unsigned level, bool is_completed);

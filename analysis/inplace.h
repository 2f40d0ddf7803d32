/*
 * In-place decisions: may a call update the storage of its argument and nobody notice?
 *
 * Conditions IP001-IP012 over the whole function, judged on the facts of analysis/storage; see
 * docs/inplace.md.  "Unknown" always counts as "no".
 *
 * A decision is a value: places, names and numbers, which outlive the module that it was made for.
 * Sentences are made from it when somebody reads (inplace_explain()); messages, `inlay why`, JSON
 * and the copies that ResolveInplace inserts come from decisions and from nothing else.
 */
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"
#include "ir/module.h"

enum inplace_mode { INPLACE_AUTO, INPLACE_STRICT, INPLACE_OFF };

enum inplace_verdict {
#define VERDICT(name, text) INPLACE_##name,
#include "analysis/inplace.def"
    INPLACE_VERDICT_COUNT
};

enum inplace_code { /* IP000: nothing stands against it */
#define REASON(number, id, text) IP_##id = (number),
#include "analysis/inplace.def"
};

/* What stands at the place that is against it. */
enum inplace_evidence {
    EVIDENCE_NONE,
#define EVIDENCE(id, label) EVIDENCE_##id,
#include "analysis/inplace.def"
};

/* How the other name came to share the storage. */
enum inplace_sharing {
    SHARING_NONE,
#define SHARING(id, text) SHARING_##id,
#include "analysis/inplace.def"
};

/* Names are as the script writes them, and atoms of the context, as are texts. */
struct inplace_decision {
    const char *function;
    const char *callee;
    const char *value; /* the argument */
    const char *call;  /* text of the call, where the decisions are to have it, or NULL */
    int output;        /* index of the output; -1: a call that consumes a donated argument */
    unsigned argument; /* index of the argument that it wants */
    enum inplace_verdict verdict;
    enum inplace_code code;
    const struct ir_expr *bytes; /* of the argument: what a copy moves; NULL: not known */
    bool is_strict;              /* strict=True on the call */
    bool is_found;               /* the script does not ask for it: see inplace_discover() */
    bool is_destination;         /* the argument is room that was taken for the output, no value */
    bool is_view;                /* of a result that could be a part of the argument, no update */
    const char *others;          /* of what is found: other arguments that were tried, or NULL */
    struct location call_loc;
    struct ir_places places; /* of the calls that passes made this one of; or none */
    const char *result;      /* name of the result, or NULL */

    enum inplace_evidence evidence;
    struct location blocking_loc; /* the later use, the parameter, the constant; or nowhere */
    struct location written_loc;  /* of a read in a kernel: the write in front of it; or nowhere */
    const char *alias;            /* the other name of the storage, or NULL */
    enum inplace_sharing sharing;
    struct location alias_loc; /* where the other name was made; or nowhere */
    /* Which bytes of the argument the other name shows, where that is known and not all; or
     * NULL. */
    const struct ir_expr *shared_low, *shared_high;
    int parameter;        /* of IP_BORROWED: its position; -1: not the caller's, or nested */
    const char *opaque;   /* of IP_OPAQUE: the symbol of the function that is called; or NULL */
    const char *contract; /* that would help it; NULL: it has one */
};

struct inplace_decisions {
    struct inplace_decision *items;
    size_t count, capacity; /* an array() */
    /* Set by who asks why: texts of calls are kept, and a strict call gets its copy instead of
     * an error. */
    bool is_question;
    bool is_sought; /* InplaceCalls has looked for more than the script asks for */
};

/* On output @output of @call in operand @argument, as made by a pass; with the text of the call. */
struct inplace_decision inplace_decision_new(struct ir_context *context, const struct ir_op *call,
                                             unsigned argument, int output, enum inplace_code code,
                                             bool has_call);
void inplace_decisions_finish(struct inplace_decisions *decisions);

/* A decision on a call of the module as it is now. */
struct inplace_candidate {
    struct ir_op *call;
    /* The argument may be in the storage of another one that the call is to update: who reads it
     * while the call runs does not find it as it was. */
    bool is_shared;
    bool is_recursive; /* the function is in a cycle of calls */
    /* Of IP_READ_LATER and IP_ALIAS_LIVE: the first op that reads the storage later; else NULL. */
    struct ir_op *reader;
    struct inplace_decision decision;
    /* Of IP010: the loop of the kernel that may run backwards, and would be right then; or NULL. */
    const struct tir_stmt *turn;
};

struct inplace_candidates {
    struct inplace_candidate *items;
    size_t count, capacity; /* an array() */
    bool has_calls;         /* set it to get the texts of calls */
};

/*
 * Decides every in-place call of @module (call_tir_inplace, and calls of functions that overwrite a
 * donated parameter) and adds what was decided, in the order of the text.  Changes nothing.
 */
void inplace_analyze(struct ir_module *module, enum inplace_mode mode,
                     struct inplace_candidates *out);

/*
 * Tries every output of a kernel's call that asks for no storage against every operand of its type,
 * then against those of as many bytes, and adds what was decided, one an output: INPLACE_DONE for
 * the first operand that it may take over, which is then taken for all that follows; else
 * INPLACE_FRESH for the operand that came closest.  Outputs without an operand of their type have
 * no decision, if none of as many bytes will do.  Deterministic; changes nothing.
 */
void inplace_discover(struct ir_module *module, struct inplace_candidates *out);

/*
 * In front of code generation: true if every in-place call of @module is proved; otherwise reports
 * that ResolveInplace is missing from the pipeline.
 */
bool inplace_check_resolved(struct ir_module *module, struct diag *diag);

/*
 * A kernel may write only what the call names as output: reports each parameter that it writes
 * though the call gives it as input.  False after a report.  Part of every check, before any pass.
 */
bool inplace_check_kernels(struct ir_module *module, struct diag *diag);

/*
 * Reports each position in relax.inplace_arg that is no tensor parameter, and warns of donated
 * parameters that no call updates.  False after an error.  Part of every check, before any pass.
 */
bool inplace_check_donations(struct ir_module *module, struct diag *diag);

/* ---- for readers ---- */

/* A decision in words, which live in the arena; NULL: nothing to say. */
struct inplace_explanation {
    const char *reason;        /* one sentence */
    const char *blocking_text; /* label of blocking_loc */
    const char *alias_text;    /* label of alias_loc */
    const char *help;          /* the way out */
    const char *bytes;         /* "16", "n * 4", "?" */
};

struct inplace_explanation inplace_explain(struct arena *arena,
                                           const struct inplace_decision *decision);

/* Names of verdicts ("in-place") and codes ("IP002") as they stand in reports. */
const char *inplace_verdict_name(enum inplace_verdict verdict);
const char *inplace_code_text(enum inplace_code code);

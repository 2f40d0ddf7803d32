/*
 * In-place decisions: may a call update the storage of its argument and nobody notice?
 *
 * Conditions IP001-IP012 over the whole function; see docs/inplace.md.  "Unknown" always counts as
 * "no".  Each decision, positive or negative, is a record; messages, `inlay why`, JSON and the copies
 * that ResolveInplace inserts are made from the records and from nothing else.
 */
#pragma once

#include "base/arena.h"
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

struct inplace_record {
    const struct ir_function *function;
    struct ir_op *call;
    int output;        /* index of the output; -1: a call that consumes a donated argument */
    unsigned argument; /* index of the argument that it wants */
    enum inplace_verdict verdict;
    enum inplace_code code;
    const char *reason;          /* one sentence, in the records' arena */
    const char *value_name;      /* of the argument */
    const struct ir_expr *bytes; /* of the argument: what a copy moves; NULL: not known */
    struct location call_loc;
    struct location blocking_loc; /* the later use, the parameter, the constant; or nowhere */
    const char *blocking_text;    /* label: "read here", or NULL */
    struct location alias_loc;    /* where the alias was made; or nowhere */
    const char *alias_text;       /* label, or NULL */
    const char *help;             /* the way out, or NULL */
    bool is_strict;               /* strict=True on the call */
};

struct inplace_records {
    struct arena arena;
    struct inplace_record *items;
    size_t count, capacity; /* an array() */
};

void inplace_records_finish(struct inplace_records *records);

/*
 * Decides every in-place call of @module (call_tir_inplace, and calls of functions that overwrite a
 * donated parameter), function by function in order, and adds the records.  Changes nothing.
 */
void inplace_analyze(struct ir_module *module, enum inplace_mode mode,
                     struct inplace_records *records);

/*
 * The gate in front of code generation: true if every in-place call of @module is proved; otherwise
 * reports that ResolveInplace is missing from the pipeline.
 */
bool inplace_check_resolved(struct ir_module *module, struct diag *diag);

/*
 * A kernel may write only what the call names as output: reports each parameter that it writes though
 * the call gives it as input.  False after a report.  Part of every check, before any pass.
 */
bool inplace_check_kernels(struct ir_module *module, struct diag *diag);

/*
 * Reports each position in relax.inplace_arg that is no tensor parameter, and warns of donated
 * parameters that no call updates.  False after an error.  Part of every check, before any pass.
 */
bool inplace_check_donations(struct ir_module *module, struct diag *diag);

/* Names of verdicts ("in-place") and codes ("IP002") as they stand in reports. */
const char *inplace_verdict_name(enum inplace_verdict verdict);
const char *inplace_code_text(enum inplace_code code);

/* Parameters of @function that it may overwrite: func_attr relax.inplace_arg, an int or a list. */
bool inplace_is_donated(const struct ir_function *function, unsigned param);

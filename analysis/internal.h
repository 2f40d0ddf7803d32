/* Shared by the files of the in-place analysis only. */
#pragma once

#include "analysis/alias.h"
#include "analysis/inplace.h"
#include "analysis/kernel.h"
#include "analysis/summary.h"

/* One analysis of a module. */
struct inplace_analysis {
    struct ir_module *module;
    enum inplace_mode mode;
    struct arena arena;   /* summaries */
    struct map summaries; /* function -> struct summary; present but unknown while in work */
};

/* The decisions of one function. */
struct decide {
    struct inplace_analysis *analysis;
    struct alias alias;
    struct arena scratch;
    struct inplace_records *records; /* NULL: only the summary is wanted */
    struct summary *summary;         /* overwrites and retains are filled on the way */
    unsigned depth;                  /* of calls, for summaries */
    /* of the call in work, by operand */
    unsigned *operand_origins;
    bool *is_taken;  /* decided: in place */
    bool *is_copied; /* decided: on a copy */
};

/* Why a decision is negative. */
struct conflict {
    enum inplace_code code;
    struct location loc;           /* what stands against it */
    const struct alias_read *read; /* the later read, or NULL */
    const struct ir_value *alias;  /* the other name of the storage, or NULL */
    int parameter;                 /* of IP_BORROWED: its position, -1 for a captured value */
    const char *label;             /* what @loc shows; NULL: by the code */
};

/* Walks @region in program order, deciding and propagating roots. */
void decide_visit_region(struct decide *decide, struct ir_region *region);

/* The storage of @origin is changed in place: notes donated parameters in the summary. */
void decide_mark_overwritten(struct decide *decide, const struct alias_origin *origin);

/* Summary of @function; unknown on recursion or past a depth of 256. */
const struct summary *inplace_summary(struct inplace_analysis *analysis,
                                      struct ir_function *function, unsigned depth);

/* Writes the record of one decision. */
void inplace_record_add(struct decide *decide, struct ir_op *call, unsigned argument, int output,
                        const struct conflict *conflict);

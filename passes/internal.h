/* Shared by the files of the pass runner only. */
#pragma once

#include "base/text.h"
#include "passes/pass.h"
#include "passes/text_diff.h"

/* ---- the text of a pipeline as a tree: pipeline.c ---- */

enum step_kind {
    STEP_PASS,
    STEP_LIST, /* a pipeline of the table, a file, or all that was given */
    STEP_FIX,  /* its children again and again until none changes anything */
};

/* How much a module holds: ops of graph functions, statements of kernels. */
struct step_size {
    size_t ops, statements;
};

struct step {
    enum step_kind kind;
    const char *name; /* "FuseOps", "default", "@mine.txt", "fix" */
    struct location loc;
    const struct pass_info *pass;
    const struct ir_attr *options; /* defaults included */
    const char *text;              /* of a pass: as one would write it again */
    array(struct step *) children;
    unsigned limit; /* of the rounds of a fixed point */
    /* what it did, over all its runs */
    unsigned runs, rounds; /* rounds: of a fixed point, the last time */
    bool has_changed;      /* a pass: the last time */
    double ms;
    struct step_size before, after; /* first, last */
};

enum { FIX_LIMIT = 100, PIPELINE_DEPTH = 16 };

/* Reads @text; the tree lives in @arena.  NULL after a report. */
struct step *pipeline_read(struct pass_run *run, const struct pass_watch *watch,
                           struct arena *arena, const char *text);
void pipeline_finish(struct step *step); /* accepts NULL */

/* ---- options of passes: options.c ---- */

/*
 * Reads a value at *@cursor (a number, true, false, a word, or a text in quotes with \ before quotes)
 * and moves behind it; NULL if there is none or its quotes do not end.
 */
const struct ir_attr *option_read(struct ir_context *context, const char **cursor);
/* The same the other way round. */
void option_print(const struct ir_attr *value, struct text *out);

/* Holds *@options (a dict or NULL) against the row of @pass and adds the defaults. */
bool options_check(struct pass_run *run, const struct pass_info *pass, struct location loc,
                   const struct ir_attr **options);

/* ---- names: names.c ---- */

const struct pass_info *find_pass(const char *name);
const struct pipeline_info *find_pipeline(const char *name);
/* Says that @name is no pass (nor pipeline, unless @only_passes) and which are near; false. */
bool report_unknown(struct diag *diag, struct location loc, const char *name, bool only_passes);

/* Is @name in the comma-separated list @names, or is that "*"?  NULL is the empty list. */
bool name_is_listed(const char *names, const char *name);
/* Reports each name of such a list that is no pass; false if there is one. */
bool names_check(struct diag *diag, const char *names);

/* ---- what is watched: watch.c ---- */

struct pass_session {
    struct pass_run *run;
    const struct pass_watch *watch;
    unsigned number;  /* of the pass in work, from 1 */
    unsigned changes; /* passes that changed the module so far */
    bool is_stopped;  /* by stop_after */
    double verify_ms;
    struct text done; /* the passes that ran, as a pipeline; for reproducers */
};

double now_ms(void);
struct step_size watch_count(const struct ir_module *module);
/* Before the pass: print what is asked for; @before gets the module's text if look() will need it. */
void watch_before(struct pass_session *session, const char *name, struct text *before);
/* After it: verify, compare, show, save, round trip; false after a report.  May correct @result. */
bool watch_after(struct pass_session *session, const char *name, enum pass_result *result,
                 const struct text *before);
/* The module as it was given, as 000_input.py. */
bool watch_start(struct pass_session *session);
/* The tree of steps with times and sizes. */
void watch_times(struct pass_session *session, const struct step *root);

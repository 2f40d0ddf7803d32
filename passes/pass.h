/*
 * Passes by name, and the runner.
 *
 * A pass is one file and one row of passes.def.  Contract: it works on a whole module,
 * says truthfully whether it changed it, leaves it verified, allocates results in the module and
 * everything else in run->scratch, reports through run->diag and keeps no static state.
 */
#pragma once

#include "analysis/inplace.h"
#include "analysis/remark.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/target.h"
#include "ir/module.h"

struct pass_tensors {
    const char **names;
    struct ir_constant **constants;
    size_t count;
};

/*
 * @name, of a tensor in a file, as a parameter of a script: `layers.0.weight` is layers_0_weight there,
 * `0.weight` is _0_weight.  BindParams takes the parameter of that name where none has @name itself.
 */
const char *pass_parameter_word(struct arena *arena, const char *name);

/* What passes ask of the program around them (layers below have no files and no interpreter). */
struct pass_host {
    void *state;
    const char *dims; /* numbers for symbols, from the command line: "n=4,m=8"; or "" */
    /*
     * Runs @function, which has no parameters and returns one tensor of static shape, with the
     * reference interpreter.  The result as a new constant of the module; NULL, with nothing
     * reported, where it cannot be computed.
     */
    struct ir_constant *(*evaluate)(void *state, struct ir_module *module,
                                    struct ir_function *function);
    /*
     * Runs function @name of @module, which has no parameters and returns a tuple of @count tensors of
     * static shapes, as compiled code.  The results as new constants of the module in @out; false, with
     * nothing reported, where they cannot be computed.
     */
    bool (*compute)(void *state, struct ir_module *module, const char *name,
                    struct ir_constant **out, size_t count);
    /*
     * The tensors of an .npz, .safetensors or .npy file (with the name "") as constants of @module;
     * false after a report.  Arrays in @arena.
     */
    bool (*load_tensors)(void *state, struct ir_module *module, struct arena *arena,
                         const char *path, struct pass_tensors *out);
};

/* What a run may hold at once: for Rematerialize, where its option does not say. */
struct pass_max_arena {
    int64_t bytes;
    bool is_asked; /* out: a pass of the pipeline went by it */
};

struct pass_run {
    struct ir_module *module; /* --roundtrip-each replaces it */
    struct diag *diag;
    struct arena scratch; /* emptied after each pass */
    enum inplace_mode inplace;
    struct inplace_decisions *decisions; /* ResolveInplace adds its own; may be NULL */
    struct remarks *remarks;             /* on loops, fusion and memory; NULL: nobody asks */
    const struct pass_info *pass;        /* that runs now */
    const struct ir_attr *options; /* dict: FuseOps(max_depth=8); NULL: none.  pass_option_*() */
    const struct pass_host *host;
    const double *plan_seconds;       /* of PlanMemory; NULL: as its option says */
    struct pass_max_arena *max_arena; /* NULL: there is no limit */
    struct target target;             /* that schedules are made for */
    /* Modules that a round trip replaced: the caller may hold functions of the one that it gave, and
     * destroys them: pass_run_finish(). */
    array(struct ir_module *) retired;
};

enum pass_result { PASS_FAILED, PASS_UNCHANGED, PASS_CHANGED };

typedef enum pass_result pass_fn(struct pass_run *run);

enum pass_folder {
#define FOLDER(name, title) PASS_FOLDER_##name,
#include "passes/passes.def"
};

/* See passes.def. */
struct pass_info {
    const char *name; /* "LegalizeOps" */
    enum pass_folder folder;
    const char *options, *needs, *gives;
    const char *doc;
    pass_fn *run;
};

extern const struct pass_info pass_table[];
extern const size_t pass_table_count;

#define PASS(name, folder, file, options, needs, gives, doc) pass_fn pass_##file;
#include "passes/passes.def"

/* An option of the running pass, as given or by its default; the row must have it. */
int64_t pass_option_int(const struct pass_run *run, const char *name);
bool pass_option_bool(const struct pass_run *run, const char *name);
const char *pass_option_string(const struct pass_run *run, const char *name); /* atom */
/* The option `fma`: "on", "off", or what the "target" has; false after a report. */
bool pass_option_fma(struct pass_run *run, bool *out_has_fma);

struct pipeline_info {
    const char *name, *passes, *doc;
};
extern const struct pipeline_info pipeline_table[];
extern const size_t pipeline_table_count;

/*
 * What can be true of a module: tested on the module itself, not remembered, so that it does not
 * matter whether a pass or the script made it so.
 */
struct property_info {
    const char *name; /* "lowered" */
    const char *doc;
    /* NULL if it holds, else what stands against it, in @scratch. */
    const char *(*test)(struct ir_module *module, struct arena *scratch);
};
extern const struct property_info property_table[];
extern const size_t property_table_count;

/* Does the property called @name hold? */
bool property_holds(struct ir_module *module, const char *name, struct arena *scratch);
/*
 * Reports each property of @needs that does not hold, naming @who (at @loc) wants it and the missing
 * pass, and each `!property` that does.
 */
bool property_check(struct ir_module *module, struct diag *diag, struct location loc,
                    const char *needs, const char *who);

/*
 * What to watch while passes run; all off when zeroed.  Lists of passes: names with commas, "*" for all,
 * or NULL.  The verifier looks at the module behind each pass that changed it in any case.
 */
struct pass_watch {
    bool verify_each;    /* before the first pass and behind each; the rules of kernels too */
    bool check_each;     /* "unchanged" must mean equal text */
    bool roundtrip_each; /* print, parse, go on with the copy; needs reparse */
    bool print_changed;  /* a diff of what each pass changed */
    bool use_color;
    bool time_passes;
    const char *print_before, *print_after;
    const char *dump_folder; /* 003_LegalizeOps.py for each pass; or NULL */
    const char *skip;        /* passes that are left out */
    unsigned stop_after;     /* 0: run all */
    void *state;
    void (*write)(void *state, const char *text);
    bool (*save)(void *state, const char *path, const char *text);
    /* Puts what texts in @folder name where a parser of them will look. */
    bool (*save_data)(void *state, const char *folder, const struct ir_data *data);
    struct ir_module *(*reparse)(void *state, struct ir_module *module, const char *text);
    /* The file of `@path` in a pipeline; NULL after a report, or if there are no files. */
    const struct source *(*read)(void *state, const char *path);
    void *observer; /* for the two below, which may be NULL */
    /*
     * Called in front of each pass with the passes that ran so far (comma-separated) and the one that
     * runs now, both as one would write them, and with NULL for the latter at the end.
     */
    void (*enter)(void *observer, const char *done, const char *pass);
    /* Called behind each pass that did what it should; false ends the run, as failed. */
    bool (*leave)(void *observer, struct pass_run *run);
};

/* Runs @pipeline (the grammar is in pipeline.c); false after a report. */
bool pass_run_pipeline(struct pass_run *run, const char *pipeline, const struct pass_watch *watch);
/*
 * Calls @visit with each pass of @pipeline and its options (a dict, defaults included, or NULL), in
 * order, and runs none; false after a report.
 */
bool pass_visit_pipeline(struct pass_run *run, const char *pipeline, const struct pass_watch *watch,
                         void (*visit)(void *state, const struct pass_info *pass,
                                       const struct ir_attr *options),
                         void *state);
void pass_run_finish(struct pass_run *run);

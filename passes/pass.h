/*
 * Passes by name, and the runner.
 *
 * A pass is one file passes/<name>.c and one row of passes.def.  Contract: it works on a whole module,
 * says truthfully whether it changed it, leaves it verified, allocates results in the module and
 * everything else in run->scratch, reports through run->diag and keeps no static state.
 */
#pragma once

#include "analysis/inplace.h"
#include "base/arena.h"
#include "base/diag.h"
#include "ir/module.h"

struct pass_run {
    struct ir_module *module;
    struct diag *diag;
    struct arena scratch; /* emptied after each pass */
    enum inplace_mode inplace;
    struct inplace_records *records; /* ResolveInplace adds its decisions; may be NULL */
    const struct ir_attr *options;   /* dict: FuseOps(max_depth=8); NULL: none */
};

enum pass_result {
    PASS_FAILED,
    PASS_UNCHANGED,
    PASS_CHANGED
};

typedef enum pass_result pass_fn(struct pass_run *run);

struct pass_info {
    const char *name; /* "LegalizeOps" */
    const char *doc;
    pass_fn *run;
};

extern const struct pass_info pass_table[];
extern const size_t pass_table_count;

#define PASS(name, file, doc) pass_fn pass_##file;
#include "passes/passes.def"

struct pipeline_info {
    const char *name, *passes, *doc;
};
extern const struct pipeline_info pipeline_table[];
extern const size_t pipeline_table_count;

struct pass_pipeline_options {
    bool verify_each;
};

/*
 * Runs @pipeline, a comma-separated list of passes (with options in parentheses) and pipeline names;
 * false after a report.
 */
bool pass_run_pipeline(struct pass_run *run, const char *pipeline,
                       const struct pass_pipeline_options *options);

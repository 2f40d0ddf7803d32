/*
 * What a search may try: pipelines as lists of passes, and the choices by which one becomes
 * another.
 */
#pragma once

#include "driver/driver.h"

enum { TUNE_OPTIONS = 8 };

/* A pass of a pipeline. */
struct tune_pass {
    const char *name;
    const char *options[TUNE_OPTIONS], *values[TUNE_OPTIONS]; /* as one would write them */
    unsigned option_count;
    bool is_off;
};
struct tune_pipeline {
    array(struct tune_pass) passes;
};

enum tune_choice_kind { TUNE_OPTIONAL, TUNE_VALUES, TUNE_MORE, TUNE_MOVABLE };
struct tune_choice {
    enum tune_choice_kind kind;
    const char *pass, *option;
    array(const char *) values;
};
struct tune_space {
    struct arena *arena;
    array(struct tune_choice) choices;
};

/* That of passes/tune.def. */
void tune_space_init(struct tune_space *space, struct arena *arena);
/*
 * That of a file: lines `optional PASS`, `values PASS option=a,b`, `more PASS`, `movable PASS`; `#`
 * starts a comment. False after a report.
 */
bool tune_space_read(struct tune_space *space, struct driver *driver, const char *path);
void tune_space_finish(struct tune_space *space);

/* @passes as a list, options with their defaults; false after a report. */
bool tune_pipeline_read(struct tune_pipeline *out, struct driver *driver, struct ir_module *module,
                        const char *passes);
void tune_pipeline_copy(struct tune_pipeline *to, const struct tune_pipeline *from);
void tune_pipeline_put(const struct tune_pipeline *pipeline, const char *gap, struct text *out);
void tune_pipeline_finish(struct tune_pipeline *pipeline);

/* Marsaglia's xorshift: below @limit. */
size_t tune_random(uint64_t *state, size_t limit);
/*
 * Makes one choice of the space in @pipeline.  What it was, in words; NULL: it could not be made.
 */
const char *tune_mutate(const struct tune_space *space, struct tune_pipeline *pipeline,
                        uint64_t *random);

/* Shared by the files of the pass runner only. */
#pragma once

#include "base/text.h"
#include "passes/pass.h"

/* A pass to run, with the options it was written with. */
struct step {
    const struct pass_info *pass;
    const struct ir_attr *options;
};

struct steps {
    struct step *items;
    size_t count, capacity; /* an array() */
};

/* Reads the text of a pipeline; false after a report. */
bool pipeline_read(struct pass_run *run, const char *text, struct steps *out_steps);

/* Is @name in the comma-separated list @names, or is that "*"?  NULL is the empty list. */
bool name_is_listed(const char *names, const char *name);

/*
 * The lines in which @before and @after differ, as a unified diff with 3 lines of context; nothing
 * for equal texts.  Longest common subsequence by Myers' algorithm ("An O(ND) Difference Algorithm",
 * 1986), given up beyond 2,000 differences: then all lines count as replaced.
 */
void text_diff(const char *before, const char *after, bool use_color, struct text *out);

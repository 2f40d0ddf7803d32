/* Shared by the files of the pass runner only. */
#pragma once

#include "base/text.h"
#include "passes/pass.h"

/* A pass to run, with its options, defaults included. */
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

/* The value that @length bytes of text stand for: a number, true, false, a word or "text". */
const struct ir_attr *option_value(struct pass_run *run, const char *start, size_t length);

/* Holds *@options (a dict or NULL) against the row of @pass and adds the defaults. */
bool options_check(struct pass_run *run, const struct pass_info *pass,
                   const struct ir_attr **options);

/* Is @name in the comma-separated list @names, or is that "*"?  NULL is the empty list. */
bool name_is_listed(const char *names, const char *name);

/*
 * The lines in which @before and @after differ, as a unified diff with 3 lines of context; nothing
 * for equal texts.  Longest common subsequence by Myers' algorithm ("An O(ND) Difference Algorithm",
 * 1986), given up beyond 2,000 differences: then all lines count as replaced.
 */
void text_diff(const char *before, const char *after, bool use_color, struct text *out);

/* Differences between two texts, for people. */
#pragma once

#include "base/text.h"

#include <stdbool.h>

/*
 * The lines in which @before and @after differ, as a unified diff with 3 lines of context; nothing
 * for equal texts.  Longest common subsequence by Myers' algorithm ("An O(ND) Difference Algorithm",
 * 1986), given up beyond 2,000 differences: then all lines count as replaced.
 */
void text_diff(const char *before, const char *after, bool use_color, struct text *out);

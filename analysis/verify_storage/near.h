/* Values of one op by where they lie. */
#pragma once

#include "analysis/verify_storage/internal.h"

struct vs_range {
    unsigned root;
    int64_t low, high;
    int64_t most; /* where this one and those in front of it in the root end at most */
    size_t index;
};

struct vs_near {
    array(struct vs_range) ranges; /* by root and begin */
    array(size_t) others;
};

void vs_near_add(const struct vs_replay *r, struct vs_near *near, size_t index, unsigned node);
/* Behind the last that is added. */
void vs_near_sort(struct vs_near *near);
typedef void vs_near_fn(void *state, size_t index);
/* Calls @visit at least for all that may have a byte in common with @node. */
void vs_near_each(const struct vs_replay *r, const struct vs_near *near, unsigned node,
                  vs_near_fn *visit, void *state);
void vs_near_finish(struct vs_near *near);

/*
 * What a call of a graph function does to storage: which arguments its results may live in, which it
 * overwrites (donated ones only) and which it may keep.
 */
#pragma once

#include "analysis/alias.h"

/* One leaf of the result: the callee's roots that it may live in. */
struct summary_result {
    unsigned root_count;
    const unsigned *roots; /* into struct summary.roots */
};

struct summary_root {
    enum alias_root_kind kind;
    unsigned parameter, parameter_leaf; /* of ROOT_PARAMETER */
};

struct summary {
    bool is_unknown; /* recursion or too deep: everything may happen */
    unsigned result_count;
    struct summary_result *results;
    unsigned root_count;
    struct summary_root *roots;
    unsigned param_count;
    bool *overwrites; /* by parameter: updated in place */
    bool *retains;    /* by parameter: opaque code may keep (a part of) it */
};

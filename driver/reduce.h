/*
 * Edits that make a module smaller, for `inlay reduce`.
 *
 * An edit may leave a module that does not verify, or one that no longer does what is looked for: the
 * caller tries and takes it back.  It must only never crash, and be the same each time.
 */
#pragma once

#include "ir/module.h"

struct reduction {
    const char *name;
    /* How many places there are in @module. */
    size_t (*count)(struct ir_module *module);
    /* Edits places @first to @first + @count - 1, as far as that can be done; true if it did one. */
    bool (*apply)(struct ir_module *module, size_t first, size_t count);
    bool is_single; /* the places exclude each other */
};

extern const struct reduction graph_reductions[];
extern const size_t graph_reduction_count;
extern const struct reduction kernel_reductions[];
extern const size_t kernel_reduction_count;

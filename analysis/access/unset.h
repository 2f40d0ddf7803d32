/* Is an element read that nothing has written before? */
#pragma once

#include "analysis/access/cover.h"

/* A read of storage that holds nothing yet. */
struct access_unset {
    const struct access *read; /* NULL: none is proved */
    bool is_always; /* the first time that it runs, whenever that is; else in the iteration below */
    /* Loops and lanes around, from the outside, and their variables' values where that is so; in the
     * arena of the cache. */
    const struct ir_var *const *vars;
    const int64_t *values;
    unsigned var_count;
    const struct access_size *sizes; /* of symbols: for these it is so */
    unsigned size_count;
};

/*
 * The first read of @root, a buffer of @func that holds nothing when it comes to be, of which it is
 * proved that some element it reads was written by no statement before: for some sizes of at least
 * 1, in a run that ends without an error.  A read that may not run (its condition is no
 * arithmetic) counts only where no write may come before the first time that it does.
 */
struct access_unset access_find_unset(struct access_cache *cache, const struct tir_func *func,
                                      const struct ir_buffer *root);

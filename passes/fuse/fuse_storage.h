/*
 * Which values of a function may share storage, as numbers: values with different numbers never do.
 *
 * Coarser than analysis/alias.h and one sweep: names, results in place, and whatever calls may return of
 * their arguments are one piece.
 */
#pragma once

#include "ir/graph.h"

struct fuse_storage {
    unsigned *parents; /* union-find over value->index */
};

/* Numbers @function; memory is the @arena's. */
struct fuse_storage fuse_storage_of(struct arena *arena, struct ir_function *function);
unsigned fuse_storage_number(struct fuse_storage *storage, const struct ir_value *value);

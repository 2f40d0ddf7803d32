/* Axes whose kinds are not what the first value of a reduction says they are. */
#pragma once

#include "base/diag.h"
#include "ir/module.h"

/* The letter of axis @index of @block in its T.axis.remap; nowhere if the axes are not written like that. */
struct location axis_kinds_letter(const struct tir_stmt *block, unsigned index);

/*
 * In @block, which has T.init, the axes that are indices of what it sets are spatial, and the others reduce.  The edit that makes the
 * letters of its T.axis.remap so, written to @m if there is one; false: they are, or the axes are not written like that.
 */
bool axis_kinds_help(struct diag_message *m, const struct tir_stmt *block);
/* The letters of the T.axis.remap of @block; nowhere if its axes are not all of one. */
struct location axis_kinds_letters(const struct tir_stmt *block);
/* Does an axis of @block reduce, and is said to be spatial?  Then its iterations are told to depend on each other. */
bool axis_kinds_are_spatial(const struct tir_stmt *block);

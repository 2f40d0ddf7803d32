/* Places in one piece of storage. */
#pragma once

#include "passes/memory/plan_items.h"
#include "passes/pass.h"

/*
 * Sets the offsets of @items.  Returns the bytes that all take; NULL if no place was found.
 *
 * Sizes that are numbers are packed as numbers.  Those that are multiples of one expression, c * P, are
 * packed by their c, and their offsets are multiples of P (rounded up to the alignment): who has room is
 * then the same for all values of the symbols.  Each group begins behind what lives beside it of those in
 * front of it.
 */
const struct ir_expr *plan_place(struct pass_run *run, struct plan_items *items);

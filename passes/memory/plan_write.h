/* The text of a plan: one piece of storage, and tensors at offsets in it. */
#pragma once

#include "passes/memory/plan_items.h"
#include "passes/pass.h"

/* What was written into a function, to be taken back. */
struct plan_text {
    struct ir_op *storage, *kill; /* no kill if a result lies there */
    array(struct ir_op *) tensors;
};

/*
 * Gives @items, which have offsets, places in a new piece of storage of @bytes: taken in front of the first
 * of them and given back behind the last, in the innermost region that holds all.  False after a report.
 */
bool plan_write(struct pass_run *run, const struct plan_items *items, const struct ir_expr *bytes,
                struct plan_text *out);
/* Gives each of the tensors storage of its own again.  False after a report. */
bool plan_take_back(struct pass_run *run, struct plan_text *text);

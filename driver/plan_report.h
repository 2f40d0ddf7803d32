/*
 * What a module says about memory, to be shown: read off its text, behind the passes, and not off the state of any.
 *
 * A storage is what a function takes itself: a tensor in a piece of storage, or one of its own.  It lives from there to its
 * end in the text, or the return; steps are positions in program order.
 */
#pragma once

#include "driver/plan_view.h"
#include "driver/totals.h"
#include "ir/module.h"

struct plan_report {
    array(struct plan_view) functions; /* in the order of the module */
    struct arena arena;                /* of the names */
};

/* @sizes has the numbers of --dim. */
void plan_report_make(struct plan_report *report, struct ir_module *module, struct sizes *sizes);
void plan_report_finish(struct plan_report *report);

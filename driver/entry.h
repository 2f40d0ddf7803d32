/* The function that is run: which one it is, and what went wrong in it. */
#pragma once

#include "base/diag.h"
#include "ir/module.h"
#include "runtime/frame.h"

/*
 * Who names a private function to run it calls it from outside: it is public from then on, so that passes leave
 * its parameters alone.
 */
void entry_publish(struct ir_module *module, const char *wanted);
/* The function @wanted of @module, a public one; NULL: `main`, or the only one.  NULL after a report. */
struct ir_function *entry_find(struct diag *diag, struct ir_module *module, const char *wanted);

/* The error of @frame, in which @function ran, as a diagnostic. */
void entry_report_error(struct diag *diag, const struct ir_function *function,
                        const struct inlay_frame *frame);

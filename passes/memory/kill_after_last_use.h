/* Ends of storage, for the pass and for those who need them written before they run a module. */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "ir/module.h"

/*
 * Writes the ends of all storage that functions of @module take and the text does not end.  With
 * @has_copies in-place calls work on private copies, as in the interpreter: a result in place has storage
 * of its own then.  True if there was any.
 */
bool kill_after_last_use(struct ir_module *module, struct diag *diag, struct arena *scratch,
                         bool has_copies);
/* Takes the ends out again.  True if there was any. */
bool kill_nothing(struct ir_module *module);

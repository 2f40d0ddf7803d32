/* Text to module. */
#pragma once

#include "base/diag.h"
#include "base/source.h"
#include "ir/module.h"

/*
 * Parses TVMScript (both dialect families) into a new module of @context: names resolved, in ANF,
 * types inferred, not yet verified (ir_verify).  NULL after reports (at most DIAG_ERROR_LIMIT).
 * @source must outlive the module.
 */
struct ir_module *frontend_parse(struct ir_context *context, struct diag *diag,
                                 const struct source *source);

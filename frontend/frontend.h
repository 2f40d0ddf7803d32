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

/* A value for a constant of the file (`N = 16`) in place of the file's: a number, True, False or a string. */
struct frontend_define {
    const char *name, *value;
};
/* The same with @defines, the caller's; a name that is no constant of the file is an error. */
struct ir_module *frontend_parse_with(struct ir_context *context, struct diag *diag,
                                      const struct source *source,
                                      const struct frontend_define *defines, size_t count);

/* The words that attributes of operators may be. */
#pragma once

#include "ir/module.h"

/* What string attribute @attribute of @info may be, up to NULL; NULL: any text. */
const char *const *op_choices(const struct ir_op_info *info, const char *attribute);
/* That of @words (up to NULL) which another library calls @typed; NULL: none. */
const char *op_choice_meant(const char *const *words, const char *typed);

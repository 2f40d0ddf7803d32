/* The pages docs/diagnostics/E0xxx.md, as text in the tool. */
#pragma once

#include "base/diag.h"

/* The page of @id in Markdown, or NULL if there is none. */
const char *diag_page(enum diag_id id);

/* Warnings that a script says it means. */
#pragma once

#include "base/source.h"

/* Does the line of @location, or a comment on the line before, say `# inlay: allow(E0321)` with this code?  More
 * codes stand with commas between. */
bool diag_is_allowed(struct location location, unsigned code);

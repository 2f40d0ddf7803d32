/* The edits that messages propose, made in a text. */
#pragma once

#include "base/text.h"
#include "driver/options.h"

/*
 * Makes in *@text, the script @name, the edits that leave it better: with fewer errors of syntax, or as
 * many of them and fewer other errors, or as many of those, too, and fewer warnings.  All edits are tried
 * at once, then each alone, in rounds: a mistake may hide another one.  Returns how many were made.
 */
unsigned mend_text(const struct driver_options *options, const char *name, struct text *text);

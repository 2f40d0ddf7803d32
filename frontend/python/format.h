/*
 * The layout of a script: blanks between the words of a line, indentation, blank lines.  Words, comments and the
 * ends of lines stay where they are: what comes out has the same tokens, which is looked at.
 */
#pragma once

#include "base/source.h"
#include "base/text.h"

/* False where the text cannot be read as tokens, or has tabs or lone CRs for ends of lines: nothing is written then. */
bool format_source(const struct source *source, struct text *out);

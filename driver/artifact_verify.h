/* Does an artifact compute what a script says?  It is loaded, run, and held against an oracle (artifact_oracle.h). */
#pragma once

#include "driver/artifact_note.h"
#include "driver/driver.h"

/*
 * Calls each function of the artifact that @note is of, whose path is for messages, and asks the oracle for that of
 * @source on the same inputs.  @out gets a line for each that is the same.  False after a report; *out_different:
 * because results differ.
 */
bool artifact_verify(struct driver *driver, const char *path, const struct artifact_note *note,
                     const char *weights, const struct source *source, struct text *out,
                     bool *out_different);

/* Does an artifact compute what a script says?  It is loaded and run beside the interpreter. */
#pragma once

#include "driver/artifact_note.h"
#include "driver/driver.h"

/*
 * Calls each function of the artifact that @note is of, whose path is for messages, and interprets that of
 * @source on the same inputs.  False after a report; *out_different: because results differ.
 */
bool artifact_verify(struct driver *driver, const char *path, const struct artifact_note *note,
                     const char *weights, const struct source *source, bool *out_different);

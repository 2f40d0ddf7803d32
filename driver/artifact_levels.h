/* Artifacts for several levels of a processor: `--cpu=v2,v3,v4`. */
#pragma once

#include "driver/artifact.h"

/* Do the options name several processors? */
bool artifact_levels_are_asked(const struct driver_options *options);
/*
 * Reads them into @out, in ascending order, and makes the basis of their machine the target of @driver.
 * False after a report.
 */
bool artifact_levels_read(struct driver *driver, struct artifact_options *out);
/* Runs the passes for each level on a copy of its own of @module, which is that of the first. */
typedef bool artifact_passes_fn(void *state, struct ir_module **module, bool is_first);
bool artifact_levels_make(struct driver *driver, struct artifact_options *options,
                          struct ir_module *module, artifact_passes_fn *passes, void *state);
/* Destroys the modules but the first. */
void artifact_levels_finish(struct artifact_options *options);

/*
 * @views, by level, agree on how functions are called; false after a report.  Those of the first get the arena that
 * any of them needs.
 */
bool artifact_levels_join(struct c_view *views, const struct artifact_options *options,
                          struct diag *diag);

/* What an imported model is promised by those who run it: inputs that may be overwritten, dims that are bounded. */
#pragma once

#include "driver/driver.h"

/*
 * Writes it to the attributes of `main`.  @donated: names of inputs with commas between, `*` for any text; @bounds:
 * `past=4096,batch=1`, by the names of dims; each may be NULL.  False after a report.
 */
bool model_contract(struct driver *driver, struct ir_module *module, const char *donated,
                    const char *bounds);

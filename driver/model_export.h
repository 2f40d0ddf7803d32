/* A model as a script with its weights in a file beside it. */
#pragma once

#include "driver/driver.h"

/*
 * Writes @module, whose `main` gets its large constants as parameters, to @path, and these to @path with the suffix
 * .safetensors.  False after a report; then neither file is new.
 */
bool model_export(struct driver *driver, struct ir_module *module, const char *path);

/*
 * Data that text names instead of showing them (ir/data.h): files of their bytes in a folder `constants`
 * beside the text, each with its name.
 */
#pragma once

#include "driver/driver.h"

/* Writes @data to FOLDER/constants unless they are there; false after a report. */
bool constants_save(struct driver *driver, const char *folder, const struct ir_data *data);

/* Reads what @source names and the context does not know yet; what is not found, the parser reports. */
void constants_load(struct driver *driver, const struct source *source);

/* Files of models (.onnx), mapped, and the files of weights beside them. */
#pragma once

#include "driver/driver.h"

bool model_is_one(const char *path);
/* The bytes of the file as a source without lines; NULL after a report. */
const struct source *model_read(struct driver *driver, const char *path);
/* The module of what model_read() gave, or of a model in memory; NULL after reports. */
struct ir_module *model_import(struct driver *driver, const struct source *source);
/* The name that the model gives input or result @index of @function, or NULL. */
const char *model_name(const struct ir_function *function, const char *list, size_t index);
/* The name of the parameter that the model calls @name, or @name. */
const char *model_parameter(const struct ir_function *function, const char *name);
void model_unmap(struct driver *driver);

/* The calls of kernels in a module, by number: how code that is measured names them to its host. */
#pragma once

#include "base/array.h"
#include "ir/module.h"

typedef array(struct ir_op *) kernel_site_array;

/* In the order of the text. */
void kernel_sites(const struct ir_module *module, kernel_site_array *out);

/* What the two halves of ir_module_clone() share. */
#pragma once

#include "base/map.h"
#include "ir/module.h"

struct cloner {
    const struct ir_module *from;
    struct ir_module *to; /* may be @from: what has no copy stands for itself then */
    struct map copies;    /* globals, constants, values, functions, buffers: old -> new */
    const struct ir_bindings *symbols; /* what stands for symbols; NULL: they are shared */
};

const struct ir_attr *clone_attr(struct cloner *c, const struct ir_attr *attr); /* accepts NULL */
void clone_kernel(struct cloner *c, const struct tir_func *from, struct tir_func *to);

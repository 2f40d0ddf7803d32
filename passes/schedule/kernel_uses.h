/* Which calls a kernel has, and whether all of them give it constants. */
#pragma once

#include "base/array.h"
#include "base/map.h"
#include "ir/graph.h"

/* A kernel and its calls. */
struct kernel_use {
    struct ir_global *global;
    array(struct ir_op *) calls;
    bool is_known; /* there is no use but these */
};

struct kernel_uses {
    struct ir_module *module;
    struct arena *arena;
    struct map kernels; /* struct ir_global -> struct kernel_use */
    array(struct kernel_use *) list;
};

void kernel_uses_find(struct kernel_uses *uses, struct ir_module *module, struct arena *arena);
/* Does every call give a constant for parameter @param?  Says nothing of uses that are not known. */
bool kernel_use_is_constant(const struct kernel_use *kernel, unsigned param);
void kernel_uses_finish(struct kernel_uses *uses);

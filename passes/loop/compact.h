/* Within CompactBufferAllocation: extents. */
#pragma once

#include "passes/loop/loop.h"

/* Gives each allocation of @body the extents of what is accessed of it. */
struct tir_stmt *compact_shrink(struct ir_module *module, struct tir_stmt *body);

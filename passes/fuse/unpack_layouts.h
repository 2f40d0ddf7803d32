/* Packed layouts (NCHW16c) as what they mean: see unpack_layouts.c. */
#pragma once

#include "passes/pass.h"

/* In the blocks of @region, not in regions within; false after a report. */
bool unpack_layouts(struct pass_run *run, struct ir_region *region, bool *out_changed);

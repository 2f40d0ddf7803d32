/* Products of widened bytes as products of bytes: see narrow_products.c. */
#pragma once

#include "passes/pass.h"

/* In the blocks of @region, not in regions within; false after a report. */
bool narrow_products(struct pass_run *run, struct ir_region *region, bool *out_changed);

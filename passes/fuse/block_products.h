/* Products with weights in blocks of 4 or 8 bits as one kernel: see block_products.c. */
#pragma once

#include "passes/pass.h"

/* In the blocks of @region, not in regions within; false after a report. */
bool block_products(struct pass_run *run, struct ir_region *region, bool *out_changed);

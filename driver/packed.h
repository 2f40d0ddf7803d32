/* Packed functions from libraries that --load names. */
#pragma once

#include "base/diag.h"
#include "driver/options.h"
#include "include/inlay/abi.h"

struct packed {
    array(void *) libraries; /* from dlopen() */
};

/* False after a report. */
bool packed_load(struct packed *packed, const struct driver_options *options, struct diag *diag);
/* The function behind __tvm_ffi_<symbol> of the first library that has it. */
inlay_packed_fn *packed_find(const struct packed *packed, const char *symbol, void **out_handle);
void packed_finish(struct packed *packed);

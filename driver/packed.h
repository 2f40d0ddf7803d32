/* Packed functions from libraries that --load names. */
#pragma once

#include "cli/cli.h"
#include "runtime/abi.h"

struct packed {
    array(void *) libraries; /* from dlopen() */
};

/* False after a report. */
bool packed_load(struct packed *packed, const struct cli_options *options, struct diag *diag);
/* For struct inlay_host: the function behind __tvm_ffi_<symbol> of the first library that has it. */
inlay_packed_fn *packed_find(void *state, const char *symbol, void **out_handle);
void packed_finish(struct packed *packed);

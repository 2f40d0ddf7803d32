/* What passes may ask of the tool; see struct pass_host. */
#pragma once

#include "driver/driver.h"
#include "io/file.h"

struct host {
    struct pass_host pass_host;
    struct driver *driver;
    uint64_t steps_left; /* of evaluations */
};

/*
 * Calls @visit with each tensor of an .npz, .safetensors or .npy file (named ""), to keep as long as @context
 * is there: it may lie in a mapped file.  False after @out_why.
 */
bool host_read_tensors(struct ir_context *context, const char *path, inlay_tensor_visit_fn *visit,
                       void *state, struct inlay_message *out_why);

/* See struct pass_host. */
bool host_compute(void *state, struct ir_module *module, const char *name, struct ir_constant **out,
                  size_t count);

void host_init(struct host *host, struct driver *driver);

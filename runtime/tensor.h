/* Tensors of the host: what files are read into and written from.  Allocation failures are returned. */
#pragma once

#include "runtime/abi.h"

#include <stdbool.h>

/*
 * An owned compact tensor, 64-byte aligned; NULL when memory is short, a dim is negative or the size
 * does not fit.  Zeroed.  inlay_tensor_destroy() frees it.
 */
struct inlay_tensor *inlay_tensor_create(struct inlay_dtype dtype, const int64_t *shape,
                                         int32_t ndim);
void inlay_tensor_destroy(struct inlay_tensor *tensor); /* accepts NULL */
int64_t inlay_tensor_elements(const struct inlay_tensor *tensor);

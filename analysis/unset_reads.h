/* Kernels that read storage which holds nothing yet. */
#pragma once

#include "analysis/access/access.h"
#include "base/diag.h"

/*
 * Warns of a read of @buffer, parameter or allocation of @kernel that holds nothing when the kernel begins,
 * if it provably comes before any write of the element.  @call: of the output that it is; NULL: the
 * kernel allocates it.  Where axes that reduce are said to be spatial promises.h says it instead, unless this @is_alone.
 */
void unset_reads_check(struct access_cache *cache, const struct tir_func *kernel,
                       const struct ir_buffer *buffer, const struct ir_op *call, bool is_alone,
                       struct diag *diag);
/* The same for all that @kernel allocates. */
void unset_reads_check_allocated(struct access_cache *cache, const struct tir_func *kernel,
                                 bool is_alone, struct diag *diag);

/* Tensors of the host: what files are read into and written from, and their elements. */
#pragma once

#include "include/inlay/tensor.h"

#include <stdbool.h>

/* Of elements at @data, which must outlive it; inlay_tensor_destroy() leaves them.  NULL: no memory, or a shape of too much. */
struct inlay_tensor *inlay_tensor_create_view(struct inlay_dtype dtype, const int64_t *shape,
                                              int32_t ndim, void *data);

static inline bool inlay_dtype_is(struct inlay_dtype a, struct inlay_dtype b)
{
    return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes; /* no call of memcmp() */
}
/* Bytes of one element, all lanes. */
int32_t inlay_dtype_bytes(struct inlay_dtype dtype);
bool inlay_dtype_is_float(struct inlay_dtype dtype); /* bfloat16 too */
/* int and uint 8 to 64, float 16 to 64, bfloat16, bool; one lane. */
bool inlay_dtype_is_supported(struct inlay_dtype dtype);

/*
 * Element @index (counted from @data) of such a dtype.  Reals and integers convert as far as they
 * go: ask for what the dtype is; uint64 keeps its bits in an int64_t.
 */
double inlay_element_real(struct inlay_dtype dtype, const void *data, int64_t index);
int64_t inlay_element_integer(struct inlay_dtype dtype, const void *data, int64_t index);
/* Stores, rounded to nearest or wrapped to the width; bool stores value != 0. */
void inlay_element_set_real(struct inlay_dtype dtype, void *data, int64_t index, double value);
void inlay_element_set_integer(struct inlay_dtype dtype, void *data, int64_t index, int64_t value);

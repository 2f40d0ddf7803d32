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

/* DLDataTypeCode of the dtypes that tensors of the host have. */
enum {
    INLAY_CODE_INT = 0,
    INLAY_CODE_UINT = 1,
    INLAY_CODE_FLOAT = 2,
    INLAY_CODE_BFLOAT = 4,
    INLAY_CODE_BOOL = 6,
};

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

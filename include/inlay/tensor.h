/* Tensors of a program that calls Inlay. */
#pragma once

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* DLDataTypeCode of the dtypes that tensors of a host have. */
enum inlay_dtype_code {
    INLAY_CODE_INT = 0,
    INLAY_CODE_UINT = 1,
    INLAY_CODE_FLOAT = 2,
    INLAY_CODE_BFLOAT = 4,
    INLAY_CODE_BOOL = 6, /* one byte, 0 or 1 */
};

/*
 * An owned compact tensor, 64-byte aligned; NULL when memory is short, a dim is negative or the size
 * does not fit.  Zeroed.  inlay_tensor_destroy() frees it.
 */
struct inlay_tensor *inlay_tensor_create(struct inlay_dtype dtype, const int64_t *shape,
                                         int32_t ndim);
/* The same in storage of @bytes (at least as many as it takes): a tensor that may grow where it is. */
struct inlay_tensor *inlay_tensor_create_with_room(struct inlay_dtype dtype, const int64_t *shape,
                                                   int32_t ndim, size_t bytes);
void inlay_tensor_destroy(struct inlay_tensor *tensor); /* accepts NULL */
int64_t inlay_tensor_elements(const struct inlay_tensor *tensor);

#ifdef __cplusplus
}
#endif

/*
 * What compiled code and its host share: tensor and value layouts, and the types of functions.
 * The layouts are DLPack's DLTensor and tvm-ffi's TVMFFIAny, so that an artifact can be called through
 * that ABI without conversion.  Needs libc only.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define INLAY_STATIC_ASSERT static_assert
extern "C" {
#else
#define INLAY_STATIC_ASSERT _Static_assert
#endif

struct inlay_device {
    int32_t type, id; /* 1, 0: the CPU */
};

struct inlay_dtype {
    uint8_t code, bits; /* DLDataTypeCode, see tensor.h */
    uint16_t lanes;
};

/* DLTensor. */
struct inlay_tensor {
    void *data;
    struct inlay_device device;
    int32_t ndim;
    struct inlay_dtype dtype;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: compact row-major */
    uint64_t byte_offset;
};

enum inlay_kind { /* type_index of TVMFFIAny */
                  INLAY_NONE = 0,
                  INLAY_INT = 1,
                  INLAY_BOOL = 2,
                  INLAY_FLOAT = 3,
                  INLAY_POINTER = 4,
                  INLAY_TENSOR = 7, /* borrowed struct inlay_tensor * */
                  INLAY_STRING = 8, /* const char * */
                  INLAY_SHAPE = 68, /* const struct inlay_shape * */
                  INLAY_TUPLE = 71, /* const struct inlay_tuple *, within compiled code only */
};

/* TVMFFIAny. */
struct inlay_value {
    int32_t kind; /* enum inlay_kind */
    uint32_t padding;
    union {
        int64_t integer;
        double real;
        void *pointer;
        struct inlay_tensor *tensor;
        const char *string;
        const struct inlay_shape *shape;
        const struct inlay_tuple *tuple;
    };
};

struct inlay_shape {
    const int64_t *dims;
    size_t count;
};

struct inlay_tuple {
    const struct inlay_value *fields;
    size_t count;
};

#if UINTPTR_MAX > 0xffffffff
INLAY_STATIC_ASSERT(sizeof(struct inlay_tensor) == 48, "DLTensor");
INLAY_STATIC_ASSERT(offsetof(struct inlay_tensor, ndim) == 16, "DLTensor");
INLAY_STATIC_ASSERT(offsetof(struct inlay_tensor, dtype) == 20, "DLTensor");
INLAY_STATIC_ASSERT(offsetof(struct inlay_tensor, shape) == 24, "DLTensor");
INLAY_STATIC_ASSERT(offsetof(struct inlay_tensor, byte_offset) == 40, "DLTensor");
#endif
INLAY_STATIC_ASSERT(sizeof(struct inlay_value) == 16, "TVMFFIAny");

/*
 * One run of an entry: owns what the run allocates and carries the first error.  Not shared between
 * threads.  Compiled code returns 0, or -1 with the error set.
 */
struct inlay_frame;

/*
 * A compiled graph function.  Tuples are flattened into @args and @results, in order.  One that is private may also
 * return INLAY_TAIL to compiled code that calls it: another is to be called in its place.
 */
enum { INLAY_TAIL = 1 };
typedef int32_t inlay_entry_fn(struct inlay_frame *frame, const struct inlay_value *args,
                               int32_t arg_count, struct inlay_value *results,
                               int32_t result_count);

/*
 * A packed function given with --load or registered: tvm-ffi's TVMFFISafeCallType.  Returns 0, or -1.
 */
typedef int32_t inlay_packed_fn(void *handle, const struct inlay_value *args, int32_t arg_count,
                                struct inlay_value *result);

#ifdef __cplusplus
}
#endif

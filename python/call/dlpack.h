/*
 * DLPack as other libraries speak it: managed tensors, and the table of functions by which a type of tensors is read and
 * made without a call of Python.  Its DLTensor is struct inlay_tensor.
 */
#pragma once

#include "include/inlay/abi.h"

/* DLPACK_COPIED: what is written there is lost. */
enum { DLPACK_MAJOR = 1, DLPACK_READ_ONLY = 1, DLPACK_COPIED = 2 };

struct dlpack_version {
    uint32_t major, minor;
};

/* DLManagedTensor: of producers that know no versions. */
struct dlpack_unversioned {
    struct inlay_tensor tensor;
    void *context;
    void (*deleter)(struct dlpack_unversioned *self);
};

/* DLManagedTensorVersioned */
struct dlpack_managed {
    struct dlpack_version version;
    void *context;
    void (*deleter)(struct dlpack_managed *self);
    uint64_t flags;
    struct inlay_tensor tensor;
};

/* DLPackExchangeAPI: functions return 0, or -1 with an exception set. */
struct dlpack_exchange {
    struct dlpack_version version;
    struct dlpack_exchange *older;
    int (*allocate)(struct inlay_tensor *prototype, struct dlpack_managed **out, void *state,
                    void (*set_error)(void *state, const char *kind, const char *message));
    int (*managed_from)(void *object, struct dlpack_managed **out);
    int (*object_of)(struct dlpack_managed *managed, void **out_object); /* takes it over */
    /* What @out points at is the object's. */
    int (*tensor_from)(void *object, struct inlay_tensor *out);
    int (*current_stream)(int32_t device_type, int32_t device_id, void **out_stream);
};

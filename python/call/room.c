/* inlay.Room among the arguments: a tensor, and the storage that it begins and may grow in. */
#include "python/call/call.h"

/* Row-major, without gaps? */
static bool is_compact(const struct inlay_tensor *tensor)
{
    int64_t stride = 1;

    for (int32_t i = tensor->ndim; tensor->strides && i-- > 0; stride *= tensor->shape[i])
        if (tensor->shape[i] > 1 && tensor->strides[i] != stride)
            return false;
    return true;
}

static bool refuse(const char *name, const char *why)
{
    PyErr_Format(PyExc_ValueError, "the storage of `%s` %s", name, why);
    return false;
}

/* Does what @storage says hold of the tensor of @given, which is filled? Then it is noted how large it is. */
static bool take_storage(struct given *given, const struct given *storage, const char *name)
{
    const struct inlay_tensor *whole = &storage->tensor;

    if (call_bytes(&given->tensor) == 0) { /* of an empty one libraries give no address */
        given->tensor.data = whole->data;
        given->tensor.byte_offset = whole->byte_offset;
    }
    if (whole->device.type != given->tensor.device.type ||
        call_address(whole) != call_address(&given->tensor))
        return refuse(name, "does not begin where it does");
    if (storage->is_read_only)
        return refuse(name, "is not writable");
    if (!is_compact(whole))
        return refuse(name, "is strided");
    given->promised = call_bytes(whole);
    return true;
}

int call_is_room(PyObject *object)
{
    PyObject *type = call_helper("Room");

    return type ? PyObject_IsInstance(object, type) : -1;
}

bool call_fill_room(struct given *given, const char *name)
{
    PyObject *tensor = PyObject_GetAttrString(given->object, "tensor");
    struct given storage = {.object = PyObject_GetAttrString(given->object, "storage")};
    bool is_good = tensor && storage.object;

    storage.dims = storage.room;
    if (tensor) { /* a result may be the tensor, and keeps it */
        Py_DECREF(given->object);
        given->object = tensor;
    }
    is_good = is_good && call_fill_tensor(given, name) && call_fill_tensor(&storage, name) &&
              take_storage(given, &storage, name);
    if (storage.dims != storage.room)
        PyMem_Free(storage.dims);
    Py_XDECREF(storage.capsule);
    Py_XDECREF(storage.object);
    return is_good;
}

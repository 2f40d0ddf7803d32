/*
 * Results as Python has them: an argument if one lies in it whole, what was given to put it into, else a tensor of the
 * library of the first one.
 */
#include "python/call/call.h"
#include "python/call/dlpack.h"

#include <stdlib.h>
#include <string.h>

static bool is_same(const struct inlay_tensor *a, const struct inlay_tensor *b)
{
    return call_address(a) == call_address(b) && a->ndim == b->ndim &&
           memcmp(&a->dtype, &b->dtype, sizeof(a->dtype)) == 0 &&
           (a->ndim == 0 || memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof(*a->shape)) == 0);
}

/* Does @tensor begin within the argument, or the storage that it may grow in? */
static bool is_in(const struct inlay_tensor *tensor, const struct given *given)
{
    size_t bytes = given->promised ? given->promised : call_bytes(&given->tensor);

    return (uintptr_t)call_address(tensor) - (uintptr_t)call_address(&given->tensor) < bytes;
}

/* The first tensor among the arguments, which says what library results are of; or NULL. */
static const struct given *first_tensor(const struct call *call)
{
    for (Py_ssize_t i = 0; i < call->arguments.count; i++)
        if (call->arguments.given[i].is_tensor)
            return &call->arguments.given[i];
    return NULL;
}

/* ---- of libraries with functions for it ---- */

struct shared {
    struct dlpack_managed managed;
    int64_t dims[]; /* and strides */
};

static void release(struct dlpack_managed *managed)
{
    if (Py_IsInitialized()) { /* else the process ends, and the memory with it */
        PyGILState_STATE state = PyGILState_Ensure();
        Py_XDECREF((PyObject *)managed->context);
        PyGILState_Release(state);
    }
    free(managed);
}

static PyObject *share(const struct dlpack_exchange *exchange, const struct inlay_tensor *tensor,
                       PyObject *owner)
{
    size_t ndim = (size_t)tensor->ndim;
    struct shared *shared = malloc(sizeof(*shared) + 2 * ndim * sizeof(int64_t));
    void *object = NULL;
    int64_t stride = 1;

    if (!shared)
        return PyErr_NoMemory();
    for (size_t i = ndim; i-- > 0; stride *= tensor->shape[i] > 0 ? tensor->shape[i] : 1) {
        shared->dims[i] = tensor->shape[i];
        shared->dims[ndim + i] = stride;
    }
    shared->managed = (struct dlpack_managed){
        .version = {DLPACK_MAJOR, 0}, .context = owner, .deleter = release, .tensor = *tensor};
    shared->managed.tensor.shape = shared->dims;
    shared->managed.tensor.strides = shared->dims + ndim;
    Py_INCREF(owner);
    if (exchange->object_of(&shared->managed, &object) == 0)
        return object;
    Py_DECREF(owner);
    free(shared);
    return NULL;
}

/* ---- of all ---- */

static PyObject *by_helper(const char *helper, PyObject *owned, const struct inlay_tensor *tensor)
{
    PyObject *make = owned ? call_helper(helper) : NULL;
    PyObject *is_bfloat = PyBool_FromLong(tensor->dtype.code == INLAY_CODE_BFLOAT);
    PyObject *result =
        make && is_bfloat ? PyObject_CallFunctionObjArgs(make, owned, is_bfloat, NULL) : NULL;

    Py_XDECREF(is_bfloat);
    Py_XDECREF(owned);
    return result;
}

static PyObject *own(struct call *call, const struct inlay_tensor *tensor)
{
    const struct given *like = first_tensor(call);
    bool is_torch = false, is_read_only = false;
    const struct dlpack_exchange *exchange =
        like && !call_is_array(like->object) ? call_exchange(like->object, &is_torch) : NULL;
    PyObject *owner = call_memory(call);

    if (!owner)
        return NULL;
    for (Py_ssize_t i = 0; i < call->arguments.count; i++) {
        const struct given *given = &call->arguments.given[i];
        if (!given->is_tensor || !is_in(tensor, given))
            continue;
        is_read_only = is_read_only || given->is_read_only;
        if (!call_keep(call, given->capsule ? given->capsule : given->object))
            return NULL;
    }
    if (is_torch && exchange)
        return share(exchange, tensor, owner);
    if (is_torch)
        return by_helper("to_torch", call_make_array(tensor, owner, false, true), tensor);
    return call_make_array(tensor, owner, is_read_only, false);
}

static bool begins_argument(const struct call *call, const char *address)
{
    bool is_found = false;

    for (Py_ssize_t i = 0; i < call->arguments.count && !is_found; i++)
        is_found = call->arguments.given[i].is_tensor &&
                   call_address(&call->arguments.given[i].tensor) == address;
    return is_found;
}

/* @place: what was given for it, or NULL. What begins where an argument does is told where it is: nothing is put there. */
static PyObject *make_tensor(struct call *call, const struct inlay_tensor *tensor,
                             const struct given *place)
{
    if (place && (call_bytes(tensor) == 0 || !begins_argument(call, place->begin))) {
        Py_INCREF(place->object);
        return place->object;
    }
    for (Py_ssize_t i = 0; i < call->arguments.count; i++) {
        const struct given *given = &call->arguments.given[i];
        if (given->is_tensor && is_same(tensor, &given->tensor)) {
            Py_INCREF(given->object);
            return given->object;
        }
    }
    return own(call, tensor);
}

static PyObject *make_shape(const struct inlay_shape *shape)
{
    PyObject *result = PyTuple_New((Py_ssize_t)shape->count);

    for (size_t i = 0; result && i < shape->count; i++) {
        PyObject *dim = PyLong_FromLongLong(shape->dims[i]);
        if (!dim || PyTuple_SetItem(result, (Py_ssize_t)i, dim) != 0) { /* takes it over */
            Py_DECREF(result);
            return NULL;
        }
    }
    return result;
}

static PyObject *make_leaf(struct call *call, const struct inlay_value *value,
                           const struct given *place)
{
    switch (value->kind) {
    case INLAY_TENSOR:
        return make_tensor(call, value->tensor, place);
    case INLAY_SHAPE:
        return make_shape(value->shape);
    case INLAY_INT:
        return PyLong_FromLongLong(value->integer);
    case INLAY_BOOL:
        return PyBool_FromLong(value->integer != 0);
    case INLAY_FLOAT:
        return PyFloat_FromDouble(value->real);
    default:
        Py_RETURN_NONE;
    }
}

struct results {
    const struct inlay_value *values;
    const struct given *places; /* NULL: none were given */
    size_t count, next;
};

static PyObject *nest(struct call *call, PyObject *shape, struct results *results)
{
    if (!PyTuple_Check(shape)) {
        size_t i = results->next++;
        if (i < results->count)
            return make_leaf(call, &results->values[i],
                             results->places ? &results->places[i] : NULL);
        PyErr_SetString(PyExc_SystemError, "a run has fewer results than its function");
        return NULL;
    }
    PyObject *result = PyTuple_New(PyTuple_Size(shape));
    for (Py_ssize_t i = 0; result && i < PyTuple_Size(shape); i++) {
        PyObject *part = nest(call, PyTuple_GetItem(shape, i), results); /* as deep as a type is */
        if (!part || PyTuple_SetItem(result, i, part) != 0) {
            Py_DECREF(result);
            return NULL;
        }
    }
    return result;
}

PyObject *call_make_results(struct call *call)
{
    struct results results = {.values = call->places.values,
                              .places = call->places.given,
                              .count = (size_t)call->places.count};

    if (!call->is_into) {
        results.places = NULL;
        results.count = inlay_run_results(call->run, &results.values);
    }
    return nest(call, call->callable->results, &results);
}

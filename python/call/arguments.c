/* Arguments of Python as the library takes them: tuples taken apart, tensors borrowed where they are. */
#include "python/call/call.h"
#include "python/call/dlpack.h"

#include <string.h>

/* ---- taking apart ---- */

static bool is_shape(PyObject *object)
{
    bool is_one = PyTuple_Check(object) && PyTuple_Size(object) > 0;

    for (Py_ssize_t i = 0; is_one && i < PyTuple_Size(object); i++) {
        PyObject *dim = PyTuple_GetItem(object, i);
        is_one = PyLong_Check(dim) && !PyBool_Check(dim);
    }
    return is_one;
}

static bool collect(struct row *row, PyObject *object)
{
    bool is_tuple = PyTuple_Check(object);
    bool is_good = true;

    if ((!is_tuple && !PyList_Check(object)) || is_shape(object)) {
        if (row->count < row->room) {
            struct given *given = &row->given[row->count];
            Py_INCREF(object);
            given->object = object;
            given->capsule = NULL;
            given->dims = given->room;
            given->promised = 0;
            given->is_tensor = given->is_read_only = false;
        }
        row->count++;
        return true;
    }
    if (Py_EnterRecursiveCall(" in the arguments of a module"))
        return false;
    for (Py_ssize_t i = 0; is_good && i < (is_tuple ? PyTuple_Size(object) : PyList_Size(object));
         i++)
        is_good = collect(row, is_tuple ? PyTuple_GetItem(object, i) : PyList_GetItem(object, i));
    Py_LeaveRecursiveCall();
    return is_good;
}

/* ---- tensors ---- */

bool call_room_for_dims(struct given *given, int32_t ndim)
{
    if (given->dims != given->room)
        PyMem_Free(given->dims);
    given->dims = given->room;
    if (ndim <= CALL_DIMS)
        return true;
    given->dims = PyMem_Malloc(2 * (size_t)ndim * sizeof(*given->dims));
    if (given->dims)
        return true;
    given->dims = given->room;
    PyErr_NoMemory();
    return false;
}

/* Shape and strides become the copy's: their owner may change them while other threads of Python run. */
static bool copy_dims(struct given *given)
{
    struct inlay_tensor *tensor = &given->tensor;

    if (tensor->ndim < 0 || (tensor->ndim > 0 && !tensor->shape)) {
        PyErr_SetString(PyExc_TypeError, "a tensor has no shape");
        return false;
    }
    if (!call_room_for_dims(given, tensor->ndim))
        return false;
    for (int32_t i = 0; i < tensor->ndim; i++) {
        given->dims[i] = tensor->shape[i];
        if (tensor->strides)
            given->dims[tensor->ndim + i] = tensor->strides[i];
    }
    tensor->shape = given->dims;
    tensor->strides = tensor->strides ? given->dims + tensor->ndim : NULL;
    return true;
}

/* 1, 0, or -1 with an exception set. */
static int truth_of(PyObject *owned)
{
    int is_true = owned ? PyObject_IsTrue(owned) : -1;

    Py_XDECREF(owned);
    return is_true;
}

/* Does @tensor mean something else than what lies in its memory? */
static int is_odd(PyObject *tensor)
{
    int is_recorded = truth_of(PyObject_GetAttrString(tensor, "requires_grad"));

    return is_recorded != 0 ? is_recorded : truth_of(PyObject_CallMethod(tensor, "is_neg", NULL));
}

/* 1: it is filled; 0: another way has to be gone; -1 with an exception set. */
static int fill_exchanged(struct given *given)
{
    bool is_torch = false;
    const struct dlpack_exchange *exchange = call_exchange(given->object, &is_torch);
    int odd = exchange && is_torch ? is_odd(given->object) : 0;

    if (!exchange || odd != 0)
        return odd < 0 ? -1 : 0;
    if (exchange->tensor_from(given->object, &given->tensor) != 0) {
        PyErr_Clear(); /* __dlpack__ says it */
        return 0;
    }
    return copy_dims(given) ? 1 : -1;
}

static bool fill_by_capsule(struct given *given, const char *name)
{
    PyObject *borrow = call_helper("borrow");

    if (!borrow)
        return false;
    given->capsule = PyObject_CallFunction(borrow, "Os", given->object, name);
    if (!given->capsule)
        return false;
    if (PyCapsule_IsValid(given->capsule, "dltensor_versioned")) {
        const struct dlpack_managed *managed =
            PyCapsule_GetPointer(given->capsule, "dltensor_versioned");
        given->tensor = managed->tensor;
        given->is_read_only = managed->flags & (DLPACK_READ_ONLY | DLPACK_COPIED);
    } else {
        const struct dlpack_unversioned *managed = PyCapsule_GetPointer(given->capsule, "dltensor");
        if (!managed)
            return false;
        given->tensor = managed->tensor;
    }
    return copy_dims(given);
}

bool call_fill_tensor(struct given *given, const char *name)
{
    int filled = call_is_array(given->object) ? call_read_array(given->object, given)
                                              : fill_exchanged(given);

    if (filled < 0 || PyErr_Occurred())
        return false;
    given->is_tensor = filled || fill_by_capsule(given, name);
    return given->is_tensor;
}

/* ---- all ---- */

static bool fill_shape(struct given *given)
{
    Py_ssize_t count = PyTuple_Size(given->object);

    if (!call_room_for_dims(given, count > INT32_MAX ? INT32_MAX : (int32_t)count))
        return false;
    for (Py_ssize_t i = 0; i < count; i++)
        given->dims[i] = PyLong_AsLongLong(PyTuple_GetItem(given->object, i));
    given->shape = (struct inlay_shape){.dims = given->dims, .count = (size_t)count};
    return !PyErr_Occurred();
}

static bool refuse_kind(PyObject *object, const char *name)
{
    PyObject *kind = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");

    if (kind)
        PyErr_Format(
            PyExc_TypeError,
            "`%s` is a %U, but tensors with __dlpack__, numbers and tuples of them are taken", name,
            kind);
    Py_XDECREF(kind);
    return false;
}

static bool is_tensor(PyObject *object)
{
    bool is_torch;

    return call_is_array(object) || call_exchange(object, &is_torch) ||
           PyObject_HasAttrString(object, "__dlpack__");
}

/* A tensor, by itself or with the storage that it may grow in (@is_room). */
static bool fill_value(struct given *given, const struct leaf *leaf, struct inlay_value *value,
                       bool is_room)
{
    value->kind = INLAY_TENSOR;
    value->tensor = &given->tensor;
    if (is_room ? !call_fill_room(given, leaf->name) : !call_fill_tensor(given, leaf->name))
        return false;
    if (leaf->is_donated && given->is_read_only) {
        PyErr_Format(PyExc_ValueError, "`%s` is donated, so it must be writable", leaf->name);
        return false;
    }
    return true;
}

static bool fill(struct given *given, const struct leaf *leaf, struct inlay_value *value)
{
    PyObject *object = given->object;

    *value = (struct inlay_value){.kind = INLAY_NONE};
    if (PyBool_Check(object)) {
        value->kind = INLAY_BOOL;
        value->integer = object == Py_True;
    } else if (PyLong_Check(object)) {
        value->kind = INLAY_INT;
        value->integer = PyLong_AsLongLong(object);
        return !(value->integer == -1 && PyErr_Occurred());
    } else if (PyFloat_Check(object)) {
        value->kind = INLAY_FLOAT;
        value->real = PyFloat_AsDouble(object);
    } else if (PyTuple_Check(object)) {
        value->kind = INLAY_SHAPE;
        value->shape = &given->shape;
        return fill_shape(given);
    } else if (is_tensor(object)) {
        return fill_value(given, leaf, value, false);
    } else {
        int is_room = call_is_room(object);
        if (is_room > 0)
            return fill_value(given, leaf, value, true);
        return is_room == 0 && refuse_kind(object, leaf->name);
    }
    return true;
}

static bool collect_all(struct row *row, PyObject *args, const char *what)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(args); i++)
        if (!collect(row, PyTuple_GetItem(args, i)))
            return false;
    if (row->count == row->room)
        return true;
    PyErr_Format(PyExc_TypeError, "%zd %s, but given are %zd", row->room, what, row->count);
    return false;
}

bool call_take_arguments(struct call *call, PyObject *args)
{
    struct row *row = &call->arguments;

    if (!collect_all(row, args, "tensors and numbers are needed, in tuples as the script has them"))
        return false;
    for (Py_ssize_t i = 0; i < row->count; i++) {
        if (!fill(&row->given[i], &call->callable->leaves[i], &row->values[i]))
            return false;
        call->has_rooms = call->has_rooms || row->given[i].promised > 0;
    }
    return true;
}

/* ---- places of results ---- */

/* What is put at a @place of no bytes, which libraries give no address: its shape is looked at. */
static void set_address(struct inlay_tensor *place)
{
    static char nowhere[64] __attribute__((aligned(64)));

    if (call_bytes(place) == 0) {
        place->data = nowhere;
        place->byte_offset = 0;
    }
}

static bool fill_place(struct given *given, Py_ssize_t number, struct inlay_value *value)
{
    char name[32];

    *value = (struct inlay_value){.kind = INLAY_NONE};
    if (given->object == Py_None)
        return true;
    PyOS_snprintf(name, sizeof(name), "result %ld", (long)number + 1);
    if (!is_tensor(given->object))
        return refuse_kind(given->object, name);
    if (!call_fill_tensor(given, name))
        return false;
    if (given->is_read_only) {
        PyErr_Format(PyExc_ValueError, "what `%s` is put into must be writable", name);
        return false;
    }
    given->begin = call_address(&given->tensor);
    set_address(&given->tensor);
    value->kind = INLAY_TENSOR;
    value->tensor = &given->tensor;
    return true;
}

bool call_take_places(struct call *call, PyObject *places)
{
    struct row *row = &call->places;
    PyObject *all = PyTuple_Pack(1, places);
    bool is_good = all && collect_all(row, all, "places for results are needed, None for a number");

    Py_XDECREF(all);
    for (Py_ssize_t i = 0; is_good && i < row->count; i++)
        is_good = fill_place(&row->given[i], i, &row->values[i]);
    return is_good;
}

void call_drop_row(struct row *row)
{
    for (Py_ssize_t i = 0; i < row->count && i < row->room; i++) {
        struct given *given = &row->given[i];
        if (given->dims != given->room)
            PyMem_Free(given->dims);
        Py_XDECREF(given->capsule);
        Py_DECREF(given->object);
    }
}

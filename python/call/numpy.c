/*
 * Arrays of NumPy without its headers: those of NumPy 2 serve both, but Debian 12 has those of NumPy 1 only.  What is used here is what the
 * macros of the headers compile into every extension, so it cannot change within NumPy 1 or 2: the first fields of an array and of a
 * dtype, and places in the table of functions.
 */
#include "python/call/call.h"

struct array {
    PyObject_HEAD char *data;
    int ndim;
    Py_ssize_t *dims, *strides; /* strides in bytes */
    PyObject *base;
    struct dtype *dtype;
    int flags;
};

struct dtype {
    PyObject_HEAD PyTypeObject *scalar;
    char kind, type, byteorder, unused;
    int number;
};

enum { CONTIGUOUS = 0x1, ALIGNED = 0x100, WRITEABLE = 0x400 };
enum { TYPE_ARRAY = 2, FROM_NUMBER = 45, NEW_FROM_DTYPE = 94, SET_BASE = 282 }; /* in the table */
enum { FIRST_OF_USERS = 256 };                                                  /* type numbers */

typedef PyObject *from_number_fn(int number);
typedef PyObject *new_fn(PyTypeObject *type, PyObject *dtype, int ndim, const Py_ssize_t *dims,
                         const Py_ssize_t *strides, void *data, int flags, PyObject *like);
typedef int set_base_fn(PyObject *array, PyObject *base);

static struct {
    PyTypeObject *array;
    from_number_fn *from_number;
    new_fn *create;
    set_base_fn *set_base;
    PyObject *bfloat16; /* of ml_dtypes, when it was wanted first */
} numpy;

/* NPY_TYPES; bits 0: tensors have no such elements. */
static const struct inlay_dtype dtypes[] = {
    [0] = {INLAY_CODE_BOOL, 8, 1},
    [1] = {INLAY_CODE_INT, 8, 1},
    [2] = {INLAY_CODE_UINT, 8, 1},
    [3] = {INLAY_CODE_INT, 16, 1},
    [4] = {INLAY_CODE_UINT, 16, 1},
    [5] = {INLAY_CODE_INT, 32, 1},
    [6] = {INLAY_CODE_UINT, 32, 1},
    [7] = {INLAY_CODE_INT, 8 * sizeof(long), 1},
    [8] = {INLAY_CODE_UINT, 8 * sizeof(long), 1},
    [9] = {INLAY_CODE_INT, 64, 1},
    [10] = {INLAY_CODE_UINT, 64, 1},
    [11] = {INLAY_CODE_FLOAT, 32, 1},
    [12] = {INLAY_CODE_FLOAT, 64, 1},
    [23] = {INLAY_CODE_FLOAT, 16, 1},
};
enum { DTYPES = sizeof(dtypes) / sizeof(*dtypes) };

bool call_ready_numpy(void)
{
    PyObject *module = PyImport_ImportModule("numpy._core.multiarray");

    if (!module) { /* NumPy 1 */
        PyErr_Clear();
        module = PyImport_ImportModule("numpy.core.multiarray");
    }
    PyObject *capsule = module ? PyObject_GetAttrString(module, "_ARRAY_API") : NULL;
    void **table = capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;

    if (table) {
        numpy.array = table[TYPE_ARRAY];
        *(void **)&numpy.from_number = table[FROM_NUMBER];
        *(void **)&numpy.create = table[NEW_FROM_DTYPE];
        *(void **)&numpy.set_base = table[SET_BASE];
    }
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    return table;
}

bool call_is_array(PyObject *object)
{
    return Py_TYPE(object) == numpy.array || PyType_IsSubtype(Py_TYPE(object), numpy.array);
}

/* Is @dtype the bfloat16 that ml_dtypes adds? */
static bool is_bfloat16(const struct dtype *dtype)
{
    PyObject *name =
        dtype->number >= FIRST_OF_USERS ? PyObject_GetAttrString((PyObject *)dtype, "name") : NULL;
    bool is_same =
        name && PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "bfloat16") == 0;

    Py_XDECREF(name);
    PyErr_Clear();
    return is_same;
}

static struct inlay_dtype dtype_of(const struct dtype *dtype)
{
    bool is_native = dtype->byteorder == '=' || dtype->byteorder == '|';

    if (is_native && dtype->number >= 0 && dtype->number < DTYPES)
        return dtypes[dtype->number];
    return is_bfloat16(dtype) ? (struct inlay_dtype){INLAY_CODE_BFLOAT, 16, 1}
                              : (struct inlay_dtype){0};
}

bool call_read_array(PyObject *object, struct given *out)
{
    const struct array *array = (const struct array *)object;
    struct inlay_dtype dtype = dtype_of(array->dtype);
    bool is_compact = array->flags & CONTIGUOUS;
    int bytes = dtype.bits / 8;

    if (bytes == 0 || !call_room_for_dims(out, array->ndim))
        return false;
    int64_t *strides = out->dims + array->ndim;
    for (int i = 0; i < array->ndim; i++) {
        out->dims[i] = array->dims[i];
        strides[i] = array->strides[i] / bytes;
        if (!is_compact && array->strides[i] % bytes != 0)
            return false;
    }
    out->tensor = (struct inlay_tensor){.data = array->data,
                                        .device = {1, 0},
                                        .ndim = array->ndim,
                                        .dtype = dtype,
                                        .shape = out->dims,
                                        .strides = is_compact ? NULL : strides};
    out->is_read_only = !(array->flags & WRITEABLE);
    return true;
}

/* A new reference. */
static PyObject *make_bfloat16(void)
{
    PyObject *find = numpy.bfloat16 ? NULL : call_helper("bfloat16");

    if (find)
        numpy.bfloat16 = PyObject_CallObject(find, NULL);
    Py_XINCREF(numpy.bfloat16);
    return numpy.bfloat16;
}

static PyObject *make_dtype(struct inlay_dtype dtype, bool is_bfloat_bits)
{
    if (dtype.code == INLAY_CODE_BFLOAT && dtype.bits == 16) {
        if (!is_bfloat_bits)
            return make_bfloat16();
        dtype.code = INLAY_CODE_INT;
    }
    for (int i = 0; i < DTYPES; i++)
        if (dtypes[i].bits == dtype.bits && dtypes[i].code == dtype.code && dtype.lanes == 1)
            return numpy.from_number(i);
    PyErr_Format(PyExc_TypeError, "NumPy has no dtype for a result of code %d, %d bits",
                 (int)dtype.code, (int)dtype.bits);
    return NULL;
}

PyObject *call_make_array(const struct inlay_tensor *tensor, PyObject *owner, bool is_read_only,
                          bool is_bfloat_bits)
{
    PyObject *dtype = make_dtype(tensor->dtype, is_bfloat_bits);
    Py_ssize_t dims[64]; /* NumPy has 32, or 64 */

    if (!dtype)
        return NULL;
    if (tensor->ndim > 64) {
        PyErr_Format(PyExc_ValueError, "a result has %d dimensions, too many for NumPy",
                     (int)tensor->ndim);
        Py_DECREF(dtype);
        return NULL;
    }
    for (int32_t i = 0; i < tensor->ndim; i++)
        dims[i] = (Py_ssize_t)tensor->shape[i];
    int flags = CONTIGUOUS | ALIGNED | (is_read_only ? 0 : WRITEABLE);
    PyObject *array = numpy.create(numpy.array, dtype, tensor->ndim, dims, NULL,
                                   call_address(tensor), flags, NULL); /* takes the dtype over */
    if (!array || !call_address(tensor))
        return array;
    Py_INCREF(owner);
    if (numpy.set_base(array, owner) == 0) /* takes the owner over */
        return array;
    Py_DECREF(array);
    return NULL;
}

/* inlay._call: the type that inlay.Module is derived from, which is what a call goes through. */
#include "python/call/call.h"

#include <stdlib.h>

static PyObject *arrays; /* inlay._arrays, with the first use */

PyObject *call_helper(const char *name)
{
    if (!arrays)
        arrays = PyImport_ImportModule("inlay._arrays");
    PyObject *found = arrays ? PyObject_GetAttrString(arrays, name) : NULL;
    Py_XDECREF(found); /* the module has it */
    return found;
}

/* ---- making and binding ---- */

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)args, (void)kwargs;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    struct callable *callable = (struct callable *)allocate(type, 0);

    if (!callable)
        return NULL;
    callable->lock = PyThread_allocate_lock();
    if (callable->lock)
        return (PyObject *)callable;
    Py_DECREF((PyObject *)callable);
    return PyErr_NoMemory();
}

static void unbind(struct callable *callable)
{
    callable->module = NULL;
    PyMem_Free(callable->leaves);
    callable->leaves = NULL;
    callable->leaf_count = 0;
    Py_CLEAR(callable->entry);
    Py_CLEAR(callable->described);
    Py_CLEAR(callable->results);
}

static void drop(PyObject *self)
{
    struct callable *callable = (struct callable *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    unbind(callable);
    while (callable->dead) { /* the runs went with their session */
        struct held *held = callable->dead;
        callable->dead = held->next;
        free(held);
    }
    if (callable->lock)
        PyThread_free_lock(callable->lock);
    release(self);
    Py_DECREF((PyObject *)type);
}

/* How many results there are that nest as @nesting says. */
static Py_ssize_t count_results(PyObject *nesting)
{
    Py_ssize_t count = 0;

    if (!PyTuple_Check(nesting))
        return 1;
    for (Py_ssize_t i = 0; i < PyTuple_Size(nesting); i++)
        count += count_results(PyTuple_GetItem(nesting, i)); /* as deep as a type is */
    return count;
}

static bool read_leaves(struct callable *callable, PyObject *leaves)
{
    Py_ssize_t count = PyTuple_Size(leaves);

    if (count < 0)
        return false;
    callable->leaves = PyMem_Malloc((size_t)(count + 1) * sizeof(*callable->leaves));
    if (!callable->leaves) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        int is_donated;
        if (!PyArg_ParseTuple(PyTuple_GetItem(leaves, i), "yp", &callable->leaves[i].name,
                              &is_donated))
            return false;
        callable->leaves[i].is_donated = is_donated;
    }
    callable->leaf_count = count;
    return true;
}

/* _bind(handle, entry or None, how many parameters, ((name in bytes, is it donated), ...), how results nest) */
static PyObject *bind(PyObject *self, PyObject *args)
{
    struct callable *callable = (struct callable *)self;
    PyObject *handle, *entry, *leaves, *results;
    Py_ssize_t count;

    unbind(callable);
    if (!PyArg_ParseTuple(args, "OOnO!O", &handle, &entry, &count, &PyTuple_Type, &leaves,
                          &results))
        return NULL;
    if (entry != Py_None && !PyBytes_Check(entry)) {
        PyErr_SetString(PyExc_TypeError, "the name of an entry is bytes");
        return NULL;
    }
    void *module = PyLong_AsVoidPtr(handle);
    if (PyErr_Occurred() || !read_leaves(callable, leaves))
        return NULL;
    callable->module = module;
    callable->parameter_count = count;
    Py_INCREF(leaves);
    callable->described = leaves;
    Py_INCREF(results);
    callable->results = results;
    callable->result_count = count_results(results);
    if (entry != Py_None) {
        Py_INCREF(entry);
        callable->entry = entry;
    }
    Py_RETURN_NONE;
}

/* ---- one thread at a time ---- */

static void lock(struct callable *callable)
{
    if (!PyThread_acquire_lock(callable->lock, NOWAIT_LOCK)) {
        Py_BEGIN_ALLOW_THREADS;
        PyThread_acquire_lock(callable->lock, WAIT_LOCK);
        Py_END_ALLOW_THREADS;
    }
    call_end_dead(callable);
}

static PyObject *acquire(PyObject *self, PyObject *unused)
{
    (void)unused;
    lock((struct callable *)self);
    Py_RETURN_NONE;
}

static PyObject *release(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyThread_release_lock(((struct callable *)self)->lock);
    Py_RETURN_NONE;
}

/* ---- calls ---- */

/* By the library; false: the session says why. */
static bool call_library(struct call *call, const size_t *rooms)
{
    struct callable *callable = call->callable;
    const char *entry = callable->entry ? PyBytes_AsString(callable->entry) : NULL;
    struct inlay_call into;

    if (!call->is_into) {
        call->run = inlay_module_call_with_room(callable->module, entry, call->arguments.values,
                                                (size_t)call->arguments.count, rooms);
        return call->run != NULL;
    }
    inlay_call_init(&into);
    into.entry = entry;
    into.arguments = call->arguments.values;
    into.argument_count = (size_t)call->arguments.count;
    into.argument_bytes = rooms;
    into.results = call->places.values;
    into.result_count = (size_t)call->places.count;
    return inlay_module_call_into(callable->module, &into);
}

/* The call itself, while other threads of Python run; false with an exception set. */
static bool run(struct call *call)
{
    struct callable *callable = call->callable;
    size_t count = (size_t)call->arguments.count;
    size_t *rooms = call->has_rooms ? PyMem_Malloc(count * sizeof(*rooms)) : NULL;
    bool is_good;

    if (call->has_rooms && !rooms) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < count && rooms; i++)
        rooms[i] = call->arguments.given[i].promised;
    lock(callable);
    Py_BEGIN_ALLOW_THREADS;
    is_good = call_library(call, rooms);
    if (is_good)
        PyThread_release_lock(callable->lock);
    Py_END_ALLOW_THREADS;
    PyMem_Free(rooms);
    if (is_good)
        return true;
    PyObject *none = PyObject_CallMethod((PyObject *)callable, "_refuse", NULL);
    PyThread_release_lock(callable->lock);
    if (none)
        PyErr_SetString(PyExc_SystemError, "a call failed without a message");
    Py_XDECREF(none);
    return false;
}

/* Ends the run of @call whose results lie elsewhere; true if that was possible. */
static bool end_run(struct call *call)
{
    struct held *held = malloc(sizeof(*held));

    if (!held) {
        PyErr_NoMemory(); /* the run ends with its module */
        return false;
    }
    *held = (struct held){.run = call->run};
    call_end_run(call->callable, held);
    return true;
}

/* Results of @args, at @places unless that is NULL. */
static PyObject *run_with(struct call *call, PyObject *args, PyObject *places)
{
    PyObject *result = NULL;

    if (call_take_arguments(call, args) && (!places || call_take_places(call, places)) && run(call))
        result = call_make_results(call);
    if (call->run && !end_run(call))
        Py_CLEAR(result);
    call_drop_row(&call->places);
    call_drop_row(&call->arguments);
    Py_XDECREF(call->memory);
    return result;
}

struct few {
    struct given given[CALL_ARGUMENTS];
    struct inlay_value values[CALL_ARGUMENTS];
};

/* A row with room for @count, in @few where that is enough; false with an exception set. */
static bool make_row(struct row *row, struct few *few, Py_ssize_t count)
{
    bool is_few = count <= CALL_ARGUMENTS;

    *row = (struct row){.room = count};
    row->given = is_few ? few->given : PyMem_Malloc((size_t)count * sizeof(*row->given));
    row->values = is_few ? few->values : PyMem_Malloc((size_t)count * sizeof(*row->values));
    if (row->given && row->values)
        return true;
    PyErr_NoMemory();
    return false;
}

static void free_row(struct row *row, const struct few *few)
{
    if (row->given != few->given)
        PyMem_Free(row->given);
    if (row->values != few->values)
        PyMem_Free(row->values);
}

static PyObject *call_ordered(struct callable *callable, PyObject *args)
{
    struct few few;
    struct call call = {.callable = callable};
    bool is_made = make_row(&call.arguments, &few, callable->leaf_count);
    PyObject *result = is_made ? run_with(&call, args, NULL) : NULL;

    free_row(&call.arguments, &few);
    return result;
}

static PyObject *call_ordered_into(struct callable *callable, PyObject *args, PyObject *places)
{
    struct few few, few_places;
    struct call call = {.callable = callable, .is_into = true};
    bool is_made = make_row(&call.arguments, &few, callable->leaf_count);
    bool is_ready = make_row(&call.places, &few_places, callable->result_count);
    PyObject *result = is_made && is_ready ? run_with(&call, args, places) : NULL;

    free_row(&call.places, &few_places);
    free_row(&call.arguments, &few);
    return result;
}

/* The arguments in their order, as an object that is owned; NULL with an exception set. */
static PyObject *order(PyObject *self, PyObject *args, PyObject *kwargs)
{
    struct callable *callable = (struct callable *)self;
    bool has_names = kwargs && PyDict_Size(kwargs) > 0;

    if (!callable->module) {
        PyErr_SetString(PyExc_RuntimeError, "the module is not compiled");
        return NULL;
    }
    if (!has_names && PyTuple_Size(args) == callable->parameter_count) {
        Py_INCREF(args);
        return args;
    }
    PyObject *ordered =
        PyObject_CallMethod(self, "_ordered", "OO", args, kwargs ? kwargs : Py_None);
    if (!ordered || PyTuple_Check(ordered))
        return ordered;
    PyErr_SetString(PyExc_TypeError, "the arguments are no tuple");
    Py_DECREF(ordered);
    return NULL;
}

static PyObject *call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *ordered = order(self, args, kwargs);
    PyObject *result = ordered ? call_ordered((struct callable *)self, ordered) : NULL;

    Py_XDECREF(ordered);
    return result;
}

/* into(places, ...) */
static PyObject *into(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *places, *rest, *ordered, *result = NULL;

    if (PyTuple_Size(args) < 1) {
        PyErr_SetString(PyExc_TypeError, "the first of all are places for the results");
        return NULL;
    }
    places = PyTuple_GetItem(args, 0);
    rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args));
    ordered = rest ? order(self, rest, kwargs) : NULL;
    if (ordered)
        result = call_ordered_into((struct callable *)self, ordered, places);
    Py_XDECREF(ordered);
    Py_XDECREF(rest);
    return result;
}

/* ---- the module ---- */

static PyObject *make_type(void)
{
    static PyMethodDef methods[] = {
        {"_bind", bind, METH_VARARGS, "What is called from now on."},
        {"_acquire", acquire, METH_NOARGS, "Waits until nobody uses the session."},
        {"_release", release, METH_NOARGS, "Lets others use it."},
        {"into", (PyCFunction)(void (*)(void))into, METH_VARARGS | METH_KEYWORDS,
         "into(results, *arguments): a call that puts its results into tensors of the caller."},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {{Py_tp_new, create},
                                  {Py_tp_dealloc, drop},
                                  {Py_tp_call, call},
                                  {Py_tp_methods, methods},
                                  {0, NULL}};
    static PyType_Spec spec = {.name = "inlay._call.Callable",
                               .basicsize = sizeof(struct callable),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               .slots = slots};

    return PyType_FromSpec(&spec);
}

PyMODINIT_FUNC PyInit__call(void)
{
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "inlay._call",
                                            .m_doc = "Calls.", .m_size = -1};
    PyObject *module = PyModule_Create(&definition), *type = NULL;

    if (module && call_ready_numpy() && call_ready_memory())
        type = make_type();
    if (type && PyModule_AddObject(module, "Callable", type) == 0) /* takes the type over */
        return module;
    Py_XDECREF(type);
    Py_XDECREF(module);
    return NULL;
}

/* The memory of a run: given back to the module when the last of its results is gone, whoever drops that. */
#include "python/call/call.h"

#include <stdlib.h>

struct memory {
    PyObject_HEAD struct callable *callable; /* owned */
    struct held *held;
    PyObject *kept; /* a list of what results lie in besides, or NULL */
};

static PyTypeObject *memory_type;

static void end(struct held *held)
{
    inlay_run_destroy(held->run);
    free(held);
}

void call_end_dead(struct callable *callable)
{
    while (callable->dead) {
        struct held *held = callable->dead;
        callable->dead = held->next;
        end(held);
    }
}

void call_end_run(struct callable *callable, struct held *held)
{
    if (!PyThread_acquire_lock(callable->lock, NOWAIT_LOCK)) {
        held->next = callable->dead; /* a call is under way: the next one does it */
        callable->dead = held;
        return;
    }
    end(held);
    call_end_dead(callable);
    PyThread_release_lock(callable->lock);
}

static void drop(PyObject *self)
{
    struct memory *memory = (struct memory *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    if (memory->held)
        call_end_run(memory->callable, memory->held);
    Py_XDECREF(memory->kept);
    Py_XDECREF((PyObject *)memory->callable);
    release(self);
    Py_DECREF((PyObject *)type);
}

bool call_ready_memory(void)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, drop}, {0, NULL}};
    static PyType_Spec spec = {.name = "inlay._call.Memory",
                               .basicsize = sizeof(struct memory),
                               .flags = Py_TPFLAGS_DEFAULT,
                               .slots = slots};

    if (!memory_type)
        memory_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return memory_type;
}

PyObject *call_memory(struct call *call)
{
    if (call->memory)
        return call->memory;
    allocfunc allocate = (allocfunc)PyType_GetSlot(memory_type, Py_tp_alloc);
    struct held *held = malloc(sizeof(*held));
    struct memory *memory = held ? (struct memory *)allocate(memory_type, 0) : NULL;
    if (!memory) {
        free(held);
        return held ? NULL : PyErr_NoMemory();
    }
    *held = (struct held){.run = call->run};
    call->run = NULL;
    Py_INCREF((PyObject *)call->callable);
    memory->callable = call->callable;
    memory->held = held;
    call->memory = (PyObject *)memory;
    return call->memory;
}

bool call_keep(struct call *call, PyObject *object)
{
    struct memory *memory = (struct memory *)call_memory(call);

    if (!memory)
        return false;
    if (!memory->kept)
        memory->kept = PyList_New(0);
    return memory->kept && PyList_Append(memory->kept, object) == 0;
}

/*
 * Calls of a compiled module from Python, without a detour through Python: what an argument is, the call, what becomes
 * of the results.  What happens once a module (parsing, passes, messages) is python/inlay/__init__.py's, and so is
 * what is rare: tensors of other libraries come and go by the functions of python/inlay/_arrays.py.
 *
 * Built by scripts/wheel within the limited API, so that one file serves every CPython from 3.9 on.
 */
#pragma once

#include "include/inlay/inlay.h"

#include <Python.h>
#include <stdbool.h>

/* Arguments that a call has room for without asking for memory, and dims of one. */
enum { CALL_ARGUMENTS = 8, CALL_DIMS = 8 };

/* A tensor, shape or number that was given. */
struct given {
    PyObject *object;  /* owned */
    PyObject *capsule; /* owned: of __dlpack__; or NULL */
    struct inlay_tensor tensor;
    struct inlay_shape shape;
    int64_t *dims; /* and strides behind them: of a copy, which nobody changes during the call */
    int64_t room[2 * CALL_DIMS];
    size_t promised;   /* bytes from its first element on that it may grow in; 0: nothing is said */
    const char *begin; /* of a place for a result: where it was before the call */
    bool is_tensor, is_read_only;
};

struct leaf {
    const char *name; /* UTF-8, of an object that the callable holds */
    bool is_donated;
};

/* inlay._call.Callable, which inlay.Module is derived from. */
struct callable {
    PyObject_HEAD struct inlay_module *module; /* NULL: not bound yet */
    PyThread_type_lock lock;                   /* whose session is used */
    struct held *dead;   /* runs to be ended by who has the lock; guarded by the GIL */
    PyObject *entry;     /* bytes, or NULL */
    PyObject *described; /* what leaves[] points into */
    PyObject *results;   /* how they nest: None is a leaf, a tuple has parts */
    struct leaf *leaves;
    Py_ssize_t parameter_count, leaf_count, result_count;
};

/* A run, for whoever may free it without memory of its own. */
struct held {
    struct inlay_run *run;
    struct held *next;
};

/* Objects of Python, tuples taken apart, and what the library is told of them. */
struct row {
    struct given *given;
    struct inlay_value *values;
    Py_ssize_t count; /* that were met, more than @room if there are too many */
    Py_ssize_t room;
};

/* A call in work. */
struct call {
    struct callable *callable;
    struct row arguments;
    struct row places; /* for results, if @is_into */
    bool has_rooms;    /* a given tensor may grow */
    bool is_into;
    struct inlay_run *run;
    PyObject *memory; /* what results lie in, made with the first; or NULL */
};

/* arguments.c: takes @args apart; false with an exception set. */
bool call_take_arguments(struct call *call, PyObject *args);
/* The same of the places that results are put into. */
bool call_take_places(struct call *call, PyObject *places);
void call_drop_row(struct row *row);
/* Borrows what @given has as an object; false with an exception set. */
bool call_fill_tensor(struct given *given, const char *name);

/* room.c: is it an inlay.Room?  -1 with an exception set. */
int call_is_room(PyObject *object);
/* The same of its tensor, with what its storage promises. */
bool call_fill_room(struct given *given, const char *name);

/* results.c: the results of the call as they nest; NULL with an exception set. */
PyObject *call_make_results(struct call *call);

/* memory.c: the object that results of the run lie in, which ends it with the last of them; borrowed, or NULL. */
PyObject *call_memory(struct call *call);
/* Keeps @object for as long as the results are there. */
bool call_keep(struct call *call, PyObject *object);
/* Ends @held, now or with the next call. */
void call_end_run(struct callable *callable, struct held *held);
/* Ends those that are dead, with the lock held. */
void call_end_dead(struct callable *callable);
bool call_ready_memory(void);

/* exchange.c: the functions of the type of @object, or NULL; *out_is_torch if it is torch's. */
const struct dlpack_exchange *call_exchange(PyObject *object, bool *out_is_torch);

/* numpy.c, by the layouts that NumPy 1 and 2 promise to code that was compiled against their headers. */
bool call_ready_numpy(void);
bool call_is_array(PyObject *object);
/* False: it is none that tensors can be; no exception is set. */
bool call_read_array(PyObject *object, struct given *out);
/* Over @data, which @owner has (NULL: the array takes memory of its own); NULL with an exception set. */
PyObject *call_make_array(const struct inlay_tensor *tensor, PyObject *owner, bool is_read_only,
                          bool is_bfloat_bits);

/* Room for @ndim dims and as many strides in @given; false with an exception set. */
bool call_room_for_dims(struct given *given, int32_t ndim);
/* A function of python/inlay/_arrays.py; borrowed, or NULL with an exception set. */
PyObject *call_helper(const char *name);

static inline size_t call_bytes(const struct inlay_tensor *tensor)
{
    size_t bytes = (tensor->dtype.bits * tensor->dtype.lanes + 7u) / 8u;

    for (int32_t i = 0; i < tensor->ndim; i++)
        bytes *= (size_t)tensor->shape[i];
    return bytes;
}

static inline char *call_address(const struct inlay_tensor *tensor)
{
    return tensor->data ? (char *)tensor->data + tensor->byte_offset : NULL;
}

/*
 * The door for callers by tvm-ffi (Python, C++, Rust): `__tvm_ffi_<name>` takes what its callers pass, and gives
 * them tensors that they own.  All of libtvm_ffi that it uses are weak references: without it, a library loads
 * and its other doors work.
 */
#pragma once

#include "runtime/artifact/artifact.h"
#include "runtime/artifact/giver.h"

/* What the emitted door knows of its function: a constant of it. */
struct inlay_ffi_door {
    const char *name;
    const char *signature; /* "main(x: R.Tensor((n, 4), dtype="float32")) -> .." for messages */
    const char *script;    /* the name of the file */
    const char *result;    /* its form: `.` a leaf, `(` and `)` around the fields of a tuple */
    const struct inlay_expected *expected; /* by argument */
    const int32_t *
        places; /* by leaf of the result: which of the results that need room it is; -1: none, since an
                              argument holds it */
    int32_t arg_count, leaf_count, wanted_count;
    int32_t is_all_tensors; /* the results: they may be given room by arguments behind the others */
};

/*
 * Storage that a parameter grows in: callers give (tensor, length), an array of both.  The tensor is all of the
 * storage, and the length is that of the parameter, along its axis.
 */
enum { INLAY_FFI_STORED = 256, INLAY_FFI_STORED_NDIM = 16 }; /* bytes of one; the most dims */
struct inlay_ffi_stored;

enum { INLAY_FFI_CALL = 768 }; /* bytes that an emitted door reserves for a call */
struct inlay_ffi_call;

/* Begins a call.  @objects has a place for each result that needs room.  -1: nothing is to be run. */
int32_t inlay_ffi_begin(struct inlay_ffi_call *call, struct inlay_frame *frame,
                        const struct inlay_ffi_door *door, const struct inlay_value *args,
                        int32_t arg_count, void **objects);
/*
 * Takes apart what is given for parameters that grow: @axes has their axis by argument (-1: it does not grow),
 * @unpacked gets a place for each argument, @stored and @rooms one by argument.  -1: nothing is to be run.
 */
int32_t inlay_ffi_unpack(struct inlay_ffi_call *call, const int32_t *axes, int32_t arg_count,
                         struct inlay_value *unpacked, struct inlay_ffi_stored *stored,
                         size_t *rooms);
/* @values are the arguments as the entry takes them.  -1: nothing is to be run. */
int32_t inlay_ffi_arguments(struct inlay_ffi_call *call, struct inlay_value *values);
/* After a good run: *@out is what the caller owns.  @stack has a place for each letter of door->result. */
void inlay_ffi_own(struct inlay_ffi_call *call, const struct inlay_value *results,
                   struct inlay_value *stack, struct inlay_value *out);
/* The same for a result that is one tensor in room of its own. */
void inlay_ffi_own_new(struct inlay_ffi_call *call, struct inlay_value *out);
/* Ends it: 0, or an error is raised and -1 returned. */
int32_t inlay_ffi_end(struct inlay_ffi_call *call);

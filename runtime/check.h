/* Checks of values that come from outside compiled code: arguments of entries, results of packed
 * functions, match_cast of values whose type is not known before. */
#pragma once

#include "runtime/frame.h"

enum { INLAY_ANY = -1 }; /* kind: every value is fine */

/* What a value has to be.  Compiled code holds constants of this layout. */
struct inlay_expected {
    const char *name;    /* how messages call it: "argument 1 (`x`) of `main`" */
    const int64_t *dims; /* of a tensor or shape; -1: any.  NULL: nothing is known of them */
    int32_t kind; /* enum inlay_kind or INLAY_ANY; INT and FLOAT take bools and integers too */
    int32_t ndim; /* of a tensor or shape; -1: any; of a tuple: how many fields */
    struct inlay_dtype dtype; /* of a tensor or number; 0 bits: any */
    int32_t is_donated;       /* may not overlap any other argument */
};

#if UINTPTR_MAX > 0xffffffff /* elsewhere the fields are as large, in the same order */
_Static_assert(sizeof(struct inlay_expected) == 32, "compiled code lays these out");
_Static_assert(offsetof(struct inlay_expected, kind) == 16, "compiled code lays these out");
_Static_assert(offsetof(struct inlay_expected, is_donated) == 28, "compiled code lays these out");
#endif

/* What most callers give, seen without words for what may be wrong: a tensor that inlay_check_value() takes.  False:
 * that one says. */
bool inlay_is_right(const struct inlay_expected *expected, const struct inlay_value *value);
/* Kind, dtype, rank, fixed dims, device, layout and alignment; -1 with an error of @kind set. */
int32_t inlay_check_value(struct inlay_frame *frame, int32_t error_kind, uint32_t line,
                          const struct inlay_expected *expected, const struct inlay_value *value);

/* All arguments of @function, their number, and, in a call from outside, that donated ones overlap no
 * other. */
int32_t inlay_check_arguments(struct inlay_frame *frame, uint32_t line, const char *function,
                              const struct inlay_expected *expected, int32_t expected_count,
                              const struct inlay_value *args, int32_t arg_count);

/*
 * The tensors that the host gives for results of @function, if it does: each is what @expected says, and shares
 * no memory with an argument or another one.
 */
int32_t inlay_check_results(struct inlay_frame *frame, uint32_t line,
                            const struct inlay_expected *expected, int32_t count,
                            const struct inlay_value *results, const struct inlay_value *args,
                            int32_t arg_count);

/*
 * May argument @index, which @name stands for in messages, grow to @bytes where it is?  Its storage must
 * be said to have them (argument_bytes of the host), and none of them may be another argument's.
 */
int32_t inlay_check_room(struct inlay_frame *frame, uint32_t line, const char *name, int32_t index,
                         int64_t bytes, const struct inlay_value *args, int32_t arg_count);

/* What the files share that hold calls of kernels against the kernels. */
#pragma once

#include "base/array.h"
#include "ir/verify/internal.h"

/* One thing that the kernel gets. */
struct argument {
    const struct ir_type *type;
    const struct ir_expr *scalar; /* its value, where it is known */
    unsigned number;              /* 1-based place among the arguments, or among the outputs */
    bool is_unsupported;          /* from an operator that is never run: little is known of it */
    bool is_output;
};

struct call {
    struct verify *v;
    struct ir_op *op;
    const struct tir_func *kernel;
    const char *name;
    struct ir_bindings bindings; /* of the kernel's symbols */
    bool is_blamed;              /* one argument is against all others */
    array(struct argument) tensors;
    array(struct argument) scalars;
};

/* call.c */

/* "argument 2", "output 1"; the parameter as the kernel declares it. */
const char *verify_call_argument_text(struct call *call, const struct argument *a);
const char *verify_call_param_text(struct call *call, const struct ir_buffer *buffer);
/* Argument @i where the call in the text gives it: in the tuple behind the function, or as it is of `cls.f(a, b)`. */
struct location verify_call_argument_place(const struct ir_op *op, unsigned i);
/* The first dimension that is provably another one; the rank if there is none. */
unsigned verify_call_wrong_dim(struct call *call, const struct ir_type *type,
                               const struct ir_buffer *buffer);
/* A handle without a buffer takes a tensor of which the kernel says nothing. */
bool verify_call_takes_tensor(const struct tir_param *param);
/* What the kernel gets, in its order; false if it cannot be, which was said. */
bool verify_call_collect_arguments(struct call *call);
bool verify_call_collect_outputs(struct call *call, const struct ir_type *declared,
                                 const struct ir_attr *inplace);
/* Lets the kernel's symbols be what the call gives; false if the numbers of parameters differ. */
bool verify_call_bind_arguments(struct call *call);

/* Lets what is open of the symbols of @buffer be what @a gives. */
void verify_call_bind_tensor(struct call *call, const struct argument *a,
                             const struct ir_buffer *buffer);
bool verify_call_fits(struct call *call, const struct argument *a, const struct ir_buffer *buffer);

/* The type of output @i: a field of a tuple, or the one result. */
const struct ir_type *verify_output_type(const struct ir_type *declared, unsigned i);
unsigned verify_output_count(const struct ir_type *declared);
/* The same dtype, and shapes that are proved equal: nothing could check them later. */
bool verify_fits_in_place(struct ir_context *context, const struct ir_type *output,
                          const struct ir_type *argument);
/* E0513 of the tensor @a, and E0514 of the scalar @a, with the parameter. */
struct diag_message *verify_report_misfit(struct call *call, const struct argument *a,
                                          const struct ir_buffer *buffer);
struct diag_message *verify_report_scalar(struct call *call, const struct argument *a,
                                          const struct ir_var *var);

/* call_exchange.c: two arguments, entries or types of which each is what the other one should be: that is told, and false */
bool verify_call_order(struct call *call, const struct ir_attr *inplace);

/* call_blame.c */

/* Binds again where one argument says another size than all others do: it is the one that misfits. */
void verify_call_blame(struct call *call, const struct ir_attr *inplace);
/* Labels the argument that says what the symbol in @dim is, of which @a has another one. */
void verify_call_label_symbol(struct call *call, struct diag_message *m, const struct argument *a,
                              const struct ir_expr *dim);

/* call_count.c: says which is missing or too many; false: that is not seen, and nothing was said */
bool verify_report_count(struct call *call);

/* call_scalars.c: the same of a scalar that is missing, or that is given as a tensor */
bool verify_report_scalars(struct call *call);

/* call_dtype.c: @a, at @place, has another dtype than @buffer; true: that is all there is to say */
bool verify_help_dtype(struct call *call, struct diag_message *m, const struct argument *a,
                       const struct ir_buffer *buffer, struct location place);

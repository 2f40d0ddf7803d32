/* What is known of the functions that kernels call by name: the rows of ir/intrinsics.def. */
#pragma once

#include "base/text.h"
#include "ir/dtype.h"

enum ir_intrinsic_result {
    IR_RESULT_FIRST,  /* dtype of the first argument */
    IR_RESULT_SECOND, /* of the second */
    IR_RESULT_MATCH,  /* the arguments are brought to one dtype */
    IR_RESULT_GIVEN,  /* the text says it */
    IR_RESULT_BOOL,
    IR_RESULT_INT32,
    IR_RESULT_UINT32,
    IR_RESULT_VOID,
    IR_RESULT_HANDLE,
};

/* Where the text gives the dtype of the call. */
enum ir_intrinsic_dtype { IR_DTYPE_NONE, IR_DTYPE_FIRST, IR_DTYPE_LAST };

enum { IR_ARGUMENTS_ANY = 255 };

struct ir_intrinsic {
    const char *name;
    unsigned char least, most; /* arguments; most IR_ARGUMENTS_ANY: no limit */
    enum ir_intrinsic_result result;
    enum ir_intrinsic_dtype dtype;
    const char *doc; /* what it gives */
};

/* The row of T.<name>, or NULL. */
const struct ir_intrinsic *ir_intrinsic_find(const char *name);
/* Is T.<name> defined for a first argument of @dtype?  True of names that are not known. */
bool ir_intrinsic_takes(const char *name, struct ir_dtype dtype);
/* Does T.<name> belong to kernels for GPUs? */
bool ir_intrinsic_is_for_gpu(const char *name);
/* The name of the @index-th row; NULL behind the last. */
const char *ir_intrinsic_name(unsigned index);
/* How many arguments it takes: "2", "1 to 3", "2 or more". */
void ir_intrinsic_put_arguments(struct text *out, const struct ir_intrinsic *intrinsic);

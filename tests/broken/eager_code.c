/* A code generator to which each iteration of a T.parallel loop is worth a thread; beside eager.c. */
#include "codegen/llvm/internal.h"

enum { GRAIN = 5 }; /* of the arguments of inlay_parallel_for */

/* The linker puts the first one in the place of what it is named after. */
LLVMValueRef __wrap_cg_call_runtime(struct cg *cg, enum cg_runtime which, LLVMValueRef *args,
                                    unsigned count);
LLVMValueRef __real_cg_call_runtime(struct cg *cg, enum cg_runtime which, LLVMValueRef *args,
                                    unsigned count);

LLVMValueRef __wrap_cg_call_runtime(struct cg *cg, enum cg_runtime which, LLVMValueRef *args,
                                    unsigned count)
{
    if (which == CG_inlay_parallel_for)
        args[GRAIN] = cg_i64(cg, 1);
    return __real_cg_call_runtime(cg, which, args, count);
}

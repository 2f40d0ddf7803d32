/* Begin and end of emitted functions, kernels and graph functions alike. */
#include "codegen/llvm/internal.h"

void cg_function_begin(struct cg *cg, LLVMValueRef function, const char *name, struct location loc)
{
    cg->function = function;
    cg->frame = LLVMGetParam(function, 0);
    cg->fail = NULL;
    cg->dims = NULL;
    cg->dims_limit = 0;
    cg->leaves_on_failure = false;
    cg->loc = loc;
    map_finish(&cg->vars);
    cg_add_attribute(cg, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nounwind", 0);
    cg->allocas = cg_block(cg, "entry");
    LLVMBasicBlockRef body = cg_block(cg, "body");
    cg_debug_enter_function(cg, name, loc);
    cg_at(cg, body);
    cg_set_location(cg, loc);
}

LLVMBasicBlockRef cg_fail_block(struct cg *cg)
{
    if (!cg->fail)
        cg->fail = cg_block(cg, "fail");
    return cg->fail;
}

void cg_function_end(struct cg *cg)
{
    if (!cg_is_terminated(cg))
        LLVMBuildRet(cg->builder, cg_i32(cg, 0));
    if (cg->fail) {
        cg_at(cg, cg->fail);
        if (cg->leaves_on_failure)
            cg_call_runtime(cg, CG_inlay_leave, &cg->frame, 1);
        LLVMBuildRet(cg->builder, cg_i32(cg, -1));
    }
    cg_at(cg, cg->allocas);
    LLVMBuildBr(cg->builder, LLVMGetNextBasicBlock(cg->allocas));
    LLVMSetCurrentDebugLocation2(cg->builder, NULL);
    cg->function = NULL;
}

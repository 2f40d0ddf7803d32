/*
 * Calls of kernels that tell the host what they took: of runs that are measured
 * (runtime/profile.h).
 */
#include "runtime/profile.h"

#include "analysis/kernel_sites.h"
#include "analysis/kernel_work.h"
#include "codegen/llvm/graph.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

_Static_assert((int)KERNEL_NUMBERS == (int)INLAY_PROFILE_NUMBERS,
               "a call has room for all numbers");

void cg_profile_init(struct cg *cg)
{
    kernel_site_array sites = {0};
    if (cg->codegen->options.profiles)
        kernel_sites(cg->module, &sites);
    for (size_t i = 0; i < sites.count; i++)
        map_set(&cg->sites, sites.items[i], (void *)(uintptr_t)(i + 1));
    array_finish(&sites);
}

LLVMValueRef cg_profile_begin(struct cg *cg, const struct ir_op *call)
{
    return map_has(&cg->sites, call)
               ? cg_call_runtime(cg, CG_inlay_profile_begin, (LLVMValueRef[]){cg->frame}, 1)
               : NULL;
}

/* What decides how much @func computes, in memory. */
static LLVMValueRef put_numbers(struct cg *cg, const struct tir_func *func, unsigned *out_count)
{
    const struct ir_var *vars[KERNEL_NUMBERS];
    unsigned count = *out_count = kernel_numbers(func, vars);
    LLVMValueRef numbers = cg_alloca(cg, LLVMArrayType2(cg->i64, count ? count : 1), 8);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = map_get(&cg->vars, vars[i]);
        value = value ? LLVMBuildIntCast2(cg->builder, value, cg->i64, true, "") : cg_i64(cg, 0);
        cg_store(cg, value, cg_element(cg, cg->i64, numbers, cg_i64(cg, i)));
    }
    return numbers;
}

void cg_profile_end(struct cg *cg, const struct ir_op *call, const struct tir_func *func,
                    LLVMValueRef begin)
{
    unsigned count;
    if (!begin)
        return;
    uintptr_t site = (uintptr_t)map_get(&cg->sites, call) - 1;
    LLVMValueRef numbers = put_numbers(cg, func, &count);
    LLVMValueRef args[] = {cg->frame, cg_i64(cg, (int64_t)site), begin, numbers, cg_i32(cg, count)};
    cg_call_runtime(cg, CG_inlay_profile_end, args, 5);
}

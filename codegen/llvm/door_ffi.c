/*
 * The door for callers by tvm-ffi: int32_t __tvm_ffi_NAME(handle, args, count, result).  What it does with
 * their values stands in runtime/artifact/tvm_ffi.h; emitted are the constants that it reads and the calls.
 */
#include "analysis/leaves.h"
#include "base/text.h"
#include "codegen/llvm/door.h"
#include "runtime/artifact/tvm_ffi.h"

#include <string.h>

/* --- constants --- */

/* `main(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n,), dtype="float32")` */
static const char *signature_of(struct cg *cg, const struct ir_function *function)
{
    struct text text = {0};

    text_printf(&text, "%s(", function->name);
    for (unsigned i = 0; i < function->param_count; i++)
        text_printf(&text, "%s%s: %s", i ? ", " : "",
                    function->params[i]->name ? function->params[i]->name : "_",
                    ir_type_text(cg->ir, function->params[i]->type));
    text_printf(&text, ") -> %s", ir_type_text(cg->ir, function->result));
    const char *copy = arena_copy_text(&cg->arena, text_string(&text), text.length);
    text_finish(&text);
    return copy;
}

/* The form of @type: see inlay_ffi_door.  Types are no deeper than IR_TYPE_DEPTH_LIMIT. */
static void put_form(const struct ir_type *type, struct text *out)
{
    if (type->kind != IR_TYPE_TUPLE) {
        text_putc(out, '.');
        return;
    }
    text_putc(out, '(');
    for (unsigned i = 0; i < type->field_count; i++)
        put_form(type->fields[i], out);
    text_putc(out, ')');
}

/* By leaf of the result: which of the wanted ones it is, or -1. */
static LLVMValueRef places_of(struct cg *cg, const struct codegen_door *info, unsigned leaves,
                              unsigned *out_wanted)
{
    LLVMValueRef *rows = arena_array(&cg->arena, LLVMValueRef, leaves + 1);
    unsigned wanted = 0;

    for (unsigned i = 0; i < leaves; i++)
        rows[i] = cg_i32(cg, -1);
    for (size_t i = 0; i < info->param_count; i++)
        if (info->params[i].kind == CODEGEN_RESULT)
            rows[info->params[i].leaf] = cg_i32(cg, wanted++);
    *out_wanted = wanted;
    return cg_private_constant(cg, LLVMConstArray2(cg->i32, rows, leaves));
}

static bool is_all_tensors(const struct ir_type *result)
{
    for (unsigned i = 0; i < leaf_count(result); i++)
        if (leaf_type(result, i)->kind != IR_TYPE_TENSOR)
            return false;
    return true;
}

static LLVMValueRef text_constant(struct cg *cg, const char *text)
{
    return cg_string(cg, atom_intern_text(&cg->ir->atoms, text));
}

struct counts {
    unsigned args, leaves, wanted, form;
};

/* A struct inlay_ffi_door. */
static LLVMValueRef describe(struct cg *cg, const struct codegen_door *info, const char *script,
                             struct counts *out)
{
    const struct ir_type *result = info->function->result;
    struct text form = {0};
    LLVMValueRef expected = cg_door_expected(cg, info, &out->args);

    put_form(result, &form);
    out->form = (unsigned)form.length;
    out->leaves = leaf_count(result);
    LLVMValueRef places = places_of(cg, info, out->leaves, &out->wanted);
    LLVMValueRef fields[] = {text_constant(cg, info->function->name),
                             text_constant(cg, signature_of(cg, info->function)),
                             text_constant(cg, script),
                             text_constant(cg, text_string(&form)),
                             expected,
                             places,
                             cg_i32(cg, out->args),
                             cg_i32(cg, out->leaves),
                             cg_i32(cg, out->wanted),
                             cg_i32(cg, is_all_tensors(result))};
    text_finish(&form);
    return cg_private_constant(
        cg, LLVMConstStructInContext(cg->context, fields, ARRAY_SIZE(fields), false));
}

/* --- code --- */

/* Arguments whose storage has room to grow are taken apart, if there are some. */
static void unpack(struct cg *cg, const struct codegen_door *info, LLVMValueRef state,
                   const struct counts *counts, LLVMBasicBlockRef end)
{
    struct cg_graph g = {.cg = cg, .function = info->function};
    int *axes = arena_array(&cg->arena, int, counts->args + 1);
    LLVMValueRef *rows = arena_array(&cg->arena, LLVMValueRef, counts->args + 1);

    if (!cg_growing_axes(&g, axes))
        return;
    for (unsigned i = 0; i < counts->args; i++)
        rows[i] = cg_i32(cg, axes[i]);
    LLVMValueRef args[] = {state,
                           cg_private_constant(cg, LLVMConstArray2(cg->i32, rows, counts->args)),
                           cg_i32(cg, counts->args),
                           cg_door_stack(cg, cg->value_type, counts->args + counts->wanted, 8),
                           cg_door_stack(cg, cg->i8, (size_t)counts->args * INLAY_FFI_STORED, 16),
                           cg_door_stack(cg, cg->size, counts->args, 8)};
    cg_door_go_on(cg, cg_call_runtime(cg, CG_inlay_ffi_unpack, args, ARRAY_SIZE(args)), end);
}

/* Is the result one tensor, which lies in no argument? */
static bool is_new_tensor(const struct codegen_door *info)
{
    for (size_t i = 0; i < info->param_count; i++)
        if (info->params[i].kind == CODEGEN_RESULT)
            return info->function->result->kind == IR_TYPE_TENSOR;
    return false;
}

void cg_emit_ffi_door(struct cg *cg, const struct codegen_door *info, const char *script,
                      LLVMValueRef tensors)
{
    LLVMTypeRef types[] = {cg->ptr, cg->ptr, cg->i32, cg->ptr};
    LLVMValueRef null = LLVMConstNull(cg->ptr), none = cg_i32(cg, 0);
    struct counts counts;
    LLVMValueRef described = describe(cg, info, script, &counts);
    LLVMValueRef door =
        cg_door_function(cg, arena_printf(&cg->arena, "__tvm_ffi_%s", info->function->name),
                         cg->i32, types, ARRAY_SIZE(types), true);

    cg_door_begin(cg, door);
    LLVMValueRef frame = cg_door_stack(cg, cg->i8, INLAY_ARTIFACT_FRAME, 16);
    LLVMValueRef state = cg_door_stack(cg, cg->i8, INLAY_FFI_CALL, 16);
    LLVMValueRef values = cg_door_stack(cg, cg->value_type, counts.args, 8);
    LLVMValueRef results = cg_door_stack(cg, cg->value_type, counts.leaves, 8);
    LLVMValueRef stack = cg_door_stack(cg, cg->value_type, counts.form, 8);
    LLVMValueRef room = cg_door_room(cg, info->function);
    LLVMValueRef objects = cg_door_stack(cg, cg->ptr, counts.wanted, 8);
    LLVMValueRef given[] = {state,  frame, described, LLVMGetParam(door, 1), LLVMGetParam(door, 2),
                            objects};
    LLVMBasicBlockRef end = cg_block(cg, "");
    cg_door_go_on(cg, cg_call_runtime(cg, CG_inlay_ffi_begin, given, ARRAY_SIZE(given)), end);
    unpack(cg, info, state, &counts, end);
    LLVMValueRef with_values[] = {state, values};
    cg_door_go_on(cg, cg_call_runtime(cg, CG_inlay_ffi_arguments, with_values, 2), end);
    if (cg->codegen->artifact->weights)
        cg_door_go_on(cg, cg_find_weights(cg, frame), end);
    LLVMValueRef args[] = {
        frame, values, cg_i32(cg, counts.args), results, cg_i32(cg, counts.leaves), null,
        none,  null,   cg_i64(cg, 0),           room};
    cg_door_call(cg, tensors, args, ARRAY_SIZE(args));
    cg_goto(cg, end);
    cg_at(cg, end);
    LLVMValueRef own[] = {state, results, stack, LLVMGetParam(door, 3)};
    LLVMValueRef own_new[] = {state, LLVMGetParam(door, 3)};
    if (is_new_tensor(info))
        cg_call_runtime(cg, CG_inlay_ffi_own_new, own_new, 2);
    else
        cg_call_runtime(cg, CG_inlay_ffi_own, own, 4);
    LLVMBuildRet(cg->builder, cg_call_runtime(cg, CG_inlay_ffi_end, &state, 1));
}

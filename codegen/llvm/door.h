/* What the doors of an artifact have in common; see door.c. */
#pragma once

#include "codegen/llvm/graph.h"

/* A function of the module; a visible one is a door. */
LLVMValueRef cg_door_function(struct cg *cg, const char *name, LLVMTypeRef result,
                              LLVMTypeRef *types, unsigned count, bool is_visible);
/* Emission goes on in the visible function @function. */
void cg_door_begin(struct cg *cg, LLVMValueRef function);
/* Room for @count of @type on the stack. */
LLVMValueRef cg_door_stack(struct cg *cg, LLVMTypeRef type, size_t count, unsigned align);
LLVMValueRef cg_door_call(struct cg *cg, LLVMValueRef function, LLVMValueRef *args, unsigned count);
/* A frame on the stack, open; @error is a pointer. */
LLVMValueRef cg_open_frame(struct cg *cg, LLVMValueRef error);
/* Emission goes on where @status is 0; else the call goes on at @end. */
void cg_door_go_on(struct cg *cg, LLVMValueRef status, LLVMBasicBlockRef end);
/* Room for the descriptions of results, on the stack. */
LLVMValueRef cg_door_room(struct cg *cg, const struct ir_function *function);
/* The table of what the arguments have to be, and how many they are. */
LLVMValueRef cg_door_expected(struct cg *cg, const struct codegen_door *info, unsigned *count);

/*
 * `__tvm_ffi_NAME`, which calls @tensors: the function behind NAME_dl, with the parameters
 * (frame, values, count, results, count, NULL, 0, NULL, 0, room).
 */
void cg_emit_ffi_door(struct cg *cg, const struct codegen_door *info, const char *script,
                      LLVMValueRef tensors);

/* ---- weights in a file: door_weights.c; the artifact has some ---- */

void cg_emit_weights(struct cg *cg, const struct codegen_weights *weights);
/* Lets the run use @weights of the caller; the status. */
LLVMValueRef cg_bind_weights(struct cg *cg, LLVMValueRef frame, LLVMValueRef weights);
/* The same of those beside the artifact. */
LLVMValueRef cg_find_weights(struct cg *cg, LLVMValueRef frame);

/*
 * What calls of an artifact take of the stack of their thread.
 *
 * Each module is described by itself, when it is emitted:
 *
 *     function <tab> bytes of its frame <tab> name        `local` where no other module can call it
 *     turn <tab> number                                   of the loop of the graph that it is a turn of
 *     call <tab> callee <tab> functions among the arguments ..
 *
 * in which #3 is the third function of this description, @name one of another module or the C library, ? what the
 * function was given.  Calls, and of what loop it is, follow the function.
 */
#pragma once

#include "base/text.h"
#include "codegen/llvm/internal.h"

/* Before anything is done with @llvm: its frames shall be measured. */
void cg_stack_ask(LLVMModuleRef llvm);

/* Around the emission of @llvm. */
struct stack_watch;
struct stack_watch *cg_stack_begin(LLVMModuleRef llvm);
/* Appends the description (@out NULL: none is wanted).  Returns what LLVM reported as an error, or NULL. */
char *cg_stack_end(struct stack_watch *watch, struct text *out);

/* Is it a description, whole? */
bool cg_stack_is_good(const char *description, size_t size);
/* Fills in the stacks of @artifact by the @count descriptions of all its modules. */
void cg_stack_tell(const struct text *descriptions, size_t count,
                   const struct codegen_artifact *artifact);

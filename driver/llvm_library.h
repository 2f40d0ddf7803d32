/* Finds the code generator, a shared object of its own: see codegen/llvm/codegen.h. */
#pragma once

#include "base/diag.h"
#include "codegen/llvm/codegen.h"

/*
 * Opens inlay-llvm.so: the file @path, or if that is NULL beside the file that holds this code (the tool or libinlay.so), where an
 * installation has it as seen from there, or where this build was configured to install it.  NULL after a
 * report; *@out_library is for dlclose().
 */
const struct codegen_api *llvm_library_open(struct diag *diag, const char *path,
                                            void **out_library);

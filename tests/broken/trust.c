/*
 * Code generation that believes whoever resolved calls in place: for tests, which plant mistakes
 * and ask whether the checker of storage finds them with nobody else to help.
 */
#include "analysis/inplace.h"
#include "analysis/verify_storage/verify_storage.h"

/* The linker puts these in the place of what they are named after. */
bool __wrap_inplace_check_resolved(struct ir_module *module, struct diag *diag);
bool __wrap_verify_storage(struct ir_module *module, enum verify_storage_mode mode,
                           struct verify_storage_refusals *refusals);

bool __wrap_inplace_check_resolved(struct ir_module *module, struct diag *diag)
{
    return true;
}

bool __wrap_verify_storage(struct ir_module *module, enum verify_storage_mode mode,
                           struct verify_storage_refusals *refusals)
{
    return true;
}

/*
 * Code generation with an analysis that is wrong about parts of one storage: some count as apart, the others
 * lie further from each other than they do.  For tests of what code asks when it runs.
 */
#include "analysis/inplace.h"
#include "analysis/storage/storage.h"

enum { TAKEN_FOR_APART = 16 }; /* bytes of distance */

/* The linker puts these in the place of what they are named after. */
bool __wrap_inplace_check_resolved(struct ir_module *module, struct diag *diag);
bool __wrap_storage_sets_meet(struct storage *storage, const struct storage_set *a,
                              const struct storage_set *b);
bool __wrap_storage_sets_shift(struct storage *storage, const struct storage_set *a,
                               const struct storage_set *b, int64_t *out);
bool __real_storage_sets_shift(struct storage *storage, const struct storage_set *a,
                               const struct storage_set *b, int64_t *out);

bool __wrap_inplace_check_resolved(struct ir_module *module, struct diag *diag)
{
    return true;
}

bool __wrap_storage_sets_meet(struct storage *storage, const struct storage_set *a,
                              const struct storage_set *b)
{
    return false;
}

bool __wrap_storage_sets_shift(struct storage *storage, const struct storage_set *a,
                               const struct storage_set *b, int64_t *out)
{
    bool is_known = __real_storage_sets_shift(storage, a, b, out);
    bool is_apart = *out == TAKEN_FOR_APART || *out == -TAKEN_FOR_APART;

    *out += *out > 0 ? TAKEN_FOR_APART : -TAKEN_FOR_APART;
    return is_known && !is_apart;
}

/* Storage of the interpreter: what a run has taken, and when it goes. */
#pragma once

#include "codegen/interp/internal.h"

/* Elements that a run made. */
struct interp_storage {
    void *data;   /* NULL: not taken yet, or given back */
    size_t place; /* in run->storages */
    bool is_ended;
};

struct interp_storage *interp_storage_new(struct interp *run);
/* Takes storage for what is in @value of allocated tensors that nobody has looked at; false: error set. */
bool interp_need(struct interp *run, const struct interp_value *value);

/* Gives back all that @value holds but for tensors in pieces of storage, which end with those. */
void interp_end(struct interp *run, const struct interp_value *value);
/* Is all that @value, called @name, holds still there?  False after a report. */
bool interp_check_alive(struct interp *run, const struct ir_value *name,
                        const struct interp_value *value);

/* A call returns @result: all else that was made since there were @mark pieces of storage goes. */
void interp_end_call(struct interp *run, size_t mark, const struct interp_value *result);

void interp_storages_finish(struct interp *run);

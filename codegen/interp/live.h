/* When tensors of the interpreter are freed. */
#pragma once

#include "codegen/interp/internal.h"

/* Elements that a run made. */
struct interp_storage {
    void *data;
    size_t place; /* in run->storages */
    int holders;  /* values of the program that may still be read */
};

struct interp_plan;

/* Which values die where in @function; worked out once. */
struct interp_plan *interp_plan_of(struct interp *run, const struct ir_function *function);

/* @value became a value of the program. */
void interp_hold(struct interp *run, const struct interp_value *value);
/* @op of the body was run: what it read last goes. */
void interp_drop_after(struct interp_call *call, const struct interp_plan *plan,
                       const struct ir_op *op);
/* @call returns @result: all else that was made since there were @mark tensors goes. */
void interp_drop_at_end(struct interp_call *call, const struct interp_plan *plan, size_t mark,
                        const struct interp_value *result);

struct interp_storage *interp_storage_new(struct interp *run, void *data);
void interp_storages_finish(struct interp *run);

/*
 * Functions and their calls: what passes that change signatures work on.
 */
#pragma once

#include "base/array.h"
#include "ir/module.h"

struct callee {
    struct ir_global *global; /* a graph function */
    bool is_value;            /* used in other ways than by being called: must stay as it is */
    array(struct ir_op *) calls;
};

struct callees {
    struct callee *items; /* in the order of the module */
    size_t count, capacity;
};

/* The private functions of @module; all if @with_public (others may call these, too). */
void callees_find(struct ir_module *module, bool with_public, struct callees *out);
void callees_finish(struct callees *callees);

/* Gives the function's global the type that its parameters and result make now. */
void callee_update_type(struct ir_global *global);

/*
 * Keeps the attributes right that count parameters: @places[i] is where parameter i of before stands
 * now, -1 if nowhere; @places[count] is how many there are now.
 */
void callee_update_attrs(struct ir_function *function, const int *places, unsigned count);

/* Infers the type of @call again; a type that is no less known stays. */
bool callee_update_call(struct ir_module *module, struct diag *diag, struct ir_op *call);

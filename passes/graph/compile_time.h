/*
 * Values that can be computed before the inputs of a run are known: from constants and from the
 * parameters behind the first `num_input` ones (weights) of a function that says how many inputs it has.
 */
#pragma once

#include "base/arena.h"
#include "ir/module.h"

enum compile_time_kind {
    COMPILE_TIME_NO,
    COMPILE_TIME_CONSTANT, /* reads no parameter at all */
    COMPILE_TIME_WEIGHT,
};

struct compile_time {
    const unsigned char *kinds; /* enum compile_time_kind by value->index */
    unsigned count;
};

/* The function attribute `num_input`; false: not given, or not a number of its parameters. */
bool compile_time_inputs(const struct ir_function *function, unsigned *out_count);

/* Numbers @function, which is no nested one. */
struct compile_time compile_time_of(struct ir_function *function, struct arena *arena);

enum compile_time_kind compile_time_kind(const struct compile_time *table,
                                         const struct ir_value *value);

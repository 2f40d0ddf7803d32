/*
 * Calls for their effect, `cls.f(x, y)` and R.call_packed by contract, and the storage that they write:
 * which of it is known so well that each write can become a value of its own.
 */
#pragma once

#include "analysis/storage/storage.h"
#include "ir/contract.h"

/* A call that writes what it is given. */
struct effect {
    const struct tir_func *kernel; /* NULL: a function outside of the module, with */
    struct ir_contract contract;
    unsigned count;
    unsigned *operands; /* that may be written */
};

/* Why a root is left as it is. */
struct effect_root {
    const char *why; /* NULL: its writes become values */
    struct location loc;
    unsigned first; /* the origin that took it; 0: none */
    unsigned link;  /* parent in the forest of those that are written together */
};

struct effects {
    struct storage *storage;
    struct arena *arena;
    struct effect_root *roots; /* by root */
};

/* Looks at all of the function that @storage, with private copies, is about. */
void effects_find(struct effects *effects, struct storage *storage, struct arena *arena);
/* Is @op such a call?  What it writes in the arena. */
bool effects_of(const struct effects *effects, const struct ir_op *op, struct effect *out);
/* The only root that @value, which is no tuple and was there before, lives in; else STORAGE_ROOT_NONE. */
unsigned effects_root(const struct effects *effects, const struct ir_value *value);
/* Of field @field of a tuple. */
unsigned effects_field_root(const struct effects *effects, const struct ir_value *value,
                            unsigned field);
/* What took @root. */
const struct storage_origin *effects_first(const struct effects *effects, unsigned root);
/* What stands against writes to @root becoming values; NULL: nothing. */
const struct effect_root *effects_obstacle(const struct effects *effects, unsigned root);
/* The argument that the function outside returns as it is, and writes; -1: none. */
int64_t effects_returned(const struct ir_op *op, const struct effect *effect);

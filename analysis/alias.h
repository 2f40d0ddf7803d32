/*
 * Which storage a value lives in, and when that storage is read.
 *
 * Two notions, kept apart:
 *
 *   origin  a leaf that is not just another name: a parameter, a result of a call, of `if`, ...
 *           Tuples, fields, name bindings, match_cast and views are names of their operand's origin.
 *           Reads are counted for origins, at positions in program order.
 *   root    a piece of storage: of an allocation, a parameter, a constant, or made by opaque code.
 *           An origin lives in one of a set of roots (several after an `if`).  An in-place call hands
 *           the roots of its argument on to its result.
 *
 * Reads do not depend on in-place decisions; roots do, so they are found in program order while the
 * decisions are made (inplace.c).  Both take time linear in the size of the function.
 */
#pragma once

#include "base/array.h"
#include "base/map.h"
#include "ir/module.h"

enum alias_root_kind {
    ROOT_ALLOCATION,
    ROOT_PARAMETER,
    ROOT_CONSTANT,
    ROOT_OPAQUE,   /* made by, or returned from, code that the compiler does not see */
    ROOT_CAPTURED, /* a value of the function around a nested function */
};

struct alias_root {
    enum alias_root_kind kind;
    unsigned parameter, parameter_leaf; /* of a PARAMETER */
    bool is_retained;                   /* opaque code was given it, and may keep it */
    struct location loc;                /* where it comes from */
    const struct ir_op *retained_by;    /* the first op that gave it away, or NULL */
    array(unsigned) origins;            /* that may live in it and may still be read */
};

/* A read of an origin by the op at @position. */
struct alias_read {
    unsigned position;
    struct ir_op *op;            /* in a block */
    const struct ir_value *name; /* the value through which it was read */
};

struct alias_origin {
    const struct ir_value *value; /* NULL: an inline constant */
    unsigned leaf;
    bool has_parts; /* some of its names are parts of it, or other bytes of its storage */
    unsigned root_count;
    const unsigned *roots;          /* sorted */
    array(struct alias_read) reads; /* by position */
};

struct alias {
    struct ir_module *module;
    struct ir_function *function;
    struct arena arena;
    array(struct alias_origin) origins;
    array(struct alias_root) roots;
    unsigned *first_leaf; /* by value->index: into leaf_origins */
    unsigned *positions;  /* by result.index of an op in a block: its place in program order */
    array(unsigned) leaf_origins; /* of each leaf of each value: its origin */
    struct map constants;         /* constant -> origin + 1 */
    unsigned opaque_root;         /* all that opaque code made */
    unsigned nothing;             /* the origin of what has no storage: an inline scalar or shape */
    unsigned next_position;
};

/* Finds origins and reads of @function and numbers it; roots are only those of parameters yet. */
void alias_init(struct alias *alias, struct ir_module *module, struct ir_function *function);
void alias_finish(struct alias *alias);

/* Place of @op (in a block) in program order; the ops of the branches of an `if` come before it. */
unsigned alias_position(const struct alias *alias, const struct ir_op *op);

/* The origins of the leaves of @value, inline or not: appended to @out. */
struct alias_origins {
    unsigned *items;
    size_t count, capacity; /* an array() */
};
void alias_origins_of(struct alias *alias, const struct ir_value *value, struct alias_origins *out);

/* Origin of leaf @leaf of the result of an op in a block, or of a parameter. */
unsigned alias_origin_of(const struct alias *alias, const struct ir_value *value, unsigned leaf);

unsigned alias_root_new(struct alias *alias, enum alias_root_kind kind, struct location loc);

/* Says that @origin lives in one of @roots (any order, may repeat). */
void alias_set_roots(struct alias *alias, unsigned origin, const unsigned *roots, unsigned count);

/*
 * The first read of @origin on a path from @op, not counting @op itself; NULL if none.  Reads in the
 * other branch of an `if` around @op are on no path from it.
 */
const struct alias_read *alias_read_after(const struct alias *alias, unsigned origin,
                                          const struct ir_op *op);

/* Calls @visit for each value of the analysed function that the nested function made by @maker uses. */
typedef void alias_capture_fn(void *state, struct ir_op *maker, const struct ir_value *value);
void alias_walk_captures(const struct alias *alias, struct ir_op *maker, alias_capture_fn *visit,
                         void *state);

/* True for ops whose result is another name of an operand's storage: they read nothing. */
bool alias_is_name(const struct ir_op *op);

/* May a value of @type hold storage at all?  Not scalars, shapes, strings. */
bool alias_has_storage(const struct ir_type *type);

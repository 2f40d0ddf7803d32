/*
 * Scalar expressions: one representation for shapes, indices and kernel arithmetic.
 *
 * Immutable trees in an arena; rewriting makes new nodes.  A variable is its object (struct ir_var),
 * never its name.  Shapes use int64 variables, called symbols.  Integer arithmetic wraps in its
 * width; see ir/exprs.def for the meaning of each kind.
 */
#pragma once

#include "base/arena.h"
#include "base/source.h"
#include "ir/dtype.h"

#include <stdbool.h>
#include <stdint.h>

enum ir_expr_kind {
#define EXPR(kind, ...) IR_EXPR_##kind,
#include "ir/exprs.def"
    IR_EXPR_COUNT
};

struct ir_buffer;

struct ir_var {
    const char *name; /* atom */
    struct ir_dtype dtype;
    struct location loc;
    bool is_symbol; /* a shape symbol: assumed >= 0 */
    /* of a handle, for the text: T.handle("float32", "shared"); atoms, NULL: not said */
    const char *pointee, *pointer_scope;
    unsigned id; /* unique in the context, in order of creation */
};

struct ir_expr {
    enum ir_expr_kind kind;
    struct ir_dtype dtype;
    struct location loc;
    /* Facts of the tree, kept so that comparing is cheap and walks can be limited. */
    uint32_t hash;  /* of all but locations */
    uint32_t size;  /* nodes, shared ones counted each time; saturates */
    uint32_t depth; /* 1 for a leaf; saturates */
    union {
        const struct ir_var *var;
        int64_t int_value;
        double float_value;
        const char *string;             /* atom */
        const char *name;               /* atom: what is called, "exp" for T.exp */
        const struct ir_buffer *buffer; /* of a load */
    };
    unsigned operand_count;
    const struct ir_expr *operands[];
};

struct ir_context;

enum {
    IR_EXPR_DEPTH_LIMIT = 256,  /* what the text may nest; arithmetic gives up beyond */
    IR_EXPR_SIZE_LIMIT = 65536, /* larger trees are equal only if they are the same object */
};

const struct ir_var *ir_var_new(struct ir_context *context, const char *name,
                                struct ir_dtype dtype);
/* A shape symbol. */
struct ir_var *ir_symbol_new(struct ir_context *context, const char *name, struct ir_dtype dtype);

/* Plain construction, no folding: what is built is what prints.  For kinds without a payload. */
const struct ir_expr *ir_expr_new(struct ir_context *context, enum ir_expr_kind kind,
                                  struct ir_dtype dtype, const struct ir_expr *const *operands,
                                  unsigned count);
/* As @like, payload and place included, with other operands. */
const struct ir_expr *ir_expr_with_operands(struct ir_context *context, const struct ir_expr *like,
                                            const struct ir_expr *const *operands, unsigned count);
const struct ir_expr *ir_expr_var(struct ir_context *context, const struct ir_var *var);
const struct ir_expr *ir_expr_int(struct ir_context *context, struct ir_dtype dtype, int64_t value);
const struct ir_expr *ir_expr_float(struct ir_context *context, struct ir_dtype dtype,
                                    double value);
const struct ir_expr *ir_expr_string(struct ir_context *context, const char *string);
/* Comparison kinds get dtype bool, the others that of @a.  The operands must have one dtype. */
const struct ir_expr *ir_expr_binary(struct ir_context *context, enum ir_expr_kind kind,
                                     const struct ir_expr *a, const struct ir_expr *b);
const struct ir_expr *ir_expr_not(struct ir_context *context, const struct ir_expr *a);
const struct ir_expr *ir_expr_select(struct ir_context *context, const struct ir_expr *condition,
                                     const struct ir_expr *a, const struct ir_expr *b);
/* @a itself if it has that dtype; a literal is converted at once. */
const struct ir_expr *ir_expr_cast(struct ir_context *context, struct ir_dtype dtype,
                                   const struct ir_expr *a);
const struct ir_expr *ir_expr_load(struct ir_context *context, const struct ir_buffer *buffer,
                                   const struct ir_expr *const *indices, unsigned count);
const struct ir_expr *ir_expr_call(struct ir_context *context, struct ir_dtype dtype,
                                   const char *name, const struct ir_expr *const *args,
                                   unsigned count);
const struct ir_expr *ir_expr_let(struct ir_context *context, const struct ir_var *var,
                                  const struct ir_expr *value, const struct ir_expr *body);
/* @operands: @vector_count vectors, then the indices. */
const struct ir_expr *ir_expr_shuffle(struct ir_context *context, struct ir_dtype dtype,
                                      unsigned vector_count, const struct ir_expr *const *operands,
                                      unsigned count);
/* A copy of @a that stands at @loc. */
const struct ir_expr *ir_expr_at(struct ir_context *context, struct location loc,
                                 const struct ir_expr *a);

/* The same tree: kinds, dtypes, payloads and operands; variables and buffers by identity. */
bool ir_expr_equal(const struct ir_expr *a, const struct ir_expr *b);
uint64_t ir_expr_hash(const struct ir_expr *a);
bool ir_expr_is_int(const struct ir_expr *a, int64_t value);
bool ir_expr_is_compare(enum ir_expr_kind kind);
bool ir_expr_is_binary(enum ir_expr_kind kind);

/* Calls @visit on @a and all below it, parents first, until it returns false (then so does this). */
typedef bool ir_expr_visit_fn(void *state, const struct ir_expr *a);
bool ir_expr_walk(const struct ir_expr *a, ir_expr_visit_fn *visit, void *state);
bool ir_expr_uses_var(const struct ir_expr *a, const struct ir_var *var);

/*
 * Replaces bottom-up: @replace sees each node with its operands already replaced and returns what
 * stands for it (itself to keep it).  Nodes are shared where nothing changed.
 */
typedef const struct ir_expr *ir_expr_replace_fn(void *state, const struct ir_expr *a);
const struct ir_expr *ir_expr_rewrite(struct ir_context *context, const struct ir_expr *a,
                                      ir_expr_replace_fn *replace, void *state);

/* A mapping from variables to expressions, for ir_expr_substitute(). */
struct ir_binding {
    const struct ir_var *var;
    const struct ir_expr *value;
};
struct ir_bindings {
    struct ir_binding *items;
    size_t count, capacity; /* an array() */
};
const struct ir_expr *ir_bindings_find(const struct ir_bindings *bindings,
                                       const struct ir_var *var);
const struct ir_expr *ir_expr_substitute(struct ir_context *context, const struct ir_expr *a,
                                         const struct ir_bindings *bindings);

/* The accesses of a statement, with their indices in terms of loop variables (for analysis/). */
#pragma once

#include "base/array.h"
#include "base/map.h"
#include "ir/arith.h"
#include "ir/module.h"

struct loop_access {
    const struct ir_buffer *buffer, *root; /* as named; the one that owns the storage */
    const struct ir_expr **indices;        /* NULL: not known */
    bool is_store;
    const struct tir_stmt *stmt;
};

struct loop_accesses {
    struct ir_context *context;
    struct arena *arena;
    array(struct loop_access) items;
    /* Variables that take another value in each iteration, and ranges of those that have one. */
    array(const struct ir_var *) inner;
    struct ir_ranges ranges;
    struct map private_buffers; /* allocated inside */
    bool is_opaque;             /* does something that accesses do not say */
};

/* What stands around a statement: ranges of loops, values of lets and axes; who shares storage. */
struct loop_scope {
    struct ir_context *context;
    struct arena *arena;
    struct ir_ranges ranges;
    struct ir_bindings values;
    struct map owners; /* matched buffer -> the buffer it is a rectangle of */
    bool is_plain;     /* only loops, sequences, branches, lets and blocks are around */
    array(const struct tir_stmt *) loops; /* outermost first */
};

/* Fills in @scope for @stmt of @func; false if it is not there. */
bool loop_scope_enter(struct loop_scope *scope, struct arena *arena, const struct tir_func *func,
                      const struct tir_stmt *stmt);
void loop_scope_finish(struct loop_scope *scope);

/* Adds the range of @loop's variable; bounds that load elements only if @allows_loads. */
void loop_scope_add_range(struct loop_scope *scope, struct ir_ranges *ranges,
                          const struct tir_stmt *loop, bool allows_loads);

/* Adds all accesses of @stmt.  @scope gives the meaning of what is defined around it. */
void loop_accesses_add(struct loop_accesses *accesses, struct loop_scope *scope,
                       const struct tir_stmt *stmt);
/* Who may be one storage: parameters of @func by @may_overlap (see loop.h), else equal roots. */
struct loop_sharing {
    const struct tir_func *func;
    const bool *may_overlap;
};
bool loop_may_share(const struct loop_sharing *sharing, const struct ir_buffer *a_root,
                    const struct ir_buffer *b_root);
/* After all were added: forgets indices that depend on elements which @accesses or @other write. */
void loop_accesses_settle(struct loop_accesses *accesses, const struct loop_accesses *other,
                          const struct loop_scope *scope, const struct loop_sharing *sharing);
void loop_accesses_finish(struct loop_accesses *accesses);

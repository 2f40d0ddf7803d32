/* Within analysis/access/: the walk that collects accesses. */
#pragma once

#include "analysis/access/access.h"
#include "base/array.h"
#include "ir/arith.h"

enum { ACCESS_INDEX_LIMIT = 2000 }; /* nodes; larger indices and conditions are unknown */

/* Another name of storage: a rectangle of a buffer, or all of it in another shape. */
struct access_view {
    const struct ir_buffer *of;
    const struct ir_expr *
        *mins; /* of a rectangle: for each dimension of @of; NULL: another shape */
};

struct collector {
    struct ir_context *context;
    struct arena *arena;
    const struct tir_func *func;
    struct access_list *list;
    array(struct access) items;
    const struct access_frame *frame;
    struct ir_bindings values;               /* of axes and lets, in terms of loop variables */
    struct map views;                        /* buffer -> struct access_view */
    struct map homes;                        /* buffer that is allocated -> struct access_home */
    array(const struct ir_buffer *) buffers; /* all that were made, for their data pointers */
    struct map *seen; /* nodes of a large expression that were visited; NULL: of a small one */
    const struct tir_stmt *stmt;
    bool is_init;
    bool keeps_loads; /* values that load elements count as known */
};

struct access_home {
    const struct access_frame *frame;
};

/* scope.c */

/* @a in terms of loop variables; NULL if that is not known. */
const struct ir_expr *access_resolve(struct collector *c, const struct ir_expr *a);
bool access_has_load(const struct ir_expr *a);
struct access_frame *access_push_frame(struct collector *c, enum access_frame_kind kind);
void access_push_guard(struct collector *c, const struct ir_expr *condition, bool is_negated);
void access_push_loop(struct collector *c, const struct tir_stmt *loop);
void access_push_while(struct collector *c, const struct tir_stmt *loop);
/* A variable: its value where that is known, else a frame in which it is anything. */
void access_define(struct collector *c, const struct ir_var *var, const struct ir_expr *value);
void access_allocate(struct collector *c, const struct ir_buffer *buffer);
void access_declare(struct collector *c, const struct ir_buffer *buffer);
/* Axes, predicate, allocations and matches of a block. */
void access_enter_block(struct collector *c, const struct tir_stmt *block);
const struct ir_buffer *access_root_of(struct collector *c, const struct ir_buffer *buffer);
/* Sets where @access is in its root; @indices: of its buffer, NULL if they are not known. */
void access_locate(struct collector *c, struct access *access, const struct ir_expr **indices);

/* collect.c */

/* Adds the accesses of @stmt. */
void access_collect(struct collector *c, const struct tir_stmt *stmt);

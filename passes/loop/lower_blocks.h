/* Within LowerBlocks: blocks one by one, and where their init goes. */
#pragma once

#include "passes/loop/loop.h"

/* A matched rectangle: its buffer's element [i..] is element [min.. + i..] of @buffer. */
struct block_view {
    const struct ir_buffer *buffer;                   /* no view itself */
    const struct ir_expr *const *min, *const *extent; /* extent: of the last dimensions only */
};

struct block_access {
    const struct ir_buffer *buffer;
    const struct ir_expr *const *indices;
    unsigned count;
};

struct block_lowering {
    struct ir_module *module;
    const struct tir_func *func;
    struct loop_map map;
    struct loop_names names; /* axes and variables of layouts -> values; buffers with new layouts */
    struct map visible;      /* variables that have a value */
    struct map views;        /* struct ir_buffer -> struct block_view */
    struct map view_addresses; /* B.data of a matched B: cannot be written without the match */
    struct ir_ranges ranges;
    bool has_failed;
};

/* What of a block is wanted: all, init alone or the body alone. */
enum block_part { BLOCK_ALL, BLOCK_INIT, BLOCK_BODY };

const struct ir_expr *block_expr(struct block_lowering *l, const struct ir_expr *a);
struct tir_stmt *block_stmt(struct block_lowering *l, struct tir_stmt *stmt);
struct tir_stmt *block_lower(struct block_lowering *l, struct tir_stmt *stmt, enum block_part part);
/* Replaces an access of a view, or of a buffer that has a copy; false: it stays. */
bool block_resolve_access(struct block_lowering *l, struct block_access *access);
/* Loop @loop with the init of the block in it in front; NULL where that is not the same. */
struct tir_stmt *block_split_init(struct block_lowering *l, struct tir_stmt *loop);

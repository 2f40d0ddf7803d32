/*
 * The loop passes as functions on one kernel: what passes/loop/ has in common.
 *
 * Each takes a kernel and returns its new body, or the body that it has where there is nothing to do.
 * They change neither @func nor its statements, so a caller that does not like the result can forget
 * it: func->body = loop_lower_blocks(func).  All but the first two want plain loops and leave blocks
 * alone.
 */
#pragma once

#include "ir/arith.h"
#include "passes/pass.h"

/* T.init() becomes `if` in front of the block's body. */
struct tir_stmt *loop_lower_init(const struct tir_func *func);
/* Blocks become plain loops and stores. */
struct tir_stmt *loop_lower_blocks(const struct tir_func *func);

/* Arithmetic under the ranges of loops, and what it decides. */
struct tir_stmt *loop_simplify(const struct tir_func *func);
/* Neighbouring loops over one range become one, where that keeps the result; @serial: also where it
 * loses independent iterations. */
struct tir_stmt *loop_fuse(const struct tir_func *func, bool serial);
/* Allocations move to the iterations that use them, and get the extents that these use. */
struct tir_stmt *loop_compact_buffers(const struct tir_func *func);

/* Copies of the body for each iteration of short loops: T.unroll ones, or all. */
struct tir_stmt *loop_unroll(const struct tir_func *func, int64_t limit, bool all);
/* Two loops for one, the inner of @factor iterations, for each innermost serial loop. */
struct tir_stmt *loop_split(const struct tir_func *func, int64_t factor);
/* Ranges cut where a condition of the body is decided. */
struct tir_stmt *loop_partition(const struct tir_func *func);
/* What is the same in all iterations, computed in front of the loop. */
struct tir_stmt *loop_hoist(const struct tir_func *func);
/* T.vectorized for innermost loops, T.parallel for outermost ones, that are provably independent; the
 * others of the kind become serial. */
struct tir_stmt *loop_vectorize(const struct tir_func *func, bool strided, struct remarks *remarks);
struct tir_stmt *loop_parallelize(const struct tir_func *func, int64_t grain,
                                  struct remarks *remarks);

/*
 * @func's body with @loop, a serial loop in it, running from the last iteration to the first; NULL if it
 * cannot.  Whether that keeps the result is asked before: see access_may_share(), which says of what
 * loop (is_backward), and again of the new body.
 */
struct tir_stmt *loop_turn_round(const struct tir_func *func, const struct tir_stmt *loop);
/* The same as a new private kernel beside @func; nothing changes, and NULL, if it cannot be. */
struct ir_global *loop_add_turned(struct tir_func *func, const struct tir_stmt *loop);

/* Is nothing but plain statements in @stmt: no sblock? */
bool loop_is_plain(struct tir_stmt *stmt);

/*
 * Passes may run behind ResolveInplace, and behind calls that were given shared storage: which
 * parameters of which kernels some call gives one storage, found out when first asked for.  Zeroed
 * but for the module it is ready.
 */
struct loop_sharing {
    struct ir_module *module;
    struct arena arena;
    struct map pairs; /* kernel -> struct loop_shared_pair, the first of a list */
    bool is_known;
};
void loop_sharing_finish(struct loop_sharing *sharing);
/* Would @kernel, a kernel of the module, with @body be right on the storage that calls share, if it
 * is so now? */
bool loop_keeps_sharing(struct loop_sharing *sharing, const struct tir_func *kernel,
                        struct tir_stmt *body);

/*
 * Runs @rewrite on all kernels.  A new body that cannot run on the storage that calls share, as the
 * old one can, is not taken.
 */
typedef struct tir_stmt *loop_rewrite_fn(void *state, const struct tir_func *func);
enum pass_result loop_rewrite_kernels(struct pass_run *run, loop_rewrite_fn *rewrite, void *state);

/* ---- rewriting ---- */

/* What to make of the parts of a statement; functions that are NULL keep the part. */
struct loop_map {
    struct ir_module *module;
    void *state;
    /* a statement inside; may return NULL where nothing is left of it */
    struct tir_stmt *(*stmt)(struct loop_map *map, struct tir_stmt *stmt);
    const struct ir_expr *(*expr)(struct loop_map *map, const struct ir_expr *a);
    const struct ir_buffer *(*buffer)(struct loop_map *map, const struct ir_buffer *buffer);
    /* where they are defined; called before what can use them is mapped */
    const struct ir_var *(*define_var)(struct loop_map *map, const struct ir_var *var);
    struct ir_buffer *(*define_buffer)(struct loop_map *map, struct ir_buffer *buffer);
};

/* @stmt over mapped parts; itself where all are kept. */
struct tir_stmt *loop_map_parts(struct loop_map *map, struct tir_stmt *stmt);

/* Names that stand for something else in a copy. */
struct loop_names {
    struct map vars;    /* struct ir_var -> struct ir_expr */
    struct map buffers; /* struct ir_buffer -> struct ir_buffer */
    bool fresh;         /* what is defined inside gets a new identity, for a second copy */
};

const struct ir_expr *loop_copy_expr(struct ir_module *module, struct loop_names *names,
                                     const struct ir_expr *a);
struct tir_stmt *loop_copy(struct ir_module *module, struct loop_names *names,
                           struct tir_stmt *stmt);
/* A second @stmt: what it defines is new. */
struct tir_stmt *loop_copy_fresh(struct ir_module *module, struct tir_stmt *stmt);
void loop_names_finish(struct loop_names *names);

/* ---- statements ---- */

struct ir_var *loop_var_like(struct ir_module *module, const struct ir_var *var);
/* @loop around another body. */
struct tir_stmt *loop_with_body(struct ir_module *module, const struct tir_stmt *loop,
                                struct tir_stmt *body);
struct tir_stmt *loop_if(struct ir_module *module, const struct ir_expr *condition,
                         struct tir_stmt *body);
/* One after the other; either may be NULL. */
struct tir_stmt *loop_both(struct ir_module *module, struct tir_stmt *a, struct tir_stmt *b);
const struct ir_expr *loop_and(struct ir_module *module, const struct ir_expr *a,
                               const struct ir_expr *b); /* either may be NULL: true */
/* Does @body hold a break or continue of the loop that it is the body of? */
bool loop_has_jump(const struct tir_stmt *body);
/* Bounds without elements and calls. */
bool loop_has_fixed_bounds(const struct tir_stmt *loop);
unsigned loop_stmt_count(struct tir_stmt *stmt);
/* Buffers allocated in @body that nothing loads; and @body without allocations that nothing names. */
void loop_dead_buffers(struct tir_stmt *body, struct map *out);
struct tir_stmt *loop_drop_allocations(struct ir_module *module, struct tir_stmt *body);
/* The range of @loop's variable as a fact. */
struct ir_range loop_range(struct ir_module *module, const struct tir_stmt *loop);

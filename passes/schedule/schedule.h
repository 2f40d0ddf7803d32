/* Shared by the files of ScheduleCPU only: what is being scheduled, and what builds loops. */
#pragma once

#include "analysis/access/loop.h"
#include "base/array.h"
#include "base/map.h"
#include "passes/loop/loop.h"
#include "passes/pass.h"

/* One kernel on its way.  Its body is a fresh tree of plain loops, so statements may be changed. */
struct schedule {
    struct pass_run *run;
    struct ir_module *module;
    struct ir_context *context;
    struct tir_func *func;
    int64_t vector_bytes, l2_bytes;
    bool has_fma, is_winograd; /* may convolutions have fewer products */
    struct map names;          /* atoms: of the buffers of the kernel */
    struct ir_ranges ranges;   /* of the loops around what is looked at */
    struct loop_sharing sharing;
    const bool *
        is_constant; /* by parameter: weights, which are packed when the program is compiled; or NULL */
    array(const struct ir_buffer *) dropped; /* that need not exist any more */
    struct remark kept;                      /* why the kernel in work keeps its loops */
    struct location place; /* of what is built, unless it has one of its own; or none */
    struct shared_panels
        *shared; /* made once for all blocks of rows; NULL: each product makes its own */
};

/* Vectors of @dtype on the target: elements of one register. */
int64_t schedule_lanes(const struct schedule *s, struct ir_dtype dtype);
/* How many vector registers the target has. */
int64_t schedule_registers(const struct schedule *s);

/* Does @a read weights alone, which are known when the program is compiled, and calls nothing? */
bool sch_reads_constants(struct schedule *s, const struct ir_expr *a);

/* ---- building ---- */

const struct ir_expr *sch_int(struct schedule *s, struct ir_dtype dtype, int64_t value);
/* Simplified; of one dtype. */
const struct ir_expr *sch_add(struct schedule *s, const struct ir_expr *a, const struct ir_expr *b);
const struct ir_expr *sch_sub(struct schedule *s, const struct ir_expr *a, const struct ir_expr *b);
const struct ir_expr *sch_mul(struct schedule *s, const struct ir_expr *a, int64_t factor);
const struct ir_expr *sch_div(struct schedule *s, const struct ir_expr *a, int64_t divisor);
const struct ir_expr *sch_ceil_div(struct schedule *s, const struct ir_expr *a, int64_t divisor);
const struct ir_expr *sch_min(struct schedule *s, const struct ir_expr *a, const struct ir_expr *b);
bool sch_constant(struct schedule *s, const struct ir_expr *a, int64_t *out);

const struct ir_var *sch_var(struct schedule *s, const char *name, struct ir_dtype dtype);
const struct ir_expr *sch_use(struct schedule *s, const struct ir_var *var);
/* A buffer of literal extents; its name is @name, or with a number behind it. */
struct ir_buffer *sch_buffer(struct schedule *s, const char *name, struct ir_dtype dtype,
                             const char *scope, const int64_t *shape, unsigned ndim);
struct ir_buffer *sch_buffer_of(struct schedule *s, const char *name, struct ir_dtype dtype,
                                const char *scope, const struct ir_expr *const *dims,
                                unsigned ndim);
/* Notes the names of the kernel's buffers, so that new ones get others. */
void sch_note_names(struct schedule *s);
/* @own, or where that is none, s->place. */
struct location sch_place(const struct schedule *s, struct location own);
struct tir_stmt *sch_alloc(struct schedule *s, struct ir_buffer *buffer);
struct tir_stmt *sch_for(struct schedule *s, enum tir_for_kind kind, const struct ir_var *var,
                         const struct ir_expr *extent, struct tir_stmt *body);
struct tir_stmt *sch_if(struct schedule *s, const struct ir_expr *condition,
                        struct tir_stmt *then_body, struct tir_stmt *else_body);
struct tir_stmt *sch_seq(struct schedule *s, struct tir_stmt *const *items, unsigned count);
struct tir_stmt *sch_store(struct schedule *s, const struct ir_buffer *buffer,
                           const struct ir_expr *const *indices, const struct ir_expr *value);
const struct ir_expr *sch_load(struct schedule *s, const struct ir_buffer *buffer,
                               const struct ir_expr *const *indices);
/* @a with @var replaced. */
const struct ir_expr *sch_put(struct schedule *s, const struct ir_expr *a, const struct ir_var *var,
                              const struct ir_expr *value);
/* A second @stmt with @var replaced; what it defines is new. */
struct tir_stmt *sch_copy(struct schedule *s, struct tir_stmt *stmt, const struct ir_var *var,
                          const struct ir_expr *value);

/* ---- looking ---- */

/* Only computes: no calls but those that give a value for values. */
bool sch_is_pure(const struct ir_expr *a);
bool sch_reads(const struct ir_expr *a, const struct ir_buffer *buffer);
/* Serial, counts from 0 in steps of 1 to an end that no element decides, without annotations. */
bool sch_is_plain_loop(const struct tir_stmt *stmt);
/* No element decides it, nor a call. */
bool sch_is_fixed(const struct ir_expr *a);
/* Between these, the variable of @loop is known to be in its range. */
size_t sch_enter(struct schedule *s, const struct tir_stmt *loop);
void sch_leave(struct schedule *s, size_t mark);
/* Is the extent, which may be negative in text, the number of iterations for certain? */
bool sch_is_counted(struct schedule *s, const struct tir_stmt *loop);
/* The number of iterations: the extent, or 0 where that is negative. */
const struct ir_expr *sch_count(struct schedule *s, const struct tir_stmt *loop);
/* Does each load in @value move by one element, or none, when @var grows by one? */
bool sch_loads_rows(struct schedule *s, const struct ir_expr *value, const struct ir_var *var);
/* About how much work @stmt is once, in additions; unknown extents count as 64. */
double sch_work(struct schedule *s, const struct tir_stmt *stmt);

/* How far from 0 the integer @a may be, if that is known and at most 2**30. */
bool sch_farthest(const struct ir_expr *a, int64_t *out);

/* ---- reductions ---- */

struct reduction {
    struct tir_stmt *store;
    const struct ir_expr *value; /* what is combined; NULL for a call of fma */
    enum ir_expr_kind kind;      /* IR_EXPR_add (for fma too), min, max */
    const struct ir_expr *fma;   /* T.fma(a, b, s) */
    struct ir_buffer *acc;
};

/* s = s + e, min, max, fma(a, b, s), with s in no other place. */
bool sch_read_reduction(struct tir_stmt *store, struct reduction *out);
/* The value that changes nothing. */
const struct ir_expr *sch_neutral(struct schedule *s, const struct reduction *r);
/* The store of @r with @to[@index] for its place and @k for @var. */
struct tir_stmt *sch_reduce_to(struct schedule *s, const struct reduction *r,
                               const struct ir_buffer *to, const struct ir_expr *index,
                               const struct ir_var *var, const struct ir_expr *k);

/* ---- steps, in order ---- */

/*
 * Chains of products over the same rows run some rows at a time, products and all.  @slot holds the body of the
 * kernel.
 */
bool schedule_rows(struct schedule *s, struct tir_stmt **slot);
/*
 * Products of matrices become blocked, packed and register-tiled.  @slot holds a statement of the
 * kernel; true if it was replaced.
 */
bool schedule_matmuls(struct schedule *s, struct tir_stmt **slot);
/* Is @stmt a nest that schedule_taps replaces? */
bool taps_are_in(struct schedule *s, struct tir_stmt *stmt);
/* Sums, minima and maxima over small windows keep their elements in registers. */
bool schedule_taps(struct schedule *s, struct tir_stmt **slot);
/* Reductions that are all of a nest are cut, so that threads can share them. */
bool schedule_partitions(struct schedule *s, struct tir_stmt **slot);
/* Scratch of a row goes to the row of the result that takes its place. */
bool schedule_in_results(struct schedule *s, struct tir_stmt **slot);
/* Scratch of rows goes to other scratch whose elements it replaces. */
bool schedule_one_scratch(struct schedule *s, struct tir_stmt **slot);
/* Reductions over contiguous axes get an accumulator for each lane of several vectors. */
bool schedule_reductions(struct schedule *s, struct tir_stmt **slot);
/* The nest in @slot tile by tile, if it is a transpose of at least @least by @least elements. */
bool sch_transpose(struct schedule *s, struct tir_stmt **slot, int64_t least);
/* Transposes go tile by tile. */
bool schedule_transposes(struct schedule *s, struct tir_stmt **slot);
/* Each statement of @body gets a place in the script, from what it is there for. */
void schedule_places(struct schedule *s, struct tir_stmt *body);
/* Marks loops: vectorized inside, parallel outside; splits what has too few of them. */
bool schedule_marks(struct schedule *s, struct tir_stmt **slot);

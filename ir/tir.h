/*
 * The loop level (TensorIR): kernels as loop nests over buffers.
 *
 * A kernel has parameters (buffers and scalars), attributes and a body: a tree of statements.
 * Statements are mutable only while they are built; passes rewrite into new ones.
 */
#pragma once

#include "base/arena.h"
#include "base/source.h"
#include "ir/attr.h"
#include "ir/expr.h"

struct ir_module;

struct ir_buffer {
    const char *name; /* atom */
    struct ir_dtype dtype;
    unsigned ndim;
    const struct ir_expr *const *shape;
    const struct ir_expr *const *strides;  /* NULL: compact row-major */
    const struct ir_expr *elem_offset;     /* NULL: 0 */
    const struct ir_expr *data;            /* decl_buffer(data=A.data): a var expr; NULL: its own */
    const struct ir_buffer *data_of;       /* the buffer whose storage `data` names, if known */
    const char *scope;                     /* atom: "global", "local", "shared", ... */
    int align, offset_factor;              /* 0: default */
    const struct ir_attr *axis_separators; /* list or NULL */
    const char *buffer_type;               /* atom or NULL ("auto") */
    const struct ir_var *data_var;         /* what A.data names; made on demand, or NULL */
    bool is_scalar; /* x: T.int32 = e: one element, written and read as `x` */
    struct location loc;
};

/* A rectangle of a buffer: per dimension min and extent (extent 1: a point, printed as an index). */
struct tir_region {
    const struct ir_buffer *buffer;
    const struct ir_expr *const *min, *const *extent;
    struct location loc;
};

enum tir_axis_kind { TIR_SPATIAL, TIR_REDUCE, TIR_SCAN, TIR_OPAQUE };

struct tir_axis {
    const struct ir_var *var;
    enum tir_axis_kind kind;
    const struct ir_expr *min, *extent; /* domain of the axis */
    const struct ir_expr *value;        /* bound to, in terms of the loop variables around */
};

enum tir_stmt_kind {
    TIR_SEQ,
    TIR_FOR,
    TIR_BLOCK, /* sblock with its realization */
    TIR_STORE, /* buffer[indices] = value */
    TIR_LET,   /* v: T.let[T.int32] = e, visible in the rest of the sequence */
    TIR_ALLOC, /* X = T.alloc_buffer(..), visible in the rest of the sequence; scalars too */
    TIR_DECL,  /* X = T.decl_buffer(.., data=..): another look at storage */
    TIR_IF,
    TIR_WHILE,
    TIR_EVALUATE,
    TIR_ASSERT,
    TIR_ATTR, /* with T.attr(node, "key", value): */
    TIR_RETURN,
    TIR_BREAK,
    TIR_CONTINUE,
    TIR_LAUNCH_THREAD, /* with T.launch_thread("blockIdx.x", n) as v: ; GPU only, parses and prints */
};

/* Annotations of loops that change no result (codegen/llvm/prefetch.c). */
#define TIR_PREFETCH       "prefetch"
#define TIR_PREFETCH_BYTES "prefetch_bytes"

enum tir_for_kind { TIR_SERIAL, TIR_PARALLEL, TIR_VECTORIZED, TIR_UNROLLED, TIR_THREAD_BINDING };

struct tir_stmt {
    enum tir_stmt_kind kind;
    struct location loc;
    union {
        struct {
            struct tir_stmt **items;
            unsigned count;
        } seq;
        struct {
            const struct ir_var *var;
            const struct ir_expr *min, *extent; /* var from min to min + extent - 1 */
            const struct ir_expr *step;         /* NULL: 1 */
            enum tir_for_kind kind;
            const char *thread;                /* atom: "threadIdx.x" */
            const struct ir_attr *annotations; /* dict or NULL */
            struct tir_stmt *body;
        } loop;
        struct {
            const char *name; /* atom, "" for an unnamed one */
            struct tir_axis *axes;
            unsigned axis_count;
            const struct ir_expr *predicate; /* T.where(..); NULL: true */
            struct tir_region *reads, *writes;
            unsigned read_count, write_count;
            bool has_reads, has_writes; /* given, even if empty; a missing one was inferred */
            const struct ir_attr *annotations; /* dict or NULL */
            struct ir_buffer **allocs;
            unsigned alloc_count;
            struct tir_match {
                struct ir_buffer *buffer;
                struct tir_region source;
            } *matches; /* B = T.match_buffer(A[..], ..) */
            unsigned match_count;
            struct tir_stmt *init; /* or NULL */
            struct tir_stmt *body;
            bool is_root; /* the trivial root block: prints as a comment */
        } block;
        struct {
            const struct ir_buffer *buffer;
            const struct ir_expr *const *indices;
            unsigned index_count;
            const struct ir_expr *value;
            const struct ir_expr *predicate; /* or NULL */
        } store;
        struct {
            const struct ir_var *var;
            const struct ir_expr *value;
        } let;
        struct {
            struct ir_buffer *buffer;
            const struct ir_attr *annotations;
        } alloc; /* TIR_ALLOC and TIR_DECL */
        struct {
            const struct ir_expr *condition;
            struct tir_stmt *then_body, *else_body; /* else NULL if none */
        } branch;
        struct {
            const struct ir_expr *condition;
            struct tir_stmt *body;
        } while_loop;
        const struct ir_expr *value; /* EVALUATE; RETURN: or NULL */
        struct {
            const struct ir_expr *condition;
            const char *kind;    /* atom: "ValueError" or NULL */
            const char *message; /* atom or NULL */
        } assertion;
        struct {
            const struct ir_attr *node;
            const char *key; /* atom */
            const struct ir_expr *value;
            struct tir_stmt *body;
        } attr;
        struct {
            const struct ir_var *var;
            const char *thread; /* atom */
            const struct ir_expr *extent;
            struct tir_stmt *body;
        } launch;
    };
};

struct tir_param {
    struct ir_buffer *buffer; /* a buffer parameter, or NULL: */
    const struct ir_var *var; /* a scalar parameter (or a bare handle) */
};

struct tir_func {
    const char *name; /* atom */
    struct ir_module *module;
    struct tir_param *params;
    unsigned param_count, param_room; /* allocated: param_room, or param_count if that is more */
    struct ir_dtype result;           /* void: returns nothing */
    bool has_result_annotation;
    bool is_private;
    bool is_s_tir;
    bool skip_well_formed;
    bool is_hidden; /* a buffer is, by another name that was told of: what is not stored follows */
    const struct ir_attr
        *decorator; /* dict of the other decorator arguments (persistent, ..), or NULL */
    const struct ir_attr *attrs; /* dict or NULL, without global_symbol when that is the name */
    struct tir_stmt *body;
    struct location loc; /* of the name */
};

/* Construction, in the module's arena. */
struct tir_func *tir_func_new(struct ir_module *module, const char *name);
struct ir_buffer *tir_buffer_new(struct ir_module *module, const char *name, struct ir_dtype dtype,
                                 const struct ir_expr *const *shape, unsigned ndim);
void tir_func_add_buffer(struct tir_func *func, struct ir_buffer *buffer);
void tir_func_add_var(struct tir_func *func, const struct ir_var *var);
struct tir_stmt *tir_stmt_new(struct ir_module *module, enum tir_stmt_kind kind,
                              struct location loc);
/* The items in one sequence (sequences among them are flattened); one item stands for itself. */
struct tir_stmt *tir_seq(struct ir_module *module, struct tir_stmt *const *items, unsigned count);
struct tir_stmt *tir_for(struct ir_module *module, const struct ir_var *var,
                         const struct ir_expr *extent, struct tir_stmt *body);
struct tir_stmt *tir_store(struct ir_module *module, const struct ir_buffer *buffer,
                           const struct ir_expr *const *indices, const struct ir_expr *value);

/* Direct sub-statements of @stmt, in order: for walks.  NULL past the last. */
struct tir_stmt *tir_stmt_child(const struct tir_stmt *stmt, unsigned i);

/* Calls @visit on @stmt and all below, parents first, until it returns false. */
typedef bool tir_visit_fn(void *state, struct tir_stmt *stmt);
bool tir_stmt_walk(struct tir_stmt *stmt, tir_visit_fn *visit, void *state);

/*
 * Calls @visit on the root of each expression held directly by @stmt (not by its children), until it
 * returns false; ir_expr_walk() goes below the roots.
 */
bool tir_stmt_walk_exprs(const struct tir_stmt *stmt, ir_expr_visit_fn *visit, void *state);

/*
 * Sets the reads and writes of @block that were not given (has_reads, has_writes) to rectangles that
 * cover its accesses: what T.reads / T.writes would say.  Blocks inside must have theirs.
 */
void tir_block_infer_regions(struct ir_module *module, struct tir_stmt *block);

/* How many of the parameters are buffers; the type of @func as a Relax callee of call_tir. */
unsigned tir_func_buffer_count(const struct tir_func *func);

/* Equal up to the names and identity of variables and buffers (both kernels closed). */
bool tir_func_equal(const struct tir_func *a, const struct tir_func *b);
uint64_t tir_func_hash(const struct tir_func *a);

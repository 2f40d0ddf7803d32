/*
 * The accesses of a kernel: which elements its text reads and writes, when, and how often.
 *
 * The one extractor of them.  A kernel becomes a list of accesses in the order of execution; each
 * hangs on a chain of frames that says for which iterations it runs.  It is plain data: what two
 * accesses have to do with each other is asked in relation.h.
 *
 * Indices are in terms of loop variables: axes of blocks and lets are replaced by their values, and
 * what is seen through T.match_buffer or T.decl_buffer is followed to the buffer that owns the
 * storage.  What cannot be read off the text is marked as unknown (NULL), never left out.  There is
 * no limit on the number of accesses; indices beyond a size are unknown.
 */
#pragma once

#include "base/array.h"
#include "base/map.h"
#include "base/text.h"
#include "ir/module.h"

enum access_frame_kind {
    ACCESS_LOOP,  /* runs for each value of `var`, one after the other (but see tir_for_kind) */
    ACCESS_LANES, /* lanes of a vector, `var` numbers them: all at one moment */
    ACCESS_LET,   /* gives `var` a value that is no arithmetic: any, in each iteration another */
    ACCESS_GUARD, /* runs only where `condition` is true, or where it is false */
};

/*
 * What stands around an access.  T.while is a loop whose variable nothing uses.  Guards are `if`,
 * T.where, predicates of stores, assertions for what follows them, T.init (where all reduction axes
 * are at their first value), and T.if_then_else, T.Select, `and`, `or` around what they choose: a
 * read whose value is thrown away counts as not made.
 */
struct access_frame {
    const struct access_frame *parent; /* NULL: the kernel itself */
    enum access_frame_kind kind;
    const struct tir_stmt *stmt; /* of a loop: TIR_FOR or TIR_WHILE; else the statement around */
    unsigned depth;              /* how many loops there are, this frame included */
    const struct ir_var *var;
    /* Of loops and lanes: var is min, min + step, .. below min + extent.  NULL: not known. */
    const struct ir_expr *min, *extent;
    int64_t step; /* 0: not known, but positive */
    const struct ir_expr *condition;
    const struct ir_expr *spelled; /* of a guard: the condition as the statement has it */
    bool is_negated;
};

enum access_kind {
    ACCESS_READ,
    ACCESS_WRITE,
    ACCESS_EXPOSE, /* the address is taken: from here on anything may happen to the buffer */
    ACCESS_EFFECT, /* of no buffer: something whose order matters, see enum access_effect */
};

enum access_effect {
    ACCESS_NO_EFFECT,
    ACCESS_CALL,    /* code whose effect is not known: `call` */
    ACCESS_JUMP,    /* break, continue, return: what follows may not run */
    ACCESS_STOP,    /* an assertion, or T.while, which may not end */
    ACCESS_STRANGE, /* threads of GPUs, unknown attributes, storage behind a bare handle */
};

struct access {
    enum access_kind kind;
    enum access_effect effect;
    const struct ir_expr *call;
    const struct ir_buffer *buffer; /* as the text names it */
    const struct ir_buffer *root;   /* the one that owns the storage */
    int param; /* of the kernel, whose buffer `root` is; -1: allocated inside */
    /*
     * Where in the root: one index for each of its dimensions, or, where the text looks at the
     * storage in another shape, the number of elements (of the dtype of both) from its begin.  Both
     * NULL: anywhere.
     */
    const struct ir_expr *const *indices;
    const struct ir_expr *flat;
    const struct access_frame *frame; /* the innermost */
    const struct access_frame *home;  /* around the allocation of the root; NULL: none */
    const struct tir_stmt *stmt;
    const struct ir_expr *load; /* of a read: what reads, part of an expression of `stmt` */
    struct location loc;
    bool is_init;     /* in T.init */
    bool is_indirect; /* an index depends on elements of buffers */
};

/* In order of execution: within one iteration of what is around both, the one before the other. */
struct access_list {
    const struct tir_func *func;
    const struct access *items;
    size_t count;
    const struct access_frame *outer; /* around the statement asked for; NULL: the whole kernel */
    struct map owners;  /* buffer -> the root whose storage it shows, where it is another */
    struct map written; /* roots that are written, or whose address is taken */
    bool has_jumps;     /* what follows break, continue or return may not run */
};

/*
 * What is known of kernels, found out once.  Zeroed it is empty and ready.  Bodies are known by
 * their identity: make a cache for one analysis, and end it before a pass changes a kernel.
 */
struct access_cache {
    struct arena arena;
    struct map lists;    /* body of a kernel -> struct access_list */
    struct isl_ctx *isl; /* of the integer sets; made on demand */
    array(struct access_list *) all;
};
void access_cache_finish(struct access_cache *cache);

/* The accesses of the body of @func. */
const struct access_list *access_of(struct access_cache *cache, const struct tir_func *func);

/*
 * Those of @stmt alone, as if it stood at the place of @place, a statement of @func.  If @place is
 * not in
 * @func (yet), its surroundings are taken as fixed.  Lets around it that load elements stay
 * variables.
 */
const struct access_list *access_of_stmt(struct access_cache *cache, const struct tir_func *func,
                                         const struct tir_stmt *place, const struct tir_stmt *stmt);

/* The loop number @depth (from 0) around @frame, from the outside; NULL if there are not so many.
 */
const struct access_frame *access_loop_at(const struct access_frame *frame, unsigned depth);
/* The number of loops around both, from the outside. */
unsigned access_common_loops(const struct access *a, const struct access *b);
/* Is @frame @outer or inside of it? */
bool access_is_inside(const struct access_frame *frame, const struct access_frame *outer);

/* The buffer that owns the storage of @buffer, which is seen somewhere in @list. */
const struct ir_buffer *access_root(const struct access_list *list, const struct ir_buffer *buffer);
/* The parameter of @func that @root is the buffer of, or -1. */
int access_param_of(const struct tir_func *func, const struct ir_buffer *root);

/* Is @a T.if_then_else(..) or T.Select(..)? */
bool access_is_choice(const struct ir_expr *a);

/* One line for each access: what, where in the storage, and around it the frames, from the outside.
 */
void access_print(const struct access_list *list, struct text *out);

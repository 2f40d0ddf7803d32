/* Between the recognition of nests that reduce, products of matrices and the loops for them. */
#pragma once

#include "passes/schedule/schedule.h"

enum { MATMUL_LOOP_LIMIT = 12, MATMUL_ALLOC_LIMIT = 5 };

/* Loops that count through one axis of a product: the last of them fastest. */
struct matmul_loops {
    struct tir_stmt *items[MATMUL_LOOP_LIMIT];
    unsigned count;
};

/* Loops around one store, and what sets C to zero within them. */
struct nest {
    struct tir_stmt *loops[MATMUL_LOOP_LIMIT];
    unsigned count;
    struct tir_stmt *store;
    struct tir_stmt *zero;            /* in front of the rest, or NULL */
    const struct ir_expr *zero_guard; /* when it runs; NULL: always */
    unsigned zero_depth;              /* loops around it */
    /* Of loops that move C together with another one: no two of their iterations touch one element. */
    const struct ir_var *groups[MATMUL_LOOP_LIMIT];
    unsigned group_count;
};

bool nest_read(struct schedule *s, struct tir_stmt *stmt, struct nest *nest);
bool nest_uses(const struct nest *nest, const struct ir_expr *a);
/* The loop whose variable @index is, maybe moved by what does not change in the nest; or NULL. */
struct tir_stmt *nest_loop_of(const struct nest *nest, const struct ir_expr *index);
/* Where the loop's variable is alone in the indices of C; -1: nowhere, -2: not alone. */
int nest_place(const struct nest *nest, const struct tir_stmt *loop);
/*
 * What @stmt, behind @depth of the loops of @product, stores to the elements of C that the other loops
 * update, and to no others; NULL: it does not.
 */
const struct ir_expr *nest_sets(struct schedule *s, struct tir_stmt *stmt,
                                const struct nest *product, const struct matmul_loops *sums,
                                unsigned depth);

/*
 * A loop over the groups of a convolution, and one over the channels of each; *@out_group: the variable of
 * the former.  NULL: it has none.
 */
struct tir_stmt *matmul_split_groups(struct schedule *s, struct tir_stmt *stmt,
                                     const struct ir_var **out_group);

/* The factors of the update of a product, which @store is; false if it is none. */
bool matmul_read_update(const struct tir_stmt *store, const struct ir_expr **out_x,
                        const struct ir_expr **out_y);

struct epilogue;

/* A product of bytes, by words of four of them (dot.c). */
struct matmul_dot {
    const struct ir_expr *a, *b; /* the bytes: X and Y before they are widened */
    struct ir_dtype x, y;        /* words: int32 of bytes with signs, uint32 of others */
    int64_t depth;               /* bytes along k */
    bool is_moved;               /* those of X, by 128, and .. */
    int64_t factor;              /* .. so many times the sums of Y's columns are added */
};

/* C[.., i, j] += X(i, k) * Y(k, j), for each value of the batch loops. */
struct matmul {
    struct location loc;
    struct tir_stmt *batch[MATMUL_LOOP_LIMIT]; /* outermost first */
    unsigned batch_count;
    const struct ir_var *i, *j, *k; /* i may be NULL: one row */
    const struct ir_expr *m, *n, *depth;
    const struct ir_buffer *c;
    const struct ir_expr *const *indices; /* of c, in terms of the variables */
    const struct ir_expr *x, *y;
    bool has_phases;     /* some indices of C are i * n + phase */
    bool starts_at_zero; /* C need not be read: what it held does not count */
    struct tir_stmt *allocs[MATMUL_ALLOC_LIMIT]; /* made in front of the batch loops */
    unsigned alloc_count;
    struct tir_stmt *front[MATMUL_ALLOC_LIMIT]; /* what comes behind them, once */
    unsigned front_count;
    const struct epilogue *epilogue;   /* of C, which need not exist; NULL: none */
    struct tir_stmt *after;            /* .. as a nest behind the product */
    bool has_epilogue;                 /* .. was computed */
    const struct matmul_dot *dot;      /* NULL: it is none */
    bool is_widened;                   /* Y, from fewer bits than C has, for a few rows */
    struct matmul_loops columns, sums; /* all loops that only Y and C have; all that C has not */
};

/* X(i, k), Y(k, j) and C's indices with other expressions for the variables. */
const struct ir_expr *matmul_x(struct schedule *s, const struct matmul *p, const struct ir_expr *i,
                               const struct ir_expr *k);
const struct ir_expr *matmul_y(struct schedule *s, const struct matmul *p, const struct ir_expr *k,
                               const struct ir_expr *j);
const struct ir_expr *const *matmul_c(struct schedule *s, const struct matmul *p,
                                      const struct ir_expr *i, const struct ir_expr *j);

/*
 * The loops for the product, those of its batch included; NULL: the nest is good enough as it is.  @after: the nest
 * behind it, which is @p's epilogue if that is not NULL.
 */
struct tir_stmt *matmul_choose(struct schedule *s, struct matmul *p, struct tir_stmt *after);
/* The same, of what is only computed as windows: convolutions of groups or by phases, integers. */
struct tir_stmt *matmul_as_windows(struct schedule *s, struct matmul *p);
/* The same, of a product of bytes that is summed in int32, by words of four. */
struct tir_stmt *matmul_as_bytes(struct schedule *s, struct matmul *p);
/* Is there enough to do for several threads? */
bool matmul_is_shared(struct schedule *s, const struct matmul *p);

/*
 * Panels of second operands that several products have in common, as all blocks of the rows of one product do: what
 * makes them goes to a place in front of @region.
 */
enum { SHARED_PANELS_MOST = 4 };

struct shared_panels {
    struct tir_stmt *region;
    const struct ir_var *k, *j; /* in @y, of all of them */
    struct {
        const struct ir_expr *y, *depth, *n;
        struct ir_buffer *panels;
    } items[SHARED_PANELS_MOST];
    unsigned count;
    struct tir_stmt *stmts[4 * SHARED_PANELS_MOST]; /* that make them */
    unsigned stmt_count;
};

/* Is Y of @p the same in all of the region, and are panels of it made in front of it? */
bool matmul_shares_panels(struct schedule *s, const struct matmul *p);
/* Panels of Y, of @dims, in front of the region; *@out_is_made: they are filled already.  NULL: @p makes its own. */
struct ir_buffer *matmul_share_panels(struct schedule *s, const struct matmul *p,
                                      const struct ir_expr *const *dims, bool *out_is_made);
/*
 * Is Y widened from fewer bits than its panels would have?  For a few rows that is done in registers, of what is read
 * once in its order; where it lies along j.
 */
bool matmul_is_widened(struct schedule *s, struct matmul *p);
/* .. and is it made of constants, whose panels can have as few? */
bool matmul_is_narrow(struct schedule *s, struct matmul *p);
/* Are panels of Y, whose last one is filled up, not much more than Y? */
bool matmul_panels_fit(struct schedule *s, const struct matmul *p);
/* The loops of the batch around @body. */
struct tir_stmt *matmul_in_batch(struct schedule *s, const struct matmul *p, struct tir_stmt *body);
/* Blocked and packed, for all of the batch; for all but few rows. */
struct tir_stmt *matmul_packed(struct schedule *s, struct matmul *p);
/* Columns or sums over several loops, as those of convolutions; NULL: not worth it, or not known enough. */
struct tir_stmt *matmul_windows(struct schedule *s, struct matmul *p);
/* Columns that lie in blocks of a vector, as blocked channels do; NULL: it is none, or not worth it. */
struct tir_stmt *matmul_blocks(struct schedule *s, struct matmul *p);
/* Is it a product of bytes? */
bool matmul_read_dot(struct schedule *s, const struct matmul *p, struct matmul_dot *out);
/* Word @k of row @i of X, or of column @j of Y, of which @count bytes are there. */
const struct ir_expr *matmul_x_word(struct schedule *s, const struct matmul *p,
                                    const struct ir_expr *i, const struct ir_expr *k,
                                    unsigned count);
const struct ir_expr *matmul_y_word(struct schedule *s, const struct matmul *p,
                                    const struct ir_expr *k, const struct ir_expr *j,
                                    unsigned count);
/* The bytes that @a widens; NULL: it is something else. */
const struct ir_expr *matmul_bytes_of(const struct ir_expr *a);
/* A word of @count of @bytes, the first of them lowest; their signs turned where @is_moved. */
const struct ir_expr *matmul_word(struct schedule *s, const struct ir_expr *const *bytes,
                                  unsigned count, bool is_moved, struct ir_dtype dtype);
/* to + the products of the bytes of two words. */
const struct ir_expr *matmul_dot_step(struct schedule *s, const struct ir_expr *x,
                                      const struct ir_expr *y, const struct ir_expr *to);
/* Few rows: Y is read once, in its order. */
struct tir_stmt *matmul_streamed(struct schedule *s, const struct matmul *p);

/* a * b + to, in one rounding where the target has it. */
const struct ir_expr *matmul_step(struct schedule *s, const struct ir_expr *a,
                                  const struct ir_expr *b, const struct ir_expr *to);

/*
 * Shared by kernel.c, which finds the accesses of a kernel, and order.c, which compares two of
 * them.
 */
#pragma once

#include "analysis/verify_storage/internal.h"
#include "analysis/verify_storage/poly.h"

/* What is around an access, from the inside out. */
struct vs_around {
    const struct vs_around *outer;
    enum { VS_LOOP, VS_LET, VS_AXIS, VS_GUARD } kind;
    const struct ir_var *var;    /* NULL: `while`, or threads: nothing is known of its values */
    const struct tir_stmt *stmt; /* of a loop */
    const struct ir_expr *value; /* of a let or axis */
    const struct vs_poly *low, *high; /* of a loop, inclusive; NULL: not known */
    /* Of a loop with a step: low to high count its iterations, and this is where it begins. */
    const struct vs_poly *begin;
    const struct ir_expr *condition; /* of a guard */
    bool is_negated;
    unsigned depth; /* loops up to this one */
};

struct vs_access {
    const struct ir_buffer *buffer;
    unsigned param;
    bool is_store;
    const struct ir_expr *const *indices;
    unsigned index_count;
    const struct vs_around *around;
    const struct vs_poly **polys; /* the indices; NULL: not worked out yet */
    unsigned order;               /* of the statement in the text */
    const struct vs_first *first; /* axes that are at their begin: T.init() */
};

/* Variables of loops that are at their least value there. */
struct vs_first {
    const struct vs_first *next;
    const struct ir_var *var;
};

struct vs_answer {
    unsigned read, written;
    int64_t distance;
    bool is_first;
};

struct vs_kernel {
    struct tir_func *func;
    bool *writes, *keeps,
        *is_unclear;     /* by parameter; unclear: reached through other buffers, too */
    bool is_wild;        /* it uses pointers of which it is not known where they lead */
    struct map homes;    /* ir_buffer -> parameter + 1 */
    struct map pointers; /* ir_var -> parameter + 1: A.data */
    bool has_accesses;
    struct vs_polys polys;
    array(struct vs_access) accesses;
    array(struct vs_answer) answers; /* so far */
    unsigned work;                   /* of dependence.c, so far: systems of inequalities */
};

/* An index as a polynomial, where it stands; NULL: not known. */
const struct vs_poly *vs_index(struct vs_polys *p, const struct vs_around *around,
                               const struct ir_expr *e);
/* Do iterations run one after the other?  Parallel ones and lanes run as they like. */
bool vs_is_serial(const struct tir_stmt *loop);
/*
 * Is what an earlier iteration loads loaded before a later one stores?  In lanes it is if no loop
 * within is around both and the load is not behind the store in the text (@is_last): lanes do one
 * statement after the other, together or one by one.
 */
bool vs_is_in_order(const struct tir_stmt *loop, bool is_last);
/* The same as vs_is_before(), by other means, of buffers that are compact. */
bool vs_never_sees(struct vs_kernel *kernel, struct vs_access *load, struct vs_access *store,
                   int64_t distance);
/* Is @load always done before @store writes the same element? */
bool vs_is_before(struct vs_kernel *kernel, struct vs_access *load, struct vs_access *store,
                  int64_t distance);

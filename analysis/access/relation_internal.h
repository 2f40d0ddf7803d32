/* Within analysis/access/: two accesses side by side. */
#pragma once

#include "analysis/access/relation.h"
#include "ir/arith.h"

/* One of two accesses, in the iterations that are asked about. */
struct access_side {
    const struct access *access;
    const struct ir_expr **indices; /* of the root; NULL ones, and NULL: not known */
    const struct ir_expr *flat;     /* as in the access, or NULL */
    struct ir_ranges ranges;        /* of the frames around; in the arena */
};

struct access_relation {
    struct access_cache *cache;
    struct arena arena;
    struct ir_context *context;
    const struct tir_func *func;
    const struct access_list *first, *second;
    const struct access_overlap *overlaps;
    bool has_shifted; /* of access_relation_shift(): these two */
    unsigned shifted[2];
    int64_t shifted_by;
    bool is_cheap;           /* integer sets are not asked */
    unsigned questions_left; /* to them, if `has_limit` */
    bool has_limit;
    bool is_thorough; /* they are, even if accesses plainly meet */
    bool has_jumps;   /* what follows break, continue or return may not run */
    unsigned level;
    enum access_order order;
    /* For the level: what varies has other names on the second side. */
    struct map names;   /* variable -> struct ir_var */
    struct map renamed; /* access -> struct access_side, with these names */
    struct map sides;   /* access -> struct access_side, with those of the text */
    /* Of the pair that is asked about. */
    struct ir_ranges ranges;     /* of both sides */
    const struct ir_var *v, *v2; /* of loop number `level`, on either side; NULL: no such loop */
    int64_t step;
    /* Their elements are not at the same places: by bytes, the second's buffer beginning
     * `shift` behind. */
    bool is_in_bytes;
    int64_t shift;
    struct map twins; /* variable of another dtype -> the same as int64 */
    array(const struct ir_var *) twins_in_ranges;
};

/* Has the expression one value whenever it is evaluated in the same iterations: no load of what is
 * written? */
bool access_is_stable(struct access_relation *relation, const struct ir_expr *a);
/* Has the variable of @frame one value on both sides? */
bool access_is_shared(const struct access_relation *relation, const struct access_frame *frame);

/* From here on it is asked about these iterations, as in access_may_meet(). */
void access_relation_ask(struct access_relation *relation, unsigned level, enum access_order order);

/* The ranges of the frames around the access of @side, by the names of the text, in @arena. */
void access_add_ranges(struct access_relation *relation, struct arena *arena,
                       struct access_side *side);

/* apart.c: do the sides never touch one element?  By ir/arith. */
bool access_are_apart(struct access_relation *relation, const struct access_side *a,
                      const struct access_side *b);

/* The number of the element of @side in its root as int64, by what holds in the ranges; NULL:
 * not known. */
const struct ir_expr *access_element(struct access_relation *relation,
                                     const struct access_side *side);
/* The loop variables of the pair in that form; NULL: there is no such loop. */
void access_loop_names(struct access_relation *relation, const struct ir_var **out_first,
                       const struct ir_var **out_second);

/* bytes.c */
/* Do the elements of the sides never have a byte in common?  By ir/arith. */
bool access_bytes_are_apart(struct access_relation *relation, const struct access_side *a,
                            const struct access_side *b);

/* pairs.c: the same question to isl; the sides have the names of the text. */
enum access_answer access_meet_in_sets(struct access_relation *relation,
                                       const struct access_side *a, const struct access_side *b);

/* What indices.c, which finds indices out of range, and index_help.c, which finds what was meant, share. */
#pragma once

#include "analysis/lint/lint.h"
#include "base/array.h"
#include "base/map.h"

struct index_check {
    struct diag *diag;
    struct tir_stmt *body;
    struct ir_context *context;
    struct ir_ranges ranges; /* of loops and axes around */
    struct map
        attained; /* loop variables that take all values of their range, whatever the others are */
    struct map bound;    /* axis -> const struct ir_expr *, its value in terms of loop variables */
    unsigned conditions; /* around what is looked at */
    unsigned
        narrowed; /* of conditions around, those that only bound loop variables: ranges say how */
    const struct ir_expr *narrowing; /* the innermost of them, or NULL */
    struct tir_stmt *stmt, *block;   /* block: the innermost, or NULL */
    struct map said;                 /* statements and blocks that were told of, and loop variables:
                                      the extent they run beyond */
    struct map cut;                  /* loop variables whose loops were told to be too long */
    struct map uncut;                /* the same of which nothing tells that they are: how many
                                      ranges were known then */
};

/* What is indexed with what. */
struct index_access {
    const struct ir_buffer *buffer;
    const struct ir_expr *const *indices;
    unsigned count;
};

/* indices.c: the range of a loop or an axis around, or NULL; is @a >= @b for certain, of any widths? */
const struct ir_range *index_range(const struct index_check *check, const struct ir_var *var);
bool index_is_at_least(struct index_check *check, const struct ir_ranges *ranges,
                       const struct ir_expr *a, const struct ir_expr *b);

/* The largest value of @e, which it takes; NULL: it is not seen. */
const struct ir_expr *index_highest(struct index_check *check, const struct ir_expr *e);

/* index_help.c */

/* The range of the loop whose variable @index is, by way of an axis or not; NULL if it is none. */
const struct ir_range *index_loop(const struct index_check *check, const struct ir_expr *index);
/* How many values, from 0 on, @index takes; NULL: not known. */
const struct ir_expr *index_reach(const struct index_check *check, const struct ir_expr *index);
/* Are both the same extent? */
bool index_is_same(const struct ir_expr *a, const struct ir_expr *b);
/* The help for an index that is too large.  What mends it surely may be more than the statement: that is marked as said. */
void index_help(struct index_check *check, struct diag_message *m,
                const struct index_access *access, unsigned axis);
/* index_below.c: the help for an index that becomes @low, which is negative. */
void index_help_below(struct index_check *check, struct diag_message *m,
                      const struct index_access *access, unsigned axis, int64_t low);
/*
 * The index is of another extent than its axis, and neither is known: is there something that would fit exactly?  With
 * @m the help; NULL: only asked.
 */
bool index_help_open(struct index_check *check, struct diag_message *m,
                     const struct index_access *access, unsigned axis);
/* The extents of the T.grid that makes the loop of @index in another order; with @m the help. */
bool index_help_order(struct index_check *check, struct diag_message *m,
                      const struct ir_expr *index);
/* Is the axis the index of what is as long as it is said to be, everywhere in @block? */
bool index_axis_fits(const struct index_check *check, struct tir_stmt *block,
                     const struct tir_axis *axis);
/* Is it the index of what is as long as @loop, everywhere in @block? */
bool index_axis_runs(const struct index_check *check, struct tir_stmt *block,
                     const struct tir_axis *axis, const struct ir_range *loop);
/* Which of both is wrong, as the buffers have it that the axis indexes: the loops, or what the axis is said to have? */
void index_help_axis(struct index_check *check, struct diag_message *m, struct tir_stmt *block,
                     const struct tir_axis *axis, int64_t looped);

/*
 * loop_cut.c: the extent of a loop of @index under which all that it indexes is in range.  False: none is meant.
 */
bool index_help_cut(struct index_check *check, struct diag_message *m, const struct ir_expr *index);
/* Where the loop of @index would have to begin, so that it is not @low, which is below 0.  False: it has no loop of its own. */
bool index_help_begin(struct index_check *check, struct diag_message *m,
                      const struct ir_expr *index, int64_t low);
/* Is @index in range once a loop is cut that was told of? */
bool index_is_cut(struct index_check *check, const struct ir_expr *index);

/* conditions.c */

/* What a condition around was before. */
struct index_scope {
    size_t ranges;
    const struct ir_expr *narrowing;
    bool is_narrowed, is_condition;
};

/* What comes stands where @condition holds; @is_else: where it does not. */
struct index_scope index_enter(struct index_check *check, const struct ir_expr *condition,
                               bool is_else);
void index_leave(struct index_check *check, struct index_scope scope);

/* axis_loops.c */

/* E0443 of extents of which one is a symbol; true: it was told. */
bool index_check_open_axis(struct index_check *check, struct tir_stmt *block,
                           const struct tir_axis *axis);
/* E0453 two axes of @block by one loop, and one loop without an axis. */
void index_check_doubled(struct index_check *check, struct tir_stmt *block);
/* `ko * 8 + ki` where `ki` runs to below 4, and an axis as long as all of that: the factor is 4.  False: it is none. */
bool index_help_split(struct index_check *check, struct diag_message *m,
                      const struct tir_axis *axis);
/* Is @index an axis whose extent was told to be another? */
bool index_is_told_axis(const struct index_check *check, const struct ir_expr *index);

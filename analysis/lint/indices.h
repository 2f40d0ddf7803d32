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
    struct tir_stmt *stmt, *block; /* block: the innermost, or NULL */
    struct map said;               /* statements and blocks that were told of, and loop variables:
                                      the extent they run beyond */
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
/*
 * The index is of another extent than its axis, and neither is known: is there something that would fit exactly?  With
 * @m the help; NULL: only asked.
 */
bool index_help_open(struct index_check *check, struct diag_message *m,
                     const struct index_access *access, unsigned axis);
/* Which of both is wrong, as the buffers have it that the axis indexes: the loops, or what the axis is said to have? */
void index_help_axis(struct index_check *check, struct diag_message *m, struct tir_stmt *block,
                     const struct tir_axis *axis, int64_t looped);

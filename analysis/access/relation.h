/*
 * May two accesses touch the same element, and in which order?
 *
 * Cheap exact cases come first: equal indices, and the symbolic arithmetic of ir/arith, which knows
 * products of symbols.  What they leave open is decided in integer sets (isl), which know guards,
 * strides and any floordiv and floormod by numbers.  isl works under a limit of operations; where
 * it is exceeded, and where an index is no arithmetic of loop variables, the answer is
 * ACCESS_UNKNOWN.
 *
 * What is assumed: accesses are within the extents of their buffers (each is checked when it runs,
 * or proved), sizes are not negative, and dims are below 2^48.  Arithmetic that may wrap is not
 * reasoned about.
 */
#pragma once

#include "analysis/access/access.h"

enum access_answer {
    ACCESS_NEVER,     /* proved: for no sizes and no values of scalars */
    ACCESS_SOMETIMES, /* proved: for some */
    ACCESS_UNKNOWN,   /* neither; whoever asks has to take the worst */
};

/* When the second access runs, seen from the first: in iterations of loop number `level` around
 * both. */
enum access_order {
    ACCESS_ANY_TIME, /* in the same or any other iteration */
    ACCESS_LATER,
    ACCESS_EARLIER,
    ACCESS_OTHER_TIME, /* later or earlier */
};

/* How two parameters lie to each other. */
enum access_overlap_kind {
    ACCESS_APART,    /* no byte in common */
    ACCESS_SHIFTED,  /* in one storage, the second beginning `shift` bytes behind the first */
    ACCESS_ANYWHERE, /* in one storage, it is not known how */
};

struct access_overlap {
    enum access_overlap_kind kind;
    int64_t shift;
};

struct access_relation;

/*
 * Questions about accesses of @first and of @second (often one list).
 *
 * @overlaps: [i * param_count + j] says how parameters i and j lie to each other; NULL: all are
 * apart.
 */
struct access_relation *access_relation_new(struct access_cache *cache,
                                            const struct access_list *first,
                                            const struct access_list *second,
                                            const struct access_overlap *overlaps);
void access_relation_free(struct access_relation *relation);
/* From here on parameter @b begins @shift bytes behind @a in one storage; all others are apart. */
void access_relation_shift(struct access_relation *relation, unsigned a, unsigned b, int64_t shift);
/* From here on the answer is ACCESS_UNKNOWN where integer sets would be asked: for what is asked
 * often. */
void access_relation_be_cheap(struct access_relation *relation);
/* The same after @count more questions to them: for who asks many. */
void access_relation_limit(struct access_relation *relation, unsigned count);
/* From here on integer sets are also asked where it is plain that the answer is not ACCESS_NEVER:
 * for who wants to hear ACCESS_SOMETIMES. */
void access_relation_be_thorough(struct access_relation *relation);

/*
 * May @a (of the first list) and @b (of the second) touch one element (or, of parameters that do
 * not have their elements at the same places, one byte), where the outermost @level
 * loops, which are around both, are in one iteration and the next one in iterations as @order says?
 * That loop may be another one for either (of one range: would they meet if they were one loop?).
 * All loops further in are in any iterations.
 *
 * So ACCESS_ANY_TIME with the number of loops around both asks about one iteration, and with 0
 * about the whole kernel.  What is allocated inside of a loop is another buffer in each of its
 * iterations.
 */
enum access_answer access_may_meet(struct access_relation *relation, const struct access *a,
                                   const struct access *b, unsigned level, enum access_order order);

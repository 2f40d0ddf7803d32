/* Boxes of elements: does an access stay within one, may two of them meet? */
#pragma once

#include "analysis/access/relation.h"

/* The elements from min on, extent of them, in each dimension; expressions of symbols and scalars.
 */
struct access_box {
    unsigned ndim;
    const struct ir_expr *const *min, *const *extent;
};

/* May @access of @list touch an element of its root that is outside of @box? */
enum access_answer access_may_leave(struct access_cache *cache, const struct access_list *list,
                                    const struct access *access, const struct access_box *box);
/* May @a and @b, in terms of @func, have an element in common? */
enum access_answer access_boxes_may_meet(struct access_cache *cache, const struct tir_func *func,
                                         const struct access_box *a, const struct access_box *b);

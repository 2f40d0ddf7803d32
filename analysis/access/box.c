/* Boxes of elements, and accesses against them. */
#include "analysis/access/box.h"

#include "analysis/access/presburger_internal.h"

static enum access_answer answer_of(struct presburger *p, const struct formula *more)
{
    presburger_add_facts(p);
    enum presburger_result result = presburger_solve(p, more);
    if (result == PRESBURGER_EMPTY)
        return ACCESS_NEVER;
    return result == PRESBURGER_SOLUTION && p->is_exact ? ACCESS_SOMETIMES : ACCESS_UNKNOWN;
}

/* min <= a < min + extent, or not; NULL if a bound is not known */
static const struct formula *inside(struct presburger *p, const struct access_side *side,
                                    const struct linear *a, const struct ir_expr *min,
                                    const struct ir_expr *extent, bool is_negated)
{
    struct linear low, high;

    if (!presburger_value(p, side, min, &low) || !presburger_value(p, side, extent, &high) ||
        !linear_add(&p->arena, &low, &high, 1, &high))
        return NULL;
    const struct formula *first =
        presburger_compare(p, is_negated ? IR_EXPR_lt : IR_EXPR_ge, a, &low);
    const struct formula *second =
        presburger_compare(p, is_negated ? IR_EXPR_ge : IR_EXPR_lt, a, &high);
    return is_negated ? presburger_or(p, first, second) : presburger_and(p, first, second);
}

enum access_answer access_may_leave(struct access_cache *cache, const struct access_list *list,
                                    const struct access *access, const struct access_box *box)
{
    struct access_relation *relation = access_relation_new(cache, list, list, NULL);
    struct access_side side = {.access = access};
    struct presburger p;
    struct linear index;
    const struct formula *is_outside = NULL;
    bool is_known = access->indices && access->root->ndim == box->ndim;

    access_add_ranges(relation, &cache->arena, &side);
    presburger_start(&p, relation);
    presburger_add_frames(&p, &side);
    for (unsigned i = 0; is_known && i < box->ndim; i++) {
        const struct formula *part =
            presburger_value(&p, &side, access->indices[i], &index)
                ? inside(&p, &side, &index, box->min[i], box->extent[i], true)
                : NULL;

        is_known = part != NULL;
        is_outside = is_known ? presburger_or(&p, part, is_outside) : NULL;
    }
    enum access_answer answer = ACCESS_UNKNOWN;
    if (is_known)
        answer = box->ndim > 0 ? answer_of(&p, is_outside) : ACCESS_NEVER;
    presburger_finish(&p);
    access_relation_free(relation);
    return answer;
}

enum access_answer access_boxes_may_meet(struct access_cache *cache, const struct tir_func *func,
                                         const struct access_box *a, const struct access_box *b)
{
    const struct access_list *list = access_of(cache, func);
    struct access_relation *relation = access_relation_new(cache, list, list, NULL);
    struct access_side nowhere = {0};
    struct presburger p;

    presburger_start(&p, relation);
    p.is_exact = a->ndim == b->ndim;
    for (unsigned i = 0; i < a->ndim && i < b->ndim; i++) {
        const struct access_box *boxes[] = {a, b};
        struct linear element = presburger_variable(&p);

        for (unsigned k = 0; k < 2; k++) {
            const struct formula *part =
                inside(&p, &nowhere, &element, boxes[k]->min[i], boxes[k]->extent[i], false);

            p.is_exact &= part != NULL;
            if (part)
                presburger_add(&p, part);
        }
    }
    enum access_answer answer = a->ndim == b->ndim ? answer_of(&p, NULL) : ACCESS_UNKNOWN;
    presburger_finish(&p);
    access_relation_free(relation);
    return answer;
}

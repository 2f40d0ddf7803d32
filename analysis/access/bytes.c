/*
 * Two accesses that do not have their elements at the same places: of buffers of other dtypes or
 * shapes in one storage, or that begin at other bytes of it.  By symbolic arithmetic.
 *
 * Where the order says that the second access runs k + 1 iterations later, its loop variable is
 * that of the first plus k + 1, or the other way round: with either it may be seen that all bytes
 * of the one are in front of those of the other, for all k >= 0 and whatever else varies.
 */
#include "analysis/access/relation_internal.h"

static const struct ir_expr *number(const struct access_relation *t, int64_t value)
{
    return ir_expr_int(t->context, IR_I64, value);
}

static const struct ir_expr *sum(const struct access_relation *t, const struct ir_expr *a,
                                 const struct ir_expr *b)
{
    return ir_expr_binary(t->context, IR_EXPR_add, a, b);
}

static const struct ir_expr *times(const struct access_relation *t, const struct ir_expr *a,
                                   int64_t factor)
{
    return ir_expr_binary(t->context, IR_EXPR_mul, a, number(t, factor));
}

/* ---- two elements ---- */

struct bytes {
    const struct ir_expr *low;
    int64_t size;
};

static bool is_before(struct access_relation *t, const struct bytes *a, const struct bytes *b)
{
    const struct ir_expr *end = sum(t, a->low, number(t, a->size));

    return ir_prove_ge(t->context, &t->ranges, ir_simplify_in(t->context, &t->ranges, b->low),
                       ir_simplify_in(t->context, &t->ranges, end));
}

static bool are_apart(struct access_relation *t, const struct bytes *a, const struct bytes *b)
{
    return is_before(t, a, b) || is_before(t, b, a);
}

/* @a with @other + @sign * (k + 1) iterations for @var. */
static struct bytes moved(struct access_relation *t, struct bytes a, const struct ir_var *var,
                          const struct ir_var *other, int64_t sign)
{
    const struct ir_var *k = ir_symbol_new(t->context, "k", IR_I64);
    const struct ir_expr *later = sum(t, ir_expr_var(t->context, k), number(t, 1));
    struct ir_binding binding = {var, sum(t, ir_expr_var(t->context, other),
                                          times(t, later, sign * (t->step ? t->step : 1)))};
    struct ir_bindings bindings = {&binding, 1, 1};

    a.low = ir_expr_substitute(t->context, a.low, &bindings);
    return a;
}

/* If the second runs in a later iteration (@sign 1), or an earlier one (-1). */
static bool are_apart_in_order(struct access_relation *t, const struct bytes *a,
                               const struct bytes *b, int64_t sign)
{
    const struct ir_var *first, *second;

    access_loop_names(t, &first, &second);
    if (!first || !second)
        return false;
    struct bytes later = moved(t, *b, second, first, sign);
    struct bytes earlier = moved(t, *a, first, second, -sign);

    return are_apart(t, a, &later) || are_apart(t, &earlier, b);
}

bool access_bytes_are_apart(struct access_relation *t, const struct access_side *a,
                            const struct access_side *b)
{
    const struct ir_buffer *first = a->access->root, *second = b->access->root;
    const struct ir_expr *x = access_element(t, a), *y = access_element(t, b);

    if (!x || !y)
        return false;
    struct bytes p = {.size = ir_dtype_bytes(first->dtype)};
    struct bytes q = {.size = ir_dtype_bytes(second->dtype)};

    p.low = times(t, x, p.size);
    q.low = sum(t, times(t, y, q.size), number(t, t->shift));
    if (are_apart(t, &p, &q))
        return true;
    switch (t->order) {
    case ACCESS_LATER:
        return are_apart_in_order(t, &p, &q, 1);
    case ACCESS_EARLIER:
        return are_apart_in_order(t, &p, &q, -1);
    case ACCESS_OTHER_TIME:
        return are_apart_in_order(t, &p, &q, 1) && are_apart_in_order(t, &p, &q, -1);
    default:
        return false;
    }
}

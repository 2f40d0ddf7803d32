/*
 * The test of two accesses by symbolic arithmetic.
 *
 * Two indices e = c * v + r and e' = c' * v' + r' of one dimension (or of some dimensions taken
 * together) never meet in two different iterations if c = c' and |r - r'| < c, for all values that
 * the variables of inner loops take in either: those of one side have other names.  Nor do they if
 * |r - r'| is more than all iterations together move by: the lower and the upper half of a buffer.
 * And indices whose values are apart never meet, however they are computed.
 */
#include "analysis/access/index.h"
#include "analysis/access/relation_internal.h"

enum { DIM_LIMIT = 32 }; /* buffers of more are not looked at */

static const struct ir_expr *binary(struct access_relation *t, enum ir_expr_kind kind,
                                    const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_expr_binary(t->context, kind, a, b);
}

static const struct ir_expr *negate(struct access_relation *t, const struct ir_expr *a)
{
    return binary(t, IR_EXPR_sub, ir_expr_int(t->context, a->dtype, 0), a);
}

static const struct ir_expr *put(struct access_relation *t, const struct ir_expr *a,
                                 const struct ir_var *var, const struct ir_expr *value)
{
    struct ir_binding binding = {var, value};
    struct ir_bindings bindings = {&binding, 1, 1};

    return ir_expr_substitute(t->context, a, &bindings);
}

struct linear {
    const struct ir_expr *factor,
        *rest; /* factor * var + rest; factor is NULL if that is no form */
};

/* What a grows by from v to v + 1, if that is the same everywhere. */
static struct linear split(struct access_relation *t, const struct ir_expr *a,
                           const struct ir_var *var)
{
    const struct ir_expr *zero = ir_expr_int(t->context, a->dtype, 0);

    if (!var || !ir_expr_uses_var(a, var))
        return (struct linear){zero, a};
    const struct ir_expr *one = ir_expr_int(t->context, var->dtype, 1);
    const struct ir_expr *next = binary(t, IR_EXPR_add, ir_expr_var(t->context, var), one);
    const struct ir_expr *factor =
        ir_simplify(t->context, binary(t, IR_EXPR_sub, put(t, a, var, next), a));
    const struct ir_expr *rest =
        ir_simplify(t->context, put(t, a, var, ir_expr_int(t->context, var->dtype, 0)));
    return (struct linear){ir_expr_uses_var(factor, var) ? NULL : factor, rest};
}

static bool ge(struct access_relation *t, const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_prove_ge(t->context, &t->ranges, a, b);
}

/* Is @a above 0 everywhere, or below? */
static bool is_not_zero(struct access_relation *t, const struct ir_expr *a)
{
    const struct ir_expr *one = ir_expr_int(t->context, a->dtype, 1);

    return ge(t, a, one) || ge(t, negate(t, a), one);
}

/*
 * Is factor * k + difference != 0 for all k that count: how many iterations the first side's is
 * after the second's?
 */
static bool is_apart(struct access_relation *t, const struct ir_expr *factor,
                     const struct ir_expr *difference)
{
    if (t->order == ACCESS_ANY_TIME || ir_expr_is_int(factor, 0))
        return is_not_zero(t, difference);
    if (t->order == ACCESS_LATER) /* then k is negative */
        factor = negate(t, factor);
    const struct ir_expr *zero = ir_expr_int(t->context, factor->dtype, 0);
    const struct ir_expr *one = ir_expr_int(t->context, factor->dtype, 1);
    const struct ir_expr *stride = binary(
        t, IR_EXPR_mul, factor, ir_expr_int(t->context, factor->dtype, t->step ? t->step : 1));
    const struct ir_expr *minus = negate(t, difference);
    const struct ir_expr *up = binary(t, IR_EXPR_sub, stride, one);
    const struct ir_expr *down = binary(t, IR_EXPR_sub, negate(t, stride), one);
    bool any = t->order == ACCESS_OTHER_TIME;
    /* growing: from k = 1 on it is at least stride + difference */
    if (ge(t, factor, zero) && ge(t, up, minus) && (!any || ge(t, up, difference)))
        return true;
    return ge(t, zero, factor) && ge(t, down, difference) && (!any || ge(t, down, minus));
}

/* How many values the loop variable has at most. */
static int64_t most_values(struct access_relation *t)
{
    int64_t count = INT64_MAX;

    for (size_t i = 0; t->v && i < t->ranges.count; i++)
        if (t->ranges.items[i].var == t->v)
            count = ir_interval_of(t->context, &t->ranges, t->ranges.items[i].extent).high;
    return count;
}

/* Is the difference more than factor * (all that the loop counts)? */
static bool is_out_of_reach(struct access_relation *t, const struct ir_expr *factor,
                            const struct ir_expr *difference)
{
    struct ir_interval f = ir_interval_of(t->context, NULL, factor);
    struct ir_interval d = ir_interval_of(t->context, &t->ranges, difference);
    int64_t count = most_values(t), limit = INT64_C(1) << (factor->dtype.bits - 2);

    if (t->order == ACCESS_ANY_TIME || count < 1 || count > INT64_C(1) << 30 ||
        f.low < -(INT64_C(1) << 30) || f.high > INT64_C(1) << 30 || d.low <= -limit ||
        d.high >= limit)
        return false;
    int64_t reach = (-f.low > f.high ? -f.low : f.high) * (count - 1);
    return reach < limit && (d.low > reach || d.high < -reach);
}

/* Is factor * (all that the loop counts) a number that @dtype holds? */
static bool is_small(struct access_relation *t, struct ir_dtype dtype, const struct ir_expr *factor)
{
    struct ir_interval f = ir_interval_of(t->context, NULL, factor);
    int64_t count = most_values(t), limit = INT64_C(1) << 32;

    if (dtype.bits == 64 && count > INT64_C(1) << 48)
        count = INT64_C(1) << 48; /* more iterations never end */
    if (f.low < -limit || f.high > limit || dtype.bits < 8)
        return false;
    int64_t size = -f.low > f.high ? -f.low : f.high;
    return size == 0 || count <= (INT64_C(1) << (dtype.bits - 2)) / size;
}

/* Sums and products of what is known, and elements that both sides read: then wrapping cancels. */
static bool is_ring(struct access_relation *t, const struct ir_expr *a)
{
    switch (a->kind) {
    case IR_EXPR_add:
    case IR_EXPR_sub:
    case IR_EXPR_mul:
        return is_ring(t, a->operands[0]) && is_ring(t, a->operands[1]);
    case IR_EXPR_load:
    case IR_EXPR_var:
    case IR_EXPR_int:
        return true;
    default:
        return index_is_exact(t->context, &t->ranges, a);
    }
}

/* ---- int64 ---- */

static const struct ir_expr *widen(struct access_relation *t, const struct ir_expr *a);

static bool is_known_twin(const struct access_relation *t, const struct ir_var *var)
{
    for (size_t i = 0; i < t->twins_in_ranges.count; i++)
        if (t->twins_in_ranges.items[i] == var)
            return true;
    return false;
}

static void add_twin_range(struct access_relation *t, const struct ir_var *var,
                           const struct ir_var *twin)
{
    array_push(&t->twins_in_ranges, var);
    for (size_t i = 0; i < t->ranges.count; i++) {
        struct ir_range range = t->ranges.items[i];

        if (range.var == var && index_is_exact(t->context, &t->ranges, range.min) &&
            index_is_exact(t->context, &t->ranges, range.extent)) {
            range = (struct ir_range){twin, widen(t, range.min), widen(t, range.extent)};
            array_push(&t->ranges, range);
            break;
        }
    }
}

/* The variable in int64, with its range. */
static const struct ir_var *twin_of(struct access_relation *t, const struct ir_var *var)
{
    if (!var || ir_dtype_equal(var->dtype, IR_I64))
        return var;
    struct ir_var *twin = map_get(&t->twins, var);
    if (!twin) {
        twin = ir_symbol_new(t->context, var->name, IR_I64);
        twin->is_symbol = var->is_symbol;
        map_set(&t->twins, var, twin);
    }
    if (!is_known_twin(t, var))
        add_twin_range(t, var, twin);
    return twin;
}

/* The number that @a, which is exact, stands for, computed in int64. */
static const struct ir_expr *widen(struct access_relation *t, const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_int)
        return ir_expr_int(t->context, IR_I64, a->int_value);
    if (a->kind == IR_EXPR_var)
        return ir_expr_var(t->context, twin_of(t, a->var));
    if (a->kind == IR_EXPR_cast && ir_dtype_is_int(a->operands[0]->dtype))
        return widen(t, a->operands[0]);
    if (ir_expr_is_binary(a->kind) && !ir_expr_is_compare(a->kind) && ir_dtype_is_int(a->dtype))
        return binary(t, a->kind, widen(t, a->operands[0]), widen(t, a->operands[1]));
    return ir_expr_cast(t->context, IR_I64, a);
}

/* Do the indices @a and @b, in which @v and @v2 stand for the loop variable, never meet? */
static bool never_equal(struct access_relation *t, const struct ir_expr *a, const struct ir_var *v,
                        const struct ir_expr *b, const struct ir_var *v2, bool is_exact)
{
    if (!ir_dtype_equal(a->dtype, b->dtype))
        return false;
    struct linear p = split(t, a, v), q = split(t, b, v2);

    if (!p.factor || !q.factor || !ir_prove_equal(t->context, p.factor, q.factor) ||
        (!is_exact && !is_small(t, a->dtype, p.factor)))
        return false;
    const struct ir_expr *difference =
        ir_simplify_in(t->context, &t->ranges, binary(t, IR_EXPR_sub, p.rest, q.rest));
    bool is_known = is_exact || difference->kind == IR_EXPR_int; /* not just up to wrapping */
    return is_apart(t, p.factor, difference) ||
           (is_known && is_out_of_reach(t, p.factor, difference));
}

static bool never_equal_exact(struct access_relation *t, const struct ir_expr *a,
                              const struct ir_expr *b)
{
    a = widen(t, a);
    b = widen(t, b);
    return never_equal(t, a, twin_of(t, t->v), b, twin_of(t, t->v2), true);
}

/* x % d as x - x // d * d, so that it meets the x // d of another dimension. */
static const struct ir_expr *without_floormod(void *state, const struct ir_expr *a)
{
    struct access_relation *t = state;

    if (a->kind != IR_EXPR_floormod)
        return a;
    const struct ir_expr *quotient = binary(t, IR_EXPR_floordiv, a->operands[0], a->operands[1]);
    return binary(t, IR_EXPR_sub, a->operands[0], binary(t, IR_EXPR_mul, quotient, a->operands[1]));
}

/* indices[first..last] as one index in row-major order, in int64. */
static const struct ir_expr *together(struct access_relation *t, const struct ir_buffer *buffer,
                                      const struct ir_expr *const *indices, unsigned first,
                                      unsigned last)
{
    const struct ir_expr *sum = widen(t, indices[first]);

    for (unsigned i = first + 1; i <= last; i++) {
        sum = binary(t, IR_EXPR_mul, sum, widen(t, buffer->shape[i]));
        sum = binary(t, IR_EXPR_add, sum, widen(t, indices[i]));
    }
    sum = ir_expr_rewrite(t->context, sum, without_floormod, t);
    return ir_simplify_in(t->context, &t->ranges, sum);
}

/* Are the extents what they were when the buffer was made, as numbers? */
static bool has_fixed_shape(struct access_relation *t, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < buffer->ndim; i++)
        if (!index_is_fixed(buffer->shape[i]) ||
            (buffer->shape[i]->dtype.bits < 64 &&
             !index_is_exact(t->context, &t->ranges, buffer->shape[i])))
            return false;
    return true;
}

static bool is_exact_index(struct access_relation *t, const struct access_side *side, unsigned i)
{
    return side->indices[i] && index_is_exact_below(t->context, &t->ranges, side->indices[i],
                                                    side->access->root->shape[i]);
}

static bool flats_are_apart(struct access_relation *t, const struct ir_expr *a,
                            const struct ir_expr *b)
{
    return a && b && index_is_exact(t->context, &t->ranges, a) &&
           index_is_exact(t->context, &t->ranges, b) && never_equal_exact(t, a, b);
}

/* Dimensions taken together, as far as indices are exact. */
static bool rows_are_apart(struct access_relation *t, const struct access_side *a,
                           const struct access_side *b, const bool *is_exact)
{
    const struct ir_buffer *root = a->access->root;

    if (!has_fixed_shape(t, root))
        return false;
    for (unsigned i = 0; i < root->ndim; i++)
        for (unsigned k = i; k < root->ndim && is_exact[k]; k++)
            if (k > i && never_equal_exact(t, together(t, root, a->indices, i, k),
                                           together(t, root, b->indices, i, k)))
                return true;
    return false;
}

const struct ir_expr *access_element(struct access_relation *t, const struct access_side *side)
{
    const struct ir_buffer *root = side->access->root;

    if (side->flat)
        return index_is_exact(t->context, &t->ranges, side->flat) ? widen(t, side->flat) : NULL;
    if (side->access->flat || !has_fixed_shape(t, root))
        return NULL;
    for (unsigned i = 0; i < root->ndim; i++)
        if (!is_exact_index(t, side, i))
            return NULL;
    return root->ndim ? together(t, root, side->indices, 0, root->ndim - 1)
                      : ir_expr_int(t->context, IR_I64, 0);
}

void access_loop_names(struct access_relation *t, const struct ir_var **out_first,
                       const struct ir_var **out_second)
{
    *out_first = twin_of(t, t->v);
    *out_second = twin_of(t, t->v2);
}

/* Have exact indices of one dimension no value in common, whatever the iterations? */
static bool have_other_values(struct access_relation *t, const struct ir_expr *a,
                              const struct ir_expr *b)
{
    struct ir_interval x = ir_interval_of(t->context, &t->ranges, a);
    struct ir_interval y = ir_interval_of(t->context, &t->ranges, b);

    return x.high < y.low || y.high < x.low;
}

bool access_are_apart(struct access_relation *t, const struct access_side *a,
                      const struct access_side *b)
{
    unsigned ndim = a->access->root->ndim;
    bool is_exact[DIM_LIMIT];

    if (flats_are_apart(t, a->flat, b->flat))
        return true;
    if (ndim > DIM_LIMIT)
        return false;
    /* The parts of a concatenation are told apart by this alone. */
    for (unsigned i = 0; i < ndim; i++) {
        is_exact[i] = is_exact_index(t, a, i) && is_exact_index(t, b, i);
        if (is_exact[i] && have_other_values(t, a->indices[i], b->indices[i]))
            return true;
    }
    for (unsigned i = 0; i < ndim; i++) {
        const struct ir_expr *x = a->indices[i], *y = b->indices[i];

        if (is_exact[i] && never_equal_exact(t, x, y))
            return true;
        if (x && y && is_ring(t, x) && is_ring(t, y) && never_equal(t, x, t->v, y, t->v2, false))
            return true;
    }
    return ndim > 1 && rows_are_apart(t, a, b, is_exact);
}

/*
 * Index arithmetic: where the machine computes what mathematics says, and how far an access moves.
 *
 * ir/arith reasons in integers and takes index arithmetic not to wrap.  A proof about an index
 * counts only if that is so: intervals show that every part fits its dtype; or it is int64 and
 * stays small as long as dims are below 2^48 (who runs a kernel checks them) and no loop runs
 * longer than that.
 */
#include "analysis/access/index.h"

#include <string.h>

/* Dims, and numbers of iterations that end. */
#define UNKNOWN_LIMIT ((__int128)1 << 48)

static __int128 magnitude_of_interval(struct ir_interval a)
{
    if (a.low == INT64_MIN) /* a number that came from anywhere */
        return (__int128)1 << 64;
    __int128 low = -(__int128)a.low, high = a.high;
    if (high > UNKNOWN_LIMIT)
        high = UNKNOWN_LIMIT;
    return low > high ? low : high;
}

/* How large int64 arithmetic on dims and what counts up to them gets at most, wherever inside of
 * @a. */
static __int128 magnitude(struct ir_context *context, const struct ir_ranges *ranges,
                          const struct ir_expr *a)
{
    const __int128 too_large = (__int128)1 << 64;
    __int128 parts[3] = {0};

    if (a->kind == IR_EXPR_cast && ir_dtype_is_int(a->operands[0]->dtype) &&
        ir_dtype_equal(a->dtype, IR_I64) && ir_fits_everywhere(context, ranges, a->operands[0]))
        return magnitude_of_interval(ir_interval_of(context, ranges, a->operands[0]));
    if (!ir_dtype_equal(a->dtype, IR_I64) || a->operand_count > ARRAY_SIZE(parts))
        return too_large;
    if (a->kind == IR_EXPR_int)
        return a->int_value < 0 ? -(__int128)a->int_value : a->int_value;
    if (a->kind == IR_EXPR_var)
        return magnitude_of_interval(ir_interval_of(context, ranges, a));
    for (unsigned i = 0; i < a->operand_count; i++) {
        bool is_condition = a->kind == IR_EXPR_select && i == 0;

        parts[i] = is_condition ? 0 : magnitude(context, ranges, a->operands[i]);
        if (parts[i] >= too_large ||
            (is_condition && !ir_fits_everywhere(context, ranges, a->operands[i])))
            return too_large;
    }
    __int128 larger = parts[0] > parts[1] ? parts[0] : parts[1];
    switch (a->kind) {
    case IR_EXPR_add:
    case IR_EXPR_sub:
        larger = parts[0] + parts[1];
        break;
    case IR_EXPR_mul:
        larger = parts[0] * parts[1];
        break;
    case IR_EXPR_select:
        larger = parts[1] > parts[2] ? parts[1] : parts[2];
        break;
    case IR_EXPR_min:
    case IR_EXPR_max:
    case IR_EXPR_div:
    case IR_EXPR_mod:
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
        larger++; /* rounding down */
        break;
    default:
        return too_large;
    }
    return larger >= (__int128)1 << 63 ? too_large : larger;
}

static bool is_small(struct ir_context *context, const struct ir_ranges *ranges,
                     const struct ir_expr *a)
{
    return magnitude(context, ranges, a) < (__int128)1 << 63;
}

static bool divides_by_positive(struct ir_context *context, const struct ir_ranges *ranges,
                                const struct ir_expr *a)
{
    bool is_division = a->kind == IR_EXPR_div || a->kind == IR_EXPR_mod ||
                       a->kind == IR_EXPR_floordiv || a->kind == IR_EXPR_floormod;

    if (is_division && ir_interval_of(context, ranges, a->operands[1]).low < 1)
        return false;
    for (unsigned i = 0; i < a->operand_count; i++)
        if (!divides_by_positive(context, ranges, a->operands[i]))
            return false;
    return true;
}

bool index_is_exact(struct ir_context *context, const struct ir_ranges *ranges,
                    const struct ir_expr *a)
{
    return ir_dtype_is_int(a->dtype) && a->dtype.lanes == 1 &&
           divides_by_positive(context, ranges, a) &&
           (ir_fits_everywhere(context, ranges, a) || is_small(context, ranges, a));
}

static bool is_no_element(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load && a->kind != IR_EXPR_call;
}

bool index_is_fixed(const struct ir_expr *a)
{
    return ir_expr_walk(a, is_no_element, NULL);
}

/* Only sums and products of what is not negative: then no part is larger than the whole. */
static bool is_monotone(struct ir_context *context, const struct ir_ranges *ranges,
                        const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_add || a->kind == IR_EXPR_mul)
        return is_monotone(context, ranges, a->operands[0]) &&
               is_monotone(context, ranges, a->operands[1]);
    return (a->kind == IR_EXPR_int || a->kind == IR_EXPR_var) &&
           ir_interval_of(context, ranges, a).low >= 0;
}

bool index_is_exact_below(struct ir_context *context, const struct ir_ranges *ranges,
                          const struct ir_expr *a, const struct ir_expr *extent)
{
    if (index_is_exact(context, ranges, a))
        return true;
    const struct ir_expr *one = ir_expr_int(context, a->dtype, 1);
    return ir_dtype_equal(a->dtype, IR_I64) && ir_dtype_equal(extent->dtype, IR_I64) &&
           index_is_fixed(extent) && is_monotone(context, ranges, a) &&
           ir_prove_ge(context, ranges, ir_expr_binary(context, IR_EXPR_sub, extent, one), a);
}

bool index_is_inside_extent(struct ir_context *context, const struct ir_ranges *ranges,
                            const struct ir_expr *index, const struct ir_expr *extent)
{
    extent = ir_expr_cast(context, index->dtype, extent);
    return index->dtype.lanes == 1 && index_is_fixed(extent) &&
           index_is_exact(context, ranges, extent) &&
           index_is_exact_below(context, ranges, index, extent) &&
           ir_prove_ge(context, ranges, index, ir_expr_int(context, index->dtype, 0)) &&
           ir_prove_ge(
               context, ranges,
               ir_expr_binary(context, IR_EXPR_sub, extent, ir_expr_int(context, extent->dtype, 1)),
               index);
}

bool index_is_inside(struct ir_context *context, const struct ir_ranges *ranges,
                     const struct ir_buffer *buffer, const struct ir_expr *const *indices,
                     unsigned count)
{
    bool is_inside = count == buffer->ndim;

    for (unsigned i = 0; is_inside && i < count; i++)
        is_inside = index_is_inside_extent(context, ranges, indices[i], buffer->shape[i]);
    return is_inside;
}

struct inside {
    struct ir_context *context;
    const struct ir_ranges *ranges;
};

static bool cannot_fail(void *state, const struct ir_expr *a)
{
    const struct inside *inside = state;

    if (a->kind == IR_EXPR_call)
        return index_call_is_pure(a);
    return a->kind != IR_EXPR_load || index_is_inside(inside->context, inside->ranges, a->buffer,
                                                      a->operands, a->operand_count);
}

bool index_cannot_fail(struct ir_context *context, const struct ir_ranges *ranges,
                       const struct ir_expr *a)
{
    struct inside inside = {context, ranges};

    return ir_expr_walk(a, cannot_fail, &inside);
}

/* The number that @a grows by with @var, if it is one. */
static bool growth(struct ir_context *context, const struct ir_expr *a, const struct ir_var *var,
                   int64_t *out)
{
    if (!ir_expr_uses_var(a, var)) {
        *out = 0;
        return true;
    }
    const struct ir_expr *next = ir_expr_binary(context, IR_EXPR_add, ir_expr_var(context, var),
                                                ir_expr_int(context, var->dtype, 1));
    struct ir_binding binding = {var, next};
    struct ir_bindings bindings = {&binding, 1, 1};
    const struct ir_expr *moved = ir_expr_substitute(context, a, &bindings);
    return ir_expr_constant(context, ir_expr_binary(context, IR_EXPR_sub, moved, a), out);
}

bool index_stride(struct ir_context *context, const struct ir_buffer *buffer,
                  const struct ir_expr *const *indices, unsigned count, const struct ir_var *var,
                  int64_t *out_stride)
{
    int64_t size = 1, total = 0;
    bool is_size_known = true;

    if (count != buffer->ndim)
        return false;
    for (unsigned i = count; i-- > 0;) {
        int64_t step = 0, product = 0, dim = 0;

        if (indices[i]->dtype.lanes != 1 || !growth(context, indices[i], var, &step))
            return false;
        if (buffer->strides)
            is_size_known = ir_expr_constant(context, buffer->strides[i], &size);
        if (step != 0 && (!is_size_known || __builtin_mul_overflow(step, size, &product) ||
                          __builtin_add_overflow(total, product, &total)))
            return false;
        if (!buffer->strides)
            is_size_known = is_size_known && ir_expr_constant(context, buffer->shape[i], &dim) &&
                            !__builtin_mul_overflow(size, dim, &size);
    }
    *out_stride = total;
    return true;
}

bool index_call_is_pure(const struct ir_expr *call)
{
    static const char *const names[] = {
        "abs",          "acos",        "acosh",
        "asin",         "asinh",       "atan",
        "atan2",        "atanh",       "bitwise_and",
        "bitwise_not",  "bitwise_or",  "bitwise_xor",
        "ceil",         "clz",         "copysign",
        "cos",          "cosh",        "dot4",
        "erf",          "exp",         "exp10",
        "exp2",         "fabs",        "floor",
        "fma",          "fmod",        "hypot",
        "if_then_else", "isfinite",    "isinf",
        "isnan",        "ldexp",       "likely",
        "log",          "log10",       "log1p",
        "log2",         "nearbyint",   "nextafter",
        "popcount",     "pow",         "q_multiply_shift",
        "reinterpret",  "round",       "rsqrt",
        "shift_left",   "shift_right", "sigmoid",
        "sin",          "sinh",        "sqrt",
        "tan",          "tanh",        "trunc",
    };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strcmp(call->name, names[i]) == 0)
            return true;
    return false;
}

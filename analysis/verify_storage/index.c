/* Indices of kernels as polynomials: what stands for a variable, and what may wrap. */
#include "analysis/verify_storage/kernel.h"

static const struct vs_poly *fixed(struct vs_polys *p, const struct ir_expr *e)
{
    struct ir_interval interval = ir_interval_of(p->context, NULL, e);
    struct vs_poly_atom atom = {
        .kind = POLY_FIXED, .is_fixed = true, .is_natural = interval.low >= 0, .expr = e};

    return vs_poly_atom(p, &atom);
}

static const struct vs_poly *variable(struct vs_polys *p, const struct vs_around *around,
                                      const struct ir_expr *e)
{
    while (around && around->var != e->var)
        around = around->outer;
    if (!around)
        return fixed(p, e);
    if (around->kind != VS_LOOP)
        return vs_index(p, around->outer, around->value);
    struct vs_poly_atom atom = {
        .kind = POLY_LOOP, .loop = around->stmt, .low = around->low, .high = around->high};
    const struct vs_poly *count = vs_poly_atom(p, &atom);

    if (!around->begin)
        return count;
    const struct vs_poly *step = vs_index(p, NULL, around->stmt->loop.step);
    return vs_poly_add(p, around->begin, vs_poly_multiply(p, step, count), 1);
}

/* Narrow numbers may wrap: only what provably does not is a sum or product of numbers. */
static const struct vs_poly *unwrapped(struct vs_polys *p, struct ir_dtype dtype,
                                       const struct vs_poly *a)
{
    int64_t low, high, limit;

    if (!a || dtype.bits >= 64)
        return a;
    const struct vs_poly *least = vs_poly_bound(p, a, false), *most = vs_poly_bound(p, a, true);

    if (!least || !most || !vs_poly_is_number(least, &low) || !vs_poly_is_number(most, &high))
        return NULL;
    limit = (int64_t)1 << (dtype.bits - (dtype.code == IR_INT));
    return low >= (dtype.code == IR_INT ? -limit : 0) && high < limit ? a : NULL;
}

static const struct vs_poly *ramp(struct vs_polys *p, const struct vs_around *around,
                                  const struct ir_expr *e)
{
    struct vs_poly_atom lane = {.kind = POLY_LANE,
                                .low = vs_poly_number(p, 0),
                                .high = vs_poly_number(p, (int64_t)e->dtype.lanes - 1)};
    const struct vs_poly *base = vs_index(p, around, e->operands[0]);
    const struct vs_poly *stride = vs_index(p, around, e->operands[1]);

    return vs_poly_add(p, base, vs_poly_multiply(p, vs_poly_atom(p, &lane), stride), 1);
}

static const struct vs_poly *convert(struct vs_polys *p, const struct vs_around *around,
                                     const struct ir_expr *e)
{
    const struct ir_expr *from = e->operands[0];
    bool is_whole = ir_dtype_is_int(from->dtype) && ir_dtype_is_int(e->dtype);
    const struct vs_poly *a = is_whole ? vs_index(p, around, from) : NULL;

    if (from->dtype.bits <= e->dtype.bits && from->dtype.code == e->dtype.code)
        return a;
    return unwrapped(p, e->dtype, a);
}

static const struct vs_poly *division(struct vs_polys *p, const struct vs_around *around,
                                      const struct ir_expr *e)
{
    const struct vs_poly *a = vs_index(p, around, e->operands[0]);
    const struct vs_poly *divisor = vs_index(p, around, e->operands[1]);
    int64_t number;

    if (!a || !divisor || !vs_poly_is_number(divisor, &number))
        return NULL;
    return vs_poly_divide(p, a, number, e->kind == IR_EXPR_floormod);
}

/*
 * What no loop, let or axis is in is the same in all iterations, whatever it is; but for what may
 * be written.
 */
struct scan {
    const struct vs_around *around;
};

static bool is_outside(void *state, const struct ir_expr *e)
{
    const struct scan *scan = state;

    if (e->kind == IR_EXPR_load || e->kind == IR_EXPR_call || e->kind == IR_EXPR_let)
        return false;
    for (const struct vs_around *a = scan->around; a && e->kind == IR_EXPR_var; a = a->outer)
        if (a->var == e->var)
            return false;
    return true;
}

const struct vs_poly *vs_index(struct vs_polys *p, const struct vs_around *around,
                               const struct ir_expr *e)
{
    const struct vs_poly *result = NULL;

    if (e->dtype.lanes > 1 && e->kind != IR_EXPR_ramp && e->kind != IR_EXPR_broadcast)
        return NULL;
    switch (e->kind) {
    case IR_EXPR_int:
        return ir_dtype_is_int(e->dtype) ? vs_poly_number(p, e->int_value) : NULL;
    case IR_EXPR_var:
        return ir_dtype_is_int(e->dtype) ? variable(p, around, e) : NULL;
    case IR_EXPR_add:
    case IR_EXPR_sub:
        result = vs_poly_add(p, vs_index(p, around, e->operands[0]),
                             vs_index(p, around, e->operands[1]), e->kind == IR_EXPR_add ? 1 : -1);
        break;
    case IR_EXPR_mul:
        result = vs_poly_multiply(p, vs_index(p, around, e->operands[0]),
                                  vs_index(p, around, e->operands[1]));
        break;
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
        result = division(p, around, e);
        break;
    case IR_EXPR_cast:
        result = convert(p, around, e);
        break;
    case IR_EXPR_ramp:
        return ramp(p, around, e);
    case IR_EXPR_broadcast:
        return vs_index(p, around, e->operands[0]);
    default:
        break;
    }
    result = unwrapped(p, e->dtype, result);
    struct scan scan = {around};
    if (!result && ir_dtype_is_int(e->dtype) && ir_expr_walk(e, is_outside, &scan))
        return fixed(p, e);
    return result;
}

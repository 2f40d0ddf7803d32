/* Regions of roots; see region.h. */
#include "analysis/storage/region.h"

static const struct ir_expr *number(struct ir_context *context, int64_t value)
{
    return ir_expr_int(context, IR_I64, value);
}

static const struct ir_expr *sum(struct ir_context *context, const struct ir_expr *a,
                                 const struct ir_expr *b)
{
    return ir_simplify(context, ir_expr_binary(context, IR_EXPR_add, a, b));
}

/* ---- spans ---- */

/* @a, which is simplified, as *@out_factor times the result; NULL is 1. */
static const struct ir_expr *take_factor(const struct ir_expr *a, int64_t *out_factor)
{
    *out_factor = 1;
    if (a->kind == IR_EXPR_int) {
        *out_factor = a->int_value;
        return NULL;
    }
    if (a->kind != IR_EXPR_mul || a->operands[1]->kind != IR_EXPR_int)
        return a;
    *out_factor = a->operands[1]->int_value;
    return a->operands[0];
}

static bool is_same_unit(const struct ir_expr *a, const struct ir_expr *b)
{
    return a == b || (a && b && ir_expr_equal(a, b));
}

/* A unit that may be negative would turn the order of the ends round. */
static void find_span(struct ir_context *context, struct storage_region *region)
{
    int64_t offset, bytes;
    const struct ir_expr *from = take_factor(region->offset, &offset);
    const struct ir_expr *unit = take_factor(region->bytes, &bytes);

    if (ir_expr_is_int(region->offset, 0))
        from = unit;
    if (!is_same_unit(from, unit) || offset < 0 || bytes < 0 ||
        __builtin_add_overflow(offset, bytes, &region->high) ||
        (unit && !ir_prove_ge(context, NULL, unit, number(context, 0))))
        return;
    region->has_span = true;
    region->unit = unit;
    region->low = offset;
}

static bool is_comparable(const struct storage_region *a, const struct storage_region *b)
{
    return a->has_span && b->has_span && is_same_unit(a->unit, b->unit);
}

/* ---- regions ---- */

struct storage_region storage_region_at(struct ir_context *context, const struct ir_expr *offset,
                                        const struct ir_expr *bytes)
{
    struct storage_region region = {0};

    if (!offset)
        return region;
    region.offset = ir_simplify(context, ir_expr_cast(context, IR_I64, offset));
    if (bytes) {
        region.bytes = ir_simplify(context, ir_expr_cast(context, IR_I64, bytes));
        find_span(context, &region);
    }
    return region;
}

struct storage_region storage_region_all(struct ir_context *context, const struct ir_expr *bytes)
{
    return storage_region_at(context, number(context, 0), bytes);
}

struct storage_region storage_region_within(const struct storage_region *within)
{
    struct storage_region region = *within;

    region.is_around = true;
    return region;
}

struct storage_region storage_region_part(struct ir_context *context,
                                          const struct storage_region *within,
                                          const struct ir_expr *offset, const struct ir_expr *bytes)
{
    if (!within->offset || within->is_around || !offset)
        return storage_region_within(within);
    return storage_region_at(
        context, sum(context, within->offset, ir_expr_cast(context, IR_I64, offset)), bytes);
}

struct storage_region storage_region_join(struct ir_context *context,
                                          const struct storage_region *a,
                                          const struct storage_region *b)
{
    struct storage_region region = {0};

    if (storage_region_equal(a, b))
        return *a;
    if (!is_comparable(a, b))
        return region;
    const struct ir_expr *unit = a->unit ? a->unit : number(context, 1);
    int64_t low = a->low < b->low ? a->low : b->low, high = a->high > b->high ? a->high : b->high;

    region =
        storage_region_at(context, ir_expr_binary(context, IR_EXPR_mul, unit, number(context, low)),
                          ir_expr_binary(context, IR_EXPR_mul, unit, number(context, high - low)));
    region.is_around = true;
    return region;
}

struct bound_walk {
    const struct ir_bindings *bindings;
};

static bool is_bound(void *state, const struct ir_expr *a)
{
    const struct bound_walk *walk = state;

    return a->kind != IR_EXPR_var || ir_bindings_find(walk->bindings, a->var) != NULL;
}

/* NULL if @a is, or uses what is not bound. */
static const struct ir_expr *bind(struct ir_context *context, const struct ir_expr *a,
                                  const struct ir_bindings *bindings)
{
    struct bound_walk walk = {bindings};

    if (!a || !ir_expr_walk(a, is_bound, &walk))
        return NULL;
    return ir_expr_substitute(context, a, bindings);
}

struct storage_region storage_region_bound(struct ir_context *context,
                                           const struct storage_region *within,
                                           const struct storage_region *part,
                                           const struct ir_bindings *bindings)
{
    const struct ir_expr *offset = bind(context, part->offset, bindings);
    const struct ir_expr *bytes = bind(context, part->bytes, bindings);

    if (part->bytes && !bytes)
        return storage_region_within(within);
    /* all of what is given, whatever that is */
    if (offset && ir_expr_is_int(offset, 0) && !part->bytes) {
        struct storage_region all = *within;

        all.is_around |= part->is_around;
        return all;
    }
    struct storage_region region = storage_region_part(context, within, offset, bytes);

    region.is_around |= part->is_around;
    return region;
}

/* ---- two regions ---- */

static bool is_equal(const struct ir_expr *a, const struct ir_expr *b)
{
    return a == b || (a && b && ir_expr_equal(a, b));
}

bool storage_region_equal(const struct storage_region *a, const struct storage_region *b)
{
    return a->is_around == b->is_around && is_equal(a->offset, b->offset) &&
           is_equal(a->bytes, b->bytes);
}

bool storage_region_is_same(struct ir_context *context, const struct storage_region *a,
                            const struct storage_region *b)
{
    if (!a->offset || !b->offset || !a->bytes || !b->bytes || a->is_around || b->is_around)
        return false;
    return storage_region_equal(a, b) || (ir_prove_equal(context, a->offset, b->offset) &&
                                          ir_prove_equal(context, a->bytes, b->bytes));
}

bool storage_region_is_easy(const struct storage_region *a, const struct storage_region *b)
{
    return !a->offset || !b->offset || is_comparable(a, b);
}

/* Provably all of @a in front of @b. */
static bool is_before(struct ir_context *context, const struct storage_region *a,
                      const struct storage_region *b)
{
    return a->bytes && ir_prove_ge(context, NULL, b->offset, sum(context, a->offset, a->bytes));
}

bool storage_region_is_apart(struct ir_context *context, const struct storage_region *a,
                             const struct storage_region *b)
{
    /* the same bytes, be they none: a tensor without elements is one tensor by each of its names */
    if (!a->offset || !b->offset || storage_region_equal(a, b))
        return false;
    if (is_comparable(a, b))
        return a->high <= b->low || b->high <= a->low || a->low == a->high || b->low == b->high;
    return is_before(context, a, b) || is_before(context, b, a);
}

static const struct ir_expr *times(struct ir_context *context, int64_t factor,
                                   const struct ir_expr *unit)
{
    const struct ir_expr *value = number(context, factor);

    return unit ? ir_simplify(context, ir_expr_binary(context, IR_EXPR_mul, unit, value)) : value;
}

bool storage_region_overlap(struct ir_context *context, const struct storage_region *a,
                            const struct storage_region *b, const struct ir_expr **out_low,
                            const struct ir_expr **out_high)
{
    if (!is_comparable(a, b) || a->is_around || b->is_around)
        return false;
    int64_t low = a->low > b->low ? a->low : b->low, high = a->high < b->high ? a->high : b->high;

    *out_low = times(context, low - a->low, a->unit);
    *out_high = times(context, high - a->low, a->unit);
    return low < high && (low > a->low || high < a->high);
}

/* Loops around a store, and conditions in its value, as boxes of the output. */
#include "analysis/access/pieces_internal.h"

const struct ir_expr *piece_index(struct piece_reader *r, const struct ir_expr *a)
{
    return ir_simplify(r->context, ir_expr_cast(r->context, IR_I64, a));
}

const struct ir_expr *piece_sum(struct piece_reader *r, const struct ir_expr *a,
                                const struct ir_expr *b)
{
    return ir_simplify(r->context, ir_expr_binary(r->context, IR_EXPR_add, a, b));
}

const struct ir_expr *piece_difference(struct piece_reader *r, const struct ir_expr *a,
                                       const struct ir_expr *b)
{
    return ir_simplify(r->context, ir_expr_binary(r->context, IR_EXPR_sub, a, b));
}

/* ---- loops and indices ---- */

static void read_loops(struct piece_reader *r)
{
    r->loops.count = 0;
    r->has_loops = true;
    for (const struct access_frame *f = r->write->frame; f; f = f->parent) {
        bool is_known = f->kind == ACCESS_LOOP && f->extent && f->step == 1;

        r->has_loops &= is_known;
        if (is_known)
            array_push(&r->loops, (struct ir_range){f->var, f->min, f->extent});
    }
    for (size_t i = 0; i < r->loops.count / 2; i++) { /* the outermost first */
        struct ir_range last = r->loops.items[r->loops.count - 1 - i];
        r->loops.items[r->loops.count - 1 - i] = r->loops.items[i];
        r->loops.items[i] = last;
    }
}

bool piece_read_index(struct piece_reader *r, const struct ir_expr *index, int *out_loop,
                      const struct ir_expr **out_rest)
{
    int64_t coefficient;

    *out_loop = -1;
    for (size_t i = 0; i < r->loops.count; i++) {
        const struct ir_var *var = r->loops.items[i].var;

        if (!ir_expr_uses_var(index, var))
            continue;
        if (*out_loop >= 0 || !ir_expr_linear(r->context, index, var, &coefficient, &index) ||
            coefficient != 1)
            return false;
        *out_loop = (int)i;
    }
    *out_rest = piece_index(r, index);
    return true;
}

void piece_read_place(struct piece_reader *r)
{
    unsigned ndim = r->out->ndim;
    int loop;

    read_loops(r);
    r->loop_dims = arena_array(&r->cache->arena, int, r->loops.count + 1);
    r->rests = arena_array(&r->cache->arena, const struct ir_expr *, ndim + 1);
    for (size_t i = 0; i < r->loops.count; i++)
        r->loop_dims[i] = -1;
    r->is_boxed = r->has_loops && r->write->indices;
    for (unsigned d = 0; r->is_boxed && d < ndim; d++) {
        r->is_boxed = piece_read_index(r, r->write->indices[d], &loop, &r->rests[d]) &&
                      (loop < 0 || r->loop_dims[loop] < 0);
        if (r->is_boxed && loop >= 0)
            r->loop_dims[loop] = (int)d;
    }
}

static int loop_of_dim(const struct piece_reader *r, unsigned d)
{
    for (size_t i = 0; i < r->loops.count; i++)
        if (r->loop_dims[i] == (int)d)
            return (int)i;
    return -1;
}

/* ---- boxes ---- */

static void tighten(struct piece_reader *r, const struct ir_expr **slot,
                    const struct ir_expr *bound, bool is_low, bool *is_known)
{
    if (!*slot || ir_prove_ge(r->context, NULL, is_low ? bound : *slot, is_low ? *slot : bound))
        *slot = bound;
    else
        *is_known &= ir_prove_ge(r->context, NULL, is_low ? *slot : bound, is_low ? bound : *slot);
}

/* @a >= 0 (or, if @is_strict, > 0) as a bound of one loop. */
static bool add_bound(struct piece_reader *r, struct piece_bounds *bounds, const struct ir_expr *a,
                      bool is_strict)
{
    const struct ir_expr *zero = ir_expr_int(r->context, IR_I64, 0);
    const struct ir_expr *strict = ir_expr_int(r->context, IR_I64, is_strict);
    int64_t factor = 0;
    int found = -1;
    bool is_known = true;

    for (size_t i = 0; i < r->loops.count; i++) {
        const struct ir_var *var = r->loops.items[i].var;

        if (!ir_expr_uses_var(a, var))
            continue;
        if (found >= 0 || !ir_expr_linear(r->context, a, var, &factor, &a))
            return false;
        found = (int)i;
    }
    if (found < 0 || (factor != 1 && factor != -1))
        return false;
    a = piece_index(r, a);
    if (factor == 1) /* var + a >= strict */
        tighten(r, &bounds->low[found], piece_sum(r, piece_difference(r, zero, a), strict), true,
                &is_known);
    else /* a - var >= strict */
        tighten(r, &bounds->end[found],
                piece_sum(r, piece_difference(r, a, strict), ir_expr_int(r->context, IR_I64, 1)),
                false, &is_known);
    return is_known;
}

static bool add_compare(struct piece_reader *r, struct piece_bounds *bounds,
                        const struct ir_expr *condition, enum ir_expr_kind kind)
{
    const struct ir_expr *a = condition->operands[0], *b = condition->operands[1];
    const struct ir_expr *up, *down;

    /* of int64 it is assumed; see ir/arith.h */
    bool is_safe =
        ir_dtype_equal(a->dtype, IR_I64) || (ir_fits_everywhere(r->context, &r->loops, a) &&
                                             ir_fits_everywhere(r->context, &r->loops, b));
    if (a->dtype.code != IR_INT || a->dtype.lanes != 1 || !is_safe)
        return false;
    up = ir_expr_binary(r->context, IR_EXPR_sub, b, a);
    down = ir_expr_binary(r->context, IR_EXPR_sub, a, b);
    switch (kind) {
    case IR_EXPR_lt:
    case IR_EXPR_le:
        return add_bound(r, bounds, up, kind == IR_EXPR_lt);
    case IR_EXPR_gt:
    case IR_EXPR_ge:
        return add_bound(r, bounds, down, kind == IR_EXPR_gt);
    case IR_EXPR_eq:
        return add_bound(r, bounds, up, false) && add_bound(r, bounds, down, false);
    default:
        return false;
    }
}

static enum ir_expr_kind opposite(enum ir_expr_kind kind)
{
    switch (kind) {
    case IR_EXPR_lt:
        return IR_EXPR_ge;
    case IR_EXPR_le:
        return IR_EXPR_gt;
    case IR_EXPR_gt:
        return IR_EXPR_le;
    case IR_EXPR_ge:
        return IR_EXPR_lt;
    case IR_EXPR_ne:
        return IR_EXPR_eq;
    default:
        return IR_EXPR_ne;
    }
}

/* Nested as deep as the text. */
bool piece_add_condition(struct piece_reader *r, struct piece_bounds *bounds,
                         const struct ir_expr *condition, bool is_negated)
{
    if (!condition)
        return false;
    if (condition->kind == IR_EXPR_not)
        return piece_add_condition(r, bounds, condition->operands[0], !is_negated);
    if (condition->kind == (is_negated ? IR_EXPR_or : IR_EXPR_and))
        return piece_add_condition(r, bounds, condition->operands[0], is_negated) &&
               piece_add_condition(r, bounds, condition->operands[1], is_negated);
    if (!ir_expr_is_compare(condition->kind))
        return false;
    return add_compare(r, bounds, condition,
                       is_negated ? opposite(condition->kind) : condition->kind);
}

struct piece_bounds piece_no_bounds(struct piece_reader *r)
{
    size_t count = r->loops.count + 1;
    struct piece_bounds bounds = {
        arena_array(&r->cache->arena, const struct ir_expr *, count),
        arena_array(&r->cache->arena, const struct ir_expr *, count),
    };

    for (size_t i = 0; i < count; i++)
        bounds.low[i] = bounds.end[i] = NULL;
    return bounds;
}

/* The iterations of loop @i that @bounds leave; false if they are not known to be some of its. */
static bool range_of(struct piece_reader *r, const struct piece_bounds *bounds, size_t i,
                     const struct ir_expr **out_min, const struct ir_expr **out_extent)
{
    struct ir_context *context = r->context;
    const struct ir_range *loop = &r->loops.items[i];
    const struct ir_expr *min = piece_index(r, loop->min);
    const struct ir_expr *end = piece_sum(r, min, piece_index(r, loop->extent));
    bool is_known = true;

    if (bounds->low[i])
        tighten(r, &min, bounds->low[i], true, &is_known);
    if (bounds->end[i])
        tighten(r, &end, bounds->end[i], false, &is_known);
    *out_min = min;
    *out_extent = piece_difference(r, end, min);
    return is_known && ir_prove_ge(context, NULL, end, min);
}

bool piece_box_of(struct piece_reader *r, const struct piece_bounds *bounds, struct access_box *out)
{
    unsigned ndim = r->out->ndim;
    const struct ir_expr **min = arena_array(&r->cache->arena, const struct ir_expr *, ndim + 1);
    const struct ir_expr **extent = arena_array(&r->cache->arena, const struct ir_expr *, ndim + 1);
    bool is_box = r->is_boxed;

    for (size_t i = 0; is_box && i < r->loops.count; i++) {
        int d = r->loop_dims[i];
        const struct ir_expr *first, *count;

        is_box = range_of(r, bounds, i, &first, &count) && (d >= 0 || ir_expr_is_int(count, 1));
        if (is_box && d >= 0) {
            min[d] = piece_sum(r, r->rests[d], first);
            extent[d] = count;
        }
    }
    for (unsigned d = 0; is_box && d < ndim; d++)
        if (loop_of_dim(r, d) < 0) {
            min[d] = r->rests[d];
            extent[d] = ir_expr_int(r->context, IR_I64, 1);
        }
    *out = (struct access_box){ndim, min, extent};
    return is_box;
}

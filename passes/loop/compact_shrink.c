/*
 * Which interval of each dimension of an allocation is used: from the least to the largest index, once
 * the variables of the loops between the allocation and the access took the ends of their ranges.
 */
#include "analysis/access/index.h"
#include "passes/loop/compact.h"

#include <string.h>

enum { DIM_LIMIT = 16 };

/* What is known of the indices of one dimension, over all accesses so far. */
struct interval {
    const struct ir_expr *low, *high; /* NULL: not known */
    bool is_unknown;
};

struct allocation {
    struct ir_buffer *buffer, *compact; /* compact: NULL if nothing is to be gained */
    size_t depth;                       /* of ranges around it */
    struct interval dims[DIM_LIMIT];
};

struct shrinker {
    struct ir_module *module;
    struct ir_context *context;
    struct ir_ranges ranges;
    struct map allocations; /* struct ir_buffer -> struct allocation */
    struct map unknown;     /* variables that no range is known of: lets */
    bool is_changed;
};

static const struct ir_expr *binary(struct shrinker *s, enum ir_expr_kind kind,
                                    const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_expr_binary(s->context, kind, a, b);
}

static bool ge(struct shrinker *s, const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_prove_ge(s->context, &s->ranges, a, b);
}

static const struct ir_expr *put(struct shrinker *s, const struct ir_expr *a,
                                 const struct ir_var *var, const struct ir_expr *value)
{
    struct ir_binding binding = {var, value};
    struct ir_bindings bindings = {&binding, 1, 1};

    return ir_expr_substitute(s->context, a, &bindings);
}

/* @a with the variable of @range at the end that makes it largest (or least); NULL if not known. */
static const struct ir_expr *at_end(struct shrinker *s, const struct ir_expr *a,
                                    const struct ir_range *range, bool largest)
{
    const struct ir_expr *one = ir_expr_int(s->context, range->var->dtype, 1);
    const struct ir_expr *next = binary(s, IR_EXPR_add, ir_expr_var(s->context, range->var), one);
    const struct ir_expr *growth =
        ir_simplify(s->context, binary(s, IR_EXPR_sub, put(s, a, range->var, next), a));

    if (ir_expr_uses_var(growth, range->var))
        return NULL;
    struct ir_interval sign = ir_interval_of(s->context, &s->ranges, growth);
    if (sign.low < 0 && sign.high > 0)
        return NULL;
    bool is_up = sign.low >= 0;
    const struct ir_expr *last = binary(s, IR_EXPR_add, range->min, range->extent);
    return put(s, a, range->var, is_up == largest ? binary(s, IR_EXPR_sub, last, one) : range->min);
}

/* The largest (or least) value of @a over the loops inside of @depth. */
static const struct ir_expr *bound(struct shrinker *s, const struct ir_expr *a, size_t depth,
                                   bool largest)
{
    for (size_t i = s->ranges.count; a && i-- > depth;)
        if (ir_expr_uses_var(a, s->ranges.items[i].var))
            a = at_end(s, a, &s->ranges.items[i], largest);
    return a ? ir_simplify_in(s->context, &s->ranges, a) : NULL;
}

/* Of elements, calls and lets nothing is known. */
static bool is_known(void *state, const struct ir_expr *a)
{
    const struct shrinker *s = state;

    return a->kind != IR_EXPR_load && a->kind != IR_EXPR_call && a->kind != IR_EXPR_let &&
           a->dtype.lanes == 1 && (a->kind != IR_EXPR_var || !map_has(&s->unknown, a->var));
}

static void widen_by(struct shrinker *s, struct interval *dim, const struct ir_expr *low,
                     const struct ir_expr *high)
{
    if (!dim->low) {
        dim->low = low;
        dim->high = high;
        return;
    }
    dim->is_unknown |= !ir_dtype_equal(dim->low->dtype, low->dtype);
    if (dim->is_unknown)
        return;
    if (!ge(s, low, dim->low)) {
        dim->is_unknown |= !ge(s, dim->low, low);
        dim->low = low;
    }
    if (!ge(s, dim->high, high)) {
        dim->is_unknown |= !ge(s, high, dim->high);
        dim->high = high;
    }
}

static void note_access(struct shrinker *s, const struct ir_buffer *buffer,
                        const struct ir_expr *const *indices, unsigned count)
{
    struct allocation *allocation = map_get(&s->allocations, buffer);

    if (!allocation)
        return;
    for (unsigned i = 0; i < buffer->ndim; i++) {
        struct interval *dim = &allocation->dims[i];
        const struct ir_expr *low = NULL, *high = NULL;
        bool is_inside = i < count && index_is_inside_extent(s->context, &s->ranges, indices[i],
                                                             buffer->shape[i]);

        if (is_inside && ir_expr_walk(indices[i], is_known, s)) {
            low = bound(s, indices[i], allocation->depth, false);
            high = bound(s, indices[i], allocation->depth, true);
        }
        dim->is_unknown |= !low || !high;
        if (!dim->is_unknown)
            widen_by(s, dim, low, high);
    }
}

/* ---- looking ---- */

static bool note_expr(void *state, const struct ir_expr *a)
{
    struct shrinker *s = state;

    if (a->kind == IR_EXPR_load)
        note_access(s, a->buffer, a->operands, a->operand_count);
    if (a->kind == IR_EXPR_let)
        map_set(&s->unknown, a->var, a->var);
    return true;
}

static bool note_exprs(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, note_expr, state);
}

static bool is_pure(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load && a->kind != IR_EXPR_call && a->kind != IR_EXPR_let;
}

static void learn_range(struct shrinker *s, const struct tir_stmt *loop)
{
    if (ir_expr_walk(loop->loop.min, is_pure, NULL) &&
        ir_expr_walk(loop->loop.extent, is_pure, NULL))
        array_push(&s->ranges, loop_range(s->module, loop));
    else
        map_set(&s->unknown, loop->loop.var, loop);
}

static void choose(struct shrinker *s, struct allocation *allocation);

/* One walk: an allocation is decided where its sequence ends. */
static void look(struct shrinker *s, struct tir_stmt *stmt)
{
    size_t mark = s->ranges.count;
    struct tir_stmt *child;

    tir_stmt_walk_exprs(stmt, note_exprs, s);
    if (stmt->kind == TIR_FOR)
        learn_range(s, stmt);
    if (stmt->kind == TIR_LET)
        map_set(&s->unknown, stmt->let.var, stmt->let.var);
    if (stmt->kind == TIR_STORE)
        note_access(s, stmt->store.buffer, stmt->store.indices, stmt->store.index_count);
    if (stmt->kind == TIR_DECL && stmt->alloc.buffer->data_of)
        map_set(&s->allocations, stmt->alloc.buffer->data_of, NULL);
    if (stmt->kind == TIR_ALLOC) {
        struct ir_buffer *buffer = stmt->alloc.buffer;

        if (!buffer->strides && !buffer->elem_offset && !buffer->data_var &&
            buffer->ndim <= DIM_LIMIT) {
            struct allocation *allocation = arena_new(&s->module->arena, struct allocation);

            allocation->buffer = buffer;
            allocation->depth = s->ranges.count;
            map_set(&s->allocations, buffer, allocation);
        }
    }
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)) != NULL; i++)
        look(s, child);
    for (unsigned i = 0; stmt->kind == TIR_SEQ && i < stmt->seq.count; i++)
        if (stmt->seq.items[i]->kind == TIR_ALLOC) {
            struct allocation *allocation =
                map_get(&s->allocations, stmt->seq.items[i]->alloc.buffer);

            if (allocation)
                choose(s, allocation);
        }
    s->ranges.count = mark;
}

/* The new extent of a dimension; NULL: the old one. */
static const struct ir_expr *new_extent(struct shrinker *s, const struct ir_expr *extent,
                                        const struct interval *dim)
{
    if (dim->is_unknown || !dim->low)
        return NULL;
    struct ir_dtype dtype = extent->dtype;
    const struct ir_expr *size = binary(s, IR_EXPR_sub, ir_expr_cast(s->context, dtype, dim->high),
                                        ir_expr_cast(s->context, dtype, dim->low));
    size = binary(s, IR_EXPR_add, size, ir_expr_int(s->context, dtype, 1));
    size = ir_simplify_in(s->context, &s->ranges, size);
    /* No larger than before: 0 <= low and high < extent were proved of each access. */
    bool is_new = !ir_prove_equal(s->context, extent, size);
    int64_t known;
    /* One that is known stays known: such buffers lie on the stack. */
    if (ir_expr_constant(s->context, extent, &known) && !ir_expr_constant(s->context, size, &known))
        return NULL;
    return is_new && ge(s, size, ir_expr_int(s->context, dtype, 0)) ? size : NULL;
}

static void choose(struct shrinker *s, struct allocation *allocation)
{
    struct ir_buffer *buffer = allocation->buffer;
    const struct ir_expr **shape =
        arena_array(&s->module->arena, const struct ir_expr *, buffer->ndim + 1);
    bool is_smaller = false;

    for (unsigned i = 0; i < buffer->ndim; i++) {
        const struct ir_expr *extent = new_extent(s, buffer->shape[i], &allocation->dims[i]);

        shape[i] = extent ? extent : buffer->shape[i];
        allocation->dims[i].is_unknown = !extent;
        is_smaller |= extent != NULL;
    }
    if (!is_smaller)
        return;
    allocation->compact = arena_new(&s->module->arena, struct ir_buffer);
    *allocation->compact = *buffer;
    allocation->compact->shape = shape;
    s->is_changed = true;
}

/* ---- rewriting ---- */

static const struct ir_expr *const *moved(struct shrinker *s, const struct allocation *allocation,
                                          const struct ir_expr *const *indices, unsigned count)
{
    const struct ir_expr **result =
        arena_array(&s->module->arena, const struct ir_expr *, count + 1);

    for (unsigned i = 0; i < count; i++) {
        const struct interval *dim = &allocation->dims[i];

        result[i] = indices[i];
        if (dim->is_unknown || ir_expr_is_int(dim->low, 0))
            continue;
        const struct ir_expr *low = ir_expr_cast(s->context, indices[i]->dtype, dim->low);
        result[i] = ir_simplify(s->context, binary(s, IR_EXPR_sub, indices[i], low));
    }
    return result;
}

static const struct allocation *shrunk(struct shrinker *s, const struct ir_buffer *buffer)
{
    const struct allocation *allocation = map_get(&s->allocations, buffer);

    return allocation && allocation->compact ? allocation : NULL;
}

static const struct ir_expr *rewrite_load(void *state, const struct ir_expr *a)
{
    struct shrinker *s = state;
    const struct allocation *allocation = a->kind == IR_EXPR_load ? shrunk(s, a->buffer) : NULL;

    if (!allocation)
        return a;
    const struct ir_expr *load =
        ir_expr_load(s->context, allocation->compact,
                     moved(s, allocation, a->operands, a->operand_count), a->operand_count);
    return ir_expr_at(s->context, a->loc, load);
}

static const struct ir_expr *rewrite_expr(struct loop_map *map, const struct ir_expr *a)
{
    struct shrinker *s = map->state;

    return ir_expr_rewrite(s->context, a, rewrite_load, s);
}

static struct ir_buffer *rewrite_buffer(struct loop_map *map, struct ir_buffer *buffer)
{
    const struct allocation *allocation = shrunk(map->state, buffer);

    return allocation ? allocation->compact : buffer;
}

static struct tir_stmt *rewrite_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct tir_stmt *result = loop_map_parts(map, stmt);
    const struct allocation *allocation =
        stmt->kind == TIR_STORE ? shrunk(map->state, stmt->store.buffer) : NULL;

    if (!allocation)
        return result;
    struct tir_stmt *store = tir_stmt_new(map->module, TIR_STORE, stmt->loc);
    *store = *result;
    store->store.buffer = allocation->compact;
    store->store.indices =
        moved(map->state, allocation, result->store.indices, result->store.index_count);
    return store;
}

struct tir_stmt *compact_shrink(struct ir_module *module, struct tir_stmt *body)
{
    struct shrinker s = {.module = module, .context = module->context};
    struct loop_map map = {
        .module = module,
        .state = &s,
        .stmt = rewrite_stmt,
        .expr = rewrite_expr,
        .define_buffer = rewrite_buffer,
    };

    look(&s, body);
    if (s.is_changed)
        body = rewrite_stmt(&map, body);
    map_finish(&s.allocations);
    map_finish(&s.unknown);
    array_finish(&s.ranges);
    return body;
}

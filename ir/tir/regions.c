/*
 * T.reads and T.writes of a block that does not say them.
 *
 * Every access is an interval per dimension over the loops inside the block: indices are evaluated
 * with those loop variables at both ends (a rectangle that may be too large, never too small), and
 * accesses of one buffer are joined.  What cannot be bounded is the whole dimension, and so is what
 * would be large without its lets.  Blocks inside count by their own regions.  A block with T.init does
 * not read what it writes: it accumulates.
 */
#include "base/array.h"
#include "base/assert.h"
#include "ir/arith.h"
#include "ir/module.h"

enum { RESOLVED_LIMIT = 512 }; /* nodes of an index without lets */

/* Inclusive; low NULL: not bounded. */
struct interval {
    const struct ir_expr *low, *high;
};

struct access {
    const struct ir_buffer *buffer;
    struct interval *dims;
    struct location loc;
};

struct accesses {
    struct access *items;
    size_t count, capacity;
};

/* Loops inside the block: variable and its ends. */
struct loop_range {
    const struct ir_var *var;
    struct interval range;
};

struct detector {
    struct ir_module *module;
    struct ir_context *context;
    const struct tir_stmt *block;
    array(struct loop_range) loops;
    array(const struct ir_buffer *) locals; /* made inside: nobody outside sees them */
    array(const struct ir_buffer *) views;  /* T.decl_buffer inside: other names of storage */
    struct ir_bindings lets;
    struct ir_ranges axes; /* of the block: what its indices can be */
    struct accesses reads, writes;
};

static const struct ir_expr *fold(struct detector *d, enum ir_expr_kind kind,
                                  const struct ir_expr *a, const struct ir_expr *b)
{
    if (!ir_dtype_equal(a->dtype, b->dtype)) {
        a = ir_expr_cast(d->context, IR_I64, a);
        b = ir_expr_cast(d->context, IR_I64, b);
    }
    return ir_simplify(d->context, ir_expr_binary(d->context, kind, a, b));
}

static const struct loop_range *find_loop(const struct detector *d, const struct ir_var *var)
{
    for (size_t i = d->loops.count; i-- > 0;)
        if (d->loops.items[i].var == var)
            return &d->loops.items[i];
    return NULL;
}

static bool is_local(const struct detector *d, const struct ir_buffer *buffer)
{
    for (size_t i = 0; i < d->locals.count; i++)
        if (d->locals.items[i] == buffer)
            return true;
    return false;
}

/* Neither a loop inside the block nor what was made there has a part in it. */
static bool is_known_outside(void *state, const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_load)
        return !is_local(state, a->buffer);
    return a->kind != IR_EXPR_var || find_loop(state, a->var) == NULL;
}

static struct interval evaluate(struct detector *d, const struct ir_expr *a);

static bool is_bounded(struct interval a)
{
    return a.low != NULL;
}

static bool is_point(struct detector *d, struct interval a)
{
    return a.low == a.high || ir_prove_equal(d->context, a.low, a.high);
}

static const struct ir_expr *zero_like(struct detector *d, const struct ir_expr *a)
{
    return ir_expr_int(d->context, a->dtype, 0);
}

static struct interval evaluate_product(struct detector *d, struct interval a, struct interval b)
{
    if (is_point(d, a)) {
        struct interval swap = a;
        a = b;
        b = swap;
    }
    if (!is_point(d, b))
        return (struct interval){0};
    const struct ir_expr *low = fold(d, IR_EXPR_mul, a.low, b.low);
    const struct ir_expr *high = fold(d, IR_EXPR_mul, a.high, b.low);
    if (ir_prove_ge(d->context, &d->axes, b.low, zero_like(d, b.low)))
        return (struct interval){low, high};
    if (ir_prove_ge(d->context, &d->axes, zero_like(d, b.low), b.low))
        return (struct interval){high, low};
    return (struct interval){0};
}

static struct interval evaluate_quotient(struct detector *d, enum ir_expr_kind kind,
                                         struct interval a, struct interval b)
{
    if (!is_point(d, b) ||
        !ir_prove_ge(d->context, &d->axes, b.low, ir_expr_int(d->context, b.low->dtype, 1)))
        return (struct interval){0};
    const struct ir_expr *low = fold(d, IR_EXPR_floordiv, a.low, b.low);
    const struct ir_expr *high = fold(d, IR_EXPR_floordiv, a.high, b.low);
    if (kind == IR_EXPR_floordiv)
        return (struct interval){low, high};
    if (ir_prove_equal(d->context, low, high))
        return (struct interval){fold(d, IR_EXPR_floormod, a.low, b.low),
                                 fold(d, IR_EXPR_floormod, a.high, b.low)};
    const struct ir_expr *one = ir_expr_int(d->context, b.low->dtype, 1);
    return (struct interval){zero_like(d, b.low), fold(d, IR_EXPR_sub, b.low, one)};
}

static struct interval evaluate_binary(struct detector *d, const struct ir_expr *e)
{
    struct interval a = evaluate(d, e->operands[0]), b = evaluate(d, e->operands[1]);
    if (!is_bounded(a) || !is_bounded(b))
        return (struct interval){0};
    switch (e->kind) {
    case IR_EXPR_add:
    case IR_EXPR_min:
    case IR_EXPR_max:
        return (struct interval){fold(d, e->kind, a.low, b.low), fold(d, e->kind, a.high, b.high)};
    case IR_EXPR_sub:
        return (struct interval){fold(d, e->kind, a.low, b.high), fold(d, e->kind, a.high, b.low)};
    case IR_EXPR_mul:
        return evaluate_product(d, a, b);
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
        return evaluate_quotient(d, e->kind, a, b);
    default:
        return (struct interval){0};
    }
}

static struct interval evaluate(struct detector *d, const struct ir_expr *a)
{
    if (ir_expr_walk(a, is_known_outside, d))
        return (struct interval){a, a};
    if (a->kind == IR_EXPR_var)
        return find_loop(d, a->var)->range;
    if (ir_expr_is_binary(a->kind))
        return evaluate_binary(d, a);
    if (a->kind == IR_EXPR_cast && ir_dtype_is_int(a->dtype) &&
        ir_dtype_is_int(a->operands[0]->dtype) && a->dtype.bits >= a->operands[0]->dtype.bits) {
        struct interval inner = evaluate(d, a->operands[0]);
        if (is_bounded(inner))
            return (struct interval){ir_expr_cast(d->context, a->dtype, inner.low),
                                     ir_expr_cast(d->context, a->dtype, inner.high)};
    }
    return (struct interval){0};
}

/* ---- lets, of statements and of expressions ---- */

static const struct ir_expr *replace_let(void *state, const struct ir_expr *a)
{
    const struct detector *d = state;
    const struct ir_expr *value =
        a->kind == IR_EXPR_var ? ir_bindings_find(&d->lets, a->var) : NULL;

    if (a->kind == IR_EXPR_let)
        return a->operands[1];
    return value != NULL ? ir_expr_cast(d->context, a->dtype, value) : a;
}

static bool has_no_let(void *state, const struct ir_expr *a)
{
    const struct detector *d = state;

    return a->kind != IR_EXPR_var || ir_bindings_find(&d->lets, a->var) == NULL;
}

static bool note_let(void *state, const struct ir_expr *a);

/* @a without lets, whose names mean nothing outside of the block; NULL if it is large then. */
static const struct ir_expr *resolve(struct detector *d, const struct ir_expr *a)
{
    (void)ir_expr_walk(a, note_let, d);
    if (d->lets.count == 0)
        return a;
    a = ir_expr_rewrite(d->context, a, replace_let, d);
    return a->size <= RESOLVED_LIMIT && ir_expr_walk(a, has_no_let, d) ? a : NULL;
}

/* A value that is not known stays a variable, which has_no_let() finds. */
static void add_let(struct detector *d, const struct ir_var *var, const struct ir_expr *value)
{
    const struct ir_expr *resolved = resolve(d, value);
    struct ir_binding binding = {var, resolved != NULL ? resolved : ir_expr_var(d->context, var)};

    array_push(&d->lets, binding);
}

static bool note_let(void *state, const struct ir_expr *a)
{
    struct detector *d = state;

    if (a->kind == IR_EXPR_let && ir_bindings_find(&d->lets, a->var) == NULL)
        add_let(d, a->var, a->operands[0]);
    return true;
}

static struct interval evaluate_resolved(struct detector *d, const struct ir_expr *a)
{
    a = resolve(d, a);
    return a != NULL ? evaluate(d, a) : (struct interval){0};
}

/* The smaller (@kind min) or larger end; an expression of both where it is not known which. */
static const struct ir_expr *join_ends(struct detector *d, enum ir_expr_kind kind,
                                       const struct ir_expr *a, const struct ir_expr *b)
{
    if (a == b || ir_prove_ge(d->context, &d->axes, a, b))
        return kind == IR_EXPR_min ? b : a;
    if (ir_prove_ge(d->context, &d->axes, b, a))
        return kind == IR_EXPR_min ? a : b;
    return fold(d, kind, a, b);
}

static struct interval join(struct detector *d, struct interval a, struct interval b)
{
    if (!is_bounded(a) || !is_bounded(b))
        return (struct interval){0};
    return (struct interval){join_ends(d, IR_EXPR_min, a.low, b.low),
                             join_ends(d, IR_EXPR_max, a.high, b.high)};
}

static void add_access(struct detector *d, struct accesses *list, const struct ir_buffer *buffer,
                       struct interval *dims, struct location loc)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].buffer != buffer)
            continue;
        for (unsigned k = 0; k < buffer->ndim; k++)
            list->items[i].dims[k] = join(d, list->items[i].dims[k], dims[k]);
        return;
    }
    array_push(list, (struct access){.buffer = buffer, .dims = dims, .loc = loc});
}

static const struct tir_match *find_match(const struct detector *d, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < d->block->block.match_count; i++)
        if (d->block->block.matches[i].buffer == buffer)
            return &d->block->block.matches[i];
    return NULL;
}

/* The place in the source of a T.match_buffer that @dims of its target are. */
static struct interval *convert_match(struct detector *d, const struct tir_match *match,
                                      const struct interval *dims)
{
    const struct tir_region *source = &match->source;
    unsigned ndim = source->buffer->ndim, inner = match->buffer->ndim;
    struct interval *result = arena_array(&d->module->arena, struct interval, ndim);
    for (unsigned i = 0; i < ndim; i++) {
        const struct ir_expr *min = source->min[i];
        const struct ir_expr *one = ir_expr_int(d->context, min->dtype, 1);
        struct interval whole = {
            min, fold(d, IR_EXPR_sub, fold(d, IR_EXPR_add, min, source->extent[i]), one)};
        if (i + inner < ndim || !is_bounded(dims[i + inner - ndim])) {
            result[i] = whole;
            continue;
        }
        struct interval part = dims[i + inner - ndim];
        result[i] = (struct interval){fold(d, IR_EXPR_add, min, part.low),
                                      fold(d, IR_EXPR_add, min, part.high)};
    }
    return result;
}

static void record(struct detector *d, struct accesses *list, const struct ir_buffer *buffer,
                   struct interval *dims, struct location loc)
{
    if (is_local(d, buffer))
        return;
    for (size_t i = 0; i < d->views.count; i++) {
        if (d->views.items[i] != buffer)
            continue;
        buffer = buffer->data_of;
        if (buffer == NULL)
            return;
        /* Where in the storage it lies is not followed: all of it. */
        struct interval *all = arena_array(&d->module->arena, struct interval, buffer->ndim);
        record(d, list, buffer, all, loc);
        return;
    }
    const struct tir_match *match = find_match(d, buffer);
    if (match != NULL)
        record(d, list, match->source.buffer, convert_match(d, match, dims), loc);
    else
        add_access(d, list, buffer, dims, loc);
}

static void record_indices(struct detector *d, struct accesses *list,
                           const struct ir_buffer *buffer, const struct ir_expr *const *indices,
                           unsigned count, struct location loc)
{
    struct interval *dims = arena_array(&d->module->arena, struct interval, buffer->ndim);
    for (unsigned i = 0; i < buffer->ndim && i < count; i++)
        dims[i] = evaluate_resolved(d, indices[i]);
    record(d, list, buffer, dims, loc);
}

static bool visit_expr(void *state, const struct ir_expr *a)
{
    struct detector *d = state;
    (void)note_let(d, a);
    if (a->kind == IR_EXPR_load)
        record_indices(d, &d->reads, a->buffer, a->operands, a->operand_count, a->loc);
    return true;
}

static bool visit_root(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, visit_expr, state);
}

static void visit_region(struct detector *d, struct accesses *list, const struct tir_region *region,
                         const struct ir_bindings *axes)
{
    const struct ir_buffer *buffer = region->buffer;
    struct interval *dims = arena_array(&d->module->arena, struct interval, buffer->ndim);
    for (unsigned i = 0; i < buffer->ndim; i++) {
        const struct ir_expr *min = ir_expr_substitute(d->context, region->min[i], axes);
        const struct ir_expr *extent = ir_expr_substitute(d->context, region->extent[i], axes);
        if (ir_expr_is_int(extent, 1)) {
            dims[i] = evaluate_resolved(d, min);
            continue;
        }
        const struct ir_expr *one = ir_expr_int(d->context, min->dtype, 1);
        const struct ir_expr *last = fold(d, IR_EXPR_sub, fold(d, IR_EXPR_add, min, extent), one);
        struct interval low = evaluate_resolved(d, min);
        struct interval high = evaluate_resolved(d, last);
        if (is_bounded(low) && is_bounded(high))
            dims[i] = (struct interval){low.low, high.high};
    }
    record(d, list, buffer, dims, region->loc);
}

/* A block inside counts by its regions, with its axes replaced by what they are bound to. */
static void visit_inner_block(struct detector *d, const struct tir_stmt *stmt)
{
    struct ir_bindings axes = {0};
    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        struct ir_binding binding = {stmt->block.axes[i].var, stmt->block.axes[i].value};
        array_push(&axes, binding);
    }
    for (unsigned i = 0; i < stmt->block.read_count; i++)
        visit_region(d, &d->reads, &stmt->block.reads[i], &axes);
    for (unsigned i = 0; i < stmt->block.write_count; i++)
        visit_region(d, &d->writes, &stmt->block.writes[i], &axes);
    array_finish(&axes);
}

static void visit_loop(struct detector *d, const struct ir_var *var, const struct ir_expr *min,
                       const struct ir_expr *extent)
{
    const struct ir_expr *one = ir_expr_int(d->context, extent->dtype, 1);
    const struct ir_expr *last = fold(d, IR_EXPR_sub, extent, one);
    if (min != NULL && !ir_expr_is_int(min, 0))
        last = fold(d, IR_EXPR_add, min, last);
    struct interval low = {min, min}, high = evaluate_resolved(d, last);
    if (min != NULL)
        low = evaluate_resolved(d, min);
    else
        low.low = low.high = zero_like(d, extent);
    struct interval range = {0};
    if (is_bounded(low) && is_bounded(high))
        range = (struct interval){low.low, high.high};
    array_push(&d->loops, (struct loop_range){.var = var, .range = range});
}

static void visit_stmt(struct detector *d, const struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_BLOCK) {
        visit_inner_block(d, stmt);
        return;
    }
    if (stmt->kind == TIR_STORE)
        record_indices(d, &d->writes, stmt->store.buffer, stmt->store.indices,
                       stmt->store.index_count, stmt->loc);
    if (stmt->kind == TIR_ALLOC)
        array_push(&d->locals, stmt->alloc.buffer);
    if (stmt->kind == TIR_DECL)
        array_push(&d->views, stmt->alloc.buffer);
    tir_stmt_walk_exprs(stmt, visit_root, d);
    if (stmt->kind == TIR_LET)
        add_let(d, stmt->let.var, stmt->let.value);
    size_t loop_count = d->loops.count;
    if (stmt->kind == TIR_FOR)
        visit_loop(d, stmt->loop.var, stmt->loop.min, stmt->loop.extent);
    if (stmt->kind == TIR_LAUNCH_THREAD)
        visit_loop(d, stmt->launch.var, NULL, stmt->launch.extent);
    const struct tir_stmt *child;
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)) != NULL; i++)
        visit_stmt(d, child);
    d->loops.count = loop_count;
}

static bool is_written(const struct detector *d, const struct ir_buffer *buffer)
{
    for (size_t i = 0; i < d->writes.count; i++)
        if (d->writes.items[i].buffer == buffer)
            return true;
    return false;
}

/* An index that was read from what the block writes is none that holds for all of it. */
static bool is_unwritten(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load || !is_written(state, a->buffer);
}

static bool is_steady(struct detector *d, struct interval dim)
{
    return is_bounded(dim) && ir_expr_walk(dim.low, is_unwritten, d) &&
           ir_expr_walk(dim.high, is_unwritten, d);
}

static void set_region(struct detector *d, const struct access *access, struct tir_region *out)
{
    const struct ir_buffer *buffer = access->buffer;
    const struct ir_expr **min =
        arena_array(&d->module->arena, const struct ir_expr *, buffer->ndim);
    const struct ir_expr **extent =
        arena_array(&d->module->arena, const struct ir_expr *, buffer->ndim);
    for (unsigned i = 0; i < buffer->ndim; i++) {
        struct interval dim = access->dims[i];
        if (!is_steady(d, dim)) {
            min[i] = zero_like(d, buffer->shape[i]);
            extent[i] = buffer->shape[i];
            continue;
        }
        const struct ir_expr *one = ir_expr_int(d->context, dim.low->dtype, 1);
        min[i] = dim.low;
        extent[i] = is_point(d, dim)
                        ? one
                        : fold(d, IR_EXPR_add, fold(d, IR_EXPR_sub, dim.high, dim.low), one);
    }
    *out = (struct tir_region){.buffer = buffer, .min = min, .extent = extent, .loc = access->loc};
}

static unsigned set_regions(struct detector *d, const struct accesses *list, bool skip_written,
                            struct tir_region **out)
{
    *out = arena_array(&d->module->arena, struct tir_region, list->count);
    unsigned count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!skip_written || !is_written(d, list->items[i].buffer))
            set_region(d, &list->items[i], &(*out)[count++]);
    return count;
}

void tir_block_infer_regions(struct ir_module *module, struct tir_stmt *block)
{
    assert(block->kind == TIR_BLOCK);
    struct detector d = {.module = module, .context = module->context, .block = block};
    for (unsigned i = 0; i < block->block.alloc_count; i++)
        array_push(&d.locals, block->block.allocs[i]);
    for (unsigned i = 0; i < block->block.axis_count; i++) {
        const struct tir_axis *axis = &block->block.axes[i];
        array_push(&d.axes, (struct ir_range){axis->var, axis->min, axis->extent});
    }
    if (block->block.init != NULL)
        visit_stmt(&d, block->block.init);
    visit_stmt(&d, block->block.body);
    if (!block->block.has_reads)
        block->block.read_count =
            set_regions(&d, &d.reads, block->block.init != NULL, &block->block.reads);
    if (!block->block.has_writes)
        block->block.write_count = set_regions(&d, &d.writes, false, &block->block.writes);
    array_finish(&d.loops);
    array_finish(&d.locals);
    array_finish(&d.views);
    array_finish(&d.lets);
    array_finish(&d.axes);
    array_finish(&d.reads);
    array_finish(&d.writes);
}

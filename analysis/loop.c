/* Dependence between the iterations of loops: all accesses of one side against all of the other. */
#include "analysis/loop.h"

#include "analysis/access/index.h"
#include "analysis/loop_meet.h"

enum { ACCESS_LIMIT = 96 }; /* different ones; beyond, pairs are too many to look at */

/* ---- sides ---- */

static void rename_access(struct loop_test *t, struct loop_access *access,
                          const struct ir_bindings *names)
{
    if (!access->indices)
        return;
    const struct ir_expr **renamed =
        arena_array(t->arena, const struct ir_expr *, access->buffer->ndim + 1);
    for (unsigned i = 0; i < access->buffer->ndim; i++)
        renamed[i] = ir_expr_substitute(t->context, access->indices[i], names);
    access->indices = renamed;
}

/* Gives all that varies new names, @var too; returns the new one of @var. */
static const struct ir_var *rename_side(struct loop_test *t, struct loop_accesses *side,
                                        const struct ir_var *var)
{
    struct ir_bindings names = {0};
    const struct ir_var *renamed = NULL;

    for (size_t i = 0; i < side->inner.count; i++) {
        const struct ir_var *old = side->inner.items[i];
        const struct ir_var *fresh = ir_var_new(t->context, old->name, old->dtype);

        array_push(&names, (struct ir_binding){old, ir_expr_var(t->context, fresh)});
        if (old == var)
            renamed = fresh;
    }
    for (size_t i = 0; i < side->items.count; i++)
        rename_access(t, &side->items.items[i], &names);
    for (size_t i = 0; i < side->ranges.count; i++) {
        struct ir_range *range = &side->ranges.items[i];
        const struct ir_expr *name = ir_bindings_find(&names, range->var);

        range->min = ir_expr_substitute(t->context, range->min, &names);
        range->extent = ir_expr_substitute(t->context, range->extent, &names);
        if (name)
            range->var = name->var;
    }
    array_finish(&names);
    return renamed;
}

static bool same_access(const struct loop_access *a, const struct loop_access *b)
{
    if (a->buffer != b->buffer || a->is_store != b->is_store || !a->indices || !b->indices)
        return false;
    for (unsigned i = 0; i < a->buffer->ndim; i++)
        if (!ir_expr_equal(a->indices[i], b->indices[i]))
            return false;
    return true;
}

/* Drops accesses that are there already: x * x. */
static void drop_repeated(struct loop_accesses *side)
{
    size_t kept = 0;

    for (size_t i = 0; i < side->items.count; i++) {
        bool is_new = true;

        for (size_t k = 0; k < kept && is_new && kept <= ACCESS_LIMIT; k++)
            is_new = !same_access(&side->items.items[i], &side->items.items[k]);
        if (is_new)
            side->items.items[kept++] = side->items.items[i];
    }
    side->items.count = kept;
}

static void add_ranges(struct loop_test *t, const struct ir_ranges *ranges)
{
    for (size_t i = 0; i < ranges->count; i++)
        array_push(&t->ranges, ranges->items[i]);
}

static void keep_only(struct loop_accesses *side, const struct ir_buffer *root)
{
    size_t kept = 0;

    for (size_t i = 0; i < side->items.count; i++)
        if (side->items.items[i].root == root)
            side->items.items[kept++] = side->items.items[i];
    side->items.count = kept;
}

/* Compares each access of @a with each of @b, which is renamed. */
static bool sides_are_apart(struct loop_test *t, struct loop_accesses *a, struct loop_accesses *b)
{
    if (a->is_opaque || b->is_opaque)
        return false;
    if (t->only) {
        keep_only(a, t->only);
        keep_only(b, t->only);
    }
    drop_repeated(a);
    drop_repeated(b);
    if (a->items.count > ACCESS_LIMIT || b->items.count > ACCESS_LIMIT)
        return false;
    for (size_t i = 0; i < a->items.count; i++)
        for (size_t k = 0; k < b->items.count; k++) {
            const struct loop_access *first = &a->items.items[i], *second = &b->items.items[k];

            if ((first->is_store || second->is_store) &&
                loop_may_share(&t->sharing, first->root, second->root) &&
                loop_may_meet(t, first, second))
                return false;
        }
    return true;
}

/* The accesses of @stmt, or those in the body of the loop that it is. */
static void start_side(struct loop_accesses *side, struct loop_scope *scope,
                       const struct tir_stmt *stmt, bool is_body)
{
    *side = (struct loop_accesses){.context = scope->context, .arena = scope->arena};
    if (is_body) {
        array_push(&side->inner, stmt->loop.var);
        loop_scope_add_range(scope, &side->ranges, stmt, false);
        stmt = stmt->loop.body;
    }
    loop_accesses_add(side, scope, stmt);
}

static int64_t step_of(struct ir_context *context, const struct tir_stmt *loop)
{
    int64_t step;

    return loop->loop.step && ir_expr_constant(context, loop->loop.step, &step) && step > 0 &&
                   step < INT32_MAX
               ? step
               : 1;
}

/* Bounds that are evaluated once, and no threads of a GPU. */
static bool is_plain_loop(const struct tir_stmt *loop)
{
    return loop->kind == TIR_FOR && loop->loop.kind != TIR_THREAD_BINDING &&
           index_is_fixed(loop->loop.min) && index_is_fixed(loop->loop.extent) &&
           (!loop->loop.step || index_is_fixed(loop->loop.step));
}

static bool compare(struct loop_test *t, struct loop_scope *scope, const struct tir_stmt *first,
                    const struct tir_stmt *second)
{
    struct loop_accesses a, b;

    bool has_var = t->order != LOOP_ORDER_ALL;

    start_side(&a, scope, first, has_var);
    start_side(&b, scope, second, has_var);
    loop_accesses_settle(&a, &b, scope, &t->sharing);
    loop_accesses_settle(&b, &a, scope, &t->sharing);
    t->v = has_var ? first->loop.var : NULL;
    t->v2 = rename_side(t, &b, has_var ? second->loop.var : NULL);
    add_ranges(t, &scope->ranges);
    add_ranges(t, &a.ranges);
    add_ranges(t, &b.ranges);
    bool is_apart = sides_are_apart(t, &a, &b);
    array_finish(&t->ranges);
    map_finish(&t->twins);
    loop_accesses_finish(&a);
    loop_accesses_finish(&b);
    return is_apart;
}

static bool ask(const struct tir_func *func, const bool *may_overlap, const struct ir_buffer *only,
                const struct tir_stmt *first, const struct tir_stmt *second, enum loop_order order)
{
    struct arena arena = {0};
    struct loop_scope scope;
    struct loop_test t = {
        .context = func->module->context,
        .arena = &arena,
        .sharing = {func, may_overlap},
        .step = 1,
        .order = order,
        .only = only,
    };

    if (order != LOOP_ORDER_ALL)
        t.step = step_of(t.context, first);
    /* Of statements that are not in @func, less is known: their surroundings are taken as fixed. */
    (void)loop_scope_enter(&scope, &arena, func, first);
    bool result = compare(&t, &scope, first, second);
    loop_scope_finish(&scope);
    arena_finish(&arena);
    return result;
}

static bool runs_once(struct ir_context *context, const struct ir_ranges *ranges,
                      const struct tir_stmt *loop)
{
    return ir_interval_of(context, ranges, loop->loop.extent).high <= 1;
}

bool loop_is_independent(const struct tir_func *func, const struct tir_stmt *loop,
                         const bool *may_overlap)
{
    return is_plain_loop(loop) && (runs_once(func->module->context, NULL, loop) ||
                                   ask(func, may_overlap, NULL, loop, loop, LOOP_ORDER_ANY));
}

bool loop_has_private(const struct tir_func *func, const struct tir_stmt *loop,
                      const struct ir_buffer *buffer)
{
    return is_plain_loop(loop) && ask(func, NULL, buffer, loop, loop, LOOP_ORDER_ANY);
}

bool loop_have_same_range(struct ir_context *context, const struct tir_stmt *a,
                          const struct tir_stmt *b)
{
    if (!ir_dtype_equal(a->loop.var->dtype, b->loop.var->dtype) || !a->loop.step != !b->loop.step)
        return false;
    return ir_prove_equal(context, a->loop.min, b->loop.min) &&
           ir_prove_equal(context, a->loop.extent, b->loop.extent) &&
           (!a->loop.step || ir_prove_equal(context, a->loop.step, b->loop.step));
}

static bool can_fuse(const struct tir_func *func, const struct tir_stmt *first,
                     const struct tir_stmt *second, enum loop_order order)
{
    return is_plain_loop(first) && is_plain_loop(second) &&
           loop_have_same_range(func->module->context, first, second) &&
           ask(func, NULL, NULL, first, second, order);
}

bool loop_can_fuse(const struct tir_func *func, const struct tir_stmt *first,
                   const struct tir_stmt *second)
{
    return can_fuse(func, first, second, LOOP_ORDER_LATER);
}

bool loop_can_fuse_independently(const struct tir_func *func, const struct tir_stmt *first,
                                 const struct tir_stmt *second)
{
    return can_fuse(func, first, second, LOOP_ORDER_ANY);
}

bool loop_has_few_accesses(const struct tir_func *func, const struct tir_stmt *loop)
{
    struct arena arena = {0};
    struct loop_scope scope;
    struct loop_accesses side;
    struct loop_sharing sharing = {func, NULL};

    (void)loop_scope_enter(&scope, &arena, func, loop);
    start_side(&side, &scope, loop, true);
    loop_accesses_settle(&side, NULL, &scope, &sharing);
    drop_repeated(&side);
    bool result = side.items.count <= ACCESS_LIMIT;
    loop_accesses_finish(&side);
    loop_scope_finish(&scope);
    arena_finish(&arena);
    return result;
}

bool loop_can_swap(const struct tir_func *func, const struct tir_stmt *first,
                   const struct tir_stmt *second)
{
    return ask(func, NULL, NULL, first, second, LOOP_ORDER_ALL);
}

/* ---- one store ---- */

struct known {
    const struct tir_func *func;
    const struct loop_scope *scope;
};

/* A variable that is fixed in the kernel, or one of a loop around; lets of elements are neither. */
static bool is_known(void *state, const struct ir_expr *a)
{
    const struct known *known = state;

    if (a->kind == IR_EXPR_load)
        return false;
    if (a->kind != IR_EXPR_var || a->var->is_symbol)
        return true;
    for (unsigned i = 0; i < known->func->param_count; i++)
        if (known->func->params[i].var == a->var)
            return true;
    for (size_t i = 0; i < known->scope->loops.count; i++)
        if (known->scope->loops.items[i]->loop.var == a->var)
            return true;
    return false;
}

static bool store_access(const struct tir_func *func, struct loop_scope *scope,
                         const struct tir_stmt *store, struct loop_access *out)
{
    struct loop_accesses one = {0};
    struct known known = {func, scope};
    bool is_fine = true;

    loop_accesses_add(&one, scope, store);
    *out = array_last(&one.items);
    is_fine = !one.is_opaque && out->indices && out->is_store;
    for (unsigned i = 0; is_fine && i < out->buffer->ndim; i++)
        is_fine = ir_expr_walk(out->indices[i], is_known, &known);
    loop_accesses_finish(&one);
    return is_fine;
}

struct store_place {
    struct loop_scope scope;
    struct loop_access access;
};

static bool enter_store(struct store_place *place, struct arena *arena, const struct tir_func *func,
                        const struct tir_stmt *store)
{
    return loop_scope_enter(&place->scope, arena, func, store) && place->scope.is_plain &&
           store_access(func, &place->scope, store, &place->access);
}

/* The access of @place with new names for what the loops from @level on count; returns that of @var. */
static const struct ir_var *rename_place(struct loop_test *t, const struct store_place *place,
                                         size_t level, const struct ir_var *var,
                                         struct loop_accesses *out)
{
    *out = (struct loop_accesses){.context = t->context, .arena = t->arena};
    array_push(&out->items, place->access);
    for (size_t i = level; i < place->scope.loops.count; i++) {
        const struct ir_var *inner = place->scope.loops.items[i]->loop.var;

        array_push(&out->inner, inner);
        for (size_t k = 0; k < place->scope.ranges.count; k++)
            if (place->scope.ranges.items[k].var == inner)
                array_push(&out->ranges, place->scope.ranges.items[k]);
    }
    return rename_side(t, out, var);
}

/*
 * Do @a and @b never write one element where the loops above @level, which are around both, are in one
 * iteration, and loop @level, if it is around both (@has_loop), in two different ones?
 */
static bool are_apart_at(struct loop_test *t, const struct store_place *a,
                         const struct store_place *b, size_t level, bool has_loop)
{
    struct loop_accesses other;

    t->v = NULL;
    t->order = LOOP_ORDER_ALL;
    if (has_loop) {
        const struct tir_stmt *loop = a->scope.loops.items[level];

        if (!is_plain_loop(loop))
            return false;
        if (runs_once(t->context, &a->scope.ranges, loop))
            return true;
        t->step = step_of(t->context, loop);
        t->v = loop->loop.var;
        t->order = LOOP_ORDER_ANY;
    }
    t->v2 = rename_place(t, b, level, t->v, &other);
    t->ranges.count = 0;
    map_finish(&t->twins);
    add_ranges(t, &a->scope.ranges);
    add_ranges(t, &other.ranges);
    bool result = !loop_may_meet(t, &a->access, &other.items.items[0]);
    loop_accesses_finish(&other);
    return result;
}

bool loop_stores_are_apart(const struct tir_func *func, const struct tir_stmt *first,
                           const struct tir_stmt *second)
{
    struct arena arena = {0};
    struct store_place a, b;
    struct loop_test t = {
        .context = func->module->context, .arena = &arena, .sharing = {func, NULL}};
    bool is_found = enter_store(&a, &arena, func, first);
    bool result = enter_store(&b, &arena, func, second) && is_found;
    size_t common = 0;

    for (; result && common < a.scope.loops.count && common < b.scope.loops.count &&
           a.scope.loops.items[common] == b.scope.loops.items[common];
         common++)
        result = are_apart_at(&t, &a, &b, common, true);
    if (result && first != second)
        result = are_apart_at(&t, &a, &b, common, false);
    array_finish(&t.ranges);
    map_finish(&t.twins);
    loop_scope_finish(&a.scope);
    loop_scope_finish(&b.scope);
    arena_finish(&arena);
    return result;
}

/*
 * Dependence tests between the iterations of loops.
 *
 * Two accesses e = c * v + r and e' = c' * v' + r' of one dimension (or of some dimensions taken
 * together) never meet in two different iterations if c = c' and |r - r'| < c, for all values that the
 * variables of inner loops take in either: those of one side get new names.
 */
#include "analysis/loop.h"

#include "analysis/loop_access.h"

#include <string.h>

enum { ACCESS_LIMIT = 96 }; /* different ones; beyond, pairs are too many to look at */

/* Which iterations of the two sides run at times that are not those of the text. */
enum order {
    ORDER_ANY,   /* any two different ones */
    ORDER_LATER, /* the first side's is later: v > v' */
    ORDER_ALL,   /* all of them: there is no common loop */
};

struct test {
    struct ir_context *context;
    struct arena *arena;
    struct loop_sharing sharing;
    struct ir_ranges ranges;     /* of both sides */
    const struct ir_var *v, *v2; /* the loop variable, on either side; NULL: none */
    int64_t step;                /* between two iterations */
    enum order order;
    struct map twins; /* variable of another dtype -> the same as int64 */
};

static const struct ir_expr *binary(struct test *t, enum ir_expr_kind kind, const struct ir_expr *a,
                                    const struct ir_expr *b)
{
    return ir_expr_binary(t->context, kind, a, b);
}

static const struct ir_expr *put(struct test *t, const struct ir_expr *a, const struct ir_var *var,
                                 const struct ir_expr *value)
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
static struct linear split(struct test *t, const struct ir_expr *a, const struct ir_var *var)
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

static bool ge(struct test *t, const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_prove_ge(t->context, &t->ranges, a, b);
}

/* Is factor * k + difference != 0 for all k that count (see enum order)? */
static bool is_apart(struct test *t, const struct ir_expr *factor, const struct ir_expr *difference)
{
    struct ir_context *context = t->context;
    const struct ir_expr *zero = ir_expr_int(context, factor->dtype, 0);
    const struct ir_expr *one = ir_expr_int(context, factor->dtype, 1);

    if (t->order == ORDER_ALL)
        return ge(t, difference, one) || ge(t, binary(t, IR_EXPR_sub, zero, difference), one);
    const struct ir_expr *stride =
        binary(t, IR_EXPR_mul, factor, ir_expr_int(context, factor->dtype, t->step));
    const struct ir_expr *minus = binary(t, IR_EXPR_sub, zero, difference);
    const struct ir_expr *up = binary(t, IR_EXPR_sub, stride, one);
    const struct ir_expr *down = binary(t, IR_EXPR_sub, binary(t, IR_EXPR_sub, zero, stride), one);
    bool any = t->order == ORDER_ANY;
    /* growing: from k = 1 on it is at least stride + difference */
    if (ge(t, factor, zero) && ge(t, up, minus) && (!any || ge(t, up, difference)))
        return true;
    return ge(t, zero, factor) && ge(t, down, difference) && (!any || ge(t, down, minus));
}

/* Is factor * (all that the loop counts) a number that @dtype holds? */
static bool is_small(struct test *t, struct ir_dtype dtype, const struct ir_expr *factor)
{
    struct ir_interval f = ir_interval_of(t->context, NULL, factor);
    int64_t count = INT64_MAX, limit = INT64_C(1) << 32;

    for (size_t i = 0; t->v && i < t->ranges.count; i++)
        if (t->ranges.items[i].var == t->v)
            count = ir_interval_of(t->context, &t->ranges, t->ranges.items[i].extent).high;
    if (dtype.bits == 64 && count > INT64_C(1) << 48)
        count = INT64_C(1) << 48; /* more iterations never end */
    if (f.low < -limit || f.high > limit || dtype.bits < 8)
        return false;
    int64_t size = -f.low > f.high ? -f.low : f.high;
    return size == 0 || count <= (INT64_C(1) << (dtype.bits - 2)) / size;
}

/* Sums and products of what is known, and elements that both sides read: then wrapping cancels. */
static bool is_ring(struct test *t, const struct ir_expr *a)
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
        return loop_index_is_exact(t->context, &t->ranges, a);
    }
}

/* ---- int64 ---- */

static const struct ir_expr *widen(struct test *t, const struct ir_expr *a);

static const struct ir_var *twin_of(struct test *t, const struct ir_var *var)
{
    if (!var || ir_dtype_equal(var->dtype, IR_I64))
        return var;
    struct ir_var *twin = map_get(&t->twins, var);
    if (twin)
        return twin;
    twin = ir_symbol_new(t->context, var->name, IR_I64);
    twin->is_symbol = var->is_symbol;
    map_set(&t->twins, var, twin);
    for (size_t i = 0; i < t->ranges.count; i++) {
        struct ir_range range = t->ranges.items[i];

        if (range.var == var && loop_index_is_exact(t->context, &t->ranges, range.min) &&
            loop_index_is_exact(t->context, &t->ranges, range.extent)) {
            range = (struct ir_range){twin, widen(t, range.min), widen(t, range.extent)};
            array_push(&t->ranges, range);
            break;
        }
    }
    return twin;
}

/* The number that @a, which is exact, stands for, computed in int64. */
static const struct ir_expr *widen(struct test *t, const struct ir_expr *a)
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
static bool never_equal(struct test *t, const struct ir_expr *a, const struct ir_var *v,
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
    return is_apart(t, p.factor, difference);
}

static bool never_equal_exact(struct test *t, const struct ir_expr *a, const struct ir_expr *b)
{
    a = widen(t, a);
    b = widen(t, b);
    return never_equal(t, a, twin_of(t, t->v), b, twin_of(t, t->v2), true);
}

/* x % d as x - x // d * d, so that it meets the x // d of another dimension. */
static const struct ir_expr *without_floormod(void *state, const struct ir_expr *a)
{
    struct test *t = state;

    if (a->kind != IR_EXPR_floormod)
        return a;
    const struct ir_expr *quotient = binary(t, IR_EXPR_floordiv, a->operands[0], a->operands[1]);
    return binary(t, IR_EXPR_sub, a->operands[0], binary(t, IR_EXPR_mul, quotient, a->operands[1]));
}

/* indices[first..last] as one index in row-major order, in int64. */
static const struct ir_expr *together(struct test *t, const struct ir_buffer *buffer,
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

static bool same_layout(struct test *t, const struct ir_buffer *a, const struct ir_buffer *b)
{
    if (a == b)
        return true;
    bool is_same = a->ndim == b->ndim && ir_dtype_equal(a->dtype, b->dtype) && !a->strides &&
                   !b->strides && !a->elem_offset && !b->elem_offset;

    for (unsigned i = 0; is_same && i < a->ndim; i++)
        is_same = ir_prove_equal(t->context, ir_expr_cast(t->context, IR_I64, a->shape[i]),
                                 ir_expr_cast(t->context, IR_I64, b->shape[i]));
    return is_same;
}

static bool is_no_element(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load && a->kind != IR_EXPR_call;
}

/* Are the extents what they were when the buffer was made, as numbers? */
static bool has_fixed_shape(struct test *t, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < buffer->ndim; i++)
        if (!ir_expr_walk(buffer->shape[i], is_no_element, NULL) ||
            (buffer->shape[i]->dtype.bits < 64 &&
             !loop_index_is_exact(t->context, &t->ranges, buffer->shape[i])))
            return false;
    return true;
}

static bool never_meet(struct test *t, const struct loop_access *a, const struct loop_access *b)
{
    bool exact_a[32], exact_b[32];

    /* Rectangles and other looks at storage may lie elsewhere each time; strides may overlap. */
    bool is_comparable = a->buffer == a->root && b->buffer == b->root && !a->buffer->strides;

    if (!a->indices || !b->indices || !is_comparable || a->buffer->ndim > ARRAY_SIZE(exact_a) ||
        !same_layout(t, a->buffer, b->buffer))
        return false;
    for (unsigned i = 0; i < a->buffer->ndim; i++) {
        exact_a[i] =
            loop_index_is_exact_below(t->context, &t->ranges, a->indices[i], a->buffer->shape[i]);
        exact_b[i] =
            loop_index_is_exact_below(t->context, &t->ranges, b->indices[i], b->buffer->shape[i]);
        if (exact_a[i] && exact_b[i] && never_equal_exact(t, a->indices[i], b->indices[i]))
            return true;
        if (is_ring(t, a->indices[i]) && is_ring(t, b->indices[i]) &&
            never_equal(t, a->indices[i], t->v, b->indices[i], t->v2, false))
            return true;
    }
    for (unsigned i = 0; i < a->buffer->ndim && has_fixed_shape(t, a->buffer); i++)
        for (unsigned k = i; k < a->buffer->ndim && exact_a[k] && exact_b[k]; k++)
            if (k > i && never_equal_exact(t, together(t, a->buffer, a->indices, i, k),
                                           together(t, a->buffer, b->indices, i, k)))
                return true;
    return false;
}

/* ---- sides ---- */

static void rename_access(struct test *t, struct loop_access *access,
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
static const struct ir_var *rename_side(struct test *t, struct loop_accesses *side,
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

static void add_ranges(struct test *t, const struct ir_ranges *ranges)
{
    for (size_t i = 0; i < ranges->count; i++)
        array_push(&t->ranges, ranges->items[i]);
}

/* Compares each access of @a with each of @b, which is renamed. */
static bool sides_are_apart(struct test *t, struct loop_accesses *a, struct loop_accesses *b)
{
    if (a->is_opaque || b->is_opaque)
        return false;
    drop_repeated(a);
    drop_repeated(b);
    if (a->items.count > ACCESS_LIMIT || b->items.count > ACCESS_LIMIT)
        return false;
    for (size_t i = 0; i < a->items.count; i++)
        for (size_t k = 0; k < b->items.count; k++) {
            const struct loop_access *first = &a->items.items[i], *second = &b->items.items[k];

            if ((first->is_store || second->is_store) &&
                loop_may_share(&t->sharing, first->root, second->root) &&
                !never_meet(t, first, second))
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
           ir_expr_walk(loop->loop.min, is_no_element, NULL) &&
           ir_expr_walk(loop->loop.extent, is_no_element, NULL) &&
           (!loop->loop.step || ir_expr_walk(loop->loop.step, is_no_element, NULL));
}

static bool compare(struct test *t, struct loop_scope *scope, const struct tir_stmt *first,
                    const struct tir_stmt *second)
{
    struct loop_accesses a, b;

    bool has_var = t->order != ORDER_ALL;

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

static bool ask(const struct tir_func *func, const bool *may_overlap, const struct tir_stmt *first,
                const struct tir_stmt *second, enum order order)
{
    struct arena arena = {0};
    struct loop_scope scope;
    struct test t = {
        .context = func->module->context,
        .arena = &arena,
        .sharing = {func, may_overlap},
        .step = 1,
        .order = order,
    };

    if (order != ORDER_ALL)
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
                                   ask(func, may_overlap, loop, loop, ORDER_ANY));
}

static bool same_range(struct ir_context *context, const struct tir_stmt *a,
                       const struct tir_stmt *b)
{
    if (!ir_dtype_equal(a->loop.var->dtype, b->loop.var->dtype) || !a->loop.step != !b->loop.step)
        return false;
    return ir_prove_equal(context, a->loop.min, b->loop.min) &&
           ir_prove_equal(context, a->loop.extent, b->loop.extent) &&
           (!a->loop.step || ir_prove_equal(context, a->loop.step, b->loop.step));
}

bool loop_can_fuse(const struct tir_func *func, const struct tir_stmt *first,
                   const struct tir_stmt *second)
{
    return is_plain_loop(first) && is_plain_loop(second) &&
           same_range(func->module->context, first, second) &&
           ask(func, NULL, first, second, ORDER_LATER);
}

bool loop_can_swap(const struct tir_func *func, const struct tir_stmt *first,
                   const struct tir_stmt *second)
{
    return ask(func, NULL, first, second, ORDER_ALL);
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

/* Do two iterations of loop @level around never write one element, whatever the loops below do? */
static bool is_injective_in(struct test *t, const struct loop_scope *scope,
                            const struct loop_access *access, size_t level)
{
    struct loop_accesses other = {.context = t->context, .arena = t->arena};
    const struct tir_stmt *loop = scope->loops.items[level];

    if (!is_plain_loop(loop))
        return false;
    if (runs_once(t->context, &scope->ranges, loop))
        return true;
    array_push(&other.items, *access);
    for (size_t i = level; i < scope->loops.count; i++) {
        const struct ir_var *var = scope->loops.items[i]->loop.var;

        array_push(&other.inner, var);
        for (size_t k = 0; k < scope->ranges.count; k++)
            if (scope->ranges.items[k].var == var)
                array_push(&other.ranges, scope->ranges.items[k]);
    }
    t->step = step_of(t->context, loop);
    t->v = loop->loop.var;
    t->v2 = rename_side(t, &other, t->v);
    t->ranges.count = 0;
    add_ranges(t, &scope->ranges);
    add_ranges(t, &other.ranges);
    bool is_injective = never_meet(t, access, &other.items.items[0]);
    loop_accesses_finish(&other);
    return is_injective;
}

bool loop_store_is_injective(const struct tir_func *func, const struct tir_stmt *store)
{
    struct arena arena = {0};
    struct loop_scope scope;
    struct loop_access access;
    struct test t = {.context = func->module->context, .arena = &arena, .order = ORDER_ANY};
    bool result = loop_scope_enter(&scope, &arena, func, store) && scope.is_plain &&
                  store_access(func, &scope, store, &access);

    for (size_t i = 0; result && i < scope.loops.count; i++)
        result = is_injective_in(&t, &scope, &access, i);
    array_finish(&t.ranges);
    map_finish(&t.twins);
    loop_scope_finish(&scope);
    arena_finish(&arena);
    return result;
}

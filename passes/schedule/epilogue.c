/*
 * What follows a product and reads each of its elements once is computed where the element is stored:
 *
 *     for i, j: for k: c[i, j] += ..                for i, j: acc = ..
 *     for i, j: y[i, j] = f(c[i, j], b[j])    ==>             y[i, j] = f(acc, b[j])
 *
 * so that c need not exist.
 */
#include "passes/schedule/epilogue.h"

#include "analysis/access/loop.h"

enum { LONG_SIZE = 24 }; /* nodes of what is computed of an element */

struct counting {
    const struct ir_buffer *buffer;
    unsigned count;
};

static bool count_loads(void *state, const struct ir_expr *a)
{
    struct counting *counting = state;

    counting->count += a->buffer == counting->buffer;
    return true;
}

static bool count_in_expr(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, count_loads, state);
}

static bool count_in_stmt(void *state, struct tir_stmt *stmt)
{
    struct counting *counting = state;

    counting->count += stmt->kind == TIR_STORE && stmt->store.buffer == counting->buffer;
    tir_stmt_walk_exprs(stmt, count_in_expr, state);
    return true;
}

/* How often @buffer is named in @stmt. */
static unsigned uses(struct tir_stmt *stmt, const struct ir_buffer *buffer)
{
    struct counting counting = {.buffer = buffer};

    if (stmt)
        (void)tir_stmt_walk(stmt, count_in_stmt, &counting);
    return counting.count;
}

static bool is_param(const struct tir_func *func, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer == buffer)
            return true;
    return false;
}

static bool find_load(void *state, const struct ir_expr *a)
{
    struct epilogue *e = state;

    if (a->kind == IR_EXPR_load && a->buffer == e->c) {
        if (e->load && !ir_expr_equal(e->load, a))
            e->is_mixed = true;
        e->load = a;
    }
    return true;
}

/* @a where all loops of @nest begin, or where they end. */
static const struct ir_expr *at_bound(struct schedule *s, const struct nest *nest,
                                      const struct ir_expr *a, bool is_end)
{
    for (unsigned n = 0; n < nest->count; n++) {
        const struct tir_stmt *loop = nest->loops[n];
        const struct ir_expr *bound = sch_int(s, loop->loop.var->dtype, is_end);

        if (is_end)
            bound = sch_sub(s, loop->loop.extent, bound);
        a = sch_put(s, a, loop->loop.var, bound);
    }
    return a;
}

/* How many elements of an axis the loops of @nest touch, whose index there is @index: each another. */
static const struct ir_expr *touched(struct schedule *s, const struct nest *nest,
                                     const struct ir_expr *index)
{
    const struct ir_expr *count = sch_int(s, index->dtype, 1);

    for (unsigned n = 0; n < nest->count; n++)
        if (ir_expr_uses_var(index, nest->loops[n]->loop.var))
            count = ir_expr_binary(s->context, IR_EXPR_mul, count, nest->loops[n]->loop.extent);
    return ir_simplify(s->context, count);
}

/*
 * Does loop @loop go over all of axis @axis of C, and the product, whose loops are those of @nest, too?
 * What it does not make may be there from before, or asked for by nobody.
 */
static bool is_whole(struct schedule *s, const struct nest *nest, const struct tir_stmt *loop,
                     unsigned axis)
{
    const struct ir_expr *index = nest->store->store.indices[axis];
    const struct ir_expr *extent = nest->store->store.buffer->shape[axis];
    const struct ir_expr *zero = sch_int(s, extent->dtype, 0), *one = sch_int(s, extent->dtype, 1);

    return sch_is_fixed(index) && ir_dtype_equal(loop->loop.var->dtype, extent->dtype) &&
           ir_dtype_equal(index->dtype, extent->dtype) &&
           ir_prove_equal(s->context, loop->loop.extent, extent) &&
           ir_prove_equal(s->context, touched(s, nest, index), extent) &&
           ir_prove_equal(s->context, at_bound(s, nest, index, false), zero) &&
           ir_prove_equal(s->context, at_bound(s, nest, index, true), sch_sub(s, extent, one));
}

static bool read_nest(struct schedule *s, const struct nest *nest, struct tir_stmt *stmt,
                      struct epilogue *e)
{
    struct tir_stmt *loops[MATMUL_LOOP_LIMIT];
    unsigned count = 0, matched = 0;

    for (; stmt->kind == TIR_FOR; stmt = stmt->loop.body) {
        if (!sch_is_plain_loop(stmt) || !sch_is_counted(s, stmt) || count == MATMUL_LOOP_LIMIT)
            return false;
        loops[count++] = stmt;
    }
    if (stmt->kind != TIR_STORE || stmt->store.predicate || stmt->store.buffer == e->c ||
        stmt->store.value->dtype.lanes != 1 || !sch_is_pure(stmt->store.value) ||
        sch_reads(stmt->store.value, stmt->store.buffer))
        return false;
    e->store = stmt;
    for (unsigned i = 0; i < stmt->store.index_count; i++)
        if (!sch_is_fixed(stmt->store.indices[i]))
            return false;
    /* Elements that are stored twice keep the last value, and products come in another order. */
    for (unsigned n = 0; n < count; n++)
        if (!loop_is_independent(s->func, loops[n], NULL))
            return false;
    (void)ir_expr_walk(stmt->store.value, find_load, e);
    if (!e->load || e->is_mixed || e->c->ndim > ARRAY_SIZE(e->vars))
        return false;
    for (unsigned d = 0; d < e->c->ndim; d++) {
        const struct ir_expr *index = e->load->operands[d];

        e->vars[d] = NULL;
        for (unsigned n = 0; n < count && index->kind == IR_EXPR_var; n++)
            if (loops[n]->loop.var == index->var && is_whole(s, nest, loops[n], d))
                e->vars[d] = index->var;
        for (unsigned k = 0; k < d && e->vars[d]; k++)
            if (e->vars[k] == e->vars[d])
                return false;
        matched += e->vars[d] != NULL;
        if (!e->vars[d] && (!ir_expr_is_int(index, 0) || !ir_expr_is_int(e->c->shape[d], 1)))
            return false;
    }
    return matched == count;
}

bool epilogue_read(struct schedule *s, const struct nest *nest, struct tir_stmt *product,
                   struct tir_stmt *before, struct tir_stmt *after, struct epilogue *out)
{
    const struct ir_buffer *c = nest->store->store.buffer;

    *out = (struct epilogue){.c = c};
    /* Nor may the product read what is stored: elements of it would be stored before others are read. */
    return after && !is_param(s->func, c) && read_nest(s, nest, after, out) &&
           uses(product, out->store->store.buffer) == 0 &&
           uses(before, out->store->store.buffer) == 0 &&
           uses(s->func->body, c) == uses(product, c) + uses(before, c) + uses(after, c);
}

struct putting {
    const struct epilogue *e;
    const struct ir_expr *value;
};

static const struct ir_expr *replace_load(void *state, const struct ir_expr *a)
{
    const struct putting *put = state;

    return a->kind == IR_EXPR_load && a->buffer == put->e->c ? put->value : a;
}

struct tir_stmt *epilogue_store(struct schedule *s, const struct epilogue *e,
                                const struct ir_expr *const *at, const struct ir_expr *value)
{
    const struct tir_stmt *store = e->store;
    const struct ir_expr **indices =
        arena_array(&s->run->scratch, const struct ir_expr *, store->store.index_count + 1);
    struct putting put = {e, value};
    struct ir_bindings all = {0};

    for (unsigned d = 0; d < e->c->ndim; d++)
        if (e->vars[d])
            array_push(&all, (struct ir_binding){e->vars[d], at[d]});
    for (unsigned i = 0; i < store->store.index_count; i++)
        indices[i] =
            ir_simplify(s->context, ir_expr_substitute(s->context, store->store.indices[i], &all));
    /* In this order: @value may have variables of its own. */
    const struct ir_expr *result = ir_expr_substitute(s->context, store->store.value, &all);
    result = ir_expr_rewrite(s->context, result, replace_load, &put);
    array_finish(&all);
    struct tir_stmt *out = sch_store(s, store->store.buffer, indices, result);
    out->loc = store->loc;
    return out;
}

static bool is_no_call(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_call;
}

bool epilogue_is_long(const struct epilogue *e)
{
    const struct ir_expr *value = e->store->store.value;

    return value->size > LONG_SIZE || !ir_expr_walk(value, is_no_call, NULL);
}

/* Allocations of a buffer that nobody names. */
static struct tir_stmt *drop_alloc(struct loop_map *map, struct tir_stmt *stmt)
{
    return stmt->kind == TIR_ALLOC && stmt->alloc.buffer == map->state ? NULL
                                                                       : loop_map_parts(map, stmt);
}

void epilogue_drop(struct schedule *s, const struct ir_buffer *buffer)
{
    union {
        const struct ir_buffer *buffer;
        void *state;
    } dropped = {.buffer = buffer};
    struct loop_map map = {.module = s->module, .state = dropped.state, .stmt = drop_alloc};

    if (uses(s->func->body, buffer) == 0)
        s->func->body = drop_alloc(&map, s->func->body);
}

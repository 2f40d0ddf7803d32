#include "passes/fuse/inline_value.h"

#include "base/array.h"
#include "ir/arith.h"
#include "ir/module.h"

#include <string.h>

enum {
    SIZE_LIMIT = 4096,
    LET_DEPTH = 48, /* expressions that would nest deeper get a T.Let */
};

/* ---- cost ---- */

static bool add_cost(void *state, const struct ir_expr *a)
{
    unsigned *cost = state;

    switch (a->kind) {
    case IR_EXPR_var:
    case IR_EXPR_int:
    case IR_EXPR_float:
    case IR_EXPR_string:
    case IR_EXPR_load:
    case IR_EXPR_let:
        break;
    case IR_EXPR_div:
    case IR_EXPR_mod:
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
        *cost += 4;
        break;
    case IR_EXPR_call:
        *cost += strcmp(a->name, "abs") == 0 || strcmp(a->name, "fabs") == 0 ||
                         strcmp(a->name, "if_then_else") == 0
                     ? 1
                     : 12;
        break;
    default:
        *cost += 1;
        break;
    }
    return *cost < 1000;
}

unsigned inline_value_cost(const struct ir_expr *value)
{
    unsigned cost = 0;

    (void)ir_expr_walk(value, add_cost, &cost);
    return cost;
}

/* ---- loads of a buffer in the statements of a nest ---- */

typedef void stmt_fn(void *state, struct tir_stmt *stmt);

/* Calls @visit on each statement: T.init's, then the body's. */
static void walk_leaves(const struct perfect_nest *nest, stmt_fn *visit, void *state)
{
    if (nest->init && nest->init->kind == TIR_SEQ)
        for (unsigned i = 0; i < nest->init->seq.count; i++)
            visit(state, nest->init->seq.items[i]);
    else if (nest->init)
        visit(state, nest->init);
    for (unsigned i = 0; i < nest->body_count; i++)
        visit(state, nest->body[i]);
}

static bool same_indices(const struct ir_expr *a, const struct ir_expr *b)
{
    for (unsigned i = 0; i < a->operand_count; i++)
        if (!ir_expr_equal(a->operands[i], b->operands[i]))
            return false;
    return true;
}

struct use_walk {
    const struct perfect_nest *nest;
    const struct ir_buffer *buffer;
    struct inline_uses *uses;
    const struct tir_stmt *stmt, *first_stmt;
    unsigned count; /* loads */
};

static bool note_use(void *state, const struct ir_expr *a)
{
    struct use_walk *walk = state;

    if (a->kind != IR_EXPR_load || a->buffer != walk->buffer)
        return true;
    walk->count++;
    if (!walk->uses->first) {
        walk->uses->first = a;
        walk->first_stmt = walk->stmt;
    } else if (walk->stmt != walk->first_stmt || !same_indices(walk->uses->first, a)) {
        walk->uses->is_several = true;
    }
    for (unsigned i = 0; i < walk->nest->axis_count; i++) {
        bool is_used = ir_expr_is_int(walk->nest->axes[i].extent, 1);

        for (unsigned k = 0; k < a->operand_count; k++)
            is_used |= ir_expr_uses_var(a->operands[k], walk->nest->axes[i].var);
        walk->uses->is_repeated |= !is_used;
    }
    return true;
}

static bool note_uses(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, note_use, state);
}

static void note_stmt(void *state, struct tir_stmt *stmt)
{
    struct use_walk *walk = state;

    walk->stmt = stmt;
    (void)tir_stmt_walk_exprs(stmt, note_uses, walk);
}

void inline_value_uses(const struct perfect_nest *nest, const struct ir_buffer *buffer,
                       struct inline_uses *uses)
{
    struct use_walk walk = {.nest = nest, .buffer = buffer, .uses = uses};

    walk_leaves(nest, note_stmt, &walk);
}

struct fit_walk {
    const struct ir_buffer *buffer;
    const struct ir_expr *value;
    unsigned depth_limit, loads;
    bool fits;
};

static bool count_load(void *state, const struct ir_expr *a)
{
    struct fit_walk *walk = state;

    walk->loads += a->kind == IR_EXPR_load && a->buffer == walk->buffer;
    return true;
}

static bool fits_below(void *state, const struct ir_expr *a)
{
    struct fit_walk *walk = state;

    walk->loads = 0;
    (void)ir_expr_walk(a, count_load, walk);
    if (walk->loads > 0)
        walk->fits &= a->depth + walk->value->depth <= walk->depth_limit &&
                      a->size + (uint64_t)walk->loads * walk->value->size <= SIZE_LIMIT;
    return true;
}

static void fits_stmt(void *state, struct tir_stmt *stmt)
{
    (void)tir_stmt_walk_exprs(stmt, fits_below, state);
}

bool inline_value_fits(const struct perfect_nest *nest, const struct ir_buffer *buffer,
                       const struct tir_stmt *store, unsigned depth_limit)
{
    struct fit_walk walk = {
        .buffer = buffer, .value = store->store.value, .depth_limit = depth_limit, .fits = true};

    walk_leaves(nest, fits_stmt, &walk);
    return walk.fits;
}

/* ---- the value at given indices ---- */

struct instance {
    struct ir_context *context;
    const struct ir_ranges *ranges;       /* of the axes around */
    const struct ir_expr *const *indices; /* of the load that it stands for */
    unsigned count;
    struct ir_bindings bindings;
};

static bool rename_let(void *state, const struct ir_expr *a)
{
    struct instance *in = state;

    if (a->kind == IR_EXPR_let && !ir_bindings_find(&in->bindings, a->var))
        array_push(&in->bindings,
                   (struct ir_binding){
                       a->var, ir_expr_var(in->context,
                                           ir_var_new(in->context, a->var->name, a->var->dtype))});
    return true;
}

static bool fits_int32(const struct instance *in, const struct ir_expr *a)
{
    struct ir_interval range = ir_interval_of(in->context, in->ranges, a);

    return range.low >= INT32_MIN && range.high <= INT32_MAX;
}

/* The int32 expression @a in int64, where nothing in it wraps; NULL where that is not known. */
static const struct ir_expr *widen(const struct instance *in, const struct ir_expr *a)
{
    const struct ir_expr *wide = NULL;

    switch (a->kind) {
    case IR_EXPR_int:
        return ir_expr_int(in->context, IR_I64, a->int_value);
    case IR_EXPR_cast:
        wide = ir_dtype_equal(a->operands[0]->dtype, IR_I64) ? a->operands[0] : NULL;
        break;
    case IR_EXPR_add:
    case IR_EXPR_sub:
    case IR_EXPR_mul:
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
    case IR_EXPR_min:
    case IR_EXPR_max: {
        const struct ir_expr *x = widen(in, a->operands[0]);
        const struct ir_expr *y = x ? widen(in, a->operands[1]) : NULL;

        wide = y ? ir_expr_binary(in->context, a->kind, x, y) : NULL;
        break;
    }
    default:
        break;
    }
    return wide && fits_int32(in, wide) ? wide : NULL;
}

/*
 * Lets get their new variable.  An index that was converted to the dtype of the producer's axis needs no
 * conversion: it is within the buffer, so it has its value in both dtypes.
 */
static const struct ir_expr *tidy(void *state, const struct ir_expr *a)
{
    struct instance *in = state;

    if (a->kind == IR_EXPR_let)
        return ir_expr_at(in->context, a->loc,
                          ir_expr_let(in->context, ir_bindings_find(&in->bindings, a->var)->var,
                                      a->operands[0], a->operands[1]));
    if (a->kind != IR_EXPR_load)
        return a;
    const struct ir_expr *indices[16];
    bool is_changed = false;
    if (a->operand_count > ARRAY_SIZE(indices))
        return a;
    for (unsigned i = 0; i < a->operand_count; i++) {
        const struct ir_expr *index = indices[i] = a->operands[i];

        for (unsigned k = 0; index->kind == IR_EXPR_cast && k < in->count; k++)
            if (index->operands[0] == in->indices[k] && ir_dtype_is_int(index->dtype) &&
                ir_dtype_is_int(index->operands[0]->dtype))
                indices[i] = index->operands[0];
        if (indices[i] == index && index->operand_count == 2 &&
            ir_dtype_equal(index->dtype, IR_I32)) {
            const struct ir_expr *wide = widen(in, index);

            indices[i] = wide ? wide : index;
        }
        is_changed |= indices[i] != index;
    }
    return is_changed ? ir_expr_with_operands(in->context, a, indices, a->operand_count) : a;
}

static const struct ir_expr *value_at(struct ir_context *context, const struct ir_ranges *ranges,
                                      const struct perfect_nest *producer,
                                      const struct tir_stmt *store,
                                      const struct ir_expr *const *indices)
{
    struct instance in = {.context = context,
                          .ranges = ranges,
                          .indices = indices,
                          .count = store->store.index_count};

    for (unsigned i = 0; i < producer->axis_count; i++) /* those of extent 1 that no index has */
        array_push(&in.bindings,
                   (struct ir_binding){producer->axes[i].var,
                                       ir_expr_int(context, producer->axes[i].var->dtype, 0)});
    for (unsigned d = 0; d < store->store.index_count; d++)
        if (store->store.indices[d]->kind == IR_EXPR_var)
            array_push(&in.bindings, (struct ir_binding){store->store.indices[d]->var, indices[d]});
    (void)ir_expr_walk(store->store.value, rename_let, &in);
    const struct ir_expr *value = ir_expr_substitute(context, store->store.value, &in.bindings);
    value = ir_expr_rewrite(context, value, tidy, &in);
    array_finish(&in.bindings);
    return value;
}

/* ---- putting it in place ---- */

struct named {
    const struct ir_expr *load;
    const struct ir_var *var; /* NULL: the value is put in the place of the load itself */
    unsigned count;
};

struct placing {
    struct ir_context *context;
    const struct perfect_nest *producer;
    const struct tir_stmt *store;
    const struct ir_buffer *buffer;
    struct ir_ranges ranges;   /* of the axes of the reader */
    array(struct named) loads; /* with different indices */
    bool may_name;
};

static bool is_own_load(void *state, const struct ir_expr *a)
{
    const struct placing *p = state;

    return a->kind != IR_EXPR_load || a->buffer != p->buffer;
}

/* Is @a evaluated whenever what it is an operand of is? */
static bool is_conditional(const struct ir_expr *a, unsigned operand)
{
    return ((a->kind == IR_EXPR_and || a->kind == IR_EXPR_or) && operand > 0) ||
           (a->kind == IR_EXPR_call && strcmp(a->name, "if_then_else") == 0 && operand > 0);
}

/* A let inside hides its variable; a load behind a condition may be outside of the buffer. */
static bool look_for_loads(void *state, const struct ir_expr *a)
{
    struct placing *p = state;

    for (unsigned i = 0; i < a->operand_count; i++)
        if (is_conditional(a, i) && !ir_expr_walk(a->operands[i], is_own_load, p))
            p->may_name = false;
    if (a->kind != IR_EXPR_load || a->buffer != p->buffer)
        return true;
    for (unsigned i = 0; i < a->operand_count; i++)
        if (!ir_expr_walk(a->operands[i], is_own_load, p))
            p->may_name = false;
    for (size_t i = 0; i < p->loads.count; i++)
        if (same_indices(p->loads.items[i].load, a)) {
            p->loads.items[i].count++;
            return true;
        }
    array_push(&p->loads, (struct named){.load = a, .count = 1});
    return true;
}

struct let_walk {
    const struct placing *placing;
    bool is_used;
};

/* Does an index use the variable of a let of the same expression? */
static bool look_at_let(void *state, const struct ir_expr *a)
{
    struct let_walk *walk = state;

    for (size_t i = 0; a->kind == IR_EXPR_let && i < walk->placing->loads.count; i++)
        for (unsigned k = 0; k < walk->placing->loads.items[i].load->operand_count; k++)
            walk->is_used |=
                ir_expr_uses_var(walk->placing->loads.items[i].load->operands[k], a->var);
    return true;
}

static const struct ir_expr *place_load(void *state, const struct ir_expr *a)
{
    struct placing *p = state;

    if (a->kind != IR_EXPR_load || a->buffer != p->buffer)
        return a;
    for (size_t i = 0; i < p->loads.count; i++)
        if (p->loads.items[i].var && same_indices(p->loads.items[i].load, a))
            return ir_expr_var(p->context, p->loads.items[i].var);
    return value_at(p->context, &p->ranges, p->producer, p->store, a->operands);
}

static const struct ir_expr *place(struct placing *p, const struct ir_expr *a, bool may_name)
{
    struct let_walk lets = {p, false};

    p->loads.count = 0;
    p->may_name = may_name;
    (void)ir_expr_walk(a, look_for_loads, p);
    if (p->loads.count == 0)
        return a;
    (void)ir_expr_walk(a, look_at_let, &lets);
    for (size_t i = 0; p->may_name && !lets.is_used && i < p->loads.count; i++) {
        struct named *named = &p->loads.items[i];
        const struct ir_expr *value = p->store->store.value;

        if ((named->count > 1 && inline_value_cost(value) > 0) ||
            a->depth + value->depth > LET_DEPTH)
            named->var = ir_var_new(p->context, p->buffer->name, p->buffer->dtype);
    }
    const struct ir_expr *result = ir_expr_rewrite(p->context, a, place_load, p);
    for (size_t i = p->loads.count; i-- > 0;) {
        const struct named *named = &p->loads.items[i];

        if (named->var)
            result = ir_expr_let(
                p->context, named->var,
                value_at(p->context, &p->ranges, p->producer, p->store, named->load->operands),
                result);
    }
    return result;
}

static void place_stmt(void *state, struct tir_stmt *stmt)
{
    struct placing *p = state;

    if (stmt->kind == TIR_LET) {
        stmt->let.value = place(p, stmt->let.value, true);
        return;
    }
    const struct ir_expr **indices =
        arena_array(&p->context->arena, const struct ir_expr *, stmt->store.index_count + 1);
    for (unsigned i = 0; i < stmt->store.index_count; i++)
        indices[i] = place(p, stmt->store.indices[i], false);
    stmt->store.indices = indices;
    stmt->store.value = place(p, stmt->store.value, true);
}

void inline_value(struct ir_module *module, const struct perfect_nest *producer,
                  const struct tir_stmt *store, const struct ir_buffer *buffer,
                  const struct perfect_nest *reader)
{
    struct placing placing = {
        .context = module->context, .producer = producer, .store = store, .buffer = buffer};

    for (unsigned i = 0; i < reader->axis_count; i++) {
        const struct nest_axis *axis = &reader->axes[i];

        array_push(
            &placing.ranges,
            (struct ir_range){axis->var, ir_expr_int(module->context, axis->var->dtype, 0),
                              ir_expr_cast(module->context, axis->var->dtype, axis->extent)});
    }
    walk_leaves(reader, place_stmt, &placing);
    array_finish(&placing.ranges);
    array_finish(&placing.loads);
}

/* ---- updates in place ---- */

struct pointwise {
    struct placing placing;
    const struct tir_stmt *to;
    const struct ir_buffer *own;
    bool is_fine;
};

static bool check_own(void *state, const struct ir_expr *a)
{
    struct pointwise *check = state;

    if (a->kind != IR_EXPR_load || a->buffer != check->own)
        return true;
    for (unsigned i = 0; i < a->operand_count; i++)
        check->is_fine &= ir_expr_equal(a->operands[i], check->to->store.indices[i]);
    return check->is_fine;
}

static bool check_place(void *state, const struct ir_expr *a)
{
    struct pointwise *check = state;

    if (a->kind == IR_EXPR_load && a->buffer == check->placing.buffer)
        (void)ir_expr_walk(value_at(check->placing.context, &check->placing.ranges,
                                    check->placing.producer, check->placing.store, a->operands),
                           check_own, check);
    return check->is_fine;
}

bool inline_value_is_pointwise(struct ir_module *module, const struct perfect_nest *producer,
                               const struct tir_stmt *store, const struct ir_buffer *buffer,
                               const struct tir_stmt *to, const struct ir_buffer *own)
{
    struct pointwise check = {.placing = {.context = module->context,
                                          .producer = producer,
                                          .store = store,
                                          .buffer = buffer},
                              .to = to,
                              .own = own,
                              .is_fine = true};

    for (unsigned i = 0; i < to->store.index_count; i++)
        if (!ir_expr_walk(to->store.indices[i], is_own_load, &check.placing))
            return false;
    (void)ir_expr_walk(to->store.value, check_place, &check);
    return check.is_fine;
}

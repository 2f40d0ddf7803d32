#include "analysis/pattern.h"

#include "analysis/access/index.h"
#include "base/array.h"
#include "ir/module.h"

static enum op_pattern later(enum op_pattern a, enum op_pattern b)
{
    return a > b ? a : b;
}

/* ---- expressions of a nest ---- */

typedef bool load_fn(void *state, const struct ir_expr *load);

struct load_walk {
    load_fn *visit;
    void *state;
};

static bool visit_node(void *state, const struct ir_expr *a)
{
    struct load_walk *walk = state;

    return a->kind != IR_EXPR_load || walk->visit(walk->state, a);
}

/* Calls @visit on each load of @stmt (a store or a let). */
static bool walk_loads(const struct tir_stmt *stmt, load_fn *visit, void *state)
{
    struct load_walk walk = {visit, state};

    if (stmt->kind == TIR_LET)
        return ir_expr_walk(stmt->let.value, visit_node, &walk);
    for (unsigned i = 0; i < stmt->store.index_count; i++)
        if (!ir_expr_walk(stmt->store.indices[i], visit_node, &walk))
            return false;
    return ir_expr_walk(stmt->store.value, visit_node, &walk);
}

static bool walk_nest_loads(const struct perfect_nest *nest, load_fn *visit, void *state)
{
    for (unsigned i = 0; i < nest->body_count; i++)
        if (!walk_loads(nest->body[i], visit, state))
            return false;
    return true;
}

static bool same_indices(const struct tir_stmt *store, const struct ir_expr *load)
{
    if (store->store.index_count != load->operand_count)
        return false;
    for (unsigned i = 0; i < load->operand_count; i++)
        if (!ir_expr_equal(store->store.indices[i], load->operands[i]))
            return false;
    return true;
}

/* Each index of the load is one of the store's, in their order; dimensions of extent 1 aside. */
static bool is_broadcast(const struct tir_stmt *store, const struct ir_expr *load)
{
    unsigned k = 0;

    for (unsigned i = 0; i < load->operand_count; i++) {
        if (ir_expr_is_int(load->buffer->shape[i], 1) && ir_expr_is_int(load->operands[i], 0))
            continue;
        while (k < store->store.index_count &&
               !ir_expr_equal(store->store.indices[k], load->operands[i]))
            k++;
        if (k++ == store->store.index_count)
            return false;
    }
    return true;
}

/* Variables that are neither axes of the nest nor fixed in it (of a let) make an index unknown. */
struct index_walk {
    const struct perfect_nest *nest;
    bool uses_reduce, uses_other;
};

static bool look_at_var(void *state, const struct ir_expr *a)
{
    struct index_walk *walk = state;

    if (a->kind != IR_EXPR_var)
        return true;
    const struct nest_axis *axis = perfect_nest_axis(walk->nest, a->var);
    if (axis && axis->is_reduce && !ir_expr_is_int(axis->extent, 1))
        walk->uses_reduce = true;
    for (unsigned i = 0; i < walk->nest->body_count; i++)
        if (walk->nest->body[i]->kind == TIR_LET && walk->nest->body[i]->let.var == a->var)
            walk->uses_other = true;
    return true;
}

static struct index_walk look_at_indices(const struct perfect_nest *nest,
                                         const struct ir_expr *load)
{
    struct index_walk walk = {.nest = nest};

    for (unsigned i = 0; i < load->operand_count; i++)
        (void)ir_expr_walk(load->operands[i], look_at_var, &walk);
    return walk;
}

/* Does an axis of @nest (a spatial one, or any) of more than one iteration not occur in @load? */
static bool repeats(const struct perfect_nest *nest, const struct ir_expr *load, bool is_any)
{
    for (unsigned i = 0; i < nest->axis_count; i++) {
        const struct nest_axis *axis = &nest->axes[i];
        bool is_used = false;

        if (ir_expr_is_int(axis->extent, 1) || (axis->is_reduce && !is_any))
            continue;
        for (unsigned k = 0; k < load->operand_count; k++)
            is_used |= ir_expr_uses_var(load->operands[k], axis->var);
        if (!is_used)
            return true;
    }
    return false;
}

/* ---- one nest ---- */

struct nest_pattern {
    const struct perfect_nest *nest;
    const struct tir_stmt *store; /* the first one */
    enum op_pattern pattern;
    bool has_elemwise;
    unsigned loads;    /* of other buffers than those stored to */
    unsigned repeated; /* of them, those that each element of a result reads again */
    bool is_pure_reduction;
};

static bool is_stored(const struct perfect_nest *nest, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < nest->body_count; i++)
        if (nest->body[i]->kind == TIR_STORE && nest->body[i]->store.buffer == buffer)
            return true;
    return false;
}

static bool classify_load(void *state, const struct ir_expr *load)
{
    struct nest_pattern *p = state;
    bool is_same = same_indices(p->store, load);

    if (is_stored(p->nest, load->buffer)) {
        if (!is_same)
            p->pattern = PATTERN_OPAQUE; /* reads its results elsewhere */
        p->has_elemwise |= is_same;
        return p->pattern != PATTERN_OPAQUE;
    }
    p->loads++;
    struct index_walk index = look_at_indices(p->nest, load);
    if (index.uses_other) {
        p->pattern = PATTERN_OPAQUE;
        return false;
    }
    p->repeated += repeats(p->nest, load, false);
    for (unsigned i = 0; index.uses_reduce && i < load->operand_count; i++) {
        const struct ir_expr *operand = load->operands[i];

        if (operand->kind == IR_EXPR_var)
            continue;
        struct index_walk one = {.nest = p->nest};
        (void)ir_expr_walk(operand, look_at_var, &one);
        p->is_pure_reduction &= !one.uses_reduce;
    }
    if (index.uses_reduce)
        return true;
    if (is_same)
        p->has_elemwise = true;
    else
        p->pattern =
            later(p->pattern, is_broadcast(p->store, load) ? PATTERN_BROADCAST : PATTERN_INJECTIVE);
    return true;
}

static bool has_reduction(const struct perfect_nest *nest)
{
    for (unsigned i = 0; i < nest->axis_count; i++)
        if (nest->axes[i].is_reduce && !ir_expr_is_int(nest->axes[i].extent, 1))
            return true;
    return false;
}

/* Stores of one nest: to buffers of their own, in the same order. */
static bool check_stores(const struct perfect_nest *nest, const struct tir_stmt **out_first)
{
    *out_first = NULL;
    for (unsigned i = 0; i < nest->body_count; i++) {
        const struct tir_stmt *store = nest->body[i];

        if (store->kind != TIR_STORE)
            continue;
        if (!*out_first)
            *out_first = store;
        for (unsigned k = 0; k < i; k++)
            if (nest->body[k]->kind == TIR_STORE &&
                nest->body[k]->store.buffer == store->store.buffer)
                return false;
        if (store->store.index_count != (*out_first)->store.index_count)
            return false;
        for (unsigned d = 0; d < store->store.index_count; d++)
            if (!ir_expr_equal(store->store.indices[d], (*out_first)->store.indices[d]))
                return false;
    }
    return *out_first && perfect_nest_is_injective(nest, *out_first);
}

static bool is_plain_store(const struct tir_stmt *store)
{
    for (unsigned i = 0; i < store->store.index_count; i++)
        if (store->store.indices[i]->kind != IR_EXPR_var &&
            !ir_expr_is_int(store->store.indices[i], 0))
            return false;
    return true;
}

static bool is_known_call(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_call || index_call_is_pure(a);
}

static bool has_known_calls(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, is_known_call, state);
}

static bool is_no_load(void *state, const struct ir_expr *load)
{
    return false;
}

/* No code outside, and T.init that reads nothing. */
static bool check_leaves(const struct perfect_nest *nest)
{
    const struct tir_stmt *init = nest->init;

    for (unsigned i = 0; i < nest->body_count; i++)
        if (!tir_stmt_walk_exprs(nest->body[i], has_known_calls, NULL))
            return false;
    if (!init)
        return true;
    if (init->kind != TIR_SEQ)
        return walk_loads(init, is_no_load, NULL);
    for (unsigned i = 0; i < init->seq.count; i++)
        if (!walk_loads(init->seq.items[i], is_no_load, NULL))
            return false;
    return true;
}

static enum op_pattern nest_pattern(const struct perfect_nest *nest)
{
    struct nest_pattern p = {.nest = nest, .is_pure_reduction = true};

    if (!check_stores(nest, &p.store))
        return PATTERN_OPAQUE;
    if (!is_plain_store(p.store))
        p.pattern = PATTERN_INJECTIVE;
    if (!walk_nest_loads(nest, classify_load, &p) || p.pattern == PATTERN_OPAQUE)
        return PATTERN_OPAQUE;
    if (has_reduction(nest)) {
        bool is_product = p.loads >= 2 && p.repeated >= 2;

        if (!p.has_elemwise) /* it does not accumulate: the last iteration wins */
            return PATTERN_OPAQUE;
        return is_product || !p.is_pure_reduction ? PATTERN_OUT_EWISE_FUSABLE : PATTERN_COMM_REDUCE;
    }
    if (p.pattern == PATTERN_BROADCAST && p.has_elemwise)
        return PATTERN_ELEMWISE;
    return p.pattern;
}

/* ---- kernels ---- */

static bool has_plain_params(const struct tir_func *func)
{
    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_buffer *buffer = func->params[i].buffer;

        if (!buffer && func->params[i].var->dtype.code == IR_HANDLE)
            return false;
        if (buffer && (buffer->strides || buffer->elem_offset || buffer->data ||
                       buffer->axis_separators || buffer->dtype.lanes != 1))
            return false;
    }
    return func->result.code == IR_VOID.code && func->result.bits == IR_VOID.bits;
}

enum op_pattern pattern_of_loops(const struct tir_func *func)
{
    struct arena scratch = {0};
    struct perfect_nests nests = {0};
    enum op_pattern pattern = PATTERN_ELEMWISE;
    bool is_known =
        has_plain_params(func) && perfect_nests_of(&scratch, func, &nests) && nests.count > 0;

    for (size_t i = 0; is_known && i < nests.count; i++) {
        enum op_pattern one = PATTERN_OPAQUE;

        if (check_leaves(&nests.items[i]))
            one = nest_pattern(&nests.items[i]);
        /* what comes after a reduction works on its result */
        if (pattern == PATTERN_COMM_REDUCE)
            one = later(one, PATTERN_OUT_EWISE_FUSABLE);
        pattern = later(pattern, one);
        is_known = pattern != PATTERN_OPAQUE;
    }
    array_finish(&nests);
    arena_finish(&scratch);
    return is_known ? pattern : PATTERN_OPAQUE;
}

enum op_pattern pattern_of(const struct tir_func *func)
{
    const struct ir_attr *given = func->attrs ? ir_attr_dict_get(func->attrs, "op_pattern") : NULL;
    enum op_pattern allowed;
    int64_t number;

    if (!given)
        return PATTERN_OPAQUE;
    if (given->kind == IR_ATTR_INT)
        number = given->integer;
    else if (given->kind == IR_ATTR_EXPR && given->expr->kind == IR_EXPR_int)
        number = given->expr->int_value;
    else
        return PATTERN_OPAQUE;
    if (number < 0 || number > PATTERN_OUT_EWISE_FUSABLE)
        return PATTERN_OPAQUE;
    allowed = pattern_of_loops(func);
    return later(allowed, (enum op_pattern)number);
}

struct update_walk {
    const struct ir_buffer *buffer;
    const struct tir_stmt *store;
    bool is_past, is_fine;
};

static bool check_update_load(void *state, const struct ir_expr *load)
{
    struct update_walk *walk = state;

    if (load->buffer == walk->buffer && (walk->is_past || !same_indices(walk->store, load)))
        walk->is_fine = false;
    return walk->is_fine;
}

bool pattern_updates_pointwise(struct ir_context *context, const struct tir_func *func,
                               unsigned param)
{
    struct arena scratch = {0};
    struct perfect_nests nests = {0};
    struct update_walk walk = {.buffer = func->params[param].buffer};
    size_t home = 0;
    unsigned stores = 0;

    walk.is_fine = perfect_nests_of(&scratch, func, &nests);
    for (size_t i = 0; walk.is_fine && i < nests.count; i++)
        for (unsigned k = 0; k < nests.items[i].body_count; k++) {
            struct tir_stmt *stmt = nests.items[i].body[k];

            if (stmt->kind != TIR_STORE || stmt->store.buffer != walk.buffer)
                continue;
            walk.store = stmt;
            home = i;
            stores++;
        }
    walk.is_fine = walk.is_fine && stores == 1 && !nests.items[home].init &&
                   !has_reduction(&nests.items[home]) &&
                   perfect_nest_covers(context, &nests.items[home], walk.store);
    for (size_t i = home; walk.is_fine && i < nests.count; i++)
        for (unsigned k = 0; walk.is_fine && k < nests.items[i].body_count; k++) {
            (void)walk_loads(nests.items[i].body[k], check_update_load, &walk);
            walk.is_past |= nests.items[i].body[k] == walk.store;
        }
    array_finish(&nests);
    arena_finish(&scratch);
    return walk.is_fine;
}

struct once_walk {
    const struct perfect_nest *nest;
    const struct ir_buffer *buffer;
};

static bool reads_once(void *state, const struct ir_expr *load)
{
    const struct once_walk *walk = state;

    return load->buffer != walk->buffer || !repeats(walk->nest, load, true);
}

bool pattern_reads_once(const struct tir_func *func, unsigned param)
{
    struct arena scratch = {0};
    struct perfect_nests nests = {0};
    bool is_once = perfect_nests_of(&scratch, func, &nests);

    for (size_t i = 0; is_once && i < nests.count; i++) {
        struct once_walk walk = {&nests.items[i], func->params[param].buffer};

        is_once = walk_nest_loads(&nests.items[i], reads_once, &walk);
    }
    array_finish(&nests);
    arena_finish(&scratch);
    return is_once;
}

static bool is_other_buffer(void *state, const struct ir_expr *load)
{
    const struct once_walk *walk = state;

    return load->buffer != walk->buffer;
}

/* The nest that alone reads @buffer; *@out_readers: how many do. */
static const struct perfect_nest *only_reader(const struct perfect_nests *nests,
                                              const struct ir_buffer *buffer, unsigned *out_readers)
{
    const struct perfect_nest *reader = NULL;

    *out_readers = 0;
    for (size_t i = 0; i < nests->count; i++) {
        struct once_walk walk = {&nests->items[i], buffer};

        if (walk_nest_loads(&nests->items[i], is_other_buffer, &walk))
            continue;
        reader = &nests->items[i];
        ++*out_readers;
    }
    return *out_readers == 1 ? reader : NULL;
}

/* Is what @nests read of @buffer read so, and what is made of each of its elements?  In at most @steps nests. */
static bool streams(const struct perfect_nests *nests, const struct ir_buffer *buffer, size_t steps)
{
    for (; buffer && steps > 0; steps--) {
        unsigned readers;
        const struct perfect_nest *nest = only_reader(nests, buffer, &readers);
        struct once_walk walk = {nest, buffer};

        if (!nest)
            return readers == 0;
        if (!walk_nest_loads(nest, reads_once, &walk))
            return false;
        if (has_reduction(nest))
            return true;
        buffer = nest->body_count == 1 && nest->body[0]->kind == TIR_STORE
                     ? nest->body[0]->store.buffer
                     : NULL;
    }
    return false;
}

bool pattern_streams(const struct tir_func *func, unsigned param)
{
    const struct ir_buffer *buffer = func->params[param].buffer;
    struct arena scratch = {0};
    struct perfect_nests nests = {0};
    bool is_it = buffer && perfect_nests_of(&scratch, func, &nests) &&
                 streams(&nests, buffer, nests.count + 1);

    array_finish(&nests);
    arena_finish(&scratch);
    return is_it;
}

/*
 * Finds products of matrices in plain loops, and chooses how each is computed.
 *
 * A product is a nest of loops, in any order, around C[..] = C[..] + X * Y (or T.fma), where
 *
 *   - each index of C is a loop variable of its own, maybe moved (C is then a part of something larger),
 *     or has none; the last one is j
 *   - one loop variable is in no index of C: k; or several are
 *   - Y has k and j, X has k and not j; i is the last variable of C that only X has
 *   - all other variables are of a batch, around the product
 *
 * Where there are several k, or others of C that only Y has, it is a convolution or the like (windows.c).
 *
 * X and Y may be any pure expressions: casts, other layouts and elementwise producers are computed
 * when a matrix is packed.  C may be set to zero in the nest (`if k == 0`), in front of the loop over k, or by
 * the nest before.  Floats, and int32 in convolutions: other dtypes have no register tiles worth the code, and
 * go as vectors along j (marks.c).
 */
#include "passes/schedule/epilogue.h"

#include <math.h>
#include <string.h>

enum {
    SHARE = 200000, /* multiply-adds that are worth a second thread */
    MANY = 8,       /* products that threads share as they are, if .. */
    MANY_ROWS = 16, /* .. each has fewer rows than this */
};

/* -0.0 is another: it stays if only -0.0 is added. */
static bool is_zero(const struct ir_expr *a)
{
    return ir_expr_is_int(a, 0) ||
           (a->kind == IR_EXPR_float && a->float_value == 0 && !signbit(a->float_value));
}

bool nest_read(struct schedule *s, struct tir_stmt *stmt, struct nest *nest)
{
    for (;;) {
        if (stmt->kind == TIR_FOR) {
            if (!sch_is_plain_loop(stmt) || !sch_is_counted(s, stmt) ||
                nest->count == MATMUL_LOOP_LIMIT)
                return false;
            nest->loops[nest->count++] = stmt;
            stmt = stmt->loop.body;
        } else if (stmt->kind == TIR_SEQ && stmt->seq.count == 2 && !nest->zero) {
            struct tir_stmt *first = stmt->seq.items[0];
            bool is_guarded = first->kind == TIR_IF && !first->branch.else_body;
            nest->zero = is_guarded ? first->branch.then_body : first;
            nest->zero_guard = is_guarded ? first->branch.condition : NULL;
            nest->zero_depth = nest->count;
            stmt = stmt->seq.items[1];
        } else {
            break;
        }
    }
    nest->store = stmt;
    return stmt->kind == TIR_STORE && !stmt->store.predicate;
}

bool matmul_read_update(const struct tir_stmt *store, const struct ir_expr **out_x,
                        const struct ir_expr **out_y)
{
    const struct ir_expr *value = store->store.value, *product, *old;

    if (value->kind == IR_EXPR_call && strcmp(value->name, "fma") == 0) {
        *out_x = value->operands[0];
        *out_y = value->operands[1];
        old = value->operands[2];
    } else if (value->kind == IR_EXPR_add) {
        bool is_left = value->operands[0]->kind == IR_EXPR_load &&
                       value->operands[0]->buffer == store->store.buffer;
        old = value->operands[!is_left];
        product = value->operands[is_left];
        if (product->kind != IR_EXPR_mul)
            return false;
        *out_x = product->operands[0];
        *out_y = product->operands[1];
    } else {
        return false;
    }
    if (old->kind != IR_EXPR_load || old->buffer != store->store.buffer)
        return false;
    for (unsigned i = 0; i < old->operand_count; i++)
        if (!ir_expr_equal(old->operands[i], store->store.indices[i]))
            return false;
    return !sch_reads(*out_x, old->buffer) && !sch_reads(*out_y, old->buffer) &&
           sch_is_pure(*out_x) && sch_is_pure(*out_y);
}

static bool is_group(const struct nest *nest, const struct ir_var *var)
{
    for (unsigned i = 0; i < nest->group_count; i++)
        if (nest->groups[i] == var)
            return true;
    return false;
}

bool nest_uses(const struct nest *nest, const struct ir_expr *a)
{
    for (unsigned i = 0; i < nest->count; i++)
        if (!is_group(nest, nest->loops[i]->loop.var) &&
            ir_expr_uses_var(a, nest->loops[i]->loop.var))
            return true;
    return false;
}

/* Is it a variable times a number above zero? */
static bool is_multiple(const struct ir_expr *a)
{
    return a->kind == IR_EXPR_mul && a->operands[0]->kind == IR_EXPR_var &&
           a->operands[1]->kind == IR_EXPR_int && a->operands[1]->int_value > 0;
}

struct tir_stmt *nest_loop_of(const struct nest *nest, const struct ir_expr *index)
{
    for (unsigned side = 0; side < 2 && index->kind == IR_EXPR_add; side++)
        if (sch_is_fixed(index->operands[side]) && !nest_uses(nest, index->operands[side]))
            index = index->operands[!side];
    if (nest->group_count > 0 && is_multiple(index))
        index = index->operands[0];
    for (unsigned i = 0; index->kind == IR_EXPR_var && i < nest->count; i++)
        if (nest->loops[i]->loop.var == index->var)
            return nest->loops[i];
    return NULL;
}

int nest_place(const struct nest *nest, const struct tir_stmt *loop)
{
    int place = -1;

    if (is_group(nest, loop->loop.var))
        return 0;
    for (unsigned i = 0; i < nest->store->store.index_count; i++) {
        const struct ir_expr *index = nest->store->store.indices[i];
        if (!ir_expr_uses_var(index, loop->loop.var))
            continue;
        if (place != -1 || nest_loop_of(nest, index) != loop)
            return -2;
        place = (int)i;
    }
    return place;
}

/* Are two indices, of one loop variable each, moved by the same? */
static bool is_moved_alike(struct schedule *s, const struct ir_expr *a, const struct tir_stmt *loop,
                           const struct ir_expr *b, const struct tir_stmt *other)
{
    if (!ir_dtype_equal(loop->loop.var->dtype, other->loop.var->dtype))
        return false;
    return ir_prove_equal(s->context, a,
                          sch_put(s, b, other->loop.var, sch_use(s, loop->loop.var)));
}

static bool assign_roles(struct nest *nest, struct matmul *p)
{
    const struct tir_stmt *store = nest->store;
    unsigned rank = store->store.index_count;
    struct tir_stmt *j = rank ? nest_loop_of(nest, store->store.indices[rank - 1]) : NULL,
                    *k = NULL;
    struct tir_stmt *i = NULL;
    int place_of_i = -1;

    if (!j)
        return false;
    if (ir_expr_uses_var(p->x, j->loop.var)) {
        const struct ir_expr *other = p->x;
        p->x = p->y;
        p->y = other;
    }
    if (ir_expr_uses_var(p->x, j->loop.var) || !ir_expr_uses_var(p->y, j->loop.var))
        return false;
    for (unsigned n = 0; n < nest->count; n++) {
        struct tir_stmt *loop = nest->loops[n];
        bool x_has = ir_expr_uses_var(p->x, loop->loop.var);
        bool y_has = ir_expr_uses_var(p->y, loop->loop.var);
        int place = nest_place(nest, loop);
        if (nest_uses(nest, loop->loop.extent) || place == -2 ||
            !ir_dtype_equal(loop->loop.var->dtype, j->loop.var->dtype))
            return false;
        if (place == -1)
            p->sums.items[p->sums.count++] = k = loop;
        else if (loop != j && x_has && !y_has && place > place_of_i) {
            i = loop;
            place_of_i = place;
        } else if (loop != j && y_has && !x_has)
            p->columns.items[p->columns.count++] = loop;
    }
    if (!k || (p->sums.count == 1 &&
               (!ir_expr_uses_var(p->x, k->loop.var) || !ir_expr_uses_var(p->y, k->loop.var))))
        return false;
    p->columns.items[p->columns.count++] = j;
    for (unsigned n = 0; n < nest->count; n++)
        if (nest->loops[n] != i && nest->loops[n] != j && nest_place(nest, nest->loops[n]) != -1)
            p->batch[p->batch_count++] = nest->loops[n];
    p->i = i ? i->loop.var : NULL;
    p->j = j->loop.var;
    p->k = k->loop.var;
    p->m = i ? i->loop.extent : NULL;
    p->n = j->loop.extent;
    p->depth = k->loop.extent;
    return true;
}

const struct ir_expr *nest_sets(struct schedule *s, struct tir_stmt *stmt,
                                const struct nest *product, const struct matmul_loops *sums,
                                unsigned depth)
{
    const struct tir_stmt *store = product->store;
    struct nest zero = {.group_count = product->group_count};

    memcpy(zero.groups, product->groups, sizeof zero.groups);
    if (!nest_read(s, stmt, &zero) || zero.zero ||
        zero.store->store.buffer != store->store.buffer ||
        zero.count + depth + sums->count != product->count)
        return NULL;
    for (unsigned i = 0; i < depth; i++)
        for (unsigned k = 0; k < sums->count; k++)
            if (product->loops[i] == sums->items[k])
                return NULL;
    for (unsigned i = 0; i < store->store.index_count; i++) {
        const struct ir_expr *index = zero.store->store.indices[i];
        const struct tir_stmt *own = nest_loop_of(&zero, index),
                              *other = nest_loop_of(product, store->store.indices[i]);
        bool is_inner = false;
        for (unsigned n = depth; other && n < product->count; n++)
            is_inner |= product->loops[n] == other;
        bool is_same = is_inner
                           ? own && nest_place(&zero, own) == (int)i &&
                                 is_moved_alike(s, index, own, store->store.indices[i], other) &&
                                 ir_prove_equal(s->context, own->loop.extent, other->loop.extent)
                           : ir_expr_equal(index, store->store.indices[i]);
        if (!is_same)
            return NULL;
    }
    return zero.store->store.value;
}

static bool sets_zero(struct schedule *s, struct tir_stmt *stmt, const struct nest *product,
                      const struct matmul *p, unsigned depth)
{
    const struct ir_expr *value = nest_sets(s, stmt, product, &p->sums, depth);

    return value && is_zero(value);
}

/* Does what sets zero within the nest run in front of the first update of each element? */
static bool zero_is_first(struct schedule *s, const struct nest *nest, const struct matmul *p)
{
    const struct ir_expr *guard = nest->zero_guard;

    if (!guard)
        return sets_zero(s, nest->zero, nest, p, nest->zero_depth);
    if (p->sums.count > 1 || nest->zero_depth != nest->count || guard->kind != IR_EXPR_eq ||
        guard->operands[0]->kind != IR_EXPR_var || guard->operands[0]->var != p->k ||
        !ir_expr_is_int(guard->operands[1], 0) || nest->zero->kind != TIR_STORE ||
        nest->zero->store.buffer != p->c || !is_zero(nest->zero->store.value))
        return false;
    for (unsigned i = 0; i < p->c->ndim; i++)
        if (!ir_expr_equal(nest->zero->store.indices[i], p->indices[i]))
            return false;
    return true;
}

static const struct ir_expr *put_both(struct schedule *s, const struct ir_expr *a,
                                      const struct ir_var *v, const struct ir_expr *v_value,
                                      const struct ir_var *w, const struct ir_expr *w_value)
{
    struct ir_binding pair[] = {{w, w_value}, {v, v_value}};
    struct ir_bindings both = {pair, v ? 2 : 1, 2};

    return ir_expr_substitute(s->context, a, &both);
}

const struct ir_expr *matmul_x(struct schedule *s, const struct matmul *p, const struct ir_expr *i,
                               const struct ir_expr *k)
{
    return put_both(s, p->x, p->i, i, p->k, k);
}

const struct ir_expr *matmul_y(struct schedule *s, const struct matmul *p, const struct ir_expr *k,
                               const struct ir_expr *j)
{
    return put_both(s, p->y, p->k, k, p->j, j);
}

const struct ir_expr *const *matmul_c(struct schedule *s, const struct matmul *p,
                                      const struct ir_expr *i, const struct ir_expr *j)
{
    const struct ir_expr **out =
        arena_array(&s->run->scratch, const struct ir_expr *, p->c->ndim + 1);

    for (unsigned d = 0; d < p->c->ndim; d++)
        out[d] = put_both(s, p->indices[d], p->i, i, p->j, j);
    return out;
}

const struct ir_expr *matmul_step(struct schedule *s, const struct ir_expr *a,
                                  const struct ir_expr *b, const struct ir_expr *to)
{
    const struct ir_expr *args[] = {a, b, to};

    if (s->has_fma && to->dtype.code == IR_FLOAT)
        return ir_expr_call(s->context, to->dtype, atom_intern_text(&s->context->atoms, "fma"),
                            args, 3);
    return ir_expr_binary(s->context, IR_EXPR_add, to,
                          ir_expr_binary(s->context, IR_EXPR_mul, a, b));
}

/* Are there so many products of a few rows that threads may take whole ones, as heads of a decoder are? */
static bool is_of_many(struct schedule *s, const struct matmul *p, int64_t rows)
{
    int64_t count = 1, extent;

    for (unsigned i = 0; i < p->batch_count && count < MANY; i++)
        if (sch_constant(s, p->batch[i]->loop.extent, &extent))
            count *= extent;
    return rows < MANY_ROWS && count >= MANY;
}

bool matmul_is_shared(struct schedule *s, const struct matmul *p)
{
    int64_t m = 1, n = 64, depth = 64;

    if (p->m && !sch_constant(s, p->m, &m))
        m = 64;
    if (is_of_many(s, p, m))
        return false;
    (void)sch_constant(s, p->n, &n);
    (void)sch_constant(s, p->depth, &depth);
    return (double)m * (double)n * (double)depth >= (double)SHARE;
}

/* What stands beside a product; NULL: nothing. */
struct around {
    struct tir_stmt *before, *after;
    bool drops_before, drops_after; /* what the product does as well */
    const struct ir_buffer *c;
};

/*
 * Adds p to the groups where C has an index i * n + p with p below n: what is C(p) of the result of a
 * transposed convolution, its phase p, is stored n apart.
 */
static void find_phases(struct schedule *s, struct nest *nest)
{
    const struct tir_stmt *store = nest->store;

    for (unsigned d = 0; d < store->store.index_count; d++) {
        const struct ir_expr *index = store->store.indices[d];
        const struct tir_stmt *phase = NULL;
        unsigned uses = 0;
        int64_t extent;

        if (index->kind != IR_EXPR_add || !is_multiple(index->operands[0]) ||
            index->operands[1]->kind != IR_EXPR_var)
            continue;
        for (unsigned n = 0; n < nest->count; n++)
            if (nest->loops[n]->loop.var == index->operands[1]->var)
                phase = nest->loops[n];
        for (unsigned other = 0; phase && other < store->store.index_count; other++)
            uses += ir_expr_uses_var(store->store.indices[other], phase->loop.var);
        if (uses == 1 && index->operands[0]->operands[0]->var != phase->loop.var &&
            sch_constant(s, phase->loop.extent, &extent) &&
            extent <= index->operands[0]->operands[1]->int_value)
            nest->groups[nest->group_count++] = phase->loop.var;
    }
}

/* @whole: the nest as it stands in the kernel; @group: the variable of the outer loop of two that were one; or NULL. */
static bool replace_nest(struct schedule *s, struct tir_stmt **slot, struct tir_stmt *whole,
                         const struct ir_var *group, struct around *around)
{
    struct tir_stmt *before = around->before;
    struct epilogue epilogue;
    struct nest nest = {.groups = {group}, .group_count = group ? 1 : 0};
    struct matmul p = {0};
    int64_t depth;

    if ((*slot)->kind != TIR_FOR || !nest_read(s, *slot, &nest))
        return false;
    find_phases(s, &nest);
    if (!matmul_read_update(nest.store, &p.x, &p.y) || !assign_roles(&nest, &p))
        return false;
    struct ir_dtype dtype = nest.store->store.buffer->dtype;
    p.loc = s->place = nest.store->loc;
    p.c = nest.store->store.buffer;
    p.indices = nest.store->store.indices;
    bool is_float = ir_dtype_equal(dtype, IR_F32) || ir_dtype_equal(dtype, IR_F64);
    if ((!is_float && !ir_dtype_equal(dtype, IR_I32)) ||
        (nest.zero && !zero_is_first(s, &nest, &p)))
        return false;
    bool is_deep = sch_constant(s, p.depth, &depth) && depth > 0;
    bool has_zero_nest = before && sets_zero(s, before, &nest, &p, 0);
    /* `if k == 0` sets nothing where there is no k; a nest in front of the product does. */
    if (nest.zero && nest.zero_guard && !is_deep && !has_zero_nest)
        return false;
    p.starts_at_zero = nest.zero || has_zero_nest;
    p.has_phases = nest.group_count > (group != NULL);
    if (epilogue_read(s, &nest, whole, has_zero_nest ? before : NULL, around->after, &epilogue))
        p.epilogue = &epilogue;
    struct tir_stmt *out = nest.group_count == 0 && !is_float ? matmul_as_bytes(s, &p) : NULL;
    if (!out)
        out = nest.group_count > 0 || !is_float ? matmul_as_windows(s, &p)
                                                : matmul_choose(s, &p, around->after);
    if (!out)
        return false;
    struct tir_stmt *items[2 * MATMUL_ALLOC_LIMIT + 1];
    unsigned count = 0;
    for (; count < p.alloc_count; count++)
        items[count] = p.allocs[count];
    for (unsigned i = 0; i < p.front_count; i++)
        items[count++] = p.front[i];
    items[count++] = out;
    *slot = sch_seq(s, items, count);
    around->drops_before = has_zero_nest;
    around->drops_after = p.has_epilogue;
    around->c = p.c;
    return true;
}

/* The product in @slot. */
static bool replace_product(struct schedule *s, struct tir_stmt **slot, struct around *around)
{
    const struct ir_var *group = NULL;
    struct tir_stmt *split, *before = around->before;

    if (replace_nest(s, slot, *slot, NULL, around))
        return true;
    split = matmul_split_groups(s, *slot, &group);
    around->before = NULL;
    if (split && replace_nest(s, &split, *slot, group, around)) {
        *slot = split;
        return true;
    }
    around->before = before;
    return false;
}

static bool replace(struct schedule *s, struct tir_stmt **slot, struct around *around)
{
    bool is_replaced = replace_product(s, slot, around);

    s->place = (struct location){0};
    return is_replaced;
}

/* Removes item @i of @seq. */
static void drop_item(struct tir_stmt *seq, unsigned i)
{
    for (unsigned k = i + 1; k < seq->seq.count; k++)
        seq->seq.items[k - 1] = seq->seq.items[k];
    seq->seq.count--;
}

static bool replace_in_seq(struct schedule *s, struct tir_stmt *seq)
{
    bool is_changed = false;

    for (unsigned i = 0; i < seq->seq.count; i++) {
        struct around around = {.before = i > 0 ? seq->seq.items[i - 1] : NULL,
                                .after = i + 1 < seq->seq.count ? seq->seq.items[i + 1] : NULL};
        if (!replace(s, &seq->seq.items[i], &around)) {
            is_changed |= schedule_matmuls(s, &seq->seq.items[i]);
            continue;
        }
        is_changed = true;
        if (around.drops_after)
            drop_item(seq, i + 1);
        if (around.drops_before)
            drop_item(seq, --i);
        if (around.drops_after)
            array_push(&s->dropped, around.c);
    }
    return is_changed;
}

bool schedule_matmuls(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *stmt = *slot;
    struct around around = {0};
    bool is_changed = false;
    size_t mark;

    switch (stmt->kind) {
    case TIR_SEQ:
        return replace_in_seq(s, stmt);
    case TIR_FOR:
        if (replace(s, slot, &around))
            return true;
        if (taps_are_in(s, stmt)) /* a sum of a part of a window would hide the others */
            return false;
        mark = sch_enter(s, stmt);
        is_changed = schedule_matmuls(s, &stmt->loop.body);
        sch_leave(s, mark);
        return is_changed;
    case TIR_IF:
        is_changed = schedule_matmuls(s, &stmt->branch.then_body);
        if (stmt->branch.else_body)
            is_changed |= schedule_matmuls(s, &stmt->branch.else_body);
        return is_changed;
    default:
        return false;
    }
}

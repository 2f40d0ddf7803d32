/* Is a kernel a chain of products over the same rows, and which loops count them? (rows.c) */
#include "passes/schedule/rows.h"

const struct places *rows_places_of(const struct rows *r, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < r->place_count; i++)
        if (r->places[i].buffer == buffer)
            return &r->places[i];
    return NULL;
}

/* The loop of the chain at the head of @nest that counts @index; or NULL. */
static struct tir_stmt *loop_of(struct tir_stmt *nest, const struct ir_expr *index)
{
    for (; nest->kind == TIR_FOR && sch_is_plain_loop(nest); nest = nest->loop.body)
        if (index->kind == IR_EXPR_var && index->var == nest->loop.var)
            return nest;
    return NULL;
}

/* ---- the axes ---- */

/* Those of the first nest: the loops at its head that index what it makes, but for its last axis. */
static bool find_axes(struct rows *r, const struct tir_stmt *store)
{
    struct places *own = &r->places[r->place_count++];

    own->buffer = store->store.buffer;
    for (unsigned d = 0; d + 1 < store->store.index_count; d++) {
        struct tir_stmt *loop = loop_of(r->nests[0], store->store.indices[d]);
        if (!loop && !ir_expr_is_int(store->store.indices[d], 0))
            return false;
        if (!loop)
            continue;
        if (r->axis_count == ROWS_AXES_MOST)
            return false;
        r->axes[0][r->axis_count] = loop;
        own->at[r->axis_count++] = d;
    }
    return r->axis_count > 0;
}

/* Takes the loops of the nest that are in the places of the axes among @indices of @buffer. */
static bool take_axes_at(struct rows *r, const struct ir_buffer *buffer,
                         const struct ir_expr *const *indices)
{
    const struct places *places = rows_places_of(r, buffer);

    for (unsigned i = 0; places && i < r->axis_count; i++) {
        struct tir_stmt *loop = loop_of(r->nests[r->nest], indices[places->at[i]]);
        if (!loop || !ir_expr_equal(loop->loop.extent, r->axes[0][i]->loop.extent))
            return false;
        r->axes[r->nest][i] = loop;
    }
    return true;
}

static bool take_axes(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load || take_axes_at(state, a->buffer, a->operands);
}

static bool take_axes_of(void *state, const struct ir_expr *root)
{
    return ir_expr_walk(root, take_axes, state);
}

static bool take_axes_in(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, take_axes_of, state);
}

/* Of a nest that reads nothing of the kernel, as one that sets to zero what a later one sums. */
static bool take_axes_of_store(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_STORE || take_axes_at(state, stmt->store.buffer, stmt->store.indices);
}

/* Notes where the axes are among the indices of what @stmt stores. */
static bool note_store(void *state, struct tir_stmt *stmt)
{
    struct rows *r = state;

    if (stmt->kind != TIR_STORE)
        return stmt->kind == TIR_SEQ || stmt->kind == TIR_FOR || stmt->kind == TIR_IF;
    if (stmt->store.predicate || rows_places_of(r, stmt->store.buffer))
        return !stmt->store.predicate;
    if (r->place_count == ARRAY_SIZE(r->places))
        return false;
    struct places *places = &r->places[r->place_count++];
    places->buffer = stmt->store.buffer;
    for (unsigned i = 0; i < r->axis_count; i++) {
        const struct ir_var *var = r->axes[r->nest][i]->loop.var;
        unsigned d = 0;
        while (d < stmt->store.index_count &&
               (stmt->store.indices[d]->kind != IR_EXPR_var || stmt->store.indices[d]->var != var))
            d++;
        if (d == stmt->store.index_count)
            return false;
        places->at[i] = d;
    }
    return true;
}

/* Are @indices of @buffer, which the kernel may write, those of the axes of the nest? */
static bool is_own(const struct rows *r, const struct ir_buffer *buffer,
                   const struct ir_expr *const *indices)
{
    const struct places *places = rows_places_of(r, buffer);

    for (unsigned i = 0; places && i < r->axis_count; i++) {
        const struct ir_expr *index = indices[places->at[i]];
        if (index->kind != IR_EXPR_var || index->var != r->axes[r->nest][i]->loop.var)
            return false;
    }
    return true;
}

static bool loads_own(void *state, const struct ir_expr *a)
{
    return a->kind == IR_EXPR_load ? is_own(state, a->buffer, a->operands)
                                   : a->kind != IR_EXPR_call || sch_is_pure(a);
}

static bool loads_own_in(void *state, const struct ir_expr *root)
{
    return ir_expr_walk(root, loads_own, state);
}

/* Does @stmt touch only what belongs to the iteration of the axes? */
static bool keeps_own(void *state, struct tir_stmt *stmt)
{
    return (stmt->kind != TIR_STORE || is_own(state, stmt->store.buffer, stmt->store.indices)) &&
           tir_stmt_walk_exprs(stmt, loads_own_in, state);
}

struct counted {
    unsigned products;
    const struct tir_stmt *first; /* store of the first product */
};

static bool count_product(void *state, struct tir_stmt *stmt)
{
    struct counted *counted = state;
    const struct ir_expr *x, *y;

    if (stmt->kind == TIR_STORE && matmul_read_update(stmt, &x, &y) &&
        (ir_dtype_equal(stmt->store.buffer->dtype, IR_F32) ||
         ir_dtype_equal(stmt->store.buffer->dtype, IR_F64))) {
        if (counted->products++ == 0)
            counted->first = stmt;
    }
    return true;
}

unsigned rows_count_products(struct tir_stmt *nest, const struct tir_stmt **out_first)
{
    struct counted counted = {0};

    tir_stmt_walk(nest, count_product, &counted);
    *out_first = counted.first;
    return counted.products;
}

/* Is the loop over each axis at the head of nest @n, and does no other loop there depend on one? */
static bool has_all_axes(struct rows *r, unsigned n)
{
    for (unsigned i = 0; i < r->axis_count; i++) {
        const struct tir_stmt *axis = r->axes[n][i];
        if (!axis || !sch_is_counted(r->s, axis))
            return false;
        for (unsigned k = 0; k < i; k++)
            if (r->axes[n][k] == axis)
                return false;
        for (struct tir_stmt *loop = r->nests[n]; loop->kind == TIR_FOR; loop = loop->loop.body)
            if (ir_expr_uses_var(loop->loop.extent, axis->loop.var))
                return false;
    }
    return true;
}

bool rows_find(struct rows *r)
{
    const struct tir_stmt *first, *last;

    if (r->nest_count < 3 || rows_count_products(r->nests[0], &first) != 1 ||
        rows_count_products(r->nests[r->nest_count - 1], &last) > 1 || !find_axes(r, first))
        return false;
    r->products = 0;
    for (r->nest = 0; r->nest < r->nest_count; r->nest++) {
        struct tir_stmt *nest = r->nests[r->nest];
        r->products += rows_count_products(nest, &last);
        if (r->nest > 0 && !tir_stmt_walk(nest, take_axes_in, r))
            return false;
        bool is_filled = r->nest > 0 && !r->axes[r->nest][0]; /* later, when its buffer is known */
        if (!is_filled && (!has_all_axes(r, r->nest) || !tir_stmt_walk(nest, note_store, r)))
            return false;
    }
    for (r->nest = 1; r->nest < r->nest_count; r->nest++)
        if (!r->axes[r->nest][0] &&
            (!tir_stmt_walk(r->nests[r->nest], take_axes_of_store, r) || !has_all_axes(r, r->nest)))
            return false;
    for (r->nest = 0; r->nest < r->nest_count; r->nest++)
        if (!tir_stmt_walk(r->nests[r->nest], keeps_own, r))
            return false;
    for (unsigned i = 0; i < r->alloc_count; i++)
        if (!rows_places_of(r, r->allocs[i]->alloc.buffer))
            return false;
    return r->products >= 2;
}

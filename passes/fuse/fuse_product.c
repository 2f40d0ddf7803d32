#include "passes/fuse/fuse_product.h"

#include "base/array.h"
#include "ir/module.h"
#include "passes/fuse/inline_value.h"

static bool is_axis(const struct perfect_nest *nest, const struct ir_expr *index)
{
    const struct nest_axis *axis =
        index->kind == IR_EXPR_var ? perfect_nest_axis(nest, index->var) : NULL;

    return axis && !axis->is_reduce;
}

/* An axis, or its quotient: each slice several times, as heads share keys. */
static bool is_shared_axis(const struct perfect_nest *nest, const struct ir_expr *index)
{
    bool is_quotient = index->kind == IR_EXPR_floordiv && index->operands[1]->kind == IR_EXPR_int;

    return is_axis(nest, is_quotient ? index->operands[0] : index);
}

static bool moves(const struct perfect_nest *nest, bool is_row_kept)
{
    const struct tir_stmt *store = nest->body_count == 1 ? nest->body[0] : NULL;
    const struct ir_expr *value;
    unsigned ndim;

    if (!store || nest->init || store->kind != TIR_STORE || store->store.predicate)
        return false;
    value = store->store.value;
    ndim = store->store.index_count;
    if (value->kind != IR_EXPR_load || value->operand_count != ndim || ndim < 2)
        return false;
    for (unsigned i = 0; i < ndim; i++) {
        bool may_share = !is_row_kept && i + 2 < ndim;
        const struct ir_expr *from = value->operands[i];
        if (!is_axis(nest, store->store.indices[i]) ||
            !(may_share ? is_shared_axis(nest, from) : is_axis(nest, from)))
            return false;
    }
    const struct ir_expr *row = value->operands[ndim - 1];
    return ir_expr_equal(row, store->store.indices[ndim - 1]) ||
           (!is_row_kept && ir_expr_equal(row, store->store.indices[ndim - 2]));
}

static bool is_move(const struct tir_func *func, bool is_row_kept)
{
    struct arena scratch = {0};
    struct perfect_nests nests = {0};
    bool is_it = perfect_nests_of(&scratch, func, &nests) && nests.count == 1 &&
                 moves(&nests.items[0], is_row_kept);

    array_finish(&nests);
    arena_finish(&scratch);
    return is_it;
}

bool fuse_moves_matrix(const struct tir_func *func)
{
    return is_move(func, false);
}

bool fuse_moves_rows(const struct tir_func *func)
{
    return is_move(func, true);
}

bool fuse_is_cheap(const struct tir_func *func)
{
    struct arena scratch = {0};
    struct perfect_nests nests = {0};
    bool is_it = perfect_nests_of(&scratch, func, &nests) && nests.count == 1 &&
                 nests.items[0].body_count == 1 && nests.items[0].body[0]->kind == TIR_STORE &&
                 inline_value_cost(nests.items[0].body[0]->store.value) <= INLINE_CHEAPEST;

    array_finish(&nests);
    arena_finish(&scratch);
    return is_it;
}

static const struct ir_expr *factor(const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_cast)
        a = a->operands[0];
    return a->kind == IR_EXPR_load ? a : NULL;
}

/* Does @nest fill @buffer with a number? */
static bool fills(const struct perfect_nest *nest, const struct ir_buffer *buffer)
{
    const struct tir_stmt *store = nest->body_count == 1 ? nest->body[0] : NULL;

    return store && !nest->init && store->kind == TIR_STORE && store->store.buffer == buffer &&
           !store->store.predicate && store->store.value->kind == IR_EXPR_float;
}

bool fuse_read_product(const struct perfect_nest *nest, const struct perfect_nest *before,
                       const struct ir_expr **out_a, const struct ir_expr **out_b)
{
    const struct tir_stmt *store = nest->body_count == 1 ? nest->body[0] : NULL;
    const struct ir_expr *value;

    if (!store || store->kind != TIR_STORE || store->store.predicate ||
        !(nest->init || (before && fills(before, store->store.buffer))))
        return false;
    value = store->store.value;
    if (value->kind != IR_EXPR_add || value->operands[0]->kind != IR_EXPR_load ||
        value->operands[0]->buffer != store->store.buffer ||
        value->operands[1]->kind != IR_EXPR_mul ||
        !(ir_dtype_equal(value->dtype, IR_F32) || ir_dtype_equal(value->dtype, IR_F64)))
        return false;
    *out_a = factor(value->operands[1]->operands[0]);
    *out_b = factor(value->operands[1]->operands[1]);
    return *out_a && *out_b;
}

/* One of the factors of nest @n is in @buffer. */
static bool multiplies(const struct perfect_nests *nests, size_t n, const struct ir_buffer *buffer)
{
    const struct perfect_nest *before = n > 0 ? &nests->items[n - 1] : NULL;
    const struct ir_expr *a, *b;

    return fuse_read_product(&nests->items[n], before, &a, &b) &&
           (a->buffer == buffer) != (b->buffer == buffer);
}

struct counting {
    const struct ir_buffer *buffer;
    unsigned count;
};

static bool count_load(void *state, const struct ir_expr *a)
{
    struct counting *counting = state;

    counting->count += a->kind == IR_EXPR_load && a->buffer == counting->buffer;
    return true;
}

static bool count_in_expr(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, count_load, state);
}

static bool count_in_stmt(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, count_in_expr, state);
}

bool fuse_multiplies(const struct tir_func *func, unsigned param)
{
    struct counting counting = {.buffer = func->params[param].buffer};
    struct arena scratch = {0};
    struct perfect_nests nests = {0};
    bool is_factor = false;

    if (counting.buffer && perfect_nests_of(&scratch, func, &nests)) {
        (void)tir_stmt_walk(func->body, count_in_stmt, &counting);
        for (size_t i = 0; i < nests.count && counting.count == 1; i++)
            is_factor |= multiplies(&nests, i, counting.buffer);
    }
    array_finish(&nests);
    arena_finish(&scratch);
    return is_factor;
}

int fuse_param_of(const struct ir_op *op, unsigned i)
{
    const struct tir_func *kernel = ir_op_callee(op)->kernel;
    unsigned tensors = 0;

    for (unsigned k = 0; k < i; k++)
        tensors += ir_type_is_tensor(op->operands[k].value->type);
    for (unsigned p = 0; p < kernel->param_count; p++)
        if (kernel->params[p].buffer && tensors-- == 0)
            return (int)p;
    return -1;
}

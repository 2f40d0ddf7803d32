/*
 * Conditions of the rules that reorder matrix products.
 *
 * An order is cheaper if it takes provably fewer multiplications, whatever the symbols are (>= 1: where
 * something is empty there is nothing to multiply), or if it brings two operands together that can be
 * computed once, before any input is known.
 */
#include "ir/arith.h"
#include "ops/ids.h"
#include "passes/graph/compile_time.h"
#include "passes/graph/rules.h"

static bool is_early(const struct match *match, const struct ir_value *value)
{
    return compile_time_kind(match->compile_time, value) != COMPILE_TIME_NO;
}

/* One operand of a product: its extents, with those of its batch in front. */
struct matrix {
    const struct ir_value *value;
    const struct ir_expr *const *batch;
    int batch_count;
    const struct ir_expr *rows, *columns;
};

/* Every matmul of the pattern computes in the dtype of its operands. */
static bool are_plain(const struct match *match)
{
    for (unsigned i = 0; i < match->op_count; i++)
        if (op_is(match->ops[i], OP_matmul) &&
            ir_op_attr(match->ops[i], "out_dtype")->kind != IR_ATTR_NONE)
            return false;
    return true;
}

static bool read_matrix(const struct match *match, char letter, struct matrix *out)
{
    const struct ir_value *value = match_leaf(match, letter);
    const struct ir_type *type = value->type;

    if (type->kind != IR_TYPE_TENSOR || type->ndim < 1 || !type->dims)
        return false;
    *out = (struct matrix){.value = value, .batch = type->dims, .batch_count = type->ndim - 2};
    out->columns = type->dims[type->ndim - 1];
    out->rows = type->ndim < 2 ? NULL : type->dims[type->ndim - 2];
    return true;
}

static const struct ir_expr *product(const struct match *match, const struct ir_expr *a,
                                     const struct ir_expr *b, const struct ir_expr *c)
{
    struct ir_context *context = match->context;

    return ir_expr_binary(context, IR_EXPR_mul, ir_expr_binary(context, IR_EXPR_mul, a, b), c);
}

/* Elements of the batch that the matrices make by broadcasting; NULL: not known. */
static const struct ir_expr *batch_size(const struct match *match, const struct matrix *matrices,
                                        unsigned count)
{
    struct ir_context *context = match->context;
    const struct ir_expr *size = ir_expr_int(context, IR_I64, 1);
    int most = 0;

    for (unsigned i = 0; i < count; i++)
        if (matrices[i].batch_count > most)
            most = matrices[i].batch_count;
    for (int axis = 1; axis <= most; axis++) {
        const struct ir_expr *extent = NULL;

        for (unsigned i = 0; i < count; i++) {
            const struct matrix *m = &matrices[i];
            const struct ir_expr *dim =
                axis <= m->batch_count ? m->batch[m->batch_count - axis] : NULL;

            if (!dim || ir_expr_is_int(dim, 1))
                continue;
            if (extent && !ir_prove_equal(context, extent, dim))
                return NULL;
            extent = dim;
        }
        if (extent)
            size = ir_expr_binary(context, IR_EXPR_mul, size, extent);
    }
    return size;
}

/* A symbol that is at least 1, as one that is at least 0. */
static const struct ir_expr *add_one(void *state, const struct ir_expr *a)
{
    if (a->kind != IR_EXPR_var)
        return a;
    return ir_expr_binary(state, IR_EXPR_add, a, ir_expr_int(state, a->dtype, 1));
}

enum order { ORDER_UNKNOWN, ORDER_LHS_FIRST, ORDER_RHS_FIRST };

/* By the multiplications of (a @ b) @ c and of a @ (b @ c), of [n, r], [r, m] and [m, k]. */
static enum order compare(const struct match *match, const struct matrix *abc)
{
    struct ir_context *context = match->context;
    const struct ir_expr *one = ir_expr_int(context, IR_I64, 1);
    const struct ir_expr *n = abc[0].rows ? abc[0].rows : one, *r = abc[0].columns;
    const struct ir_expr *m = abc[1].columns, *k = abc[2].rows ? abc[2].columns : one;
    const struct ir_expr *batch_ab = batch_size(match, abc, 2);
    const struct ir_expr *batch_bc = batch_size(match, abc + 1, 2);
    const struct ir_expr *batch = batch_size(match, abc, 3);

    if (!batch_ab || !batch_bc || !batch)
        return ORDER_UNKNOWN;
    const struct ir_expr *lhs =
        ir_expr_binary(context, IR_EXPR_add,
                       ir_expr_binary(context, IR_EXPR_mul, batch_ab, product(match, n, r, m)),
                       ir_expr_binary(context, IR_EXPR_mul, batch, product(match, n, m, k)));
    const struct ir_expr *rhs =
        ir_expr_binary(context, IR_EXPR_add,
                       ir_expr_binary(context, IR_EXPR_mul, batch_bc, product(match, r, m, k)),
                       ir_expr_binary(context, IR_EXPR_mul, batch, product(match, n, r, k)));

    lhs = ir_expr_rewrite(context, lhs, add_one, context);
    rhs = ir_expr_rewrite(context, rhs, add_one, context);
    bool lhs_is_more = ir_prove_ge(context, NULL, lhs, rhs);
    bool rhs_is_more = ir_prove_ge(context, NULL, rhs, lhs);
    if (lhs_is_more == rhs_is_more)
        return ORDER_UNKNOWN; /* neither is proved, or they are equal */
    return rhs_is_more ? ORDER_LHS_FIRST : ORDER_RHS_FIRST;
}

static enum order best_order(const struct match *match, const struct matrix *abc)
{
    bool a = is_early(match, abc[0].value), b = is_early(match, abc[1].value);
    bool c = is_early(match, abc[2].value);
    /* A vector is a row on the left and a column on the right; beside batches that says something else. */
    bool has_vector = !abc[0].rows || !abc[2].rows;
    bool has_batch = abc[0].batch_count > 0 || abc[1].batch_count > 0 || abc[2].batch_count > 0;

    if (!are_plain(match) || !abc[1].rows || (has_vector && has_batch) || (a && b && c))
        return ORDER_UNKNOWN;
    if (b && (a || c))
        return a ? ORDER_LHS_FIRST : ORDER_RHS_FIRST;
    return compare(match, abc);
}

static enum order order_of(const struct match *match)
{
    struct matrix abc[3];

    for (unsigned i = 0; i < 3; i++)
        if (!read_matrix(match, "abc"[i], &abc[i]))
            return ORDER_UNKNOWN;
    return best_order(match, abc);
}

static void transpose(struct matrix *matrix)
{
    const struct ir_expr *rows = matrix->rows;

    matrix->rows = matrix->columns;
    matrix->columns = rows;
}

/* The same where the matrices @first and @first + 1 are transposed; plain ones only. */
static enum order order_of_transposed(const struct match *match, const struct ir_op *permute,
                                      unsigned first)
{
    struct matrix abc[3];
    const struct ir_attr *axes = ir_op_attr(permute, "axes");
    bool is_transpose =
        axes->kind != IR_ATTR_LIST || (axes->count == 2 && (axes->items[0]->integer + 2) % 2 == 1);

    for (unsigned i = 0; i < 3; i++)
        if (!read_matrix(match, "abc"[i], &abc[i]) || abc[i].batch_count != 0)
            return ORDER_UNKNOWN;
    if (!is_transpose)
        return ORDER_UNKNOWN;
    transpose(&abc[first]);
    transpose(&abc[first + 1]);
    return best_order(match, abc);
}

bool when_rhs_first_is_cheaper(struct match *match)
{
    return order_of(match) == ORDER_RHS_FIRST;
}

bool when_lhs_first_is_cheaper(struct match *match)
{
    return order_of(match) == ORDER_LHS_FIRST;
}

bool when_permuted_rhs_first_is_cheaper(struct match *match)
{
    return order_of_transposed(match, match->ops[1], 0) == ORDER_RHS_FIRST;
}

bool when_permuted_lhs_first_is_cheaper(struct match *match)
{
    return order_of_transposed(match, match->ops[1], 1) == ORDER_LHS_FIRST;
}

/* A sum that is computed once, in advance, is better than two products in each run. */
bool when_sum_not_constant(struct match *match)
{
    const struct ir_value *a = match_leaf(match, 'a'), *b = match_leaf(match, 'b');
    const struct ir_value *sum = &match->ops[match->op_count - 1]->result;

    return a->type == b->type && a->type == sum->type && a->type->kind == IR_TYPE_TENSOR &&
           !(is_early(match, a) && is_early(match, b));
}

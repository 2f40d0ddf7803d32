/* Matrix product, as NumPy's: sums in the order of the inner axis. */
#include "codegen/interp/internal.h"

#include <string.h>

/* An operand as a stack of matrices. */
struct matrices {
    const struct inlay_tensor *x;
    struct ir_dtype dtype;
    unsigned batch; /* axes before the matrix */
    int64_t rows, columns;
};

static struct matrices matrices_of(const struct inlay_tensor *x, bool is_left)
{
    struct matrices m = {.x = x, .dtype = interp_tensor_dtype(x), .rows = 1, .columns = 1};
    unsigned ndim = (unsigned)x->ndim;
    if (ndim == 1) { /* a row on the left, a column on the right */
        *(is_left ? &m.columns : &m.rows) = x->shape[0];
        return m;
    }
    m.batch = ndim - 2;
    m.rows = x->shape[ndim - 2];
    m.columns = x->shape[ndim - 1];
    return m;
}

static struct interp_scalar element(const struct matrices *m, const int64_t *at, unsigned batch,
                                    int64_t row, int64_t column, struct ir_dtype as)
{
    int64_t offset = interp_broadcast_offset(m->x->shape, m->batch, at, batch);
    offset = (offset * m->rows + row) * m->columns + column;
    return interp_cast(interp_load_element(m->dtype, interp_data(m->x), offset), as);
}

const struct interp_value *interp_op_matmul(struct interp_op *o)
{
    const struct inlay_tensor *x1 = interp_operand(o, 0), *x2 = interp_operand(o, 1);
    int64_t shape[INTERP_RANK + 2], inner[INTERP_RANK + 2];
    unsigned batch, ndim;
    if (!x1 || !x2 || x1->ndim == 0 || x2->ndim == 0)
        return NULL;
    struct matrices a = matrices_of(x1, true), b = matrices_of(x2, false);
    if (a.columns != b.rows) {
        interp_fail(o->run, INLAY_ERROR_SHAPE, "rows of %lld elements meet columns of %lld",
                    (long long)a.columns, (long long)b.rows);
        return NULL;
    }
    batch = a.batch;
    memcpy(shape, x1->shape, batch * sizeof(int64_t));
    if (!interp_broadcast(o->run, shape, &batch, x2->shape, b.batch))
        return NULL;
    memcpy(inner, shape, batch * sizeof(int64_t));
    inner[batch] = a.rows;
    inner[batch + 1] = b.columns;
    ndim = batch;
    if (x1->ndim > 1)
        shape[ndim++] = a.rows;
    if (x2->ndim > 1)
        shape[ndim++] = b.columns;
    struct ir_dtype dtype = interp_attr_dtype(o, "out_dtype", a.dtype);
    struct ir_dtype wide = interp_compute_dtype(dtype);
    struct interp_value *result = interp_tensor_new(o->run, dtype, shape, ndim);
    struct interp_index i;
    if (!result)
        return NULL;
    for (interp_index_begin(&i, inner, batch + 2); !i.is_done; interp_index_next(&i)) {
        struct interp_scalar sum = interp_cast((struct interp_scalar){.dtype = IR_I64}, wide);
        for (int64_t k = 0; k < a.columns; k++) {
            struct interp_scalar product;
            if (!interp_binary(IR_EXPR_mul, element(&a, i.at, batch, i.at[batch], k, wide),
                               element(&b, i.at, batch, k, i.at[batch + 1], wide), &product) ||
                !interp_binary(IR_EXPR_add, sum, product, &sum)) {
                interp_unsupported(o->run, o->op->loc, "`R.matmul` on this dtype");
                return NULL;
            }
        }
        interp_store_element(interp_cast(sum, dtype), result->tensor->data, i.position);
    }
    return result;
}

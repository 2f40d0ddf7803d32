/*
 * Scratch whose first mention writes all of it:
 *
 *     row = T.alloc_buffer((1, 1024))
 *     ..                                     nothing of row
 *     for j in T.vectorized(1024): row[0, j] = ..
 *
 * Nobody reads what was there before, so it need not be zeroed.
 */
#include "codegen/llvm/kernel.h"

enum { RANK_MOST = 8 };

static bool is_other(void *state, const struct ir_expr *a)
{
    const struct ir_buffer *buffer = state;

    if (a->kind == IR_EXPR_load)
        return a->buffer != buffer;
    return a->kind != IR_EXPR_var || a->var != buffer->data_var;
}

static bool is_all_other(void *state, const struct ir_expr *root)
{
    return ir_expr_walk(root, is_other, state);
}

/* Does @stmt, what is in it aside, not mention the buffer?  What names buffers in other ways counts as doing so. */
static bool is_apart(void *state, struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_BLOCK || stmt->kind == TIR_DECL ||
        (stmt->kind == TIR_STORE && stmt->store.buffer == state))
        return false;
    return tir_stmt_walk_exprs(stmt, is_all_other, state);
}

static bool mentions(struct tir_stmt *stmt, struct ir_buffer *buffer)
{
    return !tir_stmt_walk(stmt, is_apart, buffer);
}

/* Is @index each of 0 to @extent - 1 once, in one of the @count @loops that no dimension before it took? */
static bool takes_dim(const struct ir_expr *index, const struct ir_expr *extent,
                      const struct tir_stmt **loops, unsigned count)
{
    if (ir_expr_is_int(extent, 1) && ir_expr_is_int(index, 0))
        return true;
    for (unsigned i = 0; i < count; i++)
        if (loops[i] && index->kind == IR_EXPR_var && index->var == loops[i]->loop.var &&
            ir_expr_equal(loops[i]->loop.extent, extent)) {
            loops[i] = NULL;
            return true;
        }
    return false;
}

/* A nest of loops around one store, of each element once. */
static bool writes_all(const struct tir_stmt *stmt, struct ir_buffer *buffer)
{
    const struct tir_stmt *loops[RANK_MOST];
    unsigned count = 0;

    for (; stmt->kind == TIR_FOR; stmt = stmt->loop.body) {
        if (count == RANK_MOST || !ir_expr_is_int(stmt->loop.min, 0) || stmt->loop.step)
            return false;
        loops[count++] = stmt;
    }
    if (stmt->kind != TIR_STORE || stmt->store.buffer != buffer || stmt->store.predicate ||
        stmt->store.index_count != buffer->ndim || stmt->store.value->dtype.lanes > 1 ||
        !tir_stmt_walk_exprs(stmt, is_all_other, buffer))
        return false;
    for (unsigned d = 0; d < buffer->ndim; d++)
        if (!takes_dim(stmt->store.indices[d], buffer->shape[d], loops, count))
            return false;
    for (unsigned i = 0; i < count; i++) /* others may run no round at all */
        if (loops[i] &&
            (loops[i]->loop.extent->kind != IR_EXPR_int || loops[i]->loop.extent->int_value < 1))
            return false;
    return true;
}

bool cg_is_written_first(const struct tir_stmt *seq, unsigned place)
{
    struct ir_buffer *buffer = seq->seq.items[place]->alloc.buffer;

    if (buffer->strides || buffer->elem_offset)
        return false;
    for (unsigned i = place + 1; i < seq->seq.count; i++) {
        if (writes_all(seq->seq.items[i], buffer))
            return true;
        if (mentions(seq->seq.items[i], buffer))
            return false;
    }
    return false;
}

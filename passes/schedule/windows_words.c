/*
 * Windows of bytes, by words of four of them along the sum (see windows.c, dot.c).
 *
 * Where both factors have signs, or none, Y is moved by 128.  What that changes depends on the row of X alone,
 * a * (b + 128) = a * b + 128 * a, and is added where the sums begin: it lies behind the words of the row, made
 * with them.  Bytes of X behind the end of the sum are zeros, so those of Y may be any that are there.
 */
#include "passes/schedule/windows.h"

#define BYTE IR_DTYPE(IR_UINT, 8)

bool windows_read_dot(const struct windows *w, struct matmul_dot *out)
{
    struct matmul *p = w->p;

    *out = (struct matmul_dot){
        .a = matmul_bytes_of(p->x), .b = matmul_bytes_of(p->y), .depth = w->depth};
    if (!out->a || !out->b || !ir_dtype_equal(p->c->dtype, IR_I32) || w->depth < 4)
        return false;
    bool a_signed = out->a->dtype.code == IR_INT, b_signed = out->b->dtype.code == IR_INT;
    out->is_moved = a_signed == b_signed;
    out->x = a_signed ? IR_I32 : IR_DTYPE(IR_UINT, 32);
    out->y = b_signed != out->is_moved ? IR_I32 : IR_DTYPE(IR_UINT, 32);
    out->factor = !out->is_moved ? 0 : b_signed ? -128 : 128;
    return true;
}

static const struct ir_expr *byte_at(const struct windows *w, const struct ir_expr *k, unsigned i)
{
    return plus(w, times(w, k, 4), num(w, i));
}

const struct ir_expr *windows_x_step(const struct windows *w, const struct ir_expr *x_batch,
                                     const struct ir_expr *i, const struct ir_expr *k)
{
    struct ir_context *context = w->s->context;
    const struct ir_expr *bytes[4];

    if (!w->dot)
        return windows_x(w, w->p->x, x_batch, i, k);
    for (unsigned n = 0; n < 4; n++) {
        const struct ir_expr *at = byte_at(w, k, n);

        bytes[n] = ir_expr_cast(context, BYTE, windows_x(w, w->dot->a, x_batch, i, at));
        if (w->dot->depth % 4 > 0 && n >= w->dot->depth % 4)
            bytes[n] = windows_or_zero(
                w, ir_expr_binary(context, IR_EXPR_lt, at, num(w, w->dot->depth)), bytes[n]);
    }
    return matmul_word(w->s, bytes, 4, false, w->dot->x);
}

const struct ir_expr *windows_y_step(const struct windows *w, const struct ir_expr *batch,
                                     const struct ir_expr *k, const struct ir_expr *row,
                                     const struct ir_expr *column)
{
    struct ir_context *context = w->s->context;
    const struct ir_expr *bytes[4];

    if (!w->dot)
        return windows_put(w, w->p->y, batch, NULL, k, row, column);
    for (unsigned n = 0; n < 4; n++) {
        const struct ir_expr *at = byte_at(w, k, n);

        if (w->dot->depth % 4 > 0 && n >= w->dot->depth % 4)
            at = sch_min(w->s, at, num(w, w->dot->depth - 1));
        bytes[n] =
            ir_expr_cast(context, BYTE, windows_put(w, w->dot->b, batch, NULL, at, row, column));
    }
    return matmul_word(w->s, bytes, 4, w->dot->is_moved, w->dot->y);
}

struct tir_stmt *windows_pack_sums(const struct windows *w, const struct ir_expr *x_batch,
                                   const struct ir_expr *row, const struct ir_expr *tile,
                                   const struct ir_var *lane, const struct ir_expr *count)
{
    struct schedule *s = w->s;
    struct ir_context *context = s->context;
    const struct ir_var *k = var(w, "k"), *first = var(w, "r");
    const struct ir_expr *at[] = {tile, num(w, w->depth), sch_use(s, lane)};
    const struct ir_expr *zero_at[] = {tile, at[1], sch_use(s, first)};
    const struct ir_expr *x = windows_x(w, w->p->x, x_batch, row, sch_use(s, k));

    if (w->x_batches > 1 || w->m % w->lanes != 0) /* rows that are not there */
        x = windows_or_zero(w, ir_expr_binary(context, IR_EXPR_lt, row, num(w, w->m)), x);
    x = ir_expr_binary(context, IR_EXPR_mul, x, sch_int(s, IR_I32, w->dot->factor));
    if (!ir_dtype_equal(w->tiles->dtype, IR_I32))
        x = ir_expr_cast(context, w->tiles->dtype, x);
    struct tir_stmt *add = sch_store(
        s, w->tiles, at, ir_expr_binary(context, IR_EXPR_add, sch_load(s, w->tiles, at), x));
    struct tir_stmt *items[] = {
        serial(w, first, count, sch_store(s, w->tiles, zero_at, sch_int(s, w->tiles->dtype, 0))),
        serial(w, k, num(w, w->dot->depth), serial(w, lane, count, add))};

    return sch_seq(s, items, 2);
}

int64_t windows_steps(const struct windows *w)
{
    return w->depth + (w->dot && w->dot->is_moved);
}

const struct ir_expr *windows_first(const struct windows *w, const struct ir_expr *tile,
                                    const struct ir_expr *lane)
{
    const struct ir_expr *at[] = {tile, num(w, w->depth), lane}, *sum;

    if (!w->dot || !w->dot->is_moved)
        return zero_of(w);
    sum = sch_load(w->s, w->tiles, at);
    return ir_dtype_equal(sum->dtype, IR_I32) ? sum : ir_expr_cast(w->s->context, IR_I32, sum);
}

const struct ir_expr *windows_step(const struct windows *w, const struct ir_expr *x,
                                   const struct ir_expr *y, const struct ir_expr *to)
{
    return w->dot ? matmul_dot_step(w->s, x, y, to) : matmul_step(w->s, x, y, to);
}

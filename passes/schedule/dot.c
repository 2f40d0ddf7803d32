/*
 * Products of bytes: four values of k in a word, so that one instruction multiplies and adds them (T.dot4).
 *
 *     C[i, j] += int32(a[i, k]) * int32(b[k, j])
 *     =>  C[i, j] = T.dot4(word of a[i, 4k], .., a[i, 4k + 3], word of b[4k, j], .., b[4k + 3, j], C[i, j])
 *
 * Such instructions want one factor with a sign and one without.  Where both have one, or none, a is moved by
 * 128; what that changes depends on the column alone, (a + 128) * b = a * b + 128 * b, and is added where the sums
 * begin.  It lies behind the panel of the column, made with it.  Sums wrap in 32 bits in any order, so all of this
 * gives the same bits.  Bytes behind the end of k are zeros, in both words.
 */
#include "passes/schedule/matmul.h"

enum { LEAST_DEPTH = 16 };

#define BYTE IR_DTYPE(IR_UINT, 8)
#define WORD IR_DTYPE(IR_UINT, 32)

/* The bytes that @a widens; NULL: it is something else. */
const struct ir_expr *matmul_bytes_of(const struct ir_expr *a)
{
    const struct ir_expr *from = a->kind == IR_EXPR_cast ? a->operands[0] : NULL;

    return from && ir_dtype_is_int(from->dtype) && from->dtype.bits == 8 && from->dtype.lanes == 1
               ? from
               : NULL;
}

bool matmul_read_dot(struct schedule *s, const struct matmul *p, struct matmul_dot *out)
{
    const struct ir_expr *a = matmul_bytes_of(p->x), *b = matmul_bytes_of(p->y);

    if (!a || !b || p->sums.count != 1 || !ir_dtype_equal(p->c->dtype, IR_I32) ||
        !p->starts_at_zero || !sch_constant(s, p->depth, &out->depth) || out->depth < LEAST_DEPTH ||
        out->depth > INT32_MAX)
        return false;
    bool a_signed = a->dtype.code == IR_INT, b_signed = b->dtype.code == IR_INT;
    out->a = a;
    out->b = b;
    out->is_moved = a_signed == b_signed;
    out->x = a_signed != out->is_moved ? IR_I32 : WORD;
    out->y = b_signed ? IR_I32 : WORD;
    /* a' = a + 128 or a - 128: less or more than that many times the column */
    out->factor = !out->is_moved ? 0 : a_signed ? -128 : 128;
    return true;
}

const struct ir_expr *matmul_word(struct schedule *s, const struct ir_expr *const *bytes,
                                  unsigned count, bool is_moved, struct ir_dtype dtype)
{
    const struct ir_expr *sum = NULL;

    for (unsigned i = 0; i < count; i++) {
        const struct ir_expr *byte = bytes[i];
        if (is_moved)
            byte = ir_expr_binary(s->context, IR_EXPR_add, byte, sch_int(s, BYTE, 128));
        byte = ir_expr_cast(s->context, WORD, byte);
        if (i > 0)
            byte = ir_expr_binary(s->context, IR_EXPR_mul, byte,
                                  sch_int(s, WORD, INT64_C(1) << (8 * i)));
        sum = sum ? ir_expr_binary(s->context, IR_EXPR_add, sum, byte) : byte;
    }
    return ir_dtype_equal(dtype, WORD) ? sum : ir_expr_cast(s->context, dtype, sum);
}

/* @count bytes of @a from k = 4 * @k on. */
static const struct ir_expr *word(struct schedule *s, const struct matmul *p,
                                  const struct ir_expr *a, const struct ir_expr *k, unsigned count,
                                  bool is_moved, struct ir_dtype dtype)
{
    const struct ir_expr *bytes[4];

    for (unsigned i = 0; i < count; i++) {
        const struct ir_expr *at = sch_add(s, sch_mul(s, k, 4), sch_int(s, k->dtype, i));
        bytes[i] = ir_expr_cast(s->context, BYTE, sch_put(s, a, p->k, at));
    }
    return matmul_word(s, bytes, count, is_moved, dtype);
}

const struct ir_expr *matmul_x_word(struct schedule *s, const struct matmul *p,
                                    const struct ir_expr *i, const struct ir_expr *k,
                                    unsigned count)
{
    const struct ir_expr *a = sch_put(s, p->dot->a, p->i, i);

    return word(s, p, a, k, count, p->dot->is_moved, p->dot->x);
}

const struct ir_expr *matmul_y_word(struct schedule *s, const struct matmul *p,
                                    const struct ir_expr *k, const struct ir_expr *j,
                                    unsigned count)
{
    return word(s, p, sch_put(s, p->dot->b, p->j, j), k, count, false, p->dot->y);
}

const struct ir_expr *matmul_dot_step(struct schedule *s, const struct ir_expr *x,
                                      const struct ir_expr *y, const struct ir_expr *to)
{
    const struct ir_expr *args[] = {x, y, to};

    return ir_expr_call(s->context, IR_I32, atom_intern_text(&s->context->atoms, "dot4"), args, 3);
}

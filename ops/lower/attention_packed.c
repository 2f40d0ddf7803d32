/*
 * Attention over sequences that lie one behind the other: tensors of (1, rows of all sequences, head, size), and
 * for queries and keys where each sequence begins, with an end behind the last.
 *
 * A query sees the keys of its own sequence alone, so that nothing of the size queries * keys is made: one pass over
 * them keeps the largest weight so far, the sum of exp(weight - largest), and the sum of the values by these weights,
 * both made smaller where a larger weight comes.  What has no keys, or belongs to no sequence, is 0.
 */
#include "ops/lower/code.h"

#include <string.h>

struct packed {
    struct kernel *k;
    struct ir_dtype dtype; /* that is computed in */
    const struct ir_expr *batch, *row, *head;
    struct ir_buffer *to;
    const struct ir_buffer *largest, *sum;
    const struct ir_expr *from, *count; /* of the keys that the query sees */
};

#define OP2(kind, a, b) k_binary(k, IR_EXPR_##kind, a, b)

/* Where sequence @i begins, of queries (operand 3) or keys (operand 5, or the same). */
static const struct ir_expr *begin_of(struct kernel *k, unsigned operand, const struct ir_expr *i)
{
    bool is_given = k->operands[operand].type != NULL;

    return k_cast(k, IR_I64, kernel_load(k, is_given ? operand : 3, kernel_copy_indices(k, &i, 1)));
}

static const struct ir_expr *load(const struct packed *p, unsigned operand,
                                  const struct ir_expr *row, const struct ir_expr *h)
{
    const struct ir_expr *head = attention_head(p->k, operand, p->head);
    const struct ir_expr *at[] = {p->batch, row, head, h};

    return k_cast(p->k, p->dtype, kernel_load(p->k, operand, kernel_copy_indices(p->k, at, 4)));
}

static const struct ir_expr *const *place(const struct packed *p, const struct ir_expr *h)
{
    const struct ir_expr *at[] = {p->batch, p->row, p->head, h};

    return kernel_copy_indices(p->k, at, 4);
}

/* to[v] = @value(to[v]) for the whole row: scaled by @factor, and with @more times the values of key @key. */
static void update_row(const struct packed *p, struct code *code, const struct ir_expr *factor,
                       const struct ir_expr *more, const struct ir_expr *key)
{
    struct kernel *k = p->k;
    struct code body;
    const struct ir_expr *v = code_for(code, &body, "v", p->to->shape[3]);
    const struct ir_expr *value = k_number(k, p->dtype, 0);

    if (factor)
        value = OP2(mul, ir_expr_load(k->context, p->to, place(p, v), 4), factor);
    if (more)
        value = OP2(add, value, OP2(mul, more, load(p, 2, key, v)));
    code_store(&body, p->to, place(p, v), value);
    code_end(&body);
}

/* The sequence of the query: as many as end at or before its row. */
static const struct ir_expr *own_sequence(const struct packed *p, struct code *code,
                                          const struct ir_expr *sequences)
{
    struct kernel *k = p->k;
    const struct ir_buffer *passed = code_scalar(code, "passed", IR_I64, k_int(k, 0));
    struct code body;
    const struct ir_expr *i = code_for(code, &body, "i", sequences);
    const struct ir_expr *end = begin_of(k, 3, k_add(k, i, k_int(k, 1)));

    code_count(&body, passed, k_cast(k, IR_I64, OP2(le, end, p->row)));
    code_end(&body);
    return code_let(code, "sequence", code_get(k, passed));
}

/* Which keys the query sees of those of its @sequence. */
static void seen_keys(struct packed *p, struct code *code, const struct ir_expr *sequence)
{
    struct kernel *k = p->k;
    const struct ir_attr *mask = ir_op_attr(k->op, "causal_mask");
    const struct ir_expr *one = k_int(k, 1), *next = k_add(k, sequence, one);
    const struct ir_expr *from = code_let(code, "k_from", begin_of(k, 5, sequence));
    const struct ir_expr *to = code_let(code, "k_to", begin_of(k, 5, next));

    code_assert(code, OP2(ge, from, k_int(k, 0)), "a sequence of keys begins before the first key");
    code_assert(code, OP2(le, to, kernel_input_dim(k, 1, 1)),
                "a sequence of keys ends behind the last key");
    p->from = from;
    if (mask->kind == IR_ATTR_STRING) {
        const struct ir_expr *q = OP2(sub, p->row, begin_of(k, 3, sequence));
        const struct ir_expr *end = OP2(add, OP2(add, from, q), one);
        if (strcmp(mask->string, "BottomRight") == 0) {
            const struct ir_expr *queries =
                OP2(sub, begin_of(k, 3, next), begin_of(k, 3, sequence));
            end = OP2(add, end, OP2(sub, OP2(sub, to, from), queries));
        }
        end = code_let(code, "seen_to", end);
        to = OP2(min, to, end);
        if (!op_attr_is_none(k->op, "window_size"))
            p->from = OP2(max, from, OP2(sub, end, k_int(k, op_attr_int(k->op, "window_size", 0))));
    }
    p->from = code_let(code, "first", p->from);
    p->count = code_let(code, "count", OP2(max, OP2(sub, to, p->from), k_int(k, 0)));
}

/* The weight of @key before the softmax. */
static const struct ir_expr *weight(const struct packed *p, struct code *code,
                                    const struct ir_expr *key)
{
    struct kernel *k = p->k;
    const struct ir_attr *scale = ir_op_attr(k->op, "scale");
    const struct ir_expr *size = kernel_input_dim(k, 0, 3);
    const struct ir_buffer *dot = code_scalar(code, "dot", p->dtype, k_number(k, p->dtype, 0));
    struct code body;
    const struct ir_expr *h = code_for(code, &body, "h", size);

    code_set(&body, dot,
             OP2(add, code_get(k, dot), OP2(mul, load(p, 0, p->row, h), load(p, 1, key, h))));
    code_end(&body);
    if (scale->kind != IR_ATTR_NONE)
        return OP2(mul, code_get(k, dot), k_number(k, p->dtype, op_attr_float(k->op, "scale")));
    return OP2(div, code_get(k, dot), k_call(k, "sqrt", k_cast(k, p->dtype, size)));
}

/* One key more. */
static void see(const struct packed *p, struct code *code, const struct ir_expr *key)
{
    struct kernel *k = p->k;
    const struct ir_expr *x = code_let(code, "x", weight(p, code, key));
    const struct ir_expr *top = code_let(code, "top", OP2(max, code_get(k, p->largest), x));
    const struct ir_expr *fade =
        code_let(code, "fade", k_call(k, "exp", OP2(sub, code_get(k, p->largest), top)));
    const struct ir_expr *part = code_let(code, "part", k_call(k, "exp", OP2(sub, x, top)));

    code_set(code, p->largest, top);
    code_set(code, p->sum, OP2(add, OP2(mul, code_get(k, p->sum), fade), part));
    update_row(p, code, fade, part, key);
}

static void attend(struct packed *p, struct code *code)
{
    struct kernel *k = p->k;
    const struct ir_expr *sequences = k_sub(k, kernel_input_dim(k, 3, 0), k_int(k, 1));
    const struct ir_expr *sequence = own_sequence(p, code, sequences), *one;
    struct code known, loop, some;

    update_row(p, code, NULL, NULL, NULL);
    code_if(code, &known, OP2(lt, sequence, sequences));
    seen_keys(p, &known, sequence);
    p->largest = code_scalar(&known, "largest", p->dtype, k_lowest(k, p->dtype));
    p->sum = code_scalar(&known, "total", p->dtype, k_number(k, p->dtype, 0));
    const struct ir_expr *i = code_for(&known, &loop, "key", p->count);
    see(p, &loop, OP2(add, p->from, i));
    code_end(&loop);
    code_if(&known, &some, OP2(gt, p->count, k_int(k, 0)));
    one = code_let(&some, "share", OP2(div, k_number(k, p->dtype, 1), code_get(k, p->sum)));
    update_row(p, &some, one, NULL, NULL);
    code_end(&some);
    code_end(&known);
}

static bool check(struct kernel *k)
{
    static const unsigned char begins[] = {3, 5};

    for (unsigned i = 0; i < ARRAY_SIZE(begins); i++)
        if (k->operands[begins[i]].type && k->operands[begins[i]].type->ndim != 1) {
            diag_report(k->diag, op_said_place(k->op, op_operand_name(k->op->info, begins[i])),
                        LOWER_OPERAND, k->op->info->name, op_operand_name(k->op->info, begins[i]),
                        "must have rank 1");
            return false;
        }
    return attention_check(k);
}

struct ir_value *lower_attention_var_len(struct ir_module *module, struct diag *diag,
                                         struct ir_op *op)
{
    struct kernel kernel, *k = &kernel;

    if (!kernel_begin(k, module, diag, op, 1u << 5 | 15u))
        return NULL;
    if (!check(k))
        return kernel_abandon(k);
    struct ir_buffer *out = k->outputs[0];
    struct packed p = {.k = k, .dtype = kernel_compute_dtype(out->dtype), .to = out};
    if (!ir_dtype_equal(p.dtype, out->dtype))
        p.to = kernel_alloc(k, "acc", p.dtype, out->shape, 4);
    struct nest nest = nest_begin(k, "T_attention");
    struct code code = code_begin(k);
    p.batch = nest_axis(&nest, TIR_SPATIAL, out->shape[0]);
    p.row = nest_axis(&nest, TIR_SPATIAL, out->shape[1]);
    p.head = nest_axis(&nest, TIR_SPATIAL, out->shape[2]);
    attend(&p, &code);
    nest_code(&nest, &code);
    nest_end(&nest);
    if (p.to != out)
        kernel_cast_result(k, out, p.to);
    return kernel_finish(k);
}

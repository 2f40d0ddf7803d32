/* Attention and RotaryEmbedding of opset 23 and later, FlexAttention. */
#include "frontend/onnx/attention.h"
#include "frontend/onnx/families.h"

#include <math.h>
#include <string.h>

#define ADD(x_, y_) MAKE(&m->b, OP_add, x_, y_)
#define SUB(x_, y_) MAKE(&m->b, OP_subtract, x_, y_)
#define MUL(x_, y_) MAKE(&m->b, OP_multiply, x_, y_)

struct ir_value *onnx_heads_of(struct onnx_node *n, struct ir_value *x, int64_t heads)
{
    static const int64_t swapped[] = {0, 2, 1, 3};
    struct onnx_import *m = n->m;

    if (!x || onnx_rank(x) == 4)
        return x;
    if (onnx_rank(x) != 3 || heads < 1) {
        onnx_refuse(n, "it has no 3 axes and a number of heads, and no 4 axes");
        return NULL;
    }
    const struct ir_expr *count = onnx_expr(m, heads);
    const struct ir_expr *dims[] = {onnx_dims(x)[0], onnx_dims(x)[1], count,
                                    onnx_op(m, IR_EXPR_floordiv, onnx_dims(x)[2], count)};
    return onnx_permute(m, onnx_reshape(m, x, dims, 4), swapped, 4);
}

struct ir_value *onnx_heads_joined(struct onnx_import *m, struct ir_value *x)
{
    static const int64_t swapped[] = {0, 2, 1, 3};

    x = onnx_measured(m, x, NULL);
    if (!x)
        return NULL;
    const struct ir_expr *const *d = onnx_dims(x);
    const struct ir_expr *dims[] = {d[0], d[2], onnx_op(m, IR_EXPR_mul, d[1], d[3])};

    return onnx_reshape(m, onnx_permute(m, x, swapped, 4), dims, 3);
}

struct ir_value *onnx_heads_grouped(struct onnx_node *n, struct ir_value *x,
                                    const struct ir_value *q)
{
    struct onnx_import *m = n->m;
    const struct ir_expr *const *d = x ? onnx_dims(x) : NULL;
    const struct ir_expr *one = onnx_expr(m, 1);

    if (!x || ir_prove_equal(m->context, d[1], onnx_dims(q)[1]))
        return x;
    const struct ir_expr *times = onnx_op(m, IR_EXPR_floordiv, onnx_dims(q)[1], d[1]);
    const struct ir_expr *apart[] = {d[0], d[1], one, d[2], d[3]};
    const struct ir_expr *wide[] = {d[0], d[1], times, d[2], d[3]};
    const struct ir_expr *dims[] = {d[0], onnx_dims(q)[1], d[2], d[3]};
    return onnx_reshape(m, onnx_broadcast(m, onnx_reshape(m, x, apart, 5), wide, 5), dims, 4);
}

bool onnx_heads_fit(struct onnx_node *n, struct ir_value *q, struct ir_value **k,
                    struct ir_value **v)
{
    if (!q || !*k || !*v)
        return false;
    const struct ir_expr *of_k[] = {onnx_dims(q)[0], onnx_dims(*k)[1], onnx_dims(*k)[2],
                                    onnx_dims(q)[3]};
    const struct ir_expr *of_v[] = {of_k[0], of_k[1], of_k[2], onnx_dims(*v)[3]};

    *k = onnx_with_dims(n->m, *k, of_k);
    *v = *k ? onnx_with_dims(n->m, *v, of_v) : NULL;
    return *v != NULL;
}

/* 0 .. @count - 1 along @axis of 4. */
static struct ir_value *places(struct onnx_import *m, const struct ir_expr *count, int64_t axis)
{
    struct ir_value *row = MAKE(&m->b, OP_arange, ir_inline_prim(m->module, count));
    return onnx_along(m, onnx_cast(m, row, IR_I64), axis, 4);
}

static struct ir_value *scalar_of(struct onnx_import *m, const struct ir_expr *e)
{
    struct onnx_value value = {0};

    onnx_value_set_elements(m, &value, IR_I64, 0, NULL, &e, 1);
    return onnx_value_tensor(m, &value);
}

static struct ir_value *where_not(struct onnx_import *m, struct ir_value *keeps, struct ir_value *x)
{
    return x ? MAKE(&m->b, OP_where, keeps, x, onnx_scalar(m, x->type->dtype, -INFINITY)) : NULL;
}

struct attention {
    struct ir_value *q, *k, *v, *mask, *lengths;
    const struct ir_expr *queries, *keys, *past; /* lengths; past: of the cache */
};

/* The key at the place of each query: its own number, and how many keys are in front of all queries. */
static struct ir_value *query_places(struct onnx_import *m, const struct attention *a)
{
    static const int64_t others[] = {1, 2, 3};
    struct ir_value *row = places(m, a->queries, 2), *offset = NULL;

    if (a->past)
        return ADD(row, scalar_of(m, a->past));
    if (!a->lengths)
        return row;
    offset = SUB(onnx_cast(m, a->lengths, IR_I64), scalar_of(m, a->queries));
    return ADD(row, offset ? onnx_expand_dims(m, offset, others, 3) : NULL);
}

/* What is_causal, the window and the lengths of the keys leave of @scores. */
static struct ir_value *windowed(struct onnx_node *n, const struct attention *a,
                                 struct ir_value *scores)
{
    struct onnx_import *m = n->m;
    int64_t left = onnx_int(n, "left_window_size", -1),
            right = onnx_int(n, "right_window_size", -1);
    struct ir_value *row = query_places(m, a), *column = places(m, a->keys, 3);

    if (onnx_int(n, "is_causal", 0) && (right < 0 || right > 0))
        right = 0;
    if (right >= 0)
        scores = where_not(
            m, MAKE(&m->b, OP_less_equal, column, ADD(row, onnx_scalar(m, IR_I64, (double)right))),
            scores);
    if (left >= 0)
        scores = where_not(
            m,
            MAKE(&m->b, OP_greater_equal, column, SUB(row, onnx_scalar(m, IR_I64, (double)left))),
            scores);
    if (a->lengths) {
        static const int64_t others[] = {1, 2, 3};
        struct ir_value *end = onnx_expand_dims(m, onnx_cast(m, a->lengths, IR_I64), others, 3);
        scores = where_not(m, MAKE(&m->b, OP_less, places(m, a->keys, 3), end), scores);
    }
    return scores;
}

/* Adds or applies the mask, broadcast over missing axes; its last axis may be shorter than the keys. */
static struct ir_value *masked(struct onnx_node *n, const struct attention *a,
                               struct ir_value *scores)
{
    struct onnx_import *m = n->m;
    struct ir_value *mask = a->mask;

    if (mask) {
        const struct ir_expr *have = onnx_dims(mask)[onnx_rank(mask) - 1];
        if (!ir_prove_equal(m->context, have, a->keys)) { /* what it does not reach is masked out */
            const struct ir_expr *dims[IR_RANK_LIMIT];
            for (int i = 0; i < onnx_rank(mask); i++)
                dims[i] = onnx_dims(mask)[i];
            dims[onnx_rank(mask) - 1] = onnx_op(m, IR_EXPR_sub, a->keys, have);
            bool is_bool = ir_dtype_is_bool(mask->type->dtype);
            struct ir_value *items[] = {
                mask, onnx_broadcast(m, onnx_scalar(m, mask->type->dtype, is_bool ? 0 : -INFINITY),
                                     dims, (unsigned)onnx_rank(mask))};
            mask = onnx_concat(m, items, 2, onnx_rank(mask) - 1);
        }
        struct ir_value *items[] = {scores, mask};
        if (!onnx_fit(n, items, 2, 0))
            return NULL;
        scores = items[0], mask = items[1];
        scores = ir_dtype_is_bool(mask->type->dtype)
                     ? where_not(m, mask, scores)
                     : ADD(scores, onnx_cast(m, mask, scores->type->dtype));
    }
    return windowed(n, a, scores);
}

static struct ir_value *capped(struct onnx_node *n, struct ir_value *scores)
{
    struct onnx_import *m = n->m;
    double cap = onnx_float(n, "softcap", 0);

    if (!scores || cap == 0)
        return scores;
    struct ir_value *limit = onnx_scalar(m, scores->type->dtype, cap);
    return MUL(MAKE(&m->b, OP_tanh, MAKE(&m->b, OP_divide, scores, limit)), limit);
}

/* Softmax along the last axis; rows of which all is masked are 0. */
static struct ir_value *softmax(struct onnx_node *n, struct ir_value *scores)
{
    struct onnx_import *m = n->m;
    int64_t type = onnx_int(n, "softmax_precision", 0);
    struct ir_dtype own, dtype;
    static const int64_t last[] = {3};

    if (!scores)
        return NULL;
    own = dtype = scores->type->dtype;
    if (type > 0 && type < 100 && !onnx_dtype((int32_t)type, &dtype))
        return NULL;
    scores = onnx_cast(m, scores, dtype);
    struct ir_value *top = onnx_reduce(m, OP_max, scores, last, 1, true);
    struct ir_value *none = MAKE(&m->b, OP_equal, top, onnx_scalar(m, dtype, -INFINITY));
    struct ir_value *soft =
        MAKE_WITH(&m->b, OP_nn_softmax, ((struct make_attr){"axis", onnx_attr_int(m, -1)}), scores);
    return onnx_cast(m, MAKE(&m->b, OP_where, none, onnx_scalar(m, dtype, 0), soft), own);
}

static bool with_cache(struct onnx_node *n, struct attention *a)
{
    a->past = NULL;
    if (onnx_has(n, 4) && onnx_has(n, 5)) {
        struct ir_value *k = onnx_in(n, 4), *v = k ? onnx_in(n, 5) : NULL;
        if (!v)
            return false;
        struct ir_value *keys[] = {k, a->k}, *values[] = {v, a->v};
        a->past = onnx_dims(k)[2];
        a->k = onnx_join(n, keys, 2, 2);
        a->v = onnx_join(n, values, 2, 2);
    }
    return a->k && a->v && (!onnx_wants(n, 1) || onnx_out(n, 1, a->k)) &&
           (!onnx_wants(n, 2) || onnx_out(n, 2, a->v));
}

bool onnx_attention(struct onnx_node *n)
{
    static const int64_t transposed[] = {0, 1, 3, 2};
    struct onnx_import *m = n->m;
    struct ir_value *given = onnx_in(n, 0), *k = given ? onnx_in(n, 1) : NULL,
                    *v = k ? onnx_in(n, 2) : NULL;
    struct attention a = {0};
    int64_t stage = onnx_int(n, "qk_matmul_output_mode", 0), size;

    if (!v || (onnx_has(n, 3) && !(a.mask = onnx_in(n, 3))) ||
        (onnx_has(n, 6) && !(a.lengths = onnx_in(n, 6))))
        return false;
    a.q = onnx_heads_of(n, given, onnx_int(n, "q_num_heads", 0));
    a.k = onnx_heads_of(n, k, onnx_int(n, "kv_num_heads", 0));
    a.v = onnx_heads_of(n, v, onnx_int(n, "kv_num_heads", 0));
    if (!a.q || !a.k || !a.v || !onnx_heads_fit(n, a.q, &a.k, &a.v) || !with_cache(n, &a))
        return false;
    a.queries = onnx_dims(a.q)[2];
    a.keys = onnx_dims(a.k)[2];
    if (!ir_expr_constant(m->context, onnx_dims(a.q)[3], &size)) {
        onnx_refuse(n, "the size of its heads is not known");
        return false;
    }
    struct ir_dtype dtype = a.q->type->dtype;
    double scale = sqrt(onnx_float(n, "scale", 1 / sqrt((double)size)));
    struct ir_value *factor = onnx_scalar(m, dtype, scale);
    struct ir_value *keys =
        MUL(onnx_permute(m, onnx_heads_grouped(n, a.k, a.q), transposed, 4), factor);
    struct ir_value *scores = MAKE(&m->b, OP_matmul, MUL(a.q, factor), keys);
    struct ir_value *stages[4];
    stages[0] = scores;
    stages[1] = capped(n, scores);
    stages[2] = stages[1] ? masked(n, &a, stages[1]) : NULL;
    stages[3] = softmax(n, stages[2]);
    struct ir_value *y = MAKE(&m->b, OP_matmul, stages[3], onnx_heads_grouped(n, a.v, a.q));
    if (!y || (onnx_wants(n, 3) && (stage < 0 || stage > 3 || !onnx_out(n, 3, stages[stage]))))
        return false;
    return onnx_out(n, 0, onnx_rank(given) == 4 ? y : onnx_heads_joined(m, y));
}

/* ---- FlexAttention ---- */

/* What graph @name of the node makes of @x; @x itself where there is none. */
static struct ir_value *modified(struct onnx_node *n, const char *name, struct ir_value *x)
{
    const Onnx__Attribute *attribute = onnx_attribute(n, name);
    struct onnx_value value = {.tensor = x, .dtype = x ? x->type->dtype : IR_F32};
    struct onnx_value *in = &value, *out[1];

    if (!x || !attribute || !attribute->g)
        return x;
    if (attribute->g->n_input != 1 || attribute->g->n_output != 1) {
        onnx_refuse(n, "`%s` has not one input and one output", name);
        return NULL;
    }
    if (!onnx_run_graph(n, attribute->g, &in, 1, out))
        return NULL;
    return onnx_cast(n->m, onnx_value_tensor(n->m, out[0]), value.dtype);
}

bool onnx_flex_attention(struct onnx_node *n)
{
    static const int64_t transposed[] = {0, 1, 3, 2};
    struct onnx_import *m = n->m;
    struct ir_value *q = onnx_in(n, 0), *k = q ? onnx_in(n, 1) : NULL,
                    *v = k ? onnx_in(n, 2) : NULL;
    int64_t size, type = onnx_int(n, "softmax_precision", 0);

    if (!v)
        return false;
    if (onnx_rank(q) != 4 || onnx_rank(k) != 4 || onnx_rank(v) != 4 ||
        !ir_expr_constant(m->context, onnx_dims(q)[3], &size)) {
        onnx_refuse(n, "its inputs have not four axes, the last of a known size");
        return false;
    }
    struct ir_dtype own = q->type->dtype, dtype = own.bits < 32 ? IR_F32 : own;
    if (type && (type < 0 || type > 99 || !onnx_dtype((int32_t)type, &dtype)))
        return false;
    float scale = (float)onnx_float(n, "scale", 1 / sqrt((double)size));
    struct ir_value *factor = onnx_scalar(m, own, (double)sqrtf(scale));
    struct ir_value *keys = onnx_permute(m, onnx_heads_grouped(n, k, q), transposed, 4);
    struct ir_value *scores =
        onnx_cast(m, MAKE(&m->b, OP_matmul, MUL(q, factor), MUL(keys, factor)), dtype);
    struct make_attr last = {"axis", onnx_attr_int(m, -1)};
    struct ir_value *chances = modified(
        n, "prob_mod", MAKE_WITH(&m->b, OP_nn_softmax, last, modified(n, "score_mod", scores)));
    struct ir_value *y =
        MAKE(&m->b, OP_matmul, chances, onnx_cast(m, onnx_heads_grouped(n, v, q), dtype));
    return onnx_out(n, 0, onnx_cast(m, y, own));
}

/* ---- RotaryEmbedding ---- */

/* Cosines or sines for each place, as (batch, 1, length, half). */
static struct ir_value *angles(struct onnx_node *n, unsigned input)
{
    struct onnx_import *m = n->m;
    struct ir_value *cache = onnx_in(n, input);
    int64_t axis = 1;

    if (cache && onnx_has(n, 3)) {
        struct ir_value *at = onnx_in(n, 3);
        cache = at ? MAKE_WITH(&m->b, OP_take, ((struct make_attr){"axis", onnx_attr_int(m, 0)}),
                               cache, at)
                   : NULL;
    }
    return cache ? onnx_expand_dims(m, cache, &axis, 1) : NULL;
}

struct ir_value *onnx_rotate(struct onnx_node *n, struct ir_value *x, struct ir_value *c,
                             struct ir_value *s, int64_t turned, bool apart)
{
    struct onnx_import *m = n->m;
    const struct ir_expr *zero = onnx_expr(m, 0), *middle = onnx_expr(m, turned / 2);
    const struct ir_expr *end = onnx_expr(m, turned), *one = onnx_expr(m, 1);
    const struct ir_expr *all = x ? onnx_dims(x)[3] : zero;
    struct ir_value *head = x ? onnx_slice(m, x, 3, zero, end, 1) : NULL;

    if (!head)
        return NULL;
    struct ir_value *a =
        apart ? onnx_slice(m, head, 3, zero, end, 2) : onnx_slice(m, head, 3, zero, middle, 1);
    struct ir_value *b =
        apart ? onnx_slice(m, head, 3, one, end, 2) : onnx_slice(m, head, 3, middle, end, 1);
    struct ir_value *items[] = {a, b, c, s};
    if (!a || !b || !onnx_fit(n, items, 4, 0))
        return NULL;
    a = items[0], b = items[1], c = items[2], s = items[3];
    struct ir_value *parts[] = {SUB(MUL(a, c), MUL(b, s)), ADD(MUL(a, s), MUL(b, c)), NULL};
    struct ir_value *y;
    if (apart && parts[0]) { /* (.., half, 2) flattened */
        int64_t last = 4;
        const struct ir_expr *dims[] = {onnx_dims(x)[0], onnx_dims(x)[1], onnx_dims(x)[2], end};
        for (int i = 0; i < 2; i++)
            parts[i] = parts[i] ? onnx_expand_dims(m, parts[i], &last, 1) : NULL;
        y = onnx_concat(m, parts, 2, 4);
        y = y ? onnx_reshape(m, y, dims, 4) : NULL;
    } else {
        y = onnx_concat(m, parts, 2, 3);
    }
    if (ir_prove_equal(m->context, all, end))
        return y;
    struct ir_value *both[] = {y, onnx_slice(m, x, 3, end, all, 1)};
    return onnx_concat(m, both, 2, 3);
}

bool onnx_rotary(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *given = onnx_in(n, 0);
    struct ir_value *x = given ? onnx_heads_of(n, given, onnx_int(n, "num_heads", 0)) : NULL;
    int64_t size, turned = onnx_int(n, "rotary_embedding_dim", 0);

    if (!x || !ir_expr_constant(m->context, onnx_dims(x)[3], &size))
        return false;
    struct ir_value *c = angles(n, 1), *s = angles(n, 2);
    struct ir_value *y =
        onnx_rotate(n, x, c, s, turned ? turned : size, onnx_int(n, "interleaved", 0));
    return onnx_out(n, 0, !y || onnx_rank(given) == 4 ? y : onnx_heads_joined(m, y));
}

/* Attention and RotaryEmbedding of com.microsoft, as ONNX Runtime's optimisers and builders of models write them. */
#include "frontend/onnx/attention.h"
#include "frontend/onnx/families.h"

#include <math.h>

#define ADD(x_, y_) MAKE(&m->b, OP_add, x_, y_)
#define SUB(x_, y_) MAKE(&m->b, OP_subtract, x_, y_)
#define MUL(x_, y_) MAKE(&m->b, OP_multiply, x_, y_)
#define DIV(x_, y_) MAKE(&m->b, OP_divide, x_, y_)

struct attention {
    struct onnx_node *n;
    struct onnx_import *m;
    struct ir_value *q, *k, *v; /* (batch, heads, length, size) */
    const struct ir_expr *past; /* length of the cache, or NULL */
    bool is_causal;
    double filter; /* what is added to keys that a mask hides */
};

static struct ir_value *part_of(struct onnx_import *m, struct ir_value *x, int64_t axis,
                                const struct ir_expr *from, const struct ir_expr *length)
{
    return x ? onnx_slice(m, x, axis, from, onnx_op(m, IR_EXPR_add, from, length), 1) : NULL;
}

/* @cache in front of @x, along the sequence. */
static struct ir_value *behind(struct onnx_node *n, struct ir_value *cache, struct ir_value *x)
{
    struct ir_value *both[] = {cache, x};

    return onnx_join(n, both, 2, 2);
}

static const struct ir_expr *length_of(struct ir_value *x)
{
    return onnx_dims(x)[2];
}

static struct ir_value *integer(struct onnx_import *m, const struct ir_expr *e)
{
    struct onnx_value value = {0};

    onnx_value_set_elements(m, &value, IR_I64, 0, NULL, &e, 1);
    return onnx_value_tensor(m, &value);
}

/* 0, 1, .. along @axis of 4. */
static struct ir_value *numbers_along(struct onnx_import *m, const struct ir_expr *count,
                                      int64_t axis)
{
    struct ir_value *row = MAKE(&m->b, OP_arange, ir_inline_prim(m->module, count));

    return onnx_along(m, onnx_cast(m, row, IR_I64), axis, 4);
}

/* @mask, 0 where a key is hidden, by (batch, keys), (batch, queries, keys), or of how many each may see (batch). */
static struct ir_value *hidden(struct attention *a, struct ir_value *mask)
{
    struct onnx_import *m = a->m;
    const struct ir_expr *one = onnx_expr(m, 1), *batch = onnx_dims(a->q)[0];
    const struct ir_expr *keys = length_of(a->k), *queries = length_of(a->q);
    const struct ir_expr *rows[] = {batch, queries, keys}, *row[] = {batch, keys};
    struct ir_dtype dtype = a->q->type->dtype;
    struct ir_value *is_seen;
    int rank = onnx_rank(mask);

    if (rank < 1 || rank > 3 ||
        (rank == 1 && ir_prove_different(m->context, onnx_dims(mask)[0], batch))) {
        onnx_refuse(a->n, "its mask has neither 2 or 3 axes, nor a number for each sequence");
        return NULL;
    }
    mask = onnx_with_dims(m, mask, rank == 1 ? &batch : rank == 2 ? row : rows);
    if (!mask)
        return NULL;
    if (rank == 1) {
        struct ir_value *ends = onnx_along(m, onnx_cast(m, mask, IR_I64), 0, 4);
        is_seen = MAKE(&m->b, OP_less, numbers_along(m, keys, 3), ends);
    } else {
        const struct ir_expr *dims[] = {batch, one, rank == 3 ? queries : one, keys};
        mask = onnx_reshape(m, mask, dims, 4);
        is_seen =
            mask ? MAKE(&m->b, OP_not_equal, mask, onnx_scalar(m, mask->type->dtype, 0)) : NULL;
    }
    return MAKE(&m->b, OP_where, is_seen, onnx_scalar(m, dtype, 0),
                onnx_scalar(m, dtype, a->filter));
}

/* Which keys the queries may see by their places: up to their own, of these the last @window (0: all). */
static struct ir_value *causal(struct attention *a, struct ir_value *scores, int64_t window)
{
    struct onnx_import *m = a->m;
    struct ir_value *own = numbers_along(m, length_of(a->q), 2);
    struct ir_value *key = numbers_along(m, length_of(a->k), 3);
    struct ir_value *none = scores ? onnx_scalar(m, scores->type->dtype, -INFINITY) : NULL;

    own = a->past ? ADD(own, integer(m, a->past)) : own;
    scores = MAKE(&m->b, OP_where, MAKE(&m->b, OP_less_equal, key, own), scores, none);
    if (window <= 0)
        return scores;
    struct ir_value *first = SUB(own, onnx_scalar(m, IR_I64, (double)window));
    return MAKE(&m->b, OP_where, MAKE(&m->b, OP_greater, key, first), scores, none);
}

/* softmax(q * k^T * scale + mask + bias) * v, with the heads beside each other again. */
static struct ir_value *attend(struct attention *a, struct ir_value *mask, struct ir_value *bias,
                               int64_t window)
{
    struct onnx_import *m = a->m;
    struct make_attr last = {"axis", onnx_attr_int(m, -1)};
    double scale = onnx_float(a->n, "scale", 0), cap = onnx_float(a->n, "softcap", 0);
    int64_t size;

    if (!ir_expr_constant(m->context, onnx_dims(a->q)[3], &size)) {
        onnx_refuse(a->n, "the size of its heads is not known");
        return NULL;
    }
    struct ir_dtype dtype = a->q->type->dtype;
    struct ir_value *keys = onnx_heads_grouped(a->n, a->k, a->q);
    struct ir_value *scores = MAKE(&m->b, OP_matmul, a->q, keys ? onnx_swap_last(m, keys) : NULL);
    scores = MUL(scores, onnx_scalar(m, dtype, scale != 0 ? scale : 1 / sqrt((double)size)));
    if (cap != 0) {
        struct ir_value *limit = onnx_scalar(m, dtype, cap);
        scores = MUL(MAKE(&m->b, OP_tanh, DIV(scores, limit)), limit);
    }
    if (bias) {
        struct ir_value *items[] = {scores, bias};
        scores = onnx_fit(a->n, items, 2, 0) ? ADD(items[0], items[1]) : NULL;
    }
    scores = mask ? ADD(scores, mask) : scores;
    scores = a->is_causal ? causal(a, scores, window) : scores;
    struct ir_value *weights = scores ? MAKE_WITH(&m->b, OP_nn_softmax, last, scores) : NULL;
    struct ir_value *y = MAKE(&m->b, OP_matmul, weights, onnx_heads_grouped(a->n, a->v, a->q));
    return y ? onnx_heads_joined(m, y) : NULL;
}

static bool begin(struct attention *a, struct onnx_node *n, double filter)
{
    *a = (struct attention){.n = n, .m = n->m};
    a->is_causal = onnx_int(n, "unidirectional", 0);
    a->filter = onnx_float(n, "mask_filter_value", filter);
    return true;
}

/* Optional input @input made a mask; false after a report. */
static bool mask_of(struct attention *a, unsigned input, struct ir_value **out)
{
    struct ir_value *given = onnx_has(a->n, input) ? onnx_in(a->n, input) : NULL;

    *out = given ? hidden(a, given) : NULL;
    return !onnx_has(a->n, input) || *out;
}

/* Attention of com.microsoft: queries, keys and values are one product. */
bool onnx_packed_attention(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *w = x ? onnx_in(n, 1) : NULL, *parts[3], *mask, *past[2];
    const struct ir_expr *zero = onnx_expr(m, 0), *one = onnx_expr(m, 1), *from = zero, *sizes[3];
    struct attention a;
    size_t count;

    if (!w || !begin(&a, n, -10000))
        return false;
    const int64_t *given = onnx_ints(n, "qkv_hidden_sizes", &count);
    if (onnx_int(n, "do_rotary", 0) || onnx_int(n, "past_present_share_buffer", 0) ||
        (given && count != 3) || onnx_rank(w) != 2 || onnx_rank(x) != 3) {
        onnx_refuse(n,
                    "such an Attention (rotary, of a shared buffer, or of other axes) is not read");
        return false;
    }
    x = onnx_plus(n, onnx_fit_product(n, &x, &w) ? MAKE(&m->b, OP_matmul, x, w) : NULL, 2);
    for (unsigned i = 0; i < 3; i++) {
        sizes[i] = given ? onnx_expr(m, given[i])
                         : onnx_op(m, IR_EXPR_floordiv, onnx_dims(w)[1], onnx_expr(m, 3));
        parts[i] = onnx_heads_of(n, part_of(m, x, 2, from, sizes[i]), onnx_int(n, "num_heads", 0));
        from = onnx_op(m, IR_EXPR_add, from, sizes[i]);
    }
    a.q = parts[0], a.k = parts[1], a.v = parts[2];
    if (!onnx_heads_fit(n, a.q, &a.k, &a.v))
        return false;
    if (onnx_has(n, 4)) {
        struct ir_value *both = onnx_in(n, 4);
        if (!both || onnx_rank(both) != 5)
            return false;
        a.past = onnx_dims(both)[3];
        for (unsigned i = 0; i < 2; i++)
            past[i] =
                onnx_reshape(m, part_of(m, both, 0, i ? one : zero, one), onnx_dims(both) + 1, 4);
        a.k = behind(n, past[0], a.k);
        a.v = behind(n, past[1], a.v);
    }
    if (!a.k || !a.v || !mask_of(&a, 3, &mask))
        return false;
    if (onnx_wants(n, 1)) {
        int64_t first = 0;
        struct ir_value *both[] = {onnx_expand_dims(m, a.k, &first, 1),
                                   onnx_expand_dims(m, a.v, &first, 1)};
        if (!onnx_out(n, 1, onnx_concat(m, both, 2, 0)))
            return false;
    }
    return onnx_out(n, 0, attend(&a, mask, onnx_has(n, 5) ? onnx_in(n, 5) : NULL, 0));
}

/* Input @input as heads, with its part of the bias in input 3, which begins at *@from. */
static struct ir_value *biased_heads(struct onnx_node *n, unsigned input,
                                     const struct ir_expr **from)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, input);

    if (!x || onnx_rank(x) == 4)
        return x;
    if (onnx_rank(x) != 3) {
        onnx_refuse(n, "queries, keys and values in one tensor are not read");
        return NULL;
    }
    if (onnx_has(n, 3)) {
        x = ADD(x, part_of(m, onnx_in(n, 3), 0, *from, onnx_dims(x)[2]));
        *from = x ? onnx_op(m, IR_EXPR_add, *from, onnx_dims(x)[2]) : *from;
    }
    return onnx_heads_of(n, x, onnx_int(n, "num_heads", 0));
}

/* The cache in inputs @first and @first + 1 in front of keys and values, which become outputs 1 and 2. */
static bool with_cache(struct attention *a, unsigned first)
{
    struct onnx_node *n = a->n;

    if (onnx_has(n, first) && onnx_has(n, first + 1)) {
        struct ir_value *k = onnx_in(n, first), *v = k ? onnx_in(n, first + 1) : NULL;
        if (!v || onnx_rank(k) != 4 || onnx_rank(v) != 4)
            return false;
        a->past = length_of(k);
        a->k = behind(n, k, a->k);
        a->v = behind(n, v, a->v);
    }
    return a->k && a->v && (!onnx_wants(n, 1) || onnx_out(n, 1, a->k)) &&
           (!onnx_wants(n, 2) || onnx_out(n, 2, a->v));
}

bool onnx_multi_head_attention(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    const struct ir_expr *from = onnx_expr(m, 0);
    struct ir_value *mask;
    struct attention a;

    if (!onnx_has(n, 1) || !onnx_has(n, 2) || onnx_has(n, 8) || onnx_wants(n, 3)) {
        onnx_refuse(
            n, "queries, keys and values in one tensor, shared buffers and scores are not read");
        return false;
    }
    if (!begin(&a, n, -10000) || !(a.q = biased_heads(n, 0, &from)) ||
        !(a.k = biased_heads(n, 1, &from)) || !(a.v = biased_heads(n, 2, &from)) ||
        !onnx_heads_fit(n, a.q, &a.k, &a.v) || !with_cache(&a, 6) || !mask_of(&a, 4, &mask))
        return false;
    return onnx_out(n, 0, attend(&a, mask, onnx_has(n, 5) ? onnx_in(n, 5) : NULL, 0));
}

/* Each run must have the integers of @tensor equal to @wanted. */
static bool require(struct onnx_import *m, struct ir_value *tensor, const struct ir_expr *wanted)
{
    static const int64_t first = 0;
    const struct ir_expr *one = onnx_expr(m, 1), *both[] = {wanted, wanted};
    struct ir_value *ends[] = {onnx_reduce(m, OP_min, tensor, &first, 1, true),
                               onnx_reduce(m, OP_max, tensor, &first, 1, true)};

    for (unsigned i = 0; i < 2; i++)
        ends[i] = ends[i] ? onnx_reshape(m, onnx_cast(m, ends[i], IR_I64), &one, 1) : NULL;
    struct ir_value *shape = MAKE(&m->b, OP_tensor_to_shape, onnx_concat(m, ends, 2, 0));
    shape = shape ? make_operand(&m->b, shape) : NULL;
    return shape && ir_build_declared(&m->b, ir_core_op(m->context, IR_CORE_match_cast), &shape, 1,
                                      NULL, ir_type_shape(m->context, both, 2)) != NULL;
}

/* Cosines or sines in input @input for the places from the end of the cache on. */
static struct ir_value *angles(struct attention *a, unsigned input)
{
    static const int64_t outer[] = {0, 1};
    struct onnx_import *m = a->m;
    struct ir_value *at = MAKE(&m->b, OP_arange, ir_inline_prim(m->module, length_of(a->q)));

    at = onnx_cast(m, at, IR_I64);
    at = a->past ? ADD(at, integer(m, a->past)) : at;
    struct ir_value *rows = onnx_look_up(a->n, input, at);
    return rows ? onnx_expand_dims(m, rows, outer, 2) : NULL;
}

static bool turn(struct attention *a)
{
    struct onnx_node *n = a->n;
    struct ir_value *c = angles(a, 7), *s = c ? angles(a, 8) : NULL;
    int64_t half, apart = onnx_int(n, "rotary_interleaved", 0);

    if (!s || !ir_expr_constant(n->m->context, onnx_dims(c)[3], &half))
        return false;
    a->q = onnx_rotate(n, a->q, c, s, 2 * half, apart);
    a->k = onnx_rotate(n, a->k, c, s, 2 * half, apart);
    return a->q && a->k;
}

/* Queries, keys and values; all in input 0 where there are no keys. */
static bool grouped_heads(struct attention *a)
{
    struct onnx_node *n = a->n;
    struct onnx_import *m = n->m;
    struct ir_value *in[3] = {onnx_in(n, 0)};
    int64_t heads = onnx_int(n, "num_heads", 0), of_keys = onnx_int(n, "kv_num_heads", 0);

    if (!in[0] || heads < 1 || of_keys < 1 || onnx_rank(in[0]) != 3)
        return false;
    for (unsigned i = 1; onnx_has(n, 1) && i < 3; i++)
        if (!(in[i] = onnx_in(n, i)))
            return false;
    if (!onnx_has(n, 1)) {
        const struct ir_expr *size =
            onnx_op(m, IR_EXPR_floordiv, onnx_dims(in[0])[2], onnx_expr(m, heads + 2 * of_keys));
        const struct ir_expr *of_q = onnx_op(m, IR_EXPR_mul, size, onnx_expr(m, heads));
        const struct ir_expr *of_k = onnx_op(m, IR_EXPR_mul, size, onnx_expr(m, of_keys));
        in[1] = part_of(m, in[0], 2, of_q, of_k);
        in[2] = part_of(m, in[0], 2, onnx_op(m, IR_EXPR_add, of_q, of_k), of_k);
        in[0] = part_of(m, in[0], 2, onnx_expr(m, 0), of_q);
    }
    a->q = onnx_heads_of(n, in[0], heads);
    a->k = onnx_heads_of(n, in[1], of_keys);
    a->v = onnx_heads_of(n, in[2], of_keys);
    return onnx_heads_fit(n, a->q, &a->k, &a->v);
}

/*
 * GroupQueryAttention: a cache that grows by what is new.  Caches in a buffer of the largest length, and sequences
 * of several lengths, have other lengths in seqlens_k than the tensors say: they end the run.
 */
bool onnx_group_query_attention(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    int64_t window = onnx_int(n, "local_window_size", -1);
    struct ir_value *lengths = onnx_in(n, 5);
    struct attention a;

    if (!lengths || !begin(&a, n, 0))
        return false;
    a.is_causal = onnx_int(n, "causal", 1);
    for (unsigned i = 9; i < n->input_count; i++)
        if (i != 10 && onnx_has(n, i)) {
            onnx_refuse(n, "its input %u is not read", i);
            return false;
        }
    if (onnx_int(n, "smooth_softmax", 0) > 0 || onnx_int(n, "kv_cache_bit_width", 0) ||
        onnx_wants(n, 3) || onnx_rank(lengths) < 1 || onnx_rank(lengths) > 2) {
        onnx_refuse(n, "smooth_softmax, caches of integers and scores are not read");
        return false;
    }
    if (!grouped_heads(&a))
        return false;
    if (onnx_has(n, 3)) {
        struct ir_value *past = onnx_in(n, 3);
        if (!past || onnx_rank(past) != 4)
            return false;
        a.past = length_of(past);
    }
    if ((onnx_int(n, "do_rotary", 0) && !turn(&a)) || !with_cache(&a, 3))
        return false;
    const struct ir_expr *last = onnx_op(m, IR_EXPR_sub, length_of(a.k), onnx_expr(m, 1));
    if (onnx_rank(lengths) == 2)
        lengths = onnx_reshape(m, lengths, onnx_dims(lengths), 1);
    return require(m, lengths, last) &&
           onnx_out(n, 0, attend(&a, NULL, onnx_has(n, 10) ? onnx_in(n, 10) : NULL, window));
}

/* RotaryEmbedding of com.microsoft: places are in input 1, or all behind the one that is there. */
bool onnx_rotary_at(struct onnx_node *n)
{
    static const int64_t heads_axis = 1;
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *at = x ? onnx_in(n, 1) : NULL, *table[2];
    int64_t half, heads = onnx_int(n, "num_heads", 0), size;

    for (unsigned i = 0; i < 2; i++)
        if (!at || !(table[i] = onnx_in(n, 2 + i)))
            return false;
    if (onnx_rank(table[0]) != 2 || !ir_expr_constant(m->context, onnx_dims(table[0])[1], &half) ||
        onnx_int(n, "is_packed_batching", 0) || onnx_float(n, "scale", 1) != 1) {
        onnx_refuse(n, "packed batches, a scale and open sizes are not read");
        return false;
    }
    bool has_heads = onnx_rank(x) == 4;
    if (!has_heads && heads == 0) {
        if (onnx_rank(x) != 3 || !ir_expr_constant(m->context, onnx_dims(x)[2], &size)) {
            onnx_refuse(n, "how many heads it has is not known");
            return false;
        }
        heads = half > 0 ? size / (2 * half) : 0;
    }
    struct ir_value *given = has_heads ? x : onnx_heads_of(n, x, heads);
    if (!given)
        return false;
    at = onnx_cast(m, at, IR_I64);
    if (onnx_rank(at) == 1) {
        struct ir_value *row = MAKE(&m->b, OP_arange, ir_inline_prim(m->module, length_of(given)));
        const struct ir_expr *dims[] = {onnx_expr(m, 1), length_of(given)};
        at = ADD(onnx_cast(m, row, IR_I64), onnx_reshape(m, at, NULL, 0));
        at = at ? onnx_reshape(m, at, dims, 2) : NULL;
    }
    for (unsigned i = 0; i < 2; i++) {
        struct ir_value *rows = onnx_look_up(n, 2 + i, at);
        if (!rows || !(table[i] = onnx_expand_dims(m, rows, &heads_axis, 1)))
            return false;
    }
    struct ir_value *y =
        onnx_rotate(n, given, table[0], table[1], 2 * half, onnx_int(n, "interleaved", 0));
    return onnx_out(n, 0, has_heads || !y ? y : onnx_heads_joined(m, y));
}

/* Attention, one query at a time: the weights of its keys, their softmax, the mean of the values. */
#include "codegen/interp/ops/numbers.h"

#include <string.h>

struct attention {
    struct interp_op *o;
    const struct inlay_tensor *query, *key, *value, *bias;
    struct ir_dtype wide;
    int64_t queries, keys, heads, size, value_size;
    int64_t key_group, value_group; /* heads of the queries that share one of theirs */
    int64_t seen;   /* keys behind query i that it sees: up to i + seen; INT64_MAX: all */
    int64_t window; /* of these the last ones; INT64_MAX: all */
};

static struct interp_scalar at(const struct attention *a, const struct inlay_tensor *x, int64_t b,
                               int64_t s, int64_t n, int64_t h)
{
    int64_t index[] = {b, s, n, h};
    return interp_cast(num_load(x, interp_offset(x->shape, 4, index)), a->wide);
}

/* The weight of a key before the softmax; -inf where the mask hides it. */
static struct interp_scalar score(const struct attention *a, int64_t b, int64_t n, int64_t q,
                                  int64_t k)
{
    struct interp_scalar sum = num(a->wide, 0);
    if (a->seen != INT64_MAX && (k > q + a->seen || q + a->seen - k >= a->window))
        return num(a->wide, -(double)__builtin_inff());
    for (int64_t h = 0; h < a->size; h++)
        sum = NUM_ADD(
            sum, NUM_MUL(at(a, a->query, b, q, n, h), at(a, a->key, b, k, n / a->key_group, h)));
    if (interp_attr_is_none(a->o, "scale"))
        sum = NUM_DIV(sum, num_call("sqrt", num(a->wide, (double)a->size)));
    else
        sum = NUM_MUL(sum, num(a->wide, interp_attr_float(a->o, "scale")));
    if (a->bias) {
        int64_t index[] = {b, n, q, k};
        int64_t offset = interp_broadcast_offset(a->bias->shape, (unsigned)a->bias->ndim, index, 4);
        sum = NUM_ADD(sum, interp_cast(num_load(a->bias, offset), a->wide));
    }
    return sum;
}

static void attend(const struct attention *a, const struct inlay_tensor *out, int64_t b, int64_t n,
                   int64_t q, struct interp_scalar *weights)
{
    struct interp_scalar max = num(a->wide, -(double)__builtin_inff()), sum = num(a->wide, 0);
    for (int64_t k = 0; k < a->keys; k++) {
        weights[k] = score(a, b, n, q, k);
        max = NUM_MAX(max, weights[k]);
    }
    for (int64_t k = 0; k < a->keys; k++) {
        weights[k] = num_call("exp", NUM_SUB(weights[k], max));
        sum = NUM_ADD(sum, weights[k]);
    }
    const struct interp_scalar share = NUM_DIV(num(a->wide, 1), sum);
    for (int64_t v = 0; v < a->value_size; v++) {
        struct interp_scalar mean = num(a->wide, 0);
        int64_t index[] = {b, q, n, v};
        for (int64_t k = 0; k < a->keys; k++)
            mean = NUM_ADD(mean, NUM_MUL(NUM_MUL(weights[k], share),
                                         at(a, a->value, b, k, n / a->value_group, v)));
        num_store(out, interp_offset(out->shape, 4, index), mean);
    }
}

/* How many of @heads share one of @shared; false: they cannot. */
static bool find_group(int64_t heads, int64_t shared, int64_t *out)
{
    *out = shared > 0 ? heads / shared : 1;
    return *out > 0 ? *out * shared == heads : heads == 0;
}

/* What both kinds have; false after a report. */
static bool begin(struct attention *a, struct interp_op *o)
{
    const struct ir_attr *mask = ir_op_attr(o->op, "causal_mask");

    *a = (struct attention){.o = o, .query = interp_operand(o, 0), .key = interp_operand(o, 1)};
    a->value = interp_operand(o, 2);
    if (!a->query || !a->key || !a->value)
        return false;
    if (a->query->ndim != 4 || a->key->ndim != 4 || a->value->ndim != 4)
        return num_refuse(o, "tensors of another rank than 4") != NULL;
    a->wide = interp_compute_dtype(interp_tensor_dtype(a->query));
    a->queries = a->query->shape[1];
    a->keys = a->key->shape[1];
    a->heads = a->query->shape[2];
    a->size = a->query->shape[3];
    a->value_size = a->value->shape[3];
    a->seen = INT64_MAX;
    a->window =
        interp_attr_is_none(o, "window_size") ? INT64_MAX : interp_attr_int(o, "window_size", 0);
    if (a->window != INT64_MAX &&
        (mask->kind != IR_ATTR_STRING || a->window < 1 || strcmp(mask->string, "BottomRight") != 0))
        return num_refuse(o, "such a window") != NULL;
    if (mask->kind == IR_ATTR_STRING)
        a->seen = strcmp(mask->string, "BottomRight") == 0 ? a->keys - a->queries : 0;
    if (a->key->shape[3] == a->size && a->value->shape[1] == a->keys &&
        a->key->shape[0] == a->query->shape[0] && a->value->shape[0] == a->query->shape[0] &&
        find_group(a->heads, a->key->shape[2], &a->key_group) &&
        find_group(a->heads, a->value->shape[2], &a->value_group))
        return true;
    interp_fail(o->run, INLAY_ERROR_SHAPE, "queries, keys and values do not fit");
    return false;
}

const struct interp_value *interp_op_attention(struct interp_op *o)
{
    struct attention a;

    if (!begin(&a, o))
        return NULL;
    a.bias = o->count > 3 ? interp_operand(o, 3) : NULL;
    int64_t shape[] = {a.query->shape[0], a.queries, a.heads, a.value_size};
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(a.query), shape, 4);
    struct interp_scalar *weights =
        arena_array(&o->run->arena, struct interp_scalar, (size_t)a.keys + 1);
    for (int64_t b = 0; result && b < shape[0]; b++)
        for (int64_t n = 0; n < a.heads; n++)
            for (int64_t q = 0; q < a.queries; q++)
                attend(&a, result->tensor, b, n, q, weights);
    return result;
}

/* ---- sequences that lie one behind the other ---- */

struct packed {
    struct attention a;
    const struct inlay_tensor *begins[2]; /* of queries, of keys */
    const struct inlay_tensor *out;
    struct interp_scalar *weights;
    int64_t from, to; /* keys that the query sees */
};

static int64_t begin_of(const struct inlay_tensor *begins, int64_t i)
{
    return interp_cast(num_load(begins, i), IR_I64).integer;
}

/* The keys that row @q sees; false after a report. */
static bool find_keys(struct packed *p, int64_t q)
{
    struct interp_op *o = p->a.o;
    const struct ir_attr *mask = ir_op_attr(o->op, "causal_mask");
    int64_t sequences = p->begins[0]->shape[0] - 1, s = 0, from, to;

    p->from = p->to = 0;
    for (int64_t i = 0; i < sequences; i++)
        s += begin_of(p->begins[0], i + 1) <= q;
    if (s >= sequences)
        return true;
    from = begin_of(p->begins[1], s), to = begin_of(p->begins[1], s + 1);
    if (from < 0 || to > p->a.keys) {
        interp_fail(o->run, INLAY_ERROR_ASSERT, "a sequence of keys is none of the keys");
        return false;
    }
    p->from = from, p->to = to;
    if (mask->kind == IR_ATTR_STRING) {
        int64_t first = begin_of(p->begins[0], s), queries = begin_of(p->begins[0], s + 1) - first;
        int64_t end = from + (q - first) + 1;
        if (strcmp(mask->string, "BottomRight") == 0)
            end += to - from - queries;
        p->to = end < to ? end : to;
        if (p->a.window != INT64_MAX && end - p->a.window > from)
            p->from = end - p->a.window;
    }
    return true;
}

static void attend_packed(const struct packed *p, int64_t b, int64_t n, int64_t q)
{
    const struct attention *a = &p->a;
    struct interp_scalar max = num(a->wide, -(double)__builtin_inff()), sum = num(a->wide, 0);

    for (int64_t k = p->from; k < p->to; k++) {
        p->weights[k] = score(a, b, n, q, k);
        max = NUM_MAX(max, p->weights[k]);
    }
    for (int64_t k = p->from; k < p->to; k++) {
        p->weights[k] = num_call("exp", NUM_SUB(p->weights[k], max));
        sum = NUM_ADD(sum, p->weights[k]);
    }
    for (int64_t v = 0; v < a->value_size; v++) {
        struct interp_scalar mean = num(a->wide, 0);
        int64_t index[] = {b, q, n, v};
        for (int64_t k = p->from; k < p->to; k++)
            mean = NUM_ADD(mean, NUM_MUL(NUM_DIV(p->weights[k], sum),
                                         at(a, a->value, b, k, n / a->value_group, v)));
        num_store(p->out, interp_offset(p->out->shape, 4, index), mean);
    }
}

const struct interp_value *interp_op_attention_var_len(struct interp_op *o)
{
    struct packed p = {0};
    struct interp_value *result;

    if (!begin(&p.a, o))
        return NULL;
    bool has_own = o->count > 5 && interp_operand(o, 5);
    p.begins[0] = interp_operand(o, 3);
    p.begins[1] = has_own ? interp_operand(o, 5) : p.begins[0];
    if (!p.begins[0] || p.begins[0]->ndim != 1 || p.begins[1]->ndim != 1 ||
        p.begins[0]->shape[0] != p.begins[1]->shape[0])
        return num_refuse(o, "sequences that begin so");
    int64_t shape[] = {p.a.query->shape[0], p.a.queries, p.a.heads, p.a.value_size};
    result = interp_tensor_new(o->run, interp_tensor_dtype(p.a.query), shape, 4);
    p.out = result ? result->tensor : NULL;
    p.weights = arena_array(&o->run->arena, struct interp_scalar, (size_t)p.a.keys + 1);
    p.a.seen = INT64_MAX; /* the mask is in the keys that are looked at */
    for (int64_t q = 0; result && q < p.a.queries; q++) {
        if (!find_keys(&p, q))
            return NULL;
        for (int64_t b = 0; b < shape[0]; b++)
            for (int64_t n = 0; n < p.a.heads; n++)
                attend_packed(&p, b, n, q);
    }
    return result;
}

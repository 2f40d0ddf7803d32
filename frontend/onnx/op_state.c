/* What carries a state from run to run: LinearAttention, CausalConvWithState, TensorScatter. */
#include "frontend/onnx/families.h"

#include <math.h>
#include <string.h>

/* ---- LinearAttention ---- */

struct linear {
    struct onnx_node *n;
    struct ir_value *arguments[6]; /* query, key, value, state, decay, beta: those that are there */
    unsigned count;
    int64_t queries, keys; /* heads */
    int64_t key_size, value_size;
    bool decays, corrects, decay_is_wide, beta_is_wide;
    double scale;
};

/* Heads of a known size in the last axis of @x. */
static bool head_size(struct onnx_node *n, struct ir_value *x, int64_t heads, int64_t *out)
{
    int64_t all;

    if (onnx_rank(x) != 3 || !ir_expr_constant(n->m->context, onnx_dims(x)[2], &all) ||
        all % heads != 0) {
        onnx_refuse(n, "its inputs have not three axes, the last of which is of whole heads");
        return false;
    }
    *out = all / heads;
    return true;
}

static bool read_rule(struct linear *a)
{
    struct onnx_node *n = a->n;
    const char *rule = onnx_string(n, "update_rule", "gated_delta");

    a->decays = strncmp(rule, "gated", 5) == 0;
    a->corrects = strcmp(rule, "delta") == 0 || strcmp(rule, "gated_delta") == 0;
    if (!a->decays && !a->corrects && strcmp(rule, "linear") != 0) {
        onnx_refuse(n, "update_rule `%s` is not known", rule);
        return false;
    }
    a->queries = onnx_int(n, "q_num_heads", 0);
    a->keys = onnx_int(n, "kv_num_heads", 0);
    if (a->queries < 1 || a->keys < 1 || a->queries % a->keys != 0) {
        onnx_refuse(n, "its numbers of heads do not fit");
        return false;
    }
    if (a->decays == onnx_has(n, 4) && a->corrects == onnx_has(n, 5))
        return true;
    onnx_refuse(n, "decay or beta is missing, or there though its update_rule has none");
    return false;
}

/* Input @i in float32, behind the other arguments of the kernel. */
static struct ir_value *argument(struct linear *a, unsigned i)
{
    struct ir_value *x = onnx_in(a->n, i);

    return x ? a->arguments[a->count++] = onnx_cast(a->n->m, x, IR_F32) : NULL;
}

static bool read_linear(struct linear *a, const struct ir_expr *const **out_state)
{
    struct onnx_node *n = a->n;
    struct onnx_import *m = n->m;
    const struct ir_expr **dims = arena_array(m->arena, const struct ir_expr *, 4);
    int64_t wide, size;

    for (unsigned i = 0; i < 3; i++)
        if (!argument(a, i))
            return false;
    struct ir_value **x = a->arguments;
    if (!head_size(n, x[0], a->queries, &a->key_size) || !head_size(n, x[1], a->keys, &size) ||
        !head_size(n, x[2], a->keys, &a->value_size))
        return false;
    if (size != a->key_size) {
        onnx_refuse(n, "its queries and keys have heads of different sizes");
        return false;
    }
    dims[0] = onnx_dims(x[0])[0];
    dims[1] = onnx_expr(m, a->keys);
    dims[2] = onnx_expr(m, a->key_size);
    dims[3] = onnx_expr(m, a->value_size);
    *out_state = dims;
    if (onnx_has(n, 3) && !argument(a, 3))
        return false;
    if (!onnx_has(n, 3))
        x[a->count++] = onnx_broadcast(m, onnx_scalar(m, IR_F32, 0), dims, 4);
    if ((a->decays && !argument(a, 4)) || (a->corrects && !argument(a, 5)))
        return false;
    if (a->decays && !head_size(n, x[4], 1, &wide))
        return false;
    a->decay_is_wide = a->decays && wide != a->keys;
    if (a->corrects && !head_size(n, x[a->count - 1], 1, &wide))
        return false;
    a->beta_is_wide = a->corrects && wide != 1;
    a->scale = onnx_float(n, "scale", 0);
    a->scale = a->scale == 0 ? 1 / sqrt((double)a->key_size) : a->scale;
    return true;
}

/*
 * One iteration for each image and head of keys: its state r1 goes through all steps.  a0: queries, a1: keys, a2:
 * values, a3: state, then decay and beta.
 */
static void put_linear(struct linear *a, struct text *t)
{
    long long k = (long long)a->key_size, v = (long long)a->value_size;
    const char *beta = a->decays ? "a5" : "a4";

    text_printf(t,
                "    for b0, h0 in T.grid(a0.shape[0], %lld):\n"
                "        with T.block(\"linear_attention\"):\n"
                "            b, h = T.axis.remap(\"SS\", [b0, h0])\n"
                "            sum = T.alloc_buffer((1,), \"float32\")\n"
                "            new = T.alloc_buffer((%lld,), \"float32\")\n"
                "            for d, e in T.grid(%lld, %lld):\n"
                "                r1[b, h, d, e] = a3[b, h, d, e]\n"
                "            for t in range(a0.shape[1]):\n",
                (long long)a->keys, v, k, v);
    if (a->decays)
        text_printf(t,
                    "                for d, e in T.grid(%lld, %lld):\n"
                    "                    r1[b, h, d, e] = r1[b, h, d, e] * T.exp(a4[b, t, %s])\n",
                    k, v, a->decay_is_wide ? arena_printf(a->n->m->arena, "h * %lld + d", k) : "h");
    text_printf(t,
                "                for e in range(%lld):\n"
                "                    new[e] = a2[b, t, h * %lld + e]\n",
                v, v);
    if (a->corrects)
        text_printf(
            t,
            "                    sum[0] = T.float32(0)\n"
            "                    for d in range(%lld):\n"
            "                        sum[0] = sum[0] + r1[b, h, d, e] * a1[b, t, h * %lld + d]\n"
            "                    new[e] = %s[b, t, %s] * (new[e] - sum[0])\n",
            k, k, beta, a->beta_is_wide ? "h" : "0");
    text_printf(
        t,
        "                for d, e in T.grid(%lld, %lld):\n"
        "                    r1[b, h, d, e] = r1[b, h, d, e] + a1[b, t, h * %lld + d] * new[e]\n",
        k, v, k);
    text_printf(
        t,
        "                for g, e in T.grid(%lld, %lld):\n"
        "                    sum[0] = T.float32(0)\n"
        "                    for d in range(%lld):\n"
        "                        sum[0] = sum[0] + a0[b, t, (h * %lld + g) * %lld + d] * "
        "r1[b, h, d, e]\n"
        "                    r0[b, t, (h * %lld + g) * %lld + e] = sum[0] * T.float32(%.9g)\n",
        (long long)(a->queries / a->keys), v, k, (long long)(a->queries / a->keys), k,
        (long long)(a->queries / a->keys), v, a->scale);
}

bool onnx_linear_attention(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct linear a = {.n = n};
    const struct ir_expr *const *state;
    struct text t = {0};

    if (!read_rule(&a) || !read_linear(&a, &state))
        return false;
    const struct ir_expr *dims[] = {state[0], onnx_dims(a.arguments[0])[1],
                                    onnx_expr(m, a.queries * a.value_size)};
    const struct ir_type *types[] = {ir_type_tensor(m->context, IR_F32, dims, 3),
                                     ir_type_tensor(m->context, IR_F32, state, 4)};
    struct ir_dtype dtype = onnx_in(n, 0)->type->dtype;
    struct ir_dtype kept = onnx_has(n, 3) ? onnx_in(n, 3)->type->dtype : dtype;
    put_linear(&a, &t);
    struct ir_value *both =
        onnx_kernel(m, "linear_attention", a.arguments, a.count, types, 2, text_string(&t));
    text_finish(&t);
    return both && onnx_out(n, 0, onnx_cast(m, make_get(&m->b, both, 0), dtype)) &&
           onnx_out(n, 1, onnx_cast(m, make_get(&m->b, both, 1), kept));
}

/* ---- CausalConvWithState ---- */

bool onnx_causal_conv(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *w = x ? onnx_in(n, 1) : NULL, *past, *bias;
    const char *activation = onnx_string(n, "activation", "none");
    int64_t size, channels;

    if (!w)
        return false;
    if (onnx_rank(x) != 3 || onnx_rank(w) != 3 ||
        !ir_expr_constant(m->context, onnx_dims(w)[2], &size) || size < 1 ||
        !ir_expr_constant(m->context, onnx_dims(w)[0], &channels)) {
        onnx_refuse(n, "its input and weight have not three axes, or not known ones");
        return false;
    }
    const struct ir_expr *dims[] = {onnx_dims(x)[0], onnx_dims(x)[1], onnx_expr(m, size - 1)};
    past = onnx_has(n, 3) ? onnx_in(n, 3)
                          : onnx_broadcast(m, onnx_scalar(m, x->type->dtype, 0), dims, 3);
    if (!past)
        return false;
    struct ir_value *both[] = {past, x}, *all = size > 1 ? onnx_join(n, both, 2, 2) : x;
    struct ir_value *operands[] = {all, w};
    struct make_attr attr = {"groups", onnx_attr_int(m, channels)};
    struct ir_value *y = all ? make_op(&m->b, OP_nn_conv1d, operands, 2, &attr, 1) : NULL;
    if (y && onnx_has(n, 2)) {
        bias = onnx_in(n, 2);
        y = bias ? MAKE(&m->b, OP_add, y, onnx_along(m, bias, 1, 3)) : NULL;
    }
    if (strcmp(activation, "silu") == 0 || strcmp(activation, "swish") == 0) {
        y = MAKE(&m->b, OP_nn_silu, y);
    } else if (strcmp(activation, "none") != 0) {
        onnx_refuse(n, "activation `%s` is not known", activation);
        return false;
    }
    if (!onnx_wants(n, 1))
        return onnx_out(n, 0, y);
    const struct ir_expr *end = onnx_op(m, IR_EXPR_add, onnx_dims(x)[2], dims[2]);
    return onnx_out(n, 0, y) && onnx_out(n, 1, onnx_slice(m, all, 2, onnx_dims(x)[2], end, 1));
}

/* ---- TensorScatter ---- */

bool onnx_tensor_scatter(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *cache = onnx_in(n, 0), *update = cache ? onnx_in(n, 1) : NULL, *first;
    bool is_circular = strcmp(onnx_string(n, "mode", "linear"), "circular") == 0;
    int64_t axis;

    if (!update || !onnx_axis(n, onnx_int(n, "axis", -2), onnx_rank(cache), &axis))
        return false;
    if (axis < 1) {
        onnx_refuse(n, "it scatters along the axis of the batch");
        return false;
    }
    const struct ir_expr *length = onnx_dims(update)[axis];
    int rank = onnx_rank(cache);
    struct ir_value *row =
        onnx_cast(m, MAKE(&m->b, OP_arange, ir_inline_prim(m->module, length)), IR_I64);
    struct ir_value *at = row ? onnx_along(m, row, axis, rank) : NULL;
    if (onnx_has(n, 2)) {
        first = onnx_in(n, 2);
        first = first ? onnx_along(m, onnx_cast(m, first, IR_I64), 0, rank) : NULL;
        at = MAKE(&m->b, OP_add, at, first);
    }
    if (is_circular) {
        struct onnx_value extent = {0};
        onnx_value_set_elements(m, &extent, IR_I64, 0, NULL, &onnx_dims(cache)[axis], 1);
        at = MAKE(&m->b, OP_floor_mod, at, onnx_value_tensor(m, &extent));
    }
    at = at ? onnx_broadcast(m, at, onnx_dims(update), (unsigned)rank) : NULL;
    struct ir_value *operands[] = {cache, at, update};
    struct make_attr attrs[] = {{"axis", onnx_attr_int(m, axis)},
                                {"reduction", onnx_attr_string(m, "update")}};
    return at && onnx_out(n, 0, make_op(&m->b, OP_scatter_elements, operands, 3, attrs, 2));
}

/*
 * LSTM, GRU and RNN: the products with the inputs for all steps at once, then a kernel with a serial loop over time.
 * One direction at a time; a reversed one counts its steps from the end of each sequence.
 */
#include "frontend/onnx/families.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What an activation computes of the expression `v`, as TVMScript. */
static const struct {
    const char *name, *text;
} activations[] = {
    {"Sigmoid", "T.float32(1) / (T.float32(1) + T.exp(T.float32(0) - (%s)))"},
    {"Tanh", "T.tanh(%s)"},
    {"Relu", "T.max(%s, T.float32(0))"},
};

struct cell {
    struct onnx_node *n;
    unsigned gates;
    struct ir_value *x, *w, *r, *b, *lengths, *h, *c, *p;
    int64_t hidden;
    unsigned directions;
    const struct ir_expr *steps, *batch;
    const char *f[6]; /* activations of both directions */
    bool batch_first;
};

static const char *find_activation(struct onnx_node *n, const char *name, size_t length)
{
    for (size_t i = 0; i < ARRAY_SIZE(activations); i++)
        if (strlen(activations[i].name) == length &&
            strncasecmp(activations[i].name, name, length) == 0)
            return activations[i].text;
    onnx_refuse(n, "activation `%.*s` is not supported", (int)length, name);
    return NULL;
}

/* The activations of each direction, @count of them. */
static bool read_activations(struct cell *c, const char *const *missing, unsigned count)
{
    const Onnx__Attribute *given = onnx_attribute(c->n, "activations");

    for (unsigned i = 0; i < count * c->directions; i++) {
        bool is_given = given && i < given->n_strings;
        const char *name = is_given ? (const char *)given->strings[i].data : missing[i % count];
        c->f[i] = find_activation(c->n, name, is_given ? given->strings[i].len : strlen(name));
        if (!c->f[i])
            return false;
    }
    return true;
}

static struct ir_value *optional(struct onnx_node *n, unsigned input)
{
    return onnx_has(n, input) ? onnx_in(n, input) : NULL;
}

static bool read_cell(struct cell *c, struct onnx_node *n, unsigned gates)
{
    struct onnx_import *m = n->m;
    const char *direction = onnx_string(n, "direction", "forward");
    static const int64_t swapped[] = {1, 0, 2};

    *c = (struct cell){
        .n = n, .gates = gates, .x = onnx_in(n, 0), .w = onnx_in(n, 1), .r = onnx_in(n, 2)};
    if (!c->x || !c->w || !c->r)
        return false;
    if (onnx_rank(c->x) != 3 || onnx_rank(c->w) != 3 || onnx_rank(c->r) != 3 ||
        !ir_expr_constant(m->context, onnx_dims(c->r)[2], &c->hidden)) {
        onnx_refuse(n, "its inputs have not 3 axes, or a hidden size that is not known");
        return false;
    }
    if (!ir_dtype_equal(c->x->type->dtype, IR_F32) || onnx_attribute(n, "clip") ||
        onnx_attribute(n, "activation_alpha") || onnx_attribute(n, "activation_beta")) {
        onnx_refuse(
            n, "only float32 without clip and without alpha and beta of activations is supported");
        return false;
    }
    c->directions = strcmp(direction, "bidirectional") == 0 ? 2 : 1;
    c->b = optional(n, 3);
    c->lengths = optional(n, 4);
    c->h = optional(n, 5);
    c->batch_first = onnx_int(n, "layout", 0);
    if (c->batch_first) {
        c->x = onnx_permute(m, c->x, swapped, 3);
        c->h = c->h ? onnx_permute(m, c->h, swapped, 3) : NULL;
        if (!c->x)
            return false;
    }
    c->steps = onnx_dims(c->x)[0];
    c->batch = onnx_dims(c->x)[1];
    return true;
}

/* The part of direction @d of a tensor (directions, ..), without that axis; NULL: zeros of (dims). */
static struct ir_value *part(struct cell *c, struct ir_value *x, unsigned d,
                             const struct ir_expr *const *dims, unsigned count)
{
    struct onnx_import *m = c->n->m;

    if (!x)
        return onnx_broadcast(m, onnx_scalar(m, IR_F32, 0), dims, count);
    if (c->directions > 1)
        x = onnx_slice(m, x, 0, onnx_expr(m, d), onnx_expr(m, d + 1), 1);
    return x ? onnx_reshape(m, x, dims, count) : NULL;
}

/*
 * Lines of one step of the three cells; see run_direction() for the names that they use.  What is done to all elements
 * of a state stands in loops of its own, so that products are products of matrices and the rest has vectors.
 */
static void put_gate(struct text *t, const char *name, const char *function, const char *inner)
{
    struct text value = {0};

    text_printf(&value, "                    %s = ", name);
    const char *hole = strstr(function, "%s");
    text_append(&value, function, (size_t)(hole - function));
    text_puts(&value, inner);
    text_puts(&value, hole + 2);
    text_printf(t, "%s\n", text_string(&value));
    text_finish(&value);
}

/* s: the bias and @state times the weights of @count gates from @first on. */
static void put_sums(struct text *t, unsigned first, unsigned count, int64_t hidden,
                     const char *state)
{
    long long h = (long long)hidden, from = first * h, wide = count * h;

    text_printf(t,
                "            for b, j in T.grid(a0.shape[1], %lld):\n"
                "                s[b, j + %lld] = a2[j + %lld]\n"
                "            for b, k, j in T.grid(a0.shape[1], %lld, %lld):\n"
                "                s[b, j + %lld] = s[b, j + %lld] + %s * a1[k, j + %lld]\n",
                wide, from, from, h, wide, from, from, state, from);
}

/* The loops over one state; at: where the inputs and the result of this step lie. */
static void put_elements(struct text *t, int64_t hidden, bool is_reversed)
{
    text_puts(t, "            for b in range(a0.shape[1]):\n"
                 "                at[0] = T.int64(t)\n");
    if (is_reversed)
        text_puts(t, "                if t < T.Cast(\"int64\", a3[b]):\n"
                     "                    at[0] = T.Cast(\"int64\", a3[b]) - T.int64(1) - t\n");
    text_printf(t, "                for j in range(%lld):\n", (long long)hidden);
}

#define INPUT "a0[at[0], b, %u * %lld + j]"
#define SUM   "s[b, %u * %lld + j]"

static void put_lstm(struct text *t, const struct cell *c, unsigned d, bool is_reversed)
{
    const char *const *f = c->f + 3 * d;
    char inner[160];
    long long h = (long long)c->hidden;

    put_sums(t, 0, 4, c->hidden, "r1[b, k]");
    put_elements(t, c->hidden, is_reversed);
    const char *p0 = c->p ? " + r2[b, j] * a6[j]" : "";
    char peep_o[64] = "", peep_f[64] = "";
    if (c->p) {
        snprintf(peep_f, sizeof(peep_f), " + r2[b, j] * a6[%lld + j]", 2 * h);
        snprintf(peep_o, sizeof(peep_o), " + cell[b, j] * a6[%lld + j]", h);
    }
    snprintf(inner, sizeof(inner), INPUT " + " SUM "%s", 0, h, 0, h, p0);
    put_gate(t, "g[0, j]", f[0], inner);
    snprintf(inner, sizeof(inner), INPUT " + " SUM "%s", 2, h, 2, h, peep_f);
    put_gate(t, "g[2, j]", f[0], inner);
    snprintf(inner, sizeof(inner), INPUT " + " SUM, 3, h, 3, h);
    put_gate(t, "g[3, j]", f[1], inner);
    text_puts(t, "                    cell[b, j] = g[2, j] * r2[b, j] + g[0, j] * g[3, j]\n");
    snprintf(inner, sizeof(inner), INPUT " + " SUM "%s", 1, h, 1, h, peep_o);
    put_gate(t, "g[1, j]", f[0], inner);
    put_gate(t, "g[0, j]", f[2], "cell[b, j]");
    text_puts(t, "                    next[b, j] = g[1, j] * g[0, j]\n");
}

static void put_rnn(struct text *t, const struct cell *c, unsigned d, bool is_reversed)
{
    char inner[160];
    long long h = (long long)c->hidden;

    put_sums(t, 0, 1, c->hidden, "r1[b, k]");
    put_elements(t, c->hidden, is_reversed);
    snprintf(inner, sizeof(inner), INPUT " + " SUM, 0, h, 0, h);
    put_gate(t, "next[b, j]", c->f[d], inner);
}

/* z, r, h; the product of the last gate is with r * state (a pass of its own), or is scaled by r itself. */
static void put_gru(struct text *t, const struct cell *c, unsigned d, bool is_reversed)
{
    const char *const *f = c->f + 2 * d;
    bool is_linear = onnx_int(c->n, "linear_before_reset", 0);
    char inner[160];
    long long h = (long long)c->hidden;

    put_sums(t, 0, is_linear ? 3 : 2, c->hidden, "r1[b, k]");
    put_elements(t, c->hidden, is_reversed);
    snprintf(inner, sizeof(inner), INPUT " + " SUM, 0, h, 0, h);
    put_gate(t, "update[b, j]", f[0], inner);
    snprintf(inner, sizeof(inner), INPUT " + " SUM, 1, h, 1, h);
    put_gate(t, "reset[b, j]", f[0], inner);
    if (!is_linear) {
        put_sums(t, 2, 1, c->hidden, "(reset[b, k] * r1[b, k])");
        put_elements(t, c->hidden, is_reversed);
    }
    snprintf(inner, sizeof(inner), INPUT " + %s" SUM, 2, h, is_linear ? "reset[b, j] * " : "", 2,
             h);
    put_gate(t, "g[2, j]", f[1], inner);
    text_puts(t, "                    next[b, j] = (T.float32(1) - update[b, j]) * g[2, j] + "
                 "update[b, j] * r1[b, j]\n");
}

typedef void put_cell_fn(struct text *t, const struct cell *c, unsigned d, bool is_reversed);

/*
 * a0: inputs times weights (steps, batch, gates * hidden); a1: weights of the state (hidden, gates * hidden); a2: its bias; a3: lengths; a4, a5:
 * state and cell at the start; a6: peepholes.  r0: all states, r1, r2: state and cell.
 */
static struct ir_value *run_direction(struct cell *c, unsigned d, struct ir_value *const *arguments,
                                      unsigned count, bool is_reversed, put_cell_fn *put)
{
    struct onnx_import *m = c->n->m;
    const struct ir_expr *hidden = onnx_expr(m, c->hidden);
    const struct ir_expr *all[] = {c->steps, c->batch, hidden}, *last[] = {c->batch, hidden};
    const struct ir_type *types[] = {ir_type_tensor(m->context, IR_F32, all, 3),
                                     ir_type_tensor(m->context, IR_F32, last, 2),
                                     ir_type_tensor(m->context, IR_F32, last, 2)};
    struct text t = {0};
    long long h = (long long)c->hidden;
    static const char *const scratch[] = {"next", "cell", "update", "reset"};

    text_puts(&t, "    with T.block(\"steps\"):\n");
    for (size_t i = 0; i < ARRAY_SIZE(scratch); i++)
        text_printf(&t, "        %s = T.alloc_buffer((a0.shape[1], %lld), \"float32\")\n",
                    scratch[i], h);
    text_printf(&t,
                "        s = T.alloc_buffer((a0.shape[1], %lld), \"float32\")\n"
                "        g = T.alloc_buffer((4, %lld), \"float32\")\n"
                "        at = T.alloc_buffer((1,), \"int64\")\n"
                "        for b, j in T.grid(a0.shape[1], %lld):\n"
                "            r1[b, j] = a4[b, j]\n            r2[b, j] = a5[b, j]\n"
                "        for t in range(a0.shape[0]):\n",
                c->gates * h, h, h);
    put(&t, c, d, is_reversed);
    put_elements(&t, c->hidden, is_reversed);
    text_printf(
        &t,
        "                    r0[at[0], b, j] = T.if_then_else(t < T.Cast(\"int64\", a3[b]), "
        "next[b, j], T.float32(0))\n"
        "                if t < T.Cast(\"int64\", a3[b]):\n"
        "                    for j in range(%lld):\n"
        "                        r1[b, j] = next[b, j]\n"
        "                        r2[b, j] = cell[b, j]\n",
        h);
    struct ir_value *both =
        onnx_kernel(m, "recurrent", arguments, count, types, 3, text_string(&t));
    text_finish(&t);
    return both;
}

/* The three results of direction @d: states of all steps, last state, last cell. */
static bool one_direction(struct cell *c, unsigned d, bool is_reversed, put_cell_fn *put,
                          struct ir_value **out)
{
    static const int64_t swapped[] = {1, 0};
    struct onnx_import *m = c->n->m;
    int64_t rows = c->gates * c->hidden;
    const struct ir_expr *wide = onnx_expr(m, rows), *hidden = onnx_expr(m, c->hidden);
    const struct ir_expr *w_dims[] = {wide, onnx_dims(c->w)[2]}, *r_dims[] = {wide, hidden};
    const struct ir_expr *b_dims[] = {onnx_expr(m, 2 * rows)}, *state[] = {c->batch, hidden};
    const struct ir_expr *p_dims[] = {onnx_expr(m, 3 * c->hidden)}, *batch[] = {c->batch};
    struct ir_value *r = part(c, c->r, d, r_dims, 2);
    struct ir_value *w = part(c, c->w, d, w_dims, 2), *bias = part(c, c->b, d, b_dims, 1);
    struct ir_value *input_bias = onnx_slice(m, bias, 0, onnx_expr(m, 0), wide, 1);
    struct ir_value *product =
        MAKE(&m->b, OP_matmul, c->x, w ? onnx_permute(m, w, swapped, 2) : NULL);
    struct ir_value *arguments[7] = {
        MAKE(&m->b, OP_add, product, input_bias),
        r ? onnx_permute(m, r, swapped, 2) : NULL,
        onnx_slice(m, bias, 0, wide, b_dims[0], 1),
        c->lengths ? onnx_cast(m, c->lengths, IR_I64) : NULL,
        part(c, c->h, d, state, 2),
        part(c, c->c, d, state, 2),
        c->p ? part(c, c->p, d, p_dims, 1) : NULL,
    };
    if (!c->lengths) { /* all are as long as there are steps */
        struct onnx_value steps = {0};
        onnx_value_set_elements(m, &steps, IR_I64, 0, NULL, &c->steps, 1);
        arguments[3] = onnx_broadcast(m, onnx_value_tensor(m, &steps), batch, 1);
    }
    struct ir_value *all = run_direction(c, d, arguments, c->p ? 7 : 6, is_reversed, put);
    for (unsigned i = 0; i < 3; i++)
        if (!(out[i] = make_get(&m->b, all, i)))
            return false;
    return true;
}

static bool run_cell(struct cell *c, put_cell_fn *put)
{
    struct onnx_node *n = c->n;
    struct onnx_import *m = n->m;
    static const int64_t swapped[] = {1, 0, 2}, outer[] = {2, 0, 1, 3};
    bool is_reverse = strcmp(onnx_string(n, "direction", "forward"), "reverse") == 0;
    struct ir_value *parts[2][3], *results[3];

    for (unsigned d = 0; d < c->directions; d++)
        if (!one_direction(c, d, is_reverse || d == 1, put, parts[d]))
            return false;
    for (unsigned i = 0; i < 3; i++) {
        struct ir_value *items[2];
        int64_t axis = i == 0 ? 1 : 0;
        for (unsigned d = 0; d < c->directions; d++)
            items[d] = onnx_expand_dims(m, parts[d][i], &axis, 1);
        results[i] = c->directions == 1 ? items[0] : onnx_concat(m, items, 2, axis);
        if (c->batch_first && results[i])
            results[i] = i == 0 ? onnx_permute(m, results[i], outer, 4)
                                : onnx_permute(m, results[i], swapped, 3);
        if (onnx_wants(n, i) && !onnx_out(n, i, results[i]))
            return false;
    }
    return true;
}

bool onnx_lstm(struct onnx_node *n)
{
    static const char *const missing[] = {"Sigmoid", "Tanh", "Tanh"};
    static const int64_t swapped[] = {1, 0, 2};
    struct cell c;

    if (!read_cell(&c, n, 4) || !read_activations(&c, missing, 3))
        return false;
    if (onnx_int(n, "input_forget", 0)) {
        onnx_refuse(n, "coupled gates (input_forget) are not supported");
        return false;
    }
    c.c = optional(n, 6);
    c.p = optional(n, 7);
    if (c.c && c.batch_first)
        c.c = onnx_permute(n->m, c.c, swapped, 3);
    return run_cell(&c, put_lstm);
}

bool onnx_gru(struct onnx_node *n)
{
    static const char *const missing[] = {"Sigmoid", "Tanh"};
    struct cell c;

    return read_cell(&c, n, 3) && read_activations(&c, missing, 2) && run_cell(&c, put_gru);
}

bool onnx_rnn(struct onnx_node *n)
{
    static const char *const missing[] = {"Tanh"};
    struct cell c;

    return read_cell(&c, n, 1) && read_activations(&c, missing, 1) && run_cell(&c, put_rnn);
}

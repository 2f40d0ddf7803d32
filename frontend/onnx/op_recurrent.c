/*
 * LSTM, GRU and RNN: the products with the inputs for all steps and directions at once, then a kernel with a serial loop
 * over time.  A reversed direction counts its steps from the end of each sequence.
 *
 * Steps wait for each other, directions and sequences do not.  Where the weights of a state are few enough for the cache of
 * a core, a thread takes some sequences of one direction through all steps, and meets nobody:
 *
 *     for task in T.parallel((batch + 1) // 2 * 2):        direction task % 2, two sequences
 *         for t in range(steps):
 *             sums = bias; sums += state * weights
 *             state, cell = .. the gates
 *
 * Else threads share the product of each step, with all sequences, for the weights are too many for one of them.
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

enum {
    SEQUENCES = 2,          /* of a task: weights are read once for both */
    WEIGHTS_MOST = 1 << 18, /* of one direction, that a thread reads in each step */
};

struct cell {
    struct onnx_node *n;
    unsigned gates;
    bool is_reverse; /* the only direction */
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
    c->is_reverse = strcmp(direction, "reverse") == 0;
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

/* ---- the kernel ---- */

/*
 * Its lines.  What is done to all elements of a state stands in loops of its own, so that products are products of
 * matrices and the rest has vectors.
 */
struct lines {
    struct text text;
    const struct cell *c;
    unsigned depth;
    const char *direction, *sequence; /* those of row `i`, of `rows` */
    const char *rows, *capacity;      /* how many there are, at most */
    bool is_uneven;                   /* there may be less than most */
};

PRINTF(2, 3) static void put(struct lines *l, const char *format, ...)
{
    va_list args;

    for (unsigned i = 0; i < l->depth; i++)
        text_puts(&l->text, "    ");
    va_start(args, format);
    text_vprintf(&l->text, format, args);
    va_end(args);
    text_putc(&l->text, '\n');
}

static const char *activate(struct lines *l, const char *function, const char *inner)
{
    const char *hole = strstr(function, "%s");

    return arena_printf(l->c->n->m->arena, "%.*s%s%s", (int)(hole - function), function, inner,
                        hole + 2);
}

/* @name becomes activation @which of @inner: of the @count that each direction has. */
static void put_gate(struct lines *l, const char *name, unsigned which, unsigned count,
                     const char *inner)
{
    const char *const *f = l->c->f + which;
    const char *value = activate(l, f[0], inner);

    if (l->c->directions == 2 && f[0] != f[count])
        put(l, "%s = T.if_then_else(%s == 0, %s, %s)", name, l->direction, value,
            activate(l, f[count], inner));
    else
        put(l, "%s = %s", name, value);
}

/* s: the sums of @state times the weights of @count gates from @first on, which are in @weights, of @rows. */
static void put_product(struct lines *l, unsigned first, unsigned count, const char *state,
                        const char *weights, const char *rows)
{
    long long h = (long long)l->c->hidden, from = first * h;

    put(l, "for i, k, j in T.grid(%s, T.int64(%lld), T.int64(%lld)):", rows, h, count * h);
    put(l, "    s[i, j + %lld] = s[i, j + %lld] + %s[i, k] * %s[k, j + %lld]", from, from, state,
        weights, from);
}

/* .. where the last task may have one row, while all others have several. */
static void put_products(struct lines *l, unsigned first, unsigned count, const char *state,
                         const char *weights)
{
    if (!l->is_uneven) {
        put_product(l, first, count, state, weights, l->rows);
        return;
    }
    put(l, "if %s == %d:", l->rows, SEQUENCES);
    l->depth++;
    put_product(l, first, count, state, weights, l->capacity);
    l->depth--;
    put(l, "else:");
    l->depth++;
    put_product(l, first, count, state, weights, "T.int64(1)");
    l->depth--;
}

/* .. from the bias on, by the weights of the direction. */
static void put_sums(struct lines *l, unsigned first, unsigned count, const char *state)
{
    long long h = (long long)l->c->hidden, from = first * h;

    put(l, "for i, j in T.grid(%s, T.int64(%lld)):", l->rows, count * h);
    put(l, "    s[i, j + %lld] = a2[%s, j + %lld]", from, l->direction, from);
    if (l->c->directions == 1) {
        put_products(l, first, count, state, "a1");
        return;
    }
    for (unsigned d = 0; d < 2; d++) {
        if (d == 0)
            put(l, "if %s == 0:", l->direction);
        else
            put(l, "else:");
        l->depth++;
        put_products(l, first, count, state, d == 0 ? "a1" : "a6");
        l->depth--;
    }
}

/* The head of loops over one state; at: where the inputs and the result of this step lie. */
static void put_elements(struct lines *l)
{
    const struct cell *c = l->c;

    put(l, "for i in range(%s):", l->rows);
    put(l, "    at[0] = t");
    if (c->directions == 2)
        put(l, "    if %s == 1 and t < a3[%s]:", l->direction, l->sequence);
    else if (c->is_reverse)
        put(l, "    if t < a3[%s]:", l->sequence);
    if (c->directions == 2 || c->is_reverse)
        put(l, "        at[0] = a3[%s] - T.int64(1) - t", l->sequence);
    put(l, "    for j in range(T.int64(%lld)):", (long long)c->hidden);
}

/* The input of gate @gate, and its sum with the state, scaled by @scale; @more: peepholes. */
static const char *inner_of(struct lines *l, unsigned gate, const char *scale, const char *more)
{
    long long h = (long long)l->c->hidden, wide = l->c->gates * h;

    return arena_printf(l->c->n->m->arena,
                        "a0[at[0], %s, %s * %lld + %lld + j] + %ss[i, %lld + j]%s", l->sequence,
                        l->direction, wide, gate * h, scale, gate * h, more);
}

/* What peephole @which adds: weights of the cell in @cell. */
static const char *peephole(struct lines *l, const char *cell, unsigned which)
{
    const struct cell *c = l->c;

    return c->p ? arena_printf(c->n->m->arena, " + %s * a%d[%s, %lld + j]", cell,
                               c->directions == 2 ? 7 : 6, l->direction,
                               (long long)(which * c->hidden))
                : "";
}

static void put_lstm(struct lines *l)
{
    put_sums(l, 0, 4, "h");
    put_elements(l);
    l->depth += 2;
    put_gate(l, "g[0, j]", 0, 3, inner_of(l, 0, "", peephole(l, "c[i, j]", 0)));
    put_gate(l, "g[2, j]", 0, 3, inner_of(l, 2, "", peephole(l, "c[i, j]", 2)));
    put_gate(l, "g[3, j]", 1, 3, inner_of(l, 3, "", ""));
    put(l, "cell[i, j] = g[2, j] * c[i, j] + g[0, j] * g[3, j]");
    put_gate(l, "g[1, j]", 0, 3, inner_of(l, 1, "", peephole(l, "cell[i, j]", 1)));
    put_gate(l, "g[0, j]", 2, 3, "cell[i, j]");
    put(l, "next[i, j] = g[1, j] * g[0, j]");
    l->depth -= 2;
}

static void put_rnn(struct lines *l)
{
    put_sums(l, 0, 1, "h");
    put_elements(l);
    l->depth += 2;
    put_gate(l, "next[i, j]", 0, 1, inner_of(l, 0, "", ""));
    l->depth -= 2;
}

/* z, r, h; the product of the last gate is with r * state (a pass of its own), or is scaled by r itself. */
static void put_gru(struct lines *l)
{
    bool is_linear = onnx_int(l->c->n, "linear_before_reset", 0);

    put_sums(l, 0, is_linear ? 3 : 2, "h");
    put_elements(l);
    l->depth += 2;
    put_gate(l, "update[i, j]", 0, 2, inner_of(l, 0, "", ""));
    put_gate(l, "reset[i, j]", 0, 2, inner_of(l, 1, "", ""));
    if (!is_linear) {
        put(l, "reset[i, j] = reset[i, j] * h[i, j]");
        l->depth -= 2;
        put_sums(l, 2, 1, "reset");
        put_elements(l);
        l->depth += 2;
    }
    put_gate(l, "g[2, j]", 1, 2, inner_of(l, 2, is_linear ? "reset[i, j] * " : "", ""));
    put(l, "next[i, j] = (T.float32(1) - update[i, j]) * g[2, j] + update[i, j] * h[i, j]");
    l->depth -= 2;
}

typedef void put_cell_fn(struct lines *l);

/* Does a thread read the weights of a direction from its own cache? */
static bool is_light(const struct cell *c)
{
    return (double)c->gates * (double)c->hidden * (double)c->hidden <= (double)WEIGHTS_MOST;
}

/* Where the rows of a task are; how many tasks there are. */
static const char *name_rows(struct lines *l, int64_t batch)
{
    bool is_both = l->c->directions == 2;

    l->direction = is_both ? "task" : "0";
    l->sequence = "i";
    l->rows = l->capacity = "a0.shape[1]";
    if (!is_light(l->c) || (batch > 0 && batch <= SEQUENCES))
        return is_both ? "2" : "1";
    l->is_uneven = batch == 0 || batch % SEQUENCES != 0;
    l->capacity = "T.int64(2)";
    l->rows = !l->is_uneven ? l->capacity
              : is_both     ? "T.min(a0.shape[1] - task // 2 * 2, T.int64(2))"
                            : "T.min(a0.shape[1] - task * 2, T.int64(2))";
    l->direction = is_both ? "task % 2" : "0";
    l->sequence = is_both ? "task // 2 * 2 + i" : "task * 2 + i";
    return is_both ? "(a0.shape[1] + 1) // 2 * 2" : "(a0.shape[1] + 1) // 2";
}

/* The loop over tasks, or where threads share products, directions. */
static void put_tasks(struct lines *l, int64_t batch)
{
    const char *tasks = name_rows(l, batch);
    bool is_shared = is_light(l->c) && strcmp(tasks, "1") != 0;

    put(l, "for task0 in %s(%s):", is_shared ? "T.parallel" : "range", tasks);
    put(l, "    with T.block(\"steps\"):");
    put(l, "        task = T.axis.spatial(%s, task0)", tasks);
    l->depth += 2;
}

/* @to = @from for all rows and elements. */
static void put_copy(struct lines *l, const char *to, const char *from)
{
    const char *at = arena_printf(l->c->n->m->arena, "%s, %s", l->direction, l->sequence);
    bool is_out = to[0] == 'r';

    put(l, "for i, j in T.grid(%s, T.int64(%lld)):", l->rows, (long long)l->c->hidden);
    put(l, "    %s[%s, j] = %s[%s, j]", to, is_out ? at : "i", from, is_out ? "i" : at);
}

static void put_kernel(struct lines *l, int64_t batch, put_cell_fn *put_cell)
{
    static const char *const scratch[] = {"h", "c", "next", "cell", "update", "reset"};
    long long h = (long long)l->c->hidden;

    l->depth = 1;
    put_tasks(l, batch);
    for (size_t i = 0; i < ARRAY_SIZE(scratch); i++)
        put(l, "%s = T.alloc_buffer((%s, %lld), \"float32\")", scratch[i], l->capacity, h);
    put(l, "s = T.alloc_buffer((%s, %lld), \"float32\")", l->capacity, l->c->gates * h);
    put(l, "g = T.alloc_buffer((4, %lld), \"float32\")", h);
    put(l, "at = T.alloc_buffer((1,), \"int64\")");
    put_copy(l, "h", "a4");
    put_copy(l, "c", "a5");
    put(l, "for t in range(a0.shape[0]):");
    l->depth++;
    put_cell(l);
    put_elements(l);
    put(l, "        r0[at[0], %s, %s, j] = T.if_then_else(t < a3[%s], next[i, j], T.float32(0))",
        l->direction, l->sequence, l->sequence);
    put(l, "    if t < a3[%s]:", l->sequence);
    put(l, "        for j in range(T.int64(%lld)):", h);
    put(l, "            h[i, j] = next[i, j]");
    put(l, "            c[i, j] = cell[i, j]");
    l->depth--;
    put_copy(l, "r1", "h");
    put_copy(l, "r2", "c");
}

/*
 * a0: inputs times weights (steps, batch, directions * gates * hidden); a1: weights of the state (hidden, gates * hidden)
 * of the first direction; a2: its biases (directions, ..); a3: lengths; a4, a5: state and cell at the start; then the
 * weights of the other direction, and peepholes.  r0: all states, r1, r2: state and cell.
 */
static struct ir_value *run_kernel(struct cell *c, struct ir_value *const *arguments,
                                   unsigned count, put_cell_fn *put_cell)
{
    struct onnx_import *m = c->n->m;
    const struct ir_expr *hidden = onnx_expr(m, c->hidden), *both = onnx_expr(m, c->directions);
    const struct ir_expr *all[] = {c->steps, both, c->batch, hidden};
    const struct ir_type *types[] = {ir_type_tensor(m->context, IR_F32, all, 4),
                                     ir_type_tensor(m->context, IR_F32, all + 1, 3),
                                     ir_type_tensor(m->context, IR_F32, all + 1, 3)};
    struct lines l = {.c = c};
    int64_t batch;

    if (!ir_expr_constant(m->context, c->batch, &batch))
        batch = 0;
    put_kernel(&l, batch, put_cell);
    struct ir_value *results =
        onnx_kernel(m, "recurrent", arguments, count, types, 3, text_string(&l.text));
    text_finish(&l.text);
    return results;
}

/* ---- what it is given ---- */

/* @x as (dims); NULL: zeros. */
static struct ir_value *shaped(struct cell *c, struct ir_value *x,
                               const struct ir_expr *const *dims, unsigned count)
{
    struct onnx_import *m = c->n->m;

    return x ? onnx_reshape(m, x, dims, count)
             : onnx_broadcast(m, onnx_scalar(m, IR_F32, 0), dims, count);
}

/* The weights of the state of direction @d as a matrix from the old state to the gates. */
static struct ir_value *weights_of(struct cell *c, unsigned d)
{
    static const int64_t swapped[] = {1, 0};
    struct onnx_import *m = c->n->m;
    const struct ir_expr *dims[] = {onnx_expr(m, c->gates * c->hidden), onnx_expr(m, c->hidden)};
    struct ir_value *r = c->r;

    if (c->directions > 1)
        r = onnx_slice(m, r, 0, onnx_expr(m, d), onnx_expr(m, d + 1), 1);
    r = r ? onnx_reshape(m, r, dims, 2) : NULL;
    return r ? onnx_permute(m, r, swapped, 2) : NULL;
}

/* The inputs times their weights, of all steps and directions, and their bias. */
static struct ir_value *inputs_of(struct cell *c, struct ir_value *bias)
{
    static const int64_t swapped[] = {1, 0};
    struct onnx_import *m = c->n->m;
    int64_t wide = c->gates * c->hidden;
    const struct ir_expr *dims[] = {onnx_expr(m, c->directions * wide), onnx_dims(c->w)[2]};
    struct ir_value *w = onnx_reshape(m, c->w, dims, 2);
    struct ir_value *own = onnx_slice(m, bias, 1, onnx_expr(m, 0), onnx_expr(m, wide), 1);
    struct ir_value *product =
        MAKE(&m->b, OP_matmul, c->x, w ? onnx_permute(m, w, swapped, 2) : NULL);

    return MAKE(&m->b, OP_add, product, own ? onnx_reshape(m, own, dims, 1) : NULL);
}

static struct ir_value *lengths_of(struct cell *c)
{
    struct onnx_import *m = c->n->m;
    struct onnx_value steps = {0};

    if (c->lengths)
        return onnx_cast(m, c->lengths, IR_I64);
    /* all are as long as there are steps */
    onnx_value_set_elements(m, &steps, IR_I64, 0, NULL, &c->steps, 1);
    return onnx_broadcast(m, onnx_value_tensor(m, &steps), &c->batch, 1);
}

static struct ir_value *run_directions(struct cell *c, put_cell_fn *put_cell)
{
    struct onnx_import *m = c->n->m;
    int64_t wide = c->gates * c->hidden;
    const struct ir_expr *both = onnx_expr(m, c->directions);
    const struct ir_expr *bias_dims[] = {both, onnx_expr(m, 2 * wide)};
    const struct ir_expr *state[] = {both, c->batch, onnx_expr(m, c->hidden)};
    struct ir_value *bias = shaped(c, c->b, bias_dims, 2);
    struct ir_value *arguments[8] = {
        bias ? inputs_of(c, bias) : NULL,
        weights_of(c, 0),
        bias ? onnx_slice(m, bias, 1, onnx_expr(m, wide), bias_dims[1], 1) : NULL,
        lengths_of(c),
        shaped(c, c->h, state, 3),
        shaped(c, c->c, state, 3),
    };
    unsigned count = 6;

    if (c->directions > 1)
        arguments[count++] = weights_of(c, 1);
    if (c->p)
        arguments[count++] = c->p;
    return run_kernel(c, arguments, count, put_cell);
}

static bool run_cell(struct cell *c, put_cell_fn *put_cell)
{
    struct onnx_node *n = c->n;
    static const int64_t swapped[] = {1, 0, 2}, outer[] = {2, 0, 1, 3};
    struct ir_value *all = run_directions(c, put_cell);

    for (unsigned i = 0; i < 3; i++) {
        struct ir_value *result = all ? make_get(&n->m->b, all, i) : NULL;
        if (!result)
            return false;
        if (c->batch_first)
            result = i == 0 ? onnx_permute(n->m, result, outer, 4)
                            : onnx_permute(n->m, result, swapped, 3);
        if (onnx_wants(n, i) && !onnx_out(n, i, result))
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

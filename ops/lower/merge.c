/* The merge sort of sort.h, and what all ways to sort share. */
#include "ops/lower/sort.h"

static const struct ir_expr *isnan_of(struct kernel *k, const struct ir_expr *x)
{
    return ir_expr_call(k->context, IR_B1, "isnan", &x, 1);
}

const struct ir_expr *sort_is_less(struct kernel *k, const struct ir_expr *a,
                                   const struct ir_expr *b)
{
    struct ir_dtype dtype = kernel_compute_dtype(a->dtype);

    a = k_cast(k, dtype, a);
    b = k_cast(k, dtype, b);
    const struct ir_expr *less = k_binary(k, IR_EXPR_lt, a, b);
    if (!ir_dtype_is_float(dtype))
        return less;
    const struct ir_expr *is_number = ir_expr_not(k->context, isnan_of(k, a));
    return k_binary(k, IR_EXPR_or, less, k_binary(k, IR_EXPR_and, is_number, isnan_of(k, b)));
}

const struct ir_expr *sort_is_before(struct sorting *s, const struct ir_expr *a,
                                     const struct ir_expr *b)
{
    return s->is_descending ? sort_is_less(s->k, b, a) : sort_is_less(s->k, a, b);
}

const bool *sort_one_axis(struct kernel *k, unsigned operand, unsigned axis)
{
    unsigned ndim = (unsigned)k->operands[operand].type->ndim;
    bool *flags = arena_array(&k->module->arena, bool, ndim + 1);

    for (unsigned d = 0; d < ndim; d++)
        flags[d] = d == axis;
    return flags;
}

struct sorting sort_begin(struct kernel *k, unsigned operand, const bool *is_line,
                          bool is_descending)
{
    struct sorting s = {
        .k = k, .operand = operand, .is_line = is_line, .is_descending = is_descending};

    s.ndim = (unsigned)k->operands[operand].type->ndim;
    s.count = k_int(k, 1);
    for (unsigned d = 0; d < s.ndim; d++) {
        if (is_line[d])
            s.count = k_mul(k, s.count, kernel_input_dim(k, operand, d));
        else
            s.outer++;
    }
    s.count = ir_simplify(k->context, s.count);
    return s;
}

struct ir_buffer *sort_scratch(struct sorting *s, const char *name, struct ir_dtype dtype,
                               const struct ir_expr *rows, const struct ir_expr *length)
{
    const struct ir_expr **dims = kernel_indices(s->k, s->outer + 2);
    unsigned count = 0;

    for (unsigned d = 0; d < s->ndim; d++)
        if (!s->is_line[d])
            dims[count++] = kernel_input_dim(s->k, s->operand, d);
    if (rows)
        dims[count++] = rows;
    dims[count++] = length;
    return kernel_alloc(s->k, name, dtype, dims, count);
}

const struct ir_expr **sort_axes(struct sorting *s, struct nest *nest)
{
    const struct ir_expr **line = kernel_indices(s->k, s->outer);
    unsigned count = 0;

    for (unsigned d = 0; d < s->ndim; d++)
        if (!s->is_line[d])
            line[count++] = nest_axis(nest, TIR_SPATIAL, kernel_input_dim(s->k, s->operand, d));
    return line;
}

const struct ir_expr **sort_place(struct sorting *s, const struct ir_expr *const *line,
                                  const struct ir_expr *i)
{
    const struct ir_expr **place = kernel_indices(s->k, s->outer + 1);

    for (unsigned d = 0; d < s->outer; d++)
        place[d] = line[d];
    place[s->outer] = i;
    return place;
}

const struct ir_expr *sort_load(struct sorting *s, const struct ir_buffer *buffer,
                                const struct ir_expr *const *line, const struct ir_expr *i)
{
    return ir_expr_load(s->k->context, buffer, sort_place(s, line, i), s->outer + 1);
}

const struct ir_expr *sort_data(struct sorting *s, const struct ir_expr *const *line,
                                const struct ir_expr *i)
{
    struct kernel *k = s->k;
    const struct ir_expr **at = kernel_indices(k, s->ndim);
    unsigned lines = s->ndim - s->outer, outer = s->outer;

    for (unsigned d = s->ndim; d-- > 0;) {
        if (!s->is_line[d]) {
            at[d] = line[--outer];
        } else if (--lines == 0) {
            at[d] = i;
        } else {
            const struct ir_expr *dim = kernel_input_dim(k, s->operand, d);
            at[d] = k_binary(k, IR_EXPR_floormod, i, dim);
            i = k_binary(k, IR_EXPR_floordiv, i, dim);
        }
    }
    return kernel_load(k, s->operand, at);
}

/* ---- merging ---- */

struct merge {
    struct sorting *s;
    const struct ir_expr *const *line;
    unsigned from; /* which of the two buffers is read */
};

static void store_both(struct merge *m, struct code *code, const struct ir_expr *to,
                       const struct ir_expr *key, const struct ir_expr *index)
{
    struct sorting *s = m->s;
    unsigned into = 1 - m->from;

    code_store(code, s->keys[into], sort_place(s, m->line, to), key);
    if (s->order[0])
        code_store(code, s->order[into], sort_place(s, m->line, to), index);
}

/* The next element of the two runs whose heads are @left (to @middle) and @right (to @end). */
static void merge_next(struct merge *m, struct code *code, const struct ir_expr *to,
                       const struct ir_buffer *left, const struct ir_expr *middle,
                       const struct ir_buffer *right, const struct ir_expr *end)
{
    struct sorting *s = m->s;
    struct kernel *k = s->k;
    const struct ir_expr *last = k_sub(k, s->count, k_int(k, 1));
    const struct ir_expr *a = code_get(k, left), *b = code_get(k, right);
    /* beyond its run a head is compared with nothing, and stays in the line */
    const struct ir_expr *at_a = code_let(code, "at_a", k_binary(k, IR_EXPR_min, a, last));
    const struct ir_expr *at_b = code_let(code, "at_b", k_binary(k, IR_EXPR_min, b, last));
    const struct ir_expr *x = code_let(code, "x", sort_load(s, s->keys[m->from], m->line, at_a));
    const struct ir_expr *y = code_let(code, "y", sort_load(s, s->keys[m->from], m->line, at_b));
    const struct ir_expr *is_out = k_binary(k, IR_EXPR_ge, a, middle);
    const struct ir_expr *is_right = k_binary(k, IR_EXPR_or, is_out, sort_is_before(s, y, x));
    is_right = k_binary(k, IR_EXPR_and, k_binary(k, IR_EXPR_lt, b, end), is_right);
    is_right = code_let(code, "is_right", is_right);
    const struct ir_expr *index = NULL;
    if (s->order[0])
        index = sort_load(s, s->order[m->from], m->line, k_select(k, is_right, at_b, at_a));
    store_both(m, code, to, k_select(k, is_right, y, x), index);
    const struct ir_expr *step = code_let(code, "step", k_cast(k, IR_I64, is_right));
    code_count(code, right, step);
    code_count(code, left, k_sub(k, k_int(k, 1), step));
}

/* Merges each two neighbouring runs of @width elements into the other buffer. */
static void merge_runs(struct merge *m, struct code *code, const struct ir_expr *width)
{
    struct kernel *k = m->s->k;
    const struct ir_expr *n = m->s->count, *one = k_int(k, 1);
    struct code runs, run;

    width = code_let(code, "run", width);
    const struct ir_expr *twice = code_let(code, "twice", k_mul(k, width, k_int(k, 2)));
    const struct ir_expr *count =
        k_binary(k, IR_EXPR_floordiv, k_sub(k, k_add(k, n, twice), one), twice);
    const struct ir_expr *r = code_for(code, &runs, "r", code_let(code, "count", count));
    const struct ir_expr *low = code_let(&runs, "low", k_mul(k, r, twice));
    const struct ir_expr *middle =
        code_let(&runs, "middle", k_binary(k, IR_EXPR_min, k_add(k, low, width), n));
    const struct ir_expr *end =
        code_let(&runs, "end", k_binary(k, IR_EXPR_min, k_add(k, low, twice), n));
    const struct ir_buffer *left = code_scalar(&runs, "left", IR_I64, low);
    const struct ir_buffer *right = code_scalar(&runs, "right", IR_I64, middle);
    const struct ir_expr *i = code_for(&runs, &run, "i", k_sub(k, end, low));
    merge_next(m, &run, k_add(k, low, i), left, middle, right, end);
    code_end(&run);
    code_end(&runs);
    m->from = 1 - m->from;
}

struct sorting sort_lines(struct kernel *k, unsigned operand, const bool *is_line,
                          bool is_descending, bool has_order)
{
    struct sorting s = sort_begin(k, operand, is_line, is_descending);
    struct ir_dtype dtype = k->operands[operand].type->dtype;

    if (sort_has_digits(&s))
        return sort_by_digits(s, has_order);
    for (unsigned i = 0; i < 2; i++) {
        s.keys[i] = sort_scratch(&s, i == 0 ? "keys" : "other_keys", dtype, NULL, s.count);
        if (has_order)
            s.order[i] = sort_scratch(&s, i == 0 ? "order" : "other_order", IR_I64, NULL, s.count);
    }
    struct nest nest = nest_begin(k, "T_merge_sort");
    const struct ir_expr **line = sort_axes(&s, &nest);
    struct merge m = {.s = &s, .line = line, .from = 1};
    struct code code = code_begin(k), body;
    const struct ir_expr *i = code_for(&code, &body, "i", s.count);
    store_both(&m, &body, i, sort_data(&s, line, i), i);
    code_end(&body);
    m.from = 0;
    const struct ir_buffer *width = code_scalar(&code, "width", IR_I64, k_int(k, 1));
    const struct ir_expr *now = code_get(k, width);
    code_while(&code, &body, k_binary(k, IR_EXPR_lt, now, s.count));
    merge_runs(&m, &body, now);
    merge_runs(&m, &body, k_mul(k, now, k_int(k, 2)));
    code_set(&body, width, k_mul(k, now, k_int(k, 4)));
    code_end(&body);
    nest_code(&nest, &code);
    nest_end(&nest);
    return s;
}

/*
 * The first few elements of each line: each element is held against the last of those that are kept, and put in
 * its place among them if it stands before that one.
 *
 * Of long contiguous lines most elements are not looked at: the first of each chunk is found by vectors, and the last of the
 * first few of those is a bound, behind which nothing is kept.  Only chunks that have something in front of it are gone
 * through.
 *
 *     peaks[c] = max(line[c * 64 .. c * 64 + 63])
 *     bound = the last of the first few of peaks
 *     for c: if not peaks[c] < bound: as above, for each element of the chunk
 *
 * A chunk with a NaN has it as its peak, and is gone through.
 */
#include "ops/lower/sort.h"

enum {
    CHUNK = 64,
    SMALL_CHUNK = 16,
    ENOUGH = 3, /* chunks for each element that is kept */
};

/* Some that are kept of a line, in their order. */
struct kept {
    struct sorting *s;
    const struct ir_expr *const *line, *keep;
    struct ir_buffer *keys, *order; /* order: NULL if nobody asks */
    const struct ir_buffer *filled; /* a scalar: how many there are */
};

static const struct ir_expr *get(struct kept *f, const struct ir_buffer *buffer,
                                 const struct ir_expr *i)
{
    return sort_load(f->s, buffer, f->line, i);
}

static void put(struct kept *f, struct code *code, const struct ir_buffer *buffer,
                const struct ir_expr *i, const struct ir_expr *value)
{
    code_store(code, buffer, sort_place(f->s, f->line, i), value);
}

static const struct ir_expr *last_of(struct kept *f)
{
    struct kernel *k = f->s->k;

    return k_binary(k, IR_EXPR_max, k_sub(k, f->keep, k_int(k, 1)), k_int(k, 0));
}

/* Moves those behind @x by one place, and puts it there; the last one falls out. */
static void insert(struct kept *f, struct code *code, const struct ir_expr *x,
                   const struct ir_expr *i)
{
    struct kernel *k = f->s->k;
    const struct ir_expr *one = k_int(k, 1), *zero = k_int(k, 0);
    const struct ir_expr *filled = code_get(k, f->filled);
    const struct ir_expr *count =
        code_let(code, "count", k_binary(k, IR_EXPR_min, filled, last_of(f)));
    const struct ir_buffer *place = code_scalar(code, "place", IR_I64, count);
    struct code each, shift;
    const struct ir_expr *j = code_for(code, &each, "j", count);
    const struct ir_expr *from = k_sub(k, k_sub(k, count, j), one);
    from = code_let(&each, "from", k_binary(k, IR_EXPR_max, from, zero));
    const struct ir_expr *to = k_add(k, from, one), *old = get(f, f->keys, from);

    code_if(&each, &shift, sort_is_before(f->s, x, old));
    put(f, &shift, f->keys, to, old);
    if (f->order)
        put(f, &shift, f->order, to, get(f, f->order, from));
    code_set(&shift, place, from);
    code_end(&shift);
    code_end(&each);
    put(f, code, f->keys, code_get(k, place), x);
    if (f->order)
        put(f, code, f->order, code_get(k, place), i);
    code_set(code, f->filled, k_binary(k, IR_EXPR_min, k_add(k, filled, one), f->keep));
}

/* Keeps @x, element @i of its line, if it belongs to the first few so far. */
static void consider(struct kept *f, struct code *code, const struct ir_expr *x,
                     const struct ir_expr *i)
{
    struct kernel *k = f->s->k;
    const struct ir_expr *is_open = k_binary(k, IR_EXPR_lt, code_get(k, f->filled), f->keep);
    struct code better;

    x = code_let(code, "x", x);
    code_if(code, &better,
            k_if(k, is_open, ir_expr_int(k->context, IR_B1, 1),
                 sort_is_before(f->s, x, get(f, f->keys, last_of(f)))));
    insert(f, &better, x, i);
    code_end(&better);
}

/* Elements @from to @from + @count - 1. */
static void consider_run(struct kept *f, struct code *code, const struct ir_expr *from,
                         const struct ir_expr *count)
{
    struct code body;
    const struct ir_expr *i = k_add(f->s->k, from, code_for(code, &body, "i", count));

    consider(f, &body, sort_data(f->s, f->line, i), i);
    code_end(&body);
}

/* ---- chunks ---- */

/* Elements of a chunk; 0: there are no chunks. */
static int64_t chunk_size(struct sorting *s, const struct ir_expr *keep)
{
    struct ir_context *context = s->k->context;
    struct ir_dtype dtype = s->k->operands[s->operand].type->dtype;
    int64_t count, kept;

    if (s->ndim - s->outer != 1 || !s->is_line[s->ndim - 1] || ir_dtype_is_bool(dtype))
        return 0;
    if (!ir_expr_constant(context, s->count, &count) || !ir_expr_constant(context, keep, &kept))
        return CHUNK;
    if (kept < 1)
        return 0;
    for (int64_t size = CHUNK; size >= SMALL_CHUNK; size /= 4)
        if (count / size >= ENOUGH * kept)
            return size;
    return 0;
}

static void find_peaks(struct kept *f, struct code *code, struct ir_buffer *peaks, int64_t size)
{
    struct kernel *k = f->s->k;
    struct ir_dtype dtype = peaks->dtype;
    bool is_largest = f->s->is_descending;
    struct code each, body;
    const struct ir_expr *c = code_for(code, &each, "c", peaks->shape[f->s->outer]);

    put(f, &each, peaks, c, is_largest ? k_lowest(k, dtype) : k_highest(k, dtype));
    const struct ir_expr *l = code_for(&each, &body, "l", k_int(k, size));
    const struct ir_expr *x = sort_data(f->s, f->line, k_add(k, k_mul(k, c, k_int(k, size)), l));
    put(f, &body, peaks, c,
        k_extreme(k, is_largest ? IR_EXPR_max : IR_EXPR_min, get(f, peaks, c), x));
    code_end(&body);
    code_end(&each);
}

/* May something of a chunk stand before the last of the first few peaks? */
static const struct ir_expr *may_have(struct kept *f, struct kept *bound,
                                      const struct ir_expr *count, const struct ir_expr *peak)
{
    struct kernel *k = f->s->k;
    const struct ir_expr *is_behind =
        sort_is_before(f->s, get(bound, bound->keys, last_of(bound)), peak);
    const struct ir_expr *may = ir_expr_not(k->context, is_behind);

    if (ir_dtype_is_float(peak->dtype)) {
        const struct ir_expr *wide = k_cast(k, kernel_compute_dtype(peak->dtype), peak);
        may = k_binary(k, IR_EXPR_or, ir_expr_call(k->context, IR_B1, "isnan", &wide, 1), may);
    }
    if (ir_prove_ge(k->context, NULL, count, f->keep))
        return may;
    return k_if(k, k_binary(k, IR_EXPR_ge, count, f->keep), may, ir_expr_int(k->context, IR_B1, 1));
}

/* Goes through the chunks; how many elements they have. */
static const struct ir_expr *consider_chunks(struct kept *f, struct code *code,
                                             struct ir_buffer *peaks, struct ir_buffer *few,
                                             int64_t size)
{
    struct kernel *k = f->s->k;
    const struct ir_expr *count = peaks->shape[f->s->outer];
    struct kept bound = *f;
    struct code each, chunk;

    find_peaks(f, code, peaks, size);
    bound.keys = few;
    bound.order = NULL;
    bound.filled = code_scalar(code, "bounds", IR_I64, k_int(k, 0));
    const struct ir_expr *c = code_for(code, &each, "c", count);
    consider(&bound, &each, get(f, peaks, c), c);
    code_end(&each);
    c = code_for(code, &each, "c", count);
    code_if(&each, &chunk, may_have(f, &bound, count, get(f, peaks, c)));
    consider_run(f, &chunk, k_mul(k, c, k_int(k, size)), k_int(k, size));
    code_end(&chunk);
    code_end(&each);
    return ir_simplify(k->context, k_mul(k, count, k_int(k, size)));
}

struct sorting sort_first(struct kernel *k, unsigned operand, const bool *is_line,
                          bool is_descending, const struct ir_expr *keep)
{
    struct sorting s = sort_begin(k, operand, is_line, is_descending);
    struct ir_dtype dtype = k->operands[operand].type->dtype;
    struct code code = code_begin(k);
    struct ir_buffer *peaks = NULL, *few = NULL;
    int64_t size = chunk_size(&s, keep);
    const struct ir_expr *done = k_int(k, 0);

    s.keys[0] = sort_scratch(&s, "keys", dtype, NULL, keep);
    s.order[0] = sort_scratch(&s, "order", IR_I64, NULL, keep);
    if (size > 0) {
        const struct ir_expr *chunks = k_binary(k, IR_EXPR_floordiv, s.count, k_int(k, size));
        peaks = sort_scratch(&s, "peaks", dtype, NULL, ir_simplify(k->context, chunks));
        few = sort_scratch(&s, "few", dtype, NULL, keep);
    }
    struct nest nest = nest_begin(k, "T_first");
    struct kept f = {.s = &s, .keep = keep, .keys = s.keys[0], .order = s.order[0]};
    f.line = sort_axes(&s, &nest);
    f.filled = code_scalar(&code, "filled", IR_I64, k_int(k, 0));
    if (size > 0)
        done = consider_chunks(&f, &code, peaks, few, size);
    const struct ir_expr *rest = ir_simplify(k->context, k_sub(k, s.count, done));
    if (!ir_expr_is_int(rest, 0))
        consider_run(&f, &code, done, rest);
    nest_code(&nest, &code);
    nest_end(&nest);
    return s;
}

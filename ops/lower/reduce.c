/*
 * Reductions as loops.
 *
 * One block accumulates, the reduced axes in row-major order.
 * Where the accumulator has another dtype, or something is left to do, a second block finishes.
 */
#include "ops/lower/words.h"

/* How the axes of the operand are reduced. */
struct reduction {
    struct kernel *k;
    const bool *reduced; /* by axis of the operand */
    unsigned ndim;
    bool keepdims;
    struct ir_dtype dtype;             /* of the accumulator */
    const struct ir_expr *const *dims; /* kept ones, of the accumulator */
    unsigned kept;
};

static void find_axes(struct reduction *r, struct kernel *k, const struct ir_attr *axes)
{
    r->k = k;
    r->ndim = (unsigned)k->operands[0].type->ndim;
    r->keepdims = ir_op_attr(k->op, "keepdims")->boolean;
    r->dtype = kernel_compute_dtype(k->operands[0].type->dtype);
    bool *flags = arena_array(&k->module->arena, bool, r->ndim + 1);
    if (axes->kind == IR_ATTR_INT)
        axes = ir_attr_list(k->context, &axes, 1);
    for (unsigned d = 0; d < r->ndim; d++)
        flags[d] = axes->kind != IR_ATTR_LIST;
    for (unsigned i = 0; axes->kind == IR_ATTR_LIST && i < axes->count; i++)
        flags[op_axis(axes->items[i]->integer, r->ndim)] = true;
    r->reduced = flags;
    const struct ir_expr **dims = kernel_indices(k, r->ndim);
    for (unsigned d = 0; d < r->ndim; d++)
        if (!flags[d])
            dims[r->kept++] = kernel_input_dim(k, 0, d);
    r->dims = dims;
}

/* Axes of the operand, and the kept ones of them. */
static void make_axes(struct nest *nest, const struct reduction *r, const struct ir_expr **out_all,
                      const struct ir_expr **out_kept)
{
    unsigned count = 0;

    nest_reduction_axes(nest, &r->k->operands[0], r->reduced, out_all);
    for (unsigned d = 0; d < r->ndim; d++)
        if (!r->reduced[d])
            out_kept[count++] = out_all[d];
}

/* Where the result stands: with keepdims there are dims of 1 between the kept ones. */
static const struct ir_expr **result_indices(const struct reduction *r,
                                             const struct ir_expr *const *kept)
{
    const struct ir_expr **indices = kernel_indices(r->k, r->ndim);
    unsigned count = 0, from = 0;

    for (unsigned d = 0; d < r->ndim; d++) {
        if (!r->reduced[d])
            indices[count++] = kept[from++];
        else if (r->keepdims)
            indices[count++] = k_int(r->k, 0);
    }
    return indices;
}

static const struct ir_expr *element_count(const struct reduction *r)
{
    const struct ir_expr *count = k_int(r->k, 1);

    for (unsigned d = 0; d < r->ndim; d++)
        if (r->reduced[d])
            count = k_mul(r->k, count, kernel_input_dim(r->k, 0, d));
    return count;
}

/* What a row says. */
struct reducer {
    enum op_domain domain;
    words_fn *init, *step, *finish;
};

#define REDUCTION(id, name, domain, init, step, finish, doc, ...)   \
    static const struct ir_expr *init_##id(const struct words *w)   \
    {                                                               \
        return init;                                                \
    }                                                               \
    static const struct ir_expr *step_##id(const struct words *w)   \
    {                                                               \
        return step;                                                \
    }                                                               \
    static const struct ir_expr *finish_##id(const struct words *w) \
    {                                                               \
        return finish;                                              \
    }
#include "ops/ops.def"

static const struct reducer reducers[OP_COUNT] = {
#define REDUCTION(id, name, domain, init, step, finish, doc, ...) \
    [OP_##id] = {OP_##domain, init_##id, step_##id, finish_##id},
#include "ops/ops.def"
};

/* Accumulates into @buffer, which has the kept dims, or with @is_result the dims of the result. */
static void accumulate(const struct reduction *r, struct words *w, const struct reducer *reducer,
                       struct ir_buffer *buffer, bool is_result)
{
    struct kernel *k = r->k;
    const struct ir_expr **all = kernel_indices(k, r->ndim), **kept = kernel_indices(k, r->ndim);
    struct nest nest = nest_begin(k, arena_printf(&k->context->arena, "%s_red", k->name));

    make_axes(&nest, r, all, kept);
    const struct ir_expr **target = is_result ? result_indices(r, kept) : kept;
    w->operands[0] = k_cast(k, r->dtype, kernel_load(k, 0, all));
    w->accumulator = nest_load(&nest, buffer, target);
    if (w->mean_buffer != NULL)
        w->mean = nest_load(&nest, w->mean_buffer, kept);
    nest_init(&nest, buffer, target, reducer->init(w));
    nest_store(&nest, buffer, target, reducer->step(w));
    nest_end(&nest);
}

static void finish(const struct reduction *r, struct words *w, const struct reducer *reducer,
                   struct ir_buffer *from, struct ir_buffer *to, bool is_result)
{
    struct kernel *k = r->k;
    struct nest nest = nest_begin(k, arena_printf(&k->context->arena, "T_%s", k->name));
    const struct ir_expr **kept = nest_axes_of(&nest, from);

    w->accumulator = nest_load(&nest, from, kept);
    nest_store(&nest, to, is_result ? result_indices(r, kept) : kept, reducer->finish(w));
    nest_end(&nest);
}

/* Is the accumulator the result as it is? */
static bool is_finished(const struct words *w, const struct reducer *reducer)
{
    struct words trial = *w;

    trial.accumulator = k_number(w->k, w->dtype, 0);
    return reducer->finish(&trial) == trial.accumulator;
}

struct ir_value *lower_reduction(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    const struct reducer *reducer = &reducers[op_id(op)], *mean_of = &reducers[OP_mean];
    struct kernel k;
    struct reduction r = {0};

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    if (!kernel_check_domain(&k, reducer->domain, k.operands[0].type->dtype))
        return kernel_abandon(&k);
    find_axes(&r, &k, ir_op_attr(op, "axis"));
    struct words w = {.k = &k, .dtype = r.dtype, .is_float = ir_dtype_is_float(r.dtype)};
    w.count = element_count(&r);
    if (reducer->domain == OP_MOMENT) {
        struct ir_buffer *sum = kernel_alloc(&k, "sum", r.dtype, r.dims, r.kept);
        struct ir_buffer *mean = kernel_alloc(&k, "mean", r.dtype, r.dims, r.kept);
        accumulate(&r, &w, mean_of, sum, false);
        finish(&r, &w, mean_of, sum, mean, false);
        w.mean_buffer = mean;
    }
    if (is_finished(&w, reducer) && ir_dtype_equal(r.dtype, k.outputs[0]->dtype)) {
        accumulate(&r, &w, reducer, k.outputs[0], true);
        return kernel_finish(&k);
    }
    struct ir_buffer *acc = kernel_alloc(&k, "acc", r.dtype, r.dims, r.kept);
    accumulate(&r, &w, reducer, acc, false);
    finish(&r, &w, reducer, acc, k.outputs[0], true);
    return kernel_finish(&k);
}

/* Position of the element along the reduced axes, row-major. */
static const struct ir_expr *position(const struct reduction *r, const struct ir_expr *const *all)
{
    const struct ir_expr *at = k_int(r->k, 0);

    for (unsigned d = 0; d < r->ndim; d++)
        if (r->reduced[d])
            at = k_add(r->k, k_mul(r->k, at, kernel_input_dim(r->k, 0, d)), all[d]);
    return at;
}

/* at[kept] = the first position of what is @best, or of NaN where that is NaN; 0 where there is nothing. */
static void find_best(const struct reduction *r, struct words *w, struct ir_buffer *best,
                      struct ir_buffer *at)
{
    struct kernel *k = r->k;
    const struct ir_expr **all = kernel_indices(k, r->ndim), **kept = kernel_indices(k, r->ndim);
    const struct ir_expr *count = element_count(r);
    struct nest nest = nest_begin(k, arena_printf(&k->context->arena, "%s_at", k->name));

    make_axes(&nest, r, all, kept);
    const struct ir_expr **target = result_indices(r, kept);
    w->operands[0] = k_cast(k, r->dtype, kernel_load(k, 0, all));
    const struct ir_expr *is_it = EQ(A, nest_load(&nest, best, kept));
    if (w->is_float)
        is_it = OR(is_it, ISNAN(A));
    nest_init(&nest, at, target, count);
    nest_store(&nest, at, target,
               MIN(nest_load(&nest, at, target), SELECT(is_it, position(r, all), count)));
    nest_end(&nest);
}

/* Two sweeps, each of which machines can make in vectors: what is best, and where it stands first. */
static struct ir_value *lower_search(struct ir_module *module, struct diag *diag, struct ir_op *op,
                                     const struct reducer *reducer)
{
    struct kernel k;
    struct reduction r = {0};

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    find_axes(&r, &k, ir_op_attr(op, "axis"));
    if (ir_dtype_is_bool(r.dtype))
        r.dtype = IR_DTYPE(IR_UINT, 8); /* false < true */
    struct words words = {.k = &k, .dtype = r.dtype, .is_float = ir_dtype_is_float(r.dtype)};
    struct ir_buffer *best = kernel_alloc(&k, "best", r.dtype, r.dims, r.kept);
    accumulate(&r, &words, reducer, best, false);
    find_best(&r, &words, best, k.outputs[0]);
    return kernel_finish(&k);
}

struct ir_value *lower_argmax(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_search(module, diag, op, &reducers[OP_max]);
}

struct ir_value *lower_argmin(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_search(module, diag, op, &reducers[OP_min]);
}

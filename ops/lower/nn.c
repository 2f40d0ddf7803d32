/*
 * softmax, log_softmax, layer_norm, rms_norm.
 *
 * float16 and bfloat16 are computed in float32.  Sums run over the axes in row-major order; the
 * variance is taken in a second sweep, from the mean.  What softmax divides by is the same for a whole
 * row, at least 1 and at most the row's length: its reciprocal is taken once, as nothing can overflow.
 */
#include "ops/lower/words.h"

/* The axes of the data, some of them summed over. */
struct norm {
    struct kernel *k;
    unsigned ndim;
    const bool *summed;
    struct ir_dtype dtype;
    const struct ir_expr *const *kept_dims;
    unsigned kept;
};

static void norm_begin(struct norm *n, struct kernel *k, const bool *summed)
{
    *n = (struct norm){.k = k, .ndim = k->outputs[0]->ndim, .summed = summed};
    n->dtype = kernel_compute_dtype(k->operands[0].type->dtype);
    const struct ir_expr **dims = kernel_indices(k, n->ndim);
    for (unsigned d = 0; d < n->ndim; d++)
        if (!summed[d])
            dims[n->kept++] = k->outputs[0]->shape[d];
    n->kept_dims = dims;
}

static const bool *flags_of(struct kernel *k, const struct ir_attr *axes)
{
    unsigned ndim = k->outputs[0]->ndim;
    bool *flags = arena_array(&k->module->arena, bool, ndim + 1);

    for (unsigned i = 0; i < axes->count; i++)
        flags[op_axis(axes->items[i]->integer, ndim)] = true;
    return flags;
}

static struct ir_buffer *norm_alloc(struct norm *n, const char *name)
{
    return kernel_alloc(n->k, name, n->dtype, n->kept_dims, n->kept);
}

/* The kept ones of the indices of an element. */
static const struct ir_expr **kept_of(struct norm *n, const struct ir_expr *const *all)
{
    const struct ir_expr **kept = kernel_indices(n->k, n->ndim);
    unsigned count = 0;

    for (unsigned d = 0; d < n->ndim; d++)
        if (!n->summed[d])
            kept[count++] = all[d];
    return kept;
}

static const struct ir_expr *norm_load(struct norm *n, const struct ir_buffer *buffer,
                                       const struct ir_expr *const *all)
{
    return ir_expr_load(n->k->context, buffer, kept_of(n, all), n->kept);
}

static const struct ir_expr *data_at(struct norm *n, const struct ir_expr *const *all)
{
    return k_cast(n->k, n->dtype, kernel_load(n->k, 0, all));
}

/* What is summed up for an element. */
typedef const struct ir_expr *term_fn(struct norm *n, const struct ir_buffer *with,
                                      const struct ir_expr *const *all);

/* to[kept] = init, then to[kept] = to[kept] <kind> term for each summed element. */
static void sweep(struct norm *n, struct ir_buffer *to, enum ir_expr_kind kind, term_fn *term,
                  const struct ir_buffer *with)
{
    struct kernel *k = n->k;
    struct nest nest = nest_begin(k, arena_printf(&k->context->arena, "T_%s", to->name));
    const struct ir_expr **all = kernel_indices(k, n->ndim);

    nest_reduction_axes(&nest, &k->operands[0], n->summed, all);
    const struct ir_expr **kept = kept_of(n, all);
    nest_init(&nest, to, kept,
              kind == IR_EXPR_max ? k_lowest(k, n->dtype) : k_number(k, n->dtype, 0));
    nest_store(&nest, to, kept, k_binary(k, kind, nest_load(&nest, to, kept), term(n, with, all)));
    nest_end(&nest);
}

static const struct ir_expr *term_value(struct norm *n, const struct ir_buffer *with,
                                        const struct ir_expr *const *all)
{
    return data_at(n, all);
}

static const struct ir_expr *term_exp(struct norm *n, const struct ir_buffer *max,
                                      const struct ir_expr *const *all)
{
    return k_call(n->k, "exp",
                  k_binary(n->k, IR_EXPR_sub, data_at(n, all), norm_load(n, max, all)));
}

/* An element of a buffer of the shape of the data. */
static const struct ir_expr *term_stored(struct norm *n, const struct ir_buffer *with,
                                         const struct ir_expr *const *all)
{
    return ir_expr_load(n->k->context, with, all, n->ndim);
}

static const struct ir_expr *term_square(struct norm *n, const struct ir_buffer *with,
                                         const struct ir_expr *const *all)
{
    return k_binary(n->k, IR_EXPR_mul, data_at(n, all), data_at(n, all));
}

static const struct ir_expr *term_distance(struct norm *n, const struct ir_buffer *mean,
                                           const struct ir_expr *const *all)
{
    const struct ir_expr *distance =
        k_binary(n->k, IR_EXPR_sub, data_at(n, all), norm_load(n, mean, all));

    return k_binary(n->k, IR_EXPR_mul, distance, distance);
}

/* Begins a kernel with the largest elements along `axis`; NULL after a report. */
static struct ir_buffer *softmax_begin(struct norm *n, struct kernel *k, struct ir_module *module,
                                       struct diag *diag, struct ir_op *op)
{
    const struct ir_attr *axis = ir_op_attr(op, "axis");

    if (!kernel_begin(k, module, diag, op, 1u))
        return NULL;
    norm_begin(n, k, flags_of(k, ir_attr_list(k->context, &axis, 1)));
    struct ir_buffer *max = norm_alloc(n, "softmax_maxelem");
    sweep(n, max, IR_EXPR_max, term_value, NULL);
    return max;
}

struct ir_value *lower_softmax(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct norm n;
    struct ir_buffer *max = softmax_begin(&n, &k, module, diag, op);

    if (max == NULL)
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct ir_buffer *exp = kernel_alloc(&k, "softmax_exp", n.dtype, out->shape, out->ndim);
    struct ir_buffer *sum = norm_alloc(&n, "softmax_expsum");
    struct nest nest = nest_begin(&k, "T_softmax_exp");
    const struct ir_expr **axes = nest_axes_of(&nest, exp);
    nest_store(&nest, exp, axes, term_exp(&n, max, axes));
    nest_end(&nest);
    sweep(&n, sum, IR_EXPR_add, term_stored, exp);
    nest = nest_begin(&k, "T_softmax_norm");
    axes = nest_axes_of(&nest, out);
    const struct ir_expr *share =
        k_binary(&k, IR_EXPR_div, k_number(&k, n.dtype, 1), norm_load(&n, sum, axes));
    nest_store(&nest, out, axes, k_binary(&k, IR_EXPR_mul, nest_load(&nest, exp, axes), share));
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *lower_log_softmax(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct norm n;
    struct ir_buffer *max = softmax_begin(&n, &k, module, diag, op);

    if (max == NULL)
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct ir_buffer *sum = norm_alloc(&n, "softmax_expsum");
    sweep(&n, sum, IR_EXPR_add, term_exp, max);
    struct nest nest = nest_begin(&k, "T_log_softmax");
    const struct ir_expr **axes = nest_axes_of(&nest, out);
    const struct ir_expr *distance =
        k_binary(&k, IR_EXPR_sub, data_at(&n, axes), norm_load(&n, max, axes));
    nest_store(&nest, out, axes,
               k_binary(&k, IR_EXPR_sub, distance, k_call(&k, "log", norm_load(&n, sum, axes))));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* Divides what is in @sum by the number of summed elements, into a new buffer. */
static struct ir_buffer *divide_by_count(struct norm *n, struct ir_buffer *sum, const char *name)
{
    struct kernel *k = n->k;
    struct ir_buffer *to = norm_alloc(n, name);
    const struct ir_expr *count = k_int(k, 1);

    for (unsigned d = 0; d < n->ndim; d++)
        if (n->summed[d])
            count = k_mul(k, count, k->outputs[0]->shape[d]);
    struct nest nest = nest_begin(k, arena_printf(&k->context->arena, "T_%s", name));
    const struct ir_expr **axes = nest_axes_of(&nest, to);
    nest_store(&nest, to, axes, k_share(k, nest_load(&nest, sum, axes), count));
    nest_end(&nest);
    return to;
}

/* The element of operand @i (gamma, beta, weight) that belongs to @all. */
static const struct ir_expr *scale_at(struct norm *n, unsigned i, const struct ir_expr *const *all)
{
    const struct ir_attr *axes = ir_op_attr(n->k->op, "axes");
    const struct ir_expr **indices = kernel_indices(n->k, axes->count);

    for (unsigned a = 0; a < axes->count; a++)
        indices[a] = all[op_axis(axes->items[a]->integer, n->ndim)];
    return k_cast(n->k, n->dtype, kernel_load(n->k, i, indices));
}

/* sqrt(variance + epsilon) */
static const struct ir_expr *deviation(struct norm *n, const struct ir_buffer *variance,
                                       const struct ir_expr *const *all)
{
    struct kernel *k = n->k;
    const struct ir_expr *epsilon = k_number(k, n->dtype, op_attr_float(k->op, "epsilon"));

    return k_call(k, "sqrt", k_binary(k, IR_EXPR_add, norm_load(n, variance, all), epsilon));
}

/* The scales must be proved to have the extents of the axes. */
static bool check_scales(struct kernel *k, unsigned count)
{
    const struct ir_attr *axes = ir_op_attr(k->op, "axes");
    const struct ir_type *data = k->operands[0].type;

    for (unsigned i = 1; i <= count; i++) {
        for (unsigned a = 0; a < axes->count; a++) {
            unsigned d = op_axis(axes->items[a]->integer, (unsigned)data->ndim);
            if (ir_prove_equal(k->context, data->dims[d], k->operands[i].type->dims[a]))
                continue;
            diag_report(k->diag, op_said_place(k->op, op_operand_name(k->op->info, i)),
                        LOWER_OPERAND, k->op->info->name, op_operand_name(k->op->info, i),
                        "has a dimension that is not known to be that of `data`");
            return false;
        }
    }
    return true;
}

/* Begins the kernel of an operator whose first @scales operands behind the data scale; false after a report. */
static bool scaled_begin(struct norm *n, struct kernel *k, struct ir_module *module,
                         struct diag *diag, struct ir_op *op, unsigned scales)
{
    if (!kernel_begin(k, module, diag, op, (2u << scales) - 1))
        return false;
    if (!check_scales(k, scales))
        return kernel_abandon(k) != NULL;
    norm_begin(n, k, flags_of(k, ir_op_attr(op, "axes")));
    return true;
}

static struct ir_buffer *mean_of(struct norm *n, const char *sum_name, const char *name,
                                 term_fn *term, const struct ir_buffer *with)
{
    struct ir_buffer *sum = norm_alloc(n, sum_name);

    sweep(n, sum, IR_EXPR_add, term, with);
    return divide_by_count(n, sum, name);
}

/*
 * data - mean, times the reciprocal of the deviation, which is one for all of a row; or, where @mean is NULL, data divided
 * by it.  Then times operand 1 and plus operand 2 if asked.
 */
static struct ir_value *scaled_finish(struct norm *n, const struct ir_buffer *mean,
                                      const struct ir_buffer *variance, bool has_scale,
                                      bool has_shift)
{
    struct kernel *k = n->k;
    struct nest nest = nest_begin(k, arena_printf(&k->context->arena, "T_%s", k->name));
    const struct ir_expr **axes = nest_axes_of(&nest, k->outputs[0]);
    const struct ir_expr *x = data_at(n, axes), *root = deviation(n, variance, axes);

    if (mean != NULL) {
        x = k_binary(k, IR_EXPR_sub, x, norm_load(n, mean, axes));
        root = k_binary(k, IR_EXPR_div, k_number(k, n->dtype, 1), root);
    }
    x = k_binary(k, mean ? IR_EXPR_mul : IR_EXPR_div, x, root);
    if (has_scale)
        x = k_binary(k, IR_EXPR_mul, x, scale_at(n, 1, axes));
    if (has_shift)
        x = k_binary(k, IR_EXPR_add, x, scale_at(n, 2, axes));
    nest_store(&nest, k->outputs[0], axes, x);
    nest_end(&nest);
    return kernel_finish(k);
}

struct ir_value *lower_layer_norm(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct norm n;

    if (!scaled_begin(&n, &k, module, diag, op, 2))
        return NULL;
    struct ir_buffer *mean = mean_of(&n, "sum", "mean", term_value, NULL);
    struct ir_buffer *variance = mean_of(&n, "squares", "variance", term_distance, mean);

    return scaled_finish(&n, mean, variance, ir_op_attr(op, "scale")->boolean,
                         ir_op_attr(op, "center")->boolean);
}

struct ir_value *lower_rms_norm(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct norm n;

    if (!scaled_begin(&n, &k, module, diag, op, 1))
        return NULL;
    return scaled_finish(&n, NULL, mean_of(&n, "squares", "mean_square", term_square, NULL), true,
                         false);
}

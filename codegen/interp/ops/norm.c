/*
 * batch_norm, group_norm, instance_norm: elements are put into groups, each with a mean and a variance; gamma and
 * beta go by channel.
 */
#include "codegen/interp/ops/numbers.h"

#include <string.h>

struct grouping {
    const struct inlay_tensor *x;
    struct ir_dtype wide;
    bool is_summed[INTERP_RANK]; /* axes whose index does not matter for the group */
    unsigned channel;
    int64_t per_group; /* channels of one group */
    int64_t count;     /* groups */
};

/* Number of the group of the element at @at. */
static int64_t group_of(const struct grouping *g, const int64_t *at)
{
    int64_t group = 0;
    for (unsigned d = 0; d < (unsigned)g->x->ndim; d++) {
        int64_t size = d == g->channel ? g->per_group : 1;
        if (!g->is_summed[d])
            group = group * (g->x->shape[d] / size) + at[d] / size;
    }
    return group;
}

static void count_groups(struct grouping *g)
{
    g->count = g->per_group > 0; /* groups of no channels are none */
    for (unsigned d = 0; d < (unsigned)g->x->ndim; d++)
        if (!g->is_summed[d] && g->count > 0)
            g->count *= g->x->shape[d] / (d == g->channel ? g->per_group : 1);
}

/* The mean of x, or of (x - mean)^2, of each group. */
static struct interp_scalar *averages(struct interp_op *o, const struct grouping *g,
                                      const struct interp_scalar *means)
{
    struct interp_scalar *sums =
        arena_array(&o->run->arena, struct interp_scalar, (size_t)g->count + 1);
    struct interp_index i;
    for (int64_t k = 0; k < g->count; k++)
        sums[k] = num(g->wide, 0);
    for (interp_index_begin(&i, g->x->shape, (unsigned)g->x->ndim); !i.is_done;
         interp_index_next(&i)) {
        int64_t group = group_of(g, i.at);
        struct interp_scalar value = num_load(g->x, i.position);
        if (means) {
            value = NUM_SUB(value, means[group]);
            value = NUM_MUL(value, value);
        }
        sums[group] = NUM_ADD(sums[group], value);
    }
    int64_t elements = inlay_tensor_elements(g->x);
    for (int64_t k = 0; k < g->count; k++)
        sums[k] = NUM_DIV(sums[k], num(g->wide, (double)(elements / g->count)));
    return sums;
}

static bool check_channels(struct interp_op *o, const struct grouping *g, unsigned operands)
{
    for (unsigned i = 1; i <= operands; i++) {
        const struct inlay_tensor *x = interp_operand(o, i);
        if (!x)
            return false;
        if (x->ndim != 1 || x->shape[0] != g->x->shape[g->channel])
            return interp_fail(o->run, INLAY_ERROR_SHAPE,
                               "operand %lld has not one number for each channel", (long long)i);
    }
    return true;
}

static struct interp_scalar at_channel(struct interp_op *o, unsigned operand, int64_t channel)
{
    return num_load(interp_operand(o, operand), channel);
}

/* @means NULL: operands 3 and 4 are the mean and the variance of each channel. */
static struct interp_value *normalized(struct interp_op *o, const struct grouping *g,
                                       const struct interp_scalar *means,
                                       const struct interp_scalar *variances)
{
    struct interp_value *result =
        interp_tensor_new(o->run, interp_tensor_dtype(g->x), g->x->shape, (unsigned)g->x->ndim);
    struct interp_scalar epsilon = num(g->wide, interp_attr_float(o, "epsilon"));
    struct interp_index i;
    if (!result)
        return NULL;
    for (interp_index_begin(&i, g->x->shape, (unsigned)g->x->ndim); !i.is_done;
         interp_index_next(&i)) {
        int64_t group = group_of(g, i.at), channel = i.at[g->channel];
        struct interp_scalar mean = means ? means[group] : at_channel(o, 3, channel);
        struct interp_scalar variance = variances ? variances[group] : at_channel(o, 4, channel);
        struct interp_scalar value = NUM_SUB(num_load(g->x, i.position), mean);
        value = NUM_DIV(value, num_call("sqrt", NUM_ADD(variance, epsilon)));
        if (interp_attr_bool(o, "scale"))
            value = NUM_MUL(value, at_channel(o, 1, channel));
        if (interp_attr_bool(o, "center"))
            value = NUM_ADD(value, at_channel(o, 2, channel));
        num_store(result->tensor, i.position, value);
    }
    return result;
}

static bool begin(struct interp_op *o, struct grouping *g, int64_t channel)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    if (!x)
        return false;
    *g = (struct grouping){.x = x, .per_group = 1};
    g->wide = interp_compute_dtype(interp_tensor_dtype(x));
    g->channel = interp_axis(channel, (unsigned)x->ndim);
    return true;
}

static const struct interp_value *by_axes(struct interp_op *o, bool has_groups)
{
    struct grouping g;
    unsigned count;
    const int64_t *axes = interp_attr_ints(o, "axes", &count);
    if (!begin(o, &g, interp_attr_int(o, "channel_axis", 0)))
        return NULL;
    for (unsigned i = 0; i < count; i++)
        g.is_summed[interp_axis(axes[i], (unsigned)g.x->ndim)] = true;
    g.is_summed[g.channel] = false;
    if (has_groups)
        g.per_group = g.x->shape[g.channel] / interp_attr_int(o, "num_groups", 1);
    if (!check_channels(o, &g, 2))
        return NULL;
    count_groups(&g);
    struct interp_scalar *means = averages(o, &g, NULL);
    return normalized(o, &g, means, averages(o, &g, means));
}

const struct interp_value *interp_op_group_norm(struct interp_op *o)
{
    return by_axes(o, true);
}

const struct interp_value *interp_op_instance_norm(struct interp_op *o)
{
    return by_axes(o, false);
}

/* Operand @i, moved towards @batch (NULL: not at all). */
static struct interp_value *moved(struct interp_op *o, const struct grouping *g, unsigned i,
                                  const struct interp_scalar *batch)
{
    const struct inlay_tensor *x = interp_operand(o, i);
    struct interp_value *result =
        interp_tensor_new(o->run, interp_tensor_dtype(x), x->shape, (unsigned)x->ndim);
    double momentum = interp_attr_float(o, "momentum");
    for (int64_t k = 0; result && k < x->shape[0]; k++) {
        struct interp_scalar value = num_load(x, k);
        if (batch)
            value = NUM_ADD(NUM_MUL(num(g->wide, 1 - momentum), value),
                            NUM_MUL(num(g->wide, momentum), batch[k]));
        num_store(result->tensor, k, value);
    }
    return result;
}

const struct interp_value *interp_op_batch_norm(struct interp_op *o)
{
    struct interp_scalar *means = NULL, *variances = NULL;
    struct grouping g;
    if (!begin(o, &g, interp_attr_int(o, "axis", 1)))
        return NULL;
    memset(g.is_summed, true, sizeof(g.is_summed));
    g.is_summed[g.channel] = false;
    count_groups(&g);
    if (!check_channels(o, &g, 4))
        return NULL;
    if (interp_attr_bool(o, "training")) {
        means = averages(o, &g, NULL);
        variances = averages(o, &g, means);
    }
    const struct interp_value *results[3] = {normalized(o, &g, means, variances),
                                             moved(o, &g, 3, means), moved(o, &g, 4, variances)};
    if (!results[0] || !results[1] || !results[2])
        return NULL;
    return interp_tuple_value(o->run, results, 3);
}

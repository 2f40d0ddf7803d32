/* What sizes with symbols come to; see plan_sizes.h. */
#include "passes/memory/plan_sizes.h"

#include "analysis/pack/pack.h"

/* Of symbols with an even number, and with an odd one: also where one is much more than another. */
static const int64_t sample_values[PLAN_SAMPLES][2] = {
    {16, 16}, {128, 128}, {1000, 1000}, {1000, 16}, {16, 1000}};

/* With an upper bound it is what counts. */
static int64_t sample_value(const struct plan_sizes *s, const struct ir_var *var, unsigned sample)
{
    for (size_t i = 0; i < s->bounds.count; i++)
        if (s->bounds.items[i].var == var)
            return s->bounds.items[i].limit;
    return sample_values[sample][s->samples[sample].count % 2];
}

static void add_samples(struct plan_sizes *s, const struct ir_var *var)
{
    for (unsigned i = 0; i < PLAN_SAMPLES; i++)
        array_push(&s->samples[i], (struct ir_binding){var, ir_expr_int(s->context, var->dtype,
                                                                        sample_value(s, var, i))});
}

static bool note_symbol(void *state, const struct ir_expr *a)
{
    struct plan_sizes *s = state;

    if (a->kind == IR_EXPR_var && !ir_bindings_find(&s->samples[0], a->var))
        add_samples(s, a->var);
    return true;
}

void plan_sizes_find(struct plan_sizes *sizes, struct pass_run *run,
                     const struct ir_function *function, bool has_bounds)
{
    sizes->context = run->module->context;
    sizes->bounds.count = 0;
    for (unsigned i = 0; i < PLAN_SAMPLES; i++)
        sizes->samples[i].count = 0;
    if (has_bounds)
        ir_bounds_find(function, &run->scratch, &sizes->bounds);
    for (unsigned i = 0; i < function->param_count; i++)
        (void)ir_type_walk_exprs(function->params[i]->type, note_symbol, sizes);
}

void plan_sizes_finish(struct plan_sizes *sizes)
{
    for (unsigned i = 0; i < PLAN_SAMPLES; i++)
        array_finish(&sizes->samples[i]);
    array_finish(&sizes->bounds);
}

int64_t plan_sizes_value(const struct plan_sizes *sizes, const struct ir_expr *bytes,
                         unsigned sample)
{
    int64_t value;

    bytes = ir_expr_substitute(sizes->context, bytes, &sizes->samples[sample]);
    return ir_expr_constant(sizes->context, bytes, &value) ? value : INT64_MAX;
}

int64_t plan_sizes_item(const struct plan_sizes *sizes, const struct plan_item *item,
                        unsigned sample)
{
    return plan_item_bytes(sizes->context, item, &sizes->samples[sample]);
}

int64_t plan_sizes_sum(int64_t a, int64_t b)
{
    return a > PACK_LARGEST || b > PACK_LARGEST - a ? PACK_LARGEST : a + b;
}

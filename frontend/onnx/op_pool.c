/* Pools over windows and over everything. */
#include "frontend/onnx/families.h"
#include "frontend/onnx/window.h"

#include <string.h>

static const enum op_id max_pools[] = {OP_nn_max_pool1d, OP_nn_max_pool2d, OP_nn_max_pool3d};
static const enum op_id avg_pools[] = {OP_nn_avg_pool1d, OP_nn_avg_pool2d, OP_nn_avg_pool3d};

static struct ir_value *pool(struct onnx_node *n, enum op_id op, const struct onnx_window *w,
                             struct ir_value *x, bool counts_pads)
{
    struct onnx_import *m = n->m;
    struct make_attr attrs[] = {
        {"pool_size", onnx_attr_ints(m, w->kernel, w->rank)},
        {"strides", onnx_attr_ints(m, w->strides, w->rank)},
        {"dilation", onnx_attr_ints(m, w->dilations, w->rank)},
        {"padding", onnx_attr_ints(m, w->pads, 2 * w->rank)},
        {"ceil_mode", ir_attr_bool(m->context, onnx_int(n, "ceil_mode", 0))},
        {"count_include_pad", ir_attr_bool(m->context, counts_pads)},
    };
    return make_op(&m->b, op, &x, 1, attrs, ARRAY_SIZE(attrs));
}

/* Where the largest element of each window stood, in row-major order of the whole data. */
static bool put_max_indices(struct onnx_node *n, const struct onnx_window *w, struct ir_value *x,
                            struct ir_value *y);

bool onnx_max_pool(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    struct onnx_window w;

    if (!x || !onnx_window_read(n, &w, x, NULL))
        return false;
    struct ir_value *y = pool(n, max_pools[w.rank - 1], &w, x, false);
    return onnx_out(n, 0, y) && (!onnx_wants(n, 1) || put_max_indices(n, &w, x, y));
}

/* The loops of a window: p0, p1, .. are places in the data, inside of it under the condition. */
static void put_window(struct text *body, const struct onnx_window *w)
{
    static const char *const outs[] = {"o0", "o1", "o2"};
    static const char *const ins[] = {"k0", "k1", "k2"};

    text_puts(body, "        for n, c");
    for (unsigned i = 0; i < w->rank; i++)
        text_printf(body, ", %s", outs[i]);
    text_puts(body, " in T.grid(r0.shape[0], r0.shape[1]");
    for (unsigned i = 0; i < w->rank; i++)
        text_printf(body, ", r0.shape[%u]", i + 2);
    text_puts(body, "):\n            best[0] = T.int64(-1)\n            for ");
    for (unsigned i = 0; i < w->rank; i++)
        text_printf(body, "%s%s", i ? ", " : "", ins[i]);
    text_puts(body, " in T.grid(");
    for (unsigned i = 0; i < w->rank; i++)
        text_printf(body, "%s%lld", i ? ", " : "", (long long)w->kernel[i]);
    text_puts(body, "):\n");
}

static void put_place(struct text *out, const struct onnx_window *w, unsigned i)
{
    text_printf(out, "(o%u * %lld + k%u * %lld - %lld)", i, (long long)w->strides[i], i,
                (long long)w->dilations[i], (long long)w->pads[i]);
}

static bool put_max_indices(struct onnx_node *n, const struct onnx_window *w, struct ir_value *x,
                            struct ir_value *y)
{
    struct onnx_import *m = n->m;
    struct text body = {0}, inside = {0}, place = {0}, flat = {0};
    bool is_column = onnx_int(n, "storage_order", 0) == 1;
    const struct ir_type *type = ir_type_tensor(m->context, IR_I64, onnx_dims(y), onnx_rank(y));

    for (unsigned i = 0; i < w->rank; i++) {
        text_printf(&inside, "%s%d <= ", i ? " and " : "", 0);
        put_place(&inside, w, i);
        text_puts(&inside, " and ");
        put_place(&inside, w, i);
        text_printf(&inside, " < a0.shape[%u]", i + 2);
        text_puts(&place, ", ");
        put_place(&place, w, i);
    }
    text_puts(&flat, "(n * a0.shape[1] + c)");
    for (unsigned i = 0; i < w->rank; i++)
        text_printf(&flat, " * a0.shape[%u]", i + 2);
    for (unsigned i = 0; i < w->rank; i++) {
        text_puts(&flat, " + ");
        put_place(&flat, w, i);
        for (unsigned k = is_column ? 0 : i + 1; k < (is_column ? i : w->rank); k++)
            text_printf(&flat, " * a0.shape[%u]", k + 2);
    }
    char dtype[32];
    ir_dtype_name(x->type->dtype, dtype);
    text_puts(&body, "    with T.block(\"indices\"):\n"
                     "        best = T.alloc_buffer((1,), \"int64\")\n");
    text_printf(&body, "        value = T.alloc_buffer((1,), \"%s\")\n", dtype);
    put_window(&body, w);
    text_printf(&body, "                if %s:\n", text_string(&inside));
    text_printf(&body, "                    if best[0] < T.int64(0) or a0[n, c%s] > value[0]:\n",
                text_string(&place));
    text_printf(&body, "                        best[0] = %s\n", text_string(&flat));
    text_printf(&body, "                        value[0] = a0[n, c%s]\n", text_string(&place));
    text_puts(&body, "            r0[n, c");
    for (unsigned i = 0; i < w->rank; i++)
        text_printf(&body, ", o%u", i);
    text_puts(&body, "] = best[0]\n");
    bool is_good =
        onnx_out(n, 1, onnx_kernel(m, "max_indices", &x, 1, &type, 1, text_string(&body)));
    text_finish(&body);
    text_finish(&inside);
    text_finish(&place);
    text_finish(&flat);
    return is_good;
}

bool onnx_average_pool(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    struct onnx_window w;

    return x && onnx_window_read(n, &w, x, NULL) &&
           onnx_out(n, 0,
                    pool(n, avg_pools[w.rank - 1], &w, x, onnx_int(n, "count_include_pad", 0)));
}

/* Means times the size of the window, of |x| ** p. */
bool onnx_lp_pool(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    double p = (double)onnx_int(n, "p", 2), size = 1;
    struct onnx_window w;

    if (!x || !onnx_window_read(n, &w, x, NULL))
        return false;
    for (unsigned i = 0; i < w.rank; i++)
        size *= (double)w.kernel[i];
    struct ir_dtype dtype = x->type->dtype;
    struct ir_value *power =
        MAKE(&m->b, OP_power, MAKE(&m->b, OP_abs, x), onnx_scalar(m, dtype, p));
    struct ir_value *mean = power ? pool(n, avg_pools[w.rank - 1], &w, power, true) : NULL;
    struct ir_value *sum = MAKE(&m->b, OP_multiply, mean, onnx_scalar(m, dtype, size));
    return onnx_out(n, 0, MAKE(&m->b, OP_power, sum, onnx_scalar(m, dtype, 1 / p)));
}

static struct ir_value *over_space(struct onnx_node *n, enum op_id op, struct ir_value *x)
{
    int64_t axes[IR_RANK_LIMIT];

    for (int i = 2; i < onnx_rank(x); i++)
        axes[i - 2] = i;
    return onnx_rank(x) < 2 ? NULL
                            : onnx_reduce(n->m, op, x, axes, (unsigned)onnx_rank(x) - 2, true);
}

bool onnx_global_pool(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);

    return x && onnx_out(n, 0, over_space(n, (enum op_id)n->row->op, x));
}

bool onnx_global_lp_pool(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    double p = (double)onnx_int(n, "p", 2);

    if (!x)
        return false;
    struct ir_dtype dtype = x->type->dtype;
    struct ir_value *power =
        MAKE(&m->b, OP_power, MAKE(&m->b, OP_abs, x), onnx_scalar(m, dtype, p));
    struct ir_value *sum = power ? over_space(n, OP_sum, power) : NULL;
    return onnx_out(n, 0, MAKE(&m->b, OP_power, sum, onnx_scalar(m, dtype, 1 / p)));
}

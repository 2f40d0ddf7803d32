/*
 * Random numbers.  A run of a model is a function of its inputs, so the numbers are, too: number i of a node is a hash
 * of i and of the node's seed, or of its place among the nodes where it has none (splitmix64, by S. Vigna).
 */
#include "frontend/onnx/families.h"

#include <math.h>
#include <string.h>

/* As uint64 `mixed`: the hash of `at`. */
static void put_hash(struct text *t, unsigned long long seed, const char *at)
{
    text_printf(
        t,
        "            z0: T.uint64 = T.uint64(%llu) + (T.Cast(\"uint64\", %s) + T.uint64(1)) * "
        "T.uint64(11400714819323198485)\n"
        "            z1: T.uint64 = (z0 ^ (z0 >> T.uint64(30))) * "
        "T.uint64(13787848793156543929)\n"
        "            z2: T.uint64 = (z1 ^ (z1 >> T.uint64(27))) * "
        "T.uint64(10723151780598845931)\n"
        "            mixed: T.uint64 = z2 ^ (z2 >> T.uint64(31))\n",
        seed, at);
}

static unsigned long long seed_of(struct onnx_node *n)
{
    const Onnx__Attribute *given = onnx_attribute(n, "seed");
    unsigned long long seed = ++n->m->random_count;

    if (given && given->has_f) {
        uint32_t bits;
        memcpy(&bits, &given->f, sizeof(bits));
        seed = (unsigned long long)bits << 20;
    }
    return seed * 0x2545F4914F6CDD1Dull;
}

/* Numbers from 0 (included) to 1, or of the normal distribution, float32 of these dims. */
static struct ir_value *draw(struct onnx_node *n, const struct ir_expr *const *dims, unsigned rank,
                             bool is_normal)
{
    struct onnx_import *m = n->m;
    const struct ir_expr *size = onnx_expr(m, 1);
    struct text t = {0};

    for (unsigned i = 0; i < rank; i++)
        size = onnx_op(m, IR_EXPR_mul, size, dims[i]);
    const struct ir_type *result = ir_type_tensor(m->context, IR_F32, &size, 1);
    text_puts(&t, "    for i in range(r0.shape[0]):\n        with T.block(\"random\"):\n"
                  "            v = T.axis.spatial(r0.shape[0], i)\n");
    put_hash(&t, seed_of(n), "v");
    if (is_normal) /* two numbers of 24 bits, by Box and Muller */
        text_puts(&t, "            a: T.float32 = (T.Cast(\"float32\", mixed >> T.uint64(40)) + "
                      "T.float32(1)) * T.float32(5.9604644775390625e-08)\n"
                      "            b: T.float32 = T.Cast(\"float32\", (mixed >> T.uint64(16)) & "
                      "T.uint64(16777215)) * T.float32(3.7450704e-07)\n"
                      "            r0[v] = T.sqrt(T.float32(-2) * T.log(a)) * T.cos(b)\n");
    else
        text_puts(&t, "            r0[v] = T.Cast(\"float32\", mixed >> T.uint64(40)) * "
                      "T.float32(5.9604644775390625e-08)\n");
    struct ir_value *y = onnx_kernel(m, "random", NULL, 0, &result, 1, text_string(&t));
    text_finish(&t);
    return y ? onnx_reshape(m, y, dims, rank) : NULL;
}

static bool dtype_of(struct onnx_node *n, struct ir_dtype missing, struct ir_dtype *out)
{
    int64_t type = onnx_int(n, "dtype", 0);

    *out = missing;
    if (!type || (type > 0 && type < 100 && onnx_dtype((int32_t)type, out)))
        return true;
    onnx_refuse(n, "data type %lld is not supported", (long long)type);
    return false;
}

/* (@draw times scale) + offset, in @dtype. */
static bool put_draw(struct onnx_node *n, const struct ir_expr *const *dims, unsigned rank,
                     struct ir_dtype dtype)
{
    struct onnx_import *m = n->m;
    bool is_normal = strstr(n->name, "Normal") != NULL;
    double low = onnx_float(n, is_normal ? "mean" : "low", 0);
    double scale = is_normal ? onnx_float(n, "scale", 1) : onnx_float(n, "high", 1) - low;
    struct ir_value *x = draw(n, dims, rank, is_normal);

    if (scale != 1)
        x = MAKE(&m->b, OP_multiply, x, onnx_scalar(m, IR_F32, scale));
    if (low != 0)
        x = MAKE(&m->b, OP_add, x, onnx_scalar(m, IR_F32, low));
    return onnx_out(n, 0, onnx_cast(m, x, dtype));
}

bool onnx_random(struct onnx_node *n)
{
    size_t rank;
    const int64_t *shape = onnx_ints(n, "shape", &rank);
    const struct ir_expr *dims[IR_RANK_LIMIT];
    struct ir_dtype dtype;

    if (!shape || rank > IR_RANK_LIMIT || !dtype_of(n, IR_F32, &dtype))
        return false;
    for (size_t i = 0; i < rank; i++)
        dims[i] = onnx_expr(n->m, shape[i]);
    return put_draw(n, dims, (unsigned)rank, dtype);
}

bool onnx_random_like(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    struct ir_dtype dtype;

    return x && dtype_of(n, x->type->dtype, &dtype) &&
           put_draw(n, onnx_dims(x), (unsigned)onnx_rank(x), dtype);
}

/* Where a drawn number is below @chance, of the shape of @x. */
static struct ir_value *hits(struct onnx_node *n, struct ir_value *x, struct ir_value *chance)
{
    struct ir_value *drawn = draw(n, onnx_dims(x), (unsigned)onnx_rank(x), false);
    return MAKE(&n->m->b, OP_less, drawn, onnx_cast(n->m, chance, IR_F32));
}

bool onnx_bernoulli(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    struct ir_dtype dtype;

    return x && dtype_of(n, x->type->dtype, &dtype) &&
           onnx_out(n, 0, onnx_cast(n->m, hits(n, x, x), dtype));
}

/* Of each row of unnormalised log-probabilities, so many samples. */
bool onnx_multinomial(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    int64_t samples = onnx_int(n, "sample_size", 1);
    const struct ir_expr *one = onnx_expr(m, 1);
    struct ir_dtype dtype;

    if (!x || !dtype_of(n, IR_I32, &dtype))
        return false;
    if (onnx_rank(x) != 2 || samples < 1 || samples > INT32_MAX) {
        onnx_refuse(n, "it wants rows of two axes, and a number of samples");
        return false;
    }
    struct ir_value *chances =
        MAKE_WITH(&m->b, OP_nn_softmax, ((struct make_attr){"axis", onnx_attr_int(m, -1)}),
                  onnx_cast(m, x, IR_F32));
    const struct ir_expr *dims[] = {onnx_dims(x)[0], onnx_expr(m, samples)};
    const struct ir_expr *all = onnx_op(m, IR_EXPR_mul, dims[0], dims[1]);
    const struct ir_expr *column[] = {all, one};
    struct ir_value *drawn = draw(n, column, 2, false);
    /* sample i is of row i // samples */
    struct ir_value *row = MAKE(&m->b, OP_arange, ir_inline_prim(m->module, all));
    row = MAKE(&m->b, OP_floor_divide, onnx_cast(m, row, IR_I64),
               onnx_scalar(m, IR_I64, (double)samples));
    struct ir_value *operands[] = {chances, drawn, row ? onnx_reshape(m, row, column, 2) : NULL};
    struct make_attr attr = {"dtype", ir_attr_dtype(m->context, dtype)};
    struct ir_value *y = make_op(&m->b, OP_multinomial_from_uniform, operands, 3, &attr, 1);
    return onnx_out(n, 0, y ? onnx_reshape(m, y, dims, 2) : NULL);
}

bool onnx_random_dropout(struct onnx_node *n, struct ir_value *x, double ratio)
{
    struct onnx_import *m = n->m;
    struct ir_dtype dtype = x->type->dtype;
    struct ir_value *keeps = hits(n, x, onnx_scalar(m, IR_F32, 1 - ratio));
    struct ir_value *scaled =
        MAKE(&m->b, OP_multiply, x, onnx_scalar(m, dtype, ratio < 1 ? 1 / (1 - ratio) : 0));
    struct ir_value *y = MAKE(&m->b, OP_where, keeps, scaled, onnx_scalar(m, dtype, 0));

    return onnx_out(n, 0, y) && (!onnx_wants(n, 1) || onnx_out(n, 1, keeps));
}

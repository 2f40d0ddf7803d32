/*
 * non_max_suppression and multibox_transform_loc, as the library of TVM defines them.
 *
 * non_max_suppression: the first `valid_count` boxes of each image, by falling scores, of which one that overlaps a
 * better one of its class too much goes (or, with a sigma, loses score).  One iteration for each image.
 */
#include "ops/lower/sort.h"

#include <string.h>

struct boxes {
    struct kernel *k;
    const struct ir_expr *image, *count; /* boxes that are looked at */
    const struct ir_expr *anchors, *length;
    struct ir_buffer *data, *places; /* rows in order; numbers of their boxes, -1: it went */
    struct ir_dtype dtype;
    int64_t coord, score, id, most;
    bool is_forced;
    double least; /* scores must be above */
};

static const struct ir_expr *real(struct boxes *x, double value)
{
    return k_number(x->k, x->dtype, value);
}

static const struct ir_expr *const *row(struct boxes *x, const struct ir_expr *j,
                                        const struct ir_expr *e)
{
    const struct ir_expr *at[] = {x->image, j, e};
    return kernel_copy_indices(x->k, at, e ? 3 : 2);
}

static const struct ir_expr *element(struct boxes *x, const struct ir_expr *j, int64_t e)
{
    struct kernel *k = x->k;
    return k_cast(k, x->dtype, ir_expr_load(k->context, x->data, row(x, j, k_int(k, e)), 3));
}

static const struct ir_expr *place(struct boxes *x, const struct ir_expr *j)
{
    return ir_expr_load(x->k->context, x->places, row(x, j, NULL), 2);
}

/* Row @j as one that is not there. */
static void clear(struct boxes *x, struct code *code, const struct ir_expr *j)
{
    struct kernel *k = x->k;
    struct code each;
    const struct ir_expr *e = code_for(code, &each, "e", x->length);

    code_store(&each, x->data, row(x, j, e), k_number(k, x->data->dtype, -1));
    code_end(&each);
    code_store(code, x->places, row(x, j, NULL), k_number(k, x->places->dtype, -1));
}

/* The rows in the order of their scores, equal ones in that of the data. */
static void order_rows(struct boxes *x, struct code *code, const struct ir_expr *valid)
{
    struct kernel *k = x->k;
    struct code rows, others, kept, copy;
    const struct ir_expr *j = code_for(code, &rows, "j", x->anchors);

    clear(x, &rows, j);
    code_end(&rows);
    j = code_for(code, &rows, "j", valid);
    const struct ir_expr *own_at[] = {x->image, j, k_int(k, x->score)};
    const struct ir_expr *own = kernel_load(k, 0, kernel_copy_indices(k, own_at, 3));
    own = code_let(&rows, "own", k_cast(k, x->dtype, own));
    const struct ir_buffer *rank = code_scalar(&rows, "rank", IR_I64, k_int(k, 0));
    const struct ir_expr *other = code_for(&rows, &others, "other", valid);
    const struct ir_expr *at[] = {x->image, other, k_int(k, x->score)};
    const struct ir_expr *score = kernel_load(k, 0, kernel_copy_indices(k, at, 3));
    score = code_let(&others, "score", k_cast(k, x->dtype, score));
    const struct ir_expr *is_same =
        ir_expr_not(k->context, k_binary(k, IR_EXPR_or, sort_is_less(k, own, score),
                                         sort_is_less(k, score, own)));
    const struct ir_expr *is_before =
        k_binary(k, IR_EXPR_or, sort_is_less(k, own, score),
                 k_binary(k, IR_EXPR_and, is_same, k_binary(k, IR_EXPR_lt, other, j)));
    code_count(&others, rank, k_cast(k, IR_I64, is_before));
    code_end(&others);
    const struct ir_expr *to = code_let(&rows, "to", code_get(k, rank));
    code_if(&rows, &kept, k_binary(k, IR_EXPR_lt, to, x->count));
    const struct ir_expr *e = code_for(&kept, &copy, "e", x->length);
    const struct ir_expr *from[] = {x->image, j, e};
    code_store(&copy, x->data, row(x, to, e), kernel_load(k, 0, kernel_copy_indices(k, from, 3)));
    code_end(&copy);
    code_store(&kept, x->places, row(x, to, NULL), k_cast(k, x->places->dtype, j));
    code_end(&kept);
    code_end(&rows);
}

/* What the boxes in rows @a and @b share of their union. */
static const struct ir_expr *overlap(struct boxes *x, struct code *code, const struct ir_expr *a,
                                     const struct ir_expr *b)
{
    struct kernel *k = x->k;
    const struct ir_expr *both = NULL, *areas[2] = {NULL, NULL}, *of[] = {a, b};

    for (int axis = 0; axis < 2; axis++) {
        const struct ir_expr *low[2], *high[2];
        for (int i = 0; i < 2; i++) {
            const struct ir_expr *p = element(x, of[i], x->coord + axis);
            const struct ir_expr *q = element(x, of[i], x->coord + axis + 2);
            low[i] = code_let(code, "low", k_binary(k, IR_EXPR_min, p, q));
            high[i] = code_let(code, "high", k_binary(k, IR_EXPR_max, p, q));
            const struct ir_expr *side = k_binary(k, IR_EXPR_sub, high[i], low[i]);
            areas[i] = areas[i] ? k_binary(k, IR_EXPR_mul, areas[i], side) : side;
        }
        const struct ir_expr *side =
            k_binary(k, IR_EXPR_sub, k_binary(k, IR_EXPR_min, high[0], high[1]),
                     k_binary(k, IR_EXPR_max, low[0], low[1]));
        side = k_binary(k, IR_EXPR_max, side, real(x, 0));
        both = both ? k_binary(k, IR_EXPR_mul, both, side) : side;
    }
    both = code_let(code, "both", both);
    const struct ir_expr *all =
        k_binary(k, IR_EXPR_sub, k_binary(k, IR_EXPR_add, areas[0], areas[1]), both);
    all = code_let(code, "all", all);
    return code_let(code, "share",
                    k_if(k, k_binary(k, IR_EXPR_gt, all, real(x, 0)),
                         k_binary(k, IR_EXPR_div, both, all), real(x, 0)));
}

/* Is row @j behind @i, worth a look, and of its class? */
static const struct ir_expr *is_rival(struct boxes *x, const struct ir_expr *i,
                                      const struct ir_expr *j)
{
    struct kernel *k = x->k;
    const struct ir_expr *is = k_binary(k, IR_EXPR_gt, j, i);

    is = k_and(k, is, k_binary(k, IR_EXPR_gt, element(x, j, x->score), real(x, x->least)));
    is = k_and(k, is, k_binary(k, IR_EXPR_ge, place(x, j), k_number(k, x->places->dtype, 0)));
    if (x->is_forced || x->id < 0)
        return is;
    return k_and(k, is, k_binary(k, IR_EXPR_eq, element(x, i, x->id), element(x, j, x->id)));
}

static const struct ir_expr *has_room(struct boxes *x, const struct ir_buffer *number)
{
    struct kernel *k = x->k;
    return x->most > 0 ? k_binary(k, IR_EXPR_lt, code_get(k, number), k_int(k, x->most)) : NULL;
}

/* Hard: a box that overlaps a better one goes. */
static void suppress(struct boxes *x, struct code *code, const struct ir_buffer *number)
{
    struct kernel *k = x->k;
    struct code rows, good, others, rival, gone, bad;
    const struct ir_expr *limit = real(x, op_attr_float(k->op, "iou_threshold"));
    const struct ir_expr *i = code_for(code, &rows, "i", x->count);
    const struct ir_expr *is_good =
        k_binary(k, IR_EXPR_gt, element(x, i, x->score), real(x, x->least));

    code_if(&rows, &good, k_and(k, has_room(x, number), is_good));
    code_count(&good, number, k_int(k, 1));
    const struct ir_expr *j = code_for(&good, &others, "j", x->count);
    code_if(&others, &rival, is_rival(x, i, j));
    const struct ir_expr *share = overlap(x, &rival, i, j);
    code_if(&rival, &gone, k_binary(k, IR_EXPR_ge, share, limit));
    code_store(&gone, x->data, row(x, j, k_int(k, x->score)), k_number(k, x->data->dtype, -1));
    code_store(&gone, x->places, row(x, j, NULL), k_number(k, x->places->dtype, -1));
    code_end(&gone);
    code_end(&rival);
    code_end(&others);
    code_end(&good);
    code_else(&rows, &bad);
    clear(x, &bad, i);
    code_end(&bad);
    code_end(&rows);
}

/* Rows @a and @b change their places. */
static void exchange(struct boxes *x, struct code *code, const struct ir_expr *a,
                     const struct ir_expr *b)
{
    struct kernel *k = x->k;
    struct code each;
    const struct ir_expr *held = code_let(code, "held", place(x, a));

    code_store(code, x->places, row(x, a, NULL), place(x, b));
    code_store(code, x->places, row(x, b, NULL), held);
    const struct ir_expr *e = code_for(code, &each, "e", x->length);
    const struct ir_expr *value =
        code_let(&each, "value", ir_expr_load(k->context, x->data, row(x, a, e), 3));
    code_store(&each, x->data, row(x, a, e), ir_expr_load(k->context, x->data, row(x, b, e), 3));
    code_store(&each, x->data, row(x, b, e), value);
    code_end(&each);
}

/* What the box in row @at, the best, leaves of those behind it: they go, or lose score by what they share. */
static void fade(struct boxes *x, struct code *code, const struct ir_expr *at, double sigma)
{
    struct kernel *k = x->k;
    struct code others, rival, gone, less, low;
    const struct ir_expr *j = code_for(code, &others, "j", x->count);

    code_if(&others, &rival, is_rival(x, at, j));
    const struct ir_expr *share = overlap(x, &rival, at, j), *none = k_int(k, -1);
    none = k_cast(k, x->places->dtype, none);
    code_if(&rival, &gone,
            k_binary(k, IR_EXPR_ge, share, real(x, op_attr_float(k->op, "iou_threshold"))));
    code_store(&gone, x->places, row(x, j, NULL), none);
    code_end(&gone);
    code_else(&rival, &less);
    const struct ir_expr *power =
        k_binary(k, IR_EXPR_mul, k_binary(k, IR_EXPR_mul, real(x, -0.5 / sigma), share), share);
    const struct ir_expr *score = code_let(
        &less, "score", k_binary(k, IR_EXPR_mul, element(x, j, x->score), k_call(k, "exp", power)));
    code_store(&less, x->data, row(x, j, k_int(k, x->score)), k_cast(k, x->data->dtype, score));
    code_if(&less, &low, k_binary(k, IR_EXPR_le, score, real(x, x->least)));
    code_store(&low, x->places, row(x, j, NULL), none);
    code_end(&low);
    code_end(&less);
    code_end(&rival);
    code_end(&others);
}

/* Soft: the best of what is left, time and again. */
static void suppress_softly(struct boxes *x, struct code *code, const struct ir_buffer *number,
                            double sigma)
{
    struct kernel *k = x->k;
    struct code turns, rows, better, found, go;
    const struct ir_expr *zero = k_int(k, 0), *has;

    (void)code_for(code, &turns, "turn", x->count);
    const struct ir_expr *at = code_let(&turns, "at", code_get(k, number));
    const struct ir_buffer *best = code_scalar(&turns, "best", IR_I64, k_int(k, -1));
    const struct ir_buffer *top = code_scalar(&turns, "top", x->dtype, real(x, x->least));
    const struct ir_expr *j = code_for(&turns, &rows, "j", x->count);
    const struct ir_expr *is = k_binary(k, IR_EXPR_ge, j, at);
    is = k_and(k, is, k_binary(k, IR_EXPR_ge, place(x, j), k_number(k, x->places->dtype, 0)));
    is = k_and(k, is, k_binary(k, IR_EXPR_gt, element(x, j, x->score), code_get(k, top)));
    code_if(&rows, &better, is);
    code_set(&better, best, j);
    code_set(&better, top, element(x, j, x->score));
    code_end(&better);
    code_end(&rows);
    const struct ir_expr *chosen = code_let(&turns, "chosen", code_get(k, best));
    has = k_and(k, has_room(x, number), k_binary(k, IR_EXPR_ge, chosen, zero));
    code_if(&turns, &found, has);
    code_if(&found, &go, k_binary(k, IR_EXPR_ne, chosen, at));
    exchange(x, &go, at, chosen);
    code_end(&go);
    fade(x, &found, at, sigma);
    code_count(&found, number, k_int(k, 1));
    code_end(&found);
    code_end(&turns);
    j = code_for(code, &rows, "j", x->anchors);
    code_if(&rows, &better, k_binary(k, IR_EXPR_ge, j, code_get(k, number)));
    clear(x, &better, j);
    code_end(&better);
    code_end(&rows);
}

/* The numbers of the boxes that stay, in front; how many there are. */
static void collect(struct boxes *x, struct code *code)
{
    struct kernel *k = x->k;
    struct code rows, kept;
    const struct ir_buffer *next = code_scalar(code, "next", IR_I64, k_int(k, 0));
    const struct ir_expr *j = code_for(code, &rows, "j", x->anchors), *zero = k_int(k, 0);
    const struct ir_expr *from = code_let(&rows, "from", place(x, j));

    code_store(&rows, x->places, row(x, j, NULL), k_number(k, x->places->dtype, -1));
    code_if(&rows, &kept, k_binary(k, IR_EXPR_ge, from, k_number(k, x->places->dtype, 0)));
    const struct ir_expr *at[] = {x->image, k_cast(k, IR_I64, from)};
    const struct ir_expr *number = kernel_load(k, 2, kernel_copy_indices(k, at, 2));
    code_store(&kept, x->places, row(x, code_get(k, next), NULL),
               k_cast(k, x->places->dtype, number));
    code_count(&kept, next, k_int(k, 1));
    code_end(&kept);
    code_end(&rows);
    struct ir_buffer *counts = k->outputs[k->output_count - 1];
    code_store(code, counts, row(x, zero, NULL), k_cast(k, counts->dtype, code_get(k, next)));
}

/* Rows with a score in front. */
static void move_up(struct boxes *x, struct code *code)
{
    struct kernel *k = x->k;
    struct code rows, good, copy, rest;
    const struct ir_buffer *next = code_scalar(code, "next", IR_I64, k_int(k, 0));
    const struct ir_expr *j = code_for(code, &rows, "j", x->anchors);

    code_if(&rows, &good, k_binary(k, IR_EXPR_ge, element(x, j, x->score), real(x, 0)));
    const struct ir_expr *to = code_let(&good, "to", code_get(k, next));
    const struct ir_expr *e = code_for(&good, &copy, "e", x->length);
    code_store(&copy, x->data, row(x, to, e), ir_expr_load(k->context, x->data, row(x, j, e), 3));
    code_end(&copy);
    code_count(&good, next, k_int(k, 1));
    code_end(&good);
    code_end(&rows);
    j = code_for(code, &rows, "j", x->anchors);
    code_if(&rows, &rest, k_binary(k, IR_EXPR_ge, j, code_get(k, next)));
    clear(x, &rest, j);
    code_end(&rest);
    code_end(&rows);
}

static bool check_boxes(struct kernel *k)
{
    static const int ranks[] = {3, 1, 2};

    for (unsigned i = 0; i < 3; i++)
        if (k->operands[i].scalar || k->operands[i].type->ndim != ranks[i]) {
            diag_report(k->diag, op_said_place(k->op, op_operand_name(k->op->info, i)),
                        LOWER_OPERAND, k->op->info->name, op_operand_name(k->op->info, i),
                        i == 0   ? "must have rank 3"
                        : i == 1 ? "must have rank 1"
                                 : "must have rank 2");
            return false;
        }
    return kernel_check_domain(k, OP_REAL, k->operands[0].type->dtype);
}

struct ir_value *lower_nms(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel kernel, *k = &kernel;
    double sigma = op_attr_float(op, "soft_nms_sigma");
    bool gives_indices = ir_op_attr(op, "return_indices")->boolean;
    int64_t top = op_attr_int(op, "top_k", -1);

    if (!kernel_begin(k, module, diag, op, 7u))
        return NULL;
    if (!check_boxes(k))
        return kernel_abandon(k);
    const struct ir_expr *dims[3];
    for (unsigned d = 0; d < 3; d++)
        dims[d] = kernel_input_dim(k, 0, d);
    struct boxes x = {.k = k,
                      .anchors = dims[1],
                      .length = dims[2],
                      .dtype = kernel_compute_dtype(k->operands[0].type->dtype),
                      .coord = op_attr_int(op, "coord_start", 2),
                      .score = op_attr_int(op, "score_index", 1),
                      .id = op_attr_int(op, "id_index", 0),
                      .most = op_attr_int(op, "max_output_size", -1),
                      .is_forced = ir_op_attr(op, "force_suppress")->boolean,
                      .least = sigma > 0 ? op_attr_float(op, "score_threshold") : 0};
    bool gives_data = !gives_indices || sigma > 0;
    x.data = gives_data ? k->outputs[0]
                        : kernel_alloc(k, "rows", k->operands[0].type->dtype,
                                       kernel_copy_indices(k, dims, 3), 3);
    x.places = gives_indices
                   ? k->outputs[gives_data]
                   : kernel_alloc(k, "places", IR_I32, kernel_copy_indices(k, dims, 2), 2);
    struct nest nest = nest_begin(k, "T_nms");
    x.image = nest_axis(&nest, TIR_SPATIAL, dims[0]);
    struct code code = code_begin(k);
    const struct ir_expr *valid = k_cast(k, IR_I64, kernel_load(k, 1, &x.image));
    valid = k_binary(k, IR_EXPR_min, k_binary(k, IR_EXPR_max, valid, k_int(k, 0)), x.anchors);
    valid = x.count = code_let(&code, "valid", valid);
    if (top > 0)
        x.count = code_let(&code, "looked_at", k_binary(k, IR_EXPR_min, valid, k_int(k, top)));
    order_rows(&x, &code, valid);
    const struct ir_buffer *number = code_scalar(&code, "number", IR_I64, k_int(k, 0));
    if (sigma > 0)
        suppress_softly(&x, &code, number, sigma);
    else
        suppress(&x, &code, number);
    if (gives_indices)
        collect(&x, &code);
    else if (ir_op_attr(op, "invalid_to_bottom")->boolean)
        move_up(&x, &code);
    nest_code(&nest, &code);
    nest_end(&nest);
    return kernel_finish(k);
}

/* ---- multibox_transform_loc ---- */

static double variance(const struct ir_attr *item)
{
    return item->kind == IR_ATTR_FLOAT ? item->real : (double)item->integer;
}

static void decode_boxes(struct kernel *k, struct ir_dtype dtype)
{
    struct nest nest = nest_begin(k, "T_boxes");
    const struct ir_attr *variances = ir_op_attr(k->op, "variances");
    const struct ir_expr *image = nest_axis(&nest, TIR_SPATIAL, k->outputs[0]->shape[0]);
    const struct ir_expr *n = nest_axis(&nest, TIR_SPATIAL, k->outputs[0]->shape[1]);
    const struct ir_expr *half = k_number(k, dtype, 0.5), *code_of[4], *anchor[4], *ends[4];
    struct code code = code_begin(k);

    for (int i = 0; i < 4; i++) { /* x, y, width, height; left, top, right, bottom */
        const struct ir_expr *at[] = {image, k_add(k, k_mul(k, n, k_int(k, 4)), k_int(k, i))};
        const struct ir_expr *a[] = {k_int(k, 0), n, k_int(k, i)};
        const struct ir_expr *given = kernel_load(k, 1, kernel_copy_indices(k, at, 2));
        code_of[i] = k_binary(k, IR_EXPR_mul, k_cast(k, dtype, given),
                              k_number(k, dtype, variance(variances->items[i])));
        anchor[i] = k_cast(k, dtype, kernel_load(k, 2, kernel_copy_indices(k, a, 3)));
    }
    for (int axis = 0; axis < 2; axis++) {
        const struct ir_expr *size =
            code_let(&code, "size", k_binary(k, IR_EXPR_sub, anchor[axis + 2], anchor[axis]));
        const struct ir_expr *middle = k_binary(
            k, IR_EXPR_mul, k_binary(k, IR_EXPR_add, anchor[axis], anchor[axis + 2]), half);
        middle = k_binary(k, IR_EXPR_add, k_binary(k, IR_EXPR_mul, code_of[axis], size), middle);
        middle = code_let(&code, "middle", middle);
        const struct ir_expr *reach =
            k_binary(k, IR_EXPR_mul,
                     k_binary(k, IR_EXPR_mul, half, k_call(k, "exp", code_of[axis + 2])), size);
        reach = code_let(&code, "reach", reach);
        ends[1 - axis] = k_binary(k, IR_EXPR_sub, middle, reach);
        ends[3 - axis] = k_binary(k, IR_EXPR_add, middle, reach);
    }
    for (int i = 0; i < 4; i++) {
        const struct ir_expr *at[] = {image, n, k_int(k, i)};
        if (ir_op_attr(k->op, "clip")->boolean)
            ends[i] = k_binary(k, IR_EXPR_max, k_number(k, dtype, 0),
                               k_binary(k, IR_EXPR_min, k_number(k, dtype, 1), ends[i]));
        code_store(&code, k->outputs[0], kernel_copy_indices(k, at, 3),
                   k_cast(k, k->outputs[0]->dtype, ends[i]));
    }
    nest_code(&nest, &code);
    nest_end(&nest);
}

/* Softmax over the classes; what is below the threshold is 0. */
static void score_classes(struct kernel *k, struct ir_dtype dtype)
{
    struct nest nest = nest_begin(k, "T_scores");
    struct ir_buffer *out = k->outputs[1];
    const struct ir_expr *image = nest_axis(&nest, TIR_SPATIAL, out->shape[0]);
    const struct ir_expr *n = nest_axis(&nest, TIR_SPATIAL, out->shape[2]);
    const struct ir_expr *zero = k_number(k, dtype, 0);
    struct code code = code_begin(k), each;
    const struct ir_buffer *best = code_scalar(&code, "best", dtype, k_lowest(k, dtype));
    const struct ir_buffer *sum = code_scalar(&code, "total", dtype, zero);

    for (int pass = 0; pass < 3; pass++) {
        const struct ir_expr *c = code_for(&code, &each, "c", out->shape[1]);
        const struct ir_expr *at[] = {image, c, n};
        const struct ir_expr *const *place_of = kernel_copy_indices(k, at, 3);
        const struct ir_expr *x = k_cast(k, dtype, kernel_load(k, 0, place_of));
        const struct ir_expr *power =
            k_call(k, "exp", k_binary(k, IR_EXPR_sub, x, code_get(k, best)));
        if (pass == 0) {
            code_set(&each, best, k_binary(k, IR_EXPR_max, code_get(k, best), x));
        } else if (pass == 1) {
            code_set(&each, sum, k_binary(k, IR_EXPR_add, code_get(k, sum), power));
        } else {
            const struct ir_expr *score =
                code_let(&each, "score", k_binary(k, IR_EXPR_div, power, code_get(k, sum)));
            double threshold = op_attr_float(k->op, "threshold");
            const struct ir_expr *is_low =
                k_binary(k, IR_EXPR_lt, score, k_number(k, dtype, threshold));
            if (!ir_op_attr(k->op, "keep_background")->boolean)
                is_low = k_binary(k, IR_EXPR_or, is_low, k_binary(k, IR_EXPR_eq, c, k_int(k, 0)));
            code_store(&each, out, place_of,
                       k_cast(k, out->dtype, k_select(k, is_low, zero, score)));
        }
        code_end(&each);
    }
    nest_code(&nest, &code);
    nest_end(&nest);
}

struct ir_value *lower_multibox(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    static const int ranks[] = {3, 2, 3};
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    for (unsigned i = 0; i < 3; i++)
        if (k.operands[i].scalar || k.operands[i].type->ndim != ranks[i]) {
            diag_report(diag, op_said_place(op, op_operand_name(op->info, i)), LOWER_OPERAND,
                        op->info->name, op_operand_name(op->info, i),
                        i == 1 ? "must have rank 2" : "must have rank 3");
            return kernel_abandon(&k);
        }
    if (ir_op_attr(op, "variances")->count != 4) {
        diag_report(diag, op->loc, OP_ATTRIBUTE, op->info->name, "variances", "must be 4 numbers");
        return kernel_abandon(&k);
    }
    struct ir_dtype dtype = kernel_compute_dtype(k.operands[0].type->dtype);
    if (!kernel_check_domain(&k, OP_REAL, k.operands[0].type->dtype))
        return kernel_abandon(&k);
    decode_boxes(&k, dtype);
    score_classes(&k, dtype);
    return kernel_finish(&k);
}

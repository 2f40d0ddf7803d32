/*
 * all_class_non_max_suppression and get_valid_counts: boxes that are worth keeping.
 *
 * Of each class the boxes are looked at by falling scores, and kept where no kept one overlaps them too much: one
 * iteration for each image and class.  A second nest writes them one behind the other; the rows
 * that are left are 0.
 */
#include "ops/lower/sort.h"

#include <string.h>

struct nms {
    struct kernel *k;
    struct sorting sorted;           /* scores: (image, class, box) */
    struct ir_buffer *kept, *number; /* boxes of each image and class, and how many */
    struct ir_dtype dtype;           /* boxes are computed in */
};

/* Operand @i, a scalar or one element. */
static const struct ir_expr *single(struct kernel *k, unsigned i)
{
    const struct ir_expr *zeros[] = {k_int(k, 0), k_int(k, 0)};

    return kernel_load(k, i, kernel_copy_indices(k, zeros, 2));
}

/* Smaller (@is_low) or larger end of a box along an axis: corners come in any order. */
static const struct ir_expr *box_end(struct nms *n, const struct ir_expr *image,
                                     const struct ir_expr *box, unsigned axis, bool is_low)
{
    struct kernel *k = n->k;
    const struct ir_expr *ends[2];

    for (unsigned i = 0; i < 2; i++) {
        const struct ir_expr *at[] = {image, box, k_int(k, axis + 2 * i)};
        ends[i] = k_cast(k, n->dtype, kernel_load(k, 0, kernel_copy_indices(k, at, 3)));
    }
    return k_binary(k, is_low ? IR_EXPR_min : IR_EXPR_max, ends[0], ends[1]);
}

/* Do the two overlap by more than the threshold of their union? */
static const struct ir_expr *overlap_too_much(struct nms *n, struct code *code,
                                              const struct ir_expr *image, const struct ir_expr *a,
                                              const struct ir_expr *b)
{
    struct kernel *k = n->k;
    const struct ir_expr *both = NULL, *area_a = NULL, *area_b = NULL;
    const struct ir_expr *zero = k_number(k, n->dtype, 0);

    for (unsigned axis = 0; axis < 2; axis++) {
        const struct ir_expr *low_a = code_let(code, "low", box_end(n, image, a, axis, true));
        const struct ir_expr *low_b = code_let(code, "low", box_end(n, image, b, axis, true));
        const struct ir_expr *high_a = code_let(code, "high", box_end(n, image, a, axis, false));
        const struct ir_expr *high_b = code_let(code, "high", box_end(n, image, b, axis, false));
        const struct ir_expr *low = k_binary(k, IR_EXPR_max, low_a, low_b);
        const struct ir_expr *high = k_binary(k, IR_EXPR_min, high_a, high_b);
        const struct ir_expr *side =
            k_binary(k, IR_EXPR_max, k_binary(k, IR_EXPR_sub, high, low), zero);
        const struct ir_expr *side_a = k_binary(k, IR_EXPR_sub, high_a, low_a);
        const struct ir_expr *side_b = k_binary(k, IR_EXPR_sub, high_b, low_b);
        both = both ? k_binary(k, IR_EXPR_mul, both, side) : side;
        area_a = area_a ? k_binary(k, IR_EXPR_mul, area_a, side_a) : side_a;
        area_b = area_b ? k_binary(k, IR_EXPR_mul, area_b, side_b) : side_b;
    }
    both = code_let(code, "both", both);
    const struct ir_expr *all =
        k_binary(k, IR_EXPR_sub, k_binary(k, IR_EXPR_add, area_a, area_b), both);
    all = code_let(code, "all", all);
    const struct ir_expr *share = k_binary(k, IR_EXPR_div, both, all);
    return k_binary(k, IR_EXPR_and, k_binary(k, IR_EXPR_gt, all, zero),
                    k_binary(k, IR_EXPR_gt, share, k_cast(k, n->dtype, single(k, 3))));
}

/* Appends @box to the kept ones, of which there are @count, if none overlaps it. */
static void consider(struct nms *n, struct code *code, const struct ir_expr *const *line,
                     const struct ir_expr *box, const struct ir_buffer *count)
{
    struct kernel *k = n->k;
    const struct ir_expr *zero = k_int(k, 0), *kept = code_get(k, count);
    struct code body, keep;
    const struct ir_buffer *j = code_scalar(code, "j", IR_I64, zero);
    const struct ir_buffer *is_free =
        code_scalar(code, "is_free", IR_B1, ir_expr_int(k->context, IR_B1, 1));
    const struct ir_expr *now = code_get(k, j);

    code_while(code, &body,
               k_binary(k, IR_EXPR_and, code_get(k, is_free), k_binary(k, IR_EXPR_lt, now, kept)));
    const struct ir_expr *other = code_let(
        &body, "other", ir_expr_load(k->context, n->kept, sort_place(&n->sorted, line, now), 3));
    code_set(&body, is_free,
             ir_expr_not(k->context, overlap_too_much(n, &body, line[0], box, other)));
    code_count(&body, j, k_int(k, 1));
    code_end(&body);
    code_if(code, &keep, code_get(k, is_free));
    code_store(&keep, n->kept, sort_place(&n->sorted, line, kept), box);
    code_count(&keep, count, k_int(k, 1));
    code_end(&keep);
}

static void select_boxes(struct nms *n)
{
    struct kernel *k = n->k;
    struct nest nest = nest_begin(k, "T_nms");
    struct code code = code_begin(k), body, good;
    const struct ir_expr **line = kernel_indices(k, 2);

    for (unsigned d = 0; d < 2; d++)
        line[d] = nest_axis(&nest, TIR_SPATIAL, n->kept->shape[d]);
    const struct ir_buffer *count = code_scalar(&code, "count", IR_I64, k_int(k, 0));
    const struct ir_expr *p = code_for(&code, &body, "p", n->sorted.count);
    const struct ir_expr **place = sort_place(&n->sorted, line, p);
    const struct ir_expr *score = ir_expr_load(k->context, n->sorted.keys[0], place, 3);
    struct ir_dtype dtype = kernel_compute_dtype(score->dtype);
    const struct ir_expr *is_good =
        k_binary(k, IR_EXPR_gt, k_cast(k, dtype, score), k_cast(k, dtype, single(k, 4)));
    const struct ir_expr *has_room =
        k_binary(k, IR_EXPR_lt, code_get(k, count), k_cast(k, IR_I64, single(k, 2)));
    code_if(&body, &good, k_binary(k, IR_EXPR_and, has_room, is_good));
    const struct ir_expr *box =
        code_let(&good, "box", ir_expr_load(k->context, n->sorted.order[0], place, 3));
    consider(n, &good, line, box, count);
    code_end(&good);
    code_end(&body);
    code_store(&code, n->number, line, code_get(k, count));
    nest_code(&nest, &code);
    nest_end(&nest);
}

static void store_zeros(struct kernel *k, struct ir_buffer *out)
{
    struct nest nest = nest_begin(k, "T_zeros");
    const struct ir_expr **at = nest_axes_of(&nest, out);

    nest_store(&nest, out, at, k_number(k, out->dtype, 0));
    nest_end(&nest);
}

/* Row @next of the results: the @j-th kept box of an image and class. */
static void store_row(struct nms *n, struct code *code, const struct ir_expr *const *line,
                      const struct ir_expr *j, const struct ir_expr *next, bool is_onnx)
{
    struct kernel *k = n->k;
    const struct ir_expr *box = code_let(
        code, "box", ir_expr_load(k->context, n->kept, sort_place(&n->sorted, line, j), 3));

    for (unsigned i = 0; is_onnx && i < 3; i++) {
        const struct ir_expr *to[] = {next, k_int(k, i)};
        code_store(code, k->outputs[0], to, i < 2 ? line[i] : box);
    }
    if (is_onnx)
        return;
    for (unsigned i = 0; i < 2; i++) {
        const struct ir_expr *to[] = {line[0], next, k_int(k, i)};
        code_store(code, k->outputs[0], to, i == 0 ? line[1] : box);
    }
    const struct ir_expr *to[] = {line[0], next}, *from[] = {line[0], line[1], box};
    code_store(code, k->outputs[1], to, kernel_load(k, 1, kernel_copy_indices(k, from, 3)));
}

/* The kept boxes one behind the other: all of them, or those of each image. */
static void collect(struct nms *n, bool is_onnx)
{
    struct kernel *k = n->k;
    struct ir_buffer *counts = k->outputs[k->output_count - 1];
    struct nest nest = nest_begin(k, "T_collect");
    struct code code = code_begin(k), image, class, body;
    const struct ir_expr *line[2], *zero = k_int(k, 0);
    const struct ir_buffer *next = code_scalar(&code, "next", IR_I64, zero);

    line[0] = code_for(&code, &image, "image", n->kept->shape[0]);
    if (!is_onnx)
        code_set(&image, next, zero);
    line[1] = code_for(&image, &class, "class", n->kept->shape[1]);
    const struct ir_expr *number =
        ir_expr_load(k->context, n->number, kernel_copy_indices(k, line, 2), 2);
    const struct ir_expr *j = code_for(&class, &body, "j", number);
    store_row(n, &body, line, j, code_get(k, next), is_onnx);
    code_count(&body, next, k_int(k, 1));
    code_end(&body);
    code_end(&class);
    if (!is_onnx)
        code_store(&image, counts, line, code_get(k, next));
    code_end(&image);
    if (is_onnx)
        code_store(&code, counts, &zero, code_get(k, next));
    nest_code(&nest, &code);
    nest_end(&nest);
}

struct ir_value *lower_all_class_nms(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    bool is_onnx = strcmp(ir_op_attr(op, "output_format")->string, "onnx") == 0;
    struct kernel kernel, *k = &kernel;

    if (!kernel_begin(k, module, diag, op, 31u))
        return NULL;
    struct nms n = {.k = k, .dtype = IR_F32};
    if (!kernel_check_domain(k, OP_REAL, k->operands[0].type->dtype) ||
        !kernel_check_domain(k, OP_REAL, k->operands[1].type->dtype))
        return kernel_abandon(k);
    const struct ir_expr *dims[3];
    for (unsigned d = 0; d < 3; d++)
        dims[d] = kernel_input_dim(k, 1, d);
    n.kept = kernel_alloc(k, "kept", IR_I64, kernel_copy_indices(k, dims, 3), 3);
    n.number = kernel_alloc(k, "number", IR_I64, kernel_copy_indices(k, dims, 2), 2);
    n.sorted = sort_lines(k, 1, sort_one_axis(k, 1, 2), true, true);
    select_boxes(&n);
    for (unsigned i = 0; i + 1 < k->output_count; i++)
        store_zeros(k, k->outputs[i]);
    collect(&n, is_onnx);
    return kernel_finish(k);
}

/* ---- get_valid_counts ---- */

struct ir_value *lower_valid_counts(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel kernel, *k = &kernel;
    struct code code, boxes, good, copy;
    int64_t score_index = op_attr_int(op, "score_index", 1);
    int64_t id_index = op_attr_int(op, "id_index", 0);

    if (!kernel_begin(k, module, diag, op, 1u))
        return NULL;
    struct ir_dtype dtype = kernel_compute_dtype(k->operands[0].type->dtype);
    if (!kernel_check_domain(k, OP_REAL, dtype))
        return kernel_abandon(k);
    for (unsigned i = 1; i < 3; i++) {
        struct nest nest = nest_begin(k, "T_none");
        const struct ir_expr **at = nest_axes_of(&nest, k->outputs[i]);
        nest_store(&nest, k->outputs[i], at, k_number(k, k->outputs[i]->dtype, -1));
        nest_end(&nest);
    }
    struct nest nest = nest_begin(k, "T_valid_counts");
    const struct ir_expr *image = nest_axis(&nest, TIR_SPATIAL, kernel_input_dim(k, 0, 0));
    code = code_begin(k);
    const struct ir_buffer *count = code_scalar(&code, "count", IR_I64, k_int(k, 0));
    const struct ir_expr *box = code_for(&code, &boxes, "box", kernel_input_dim(k, 0, 1));
    const struct ir_expr *score_at[] = {image, box, k_int(k, score_index)};
    const struct ir_expr *score =
        k_cast(k, dtype, kernel_load(k, 0, kernel_copy_indices(k, score_at, 3)));
    const struct ir_expr *is_good =
        k_binary(k, IR_EXPR_gt, score, k_number(k, dtype, op_attr_float(op, "score_threshold")));
    if (id_index >= 0) {
        const struct ir_expr *id_at[] = {image, box, k_int(k, id_index)};
        const struct ir_expr *id =
            k_cast(k, dtype, kernel_load(k, 0, kernel_copy_indices(k, id_at, 3)));
        is_good = k_and(k, is_good, k_binary(k, IR_EXPR_ge, id, k_number(k, dtype, 0)));
    }
    code_if(&boxes, &good, is_good);
    const struct ir_expr *e = code_for(&good, &copy, "e", kernel_input_dim(k, 0, 2));
    const struct ir_expr *to[] = {image, code_get(k, count), e}, *from[] = {image, box, e};
    code_store(&copy, k->outputs[1], to, kernel_load(k, 0, kernel_copy_indices(k, from, 3)));
    code_end(&copy);
    code_store(&good, k->outputs[2], to, box);
    code_count(&good, count, k_int(k, 1));
    code_end(&good);
    code_end(&boxes);
    code_store(&code, k->outputs[0], &image, code_get(k, count));
    nest_code(&nest, &code);
    nest_end(&nest);
    return kernel_finish(k);
}

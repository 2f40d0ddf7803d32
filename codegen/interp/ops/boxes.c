/* Boxes: non-maximum suppression, by asking for the best one again and again. */
#include "codegen/interp/ops/numbers.h"

#include <string.h>

struct boxes {
    const struct inlay_tensor *boxes, *scores;
    int64_t images, classes, count, most;
    double overlap, threshold;
};

static float corner(const struct boxes *b, int64_t image, int64_t box, unsigned i)
{
    return (float)num_load(b->boxes, (image * b->count + box) * 4 + i).real;
}

static float least(float a, float b)
{
    return a < b ? a : b;
}

static float most(float a, float b)
{
    return a > b ? a : b;
}

static bool overlap_too_much(const struct boxes *b, int64_t image, int64_t one, int64_t other)
{
    float both = 1, areas[2] = {1, 1};

    for (unsigned axis = 0; axis < 2; axis++) {
        float low[2], high[2];
        for (unsigned i = 0; i < 2; i++) {
            int64_t box = i == 0 ? one : other;
            float p = corner(b, image, box, axis), q = corner(b, image, box, axis + 2);
            low[i] = least(p, q);
            high[i] = most(p, q);
            areas[i] *= high[i] - low[i];
        }
        both *= most(least(high[0], high[1]) - most(low[0], low[1]), 0);
    }
    float all = areas[0] + areas[1] - both;
    return all > 0 && both / all > (float)b->overlap;
}

static double score(const struct boxes *b, int64_t image, int64_t class, int64_t box)
{
    return num_load(b->scores, (image * b->classes + class) * b->count + box).real;
}

/* The boxes of a class that are kept, in @out; how many. */
static int64_t keep_boxes(const struct boxes *b, int64_t image, int64_t class, bool *is_out,
                          int64_t *out)
{
    int64_t kept = 0;

    for (int64_t i = 0; i < b->count; i++)
        is_out[i] = !(score(b, image, class, i) > b->threshold);
    while (kept < b->most) {
        int64_t best = -1;
        for (int64_t i = 0; i < b->count; i++)
            if (!is_out[i] &&
                (best < 0 || score(b, image, class, i) > score(b, image, class, best)))
                best = i;
        if (best < 0)
            break;
        out[kept++] = best;
        for (int64_t i = 0; i < b->count; i++)
            is_out[i] |= i == best || overlap_too_much(b, image, best, i);
    }
    return kept;
}

static bool read_boxes(struct interp_op *o, struct boxes *b)
{
    *b = (struct boxes){.boxes = interp_operand(o, 0), .scores = interp_operand(o, 1)};
    if (!b->boxes || !b->scores)
        return false;
    if (!interp_check_domain(o, OP_REAL, interp_tensor_dtype(b->boxes)) ||
        !interp_check_domain(o, OP_REAL, interp_tensor_dtype(b->scores)))
        return false;
    if (b->boxes->ndim != 3 || b->scores->ndim != 3)
        return num_refuse(o, "these shapes") != NULL;
    b->images = b->scores->shape[0];
    b->classes = b->scores->shape[1];
    b->count = b->scores->shape[2];
    if (b->boxes->shape[0] != b->images || b->boxes->shape[1] != b->count)
        return interp_fail(o->run, INLAY_ERROR_SHAPE, "boxes and scores differ");
    b->most = interp_operand_int(o, 2, 0);
    b->overlap = interp_cast(interp_operand_scalar(o, 3), IR_F64).real;
    b->threshold = interp_cast(interp_operand_scalar(o, 4), IR_F64).real;
    return true;
}

const struct interp_value *interp_op_all_class_nms(struct interp_op *o)
{
    bool is_onnx = strcmp(ir_op_attr(o->op, "output_format")->string, "onnx") == 0;
    struct boxes b;

    if (!read_boxes(o, &b))
        return NULL;
    int64_t total = b.classes * b.count, one = 1;
    int64_t onnx_shape[] = {b.images * total, 3}, shape[] = {b.images, total, 2};
    struct interp_value *rows =
        interp_tensor_new(o->run, IR_I64, is_onnx ? onnx_shape : shape, is_onnx ? 2 : 3);
    struct interp_value *scores = interp_tensor_new(o->run, IR_F32, shape, 2);
    struct interp_value *counts = interp_tensor_new(o->run, IR_I64, is_onnx ? &one : shape, 1);
    int64_t *kept = arena_array(&o->run->arena, int64_t, (size_t)b.count + 1);
    bool *is_out = arena_array(&o->run->arena, bool, (size_t)b.count + 1);
    if (!rows || !scores || !counts)
        return NULL;
    int64_t next = 0;
    for (int64_t image = 0; image < b.images; image++) {
        if (!is_onnx)
            next = 0;
        for (int64_t class = 0; class < b.classes; class ++) {
            int64_t number = keep_boxes(&b, image, class, is_out, kept);
            for (int64_t i = 0; i < number; i++, next++) {
                int64_t row[] = {image, class, kept[i]}, place = image * total + next;
                for (unsigned c = 0; is_onnx && c < 3; c++)
                    num_store(rows->tensor, next * 3 + c, num_int(IR_I64, row[c]));
                for (unsigned c = 0; !is_onnx && c < 2; c++)
                    num_store(rows->tensor, place * 2 + c, num_int(IR_I64, row[c + 1]));
                if (!is_onnx)
                    num_store(scores->tensor, place, num(IR_F32, score(&b, image, class, kept[i])));
            }
        }
        num_store(counts->tensor, is_onnx ? 0 : image, num_int(IR_I64, next));
    }
    const struct interp_value *onnx[] = {rows, counts}, *all[] = {rows, scores, counts};
    return interp_tuple_value(o->run, is_onnx ? onnx : all, is_onnx ? 2 : 3);
}

const struct interp_value *interp_op_valid_counts(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    int64_t score_index = interp_attr_int(o, "score_index", 1);
    int64_t id_index = interp_attr_int(o, "id_index", 0);
    double threshold = interp_attr_float(o, "score_threshold");

    if (x && !interp_check_domain(o, OP_REAL, interp_tensor_dtype(x)))
        return NULL;
    if (!x || x->ndim != 3)
        return x ? num_refuse(o, "these shapes") : NULL;
    struct ir_dtype dtype = interp_tensor_dtype(x);
    struct interp_value *counts = interp_tensor_new(o->run, IR_I32, x->shape, 1);
    struct interp_value *boxes = interp_tensor_new(o->run, dtype, x->shape, 3);
    struct interp_value *numbers = interp_tensor_new(o->run, IR_I32, x->shape, 2);
    if (!counts || !boxes || !numbers)
        return NULL;
    for (int64_t n = 0; n < inlay_tensor_elements(x); n++)
        num_store(boxes->tensor, n, num(interp_compute_dtype(dtype), -1));
    for (int64_t image = 0; image < x->shape[0]; image++) {
        int64_t first = image * x->shape[1], count = 0;
        for (int64_t i = 0; i < x->shape[1]; i++)
            num_store(numbers->tensor, first + i, num_int(IR_I32, -1));
        for (int64_t i = 0; i < x->shape[1]; i++) {
            int64_t at = (first + i) * x->shape[2];
            if (!(num_load(x, at + score_index).real > threshold) ||
                (id_index >= 0 && num_load(x, at + id_index).real < 0))
                continue;
            for (int64_t e = 0; e < x->shape[2]; e++)
                num_store(boxes->tensor, (first + count) * x->shape[2] + e, num_element(x, at + e));
            num_store(numbers->tensor, first + count++, num_int(IR_I32, i));
        }
        num_store(counts->tensor, image, num_int(IR_I32, count));
    }
    const struct interp_value *all[] = {counts, boxes, numbers};
    return interp_tuple_value(o->run, all, 3);
}

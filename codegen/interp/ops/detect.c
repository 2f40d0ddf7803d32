/* non_max_suppression and multibox_transform_loc, row by row. */
#include "codegen/interp/ops/numbers.h"

#include <string.h>

typedef struct interp_scalar number;

/* The rows of one image in the order of their scores; those that went have no place. */
struct rows {
    struct interp_op *o;
    struct ir_dtype dtype;
    number **cells;
    int64_t *places;
    int64_t count, length, score, coord, id;
    bool is_forced;
    number least, limit;
};

static bool is_less(number a, number b)
{
    bool a_nan = a.real != a.real, b_nan = b.real != b.real;
    return a_nan ? false : b_nan || a.real < b.real;
}

/* Insertion keeps equal ones in their order. */
static void insert(struct rows *r, number *cells, int64_t place)
{
    int64_t at = r->count++;

    for (; at > 0 && is_less(r->cells[at - 1][r->score], cells[r->score]); at--) {
        r->cells[at] = r->cells[at - 1];
        r->places[at] = r->places[at - 1];
    }
    r->cells[at] = cells;
    r->places[at] = place;
}

static number overlap(const struct rows *r, const number *a, const number *b)
{
    number both = num(r->dtype, 1), of_a = both, of_b = both, zero = num(r->dtype, 0);

    for (int axis = 0; axis < 2; axis++) {
        int64_t i = r->coord + axis;
        number low_a = NUM_MIN(a[i], a[i + 2]), high_a = NUM_MAX(a[i], a[i + 2]);
        number low_b = NUM_MIN(b[i], b[i + 2]), high_b = NUM_MAX(b[i], b[i + 2]);
        number side = NUM_SUB(NUM_MIN(high_a, high_b), NUM_MAX(low_a, low_b));
        both = NUM_MUL(both, NUM_MAX(side, zero));
        of_a = NUM_MUL(of_a, NUM_SUB(high_a, low_a));
        of_b = NUM_MUL(of_b, NUM_SUB(high_b, low_b));
    }
    number all = NUM_SUB(NUM_ADD(of_a, of_b), both);
    return num_is(IR_EXPR_gt, all, zero) ? NUM_DIV(both, all) : zero;
}

static bool are_rivals(const struct rows *r, int64_t i, int64_t j)
{
    if (r->places[j] < 0 || !num_is(IR_EXPR_gt, r->cells[j][r->score], r->least))
        return false;
    return r->is_forced || r->id < 0 || num_is(IR_EXPR_eq, r->cells[i][r->id], r->cells[j][r->id]);
}

static void remove_row(struct rows *r, int64_t i)
{
    for (int64_t e = 0; e < r->length; e++)
        r->cells[i][e] = num(r->dtype, -1);
    r->places[i] = -1;
}

static void suppress(struct rows *r, int64_t most)
{
    int64_t number_kept = 0;

    for (int64_t i = 0; i < r->count; i++) {
        if (!num_is(IR_EXPR_gt, r->cells[i][r->score], r->least) ||
            (most > 0 && number_kept >= most)) {
            remove_row(r, i);
            continue;
        }
        number_kept++;
        for (int64_t j = i + 1; j < r->count; j++)
            if (are_rivals(r, i, j) &&
                num_is(IR_EXPR_ge, overlap(r, r->cells[i], r->cells[j]), r->limit)) {
                r->cells[j][r->score] = num(r->dtype, -1);
                r->places[j] = -1;
            }
    }
}

/* The best of the rows from @first on, or -1. */
static int64_t best_of(const struct rows *r, int64_t first)
{
    int64_t best = -1;

    for (int64_t i = first; i < r->count; i++)
        if (r->places[i] >= 0 && num_is(IR_EXPR_gt, r->cells[i][r->score],
                                        best < 0 ? r->least : r->cells[best][r->score]))
            best = i;
    return best;
}

static void fade(struct rows *r, int64_t at, double sigma)
{
    for (int64_t j = at + 1; j < r->count; j++) {
        if (!are_rivals(r, at, j))
            continue;
        number share = overlap(r, r->cells[at], r->cells[j]);
        if (num_is(IR_EXPR_ge, share, r->limit)) {
            r->places[j] = -1;
            continue;
        }
        number power = NUM_MUL(NUM_MUL(num(r->dtype, -0.5 / sigma), share), share);
        number *score = &r->cells[j][r->score];
        *score = NUM_MUL(*score, num_call("exp", power));
        if (num_is(IR_EXPR_le, *score, r->least))
            r->places[j] = -1;
        /* in the rows it has the precision of the data */
        *score = interp_cast(interp_cast(*score, interp_tensor_dtype(interp_operand(r->o, 0))),
                             r->dtype);
    }
}

static void suppress_softly(struct rows *r, int64_t most, double sigma)
{
    int64_t at = 0, best;

    for (; (most <= 0 || at < most) && (best = best_of(r, at)) >= 0; at++) {
        number *cells = r->cells[at];
        int64_t place = r->places[at];
        r->cells[at] = r->cells[best];
        r->places[at] = r->places[best];
        r->cells[best] = cells;
        r->places[best] = place;
        fade(r, at, sigma);
    }
    for (; at < r->count; at++)
        remove_row(r, at);
}

static void read_rows(struct rows *r, const struct inlay_tensor *x, int64_t image, int64_t valid,
                      int64_t top)
{
    r->count = 0;
    for (int64_t i = 0; i < valid; i++) {
        number *cells = arena_array(&r->o->run->arena, number, (size_t)r->length + 1);
        for (int64_t e = 0; e < r->length; e++)
            cells[e] = num_load(x, (image * x->shape[1] + i) * r->length + e);
        insert(r, cells, i);
    }
    if (top > 0 && r->count > top)
        r->count = top;
}

/* The rows, in their order; @moves_up: those with a score first. */
static void write_rows(const struct rows *r, const struct inlay_tensor *to, int64_t image,
                       bool moves_up)
{
    int64_t next = 0, anchors = to->shape[1];

    for (int64_t i = 0; i < anchors; i++)
        for (int64_t e = 0; e < r->length; e++)
            num_store(to, (image * anchors + i) * r->length + e, num(r->dtype, -1));
    for (int64_t i = 0; i < r->count; i++) {
        bool is_good = r->cells[i][r->score].real >= 0;
        int64_t at = moves_up ? next : i;
        for (int64_t e = 0; (is_good || !moves_up) && e < r->length; e++)
            num_store(to, (image * anchors + at) * r->length + e, r->cells[i][e]);
        next += is_good;
    }
}

static void write_places(const struct rows *r, const struct inlay_tensor *to,
                         const struct inlay_tensor *count, const struct inlay_tensor *indices,
                         int64_t image)
{
    int64_t next = 0, anchors = to->shape[1];

    for (int64_t i = 0; i < anchors; i++)
        num_store(to, image * anchors + i, num_int(IR_I32, -1));
    for (int64_t i = 0; i < r->count; i++)
        if (r->places[i] >= 0)
            num_store(to, image * anchors + next++,
                      num_int(IR_I32, num_index(indices, image * anchors + r->places[i])));
    num_store(count, image, num_int(IR_I32, next));
}

const struct interp_value *interp_op_nms(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *valid = interp_operand(o, 1),
                              *indices = interp_operand(o, 2);
    double sigma = interp_attr_float(o, "soft_nms_sigma");
    bool gives_indices = interp_attr_bool(o, "return_indices");
    int64_t most = interp_attr_int(o, "max_output_size", -1);

    if (!x || !valid || !indices || !interp_check_domain(o, OP_REAL, interp_tensor_dtype(x)))
        return NULL;
    if (x->ndim != 3 || valid->ndim != 1 || indices->ndim != 2)
        return num_refuse(o, "these shapes");
    struct ir_dtype own = interp_tensor_dtype(x), dtype = interp_compute_dtype(own);
    struct rows r = {.o = o, .dtype = dtype, .length = x->shape[2]};
    r.score = interp_attr_int(o, "score_index", 1);
    r.coord = interp_attr_int(o, "coord_start", 2);
    r.id = interp_attr_int(o, "id_index", 0);
    r.is_forced = interp_attr_bool(o, "force_suppress");
    r.least = num(dtype, sigma > 0 ? interp_attr_float(o, "score_threshold") : 0);
    r.limit = num(dtype, interp_attr_float(o, "iou_threshold"));
    r.cells = arena_array(&o->run->arena, number *, (size_t)x->shape[1] + 1);
    r.places = arena_array(&o->run->arena, int64_t, (size_t)x->shape[1] + 1);
    int64_t count_shape[] = {x->shape[0], 1};
    struct interp_value *rows = interp_tensor_new(o->run, own, x->shape, 3);
    struct interp_value *places = interp_tensor_new(o->run, IR_I32, x->shape, 2);
    struct interp_value *counts = interp_tensor_new(o->run, IR_I32, count_shape, 2);
    if (!rows || !places || !counts)
        return NULL;
    for (int64_t image = 0; image < x->shape[0]; image++) {
        int64_t count = num_index(valid, image);
        count = count < 0 ? 0 : count > x->shape[1] ? x->shape[1] : count;
        read_rows(&r, x, image, count, interp_attr_int(o, "top_k", -1));
        if (sigma > 0)
            suppress_softly(&r, most, sigma);
        else
            suppress(&r, most);
        write_rows(&r, rows->tensor, image,
                   !gives_indices && interp_attr_bool(o, "invalid_to_bottom"));
        write_places(&r, places->tensor, counts->tensor, indices, image);
    }
    const struct interp_value *all[] = {rows, places, counts};
    if (!gives_indices)
        return rows;
    return interp_tuple_value(o->run, all + (sigma <= 0), 3 - (sigma <= 0));
}

/* ---- multibox_transform_loc ---- */

static double variance(const struct interp_op *o, int i)
{
    const struct ir_attr *item = ir_op_attr(o->op, "variances")->items[i];
    return item->kind == IR_ATTR_FLOAT ? item->real : (double)item->integer;
}

static void decode(struct interp_op *o, const struct inlay_tensor *codes,
                   const struct inlay_tensor *anchors, const struct inlay_tensor *to,
                   struct ir_dtype dtype)
{
    int64_t count = to->shape[1];
    number half = num(dtype, 0.5), one = num(dtype, 1), zero = num(dtype, 0);

    for (int64_t i = 0; i < to->shape[0] * count; i++)
        for (int axis = 0; axis < 2; axis++) {
            number low = num_load(anchors, i % count * 4 + axis);
            number high = num_load(anchors, i % count * 4 + axis + 2);
            number move = NUM_MUL(num_load(codes, i * 4 + axis), num(dtype, variance(o, axis)));
            number grow =
                NUM_MUL(num_load(codes, i * 4 + axis + 2), num(dtype, variance(o, axis + 2)));
            number size = NUM_SUB(high, low);
            number middle = NUM_ADD(NUM_MUL(move, size), NUM_MUL(NUM_ADD(low, high), half));
            number reach = NUM_MUL(NUM_MUL(half, num_call("exp", grow)), size);
            number ends[] = {NUM_SUB(middle, reach), NUM_ADD(middle, reach)};
            for (int end = 0; end < 2; end++) {
                if (interp_attr_bool(o, "clip"))
                    ends[end] = NUM_MAX(zero, NUM_MIN(one, ends[end]));
                num_store(to, i * 4 + 1 - axis + 2 * end, ends[end]);
            }
        }
}

static void classify(struct interp_op *o, const struct inlay_tensor *x,
                     const struct inlay_tensor *to, struct ir_dtype dtype)
{
    int64_t classes = x->shape[1], count = x->shape[2];
    number least = num(dtype, interp_attr_float(o, "threshold")), zero = num(dtype, 0);

    for (int64_t i = 0; i < x->shape[0] * count && classes > 0; i++) {
        int64_t first = i / count * classes * count + i % count;
        number best = num_load(x, first), sum = zero;
        for (int64_t c = 1; c < classes; c++)
            best = NUM_MAX(best, num_load(x, first + c * count));
        for (int64_t c = 0; c < classes; c++)
            sum = NUM_ADD(sum, num_call("exp", NUM_SUB(num_load(x, first + c * count), best)));
        for (int64_t c = 0; c < classes; c++) {
            number power = num_call("exp", NUM_SUB(num_load(x, first + c * count), best));
            number score = NUM_DIV(power, sum);
            bool goes = num_is(IR_EXPR_lt, score, least) ||
                        (c == 0 && !interp_attr_bool(o, "keep_background"));
            num_store(to, first + c * count, goes ? zero : score);
        }
    }
}

const struct interp_value *interp_op_multibox(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *codes = interp_operand(o, 1),
                              *anchors = interp_operand(o, 2);

    if (!x || !codes || !anchors || !interp_check_domain(o, OP_REAL, interp_tensor_dtype(x)))
        return NULL;
    if (x->ndim != 3 || codes->ndim != 2 || anchors->ndim != 3 ||
        ir_op_attr(o->op, "variances")->count != 4)
        return num_refuse(o, "these shapes");
    if (codes->shape[1] != 4 * x->shape[2] || anchors->shape[1] != x->shape[2]) {
        interp_fail(o->run, INLAY_ERROR_SHAPE, "codes, anchors and scores differ in boxes");
        return NULL;
    }
    struct ir_dtype own = interp_tensor_dtype(x), dtype = interp_compute_dtype(own);
    int64_t shape[] = {x->shape[0], x->shape[2], 4};
    struct interp_value *boxes = interp_tensor_new(o->run, own, shape, 3);
    struct interp_value *scores = interp_tensor_new(o->run, own, x->shape, 3);
    if (!boxes || !scores)
        return NULL;
    decode(o, codes, anchors, boxes->tensor, dtype);
    classify(o, x, scores->tensor, dtype);
    const struct interp_value *both[] = {boxes, scores};
    return interp_tuple_value(o->run, both, 2);
}

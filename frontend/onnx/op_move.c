/* Elements moved, not changed: Transpose, Concat, Split, Slice, Gather, Pad and their like. */
#include "frontend/onnx/families.h"

#include <string.h>

/* Followed elements in the order of @axes. */
static bool follow_transpose(struct onnx_node *n, const int64_t *axes)
{
    struct onnx_value *x = n->inputs[0];
    int64_t dims[IR_RANK_LIMIT], strides[IR_RANK_LIMIT];

    if (!onnx_value_is_known(n->m, x))
        return false;
    const struct ir_expr **elements =
        arena_array(n->m->arena, const struct ir_expr *, x->count + 1);
    for (unsigned i = 0; i < x->rank; i++) {
        dims[i] = x->dims[axes[i]];
        strides[i] = 1;
        for (unsigned k = (unsigned)axes[i] + 1; k < x->rank; k++)
            strides[i] *= x->dims[k];
    }
    for (size_t i = 0; i < x->count; i++) {
        int64_t from = 0, rest = (int64_t)i;
        for (unsigned k = x->rank; k-- > 0; rest /= dims[k])
            from += rest % dims[k] * strides[k];
        elements[i] = x->elements[from];
    }
    onnx_value_set_elements(n->m, &n->outputs[0], x->dtype, x->rank, dims, elements, x->count);
    return true;
}

bool onnx_transpose(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    size_t count;
    const int64_t *axes = onnx_ints(n, "perm", &count);
    int64_t reversed[IR_RANK_LIMIT];

    if (!x)
        return false;
    for (int i = 0; i < onnx_rank(x); i++)
        reversed[i] = onnx_rank(x) - 1 - i;
    if (!axes || (count == 0 && onnx_rank(x) > 0)) {
        axes = reversed;
        count = (size_t)onnx_rank(x);
    }
    bool is_order = count == (size_t)onnx_rank(x);
    for (size_t i = 0; i < count && is_order; i++)
        is_order = axes[i] >= 0 && axes[i] < (int64_t)count;
    if (is_order && follow_transpose(n, axes))
        return true;
    return onnx_out(n, 0, onnx_permute(n->m, x, axes, (unsigned)count));
}

/* Followed vectors, one behind the other. */
static bool follow_concat(struct onnx_node *n)
{
    size_t count = 0, at = 0;
    const struct ir_expr **elements;

    for (unsigned i = 0; i < n->input_count; i++) {
        if (!onnx_has(n, i) || !onnx_value_is_known(n->m, n->inputs[i]) || n->inputs[i]->rank != 1)
            return false;
        count += n->inputs[i]->count;
    }
    if (count > ONNX_ELEMENT_LIMIT || n->input_count == 0)
        return false;
    elements = arena_array(n->m->arena, const struct ir_expr *, count + 1);
    for (unsigned i = 0; i < n->input_count; i++)
        for (size_t k = 0; k < n->inputs[i]->count; k++)
            elements[at++] = n->inputs[i]->elements[k];
    int64_t dims[] = {(int64_t)count};
    onnx_value_set_elements(n->m, &n->outputs[0], n->inputs[0]->dtype, 1, dims, elements, count);
    return true;
}

struct ir_value *onnx_join(struct onnx_node *n, struct ir_value **items, unsigned count,
                           int64_t axis)
{
    const struct ir_expr *dims[IR_RANK_LIMIT];

    for (unsigned i = 0; i < count; i++)
        if (!items[i])
            return NULL;
    for (unsigned i = 1; i < count; i++) {
        int rank = onnx_rank(items[i]);
        for (int k = 0; k < rank; k++)
            dims[k] = k == axis || rank != onnx_rank(items[0]) ? onnx_dims(items[i])[k]
                                                               : onnx_dims(items[0])[k];
        if (!(items[i] = onnx_with_dims(n->m, items[i], dims)))
            return NULL;
    }
    return onnx_concat(n->m, items, count, axis);
}

bool onnx_concat_node(struct onnx_node *n)
{
    struct ir_value **items = arena_array(n->m->arena, struct ir_value *, n->input_count + 1);
    int64_t axis;

    if (follow_concat(n))
        return true;
    for (unsigned i = 0; i < n->input_count; i++)
        if (!(items[i] = onnx_in(n, i)))
            return false;
    return n->input_count > 0 && onnx_axis(n, onnx_int(n, "axis", 1), onnx_rank(items[0]), &axis) &&
           onnx_out(n, 0, onnx_join(n, items, n->input_count, axis));
}

/* ---- slices ---- */

/* One axis of a slice. */
struct cut {
    int64_t axis;
    const struct ir_expr *begin, *end, *step;
};

/* A slice of followed elements; false: its limits are not numbers. */
static bool follow_cut(struct onnx_node *n, const struct cut *cut)
{
    struct onnx_value *x = n->inputs[0];
    int64_t begin, end, step, dims[IR_RANK_LIMIT];
    size_t inner = 1, outer = 1, count = 0;

    if (!onnx_value_is_known(n->m, x) || x->rank == 0 ||
        !ir_expr_constant(n->m->context, cut->begin, &begin) ||
        !ir_expr_constant(n->m->context, cut->end, &end) ||
        !ir_expr_constant(n->m->context, cut->step, &step) || step == 0)
        return false;
    for (unsigned i = 0; i < x->rank; i++) {
        dims[i] = x->dims[i];
        if (i < cut->axis)
            outer *= (size_t)dims[i];
        else if (i > cut->axis)
            inner *= (size_t)dims[i];
    }
    int64_t size = dims[cut->axis], low = step < 0 ? -1 : 0, high = step < 0 ? size - 1 : size;
    begin = begin < 0 ? begin + size : begin;
    end = end < 0 ? end + size : end;
    begin = begin < 0 ? 0 : begin > high ? high : begin;
    end = end < low ? low : end > high ? high : end;
    const struct ir_expr **elements =
        arena_array(n->m->arena, const struct ir_expr *, x->count + 1);
    for (size_t o = 0; o < outer; o++)
        for (int64_t i = begin; step > 0 ? i < end : i > end; i += step)
            for (size_t k = 0; k < inner; k++)
                elements[count++] = x->elements[(o * (size_t)size + (size_t)i) * inner + k];
    dims[cut->axis] = outer * inner > 0 ? (int64_t)(count / (outer * inner)) : 0;
    onnx_value_set_elements(n->m, &n->outputs[0], x->dtype, x->rank, dims, elements, count);
    return true;
}

static struct ir_value *prims(struct onnx_import *m, const struct ir_expr *const *items,
                              unsigned count)
{
    struct ir_value *values[IR_RANK_LIMIT];

    for (unsigned i = 0; i < count; i++)
        values[i] = ir_inline_prim(m->module, items[i]);
    return ir_inline_tuple(m->module, values, count);
}

static bool cut_all(struct onnx_node *n, struct ir_value *x, const struct cut *cuts, unsigned count)
{
    struct onnx_import *m = n->m;
    const struct ir_expr *parts[4][IR_RANK_LIMIT];

    for (unsigned i = 0; i < count; i++) {
        parts[0][i] = onnx_expr(m, cuts[i].axis);
        parts[1][i] = cuts[i].begin;
        parts[2][i] = cuts[i].end;
        parts[3][i] = cuts[i].step;
    }
    return onnx_out(n, 0,
                    MAKE(&m->b, OP_strided_slice, x, prims(m, parts[0], count),
                         prims(m, parts[1], count), prims(m, parts[2], count),
                         prims(m, parts[3], count)));
}

/* Part @part of a slice: an attribute before opset 10, then an input. */
static const struct ir_expr *const *slice_part(struct onnx_node *n, unsigned input,
                                               const char *name, size_t *out_count)
{
    const int64_t *items;
    const struct ir_expr **parts;

    if (n->opset >= 10)
        return onnx_in_ints(n, input, out_count);
    items = onnx_ints(n, name, out_count);
    if (!items) {
        onnx_refuse(n, "it has no `%s`", name);
        return NULL;
    }
    parts = arena_array(n->m->arena, const struct ir_expr *, *out_count + 1);
    for (size_t i = 0; i < *out_count; i++)
        parts[i] = onnx_expr(n->m, items[i]);
    return parts;
}

bool onnx_slice_node(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    size_t count = 0, end_count, axis_count = 0, step_count = 0;
    const struct ir_expr *const *begins = x ? slice_part(n, 1, "starts", &count) : NULL;
    const struct ir_expr *const *ends = begins ? slice_part(n, 2, "ends", &end_count) : NULL;
    const struct ir_expr *const *steps = NULL;
    const int64_t *axes = NULL;
    struct cut cuts[IR_RANK_LIMIT];

    if (!ends)
        return false;
    if (n->opset < 10)
        axes = onnx_ints(n, "axes", &axis_count);
    else if (onnx_has(n, 3) && !(axes = onnx_in_numbers(n, 3, &axis_count)))
        return false;
    if (onnx_has(n, 4) && !(steps = onnx_in_ints(n, 4, &step_count)))
        return false;
    if (end_count != count || (axes && axis_count != count) || (steps && step_count != count) ||
        count > (size_t)onnx_rank(x)) {
        onnx_refuse(n, "starts, ends, axes and steps are of different lengths");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        cuts[i] =
            (struct cut){(int64_t)i, begins[i], ends[i], steps ? steps[i] : onnx_expr(n->m, 1)};
        if (axes && !onnx_axis(n, axes[i], onnx_rank(x), &cuts[i].axis))
            return false;
    }
    if (count == 1 && follow_cut(n, &cuts[0]))
        return true;
    return cut_all(n, x, cuts, (unsigned)count);
}

/* ---- Split ---- */

bool onnx_split(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    size_t count = 0;
    const int64_t *sizes = NULL;
    int64_t axis, extent = 0, at = 0;

    if (!x || !onnx_axis(n, onnx_int(n, "axis", 0), onnx_rank(x), &axis))
        return false;
    if (onnx_has(n, 1) && n->opset >= 13 && !(sizes = onnx_in_numbers(n, 1, &count)))
        return false;
    if (!sizes && n->opset < 13)
        sizes = onnx_ints(n, "split", &count);
    bool is_known = ir_expr_constant(m->context, onnx_dims(x)[axis], &extent);
    if (!sizes && !is_known) {
        onnx_refuse(n, "the extent that it splits is not known");
        return false;
    }
    if (sizes && count != n->output_count) {
        onnx_refuse(n, "it has %zu parts for %u outputs", count, n->output_count);
        return false;
    }
    int64_t share = (extent + n->output_count - 1) / (n->output_count ? n->output_count : 1);
    for (unsigned i = 0; i < n->output_count; i++) {
        int64_t end = sizes ? at + sizes[i] : at + share;
        end = is_known && end > extent ? extent : end;
        struct onnx_node part = *n;
        part.outputs = &n->outputs[i];
        struct cut cut = {axis, onnx_expr(m, at), onnx_expr(m, end), onnx_expr(m, 1)};
        if (!follow_cut(&part, &cut) &&
            !onnx_out(n, i, onnx_slice(m, x, axis, cut.begin, cut.end, 1)))
            return false;
        at = end;
    }
    return true;
}

/* ---- Gather ---- */

static bool follow_gather(struct onnx_node *n)
{
    struct onnx_value *x = n->inputs[0], *at = n->inputs[1];
    const struct ir_expr **elements;

    if (!onnx_has(n, 0) || !onnx_has(n, 1) || !onnx_value_is_known(n->m, x) || x->rank != 1 ||
        !onnx_value_is_known(n->m, at))
        return false;
    elements = arena_array(n->m->arena, const struct ir_expr *, at->count + 1);
    for (size_t i = 0; i < at->count; i++) {
        int64_t index;
        if (!ir_expr_constant(n->m->context, at->elements[i], &index))
            return false;
        index = index < 0 ? index + (int64_t)x->count : index;
        if (index < 0 || index >= (int64_t)x->count)
            return false;
        elements[i] = x->elements[index];
    }
    onnx_value_set_elements(n->m, &n->outputs[0], x->dtype, at->rank, at->dims, elements,
                            at->count);
    return true;
}

/* Indices below 0 count from the end. */
struct ir_value *onnx_wrap_indices(struct onnx_node *n, struct onnx_value *value,
                                   struct ir_value *indices, const struct ir_expr *extent)
{
    struct onnx_import *m = n->m;
    bool is_plain = onnx_value_is_known(m, value);

    for (size_t i = 0; is_plain && i < value->count; i++)
        is_plain = ir_prove_ge(m->context, NULL, value->elements[i], onnx_expr(m, 0));
    if (is_plain || indices->type->dtype.code == IR_UINT)
        return indices;
    struct ir_dtype dtype = indices->type->dtype;
    struct onnx_value size = {0};
    onnx_value_set_elements(m, &size, dtype, 0, NULL, &extent, 1);
    struct ir_value *wrapped = MAKE(&m->b, OP_add, indices, onnx_value_tensor(m, &size));
    return MAKE(&m->b, OP_where, MAKE(&m->b, OP_less, indices, onnx_scalar(m, dtype, 0)), wrapped,
                indices);
}

bool onnx_gather(struct onnx_node *n)
{
    struct ir_value *x, *indices;
    int64_t axis;

    if (follow_gather(n))
        return true;
    x = onnx_in(n, 0);
    indices = x ? onnx_in(n, 1) : NULL;
    if (!indices || !onnx_axis(n, onnx_int(n, "axis", 0), onnx_rank(x), &axis))
        return false;
    indices = onnx_wrap_indices(n, n->inputs[1], indices, onnx_dims(x)[axis]);
    return onnx_out(n, 0,
                    MAKE_WITH(&n->m->b, OP_take,
                              ((struct make_attr){"axis", onnx_attr_int(n->m, axis)}), x, indices));
}

/* ---- Pad ---- */

/* An int64 tensor of rank 0. */
static struct ir_value *size_tensor(struct onnx_import *m, const struct ir_expr *size)
{
    struct onnx_value value = {0};

    onnx_value_set_elements(m, &value, IR_I64, 0, NULL, &size, 1);
    return onnx_value_tensor(m, &value);
}

/* The same as pad_axis() where only the run knows the extent: the places are worked out then. */
static struct ir_value *pad_open(struct onnx_import *m, struct ir_value *x, int64_t axis,
                                 int64_t before, int64_t after, const char *mode)
{
    const struct ir_expr *extent = onnx_dims(x)[axis], *one = onnx_expr(m, 1);
    const struct ir_expr *last = onnx_op(m, IR_EXPR_sub, extent, one);
    const struct ir_expr *period =
        onnx_op(m, IR_EXPR_max, onnx_op(m, IR_EXPR_mul, last, onnx_expr(m, 2)), one);
    const struct ir_expr *limits[] = {
        onnx_expr(m, 0), onnx_op(m, IR_EXPR_add, extent, onnx_expr(m, before + after)), one};
    struct ir_value *operands[3], *size = size_tensor(m, extent), *at;
    struct make_attr attr = {"dtype", ir_attr_dtype(m->context, IR_I64)};

    for (unsigned i = 0; i < 3; i++)
        operands[i] = ir_inline_prim(m->module, limits[i]);
    at = make_op(&m->b, OP_arange, operands, 3, &attr, 1);
    at = MAKE(&m->b, OP_subtract, at, onnx_scalar(m, IR_I64, (double)before));
    if (strcmp(mode, "edge") == 0) {
        at = MAKE(&m->b, OP_minimum, at, MAKE(&m->b, OP_subtract, size, onnx_scalar(m, IR_I64, 1)));
        at = MAKE(&m->b, OP_maximum, at, onnx_scalar(m, IR_I64, 0));
    } else if (strcmp(mode, "wrap") == 0) {
        at =
            MAKE(&m->b, OP_floor_mod, at, MAKE(&m->b, OP_maximum, size, onnx_scalar(m, IR_I64, 1)));
    } else {
        struct ir_value *turn = size_tensor(m, period);
        at = MAKE(&m->b, OP_floor_mod, at, turn);
        at = MAKE(&m->b, OP_where, MAKE(&m->b, OP_greater_equal, at, size),
                  MAKE(&m->b, OP_subtract, turn, at), at);
    }
    return MAKE_WITH(&m->b, OP_take, ((struct make_attr){"axis", onnx_attr_int(m, axis)}), x, at);
}

/* Symmetric, edge, reflect and wrap paddings by taking along each axis. */
static struct ir_value *pad_axis(struct onnx_node *n, struct ir_value *x, int64_t axis,
                                 int64_t before, int64_t after, const char *mode)
{
    struct onnx_import *m = n->m;
    int64_t extent;

    if (before == 0 && after == 0)
        return x;
    if (!ir_expr_constant(m->context, onnx_dims(x)[axis], &extent))
        return pad_open(m, x, axis, before, after, mode);
    if (extent == 0 || before + after + extent > INT32_MAX || before + after + extent < 0) {
        onnx_refuse(n, "it pads an extent that is empty or too large");
        return NULL;
    }
    int64_t count = extent + before + after, dims[] = {count};
    int64_t *places = arena_array(m->arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = i - before, period = extent > 1 ? 2 * (extent - 1) : 1;
        if (strcmp(mode, "edge") == 0)
            at = at < 0 ? 0 : at >= extent ? extent - 1 : at;
        else if (strcmp(mode, "wrap") == 0)
            at = ((at % extent) + extent) % extent;
        else {
            at = ((at % period) + period) % period;
            at = at >= extent ? period - at : at;
        }
        places[i] = at;
    }
    return MAKE_WITH(&m->b, OP_take, ((struct make_attr){"axis", onnx_attr_int(m, axis)}), x,
                     onnx_constant(m, IR_I64, dims, 1, places));
}

/* Negative pads cut. */
static struct ir_value *cut_negative(struct onnx_node *n, struct ir_value *x, int64_t axis,
                                     int64_t *before, int64_t *after)
{
    struct onnx_import *m = n->m;
    int64_t head = *before < 0 ? -*before : 0, tail = *after < 0 ? -*after : 0;

    if (head == 0 && tail == 0)
        return x;
    *before = *before < 0 ? 0 : *before;
    *after = *after < 0 ? 0 : *after;
    return onnx_slice(m, x, axis, onnx_expr(m, head),
                      onnx_op(m, IR_EXPR_sub, onnx_dims(x)[axis], onnx_expr(m, tail)), 1);
}

static struct ir_value *pad_constant(struct onnx_node *n, struct ir_value *x, int64_t axis,
                                     int64_t before, int64_t after, struct ir_value *fill)
{
    struct onnx_import *m = n->m;
    struct ir_value *items[3];
    const struct ir_expr *dims[IR_RANK_LIMIT];
    unsigned count = 0;

    for (int i = 0; i < onnx_rank(x); i++)
        dims[i] = onnx_dims(x)[i];
    for (int part = 0; part < 3; part++) {
        int64_t extent = part == 0 ? before : after;
        if (part == 1) {
            items[count++] = x;
        } else if (extent > 0) {
            dims[axis] = onnx_expr(m, extent);
            items[count++] = onnx_broadcast(m, fill, dims, (unsigned)onnx_rank(x));
        }
    }
    return count == 1 ? x : onnx_concat(m, items, count, axis);
}

/* The value of constant padding: an attribute before opset 11, then an input. */
static struct ir_value *fill_of(struct onnx_node *n, struct ir_value *x)
{
    struct ir_value *given;

    if (n->opset < 11 || !onnx_has(n, 2))
        return onnx_scalar(n->m, x->type->dtype, n->opset < 11 ? onnx_float(n, "value", 0) : 0);
    given = onnx_in(n, 2);
    return given && onnx_rank(given) ? onnx_reshape(n->m, given, NULL, 0) : given;
}

bool onnx_pad(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    const char *mode = onnx_string(n, "mode", "constant");
    size_t count = 0, axis_count = 0;
    const int64_t *pads = NULL, *axes = NULL;
    struct ir_value *fill = x ? fill_of(n, x) : NULL;

    if (!fill)
        return false;
    pads = n->opset < 11 ? onnx_ints(n, "pads", &count) : onnx_in_numbers(n, 1, &count);
    if (!pads || (onnx_has(n, 3) && !(axes = onnx_in_numbers(n, 3, &axis_count))))
        return false;
    size_t padded = axes ? axis_count : (size_t)onnx_rank(x);
    if (count != 2 * padded) {
        onnx_refuse(n, "it has %zu pads for %zu axes", count, padded);
        return false;
    }
    for (size_t i = 0; i < padded && x; i++) {
        int64_t axis, before = pads[i], after = pads[i + padded];
        if (!onnx_axis(n, axes ? axes[i] : (int64_t)i, onnx_rank(x), &axis))
            return false;
        x = cut_negative(n, x, axis, &before, &after);
        if (x && strcmp(mode, "constant") == 0)
            x = pad_constant(n, x, axis, before, after, fill);
        else if (x)
            x = pad_axis(n, x, axis, before, after, mode);
    }
    return onnx_out(n, 0, x);
}

/* ---- blocks of space ---- */

static bool space(struct onnx_node *n, bool to_depth)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    int64_t size = onnx_int(n, "blocksize", 0);
    bool is_crd = strcmp(onnx_string(n, "mode", "DCR"), "CRD") == 0;

    if (!x)
        return false;
    if (onnx_rank(x) != 4 || size < 1 || size > INT32_MAX) {
        onnx_refuse(n, "it wants 4 axes and a positive blocksize");
        return false;
    }
    const struct ir_expr *const *d = onnx_dims(x), *b = onnx_expr(m, size);
    const struct ir_expr *bb = onnx_expr(m, size * size);
    if (to_depth) {
        static const int64_t depth[] = {0, 3, 5, 1, 2, 4}, column[] = {0, 1, 3, 5, 2, 4};
        const int64_t *axes = is_crd ? column : depth;
        const struct ir_expr *h = onnx_op(m, IR_EXPR_floordiv, d[2], b);
        const struct ir_expr *w = onnx_op(m, IR_EXPR_floordiv, d[3], b);
        const struct ir_expr *apart[] = {d[0], d[1], h, b, w, b};
        const struct ir_expr *dims[] = {d[0], onnx_op(m, IR_EXPR_mul, d[1], bb), h, w};
        return onnx_out(
            n, 0, onnx_reshape(m, onnx_permute(m, onnx_reshape(m, x, apart, 6), axes, 6), dims, 4));
    }
    static const int64_t dcr[] = {0, 3, 4, 1, 5, 2}, crd[] = {0, 1, 4, 2, 5, 3};
    const struct ir_expr *c = onnx_op(m, IR_EXPR_floordiv, d[1], bb);
    const struct ir_expr *apart_dcr[] = {d[0], b, b, c, d[2], d[3]};
    const struct ir_expr *apart_crd[] = {d[0], c, b, b, d[2], d[3]};
    const struct ir_expr *dims[] = {d[0], c, onnx_op(m, IR_EXPR_mul, d[2], b),
                                    onnx_op(m, IR_EXPR_mul, d[3], b)};
    struct ir_value *apart = onnx_reshape(m, x, is_crd ? apart_crd : apart_dcr, 6);
    return onnx_out(n, 0, onnx_reshape(m, onnx_permute(m, apart, is_crd ? crd : dcr, 6), dims, 4));
}

bool onnx_depth_to_space(struct onnx_node *n)
{
    return space(n, false);
}

bool onnx_space_to_depth(struct onnx_node *n)
{
    return space(n, true);
}

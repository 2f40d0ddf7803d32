/* Regions, places and patches of images: RoiAlign, MaxUnpool, Col2Im, DeformConv; and Det. */
#include "frontend/onnx/families.h"
#include "frontend/onnx/window.h"

#include <stdio.h>
#include <string.h>

#define ADD(x_, y_) MAKE(&m->b, OP_add, x_, y_)

static const struct ir_expr *product(struct onnx_import *m, const struct ir_expr *const *dims,
                                     int count)
{
    const struct ir_expr *size = onnx_expr(m, 1);

    for (int i = 0; i < count; i++)
        size = onnx_op(m, IR_EXPR_mul, size, dims[i]);
    return size;
}

/* ---- RoiAlign ---- */

struct roi {
    double scale, offset; /* offset: of half an element */
    long long cells[2], samples, extent[2];
    bool is_max;
};

/* Along axis @i (0: y) of a cell: where it begins, how large it is, how many samples it has. */
static void put_roi_axis(struct text *t, const struct roi *r, unsigned i)
{
    char c = "yx"[i];

    text_printf(
        t,
        "            first_%c: T.float32 = a1[v, %u] * T.float32(%.9g) - T.float32(%g)\n"
        "            reach_%c: T.float32 = a1[v, %u] * T.float32(%.9g) - T.float32(%g) - "
        "first_%c\n"
        "            cell_%c: T.float32 = T.max(reach_%c, T.float32(%s)) / T.float32(%lld)\n"
        "            count_%c: T.int64 = ",
        c, 1 - i, r->scale, r->offset, c, 3 - i, r->scale, r->offset, c, c, c,
        r->offset != 0 ? "-3.4e38" : "1", r->cells[i], c);
    if (r->samples > 0)
        text_printf(t, "T.int64(%lld)\n", r->samples);
    else
        text_printf(t, "T.Cast(\"int64\", T.ceil(cell_%c))\n", c);
}

/* A sample along axis @i: the elements beside it and its distance to the first one. */
static void put_roi_place(struct text *t, const struct roi *r, unsigned i)
{
    char c = "yx"[i];

    text_printf(
        t,
        "                at_%c: T.float32 = first_%c + T.Cast(\"float32\", %s) * cell_%c + "
        "(T.Cast(\"float32\", s%c) + T.float32(0.5)) * cell_%c / T.Cast(\"float32\", "
        "count_%c)\n"
        "                in_%c: T.float32 = T.min(T.max(at_%c, T.float32(0)), T.float32(%lld))\n"
        "                low_%c: T.int64 = T.Cast(\"int64\", T.floor(in_%c))\n"
        "                high_%c: T.int64 = T.min(low_%c + T.int64(1), T.int64(%lld))\n"
        "                part_%c: T.float32 = in_%c - T.floor(in_%c)\n",
        c, c, i ? "w" : "h", c, c, c, c, c, c, r->extent[i] - 1, c, c, c, c, r->extent[i] - 1, c, c,
        c);
}

static void put_roi(struct text *t, const struct roi *r)
{
    static const char corner[] =
        "                c%d: T.float32 = (%spart_y) * (%spart_x) * a0[T.Cast(\"int64\", a2[v]), d, "
        "%s_y, %s_x]\n";

    text_printf(t,
                "    for n, c, i, j in T.grid(r0.shape[0], r0.shape[1], %lld, %lld):\n"
                "        with T.block(\"roi_align\"):\n"
                "            v, d, h, w = T.axis.remap(\"SSSS\", [n, c, i, j])\n"
                "            total = T.alloc_buffer((1,), \"float32\")\n",
                r->cells[0], r->cells[1]);
    put_roi_axis(t, r, 0);
    put_roi_axis(t, r, 1);
    text_puts(t, "            total[0] = T.float32(0)\n"
                 "            for sy, sx in T.grid(count_y, count_x):\n");
    put_roi_place(t, r, 0);
    put_roi_place(t, r, 1);
    for (int i = 0; i < 4; i++)
        text_printf(t, corner, i, i < 2 ? "T.float32(1) - " : "", i % 2 ? "" : "T.float32(1) - ",
                    i < 2 ? "low" : "high", i % 2 ? "high" : "low");
    text_printf(t,
                "                is_near: T.bool = at_y >= T.float32(-1) and at_y <= "
                "T.float32(%lld) and at_x >= T.float32(-1) and at_x <= T.float32(%lld)\n",
                r->extent[0], r->extent[1]);
    if (r->is_max)
        text_puts(t,
                  "                best: T.float32 = T.if_then_else(is_near, T.max(T.max(c0, c1), "
                  "T.max(c2, c3)), T.float32(0))\n"
                  "                total[0] = T.if_then_else(sy == 0 and sx == 0, best, "
                  "T.max(total[0], best))\n            r0[v, d, h, w] = total[0]\n");
    else
        text_puts(t,
                  "                total[0] = total[0] + T.if_then_else(is_near, c0 + c1 + c2 + "
                  "c3, T.float32(0))\n            r0[v, d, h, w] = total[0] / T.Cast(\"float32\", "
                  "T.max(count_y * count_x, T.int64(1)))\n");
}

/*
 * A kernel of its own: the maximum of ONNX is that of the four weighted elements around each sample, not that of the
 * samples.
 */
bool onnx_roi_align(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *in[3] = {NULL};
    struct roi r = {.cells = {onnx_int(n, "output_height", 1), onnx_int(n, "output_width", 1)}};
    struct text t = {0};
    int64_t extents[2];

    if (!x || !(in[1] = onnx_in(n, 1)) || !(in[2] = onnx_in(n, 2)))
        return false;
    if (onnx_rank(x) != 4 || onnx_rank(in[1]) != 2 || onnx_rank(in[2]) != 1 ||
        !ir_expr_constant(m->context, onnx_dims(x)[2], &extents[0]) ||
        !ir_expr_constant(m->context, onnx_dims(x)[3], &extents[1]) || r.cells[0] < 1 ||
        r.cells[1] < 1) {
        onnx_refuse(n, "only images of known height and width, and rows of regions, are read");
        return false;
    }
    for (int i = 0; i < 2; i++)
        r.extent[i] = extents[i];
    bool is_old = n->opset < 16;
    const char *mode = onnx_string(n, "coordinate_transformation_mode",
                                   is_old ? "output_half_pixel" : "half_pixel");
    r.offset = strcmp(mode, "half_pixel") == 0 ? 0.5 : 0;
    r.scale = onnx_float(n, "spatial_scale", 1);
    r.samples = onnx_int(n, "sampling_ratio", 0);
    r.is_max = strcmp(onnx_string(n, "mode", "avg"), "max") == 0;
    in[0] = onnx_cast(m, x, IR_F32);
    in[1] = onnx_cast(m, in[1], IR_F32);
    const struct ir_expr *dims[] = {onnx_dims(in[2])[0], onnx_dims(x)[1], onnx_expr(m, r.cells[0]),
                                    onnx_expr(m, r.cells[1])};
    const struct ir_type *result = ir_type_tensor(m->context, IR_F32, dims, 4);
    put_roi(&t, &r);
    struct ir_value *y = onnx_kernel(m, "roi_align", in, 3, &result, 1, text_string(&t));
    text_finish(&t);
    return onnx_out(n, 0, onnx_cast(m, y, x->type->dtype));
}

/* Number @i of a list of attributes, or @missing. */
static int64_t listed(const struct onnx_node *n, const char *name, size_t i, int64_t missing)
{
    size_t count;
    const int64_t *items = onnx_ints(n, name, &count);

    return items && i < count ? items[i] : missing;
}

/* ---- MaxUnpool ---- */

bool onnx_max_unpool(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *at = x ? onnx_in(n, 1) : NULL;
    const struct ir_expr *dims[IR_RANK_LIMIT], *const *wanted = NULL;
    size_t kernel_count, count;
    const int64_t *kernel = onnx_ints(n, "kernel_shape", &kernel_count);

    if (!at || (onnx_has(n, 2) && !(wanted = onnx_in_ints(n, 2, &count))))
        return false;
    int rank = onnx_rank(x);
    if (!kernel || rank < 3 || (int)kernel_count != rank - 2 || (wanted && (int)count != rank)) {
        onnx_refuse(n, "kernel_shape or output_shape do not fit its input");
        return false;
    }
    for (int i = 0; i < rank; i++) {
        size_t k = (size_t)(i < 2 ? 0 : i - 2);
        dims[i] = onnx_dims(x)[i];
        if (i < 2)
            continue;
        dims[i] = onnx_op(m, IR_EXPR_sub, dims[i], onnx_expr(m, 1));
        dims[i] = onnx_op(m, IR_EXPR_mul, dims[i], onnx_expr(m, listed(n, "strides", k, 1)));
        int64_t pads = listed(n, "pads", k, 0) + listed(n, "pads", k + kernel_count, 0);
        dims[i] = onnx_op(m, IR_EXPR_add, dims[i], onnx_expr(m, kernel[k] - pads));
    }
    const struct ir_expr *all = product(m, dims, rank), *few = product(m, onnx_dims(x), rank);
    struct ir_value *zero = onnx_scalar(m, x->type->dtype, 0);
    struct ir_value *operands[] = {onnx_broadcast(m, zero, &all, 1),
                                   onnx_reshape(m, onnx_cast(m, at, IR_I64), &few, 1),
                                   onnx_reshape(m, x, &few, 1)};
    struct make_attr attrs[] = {{"axis", onnx_attr_int(m, 0)},
                                {"reduction", onnx_attr_string(m, "update")}};
    struct ir_value *y = make_op(&m->b, OP_scatter_elements, operands, 3, attrs, 2);
    y = y ? onnx_reshape(m, y, dims, (unsigned)rank) : NULL;
    for (int i = 0; i < rank && wanted && y; i++) { /* zeros behind what there is */
        if (ir_prove_equal(m->context, wanted[i], dims[i]))
            continue;
        const struct ir_expr *rest = onnx_op(m, IR_EXPR_sub, wanted[i], dims[i]);
        dims[i] = rest;
        struct ir_value *both[] = {y, onnx_broadcast(m, zero, dims, (unsigned)rank)};
        dims[i] = wanted[i];
        y = onnx_concat(m, both, 2, i);
    }
    return onnx_out(n, 0, y);
}

/* ---- Col2Im ---- */

/* Missing axes in front are of one element. */
struct patches {
    long long image[3], block[3], stride[3], dilation[3], before[3], count[3];
};

static bool read_patches(struct onnx_node *n, struct patches *p, size_t *out_rank)
{
    size_t rank, block_count;
    const int64_t *image = onnx_in_numbers(n, 1, &rank);
    const int64_t *block = image ? onnx_in_numbers(n, 2, &block_count) : NULL;

    if (!block)
        return false;
    if (rank < 1 || rank > 3 || block_count != rank) {
        onnx_refuse(n, "its image has %zu axes, its blocks %zu; at most 3 are read", rank,
                    block_count);
        return false;
    }
    for (size_t k = 0; k < 3; k++) {
        bool is_there = k + rank >= 3;
        size_t i = is_there ? k + rank - 3 : 0;
        p->image[k] = is_there ? image[i] : 1;
        p->block[k] = is_there ? block[i] : 1;
        p->stride[k] = is_there ? listed(n, "strides", i, 1) : 1;
        p->dilation[k] = is_there ? listed(n, "dilations", i, 1) : 1;
        p->before[k] = is_there ? listed(n, "pads", i, 0) : 0;
        long long all =
            p->image[k] + p->before[k] + (is_there ? listed(n, "pads", i + rank, 0) : 0);
        const long long sizes[] = {p->image[k], p->block[k], p->stride[k], p->dilation[k],
                                   p->before[k] + 1};
        for (size_t each = 0; each < ARRAY_SIZE(sizes); each++)
            if (sizes[each] < 1 || sizes[each] > 1 << 20) {
                onnx_refuse(n, "its sizes mean nothing");
                return false;
            }
        p->count[k] = (all - p->dilation[k] * (p->block[k] - 1) - 1) / p->stride[k] + 1;
    }
    *out_rank = rank;
    return true;
}

/* Each element of the image sums the patches that it is in. */
static void put_patches(struct text *t, const struct patches *p, const char *dtype)
{
    static const char at[] = "xyz", in[] = "pqr";

    text_printf(t,
                "    for n, c, i, j, k in T.grid(r0.shape[0], r0.shape[1], %lld, %lld, %lld):\n"
                "        with T.block(\"patches\"):\n"
                "            b, d, x, y, z = T.axis.remap(\"SSSSS\", [n, c, i, j, k])\n"
                "            r0[b, d, x, y, z] = T.Cast(\"%s\", 0)\n"
                "            for p, q, r in T.grid(%lld, %lld, %lld):\n                if ",
                p->image[0], p->image[1], p->image[2], dtype, p->block[0], p->block[1],
                p->block[2]);
    for (int i = 0; i < 3; i++) {
        char place[80];
        snprintf(place, sizeof(place), "(%c + %lld - %c * %lld)", at[i], p->before[i], in[i],
                 p->dilation[i]);
        text_printf(t, "%s%s >= 0 and %s %% %lld == 0 and %s // %lld < %lld", i ? " and " : "",
                    place, place, p->stride[i], place, p->stride[i], p->count[i]);
    }
    text_printf(
        t,
        ":\n                    r0[b, d, x, y, z] = r0[b, d, x, y, z] + a0[b, ((d * %lld "
        "+ p) * %lld + q) * %lld + r, ((x + %lld - p * %lld) // %lld * %lld + (y + %lld - q "
        "* %lld) // %lld) * %lld + (z + %lld - r * %lld) // %lld]\n",
        p->block[0], p->block[1], p->block[2], p->before[0], p->dilation[0], p->stride[0],
        p->count[1], p->before[1], p->dilation[1], p->stride[1], p->count[2], p->before[2],
        p->dilation[2], p->stride[2]);
}

bool onnx_col2im(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    struct patches p;
    struct text t = {0};
    size_t rank;
    char dtype[32];

    if (!x || !read_patches(n, &p, &rank))
        return false;
    const struct ir_expr *columns = onnx_expr(m, p.count[0] * p.count[1] * p.count[2]);
    if (onnx_rank(x) != 3 || !ir_prove_equal(m->context, onnx_dims(x)[2], columns)) {
        onnx_refuse(n, "its columns are not those of its image and blocks");
        return false;
    }
    const struct ir_expr *each = onnx_expr(m, p.block[0] * p.block[1] * p.block[2]);
    const struct ir_expr *dims[5] = {onnx_dims(x)[0],
                                     onnx_op(m, IR_EXPR_floordiv, onnx_dims(x)[1], each)};
    for (int i = 0; i < 3; i++)
        dims[i + 2] = onnx_expr(m, p.image[i]);
    const struct ir_type *result = ir_type_tensor(m->context, x->type->dtype, dims, 5);
    put_patches(&t, &p, ir_dtype_name(x->type->dtype, dtype));
    struct ir_value *y = onnx_kernel(m, "col2im", &x, 1, &result, 1, text_string(&t));
    text_finish(&t);
    for (size_t i = 0; i < rank; i++)
        dims[i + 2] = onnx_expr(m, p.image[i + 3 - rank]);
    return onnx_out(n, 0, y ? onnx_reshape(m, y, dims, 2 + (unsigned)rank) : NULL);
}

/* ---- DeformConv ---- */

struct deformed {
    struct onnx_window window;
    long long channels, height, width, offset_groups;
    bool has_mask;
};

/* The data where each position of the window is taken, (batch, channel, kh, kw, oh, ow). */
static void put_samples(struct text *t, const struct deformed *d)
{
    const int64_t *k = d->window.kernel;
    long long each = d->channels / d->offset_groups;
    static const char *const corners[][2] = {{"iy", "ix"},
                                             {"iy", "ix + T.int64(1)"},
                                             {"iy + T.int64(1)", "ix"},
                                             {"iy + T.int64(1)", "ix + T.int64(1)"}};
    static const char *const weights[] = {"(T.float32(1) - ly) * (T.float32(1) - lx)",
                                          "(T.float32(1) - ly) * lx", "ly * (T.float32(1) - lx)",
                                          "ly * lx"};

    text_printf(t,
                "    for n, c, i, j, y0, x0 in T.grid(r0.shape[0], %lld, %lld, %lld, r0.shape[4], "
                "r0.shape[5]):\n        with T.block(\"samples\"):\n"
                "            b, d, p, q, v, w = T.axis.remap(\"SSSSSS\", [n, c, i, j, y0, x0])\n",
                d->channels, (long long)k[0], (long long)k[1]);
    for (int axis = 0; axis < 2; axis++)
        text_printf(
            t,
            "            at%d: T.float32 = T.Cast(\"float32\", %c * %lld - %lld + %c * %lld) "
            "+ a1[b, ((d // %lld * %lld + p) * %lld + q) * 2 + %d, v, w]\n"
            "            f%d: T.float32 = T.floor(at%d)\n"
            "            l%c: T.float32 = at%d - f%d\n"
            "            i%c: T.int64 = T.Cast(\"int64\", f%d)\n",
            axis, axis ? 'w' : 'v', (long long)d->window.strides[axis],
            (long long)d->window.pads[axis], axis ? 'q' : 'p', (long long)d->window.dilations[axis],
            each, (long long)k[0], (long long)k[1], axis, axis, axis, axis ? 'x' : 'y', axis, axis,
            axis ? 'x' : 'y', axis);
    text_puts(t, "            r0[b, d, p, q, v, w] = (");
    for (int i = 0; i < 4; i++)
        text_printf(
            t,
            "%sT.if_then_else(%s >= 0 and %s < %lld and %s >= 0 and %s < %lld, a0[b, d, %s, "
            "%s], T.float32(0)) * (%s)",
            i ? " + " : "", corners[i][0], corners[i][0], d->height, corners[i][1], corners[i][1],
            d->width, corners[i][0], corners[i][1], weights[i]);
    if (d->has_mask)
        text_printf(t, ") * a2[b, (d // %lld * %lld + p) * %lld + q, v, w]\n", each,
                    (long long)k[0], (long long)k[1]);
    else
        text_puts(t, ")\n");
}

bool onnx_deform_conv(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *w = x ? onnx_in(n, 1) : NULL,
                    *offset = w ? onnx_in(n, 2) : NULL, *in[3];
    struct deformed d = {.offset_groups = onnx_int(n, "offset_group", 1),
                         .has_mask = onnx_has(n, 4)};
    int64_t sizes[3], groups = onnx_int(n, "group", 1), outputs;
    struct text t = {0};

    if (!offset)
        return false;
    bool is_image = onnx_rank(x) == 4 && onnx_rank(w) == 4 && onnx_rank(offset) == 4;
    for (int i = 0; i < 3 && is_image; i++)
        is_image = ir_expr_constant(m->context, onnx_dims(x)[i + 1], &sizes[i]);
    if (!is_image || !ir_expr_constant(m->context, onnx_dims(w)[0], &outputs) ||
        d.offset_groups < 1 || groups < 1 || sizes[0] % d.offset_groups || sizes[0] % groups ||
        outputs % groups) {
        onnx_refuse(n,
                    "only images of known channels, height and width, in whole groups, are read");
        return false;
    }
    if (!onnx_window_read(n, &d.window, x, w))
        return false;
    d.channels = sizes[0];
    d.height = sizes[1];
    d.width = sizes[2];
    in[0] = onnx_cast(m, x, IR_F32);
    in[1] = onnx_cast(m, offset, IR_F32);
    in[2] = d.has_mask ? onnx_in(n, 4) : NULL;
    in[2] = onnx_cast(m, in[2], IR_F32);
    const struct ir_expr *high = onnx_dims(offset)[2], *wide = onnx_dims(offset)[3];
    const struct ir_expr *kernel[] = {onnx_expr(m, d.window.kernel[0]),
                                      onnx_expr(m, d.window.kernel[1])};
    const struct ir_expr *dims[] = {
        onnx_dims(x)[0], onnx_dims(x)[1], kernel[0], kernel[1], high, wide};
    const struct ir_type *result = ir_type_tensor(m->context, IR_F32, dims, 6);
    put_samples(&t, &d);
    struct ir_value *samples =
        onnx_kernel(m, "deformed", in, d.has_mask ? 3 : 2, &result, 1, text_string(&t));
    text_finish(&t);
    /* (group, outputs, taps) times (batch, group, taps, places) */
    int64_t taps = sizes[0] / groups * d.window.kernel[0] * d.window.kernel[1];
    const struct ir_expr *places = onnx_op(m, IR_EXPR_mul, high, wide);
    const struct ir_expr *rows[] = {onnx_expr(m, groups), onnx_expr(m, outputs / groups),
                                    onnx_expr(m, taps)};
    const struct ir_expr *columns[] = {onnx_dims(x)[0], rows[0], rows[2], places};
    const struct ir_expr *out[] = {onnx_dims(x)[0], onnx_expr(m, outputs), high, wide};
    struct ir_value *y = samples ? onnx_reshape(m, samples, columns, 4) : NULL;
    y = MAKE(&m->b, OP_matmul, onnx_reshape(m, onnx_cast(m, w, IR_F32), rows, 3), y);
    y = y ? onnx_reshape(m, y, out, 4) : NULL;
    if (y && onnx_has(n, 3)) {
        struct ir_value *bias = onnx_in(n, 3);
        y = bias ? ADD(y, onnx_cast(m, onnx_along(m, bias, 1, 4), IR_F32)) : NULL;
    }
    return onnx_out(n, 0, onnx_cast(m, y, x->type->dtype));
}

/* ---- Det ---- */

/* Gauss's elimination of each matrix, with the largest of a column as pivot. */
static void put_det(struct text *t, long long size, const char *dtype)
{
    text_printf(t,
                "    for i in range(a0.shape[0]):\n        with T.block(\"det\"):\n"
                "            b = T.axis.spatial(a0.shape[0], i)\n"
                "            rows = T.alloc_buffer((%lld, %lld), \"%s\")\n"
                "            det = T.alloc_buffer((1,), \"%s\")\n"
                "            held = T.alloc_buffer((1,), \"%s\")\n"
                "            best = T.alloc_buffer((1,), \"int64\")\n"
                "            for j, k in T.grid(%lld, %lld):\n"
                "                rows[j, k] = a0[b, j, k]\n"
                "            det[0] = T.Cast(\"%s\", 1)\n",
                size, size, dtype, dtype, dtype, size, size, dtype);
    text_printf(t,
                "            for c in range(%lld):\n                best[0] = T.int64(c)\n"
                "                for j in range(%lld):\n"
                "                    if j > c and T.fabs(rows[j, c]) > T.fabs(rows[best[0], c]):\n"
                "                        best[0] = T.int64(j)\n"
                "                if best[0] != c:\n"
                "                    det[0] = T.Cast(\"%s\", 0) - det[0]\n"
                "                    for k in range(%lld):\n"
                "                        held[0] = rows[c, k]\n"
                "                        rows[c, k] = rows[best[0], k]\n"
                "                        rows[best[0], k] = held[0]\n"
                "                det[0] = det[0] * rows[c, c]\n",
                size, size, dtype, size);
    text_printf(t,
                "                for j in range(%lld):\n"
                "                    if j > c and rows[c, c] != T.Cast(\"%s\", 0):\n"
                "                        held[0] = rows[j, c] / rows[c, c]\n"
                "                        for k in range(%lld):\n"
                "                            rows[j, k] = rows[j, k] - held[0] * rows[c, k]\n"
                "            r0[b] = det[0]\n",
                size, dtype, size);
}

bool onnx_det(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    int64_t size = 0;
    struct text t = {0};
    char name[32];

    if (!x)
        return false;
    int outer = onnx_rank(x) - 2;
    if (outer < 0 || !ir_prove_equal(m->context, onnx_dims(x)[outer], onnx_dims(x)[outer + 1]) ||
        !ir_expr_constant(m->context, onnx_dims(x)[outer], &size)) {
        onnx_refuse(n, "its last two axes are no square of a known size");
        return false;
    }
    struct ir_dtype dtype = ir_dtype_equal(x->type->dtype, IR_F64) ? IR_F64 : IR_F32;
    const struct ir_expr *dims[] = {product(m, onnx_dims(x), outer), onnx_dims(x)[outer],
                                    onnx_dims(x)[outer]};
    const struct ir_type *result = ir_type_tensor(m->context, dtype, dims, 1);
    struct ir_value *flat = onnx_reshape(m, onnx_cast(m, x, dtype), dims, 3);
    put_det(&t, size, ir_dtype_name(dtype, name));
    struct ir_value *y = onnx_kernel(m, "det", &flat, 1, &result, 1, text_string(&t));
    text_finish(&t);
    y = y ? onnx_reshape(m, y, onnx_dims(x), (unsigned)outer) : NULL;
    return onnx_out(n, 0, onnx_cast(m, y, x->type->dtype));
}

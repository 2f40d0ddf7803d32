/* Types of operators on images and boxes. */
#include "ops/fits.h"

#include <string.h>

/* Matrices with a row for each axis; false after a report. */
static bool check_affine(const struct infer *in)
{
    const struct ir_type *type = op_tensor(in, 0), *size = op_shape(in, 1);

    for (int d = 1; type && type->dims && size && size->ndim != IR_NDIM_UNKNOWN && d < 3; d++) {
        const struct ir_expr *wanted = op_int(in, size->ndim + d - 1);
        const char *first = d == 1 ? "the number of axes of `size`" : "that of axes and one more";
        const char *second = arena_printf(&in->context->arena, "dimension %d of `data`", d);
        if (!op_check_same(in, wanted, first, type->dims[d], second, "data"))
            return false;
    }
    return true;
}

/* (n, rank of the image, size..), the coordinates of each point. */
const struct ir_type *infer_affine_grid(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0), *size = op_shape(&in, 1);

    if (type == NULL || size == NULL)
        return NULL;
    if (size->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, type->dtype, NULL, IR_NDIM_UNKNOWN);
    if (size->ndim < 1 || size->ndim > 3) {
        diag_report(diag, op_argument_place(&in, "size"), OP_ATTRIBUTE, op->info->name, "size",
                    arena_printf(&in.context->arena, "has 1 to 3 numbers, not %d", size->ndim));
        return NULL;
    }
    if (!check_affine(&in))
        return NULL;
    if (type->dims == NULL || size->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, size->ndim + 2);
    const struct ir_expr **dims = op_dims(&in, (unsigned)size->ndim + 2);
    dims[0] = type->dims[0];
    dims[1] = op_int(&in, size->ndim);
    for (int d = 0; d < size->ndim; d++)
        dims[d + 2] = size->dims[d];
    return op_result_type(&in, type->dtype, dims, size->ndim + 2);
}

/* The attribute is one of @words (NULL at the end); false after a report. */
static bool check_word(const struct infer *in, const char *attribute, const char *const *words,
                       const char *message)
{
    const char *word = ir_op_attr(in->op, attribute)->string;

    for (; *words != NULL; words++)
        if (strcmp(word, *words) == 0)
            return true;
    diag_report(in->diag, op_argument_place(in, attribute), OP_ATTRIBUTE, in->op->info->name,
                attribute, message);
    return false;
}

static bool check_rank(const struct infer *in, unsigned i, const struct ir_type *type, int ndim)
{
    if (type->ndim == IR_NDIM_UNKNOWN || type->ndim == ndim)
        return true;
    diag_report(in->diag, op_argument_place(in, op_operand_name(in->op->info, i)), OP_RANK,
                in->op->info->name, op_operand_name(in->op->info, i),
                arena_printf(&in->context->arena, "rank %d", ndim), op_shape_text(in, type));
    return false;
}

/* The attribute is a column of the boxes, where it can be seen. */
static bool check_column(const struct infer *in, const struct ir_type *boxes, const char *attribute)
{
    int64_t column = op_attr_int(in->op, attribute, 0), end;
    bool is_box = strcmp(attribute, "coord_start") == 0; /* of four coordinates */

    struct op_pair pair = {
        .relation = OP_DIM_AT_MOST,
        .first = boxes->dims ? boxes->dims[2] : NULL,
        .first_name = "the number of columns",
        .second = op_int(in, __builtin_add_overflow(column, is_box ? 4 : 1, &end) ? column : end),
        .second_name = arena_printf(&in->context->arena, "what `%s` needs", attribute),
        .operand = attribute,
    };

    if (column >= 0 && (boxes->dims == NULL || op_pair_fits(in, &pair)))
        return true;
    diag_report(in->diag, op_argument_place(in, attribute), OP_ATTRIBUTE, in->op->info->name,
                attribute, "is no column of the boxes");
    return false;
}

static bool check_sampling(const struct infer *in, const struct ir_type *data,
                           const struct ir_type *grid)
{
    static const char *const methods[] = {"bilinear", "nearest", "bicubic", NULL};
    static const char *const paddings[] = {"zeros", "border", "reflection", NULL};
    static const char *const layouts[] = {"NCHW", "NCDHW", NULL};
    struct ir_dtype dtype = data->dtype;
    int ndim = (int)strlen(ir_op_attr(in->op, "layout")->string);

    if (!check_word(in, "method", methods, "must be \"bilinear\", \"nearest\" or \"bicubic\"") ||
        !check_word(in, "padding_mode", paddings,
                    "must be \"zeros\", \"border\" or \"reflection\"") ||
        !check_word(in, "layout", layouts, "must be \"NCHW\" or \"NCDHW\"") ||
        !op_check_same_dtype(in, 0, 1, &dtype))
        return false;
    const struct ir_type *both[] = {data, grid};
    for (unsigned i = 0; i < 2; i++)
        if (both[i]->ndim != IR_NDIM_UNKNOWN && both[i]->ndim != ndim) {
            diag_report(in->diag, op_argument_place(in, op_operand_name(in->op->info, i)), OP_RANK,
                        in->op->info->name, op_operand_name(in->op->info, i),
                        "the rank of the layout", op_shape_text(in, both[i]));
            return false;
        }
    if (grid->dims != NULL && !op_check_same(in, op_int(in, ndim - 2), "the number of spatial axes",
                                             grid->dims[1], "dimension 1 of `grid`", "grid"))
        return false;
    if (ndim == 5 && strcmp(ir_op_attr(in->op, "method")->string, "bicubic") == 0) {
        diag_report(in->diag, op_argument_place(in, "method"), OP_ATTRIBUTE, in->op->info->name,
                    "method", "is \"bicubic\" for images only");
        return false;
    }
    return true;
}

/* (n, c, points..): the image at the points of the grid (n, axes, points..). */
const struct ir_type *infer_grid_sample(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *data = op_tensor(&in, 0), *grid = op_tensor(&in, 1);
    const char *layout = ir_op_attr(op, "layout")->string;
    const char *channel = strchr(layout, 'C');

    if (data == NULL || grid == NULL || !check_sampling(&in, data, grid))
        return NULL;
    if (data->dims == NULL || grid->dims == NULL || data->ndim != (int)strlen(layout) ||
        grid->ndim != data->ndim || layout[0] != 'N' || channel != layout + 1)
        return op_result_type(&in, data->dtype, NULL, data->ndim);
    const struct ir_expr **dims = op_dims(&in, (unsigned)data->ndim);
    dims[0] = data->dims[0];
    dims[1] = data->dims[1];
    for (int d = 2; d < data->ndim; d++)
        dims[d] = grid->dims[d];
    return op_result_type(&in, data->dtype, dims, data->ndim);
}

/* (regions, c, height, width) in the layout NCHW. */
const struct ir_type *infer_roi(struct ir_module *module, struct diag *diag, const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *data = op_tensor(&in, 0), *rois = op_tensor(&in, 1);
    const struct ir_attr *size = ir_op_attr(op, "pooled_size");

    if (data == NULL || rois == NULL)
        return NULL;
    if (data->dims == NULL || data->ndim != 4 || rois->dims == NULL || rois->ndim < 1 ||
        size->count < 1)
        return op_result_type(&in, data->dtype, NULL, 4);
    bool is_nhwc = strcmp(ir_op_attr(op, "layout")->string, "NHWC") == 0;
    const struct ir_expr *height = op_int(&in, size->items[0]->integer);
    const struct ir_expr *width = op_int(&in, size->items[size->count > 1]->integer);
    const struct ir_expr *nchw[] = {rois->dims[0], data->dims[1], height, width};
    const struct ir_expr *nhwc[] = {rois->dims[0], height, width, data->dims[3]};
    return op_result_type(&in, data->dtype, is_nhwc ? nhwc : nchw, 4);
}

const struct ir_type *infer_all_class_nms(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *boxes = op_tensor(&in, 0), *scores = op_tensor(&in, 1), *fields[3];
    const struct ir_expr *dims[3];

    static const char *const formats[] = {"onnx", "tensorflow", NULL};

    if (boxes == NULL || scores == NULL ||
        !check_word(&in, "output_format", formats, "must be \"onnx\" or \"tensorflow\"") ||
        !check_rank(&in, 0, boxes, 3) || !check_rank(&in, 1, scores, 3))
        return NULL;
    bool is_known =
        boxes->dims != NULL && boxes->ndim == 3 && scores->dims != NULL && scores->ndim == 3;
    const struct ir_expr *total =
        is_known ? dim_mul(in.context, scores->dims[1], boxes->dims[1]) : NULL;
    if (strcmp(ir_op_attr(op, "output_format")->string, "onnx") == 0) {
        dims[0] = is_known ? dim_mul(in.context, boxes->dims[0], total) : NULL;
        dims[1] = op_int(&in, 3);
        fields[0] = op_result_type(&in, IR_I64, is_known ? dims : NULL, 2);
        const struct ir_expr *one = op_int(&in, 1);
        fields[1] = op_result_type(&in, IR_I64, &one, 1);
        return ir_type_tuple(module->context, fields, 2);
    }
    dims[0] = is_known ? boxes->dims[0] : NULL;
    dims[1] = total;
    dims[2] = op_int(&in, 2);
    fields[0] = op_result_type(&in, IR_I64, is_known ? dims : NULL, 3);
    fields[1] = op_result_type(&in, IR_F32, is_known ? dims : NULL, 2);
    fields[2] = op_result_type(&in, IR_I64, is_known ? dims : NULL, 1);
    return ir_type_tuple(module->context, fields, 3);
}

const struct ir_type *infer_valid_counts(struct ir_module *module, struct diag *diag,
                                         const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *data = op_tensor(&in, 0), *fields[3];

    if (data == NULL || !check_rank(&in, 0, data, 3) || !check_column(&in, data, "score_index") ||
        (op_attr_int(op, "id_index", 0) >= 0 && !check_column(&in, data, "id_index")))
        return NULL;
    const struct ir_expr *const *dims = data->ndim == 3 ? data->dims : NULL;
    fields[0] = op_result_type(&in, IR_I32, dims, 1);
    fields[1] = op_result_type(&in, data->dtype, dims, 3);
    fields[2] = op_result_type(&in, IR_I32, dims, 2);
    return ir_type_tuple(module->context, fields, 3);
}

const struct ir_type *infer_nms(struct ir_module *module, struct diag *diag, const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *data = op_tensor(&in, 0), *fields[3];
    const struct ir_expr *counts[2];
    unsigned count = 0;

    static const char *const columns[] = {"score_index", "id_index"};

    if (data == NULL)
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        if ((i == 0 || op_attr_int(op, columns[i], 0) >= 0) && !check_column(&in, data, columns[i]))
            return NULL;
    if (!check_column(&in, data, "coord_start"))
        return NULL;
    if (!ir_op_attr(op, "return_indices")->boolean)
        return data;
    const struct ir_expr *const *dims = data->ndim == 3 ? data->dims : NULL;
    counts[0] = dims != NULL ? dims[0] : NULL;
    counts[1] = op_int(&in, 1);
    if (op_attr_float(op, "soft_nms_sigma") > 0)
        fields[count++] = op_result_type(&in, data->dtype, dims, 3);
    fields[count++] = op_result_type(&in, IR_I32, dims, 2);
    fields[count++] = op_result_type(&in, IR_I32, dims != NULL ? counts : NULL, 2);
    return ir_type_tuple(module->context, fields, count);
}

const struct ir_type *infer_multibox(struct ir_module *module, struct diag *diag,
                                     const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *classes = op_tensor(&in, 0), *fields[2];
    const struct ir_expr *boxes[3];

    if (classes == NULL)
        return NULL;
    const struct ir_type *codes = op_tensor(&in, 1);
    if (classes->dims != NULL && codes && codes->dims != NULL) {
        const struct ir_expr *wanted = dim_mul(in.context, classes->dims[2], op_int(&in, 4));
        if (!op_check_same(&in, wanted, "four codes for each anchor", codes->dims[1],
                           "dimension 1 of `loc_pred`", "loc_pred"))
            return NULL;
    }
    const struct ir_expr *const *dims = classes->ndim == 3 ? classes->dims : NULL;
    boxes[0] = dims != NULL ? dims[0] : NULL;
    boxes[1] = dims != NULL ? dims[2] : NULL;
    boxes[2] = op_int(&in, 4);
    fields[0] = op_result_type(&in, classes->dtype, dims != NULL ? boxes : NULL, 3);
    fields[1] = op_result_type(&in, classes->dtype, dims, 3);
    return ir_type_tuple(module->context, fields, 2);
}

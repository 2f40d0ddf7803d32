/* Types of products: matmul and its relatives. */
#include "ops/internal.h"

#include <ctype.h>
#include <string.h>

/* The dtype of a product: out_dtype, or that of both operands; false after a report. */
static bool product_dtype(const struct infer *in, bool has_attr, struct ir_dtype *out)
{
    struct ir_dtype dtype = has_attr ? op_attr_dtype(in->op, "out_dtype", IR_VOID) : IR_VOID;

    *out = in->op->operands[0].value->type->kind == IR_TYPE_TENSOR
               ? in->op->operands[0].value->type->dtype
               : IR_VOID;
    if (!ir_dtype_is_void(dtype)) {
        *out = dtype;
        return true;
    }
    return op_check_same_dtype(in, 0, 1, out);
}

static bool check_inner(const struct infer *in, const struct ir_type *a, const struct ir_type *b)
{
    unsigned a_axis = (unsigned)a->ndim - 1;
    unsigned b_axis = b->ndim == 1 ? 0 : (unsigned)b->ndim - 2;

    if (!ir_prove_different(in->context, a->dims[a_axis], b->dims[b_axis]))
        return true;
    struct diag_message *m = diag_report(in->diag, in->op->loc, OP_DIMS, in->op->info->name,
                                         arena_printf(&in->context->arena, "dimension %u of `%s`",
                                                      a_axis, op_operand_name(in->op->info, 0)),
                                         op_dim_text(in, a->dims[a_axis]),
                                         arena_printf(&in->context->arena, "dimension %u of `%s`",
                                                      b_axis, op_operand_name(in->op->info, 1)),
                                         op_dim_text(in, b->dims[b_axis]));
    diag_note(m, "the shapes are %s and %s", op_shape_text(in, a), op_shape_text(in, b));
    return false;
}

/* @type without its last @cut dims. */
static const struct ir_type *batch_of(const struct infer *in, const struct ir_type *type, int cut)
{
    int ndim = type->ndim > cut ? type->ndim - cut : 0;

    return ir_type_tensor(
        in->context, type->dtype,
        type->dims != NULL || ndim == 0 ? (type->dims != NULL ? type->dims : op_dims(in, 0)) : NULL,
        ndim);
}

const struct ir_type *infer_matmul(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *a = op_tensor(&in, 0), *b = op_tensor(&in, 1);
    const struct ir_expr *const *batch;
    struct ir_dtype dtype;
    int ndim;

    if (a == NULL || b == NULL || !product_dtype(&in, true, &dtype))
        return NULL;
    if (a->ndim == 0 || b->ndim == 0) {
        diag_report(diag, op->loc, OP_RANK, op->info->name, op_operand_name(op->info, a->ndim != 0),
                    "rank 1 or more", "()");
        return NULL;
    }
    if (a->ndim == IR_NDIM_UNKNOWN || b->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, dtype, NULL, IR_NDIM_UNKNOWN);
    if (a->dims != NULL && b->dims != NULL && !check_inner(&in, a, b))
        return NULL;
    const struct ir_type *batches[2] = {batch_of(&in, a, 2), batch_of(&in, b, 2)};
    if (!op_broadcast(&in, batches, 2, &batch, &ndim))
        return NULL;
    int result_ndim = ndim + (a->ndim > 1) + (b->ndim > 1);
    if (batch == NULL || a->dims == NULL || b->dims == NULL)
        return op_result_type(&in, dtype, NULL, result_ndim);
    const struct ir_expr **dims = op_dims(&in, (unsigned)result_ndim);
    int count = 0;
    for (int d = 0; d < ndim; d++)
        dims[count++] = batch[d];
    if (a->ndim > 1)
        dims[count++] = a->dims[a->ndim - 2];
    if (b->ndim > 1)
        dims[count++] = b->dims[b->ndim - 1];
    return op_result_type(&in, dtype, dims, result_ndim);
}

const struct ir_type *infer_linear(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *data = op_tensor(&in, 0), *weight = op_tensor(&in, 1);
    struct ir_dtype dtype;

    if (data == NULL || weight == NULL || !product_dtype(&in, true, &dtype))
        return NULL;
    if (data->dims == NULL || weight->dims == NULL || data->ndim < 1 || weight->ndim != 2)
        return op_result_type(&in, dtype, NULL,
                              weight->ndim == 2 && data->ndim > 0 ? data->ndim : IR_NDIM_UNKNOWN);
    const struct ir_expr **dims = op_dims(&in, (unsigned)data->ndim);
    memcpy(dims, data->dims, sizeof(dims[0]) * (unsigned)data->ndim);
    dims[data->ndim - 1] = weight->dims[0];
    return op_result_type(&in, dtype, dims, data->ndim);
}

const struct ir_type *infer_outer(struct ir_module *module, struct diag *diag,
                                  const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *types[2] = {op_tensor(&in, 0), op_tensor(&in, 1)};
    const struct ir_expr *dims[2];
    struct ir_dtype dtype;

    if (types[0] == NULL || types[1] == NULL || !product_dtype(&in, false, &dtype))
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        if (types[i]->ndim != IR_NDIM_UNKNOWN && types[i]->ndim != 1) {
            diag_report(diag, op->loc, OP_RANK, op->info->name, op_operand_name(op->info, i),
                        "rank 1", op_shape_text(&in, types[i]));
            return NULL;
        }
    }
    if (types[0]->dims == NULL || types[1]->dims == NULL)
        return op_result_type(&in, dtype, NULL, 2);
    dims[0] = types[0]->dims[0];
    dims[1] = types[1]->dims[0];
    return op_result_type(&in, dtype, dims, 2);
}

/* The dim that @letter names in the operands' subscripts @text; NULL if it names none. */
static const struct ir_expr *einsum_dim(const char *text, char letter,
                                        const struct ir_type *const *types, unsigned count)
{
    unsigned operand = 0;
    int axis = 0;

    for (; *text != '\0' && *text != '-' && operand < count; text++) {
        if (*text == ',') {
            operand++;
            axis = 0;
        } else if (*text == letter) {
            return types[operand]->dims != NULL && axis < types[operand]->ndim
                       ? types[operand]->dims[axis]
                       : NULL;
        } else if (*text != ' ') {
            axis++;
        }
    }
    return NULL;
}

const char *op_einsum_result(struct ir_context *context, const char *text)
{
    const char *arrow = strstr(text, "->");
    char *letters = arena_array(&context->arena, char, 2 * 26 + 1);
    unsigned count = 0;

    if (arrow != NULL)
        return arrow + 2;
    for (int letter = 'A'; letter <= 'z'; letter++) {
        const char *at = strchr(text, letter);
        if (isalpha(letter) && at != NULL && strchr(at + 1, letter) == NULL)
            letters[count++] = (char)letter;
    }
    return letters;
}

/* Only subscripts of letters are worked out; `...` leaves the shape open. */
const struct ir_type *infer_einsum(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const char *text = ir_op_attr(op, "subscripts")->string;
    const struct ir_type *const *types;
    unsigned count;
    int ndim = 0;

    if (!op_tensors(&in, 0, &types, &count))
        return NULL;
    struct ir_dtype dtype = count > 0 ? types[0]->dtype : IR_VOID;
    if (strchr(text, '.') != NULL)
        return op_result_type(&in, dtype, NULL, IR_NDIM_UNKNOWN);
    const char *result = op_einsum_result(in.context, text);
    const struct ir_expr **dims = op_dims(&in, (unsigned)strlen(result));
    bool is_known = true;
    for (const char *at = result; *at != '\0'; at++) {
        if (!isalpha((unsigned char)*at))
            continue;
        dims[ndim] = einsum_dim(text, *at, types, count);
        is_known = is_known && dims[ndim] != NULL;
        ndim++;
    }
    return op_result_type(&in, dtype, is_known ? dims : NULL, ndim);
}

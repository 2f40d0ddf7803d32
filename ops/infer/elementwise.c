/* Types of elementwise operators, conversions, and of what keeps the type of an operand. */
#include "ops/internal.h"

/* `where`: the condition is bool and has no say in the dtype of the result. */
static bool check_condition(const struct infer *in)
{
    const struct ir_type *type = in->op->operands[0].value->type;
    char name[32];

    if (type->kind != IR_TYPE_TENSOR || ir_dtype_is_void(type->dtype) ||
        ir_dtype_is_bool(type->dtype))
        return true;
    struct location place = op_argument_place(in, "condition");
    struct diag_message *m =
        diag_report(in->diag, place, OP_OPERAND_KIND, in->op->info->name, "condition",
                    "a tensor of bool", ir_dtype_name(type->dtype, name));
    diag_help(m, "compare it, or convert it: `R.astype(.., \"bool\")`");
    if (place.source && place.begin != in->op->loc.begin)
        diag_help_wrap(m, place, "R.astype(", ", \"bool\")");
    return false;
}

/* True for operands that the signature wants as a scalar, as `min` of clip. */
static bool is_scalar_operand(const struct ir_op_info *info, unsigned i)
{
    for (unsigned p = 0; p < info->param_count; p++)
        if (info->params[p].kind == IR_PARAM_PRIM && info->params[p].operand_index == i)
            return true;
    return false;
}

/* Operand types, scalars as they are; NULL after a report. */
static const struct ir_type **operand_types(const struct infer *in, unsigned count)
{
    const struct ir_type **types = arena_array(&in->module->arena, const struct ir_type *, count);

    for (unsigned i = 0; i < count; i++) {
        types[i] = in->op->operands[i].value->type;
        if (types[i]->kind == IR_TYPE_PRIM)
            continue;
        types[i] = op_tensor(in, i);
        if (types[i] == NULL)
            return NULL;
    }
    return types;
}

static const struct {
    enum op_domain domain;
    enum op_result_dtype result;
} rows[OP_COUNT] = {
#define ELEMENTWISE(id, name, signature, domain, result, traits, sem, doc, ...) \
    [OP_##id] = {OP_##domain, OP_##result},
#include "ops/ops.def"
};

const struct ir_type *infer_elementwise(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    enum op_result_dtype result = rows[op_id(op)].result;
    unsigned count = op->operand_count, first = op_is(op, OP_where) ? 1 : 0;
    const struct ir_type **types = operand_types(&in, count);
    const struct ir_expr *const *dims;
    int ndim;

    if (types == NULL || (first == 1 && !check_condition(&in)))
        return NULL;
    /* The dtype is that of the first tensor; bare numbers follow it. */
    unsigned lead = first;
    while (lead + 1 < count && types[lead]->kind == IR_TYPE_PRIM)
        lead++;
    if (types[lead]->kind == IR_TYPE_PRIM)
        lead = first;
    struct ir_dtype dtype = types[lead]->dtype;
    for (unsigned i = first; i < count; i++) {
        if (i == lead || is_scalar_operand(op->info, i))
            continue;
        /* Comparisons of different dtypes have a type, as in TVM; they are refused as code. */
        if (result == OP_SAME && !op_check_same_dtype(&in, lead, i, &dtype))
            return NULL;
    }
    if (!op_check_domain(&in, lead, rows[op_id(op)].domain))
        return NULL;
    if (!op_broadcast(&in, types, count, &dims, &ndim))
        return NULL;
    if (result == OP_BOOL)
        dtype = IR_B1;
    if (count == 1 && types[0]->kind == IR_TYPE_TENSOR)
        return ir_type_tensor_full(in.context, dtype, dims, ndim, types[0]->shape_var,
                                   types[0]->vdevice);
    return op_result_type(&in, dtype, dims, ndim);
}

const struct ir_type *infer_none(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    return op->declared != NULL ? op->declared : ir_type_any(module->context);
}

const struct ir_type *infer_void(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    return ir_type_tuple(module->context, NULL, 0);
}

const struct ir_type *infer_same(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    return op->operands[0].value->type;
}

const struct ir_type *infer_astype(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);

    if (type == NULL)
        return NULL;
    return ir_type_tensor_full(module->context, op_attr_dtype(op, "dtype", type->dtype), type->dims,
                               type->ndim, type->shape_var, type->vdevice);
}

/* Scale and zero point: one number, or one for each place along @axis. */
static bool check_parameter(const struct infer *in, const struct ir_type *data, unsigned axis,
                            unsigned operand)
{
    const struct ir_type *type = in->op->operands[operand].value->type;
    const char *name = op_operand_name(in->op->info, operand);
    struct arena *arena = &in->context->arena;

    if (type->kind != IR_TYPE_TENSOR || type->ndim != 1 || !type->dims || data->ndim <= 0 ||
        !data->dims)
        return true;
    struct op_pair pair = {
        .relation = OP_DIM_SAME_OR_ONE,
        .first = data->dims[axis],
        .first_name = arena_printf(arena, "dimension %u of `data`", axis),
        .second = type->dims[0],
        .second_name = arena_printf(arena, "the length of `%s`", name),
        .operand = name,
    };
    return op_check_pair(in, &pair);
}

/* One number: there is no axis along which there could be several. */
static bool check_single(const struct infer *in, unsigned operand)
{
    const struct ir_type *type = in->op->operands[operand].value->type;
    const char *name = op_operand_name(in->op->info, operand);

    struct op_pair pair = {
        .first = op_int(in, 1),
        .first_name = "1, as `data` has no axis",
        .second = type->kind == IR_TYPE_TENSOR && type->dims ? type->dims[0] : NULL,
        .second_name = arena_printf(&in->context->arena, "the length of `%s`", name),
        .operand = name,
    };

    if (type->kind != IR_TYPE_TENSOR || type->ndim != 1 || (type->dims && op_pair_fits(in, &pair)))
        return true;
    diag_report(in->diag, op_argument_place(in, name), OP_RANK, in->op->info->name, name,
                "rank 0, as `data`", op_shape_text(in, type));
    return false;
}

const struct ir_type *infer_quantize(struct ir_module *module, struct diag *diag,
                                     const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);

    if (type == NULL)
        return NULL;
    unsigned axis = 0;
    if (type->ndim > 0 && !op_check_axis(&in, op_attr_int(op, "axis", -1), type->ndim, &axis))
        return NULL;
    for (unsigned i = 1; i <= 2 && type->ndim == 0; i++)
        if (!check_single(&in, i))
            return NULL;
    if (!check_parameter(&in, type, axis, 1) || !check_parameter(&in, type, axis, 2))
        return NULL;
    return ir_type_tensor_full(module->context, op_attr_dtype(op, "out_dtype", type->dtype),
                               type->dims, type->ndim, type->shape_var, type->vdevice);
}

const struct ir_type *infer_to_vdevice(struct ir_module *module, struct diag *diag,
                                       const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_attr *device = ir_op_attr(op, "dst_vdevice");

    if (type == NULL)
        return NULL;
    return ir_type_tensor_full(module->context, type->dtype, type->dims, type->ndim,
                               type->shape_var,
                               device->kind == IR_ATTR_STRING ? device->string : NULL);
}

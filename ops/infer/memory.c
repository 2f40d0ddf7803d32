/*
 * Types of operators on storage.
 *
 * Sizes and offsets count bytes.  What can be seen to lie outside of the storage is refused here, and
 * the rest is checked when it runs.
 */
#include "ir/capacity.h"
#include "ops/internal.h"

/* The dtype that a R.dtype(..) or string operand says; void if it cannot be seen. */
static struct ir_dtype operand_dtype(const struct ir_op *op, unsigned i)
{
    const struct ir_op *def = op_value_def(op->operands[i].value);
    struct ir_dtype dtype = IR_VOID;

    if (def != NULL && ir_op_is(def, IR_CORE_dtype))
        return ir_op_attr(def, "value")->dtype;
    if (def != NULL && ir_op_is(def, IR_CORE_string) &&
        ir_dtype_parse(ir_op_attr(def, "value")->string, &dtype))
        return dtype;
    return IR_VOID;
}

/* Is operand @i a dtype, or a value that may be one? */
static bool check_dtype(const struct infer *in, unsigned i)
{
    const struct ir_value *value = in->op->operands[i].value;
    const struct ir_op *def = op_value_def(value);
    bool is_string = def != NULL && ir_op_is(def, IR_CORE_string);

    if (is_string ? !ir_dtype_is_void(operand_dtype(in->op, i)) : value->type->kind == IR_TYPE_ANY)
        return true;
    op_report_kind(in, i, "a dtype");
    return false;
}

/* Is operand @i a piece of storage?  It has no type of its own. */
static bool check_storage(const struct infer *in, unsigned i)
{
    if (in->op->operands[i].value->type->kind == IR_TYPE_ANY)
        return true;
    op_report_kind(in, i, "a piece of storage");
    return false;
}

/* Refuses operand @i, an integer, where it is seen to be negative. */
static bool check_offset(const struct infer *in, unsigned i)
{
    const struct ir_type *type = in->op->operands[i].value->type;
    const struct ir_expr *offset = op_operand_prim(in->op, i);
    int64_t value = 0;

    if (type->kind != IR_TYPE_ANY &&
        (type->kind != IR_TYPE_PRIM || !ir_dtype_is_int(type->dtype))) {
        op_report_kind(in, i, "an integer");
        return false;
    }
    if (offset == NULL || !ir_expr_constant(in->context, offset, &value) || value >= 0)
        return true;
    diag_report(in->diag, op_argument_place(in, op_operand_name(in->op->info, i)), OP_ATTRIBUTE,
                in->op->info->name, op_operand_name(in->op->info, i), "is negative");
    return false;
}

/* Refuses an offset that splits an element. */
static bool check_multiple(const struct infer *in, unsigned i, struct ir_dtype dtype)
{
    const struct ir_expr *offset = op_operand_prim(in->op, i);
    int64_t value = 0;

    if (ir_dtype_is_void(dtype) || offset == NULL ||
        !ir_expr_constant(in->context, offset, &value) || value % ir_dtype_bytes(dtype) == 0)
        return true;
    diag_report(in->diag, op_argument_place(in, op_operand_name(in->op->info, i)), OP_ATTRIBUTE,
                in->op->info->name, op_operand_name(in->op->info, i),
                arena_printf(&in->module->arena,
                             "is %lld, no multiple of the %u bytes of an element", (long long)value,
                             ir_dtype_bytes(dtype)));
    return false;
}

/* Bytes of @dims elements of @dtype; NULL if they are not known. */
static const struct ir_expr *bytes_of(const struct infer *in, struct ir_dtype dtype,
                                      const struct ir_expr *const *dims, int ndim)
{
    if (ir_dtype_is_void(dtype) || ndim == IR_NDIM_UNKNOWN || (dims == NULL && ndim > 0))
        return NULL;
    return dim_mul(in->context, dim_product(in->context, dims, (unsigned)ndim),
                   op_int(in, ir_dtype_bytes(dtype)));
}

/* Refuses @bytes from @offset on in operand 0, which has @room, where they are seen to go beyond. */
static bool check_room(const struct infer *in, const struct ir_expr *offset,
                       const struct ir_expr *bytes, const struct ir_expr *room)
{
    int64_t left = 0;

    if (offset == NULL || bytes == NULL || room == NULL)
        return true;
    const struct ir_expr *end = dim_add(in->context, offset, bytes);

    if (!ir_expr_constant(in->context, dim_sub(in->context, room, end), &left) || left >= 0)
        return true;
    diag_report(in->diag, in->op->loc, OP_BYTES, in->op->info->name, op_dim_text(in, offset),
                op_dim_text(in, end), op_operand_name(in->op->info, 0), op_dim_text(in, room));
    return false;
}

/* ---- allocations ---- */

const struct ir_type *infer_alloc_tensor(struct ir_module *module, struct diag *diag,
                                         const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *shape = op_shape(&in, 0);

    if (shape == NULL || !check_dtype(&in, 1))
        return NULL;
    return ir_type_tensor(module->context, operand_dtype(op, 1), shape->dims, shape->ndim);
}

const struct ir_type *infer_memory_alloc_storage(struct ir_module *module, struct diag *diag,
                                                 const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *shape = op_shape(&in, 0);
    int64_t bytes = 0;

    if (shape == NULL || !check_dtype(&in, 3))
        return NULL;
    if (shape->ndim != IR_NDIM_UNKNOWN && shape->ndim != 1) {
        diag_report(diag, op->loc, OP_RANK, op->info->name, "size", "rank 1: the number of bytes",
                    op_shape_text(&in, shape));
        return NULL;
    }
    if (shape->dims != NULL && ir_expr_constant(in.context, shape->dims[0], &bytes) && bytes < 0) {
        diag_report(diag, op->loc, OP_ATTRIBUTE, op->info->name, "size", "is negative");
        return NULL;
    }
    return ir_type_any(module->context);
}

const struct ir_type *infer_vm_alloc_storage(struct ir_module *module, struct diag *diag,
                                             const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    if (op_shape(&in, 0) == NULL || !check_dtype(&in, 2))
        return NULL;
    return ir_type_any(module->context);
}

/* Bytes of the storage that operand 0 is, if the op that takes it can be seen. */
static const struct ir_expr *storage_bytes(const struct infer *in)
{
    const struct ir_op *def = op_value_def(in->op->operands[0].value);
    bool is_memory = def != NULL && op_is(def, OP_memory_alloc_storage);
    bool is_vm = def != NULL && op_is(def, OP_vm_alloc_storage);

    if (!is_memory && !is_vm)
        return NULL;
    const struct ir_type *shape = def->operands[0].value->type;

    if (shape->kind != IR_TYPE_SHAPE || shape->dims == NULL)
        return NULL;
    return is_memory ? shape->dims[0]
                     : bytes_of(in, operand_dtype(def, 2), shape->dims, shape->ndim);
}

const struct ir_type *infer_memory_alloc_tensor(struct ir_module *module, struct diag *diag,
                                                const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *shape = op_shape(&in, 2);

    if (shape == NULL || !check_storage(&in, 0) || !check_offset(&in, 1) || !check_dtype(&in, 3))
        return NULL;
    struct ir_dtype dtype = operand_dtype(op, 3);

    if (!check_multiple(&in, 1, dtype) ||
        !check_room(&in, op_operand_prim(op, 1), bytes_of(&in, dtype, shape->dims, shape->ndim),
                    storage_bytes(&in)))
        return NULL;
    return ir_type_tensor(module->context, dtype, shape->dims, shape->ndim);
}

/* ---- views ---- */

/* R.memory.view also takes the empty tuple for what is left out. */
static bool is_given(const struct ir_op *op, unsigned i)
{
    return op_has_operand(op, i) && !ir_type_is_void(op->operands[i].value->type);
}

/* What operand 0 has room for: its elements, or all that a donated parameter is said to hold. */
static const struct ir_expr *view_room(const struct infer *in)
{
    const struct ir_value *data = in->op->operands[0].value;
    struct ir_capacity capacity;

    if (ir_capacity_of_value(data, &capacity))
        return capacity.bytes;
    return bytes_of(in, data->type->dtype, data->type->dims, data->type->ndim);
}

const struct ir_type *infer_memory_view(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0), *shape = type;

    if (type == NULL || (is_given(op, 2) && !check_dtype(&in, 2)) ||
        (is_given(op, 3) && !check_offset(&in, 3)))
        return NULL;
    if (is_given(op, 1))
        shape = op_shape(&in, 1);
    if (shape == NULL)
        return NULL;
    struct ir_dtype dtype = is_given(op, 2) ? operand_dtype(op, 2) : type->dtype;
    const struct ir_expr *offset = is_given(op, 3) ? op_operand_prim(op, 3) : op_int(&in, 0);

    if (!check_room(&in, offset, bytes_of(&in, dtype, shape->dims, shape->ndim), view_room(&in)))
        return NULL;
    return op_result_type(&in, dtype, shape->dims, shape->ndim);
}

/* ---- ends ---- */

const struct ir_type *infer_kill_tensor(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return op_tensor(&in, 0) == NULL ? NULL : ir_type_tuple(module->context, NULL, 0);
}

const struct ir_type *infer_kill_storage(struct ir_module *module, struct diag *diag,
                                         const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return check_storage(&in, 0) ? ir_type_tuple(module->context, NULL, 0) : NULL;
}

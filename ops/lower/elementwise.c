/* Elementwise operators as loops: the `sem` column of each row is the value that is stored. */
#include "ops/lower/words.h"

/* The dtype of the elements: that of the first tensor, or else of the first operand. */
static struct ir_dtype element_dtype(const struct kernel *k, unsigned first)
{
    for (unsigned i = first; i < k->op->operand_count; i++)
        if (k->operands[i].type->kind == IR_TYPE_TENSOR)
            return k->operands[i].type->dtype;
    return k->operands[first].type->dtype;
}

/* A scalar beside tensors: limited to the range of their dtype, where a cast would wrap. */
static const struct ir_expr *scalar_beside(struct kernel *k, struct ir_dtype dtype,
                                           const struct ir_expr *a)
{
    bool is_unsigned = dtype.code == IR_UINT;

    if (!ir_dtype_is_int(dtype) || a->dtype.code != IR_INT)
        return k_cast(k, dtype, a);
    a = ir_expr_cast(k->context, IR_I64, a);
    int64_t low = is_unsigned ? 0 : INT64_MIN >> (64 - dtype.bits);
    int64_t high = INT64_MAX >> (64 - dtype.bits);
    if (is_unsigned && dtype.bits < 64)
        high = high * 2 + 1;
    if (a->kind == IR_EXPR_int) {
        int64_t value = a->int_value < low ? low : a->int_value > high ? high : a->int_value;
        return ir_expr_int(k->context, dtype, value);
    }
    if (low > INT64_MIN)
        a = k_binary(k, IR_EXPR_max, a, k_int(k, low));
    if (high < INT64_MAX)
        a = k_binary(k, IR_EXPR_min, a, k_int(k, high));
    return k_cast(k, dtype, a);
}

/* Operand @i at @axes, in @dtype. */
static const struct ir_expr *element(struct kernel *k, unsigned i, struct ir_dtype dtype,
                                     const struct ir_expr *const *axes)
{
    const struct kernel_operand *operand = &k->operands[i];
    const struct ir_expr **indices = NULL;

    if (operand->type->kind == IR_TYPE_PRIM)
        return scalar_beside(k, dtype, operand->scalar);
    if (operand->buffer != NULL)
        indices =
            kernel_broadcast(k, operand->type, axes, k->outputs[0]->shape, k->outputs[0]->ndim);
    return k_cast(k, dtype, kernel_load(k, i, indices));
}

/* Comparisons of different dtypes have a type, but which arithmetic compares is not defined. */
static bool check_one_dtype(struct kernel *k, unsigned first, struct ir_dtype dtype)
{
    struct infer in = op_infer_begin(k->module, k->diag, k->op);

    for (unsigned i = first; i < k->op->operand_count; i++)
        if (k->operands[i].type->kind == IR_TYPE_TENSOR &&
            !op_check_same_dtype(&in, first, i, &dtype))
            return false;
    return true;
}

/*
 * The kernels of mathematics are named as in TVM, so that none has the name of a C function.  Operators
 * of a folder, as nn.relu, are no functions of C.
 */
static void name_kernel(struct kernel *k, const struct ir_op *op)
{
    if (op->operand_count == 1 && k->name == op->info->name)
        k->name = arena_printf(&k->context->arena, "tir_%s", k->name);
}

#define ELEMENTWISE(id, name, signature, domain, result, traits, sem, doc, ...) \
    static const struct ir_expr *sem_##id(const struct words *w)                \
    {                                                                           \
        return sem;                                                             \
    }
#include "ops/ops.def"

static const struct {
    enum op_domain domain;
    words_fn *sem;
} rows[OP_COUNT] = {
#define ELEMENTWISE(id, name, signature, domain, result, traits, sem, doc, ...) \
    [OP_##id] = {OP_##domain, sem_##id},
#include "ops/ops.def"
};

struct ir_value *lower_elementwise(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    unsigned first = op_is(op, OP_where) ? 1 : 0;

    if (!kernel_begin(&k, module, diag, op, ~0u))
        return NULL;
    name_kernel(&k, op);
    struct ir_dtype dtype = element_dtype(&k, first);
    if (!kernel_check_domain(&k, rows[op_id(op)].domain, dtype) ||
        !check_one_dtype(&k, first, dtype))
        return kernel_abandon(&k);
    struct words w = {.k = &k, .dtype = kernel_compute_dtype(dtype)};
    w.is_float = ir_dtype_is_float(w.dtype);
    struct nest nest = nest_begin(&k, arena_printf(&k.context->arena, "T_%s", k.name));
    const struct ir_expr **axes = nest_axes_of(&nest, k.outputs[0]);
    for (unsigned i = 0; i < op->operand_count; i++)
        w.operands[i] = element(&k, i, i < first ? IR_B1 : w.dtype, axes);
    nest_store(&nest, k.outputs[0], axes, rows[op_id(op)].sem(&w));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* Another name of the operand, where an operator has nothing to do. */
struct ir_value *op_lower_to_operand(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct ir_builder b = {module, diag, op->block, op, op->loc};
    struct ir_value *operand = ir_inline_copy(module, op->operands[0].value);
    struct ir_op *bind = ir_build(&b, ir_core_op(module->context, IR_CORE_bind), &operand, 1, NULL);

    return bind != NULL ? &bind->result : NULL;
}

struct ir_value *lower_astype(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    const struct ir_type *type = op->operands[0].value->type;

    if (type == op->result.type)
        return op_lower_to_operand(module, diag, op);
    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct nest nest = nest_begin(&k, "T_cast");
    const struct ir_expr **axes = nest_axes_of(&nest, k.outputs[0]);
    nest_store(&nest, k.outputs[0], axes, kernel_load(&k, 0, axes));
    nest_end(&nest);
    k.name = "cast";
    return kernel_finish(&k);
}

/*
 * Operands that a run gives, by the rule of types of their operator: what the types of the script left open is known now,
 * and meanings rely on ranks and extents that belong together.
 */
#include "codegen/interp/internal.h"
#include "ir/arith.h"

/* Is there something that @type does not say? */
static bool is_open(struct ir_context *context, const struct ir_type *type)
{
    int64_t dim;

    if (type->kind != IR_TYPE_TENSOR)
        return type->kind == IR_TYPE_ANY;
    for (int d = 0; type->dims && d < type->ndim; d++)
        if (!ir_expr_constant(context, type->dims[d], &dim))
            return true;
    return !type->dims || ir_dtype_is_void(type->dtype);
}

static const struct ir_type *type_of(struct interp *run, const struct inlay_tensor *tensor)
{
    const struct ir_expr **dims =
        arena_array(&run->arena, const struct ir_expr *, (size_t)tensor->ndim + 1);

    for (int32_t d = 0; d < tensor->ndim; d++)
        dims[d] = ir_expr_int(run->context, IR_I64, tensor->shape[d]);
    return ir_type_tensor(run->context, interp_tensor_dtype(tensor), dims, tensor->ndim);
}

/* The type that @value has now; @type where that says as much, or it is no tensor or list of them. */
static const struct ir_type *known_type(struct interp *run, const struct ir_type *type,
                                        const struct interp_value *value)
{
    if (value->kind == INTERP_TENSOR)
        return is_open(run->context, type) ? type_of(run, value->tensor) : type;
    if (value->kind != INTERP_TUPLE || type->kind != IR_TYPE_TUPLE ||
        type->field_count != value->count)
        return type;
    bool is_any_open = false;
    const struct ir_type **fields =
        arena_array(&run->arena, const struct ir_type *, type->field_count + 1);
    for (unsigned f = 0; f < type->field_count; f++) {
        fields[f] = known_type(run, type->fields[f], value->items[f]);
        is_any_open = is_any_open || fields[f] != type->fields[f];
    }
    return is_any_open ? ir_type_tuple(run->context, fields, type->field_count) : type;
}

/* @op, whose open operands have the types that they have now; false if none is open. */
static bool with_types(const struct interp_op *o, struct ir_op *out)
{
    struct interp *run = o->run;
    bool is_any_open = false;

    *out = *o->op;
    out->operands = arena_array(&run->arena, struct ir_use, o->count + 1);
    for (unsigned i = 0; i < o->count; i++) {
        struct ir_value *value = o->op->operands[i].value;
        out->operands[i] = (struct ir_use){.value = value, .user = out};
        const struct ir_type *type = known_type(run, value->type, o->operands[i]);
        if (type == value->type)
            continue;
        struct ir_value *known = arena_new(&run->arena, struct ir_value);
        *known = *value;
        known->type = type;
        out->operands[i].value = known;
        is_any_open = true;
    }
    return is_any_open;
}

bool interp_check_fits(const struct interp_op *o)
{
    struct interp *run = o->run;
    struct ir_op op;

    if (!o->op->info->infer || !with_types(o, &op))
        return true;
    size_t before = diag_message_count(run->diag);
    if (op.info->infer(run->module, run->diag, &op))
        return true;
    const char *text = diag_error_text(run->diag, before);
    (void)interp_fail(run, INLAY_ERROR_SHAPE, "%s", text ? text : "the operands do not fit");
    diag_truncate(run->diag, before);
    return false;
}

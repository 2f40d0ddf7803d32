/*
 * Type of layout_transform: the extents of an index map.
 *
 * Each result dim is the largest value of its index, plus 1, over the dims of the operand: known for
 * the forms v, v // c and v % c (c, padded if need be), and by interval arithmetic where the dims are
 * numbers and nothing is divided.
 */
#include "base/array.h"
#include "ops/internal.h"

/* The dim of the operand that @expr, a parameter of the map, runs over. */
static const struct ir_expr *param_dim(const struct ir_attr *map, const struct ir_type *type,
                                       const struct ir_expr *expr)
{
    for (unsigned p = 0; expr->kind == IR_EXPR_var && p < map->param_count; p++)
        if (map->params[p] == expr->var)
            return type->dims[p];
    return NULL;
}

static const struct ir_expr *simple_extent(const struct infer *in, const struct ir_attr *map,
                                           const struct ir_type *type, const struct ir_expr *index)
{
    const struct ir_expr *dim = param_dim(map, type, index);
    int64_t divisor;

    if (dim != NULL)
        return dim;
    if ((index->kind != IR_EXPR_floordiv && index->kind != IR_EXPR_floormod) ||
        (dim = param_dim(map, type, index->operands[0])) == NULL ||
        !ir_expr_constant(in->context, index->operands[1], &divisor) || divisor < 1)
        return NULL;
    return index->kind == IR_EXPR_floordiv ? dim_ceildiv(in->context, dim, divisor)
                                           : op_int(in, divisor);
}

static bool visit_no_division(void *state, const struct ir_expr *expr)
{
    return expr->kind != IR_EXPR_floordiv && expr->kind != IR_EXPR_floormod &&
           expr->kind != IR_EXPR_div && expr->kind != IR_EXPR_mod;
}

static const struct ir_expr *map_extent(const struct infer *in, const struct ir_attr *map,
                                        const struct ir_type *type, const struct ir_expr *index)
{
    const struct ir_expr *simple = simple_extent(in, map, type, index);
    struct ir_ranges ranges = {0};
    bool is_known = ir_expr_walk(index, visit_no_division, NULL);

    if (simple != NULL)
        return simple;
    for (unsigned p = 0; p < map->param_count; p++) {
        int64_t extent;
        is_known = is_known && ir_expr_constant(in->context, type->dims[p], &extent);
        struct ir_range range = {map->params[p], op_int(in, 0), type->dims[p]};
        array_push(&ranges, range);
    }
    struct ir_interval bounds = ir_interval_of(in->context, &ranges, index);
    array_finish(&ranges);
    if (!is_known || bounds.low < 0 || bounds.high == INT64_MAX)
        return NULL;
    return op_int(in, bounds.high + 1);
}

const struct ir_type *infer_layout_transform(struct ir_module *module, struct diag *diag,
                                             const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_attr *map = ir_op_attr(op, "index_map");

    if (type == NULL)
        return NULL;
    const struct ir_attr *pad = ir_op_attr(op, "pad_value");
    if (pad->kind != IR_ATTR_NONE && pad->kind != IR_ATTR_INT && pad->kind != IR_ATTR_FLOAT &&
        pad->kind != IR_ATTR_EXPR) {
        diag_report(diag, op_argument_place(&in, "pad_value"), OP_ATTRIBUTE, op->info->name,
                    "pad_value", "must be a number");
        return NULL;
    }
    if (map->kind != IR_ATTR_CALL && map->kind != IR_ATTR_LAMBDA) {
        diag_report(diag, op_argument_place(&in, "index_map"), OP_ATTRIBUTE, op->info->name,
                    "index_map", "must be a lambda");
        return NULL;
    }
    /* T.index_map(lambda .., index_dtype=..) is kept as a call. */
    if (map->kind == IR_ATTR_CALL && map->count > 0)
        map = map->items[0];
    if (map->kind != IR_ATTR_LAMBDA)
        return op_result_type(&in, type->dtype, NULL, IR_NDIM_UNKNOWN);
    if (type->ndim != IR_NDIM_UNKNOWN && map->param_count != (unsigned)type->ndim) {
        diag_report(diag, op->loc, OP_ATTRIBUTE, op->info->name, "index_map",
                    arena_printf(&in.context->arena, "has %u parameters for a tensor of rank %d",
                                 map->param_count, type->ndim));
        return NULL;
    }
    const struct ir_expr **dims = NULL;
    if (type->dims != NULL)
        dims = op_dims(&in, map->count);
    for (unsigned i = 0, count = 0; dims != NULL && i < map->count; i++) {
        /* Separators stand between the indices and are no dims. */
        if (map->items[i]->kind != IR_ATTR_EXPR)
            return op_result_type(&in, type->dtype, NULL, IR_NDIM_UNKNOWN);
        dims[count] = map_extent(&in, map, type, map->items[i]->expr);
        if (dims[count++] == NULL)
            dims = NULL;
    }
    return op_result_type(&in, type->dtype, dims, (int)map->count);
}

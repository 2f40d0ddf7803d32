#include "passes/graph/compile_time.h"

#include "ir/verify.h"
#include "ops/ids.h"

struct walk {
    unsigned char *kinds;
    struct map known; /* symbols that weights define */
};

bool compile_time_inputs(const struct ir_function *function, unsigned *out_count)
{
    const struct ir_attr *attr = ir_attr_dict_get(
        function->attrs, atom_intern_text(&function->module->context->atoms, "num_input"));
    int64_t count = -1;

    if (attr && attr->kind == IR_ATTR_INT)
        count = attr->integer;
    else if (attr && attr->kind == IR_ATTR_EXPR && attr->expr->kind == IR_EXPR_int)
        count = attr->expr->int_value;
    *out_count = (unsigned)count;
    return count >= 0 && count <= function->param_count;
}

/* ---- symbols ---- */

static void define_symbols(struct map *known, const struct ir_type *type)
{
    for (int i = 0; type->dims && i < type->ndim; i++)
        if (type->dims[i]->kind == IR_EXPR_var)
            map_set(known, type->dims[i]->var, type);
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        define_symbols(known, type->fields[i]);
}

static bool is_known(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_var || map_has(state, a->var);
}

static bool is_type_known(struct map *known, const struct ir_type *type)
{
    return ir_type_walk_exprs(type, is_known, known) && !type->shape_var;
}

static bool is_attr_known(struct map *known, const struct ir_attr *attr)
{
    if (attr->kind == IR_ATTR_EXPR)
        return ir_expr_walk(attr->expr, is_known, known);
    if (attr->kind == IR_ATTR_TYPE)
        return is_type_known(known, attr->type);
    for (unsigned i = 0; i < attr->count; i++)
        if (!is_attr_known(known, attr->items[i]))
            return false;
    return true;
}

/* ---- ops ---- */

static unsigned char join(unsigned char a, unsigned char b)
{
    if (a == COMPILE_TIME_NO || b == COMPILE_TIME_NO)
        return COMPILE_TIME_NO;
    return a > b ? a : b;
}

static bool can_move(const struct ir_op *op)
{
    uint32_t never = IR_TERMINATOR | IR_OPAQUE | IR_ALLOCATES;

    return !(op->info->traits & never) && op->region_count == 0 &&
           !ir_op_is(op, IR_CORE_match_cast) && !ir_op_is(op, IR_CORE_function) &&
           !ir_op_is(op, IR_CORE_extern_func) && !ir_op_is(op, IR_CORE_global) &&
           !ir_op_is(op, IR_CORE_call_dps_packed) && !op_is(op, OP_builtin_stop_lift_params) &&
           ir_op_is_pure(op);
}

static void visit(struct walk *walk, struct ir_op *op)
{
    unsigned char kind = can_move(op) ? COMPILE_TIME_CONSTANT : COMPILE_TIME_NO;

    for (unsigned i = 0; i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;

        if (ir_value_is_inline(value))
            visit(walk, value->def);
        kind = join(kind, walk->kinds[value->index]);
    }
    for (unsigned i = 0; kind && i < op->info->attr_count; i++)
        if (!is_attr_known(&walk->known, op->attrs[i]))
            kind = COMPILE_TIME_NO;
    if (kind && !is_type_known(&walk->known, op->result.type))
        kind = COMPILE_TIME_NO;
    walk->kinds[op->result.index] = kind;
}

struct compile_time compile_time_of(struct ir_function *function, struct arena *arena)
{
    unsigned inputs;
    bool has_weights = compile_time_inputs(function, &inputs);

    ir_function_number(function);
    struct walk walk = {.kinds = arena_array(arena, unsigned char, function->value_count)};
    for (unsigned i = has_weights ? inputs : function->param_count; i < function->param_count;
         i++) {
        const struct ir_value *param = function->params[i];

        walk.kinds[param->index] = COMPILE_TIME_WEIGHT;
        define_symbols(&walk.known, param->type);
        if (param->var)
            map_set(&walk.known, param->var, param->type);
    }
    ir_for_each_block(block, function->body)
    {
        ir_for_each_op (op, block)
            visit(&walk, op);
    }
    map_finish(&walk.known);
    return (struct compile_time){.kinds = walk.kinds, .count = function->value_count};
}

enum compile_time_kind compile_time_kind(const struct compile_time *table,
                                         const struct ir_value *value)
{
    return value->index < table->count ? table->kinds[value->index] : COMPILE_TIME_NO;
}

#include "passes/graph/inline.h"

#include "ir/build.h"
#include "ir/edit/rewrite.h"
#include "ir/verify.h"

struct inlining {
    struct ir_module *module;
    struct ir_context *context;
    struct ir_op *call;
    struct ir_function *callee;
    struct ir_copy copy;
    struct inline_names *names;
    array(const struct ir_type *) wanted; /* of each argument */
};

/* ---- symbols ---- */

static void bind(struct inlining *in, const struct ir_var *var, const struct ir_expr *value)
{
    if (!ir_bindings_find(&in->copy.symbols, var))
        array_push(&in->copy.symbols, (struct ir_binding){var, value});
}

static const struct ir_expr *scalar_of(struct inlining *in, const struct ir_value *value)
{
    if (value->var)
        return ir_expr_var(in->context, value->var);
    if (!value->def || !ir_op_is(value->def, IR_CORE_prim))
        return NULL;
    const struct ir_attr *attr = ir_op_attr(value->def, "value");

    return attr->kind == IR_ATTR_EXPR ? attr->expr : NULL;
}

/* Lets the symbols of the parameters be what the arguments say; false if one says too little. */
static bool bind_parameters(struct inlining *in)
{
    for (unsigned i = 0; i < in->callee->param_count; i++) {
        const struct ir_value *param = in->callee->params[i], *arg = in->call->operands[i].value;

        if (param->var) {
            const struct ir_expr *value = scalar_of(in, arg);

            if (!value || !ir_dtype_equal(value->dtype, param->var->dtype))
                return false;
            bind(in, param->var, value);
        }
        ir_type_match(in->context, param->type, arg->type, &in->copy.symbols);
    }
    return true;
}

static bool is_bound(void *state, const struct ir_expr *e)
{
    const struct inlining *in = state;

    return e->kind != IR_EXPR_var || ir_bindings_find(&in->copy.symbols, e->var);
}

/* The types that the arguments must have; false if the call is known to fail, or is not understood. */
static bool find_wanted(struct inlining *in)
{
    for (unsigned i = 0; i < in->callee->param_count; i++) {
        const struct ir_type *type = in->callee->params[i]->type;

        if (!ir_type_walk_exprs(type, is_bound, in))
            return false;
        type = ir_type_substitute(in->context, type, &in->copy.symbols);
        if (ir_type_check(in->context, type, in->call->operands[i].value->type) <
            IR_CHECK_FAIL_VALUE)
            return false;
        array_push(&in->wanted, type);
    }
    return true;
}

/* A symbol that the body binds is another one in each copy of the body. */
static void refresh_symbols(struct inlining *in, const struct ir_type *type)
{
    for (int i = 0; type->dims && i < type->ndim; i++) {
        const struct ir_expr *dim = type->dims[i];

        if (dim->kind != IR_EXPR_var || ir_bindings_find(&in->copy.symbols, dim->var))
            continue;
        struct ir_var *fresh = ir_symbol_new(in->context, dim->var->name, dim->var->dtype);

        fresh->loc = dim->var->loc;
        bind(in, dim->var, ir_expr_var(in->context, fresh));
    }
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        refresh_symbols(in, type->fields[i]);
}

/* Is the shape of @type said by the value of a parameter, which may not be a name in the copy? */
static bool names_parameter(const struct ir_type *type)
{
    if (type->kind == IR_TYPE_TENSOR)
        return type->shape_var && !type->shape_var->def;
    for (unsigned i = 0; i < type->field_count; i++)
        if (names_parameter(type->fields[i]))
            return true;
    return false;
}

/* False where the body has what cannot be copied. */
static bool refresh_op(void *state, struct ir_op *op)
{
    struct inlining *in = state;

    if (names_parameter(op->result.type) || (op->declared && names_parameter(op->declared)))
        return false;
    if (ir_op_is(op, IR_CORE_match_cast))
        refresh_symbols(in, op->declared);
    if (!ir_op_is(op, IR_CORE_function))
        return true;
    const struct ir_function *nested = ir_op_attr(op, "function")->function;

    for (unsigned i = 0; i < nested->param_count; i++) {
        const struct ir_var *var = nested->params[i]->var;

        if (var && !ir_bindings_find(&in->copy.symbols, var))
            bind(in, var,
                 ir_expr_var(in->context, var->is_symbol
                                              ? ir_symbol_new(in->context, var->name, var->dtype)
                                              : ir_var_new(in->context, var->name, var->dtype)));
        refresh_symbols(in, nested->params[i]->type);
    }
    return ir_region_walk(nested->body, refresh_op, state);
}

/* ---- arguments and result ---- */

/* An op in front of the call whose result is @operand, known as @type. */
static struct ir_value *add_op(struct inlining *in, enum ir_core core, struct ir_value *operand,
                               const struct ir_type *type)
{
    struct ir_op *op = ir_op_new(in->module, ir_core_op(in->context, core), &operand, 1);

    op->loc = in->call->loc;
    op->result.loc = in->call->loc;
    op->result.type = type;
    if (core == IR_CORE_match_cast)
        op->declared = type;
    ir_op_insert_before(in->call, op);
    if (core == IR_CORE_bind)
        array_push(in->names, op);
    return &op->result;
}

/* @value as a name of type @type, checked when it runs if that is not certain. */
static struct ir_value *add_cast(struct inlining *in, struct ir_value *value,
                                 const struct ir_type *type)
{
    bool is_certain = ir_type_check(in->context, type, value->type) == IR_CHECK_PASS;

    return add_op(in, is_certain ? IR_CORE_bind : IR_CORE_match_cast, value, type);
}

static bool is_literal(const struct ir_op *op)
{
    return ir_op_is(op, IR_CORE_constant) || ir_op_is(op, IR_CORE_shape) ||
           ir_op_is(op, IR_CORE_prim) || ir_op_is(op, IR_CORE_string) ||
           ir_op_is(op, IR_CORE_dtype) || ir_op_is(op, IR_CORE_null_value);
}

/* Operands of the call become what parameters can be replaced by. */
static void prepare_arguments(struct inlining *in)
{
    for (unsigned i = 0; i < in->callee->param_count; i++) {
        struct ir_value *arg = in->call->operands[i].value;
        const struct ir_value *param = in->callee->params[i];

        if (ir_value_is_inline(arg) && !is_literal(arg->def)) {
            struct ir_value *copy = ir_inline_copy(in->module, arg);

            if (ir_op_is(copy->def, IR_CORE_tuple)) /* takes a place in a block */
                ir_op_insert_before(in->call, copy->def);
            else
                copy = add_op(in, IR_CORE_bind, copy, arg->type);
            copy->name = param->name;
            ir_op_set_operand(in->call, i, copy);
            arg = copy;
        }
        if (arg->type != in->wanted.items[i]) {
            arg = add_cast(in, ir_inline_copy(in->module, arg), in->wanted.items[i]);
            arg->name = param->name;
            ir_op_set_operand(in->call, i, arg);
        }
        map_set(&in->copy.values, param, arg);
    }
}

static void replace_call(struct inlining *in, struct ir_value *result)
{
    const struct ir_type *checked =
        ir_type_substitute(in->context, in->callee->result, &in->copy.symbols);
    struct ir_value *value = result;

    if (ir_value_is_inline(value) && ir_op_is(value->def, IR_CORE_tuple))
        ir_op_insert_before(in->call, value->def); /* takes a place in the block */
    if (ir_type_check(in->context, checked, value->type) != IR_CHECK_PASS)
        value = add_cast(in, value, checked);
    /* users were made for what the call said of its result */
    if (value->type != in->call->result.type || ir_value_is_inline(value))
        value = add_cast(in, value, in->call->result.type);
    if (value != result || !value->name)
        value->name = in->call->result.name;
    rewrite_replace(in->module, in->call, value);
}

/* ---- bodies ---- */

static bool has_dataflow(const struct ir_function *function)
{
    ir_for_each_block(block, function->body) if (block->is_dataflow) return true;
    return false;
}

static bool is_straight(void *state, struct ir_op *op)
{
    (void)state;
    return op->region_count == 0 && !ir_op_is(op, IR_CORE_function) && ir_op_is_pure(op);
}

/* May all ops stand in the block of the call? */
static bool fits_block(const struct inlining *in)
{
    if (!in->call->block->is_dataflow)
        return !has_dataflow(in->callee);
    return ir_region_walk(in->callee->body, is_straight, NULL);
}

static void copy_flat(struct inlining *in)
{
    ir_for_each_block(block, in->callee->body)
    {
        ir_for_each_op (op, block)
            if (!ir_op_is(op, IR_CORE_output) && !ir_op_is(op, IR_CORE_return))
                ir_op_insert_before(in->call, ir_copy_op(&in->copy, op));
    }
}

/* Blocks of their own, between the halves of the block of the call. */
static void copy_blocks(struct inlining *in)
{
    struct ir_block *rest = rewrite_split_block(in->module, in->call);

    ir_for_each_block(block, in->callee->body)
    {
        struct ir_block *copy = ir_block_insert_before(in->module, rest, block->is_dataflow);

        copy->loc = block->loc;
        ir_for_each_op (op, block)
            if (!ir_op_is(op, IR_CORE_return))
                ir_op_append(copy, ir_copy_op(&in->copy, op));
    }
}

/* The copies of @calls, ops of the callee. */
static void find_copies(const struct inlining *in, struct inline_calls *calls)
{
    for (size_t i = 0; calls && i < calls->count; i++) {
        struct ir_value *copy = map_get(&in->copy.values, &calls->items[i]->result);

        calls->items[i] = copy ? copy->def : NULL;
    }
}

bool inline_call(struct ir_module *module, struct ir_op *call, struct inline_names *names,
                 struct inline_calls *calls)
{
    struct inlining in = {.module = module,
                          .context = module->context,
                          .call = call,
                          .names = names,
                          .callee = ir_op_callee(call)->function,
                          .copy = {.module = module, .function = call->block->region->function}};
    bool is_fine = bind_parameters(&in) && find_wanted(&in) &&
                   ir_region_walk(in.callee->body, refresh_op, &in);

    if (is_fine) {
        struct ir_value *result = in.callee->body->last->last->operands[0].value;

        prepare_arguments(&in);
        if (fits_block(&in))
            copy_flat(&in);
        else
            copy_blocks(&in);
        if (ir_value_is_inline(result)) {
            /* a leaf, or a tuple of what was copied: copied as an operand of the return */
            struct ir_op *end = ir_copy_op(&in.copy, in.callee->body->last->last);

            result = ir_inline_copy(module, end->operands[0].value);
            ir_op_erase(end);
        } else {
            struct ir_value *copy = map_get(&in.copy.values, result);

            if (copy && result->def && call->result.name)
                copy->name = call->result.name; /* the caller's name for it */
            result = ir_inline_copy(module, copy ? copy : result);
        }
        replace_call(&in, result);
        find_copies(&in, calls);
    }
    array_finish(&in.wanted);
    array_finish(&in.copy.symbols);
    map_finish(&in.copy.values);
    return is_fine;
}

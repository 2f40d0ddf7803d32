/*
 * Deep copies of modules.
 *
 * Types, expressions and attributes live in the context and are shared, but for those that point back
 * into the module: at globals, constants, nested functions, values (R.Tensor(s)) and buffers.
 */
#include "ir/clone.h"

#include "base/assert.h"
#include "ir/build.h"

static const struct ir_attr *clone_items(struct cloner *c, const struct ir_attr *attr)
{
    bool is_same = true;
    const struct ir_attr **items =
        arena_array(&c->to->context->arena, const struct ir_attr *, attr->count);
    for (unsigned i = 0; i < attr->count; i++) {
        items[i] = clone_attr(c, attr->items[i]);
        is_same = is_same && items[i] == attr->items[i];
    }
    if (is_same)
        return attr;
    struct ir_attr *copy = arena_new(&c->to->context->arena, struct ir_attr);
    *copy = *attr;
    copy->items = items;
    return copy;
}

static void *copy_of(const struct cloner *c, const void *old)
{
    union {
        const void *in;
        void *out;
    } same = {old};
    void *copy = map_get(&c->copies, old);
    return copy == NULL && c->from == c->to ? same.out : copy;
}

static const struct ir_type *clone_type(struct cloner *c, const struct ir_type *type);
static struct ir_function *clone_function(struct cloner *c, const struct ir_function *from,
                                          struct ir_function *parent);

const struct ir_attr *clone_attr(struct cloner *c, const struct ir_attr *attr)
{
    if (attr == NULL)
        return NULL;
    struct ir_context *context = c->to->context;
    switch (attr->kind) {
    case IR_ATTR_LIST:
    case IR_ATTR_DICT:
    case IR_ATTR_LAMBDA:
    case IR_ATTR_CALL:
        return clone_items(c, attr);
    case IR_ATTR_GLOBAL:
        return ir_attr_global(context, copy_of(c, attr->global));
    case IR_ATTR_CONSTANT:
        return ir_attr_constant(context, copy_of(c, attr->constant));
    case IR_ATTR_EXPR: {
        const struct ir_expr *expr =
            c->symbols != NULL ? ir_expr_substitute(context, attr->expr, c->symbols) : attr->expr;
        return expr == attr->expr ? attr : ir_attr_expr(context, expr);
    }
    case IR_ATTR_TYPE: {
        const struct ir_type *type = clone_type(c, attr->type);
        return type == attr->type ? attr : ir_attr_type(context, type);
    }
    default:
        return attr;
    }
}

static const struct ir_type *clone_fields(struct cloner *c, const struct ir_type *type)
{
    struct ir_context *context = c->to->context;
    const struct ir_type *result = type->result != NULL ? clone_type(c, type->result) : NULL;
    bool is_same = result == type->result;
    const struct ir_type **fields =
        arena_array(&context->arena, const struct ir_type *, type->field_count);
    for (unsigned i = 0; i < type->field_count; i++) {
        fields[i] = clone_type(c, type->fields[i]);
        is_same = is_same && fields[i] == type->fields[i];
    }
    if (is_same)
        return type;
    if (type->kind == IR_TYPE_TUPLE)
        return ir_type_tuple(context, fields, type->field_count);
    if (type->is_opaque)
        return ir_type_func_opaque(context, result, type->is_pure, type->derive);
    return ir_type_func(context, fields, type->field_count, result, type->is_pure);
}

static const struct ir_type *clone_type(struct cloner *c, const struct ir_type *type)
{
    if (type == NULL)
        return NULL;
    if (c->symbols != NULL)
        type = ir_type_substitute(c->to->context, type, c->symbols);
    if (type->kind == IR_TYPE_TUPLE || type->kind == IR_TYPE_FUNC)
        return clone_fields(c, type);
    if (type->kind != IR_TYPE_TENSOR || type->shape_var == NULL)
        return type;
    return ir_type_tensor_full(c->to->context, type->dtype, type->dims, type->ndim,
                               copy_of(c, type->shape_var), type->vdevice);
}

static void clone_value(struct cloner *c, const struct ir_value *from, struct ir_value *to)
{
    map_set(&c->copies, from, to);
    to->type = clone_type(c, from->type);
    to->name = from->name;
    to->index = from->index;
    to->loc = from->loc;
    const struct ir_expr *symbol =
        c->symbols != NULL && from->var != NULL ? ir_bindings_find(c->symbols, from->var) : NULL;
    to->var = symbol != NULL && symbol->kind == IR_EXPR_var ? symbol->var : from->var;
    to->is_annotated = from->is_annotated;
}

static struct ir_region *clone_region(struct cloner *c, const struct ir_region *from,
                                      struct ir_function *function, struct ir_op *owner);

static struct ir_op *clone_op(struct cloner *c, const struct ir_op *from,
                              struct ir_function *function);

static struct ir_value *clone_operand(struct cloner *c, struct ir_value *value,
                                      struct ir_function *function)
{
    if (ir_value_is_inline(value))
        return &clone_op(c, value->def, function)->result;
    struct ir_value *copy = copy_of(c, value);
    assert(copy != NULL);
    return ir_value_is_inline(copy) ? ir_inline_copy(c->to, copy) : copy;
}

static struct ir_op *clone_op(struct cloner *c, const struct ir_op *from,
                              struct ir_function *function)
{
    struct ir_op *op = ir_op_new(c->to, from->info, NULL, 0);
    for (unsigned i = 0; i < from->operand_count; i++)
        ir_op_add_operand(c->to, op, clone_operand(c, from->operands[i].value, function));
    op->declared = clone_type(c, from->declared);
    op->loc = from->loc;
    op->places = from->places;
    clone_value(c, &from->result, &op->result);
    for (unsigned i = 0; i < from->info->attr_count; i++) {
        if (from->attrs[i]->kind == IR_ATTR_FUNCTION)
            op->attrs[i] = ir_attr_function(c->to->context,
                                            clone_function(c, from->attrs[i]->function, function));
        else
            op->attrs[i] = clone_attr(c, from->attrs[i]);
    }
    op->region_count = from->region_count;
    op->regions = arena_array(&c->to->arena, struct ir_region *, from->region_count);
    for (unsigned i = 0; i < from->region_count; i++)
        op->regions[i] = clone_region(c, from->regions[i], function, op);
    return op;
}

static struct ir_region *clone_region(struct cloner *c, const struct ir_region *from,
                                      struct ir_function *function, struct ir_op *owner)
{
    struct ir_region *region = ir_region_new(c->to, function, owner);
    ir_for_each_block(block, from)
    {
        struct ir_block *copy = ir_block_append(c->to, region, block->is_dataflow);
        copy->loc = block->loc;
        ir_for_each_op (op, block)
            ir_op_append(copy, clone_op(c, op, function));
    }
    return region;
}

static struct ir_function *clone_function(struct cloner *c, const struct ir_function *from,
                                          struct ir_function *parent)
{
    struct ir_function *function = ir_function_new(c->to, from->name);
    function->parent = parent;
    for (unsigned i = 0; i < from->param_count; i++) {
        const struct ir_value *param = from->params[i];
        clone_value(c, param, ir_function_add_param(function, param->name, param->type));
    }
    function->result = clone_type(c, from->result);
    function->is_result_annotated = from->is_result_annotated;
    function->is_pure = from->is_pure;
    function->is_private = from->is_private;
    function->skip_well_formed = from->skip_well_formed;
    function->attrs = clone_attr(c, from->attrs);
    function->value_count = from->value_count;
    function->loc = from->loc;
    function->body = clone_region(c, from->body, function, NULL);
    return function;
}

static void clone_global(struct cloner *c, const struct ir_global *from)
{
    struct ir_global *global = map_get(&c->copies, from);
    global->symbol = from->symbol;
    global->loc = from->loc;
    if (from->kernel != NULL) {
        global->kernel = tir_func_new(c->to, from->kernel->name);
        clone_kernel(c, from->kernel, global->kernel);
    }
    if (from->function != NULL)
        global->function = clone_function(c, from->function, NULL);
    global->type = clone_type(c, from->type);
}

struct ir_op *ir_copy_op(struct ir_copy *copy, const struct ir_op *op)
{
    struct cloner c = {.from = copy->module,
                       .to = copy->module,
                       .copies = copy->values,
                       .symbols = &copy->symbols};
    struct ir_op *result = clone_op(&c, op, copy->function);
    copy->values = c.copies;
    return result;
}

struct ir_global *ir_kernel_copy(struct ir_module *module, const struct ir_global *from,
                                 const char *name)
{
    return ir_kernel_take(module, module, from, name);
}

struct ir_global *ir_kernel_take(struct ir_module *module, const struct ir_module *owner,
                                 const struct ir_global *from, const char *name)
{
    struct cloner c = {.from = owner, .to = module};
    const char *own_name = ir_module_fresh_name(module, name);
    struct ir_global *to = ir_module_add(module, own_name, IR_GLOBAL_KERNEL);
    to->kernel = tir_func_new(module, own_name);
    to->loc = from->loc;
    to->type = from->type;
    clone_kernel(&c, from->kernel, to->kernel);
    map_finish(&c.copies);
    return to;
}

struct ir_module *ir_module_clone(const struct ir_module *module)
{
    struct cloner c = {.from = module, .to = ir_module_create(module->context)};
    c.to->name = module->name;
    c.to->is_bare_function = module->is_bare_function;
    for (size_t i = 0; i < module->constant_count; i++) {
        const struct ir_constant *from = module->constants[i];
        struct ir_constant *to =
            ir_module_add_data(c.to, from->dtype, from->shape, from->ndim, from->store);

        to->name = from->name;
        map_set(&c.copies, from, to);
    }
    for (size_t i = 0; i < module->global_count; i++) {
        const struct ir_global *from = module->globals[i];
        map_set(&c.copies, from, ir_module_add(c.to, from->name, from->kind));
    }
    for (size_t i = 0; i < module->global_count; i++)
        clone_global(&c, module->globals[i]);
    c.to->attrs = clone_attr(&c, module->attrs);
    c.to->attrs_loc = module->attrs_loc;
    c.to->global_infos = clone_attr(&c, module->global_infos);
    map_finish(&c.copies);
    return c.to;
}

/*
 * Graph functions: each op in order, its result kept under its value.
 */
#include "codegen/interp/graph.h"

#include "base/array.h"
#include "codegen/interp/storage.h"
#include "ir/bounds.h"

static void call_finish(struct interp_call *call)
{
    map_finish(&call->values);
    map_finish(&call->symbols);
}

static const struct interp_value *leaf_shape(struct interp_call *call, const struct ir_op *op)
{
    const struct ir_attr *list = ir_op_attr(op, "dims");
    int64_t *dims = arena_array(&call->run->arena, int64_t, list->count + 1);
    for (unsigned i = 0; i < list->count; i++) {
        const struct ir_attr *dim = list->items[i];
        if (dim->kind == IR_ATTR_INT)
            dims[i] = dim->integer;
        else if (!interp_dim(call, dim->expr, &dims[i]))
            return NULL;
        if (dims[i] < -1) {
            interp_fail(call->run, INLAY_ERROR_SHAPE, "dimension %lld would be %lld", (long long)i,
                        (long long)dims[i]);
            return NULL;
        }
    }
    return interp_shape_value(call->run, dims, list->count);
}

static const struct interp_value *leaf_prim(struct interp_call *call, const struct ir_op *op)
{
    const struct ir_attr *attr = ir_op_attr(op, "value");
    struct interp_scalar scalar = {.dtype = IR_I64};
    switch (attr->kind) {
    case IR_ATTR_BOOL:
        scalar = (struct interp_scalar){.dtype = IR_B1, .integer = attr->boolean};
        break;
    case IR_ATTR_INT:
        scalar.integer = attr->integer;
        break;
    case IR_ATTR_FLOAT:
        scalar = (struct interp_scalar){.dtype = IR_F64, .real = attr->real};
        break;
    case IR_ATTR_EXPR:
        if (!interp_prim(call, attr->expr, &scalar))
            return NULL;
        break;
    default:
        interp_unsupported(call->run, op->loc, "this scalar");
        return NULL;
    }
    return interp_scalar_value(call->run, scalar);
}

static const struct interp_value *leaf_constant(struct interp_call *call, const struct ir_op *op)
{
    const struct ir_constant *constant = ir_op_attr(op, "data")->constant;
    struct interp_value *value = interp_value_new(call->run, INTERP_TENSOR);
    value->tensor = arena_new(&call->run->arena, struct inlay_tensor);
    /* Never written: every op that writes makes a tensor of its own. */
    *value->tensor = (struct inlay_tensor){.data = interp_unconst(constant->data),
                                           .device = {.type = 1},
                                           .ndim = (int32_t)constant->ndim,
                                           .dtype = interp_dtype(constant->dtype),
                                           .shape = interp_unconst(constant->shape)};
    return value;
}

static const struct interp_value *leaf_function(struct interp_call *call, const struct ir_op *op)
{
    struct interp_value *value = interp_value_new(call->run, INTERP_FUNCTION);
    value->outer = call;
    if (ir_op_is(op, IR_CORE_global))
        value->global = ir_op_attr(op, "callee")->global;
    else if (ir_op_is(op, IR_CORE_extern_func))
        value->symbol = ir_op_attr(op, "symbol")->string;
    else
        value->function = ir_op_attr(op, "function")->function;
    call->run->keeps_all |= value->function != NULL;
    return value;
}

static const struct interp_value *run_tuple(struct interp_call *call, const struct ir_op *op)
{
    const struct interp_value **items =
        arena_array(&call->run->arena, const struct interp_value *, op->operand_count + 1);
    for (unsigned i = 0; i < op->operand_count; i++) {
        items[i] = interp_value_of(call, op->operands[i].value);
        if (!items[i])
            return NULL;
    }
    return interp_tuple_value(call->run, items, op->operand_count);
}

static const struct interp_value *run_tuple_get(struct interp_call *call, const struct ir_op *op)
{
    const struct interp_value *tuple = interp_value_of(call, op->operands[0].value);
    int64_t index = ir_op_attr(op, "index")->integer;
    if (!tuple)
        return NULL;
    if (tuple->kind == INTERP_TUPLE && index >= 0 && index < tuple->count)
        return tuple->items[index];
    interp_fail(call->run, INLAY_ERROR_SHAPE, "the value has no field %lld", (long long)index);
    return NULL;
}

static const struct interp_value *run_match_cast(struct interp_call *call, const struct ir_op *op)
{
    const struct ir_value *operand = op->operands[0].value;
    const struct interp_value *value = interp_value_of(call, operand);
    const char *name = arena_printf(&call->run->arena, "`%s` in R.match_cast",
                                    operand->name ? operand->name : "?");
    if (!value || !interp_match(call, op->declared, value, INLAY_ERROR_SHAPE, name))
        return NULL;
    return value;
}

static const struct interp_value *run_region(struct interp_call *call,
                                             const struct ir_region *region);

static const struct interp_value *run_if(struct interp_call *call, const struct ir_op *op)
{
    const struct interp_value *condition = interp_read(call, op->operands[0].value);
    if (!condition)
        return NULL;
    bool is_true = false;
    if (condition->kind == INTERP_SCALAR) {
        is_true = condition->scalar.integer != 0;
    } else if (condition->kind == INTERP_TENSOR && inlay_tensor_elements(condition->tensor) == 1) {
        struct ir_dtype dtype = interp_tensor_dtype(condition->tensor);
        is_true = interp_cast(interp_load_element(dtype, interp_data(condition->tensor), 0), IR_B1)
                      .integer;
    } else {
        interp_fail(call->run, INLAY_ERROR_SHAPE, "the condition is no single bool");
        return NULL;
    }
    return run_region(call, op->regions[is_true ? 0 : 1]);
}

/* The dtype of the first result; where its type leaves it open, that of the first tensor. */
static struct ir_dtype computed_dtype(const struct interp_op *o)
{
    const struct ir_type *type = o->op->result.type;
    const struct interp_value *first = o->count ? o->operands[0] : NULL;
    if (type->kind == IR_TYPE_TUPLE && type->field_count)
        type = type->fields[0];
    if (type->kind == IR_TYPE_TENSOR && !ir_dtype_is_void(type->dtype))
        return type->dtype;
    if (first && first->kind == INTERP_TUPLE && first->count)
        first = first->items[0];
    return first && first->kind == INTERP_TENSOR ? interp_tensor_dtype(first->tensor) : IR_VOID;
}

/* One tensor stands for a list of one. */
static const struct interp_value *as_list(struct interp *run, const struct ir_op_info *info,
                                          unsigned i, const struct interp_value *value)
{
    bool is_list = false;

    for (unsigned p = 0; p < info->param_count; p++)
        is_list = is_list ||
                  (info->params[p].kind == IR_PARAM_EXPRS && info->params[p].operand_index == i);
    if (!is_list || value->kind != INTERP_TENSOR)
        return value;
    const struct interp_value **one = arena_array(&run->arena, const struct interp_value *, 1);
    struct interp_value *list = interp_value_new(run, INTERP_TUPLE);
    one[0] = value;
    list->items = one;
    list->count = 1;
    return list;
}

/* The operators of the library; the result must be what was inferred. */
static const struct interp_value *run_library_op(struct interp_call *call, const struct ir_op *op)
{
    interp_op_fn *meaning = interp_find_op(op);
    if (!meaning) {
        interp_unsupported(call->run, op->loc, "`R.%s`", op->info->name);
        return NULL;
    }
    struct interp_op o = {.run = call->run, .call = call, .op = op, .count = op->operand_count};
    bool is_name = op->info->traits & (IR_VIEW | IR_ALIAS);
    bool reads = !is_name && !(op->info->traits & IR_METADATA);
    o.operands = arena_array(&call->run->arena, const struct interp_value *, op->operand_count + 1);
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *operand = op->operands[i].value;
        o.operands[i] = reads ? interp_read(call, operand) : interp_value_of(call, operand);
        if (!o.operands[i] || (is_name && !interp_need(call->run, o.operands[i])))
            return NULL;
        o.operands[i] = as_list(call->run, op->info, i, o.operands[i]);
    }
    call->run->loc = op->loc;
    if (!interp_check_domain(&o, op_domain_of(op), computed_dtype(&o)) || !interp_check_fits(&o))
        return NULL;
    const struct interp_value *result = meaning(&o);
    if (!result || !interp_match(call, op->result.type, result, INLAY_ERROR_SHAPE, "the result"))
        return NULL;
    return result;
}

static const struct interp_value *run_op(struct interp_call *call, const struct ir_op *op)
{
    if (op->loc.source)
        call->run->loc = op->loc;
    switch (op->info->core) {
    case IR_CORE_none:
        return run_library_op(call, op);
    case IR_CORE_constant:
        return leaf_constant(call, op);
    case IR_CORE_shape:
        return leaf_shape(call, op);
    case IR_CORE_prim:
        return leaf_prim(call, op);
    case IR_CORE_global:
    case IR_CORE_extern_func:
    case IR_CORE_function:
        return leaf_function(call, op);
    case IR_CORE_string: {
        struct interp_value *value = interp_value_new(call->run, INTERP_STRING);
        value->string = ir_op_attr(op, "value")->string;
        return value;
    }
    case IR_CORE_dtype: {
        struct interp_value *value = interp_value_new(call->run, INTERP_DTYPE);
        value->dtype = ir_op_attr(op, "value")->dtype;
        return value;
    }
    case IR_CORE_null_value:
    case IR_CORE_call_value: /* devices: they mean nothing here */
        return interp_value_new(call->run, INTERP_NULL);
    case IR_CORE_tuple:
        return run_tuple(call, op);
    case IR_CORE_tuple_get:
        return run_tuple_get(call, op);
    case IR_CORE_bind:
        return interp_value_of(call, op->operands[0].value);
    case IR_CORE_match_cast:
        return run_match_cast(call, op);
    case IR_CORE_if:
        return run_if(call, op);
    default:
        return interp_call_op(call, op);
    }
}

const struct interp_value *interp_value_of(struct interp_call *call, const struct ir_value *value)
{
    for (struct interp_call *c = call; c; c = c->outer) {
        const struct interp_value *known = map_get(&c->values, value);
        if (known)
            return known;
    }
    if (value->def && ir_op_is_inline(value->def))
        return run_op(call, value->def);
    interp_unsupported(call->run, value->loc, "a value that is used before it is made");
    return NULL;
}

const struct interp_value *interp_read(struct interp_call *call, const struct ir_value *value)
{
    const struct interp_value *known = interp_value_of(call, value);
    return known && interp_check_alive(call->run, value, known) && interp_need(call->run, known)
               ? known
               : NULL;
}

static const struct interp_value *run_region(struct interp_call *call,
                                             const struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block) {
            if (ir_op_is(op, IR_CORE_output))
                continue;
            if (ir_op_is(op, IR_CORE_yield))
                return interp_value_of(call, op->operands[0].value);
            if (ir_op_is(op, IR_CORE_return))
                return interp_read(call, op->operands[0].value);
            const struct interp_value *value = run_op(call, op);
            if (!value)
                return NULL;
            if (call->next)
                return value;
            map_set(&call->values, &op->result, value);
        }
    }
    UNREACHABLE("a region without an end");
}

/* Binds parameter @i to @arg, and the symbols of its type. */
static bool bind_param(struct interp_call *call, unsigned i, const struct interp_value *arg)
{
    const struct ir_value *param = call->function->params[i];
    if (param->type->kind == IR_TYPE_PRIM && arg->kind == INTERP_SCALAR) {
        arg = interp_scalar_value(call->run, interp_cast(arg->scalar, param->type->dtype));
        if (param->var && !ir_dtype_is_float(param->type->dtype))
            interp_symbol_set(call, param->var, arg->scalar.integer);
    }
    map_set(&call->values, param, arg);
    return true;
}

/* Symbols may be bound by any parameter: bare ones first, then all dims are compared. */
static bool match_params(struct interp_call *call, const struct interp_value *const *args,
                         unsigned count)
{
    const struct ir_function *function = call->function;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < count; i++) {
            const struct ir_value *param = function->params[i];
            const char *name = arena_printf(&call->run->arena, "argument %u (`%s`) of `%s`", i + 1,
                                            param->name ? param->name : "", function->name);
            if (pass == 0)
                interp_bind_symbols(call, param->type, args[i]);
            else if (!interp_match(call, param->type, args[i], INLAY_ERROR_ARGUMENT, name))
                return false;
        }
    return true;
}

/* False after a report that a symbol is more than its upper bound. */
static bool check_bounds(struct interp_call *call)
{
    struct ir_bounds bounds = {0};
    bool is_fine = true;
    ir_bounds_find(call->function, &call->run->arena, &bounds);
    for (size_t i = 0; i < bounds.count && is_fine; i++) {
        const struct ir_bound *bound = &bounds.items[i];
        int64_t value = 0;
        is_fine = !interp_symbol(call, bound->var, &value) || value <= bound->limit;
        if (!is_fine)
            interp_fail(call->run, INLAY_ERROR_ARGUMENT, IR_BOUND_EXCEEDED, bound->what,
                        (long long)value, bound->var->name, (long long)bound->limit);
    }
    array_finish(&bounds);
    return is_fine;
}

/* One turn: what the function gives, or (call->next) what is to be called in its place. */
static const struct interp_value *
run_function(struct interp_call *call, const struct interp_value *const *args, unsigned count)
{
    const struct interp_value *result = NULL;
    for (unsigned i = 0; i < count; i++)
        bind_param(call, i, args[i]);
    call->run->loc = call->function->loc;
    if (match_params(call, args, count) && check_bounds(call))
        result = run_region(call, call->function->body);
    return result;
}

static struct interp_call *call_new(struct interp *run, struct ir_function *function,
                                    struct interp_call *outer)
{
    /* In the arena: functions that it makes may outlive it. */
    struct interp_call *call = arena_new(&run->arena, struct interp_call);
    *call = (struct interp_call){.run = run, .function = function, .outer = outer};
    array_push(&run->calls, call);
    return call;
}

/* The call that takes the place of @call, which has left. */
static struct interp_call *next_call(struct interp_call *call)
{
    if (call->run->keeps_all)
        return call_new(call->run, call->next, NULL);
    call_finish(call);
    *call = (struct interp_call){.run = call->run, .function = call->next};
    return call;
}

bool interp_call_function(struct interp *run, struct ir_function *function,
                          struct interp_call *outer, const struct interp_value *const *args,
                          unsigned count, const struct interp_value **out)
{
    if (count != function->param_count)
        return interp_fail(run, INLAY_ERROR_SHAPE, "`%s` takes %lld arguments, but gets %lld",
                           function->name, (long long)function->param_count, (long long)count);
    if (inlay_enter(run->frame, location_line(run->loc)) != 0)
        return false;
    struct location loc = run->loc;
    size_t mark = run->storages.count;
    struct interp_call *call = call_new(run, function, outer);
    const struct interp_value *result = run_function(call, args, count);
    while (result && call->next) {
        const struct interp_value *next = call->next_args;
        interp_end_call(run, mark, next);
        call = next_call(call);
        function = call->function;
        result = run_function(call, next->items, next->count);
    }
    if (result && !interp_match(call, function->result, result, INLAY_ERROR_SHAPE,
                                arena_printf(&run->arena, "the result of `%s`", function->name)))
        result = NULL;
    if (result) {
        interp_end_call(run, mark, result);
        run->loc = loc;
        *out = result;
    }
    inlay_leave(run->frame);
    return result != NULL;
}

void interp_finish_calls(struct interp *run)
{
    for (size_t i = 0; i < run->calls.count; i++)
        call_finish(run->calls.items[i]);
    array_finish(&run->calls);
}

#include "passes/memory/destinations.h"

#include "ir/arith.h"
#include "ir/build.h"
#include "ops/ids.h"

static const struct ir_type *output_type(const struct ir_type *type, unsigned i)
{
    return type->kind == IR_TYPE_TUPLE ? type->fields[i] : type;
}

unsigned destination_count(const struct ir_op *call)
{
    return call->declared->kind == IR_TYPE_TUPLE ? call->declared->field_count : 1;
}

int64_t destination_index(const struct ir_op *call, unsigned output)
{
    const struct ir_attr *indices =
        ir_op_is(call, IR_CORE_call_tir_inplace) ? ir_op_attr(call, "inplace_indices") : NULL;

    return indices && output < indices->count ? indices->items[output]->integer : -1;
}

static void set_name(struct ir_module *module, struct ir_value *value, const struct ir_op *call)
{
    if (call->result.name)
        value->name = atom_printf(&module->context->atoms, "%s_dest", call->result.name);
}

/* Storage for a @type that @call gives, in front of it. */
static struct ir_value *allocate_type(struct ir_builder *b, const struct ir_op *call,
                                      const struct ir_type *type)
{
    struct ir_context *context = b->module->context;
    struct ir_value *operands[] = {
        ir_inline_shape(b->module, type->dims, (unsigned)type->ndim),
        ir_inline_dtype(b->module, type->dtype),
        ir_inline_prim(b->module, ir_expr_int(context, IR_I64, 0)),
        ir_inline_string(b->module, atom_intern_text(&context->atoms, "global")),
    };
    struct ir_value *value =
        ir_build_op(b, OP_builtin_alloc_tensor, operands, ARRAY_SIZE(operands));

    if (value)
        set_name(b->module, value, call);
    return value;
}

static struct ir_value *allocate(struct ir_builder *b, const struct ir_op *call, unsigned i)
{
    return allocate_type(b, call, output_type(call->declared, i));
}

struct ir_value *destination_of_type(struct pass_run *run, const struct ir_op *call,
                                     const struct ir_type *type, struct ir_op *before)
{
    struct ir_builder b = {.module = run->module,
                           .diag = run->diag,
                           .block = before->block,
                           .before = before,
                           .loc = call->loc};

    return allocate_type(&b, call, type);
}

struct ir_value *destination_new(struct pass_run *run, const struct ir_op *call, unsigned output,
                                 struct ir_op *before)
{
    struct ir_builder b = {.module = run->module,
                           .diag = run->diag,
                           .block = before->block,
                           .before = before,
                           .loc = call->loc};

    return allocate(&b, call, output);
}

static bool has_type(struct ir_context *context, const struct ir_type *a, const struct ir_type *b)
{
    if (!a->dims || a->ndim != b->ndim || !ir_dtype_equal(a->dtype, b->dtype))
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (!ir_prove_equal(context, a->dims[i], b->dims[i]))
            return false;
    return true;
}

struct ir_value *destination_in(struct pass_run *run, const struct ir_op *call, unsigned output,
                                struct ir_value *value, int64_t offset, struct ir_op *before)
{
    struct ir_module *module = run->module;
    const struct ir_type *type =
        output_type(call->declared ? call->declared : call->result.type, output);
    struct ir_builder b = {.module = module,
                           .diag = run->diag,
                           .block = before->block,
                           .before = before,
                           .loc = call->loc};

    if (has_type(module->context, value->type, type))
        return value;
    struct ir_value *operands[] = {
        ir_inline_copy(module, value),
        ir_inline_shape(module, type->dims, (unsigned)type->ndim),
        ir_inline_dtype(module, type->dtype),
        ir_inline_prim(module, ir_expr_int(module->context, IR_I64, offset)),
    };
    struct ir_value *view = ir_build_op(&b, OP_memory_view, operands, ARRAY_SIZE(operands));

    if (view)
        set_name(module, view, call);
    return view;
}

struct ir_op *destinations_set(struct pass_run *run, struct ir_op *call,
                               struct ir_value *const *destinations)
{
    struct ir_module *module = run->module;
    struct arena *scratch = &run->scratch;
    unsigned outputs = destination_count(call), count = call->operand_count;
    struct ir_value **args = arena_array(scratch, struct ir_value *, count + outputs);
    const struct ir_attr **indices = arena_array(scratch, const struct ir_attr *, outputs);
    bool is_inplace = ir_op_is(call, IR_CORE_call_tir_inplace);
    struct ir_builder b = {.module = module,
                           .diag = run->diag,
                           .block = call->block,
                           .before = call,
                           .loc = call->loc};

    for (unsigned i = 0; i < outputs; i++) {
        int64_t index = destination_index(call, i);

        if (index < 0) {
            index = count;
            args[count] = destinations && destinations[i] ? ir_inline_copy(module, destinations[i])
                                                          : allocate(&b, call, i);
            if (!args[count++])
                return NULL;
        }
        indices[i] = ir_attr_int(module->context, index);
    }
    for (unsigned i = 0; i < call->operand_count; i++)
        args[i] = ir_inline_copy(module, call->operands[i].value);
    const struct ir_attr *attrs[] = {
        ir_op_attr(call, "callee"), ir_attr_list(module->context, indices, outputs),
        is_inplace ? ir_op_attr(call, "strict") : ir_attr_bool(module->context, false)};
    struct ir_op *explicit =
        ir_build_declared(&b, ir_core_op(module->context, IR_CORE_call_tir_inplace), args, count,
                          attrs, call->declared);

    if (!explicit)
        return NULL;
    explicit->result.name = call->result.name;
    explicit->result.loc = call->result.loc;
    ir_op_set_places(module, explicit, &call, 1);
    ir_value_replace(&call->result, &explicit->result);
    ir_op_erase(call);
    return explicit;
}

bool destinations_renew(struct pass_run *run, struct ir_op *call, unsigned output)
{
    struct ir_value *value = destination_new(run, call, output, call);

    if (value)
        ir_op_set_operand(call, (unsigned)destination_index(call, output), value);
    return value != NULL;
}

/*
 * CallTIRRewrite: calls of kernels write into storage that is there, instead of making it.
 *
 *     y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((n,), "float32"))
 *  =>
 *     y = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), 0, R.str("global"))
 *     cls.f(x, y)
 *
 * A result in place is the argument itself, which ResolveInplace has proved to be nobody else's.  Where
 * its storage comes from another function, the call stays a call_tir_inplace: only the caller of that
 * function could say whose it is.
 *
 * Calls for their effect have no place in dataflow blocks, and functions that have them are not pure by
 * the rules of the language although they are: they get the attribute relax.force_pure.
 */
#include "analysis/alias.h"
#include "analysis/inplace.h"
#include "ir/build.h"
#include "ops/ids.h"
#include "passes/memory/force_pure.h"
#include "passes/pass.h"

static const struct ir_type *output_type(const struct ir_type *type, unsigned i)
{
    return type->kind == IR_TYPE_TUPLE ? type->fields[i] : type;
}

/* Is the storage of @value made here, or donated? */
static bool is_own(const struct ir_function *function, const struct ir_value *value)
{
    while (value->def && !ir_op_is_inline(value->def) && alias_is_name(value->def) &&
           value->def->operand_count > 0 && !ir_op_is(value->def, IR_CORE_tuple)) {
        const struct ir_op *name = value->def;

        value = name->operands[0].value;
        if (ir_op_is(name, IR_CORE_tuple_get) && value->def && ir_op_is(value->def, IR_CORE_tuple))
            value = value->def->operands[ir_op_attr(name, "index")->integer].value;
    }
    if (value->parameter_of) {
        for (unsigned i = 0; i < function->param_count; i++)
            if (function->params[i] == value)
                return inplace_is_donated(function, i);
        return false;
    }
    const struct ir_op *def = value->def;
    return def && !ir_op_is_inline(def) && def->region_count == 0 &&
           (ir_op_is(def, IR_CORE_call_tir) ||
            (ir_op_is(def, IR_CORE_none) && !(def->info->traits & (IR_OPAQUE | IR_ALIAS))));
}

/* The arguments of @call whose storage results take over: may they be written where they are? */
static bool can_rewrite(const struct ir_function *function, const struct ir_op *call)
{
    const struct ir_global *callee = ir_op_callee(call);
    const struct ir_type *type = call->result.type;
    const struct ir_attr *indices =
        ir_op_is(call, IR_CORE_call_tir_inplace) ? ir_op_attr(call, "inplace_indices") : NULL;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL || !ir_dtype_is_void(callee->kernel->result))
        return false;
    for (unsigned i = 0; i < (type->kind == IR_TYPE_TUPLE ? type->field_count : 1); i++)
        if (output_type(type, i)->kind != IR_TYPE_TENSOR ||
            (!output_type(type, i)->dims && output_type(type, i)->ndim != 0))
            return false;
    for (unsigned i = 0; indices && i < indices->count; i++) {
        int64_t index = indices->items[i]->integer;

        if (index >= 0 && (call->operands[index].value->type != output_type(type, i) ||
                           !is_own(function, call->operands[index].value)))
            return false;
    }
    return true;
}

static struct ir_value *allocate(struct ir_builder *b, const struct ir_type *type)
{
    struct ir_context *context = b->module->context;
    struct ir_value *operands[] = {
        ir_inline_shape(b->module, type->dims, (unsigned)type->ndim),
        ir_inline_dtype(b->module, type->dtype),
        ir_inline_prim(b->module, ir_expr_int(context, IR_I64, 0)),
        ir_inline_string(b->module, atom_intern_text(&context->atoms, "global")),
    };

    return ir_build_op(b, OP_builtin_alloc_tensor, operands, ARRAY_SIZE(operands));
}

static bool rewrite_call(struct pass_run *run, struct ir_op *call)
{
    struct ir_context *context = run->module->context;
    const struct ir_type *type = call->result.type;
    unsigned outputs = type->kind == IR_TYPE_TUPLE ? type->field_count : 1;
    unsigned count = call->operand_count;
    const struct ir_attr *indices =
        ir_op_is(call, IR_CORE_call_tir_inplace) ? ir_op_attr(call, "inplace_indices") : NULL;
    struct ir_value **args = arena_array(&run->scratch, struct ir_value *, count + outputs);
    struct ir_value **results = arena_array(&run->scratch, struct ir_value *, outputs + 1);
    struct ir_builder b = {.module = run->module,
                           .diag = run->diag,
                           .block = call->block,
                           .before = call,
                           .loc = call->loc};
    const struct ir_attr *attrs[] = {ir_op_attr(call, "callee")};

    for (unsigned i = 0; i < call->operand_count; i++)
        args[i] = ir_inline_copy(run->module, call->operands[i].value);
    for (unsigned i = 0; i < outputs; i++) {
        int64_t index = indices && i < indices->count ? indices->items[i]->integer : -1;

        results[i] = index >= 0 ? args[index] : allocate(&b, output_type(type, i));
        if (!results[i])
            return false;
        if (index < 0)
            args[count++] = results[i];
    }
    if (!ir_build_declared(&b, ir_core_op(context, IR_CORE_call), args, count, attrs,
                           ir_type_tuple(context, NULL, 0)))
        return false;
    struct ir_value *result = results[0];
    if (type->kind == IR_TYPE_TUPLE)
        result = &ir_build(&b, ir_core_op(context, IR_CORE_tuple), results, outputs, NULL)->result;
    if (result->def && result->def->block == call->block && !result->name) {
        result->name = call->result.name;
        result->loc = call->result.loc;
    }
    ir_value_replace(&call->result, result);
    ir_op_erase(call);
    return true;
}

struct rewrite {
    struct pass_run *run;
    struct ir_function *function;
    bool is_fine, is_changed;
};

static bool visit(void *state, struct ir_op *op)
{
    struct rewrite *r = state;

    if (!ir_op_is(op, IR_CORE_call_tir) && !ir_op_is(op, IR_CORE_call_tir_inplace))
        return true;
    if (!can_rewrite(r->function, op))
        return true;
    r->is_fine &= rewrite_call(r->run, op);
    r->is_changed = true;
    return r->is_fine;
}

enum pass_result pass_call_tir_rewrite(struct pass_run *run)
{
    bool is_fine = true, is_changed = false;

    for (size_t i = 0; i < run->module->global_count && is_fine; i++) {
        struct rewrite r = {
            .run = run, .function = run->module->globals[i]->function, .is_fine = true};

        if (run->module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        ir_region_walk(r.function->body, visit, &r);
        if (r.is_changed)
            force_pure(run->module, r.function);
        is_changed |= r.is_changed;
        is_fine &= r.is_fine;
    }
    return !is_fine ? PASS_FAILED : is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

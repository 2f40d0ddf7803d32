/*
 * CallTIRRewrite: every result of a kernel names the storage that it is written to.
 *
 *     y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((n,), "float32"))
 *  =>
 *     y_dest = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), 0, R.str("global"))
 *     y = R.call_tir_inplace(cls.f, (x, y_dest), out_ty=.., inplace_indices=[1])
 *
 * Each value keeps its name, and the calls stay as pure as they were.  Calls of kernels that hand
 * storage to code outside of the module stay as they are: it may keep that storage, so that nothing
 * may be said to be updated in place.
 */
#include "analysis/kernel.h"
#include "ir/build.h"
#include "ops/ids.h"
#include "passes/pass.h"

struct rewrite {
    struct pass_run *run;
    struct map calls_out; /* kernels that were looked at: kernel -> itself if it calls out */
    bool is_fine, is_changed;
};

static bool calls_out(struct rewrite *r, struct tir_func *kernel)
{
    if (!map_has(&r->calls_out, kernel))
        map_set(&r->calls_out, kernel,
                kernel_access(&r->run->scratch, kernel).calls_out ? kernel : NULL);
    return map_get(&r->calls_out, kernel) != NULL;
}

static const struct ir_type *output_type(const struct ir_type *type, unsigned i)
{
    return type->kind == IR_TYPE_TUPLE ? type->fields[i] : type;
}

static unsigned output_count(const struct ir_op *call)
{
    return call->declared->kind == IR_TYPE_TUPLE ? call->declared->field_count : 1;
}

/* The argument whose storage output @i takes; -1: new storage. */
static int64_t index_of(const struct ir_op *call, unsigned i)
{
    const struct ir_attr *indices =
        ir_op_is(call, IR_CORE_call_tir_inplace) ? ir_op_attr(call, "inplace_indices") : NULL;

    return indices && i < indices->count ? indices->items[i]->integer : -1;
}

static bool can_rewrite(struct rewrite *r, const struct ir_op *call)
{
    const struct ir_global *callee = ir_op_callee(call);
    bool is_open = false;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL)
        return false;
    for (unsigned i = 0; i < output_count(call); i++)
        is_open |= index_of(call, i) < 0;
    return is_open && !calls_out(r, callee->kernel);
}

/* Storage for output @i of @call, in front of it. */
static struct ir_value *allocate(struct ir_builder *b, const struct ir_op *call, unsigned i)
{
    struct ir_context *context = b->module->context;
    const struct ir_type *type = output_type(call->declared, i);
    struct ir_value *operands[] = {
        ir_inline_shape(b->module, type->dims, (unsigned)type->ndim),
        ir_inline_dtype(b->module, type->dtype),
        ir_inline_prim(b->module, ir_expr_int(context, IR_I64, 0)),
        ir_inline_string(b->module, atom_intern_text(&context->atoms, "global")),
    };
    struct ir_value *value =
        ir_build_op(b, OP_builtin_alloc_tensor, operands, ARRAY_SIZE(operands));

    if (value && call->result.name)
        value->name = atom_printf(&context->atoms, "%s_dest", call->result.name);
    return value;
}

static bool rewrite_call(struct rewrite *r, struct ir_op *call)
{
    struct ir_module *module = r->run->module;
    struct arena *scratch = &r->run->scratch;
    unsigned outputs = output_count(call), count = call->operand_count;
    struct ir_value **args = arena_array(scratch, struct ir_value *, count + outputs);
    const struct ir_attr **indices = arena_array(scratch, const struct ir_attr *, outputs);
    bool is_inplace = ir_op_is(call, IR_CORE_call_tir_inplace);
    struct ir_builder b = {.module = module,
                           .diag = r->run->diag,
                           .block = call->block,
                           .before = call,
                           .loc = call->loc};

    for (unsigned i = 0; i < outputs; i++) {
        int64_t index = index_of(call, i);

        if (index < 0) {
            index = count;
            args[count] = allocate(&b, call, i);
            if (!args[count++])
                return false;
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
        return false;
    explicit->result.name = call->result.name;
    explicit->result.loc = call->result.loc;
    ir_op_set_places(module, explicit, &call, 1);
    ir_value_replace(&call->result, &explicit->result);
    ir_op_erase(call);
    return true;
}

static bool visit(void *state, struct ir_op *op)
{
    struct rewrite *r = state;

    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, visit, r);
    if (!ir_op_is(op, IR_CORE_call_tir) && !ir_op_is(op, IR_CORE_call_tir_inplace))
        return r->is_fine;
    if (!can_rewrite(r, op))
        return r->is_fine;
    r->is_fine &= rewrite_call(r, op);
    r->is_changed = true;
    return r->is_fine;
}

enum pass_result pass_call_tir_rewrite(struct pass_run *run)
{
    struct rewrite r = {.run = run, .is_fine = true};

    for (size_t i = 0; i < run->module->global_count && r.is_fine; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(run->module->globals[i]->function->body, visit, &r);
    map_finish(&r.calls_out);
    return !r.is_fine ? PASS_FAILED : r.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

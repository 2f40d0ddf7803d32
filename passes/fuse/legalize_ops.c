/*
 * LegalizeOps: replaces each operator that has loops by call_tir of a kernel.
 *
 *     y = R.add(x, x)    =>    y = R.call_tir(cls.add, (x, x), out_ty=..)
 *
 * The loops come from the operator's row (ops/).  Views, calls and the structural ops stay; what has
 * no lowering and is needed as code is refused by code generation, which knows what it can run.
 *
 * What runs along a tensor of which only the rank is known gets names for its dims, and what stands behind an
 * operator whose result got a shape gets its type again: sizes that only the run knows are symbols from here on.
 *
 * Products of integers that were widened bytes become products of bytes first (narrow_products.c), and those with
 * weights of a few bits one kernel each (block_products.c).
 *
 * An operator that has nothing to do, as a cast to the dtype that is there, makes a copy where some op
 * of the module may write what it is given, else another name:
 *
 *     y = R.astype(x, "float32"); f(y)    =>    y = R.copy(x); f(y)
 */
#include "analysis/storage/storage.h"
#include "ir/build.h"
#include "ir/edit/rewrite.h"
#include "ops/ids.h"
#include "passes/fuse/block_products.h"
#include "passes/fuse/narrow_products.h"
#include "passes/fuse/unpack_layouts.h"
#include "passes/pass.h"

struct legalize {
    struct pass_run *run;
    enum { NOT_ASKED, NEVER, PERHAPS } is_written; /* what ops are given */
    bool is_changed;
};

static bool may_be_written(struct legalize *l)
{
    if (l->is_written == NOT_ASKED)
        l->is_written = storage_module_has_effects(l->run->module) ? PERHAPS : NEVER;
    return l->is_written == PERHAPS;
}

/* The operand of @bind copied, in place of another name of it. */
static struct ir_value *copy_of(struct legalize *l, struct ir_op *bind)
{
    struct ir_builder b = {l->run->module, l->run->diag, bind->block, bind, bind->loc};
    struct ir_value *operand = ir_inline_copy(b.module, bind->operands[0].value);
    struct ir_value *copy = ir_build_op(&b, OP_copy, &operand, 1);

    ir_op_erase(bind);
    return copy;
}

/* The value that replaces the result of @op; NULL after a report. */
static struct ir_value *lower(struct legalize *l, struct ir_op *op)
{
    struct ir_value *value = op->info->lower(l->run->module, l->run->diag, op);

    return value && value != &op->result && value->def && ir_op_is(value->def, IR_CORE_bind) &&
                   may_be_written(l)
               ? copy_of(l, value->def)
               : value;
}

/* Of a shape that is not known: what stands in front may have got one since the type was found. */
static bool is_open(const struct ir_type *type)
{
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        if (is_open(type->fields[i]))
            return true;
    return type->kind == IR_TYPE_ANY ||
           ((type->kind == IR_TYPE_TENSOR || type->kind == IR_TYPE_SHAPE) && !type->dims &&
            type->ndim != 0);
}

/* Does the script hide what the value is, or a part of it? */
static bool is_hidden(const struct ir_value *value, const struct ir_type *type)
{
    bool is_any = type->kind == IR_TYPE_ANY;

    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        is_any |= is_hidden(value, type->fields[i]);
    return is_any && value->is_annotated;
}

static bool is_looped_over(const struct ir_value *value)
{
    ir_for_each_use (use, value)
        if (use->user->info->lower || (use->user->info->traits & IR_VIEW))
            return true;
    return false;
}

static bool wants_names(const struct ir_value *value)
{
    const struct ir_type *type = value->type;

    return type->kind == IR_TYPE_TENSOR && !type->dims && type->ndim > 0 &&
           !ir_dtype_is_void(type->dtype) && is_looped_over(value);
}

/*
 * Where loops run over a tensor of which only the rank is known, a match_cast gives its dims names:
 *
 *     x: R.Tensor(ndim=1)    =>    x1: R.Tensor((size0,)) = R.match_cast(x, R.Tensor((size0,)))
 *
 * It stands in @block, in front of @before; NULL: at the end, which a block of dataflow has its outputs at.
 */
static void name_sizes(struct legalize *l, struct ir_value *value, struct ir_block *block,
                       struct ir_op *before)
{
    struct ir_module *module = l->run->module;
    const struct ir_type *type = value->type;

    if (!wants_names(value))
        return;
    const struct ir_expr **dims =
        arena_array(&module->arena, const struct ir_expr *, (unsigned)type->ndim);
    for (int i = 0; i < type->ndim; i++)
        dims[i] = ir_expr_var(
            module->context,
            ir_symbol_new(module->context, arena_printf(&module->arena, "size%d", i), IR_I64));
    struct ir_builder b = {module, l->run->diag, block, before, value->loc};
    struct ir_op *cast =
        ir_build_declared(&b, ir_core_op(module->context, IR_CORE_match_cast), &value, 1, NULL,
                          ir_type_tensor(module->context, type->dtype, dims, type->ndim));
    ir_value_replace(value, &cast->result);
    ir_op_set_operand(cast, 0, value);
    l->is_changed = true;
}

static bool legalize_region(struct legalize *l, struct ir_region *region);

static bool legalize_function(struct legalize *l, struct ir_function *function)
{
    struct ir_block *first = function->body->first;

    for (unsigned i = 0; first && i < function->param_count; i++) {
        if (!wants_names(function->params[i]))
            continue;
        if (first->is_dataflow) /* whose values others do not see */
            first = ir_block_insert_before(l->run->module, first, false);
        name_sizes(l, function->params[i], first, first->first);
    }
    return legalize_region(l, function->body);
}

static bool legalize_region(struct legalize *l, struct ir_region *region)
{
    bool is_fine = unpack_layouts(l->run, region, &l->is_changed) &&
                   narrow_products(l->run, region, &l->is_changed) &&
                   block_products(l->run, region, &l->is_changed);

    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block) {
            for (unsigned i = 0; i < op->region_count; i++)
                is_fine &= legalize_region(l, op->regions[i]);
            if (ir_op_is(op, IR_CORE_function))
                is_fine &= legalize_function(l, ir_op_attr(op, "function")->function);
            if (is_open(op->result.type) && !is_hidden(&op->result, op->result.type))
                rewrite_refine_op(l->run->module, op);
            if (!op->info->lower) {
                name_sizes(l, &op->result, block, op->next);
                continue;
            }
            struct ir_value *value = lower(l, op);

            if (!value) {
                is_fine = false;
                continue;
            }
            if (value == &op->result)
                continue; /* needs no loops with these types */
            if (!value->name)
                value->name = op->result.name;
            value->loc = op->result.loc;
            ir_value_replace(&op->result, value);
            ir_op_erase(op);
            l->is_changed = true;
        }
    }
    return is_fine;
}

enum pass_result pass_legalize_ops(struct pass_run *run)
{
    struct legalize l = {.run = run};
    bool is_fine = true;
    size_t count = run->module->global_count; /* kernels are added behind */

    for (size_t i = 0; i < count; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_fine &= legalize_function(&l, run->module->globals[i]->function);
    if (!is_fine)
        return PASS_FAILED;
    return l.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}

/* Types that became better known, and walks over all functions. */
#include "base/array.h"
#include "ir/build.h"
#include "ir/edit/rewrite.h"

/* ---- functions ---- */

struct function_walk {
    rewrite_function_fn *visit;
    void *state;
};

static bool visit_nested(void *state, struct ir_op *op)
{
    const struct function_walk *walk = state;

    if (ir_op_is(op, IR_CORE_function)) {
        struct ir_function *nested = ir_op_attr(op, "function")->function;

        walk->visit(walk->state, nested);
        ir_region_walk(nested->body, visit_nested, state);
    }
    return true;
}

void rewrite_walk_functions(struct ir_module *module, rewrite_function_fn *visit, void *state)
{
    struct function_walk walk = {visit, state};

    for (size_t i = 0; i < module->global_count; i++) {
        struct ir_global *global = module->globals[i];

        if (global->kind != IR_GLOBAL_FUNCTION)
            continue;
        visit(state, global->function);
        ir_region_walk(global->function->body, visit_nested, &walk);
    }
}

/* ---- types ---- */

struct old_type {
    struct ir_op *op;
    const struct ir_type *type;
};

struct refine {
    struct ir_module *module;
    struct diag *diag; /* not shown to anybody */
    array(struct old_type) old;
};

static bool refine_op(struct refine *refine, struct ir_op *op)
{
    const struct ir_type *type = op->result.type;

    if (op->info->traits & IR_TERMINATOR)
        return true;
    if (!ir_op_infer(refine->module, refine->diag, op)) {
        op->result.type = type;
        return false;
    }
    if (op->result.type == type)
        return true;
    /* only knowing more is progress; the rules of some operators know less than the script */
    if (op->result.is_annotated ||
        ir_type_check(refine->module->context, type, op->result.type) != IR_CHECK_PASS)
        op->result.type = type;
    else
        array_push(&refine->old, (struct old_type){op, type});
    return true;
}

/* Inline operands hold types of their own: tuples of values. */
static bool refine_inline(struct refine *refine, struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;

        if (ir_value_is_inline(value) && ir_op_is(value->def, IR_CORE_tuple) &&
            (!refine_inline(refine, value->def) || !refine_op(refine, value->def)))
            return false;
    }
    return true;
}

void rewrite_refine_op(struct ir_module *module, struct ir_op *op)
{
    struct refine refine = {.module = module, .diag = diag_create()};
    bool is_annotated = op->result.is_annotated;

    op->result.is_annotated = false;
    if (refine_inline(&refine, op))
        (void)refine_op(&refine, op);
    op->result.is_annotated = is_annotated;
    array_finish(&refine.old);
    diag_destroy(refine.diag);
}

static bool refine_region(struct refine *refine, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block) {
            if (!refine_inline(refine, op))
                return false;
            for (unsigned i = 0; i < op->region_count; i++)
                if (!refine_region(refine, op->regions[i]))
                    return false;
            if (ir_op_is(op, IR_CORE_function) &&
                !refine_region(refine, ir_op_attr(op, "function")->function->body))
                return false;
            if (!refine_op(refine, op))
                return false;
        }
    }
    return true;
}

bool rewrite_refine_types(struct ir_function *function)
{
    struct refine refine = {.module = function->module, .diag = diag_create()};
    bool is_fine = refine_region(&refine, function->body);
    bool is_changed = is_fine && refine.old.count > 0;

    for (size_t i = refine.old.count; !is_fine && i-- > 0;)
        refine.old.items[i].op->result.type = refine.old.items[i].type;
    array_finish(&refine.old);
    diag_destroy(refine.diag);
    return is_changed;
}

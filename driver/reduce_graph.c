/* Edits of graph functions that make a module smaller; see reduce.h. */
#include "base/array.h"
#include "driver/reduce.h"
#include "ir/build.h"
#include "ir/edit/callees.h"
#include "ir/edit/rewrite.h"

#include <string.h>

enum { SEARCH_LIMIT = 256 }; /* earlier ops that are looked at for a value of the same type */

/* ---- what there is ---- */

typedef array(struct ir_op *) op_array;

struct gather {
    op_array ops;
    bool (*test)(const struct ir_op *op);
};

static bool gather_op(void *state, struct ir_op *op)
{
    struct gather *gather = state;

    if (gather->test(op))
        array_push(&gather->ops, op);
    return true;
}

static void gather_function(void *state, struct ir_function *function)
{
    ir_region_walk(function->body, gather_op, state);
}

/* The ops of all functions that @test accepts, in the order of the text. */
static op_array gather_ops(struct ir_module *module, bool (*test)(const struct ir_op *op))
{
    struct gather gather = {.test = test};

    rewrite_walk_functions(module, gather_function, &gather);
    return gather.ops;
}

static size_t count_ops(struct ir_module *module, bool (*test)(const struct ir_op *op))
{
    op_array ops = gather_ops(module, test);
    size_t count = ops.count;

    array_finish(&ops);
    return count;
}

/* ---- functions that nobody names ---- */

struct names {
    const struct ir_global *global;
    bool is_found;
};

static bool is_named(void *state, struct ir_op *op)
{
    struct names *names = state;

    names->is_found |= ir_op_callee(op) == names->global;
    for (unsigned i = 0; i < op->operand_count; i++)
        if (ir_value_is_inline(op->operands[i].value))
            is_named(state, op->operands[i].value->def);
    for (unsigned i = 0; i < op->info->attr_count; i++)
        names->is_found |=
            op->attrs[i]->kind == IR_ATTR_GLOBAL && op->attrs[i]->global == names->global;
    return true;
}

static void is_named_in(void *state, struct ir_function *function)
{
    struct names *names = state;

    if (function != names->global->function)
        ir_region_walk(function->body, is_named, state);
}

static size_t count_globals(struct ir_module *module)
{
    return module->global_count;
}

static bool drop_globals(struct ir_module *module, size_t first, size_t count)
{
    bool is_changed = false;

    for (size_t i = first + count; i-- > first;) {
        struct names names = {.global = module->globals[i]};

        rewrite_walk_functions(module, is_named_in, &names);
        if (names.is_found || module->global_count == 1)
            continue;
        ir_module_remove(module, module->globals[i]);
        is_changed = true;
    }
    return is_changed;
}

/* ---- bindings ---- */

static bool is_binding(const struct ir_op *op)
{
    return !(op->info->traits & IR_TERMINATOR);
}

static size_t count_bindings(struct ir_module *module)
{
    return count_ops(module, is_binding);
}

/* A value in front of @op of its type: an operand if there is one, else the nearest. */
static struct ir_value *find_substitute(const struct ir_op *op)
{
    const struct ir_type *type = op->result.type;
    const struct ir_function *function = ir_op_function(op);
    unsigned seen = 0;

    for (unsigned i = 0; i < op->operand_count; i++)
        if (op->operands[i].value->type == type && !ir_value_is_inline(op->operands[i].value))
            return op->operands[i].value;
    for (const struct ir_block *block = op->block; block; block = block->prev)
        for (struct ir_op *other = block == op->block ? op->prev : block->last; other;
             other = other->prev)
            if (other->result.type == type)
                return &other->result;
            else if (++seen == SEARCH_LIMIT)
                break;
    for (unsigned i = 0; i < function->param_count; i++)
        if (function->params[i]->type == type)
            return function->params[i];
    return NULL;
}

static bool drop_bindings(struct ir_module *module, size_t first, size_t count)
{
    op_array ops = gather_ops(module, is_binding);
    bool is_changed = false;

    for (size_t i = first + count; i-- > first;) {
        struct ir_op *op = ops.items[i];
        struct ir_value *substitute = op->result.uses ? find_substitute(op) : NULL;

        /* an `if` takes the ops in it along: they are dropped one by one before */
        if (op->region_count > 0 || (op->result.uses && !substitute))
            continue;
        if (substitute)
            rewrite_replace(module, op, substitute);
        else
            ir_op_erase(op);
        is_changed = true;
    }
    array_finish(&ops);
    return is_changed;
}

/* ---- results as parameters ---- */

static bool is_at_top(const struct ir_op *op)
{
    return is_binding(op) && !op->block->region->owner && !ir_op_function(op)->parent &&
           op->result.type->kind == IR_TYPE_TENSOR && op->result.uses;
}

static size_t count_at_top(struct ir_module *module)
{
    return count_ops(module, is_at_top);
}

static bool make_parameters(struct ir_module *module, size_t first, size_t count)
{
    op_array ops = gather_ops(module, is_at_top);

    for (size_t i = first; i < first + count; i++) {
        struct ir_op *op = ops.items[i];
        struct ir_function *function = ir_op_function(op);
        struct ir_value *param = ir_function_add_param(
            function, op->result.name ? op->result.name : "given", op->result.type);

        param->is_annotated = true;
        rewrite_replace(module, op, param);
        callee_update_type(ir_module_find(module, function->name));
    }
    array_finish(&ops);
    return count > 0;
}

/* ---- constants as parameters ---- */

static bool reads_constant(const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_op *def = op->operands[i].value->def;

        if (def && ir_op_is(def, IR_CORE_constant) && !ir_op_function(op)->parent)
            return true;
    }
    return false;
}

static size_t count_constants(struct ir_module *module)
{
    return count_ops(module, reads_constant);
}

static bool give_constants(struct ir_module *module, size_t first, size_t count)
{
    op_array ops = gather_ops(module, reads_constant);

    for (size_t k = first; k < first + count; k++) {
        struct ir_op *op = ops.items[k];
        struct ir_function *function = ir_op_function(op);

        for (unsigned i = 0; i < op->operand_count; i++) {
            const struct ir_value *value = op->operands[i].value;

            if (!value->def || !ir_op_is(value->def, IR_CORE_constant))
                continue;
            struct ir_value *param = ir_function_add_param(function, "given", value->type);
            param->is_annotated = true;
            ir_op_set_operand(op, i, param);
        }
        callee_update_type(ir_module_find(module, function->name));
    }
    array_finish(&ops);
    return count > 0;
}

/* ---- dataflow blocks ---- */

static bool is_output(const struct ir_op *op)
{
    return ir_op_is(op, IR_CORE_output);
}

static size_t count_dataflow(struct ir_module *module)
{
    return count_ops(module, is_output);
}

static bool make_plain(struct ir_module *module, size_t first, size_t count)
{
    op_array ops = gather_ops(module, is_output);

    for (size_t i = first; i < first + count; i++) {
        struct ir_block *block = ops.items[i]->block;

        ir_op_erase(ops.items[i]);
        block->is_dataflow = false;
    }
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            rewrite_join_blocks(module->globals[i]->function->body);
    array_finish(&ops);
    return count > 0;
}

/* ---- parameters that nobody reads ---- */

static size_t count_parameters(struct ir_module *module)
{
    size_t count = 0;

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            count += module->globals[i]->function->param_count;
    return count;
}

/* Drops of @function the parameters whose places, counted from @place, are to go. */
static bool drop_of(struct ir_function *function, size_t place, size_t first, size_t end)
{
    int *places = arena_array(&function->module->arena, int, function->param_count + 1);
    unsigned count = function->param_count, kept = 0;

    for (unsigned i = 0; i < count; i++) {
        bool is_kept = place + i < first || place + i >= end || function->params[i]->uses != NULL;

        places[i] = is_kept ? (int)kept : -1;
        if (is_kept)
            function->params[kept++] = function->params[i];
    }
    places[count] = (int)kept;
    function->param_count = kept;
    if (kept == count)
        return false;
    callee_update_attrs(function, places, count);
    callee_update_type(ir_module_find(function->module, function->name));
    return true;
}

static bool drop_parameters(struct ir_module *module, size_t first, size_t count)
{
    bool is_changed = false;

    for (size_t i = 0, place = 0; i < module->global_count; i++) {
        if (module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        struct ir_function *function = module->globals[i]->function;
        unsigned before = function->param_count;

        is_changed |= drop_of(function, place, first, first + count);
        place += before;
    }
    return is_changed;
}

/* ---- results ---- */

static bool is_return(const struct ir_op *op)
{
    return ir_op_is(op, IR_CORE_return);
}

/* What may be returned instead: operands of what is, and, of a tuple, all but one of its fields. */
static size_t count_returns_of(const struct ir_op *op)
{
    const struct ir_op *def = op->operands[0].value->def;

    if (!def || def->region_count > 0)
        return 0;
    return ir_op_is(def, IR_CORE_tuple) ? 2 * (size_t)def->operand_count : def->operand_count;
}

static size_t count_returns(struct ir_module *module)
{
    op_array ops = gather_ops(module, is_return);
    size_t count = 0;

    for (size_t i = 0; i < ops.count; i++)
        count += count_returns_of(ops.items[i]);
    array_finish(&ops);
    return count;
}

static struct ir_value *tuple_without(struct ir_module *module, const struct ir_op *tuple,
                                      unsigned field)
{
    struct ir_value **items = arena_array(&module->arena, struct ir_value *, tuple->operand_count);
    unsigned count = 0;

    for (unsigned i = 0; i < tuple->operand_count; i++)
        if (i != field)
            items[count++] = ir_inline_copy(module, tuple->operands[i].value);
    return ir_inline_tuple(module, items, count);
}

static bool return_other(struct ir_module *module, struct ir_op *op, size_t which)
{
    struct ir_op *def = op->operands[0].value->def;
    struct ir_function *function = ir_op_function(op);
    struct ir_global *global = ir_module_find(module, function->name);
    struct ir_value *value = which < def->operand_count
                                 ? ir_inline_copy(module, def->operands[which].value)
                                 : tuple_without(module, def, (unsigned)which - def->operand_count);

    ir_op_set_operand(op, 0, value);
    if (!ir_value_is_inline(value))
        rewrite_make_visible(module, value);
    op->result.type = function->result = value->type;
    if (global && global->kind == IR_GLOBAL_FUNCTION && global->function == function)
        callee_update_type(global);
    return true;
}

static bool return_less(struct ir_module *module, size_t first, size_t count)
{
    op_array ops = gather_ops(module, is_return);
    bool is_changed = false;

    for (size_t i = 0; i < ops.count && !is_changed; i++) {
        size_t here = count_returns_of(ops.items[i]);

        if (first < here)
            is_changed = return_other(module, ops.items[i], first);
        else
            first -= here;
    }
    array_finish(&ops);
    return is_changed;
}

/* ---- branches ---- */

static bool is_branch(const struct ir_op *op)
{
    return ir_op_is(op, IR_CORE_if);
}

/* Places 2 i and 2 i + 1: the branches of the i-th `if`. */
static size_t count_branches(struct ir_module *module)
{
    return 2 * count_ops(module, is_branch);
}

static bool take_branch(struct ir_module *module, size_t first, size_t count)
{
    op_array ops = gather_ops(module, is_branch);
    struct ir_op *branch = ops.items[first / 2];
    struct ir_region *region = branch->regions[first % 2];
    struct ir_value *value = region->last->last->operands[0].value;

    array_finish(&ops);
    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block) {
            if (op->info->traits & IR_TERMINATOR)
                continue;
            ir_op_unlink(op);
            ir_op_insert_before(branch, op);
        }
    }
    if (ir_value_is_inline(value)) {
        rewrite_uses_by_leaf(module, &branch->result, value);
        ir_op_erase(branch);
    } else {
        rewrite_replace(module, branch, value);
    }
    return true;
}

/* ---- attributes ---- */

static bool drop_attributes(struct ir_module *module, size_t first, size_t count)
{
    bool is_changed = false;

    for (size_t i = first; i < first + count; i++) {
        struct ir_global *global = module->globals[i];

        if (global->kind == IR_GLOBAL_FUNCTION) {
            is_changed |= global->function->attrs != NULL;
            global->function->attrs = NULL;
        } else if (global->kind == IR_GLOBAL_KERNEL) {
            is_changed |= global->kernel->attrs != NULL;
            global->kernel->attrs = NULL;
        }
    }
    return is_changed;
}

const struct reduction graph_reductions[] = {
    {"functions", count_globals, drop_globals, false},
    {"results", count_returns, return_less, true},
    {"bindings", count_bindings, drop_bindings, false},
    {"branches", count_branches, take_branch, true},
    {"bindings as parameters", count_at_top, make_parameters, false},
    {"constants as parameters", count_constants, give_constants, false},
    {"dataflow blocks", count_dataflow, make_plain, false},
    {"parameters", count_parameters, drop_parameters, false},
    {"attributes", count_globals, drop_attributes, false},
};
const size_t graph_reduction_count = ARRAY_SIZE(graph_reductions);

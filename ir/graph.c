/*
 * Graph construction, use lists and walks.
 *
 * A use list is intrusive and doubly linked through `link`, the address of the pointer that points at
 * the use, so unlinking needs no head.  Operand arrays have room for the next power of two of their
 * count, which keeps adding operands one by one linear without a capacity field.
 */
#include "ir/graph.h"

#include "base/assert.h"
#include "ir/build.h"
#include "ir/module.h"

#include <string.h>

static void use_link(struct ir_use *use, struct ir_value *value)
{
    use->value = value;
    if (value == NULL)
        return;
    use->next = value->uses;
    use->link = &value->uses;
    if (use->next != NULL)
        use->next->link = &use->next;
    value->uses = use;
}

static void use_unlink(struct ir_use *use)
{
    if (use->value == NULL)
        return;
    *use->link = use->next;
    if (use->next != NULL)
        use->next->link = use->link;
    use->value = NULL;
    use->next = NULL;
    use->link = NULL;
}

/* Makes what points at @from point at @to, a place that holds no use. */
static void use_move(struct ir_use *from, struct ir_use *to)
{
    *to = *from;
    if (to->value == NULL)
        return;
    *to->link = to;
    if (to->next != NULL)
        to->next->link = &to->next;
    from->value = NULL;
}

static unsigned operand_room(unsigned count)
{
    unsigned room = 1;
    while (room < count)
        room *= 2;
    return room;
}

/* An inline op lives by its one use: once that is gone, its own operands go too. */
static void drop_if_unused_inline(struct ir_value *value)
{
    if (value != NULL && value->uses == NULL && ir_value_is_inline(value))
        ir_op_erase(value->def);
}

struct ir_op *ir_op_new(struct ir_module *module, const struct ir_op_info *info,
                        struct ir_value *const *operands, unsigned operand_count)
{
    struct ir_op *op = arena_new(&module->arena, struct ir_op);
    op->info = info;
    op->result.def = op;
    op->attrs = arena_array(&module->arena, const struct ir_attr *, info->attr_count);
    for (unsigned i = 0; i < info->param_count; i++) {
        const struct ir_op_param *param = &info->params[i];
        if (param->kind < IR_PARAM_INT)
            continue;
        assert(param->attr_index < info->attr_count);
        op->attrs[param->attr_index] = param->has_default && param->default_value != NULL
                                           ? param->default_value
                                           : ir_attr_none(module->context);
    }
    op->operands = arena_array(&module->arena, struct ir_use, operand_room(operand_count));
    op->operand_count = operand_count;
    for (unsigned i = 0; i < operand_count; i++) {
        assert(operands[i] != NULL);
        assert(!ir_value_is_inline(operands[i]) || operands[i]->uses == NULL);
        op->operands[i].user = op;
        use_link(&op->operands[i], operands[i]);
    }
    return op;
}

struct ir_region *ir_region_new(struct ir_module *module, struct ir_function *function,
                                struct ir_op *owner)
{
    struct ir_region *region = arena_new(&module->arena, struct ir_region);
    region->function = function;
    region->owner = owner;
    return region;
}

struct ir_block *ir_block_append(struct ir_module *module, struct ir_region *region,
                                 bool is_dataflow)
{
    struct ir_block *block = arena_new(&module->arena, struct ir_block);
    block->is_dataflow = is_dataflow;
    block->region = region;
    block->prev = region->last;
    if (region->last != NULL)
        region->last->next = block;
    else
        region->first = block;
    region->last = block;
    return block;
}

struct ir_block *ir_block_insert_before(struct ir_module *module, struct ir_block *before,
                                        bool is_dataflow)
{
    struct ir_block *block = arena_new(&module->arena, struct ir_block);
    block->is_dataflow = is_dataflow;
    block->region = before->region;
    block->prev = before->prev;
    block->next = before;
    if (block->prev != NULL)
        block->prev->next = block;
    else
        block->region->first = block;
    before->prev = block;
    return block;
}

struct ir_function *ir_function_new(struct ir_module *module, const char *name)
{
    struct ir_function *function = arena_new(&module->arena, struct ir_function);
    function->name = atom_intern_text(&module->context->atoms, name);
    function->module = module;
    function->is_pure = true;
    function->body = ir_region_new(module, function, NULL);
    return function;
}

const struct ir_type *ir_function_type(const struct ir_function *function)
{
    struct ir_context *context = function->module->context;
    const struct ir_type *result = function->result ? function->result : ir_type_any(context);
    const struct ir_type **params =
        arena_array(&function->module->arena, const struct ir_type *, function->param_count);

    for (unsigned i = 0; i < function->param_count; i++)
        params[i] = function->params[i]->type;
    return ir_type_func(context, params, function->param_count, result, function->is_pure);
}

static bool note_var(void *state, const struct ir_expr *expr)
{
    if (expr->kind == IR_EXPR_var)
        map_set(state, expr->var, expr->var);
    return true;
}

/* The roots of a type's expressions: note what is below them. */
static bool note_vars(void *state, const struct ir_expr *expr)
{
    return ir_expr_walk(expr, note_var, state);
}

static bool is_noted(void *state, const struct ir_var *var)
{
    return map_has(state, var);
}

const struct ir_type *ir_function_declared(const struct ir_function *function,
                                           const struct ir_type *type)
{
    struct map defined = {0};

    for (const struct ir_function *outer = function; outer; outer = outer->parent)
        for (unsigned i = 0; i < outer->param_count; i++) {
            ir_type_walk_exprs(outer->params[i]->type, note_vars, &defined);
            if (outer->params[i]->var)
                map_set(&defined, outer->params[i]->var, outer->params[i]->var);
        }
    type = ir_type_erase(function->module->context, type, is_noted, &defined);
    map_finish(&defined);
    return type;
}

void ir_function_append_param(struct ir_function *function, struct ir_value *param)
{
    struct arena *arena = &function->module->arena;
    unsigned count = function->param_count;
    if (count == 0 || operand_room(count) == count) {
        struct ir_value **params = arena_array(arena, struct ir_value *, operand_room(count + 1));
        if (count > 0)
            memcpy(params, function->params, count * sizeof(params[0]));
        function->params = params;
    }
    param->index = count;
    function->params[function->param_count++] = param;
}

struct ir_value *ir_function_add_param(struct ir_function *function, const char *name,
                                       const struct ir_type *type)
{
    struct ir_value *param = arena_new(&function->module->arena, struct ir_value);
    param->type = type;
    param->parameter_of = function;
    param->name = name != NULL ? atom_intern_text(&function->module->context->atoms, name) : NULL;
    ir_function_append_param(function, param);
    return param;
}

void ir_op_append(struct ir_block *block, struct ir_op *op)
{
    assert(op->block == NULL);
    assert((op->info->traits & IR_INLINE) == 0);
    op->block = block;
    op->prev = block->last;
    op->next = NULL;
    if (block->last != NULL)
        block->last->next = op;
    else
        block->first = op;
    block->last = op;
}

void ir_op_insert_before(struct ir_op *before, struct ir_op *op)
{
    assert(op->block == NULL && before->block != NULL);
    assert((op->info->traits & IR_INLINE) == 0);
    op->block = before->block;
    op->prev = before->prev;
    op->next = before;
    if (before->prev != NULL)
        before->prev->next = op;
    else
        op->block->first = op;
    before->prev = op;
}

void ir_op_set_operand(struct ir_op *op, unsigned i, struct ir_value *value)
{
    assert(i < op->operand_count && value != NULL);
    struct ir_use *use = &op->operands[i];
    struct ir_value *old = use->value;
    if (old == value)
        return;
    assert(!ir_value_is_inline(value) || value->uses == NULL);
    use_unlink(use);
    use->user = op;
    use_link(use, value);
    drop_if_unused_inline(old);
}

void ir_op_add_operand(struct ir_module *module, struct ir_op *op, struct ir_value *value)
{
    assert(!ir_value_is_inline(value) || value->uses == NULL);
    unsigned count = op->operand_count;
    if (count > 0 && operand_room(count) == count) {
        struct ir_use *operands =
            arena_array(&module->arena, struct ir_use, operand_room(count + 1));
        for (unsigned i = 0; i < count; i++)
            use_move(&op->operands[i], &operands[i]);
        op->operands = operands;
    }
    op->operands[count].user = op;
    use_link(&op->operands[count], value);
    op->operand_count++;
}

void ir_op_remove_operand(struct ir_op *op, unsigned i)
{
    assert(i < op->operand_count);
    struct ir_value *old = op->operands[i].value;
    use_unlink(&op->operands[i]);
    for (unsigned k = i + 1; k < op->operand_count; k++)
        use_move(&op->operands[k], &op->operands[k - 1]);
    op->operand_count--;
    drop_if_unused_inline(old);
}

void ir_value_replace(struct ir_value *old, struct ir_value *replacement)
{
    if (old == replacement || old->uses == NULL)
        return;
    assert(!ir_value_is_inline(replacement) ||
           (replacement->uses == NULL && old->uses->next == NULL));
    struct ir_use *last = old->uses;
    for (;;) {
        last->value = replacement;
        if (last->next == NULL)
            break;
        last = last->next;
    }
    last->next = replacement->uses;
    if (last->next != NULL)
        last->next->link = &last->next;
    replacement->uses = old->uses;
    replacement->uses->link = &replacement->uses;
    old->uses = NULL;
    drop_if_unused_inline(old);
}

/* Last to first, so that each op has lost its uses when its turn comes. */
static void region_clear(struct ir_region *region)
{
    while (region->last != NULL)
        ir_block_erase(region->last);
}

void ir_op_erase(struct ir_op *op)
{
    assert(op->result.uses == NULL);
    for (unsigned i = op->region_count; i-- > 0;)
        region_clear(op->regions[i]);
    if (ir_op_is(op, IR_CORE_function) && ir_op_attr(op, "function")->kind == IR_ATTR_FUNCTION)
        region_clear(ir_op_attr(op, "function")->function->body); /* it may read values around */
    for (unsigned i = op->operand_count; i-- > 0;) {
        struct ir_value *value = op->operands[i].value;
        use_unlink(&op->operands[i]);
        drop_if_unused_inline(value);
    }
    op->operand_count = 0;
    if (op->block != NULL)
        ir_op_unlink(op);
}

void ir_op_unlink(struct ir_op *op)
{
    struct ir_block *block = op->block;
    assert(block != NULL);
    if (op->prev != NULL)
        op->prev->next = op->next;
    else
        block->first = op->next;
    if (op->next != NULL)
        op->next->prev = op->prev;
    else
        block->last = op->prev;
    op->prev = op->next = NULL;
    op->block = NULL;
}

void ir_block_erase(struct ir_block *block)
{
    while (block->last != NULL)
        ir_op_erase(block->last);
    struct ir_region *region = block->region;
    assert(region != NULL);
    if (block->prev != NULL)
        block->prev->next = block->next;
    else
        region->first = block->next;
    if (block->next != NULL)
        block->next->prev = block->prev;
    else
        region->last = block->prev;
    block->prev = block->next = NULL;
    block->region = NULL;
}

bool ir_op_is_inline(const struct ir_op *op)
{
    return (op->info->traits & IR_INLINE) != 0 ||
           (op->info->core == IR_CORE_tuple && op->block == NULL);
}

bool ir_value_is_inline(const struct ir_value *value)
{
    return value->def != NULL && ir_op_is_inline(value->def);
}

struct ir_op *ir_use_root(const struct ir_use *use)
{
    struct ir_op *op = use->user;
    while (op->block == NULL && ir_op_is_inline(op)) {
        if (op->result.uses == NULL)
            return NULL;
        op = op->result.uses->user;
    }
    return op;
}

struct ir_function *ir_op_function(const struct ir_op *op)
{
    if (op->block == NULL && op->result.uses != NULL)
        op = ir_use_root(op->result.uses);
    return op != NULL && op->block != NULL ? op->block->region->function : NULL;
}

bool ir_value_is_dataflow(const struct ir_value *value)
{
    if (value->def == NULL || value->def->block == NULL || !value->def->block->is_dataflow)
        return false;
    ir_for_each_use (use, value)
        if (ir_op_is(use->user, IR_CORE_output) && use->user->block == value->def->block)
            return false;
    return true;
}

void ir_op_walk_operands(struct ir_op *op, ir_operand_visit_fn *visit, void *state)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct ir_use *use = &op->operands[i];
        if (ir_value_is_inline(use->value) && ir_op_is(use->value->def, IR_CORE_tuple))
            ir_op_walk_operands(use->value->def, visit, state);
        else
            visit(state, use);
    }
}

const struct ir_op_param *ir_attr_param(const struct ir_op_info *info, const char *name)
{
    for (unsigned i = 0; i < info->param_count; i++)
        if (info->params[i].kind >= IR_PARAM_INT && strcmp(info->params[i].name, name) == 0)
            return &info->params[i];
    return NULL;
}

static unsigned attr_slot(const struct ir_op *op, const char *name)
{
    const struct ir_op_param *param = ir_attr_param(op->info, name);
    if (param == NULL)
        UNREACHABLE("the op has no attribute of that name");
    return param->attr_index;
}

const struct ir_attr *ir_op_attr(const struct ir_op *op, const char *name)
{
    return op->attrs[attr_slot(op, name)];
}

void ir_op_set_attr(struct ir_op *op, const char *name, const struct ir_attr *value)
{
    assert(value != NULL);
    op->attrs[attr_slot(op, name)] = value;
}

bool ir_op_is(const struct ir_op *op, enum ir_core core)
{
    return op->info->core == core;
}

struct ir_global *ir_op_callee(const struct ir_op *op)
{
    switch (op->info->core) {
    case IR_CORE_call_tir:
    case IR_CORE_call_tir_inplace:
    case IR_CORE_call_tir_with_grad:
    case IR_CORE_call: {
        const struct ir_attr *callee = ir_op_attr(op, "callee");
        return callee->kind == IR_ATTR_GLOBAL ? callee->global : NULL;
    }
    default:
        return NULL;
    }
}

static void number_region(struct ir_region *region, unsigned *next);

static void number_function(struct ir_function *function, unsigned *next)
{
    for (unsigned i = 0; i < function->param_count; i++)
        function->params[i]->index = (*next)++;
    number_region(function->body, next);
}

static void number_op(struct ir_op *op, unsigned *next)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;
        if (ir_value_is_inline(value))
            number_op(value->def, next);
    }
    for (unsigned i = 0; i < op->region_count; i++)
        number_region(op->regions[i], next);
    if (ir_op_is(op, IR_CORE_function)) {
        const struct ir_attr *nested = ir_op_attr(op, "function");
        if (nested->kind == IR_ATTR_FUNCTION)
            number_function(nested->function, next);
    }
    op->result.index = (*next)++;
}

static void number_region(struct ir_region *region, unsigned *next)
{
    ir_for_each_block(block, region) ir_for_each_op (op, block) number_op(op, next);
}

static bool set_value_count(void *state, struct ir_op *op)
{
    if (ir_op_is(op, IR_CORE_function)) {
        const struct ir_attr *nested = ir_op_attr(op, "function");
        if (nested->kind == IR_ATTR_FUNCTION) {
            nested->function->value_count = *(unsigned *)state;
            ir_region_walk(nested->function->body, set_value_count, state);
        }
    }
    return true;
}

/*
 * A nested function reads values of the function around it, so both share one numbering: that of
 * the outermost function.
 */
void ir_function_number(struct ir_function *function)
{
    while (function->parent != NULL)
        function = function->parent;
    unsigned next = 0;
    number_function(function, &next);
    function->value_count = next;
    ir_region_walk(function->body, set_value_count, &next);
}

bool ir_region_walk(struct ir_region *region, ir_op_visit_fn *visit, void *state)
{
    ir_for_each_block(block, region)
    {
        for (struct ir_op *op = block->first, *next; op != NULL; op = next) {
            next = op->next;
            if (!visit(state, op))
                return false;
            for (unsigned i = 0; i < op->region_count; i++)
                if (!ir_region_walk(op->regions[i], visit, state))
                    return false;
        }
    }
    return true;
}

void ir_op_set_places(struct ir_module *module, struct ir_op *op, struct ir_op *const *parts,
                      size_t count)
{
    unsigned total = 0, next = 0;

    for (size_t i = 0; i < count; i++)
        total += parts[i]->places.count ? parts[i]->places.count : 1;
    struct location *items = arena_array(&module->context->arena, struct location, total);

    for (size_t i = 0; i < count; i++) {
        if (!parts[i]->places.count)
            items[next++] = parts[i]->loc;
        for (unsigned k = 0; k < parts[i]->places.count; k++)
            items[next++] = parts[i]->places.items[k];
    }
    op->places = (struct ir_places){.count = total, .items = items};
}

/* See part_names.h. */
#include "ir/part_names.h"

#include "base/diag.h"
#include "ir/module.h"
#include "ir/tir.h"

#include <string.h>

/* What @value is another name of. */
static const struct ir_value *origin(const struct ir_value *value)
{
    while (value->def && ir_op_is(value->def, IR_CORE_bind))
        value = value->def->operands[0].value;
    return value;
}

static const char *nth_buffer(const struct tir_func *kernel, unsigned index)
{
    for (unsigned i = 0; i < kernel->param_count; i++)
        if (kernel->params[i].buffer && index-- == 0)
            return kernel->params[i].buffer->name;
    return NULL;
}

/* The buffers of @op in front of operand @count. */
static unsigned tensors_before(const struct ir_op *op, unsigned count)
{
    unsigned tensors = 0;

    for (unsigned i = 0; i < count; i++)
        tensors += ir_type_is_tensor(op->operands[i].value->type);
    return tensors;
}

/* Which argument output @i of @op takes the place of; -1: none, it is a new tensor. */
static int64_t argument_of(const struct ir_op *op, unsigned i)
{
    const struct ir_attr *map =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;
    bool has_entry =
        map && map->kind == IR_ATTR_LIST && i < map->count && map->items[i]->kind == IR_ATTR_INT;

    return has_entry && map->items[i]->integer < op->operand_count ? map->items[i]->integer : -1;
}

static const char *name_of_output(const struct ir_op *op, const struct tir_func *kernel, unsigned i)
{
    int64_t argument = argument_of(op, i);
    unsigned fresh = 0;

    for (unsigned k = 1; argument >= 0 && k <= i; k++)
        if (argument_of(op, k) <= argument_of(op, k - 1)) /* they change places on purpose */
            return NULL;
    if (argument >= 0)
        return nth_buffer(kernel, tensors_before(op, (unsigned)argument));
    for (unsigned k = 0; k < i; k++)
        fresh += argument_of(op, k) < 0;
    return nth_buffer(kernel, tensors_before(op, op->operand_count) + fresh);
}

static const char *name_of_returned(const struct ir_function *function, unsigned i)
{
    const struct ir_block *last = function->body ? function->body->last : NULL;
    const struct ir_op *end = last ? last->last : NULL;
    const struct ir_op *tuple = end && ir_op_is(end, IR_CORE_return) && end->operand_count
                                    ? end->operands[0].value->def
                                    : NULL;

    if (!tuple || !ir_op_is(tuple, IR_CORE_tuple) || i >= tuple->operand_count)
        return NULL;
    return tuple->operands[i].value->name;
}

const char *ir_part_name(const struct ir_value *tuple, unsigned i)
{
    const struct ir_op *op = origin(tuple)->def;
    const struct ir_global *callee = op && tuple->type && tuple->type->kind == IR_TYPE_TUPLE &&
                                             op->info->core >= IR_CORE_call_tir
                                         ? ir_op_callee(op)
                                         : NULL;

    if (callee && callee->kind == IR_GLOBAL_KERNEL && callee->kernel)
        return name_of_output(op, callee->kernel, i);
    return callee && callee->kind == IR_GLOBAL_FUNCTION ? name_of_returned(callee->function, i)
                                                        : NULL;
}

bool ir_names_part(const char *name, const char *part)
{
    size_t length = strlen(name), own = strlen(part);

    if (strcmp(name, part) == 0)
        return true;
    if (length < own + 2)
        return false;
    bool is_end = name[length - own - 1] == '_' && strcmp(name + length - own, part) == 0;
    return is_end || (name[own] == '_' && strncmp(name, part, own) == 0);
}

/* Is @value, part @i of @tuple, called as part @k is? */
static bool is_called(const struct ir_value *value, const struct ir_value *tuple, unsigned k)
{
    const char *part = ir_part_name(tuple, k);

    return value->name && part && ir_names_part(value->name, part);
}

static bool is_part(const struct ir_value *value)
{
    return value->def && ir_op_is(value->def, IR_CORE_tuple_get) && value->name;
}

static unsigned index_of(const struct ir_value *part)
{
    return (unsigned)ir_op_attr(part->def, "index")->integer;
}

const struct ir_value *ir_crossed_part(const struct ir_value *value)
{
    value = origin(value);
    if (!is_part(value))
        return NULL;
    const struct ir_value *tuple = value->def->operands[0].value;
    unsigned i = index_of(value);
    if (is_called(value, tuple, i))
        return NULL;
    for (const struct ir_use *use = tuple->uses; use; use = use->next) {
        const struct ir_value *other = &use->user->result;
        if (!is_part(other) || other == value || index_of(other) == i)
            continue;
        unsigned k = index_of(other);
        if (is_called(value, tuple, k) && is_called(other, tuple, i) && !is_called(other, tuple, k))
            return other;
    }
    return NULL;
}

bool ir_help_crossed(struct diag_message *m, const struct ir_value *value)
{
    const struct ir_value *other = ir_crossed_part(value);

    value = origin(value);
    if (!other || !value->loc.source || value->loc.source != other->loc.source)
        return false;
    bool is_first = value->loc.begin < other->loc.begin;
    const struct ir_value *a = is_first ? value : other, *b = is_first ? other : value;
    const struct ir_op *made = origin(value->def->operands[0].value)->def;
    const struct ir_global *callee = ir_op_callee(made);
    diag_help(m, "`%s` gives them the other way round", callee->name);
    diag_help_swap(m, a->loc, b->loc);
    diag_help_unsure(m);
    return true;
}

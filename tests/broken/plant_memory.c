/*
 * Mistakes in what a module says about memory: whose storage a result takes, and when storage
 * ends.
 */
#include "ir/arith.h"
#include "ir/edit/make.h"
#include "ops/ids.h"
#include "tests/broken/plant.h"

static struct ir_builder builder_before(struct planter *p, struct ir_op *op)
{
    return (struct ir_builder){.module = p->run->module,
                               .diag = p->run->diag,
                               .block = op->block,
                               .before = op,
                               .loc = op->loc};
}

static bool is_kill(const struct ir_op *op)
{
    return op_is(op, OP_memory_kill_tensor) || op_is(op, OP_memory_kill_storage) ||
           op_is(op, OP_vm_kill_object);
}

/* The op in front of @op in its region; NULL: it is the first. */
static struct ir_op *previous(const struct ir_op *op)
{
    const struct ir_block *block = op->block;

    if (op->prev)
        return op->prev;
    do
        block = block->prev;
    while (block && !block->last);
    return block ? block->last : NULL;
}

/*
 * The last op in front of @end, in its region, that reads a name of @names; at its own name or not.
 */
static struct ir_op *last_reader(const struct ir_op *end, const plant_names *names, bool is_other)
{
    for (struct ir_op *op = previous(end); op; op = previous(op)) {
        if (!plant_reads(op) || ir_op_is(op, IR_CORE_if))
            continue;
        for (unsigned i = 0; i < op->operand_count; i++)
            for (size_t k = 0; k < names->count; k++)
                if (op->operands[i].value == names->items[k].value &&
                    (!is_other || (names->items[k].bonds & ~(unsigned)BOND_UPDATE)))
                    return op;
    }
    return NULL;
}

static void move_kill(struct planter *p, struct ir_op *op, bool is_other)
{
    plant_names names = {0};

    if (!is_kill(op))
        return;
    plant_names_of(op->operands[0].value, true, &names);
    struct ir_op *reader = last_reader(op, &names, is_other);
    if (reader && reader != op->operands[0].value->def && plant_here(p)) {
        ir_op_unlink(op);
        ir_op_insert_before(reader, op);
    }
    array_finish(&names);
}

static void visit_kill_early(struct planter *p, struct ir_op *op)
{
    move_kill(p, op, false);
}

void plant_kill_early(struct planter *p)
{
    plant_walk(p, visit_kill_early);
}

static void visit_kill_ignores_names(struct planter *p, struct ir_op *op)
{
    move_kill(p, op, true);
}

void plant_kill_ignores_names(struct planter *p)
{
    plant_walk(p, visit_kill_ignores_names);
}

static void kill_before(struct planter *p, struct ir_op *op, struct ir_value *value)
{
    struct ir_builder b = builder_before(p, op);
    struct ir_function *function = ir_op_function(op);
    struct ir_context *context = p->run->module->context;

    MAKE(&b, OP_memory_kill_tensor, value);
    if (function->is_pure)
        function->attrs = ir_attr_dict_with(context, function->attrs, "relax.force_pure",
                                            ir_attr_bool(context, true));
}

static void visit_kill_twice(struct planter *p, struct ir_op *op)
{
    if (is_kill(op) && op->next && op->operands[0].value->type->kind == IR_TYPE_TENSOR &&
        plant_here(p))
        kill_before(p, op->next, op->operands[0].value);
}

void plant_kill_twice(struct planter *p)
{
    plant_walk(p, visit_kill_twice);
}

static void visit_kill_output(struct planter *p, struct ir_op *op)
{
    const struct ir_value *result = ir_op_is(op, IR_CORE_return) ? op->operands[0].value : NULL;

    if (result && result->type->kind == IR_TYPE_TENSOR && !ir_value_is_inline(result) &&
        plant_here(p))
        kill_before(p, op, op->operands[0].value);
}

void plant_kill_output(struct planter *p)
{
    plant_walk(p, visit_kill_output);
}

static void visit_kill_borrowed(struct planter *p, struct ir_op *op)
{
    const struct ir_function *function = ir_op_function(op);

    if (!ir_op_is(op, IR_CORE_return) || function->parent)
        return;
    for (unsigned i = 0; i < function->param_count; i++)
        if (function->params[i]->type->kind == IR_TYPE_TENSOR && plant_here(p))
            kill_before(p, op, function->params[i]);
}

void plant_kill_borrowed(struct planter *p)
{
    plant_walk(p, visit_kill_borrowed);
}

static void visit_kill_constant(struct planter *p, struct ir_op *op)
{
    for (unsigned i = 0; ir_op_is(op, IR_CORE_call_tir_inplace) && i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;

        if (!ir_value_is_inline(value) || !ir_op_is(value->def, IR_CORE_constant) || !op->next ||
            !plant_here(p))
            continue;
        kill_before(p, op->next, ir_inline_copy(p->run->module, value));
        return;
    }
}

void plant_kill_constant(struct planter *p)
{
    plant_walk(p, visit_kill_constant);
}

static void visit_kill_in_branch(struct planter *p, struct ir_op *op)
{
    if (!is_kill(op))
        return;
    for (struct ir_op *before = previous(op); before; before = previous(before)) {
        if (!ir_op_is(before, IR_CORE_if))
            continue;
        plant_names names = {0};
        plant_names_of(op->operands[0].value, true, &names);
        struct ir_op *reader = last_reader(op, &names, false);
        bool is_behind = reader && plant_order(p, reader) > plant_order(p, before);
        const struct ir_op *maker = op->operands[0].value->def;

        if (is_behind && maker && plant_order(p, maker) < plant_order(p, before) && plant_here(p)) {
            ir_op_unlink(op);
            ir_op_insert_before(before->regions[0]->first->first, op);
        }
        array_finish(&names);
        return;
    }
}

void plant_kill_in_branch(struct planter *p)
{
    plant_walk(p, visit_kill_in_branch);
}

/* ---- storage of results ---- */

static bool is_read_behind(struct planter *p, struct ir_value *value, const struct ir_op *op)
{
    plant_names names = {0};
    bool is_read = false;

    plant_names_of(value, false, &names);
    for (size_t i = 0; i < names.count; i++)
        ir_for_each_use (use, names.items[i].value) {
            const struct ir_op *user = ir_use_root(use);

            is_read |= user != op && plant_reads(user) &&
                       plant_order(p, user) > plant_order(p, op) &&
                       ir_op_function(user) == ir_op_function(op);
        }
    array_finish(&names);
    return is_read;
}

/* The operand whose storage the result takes, where that was allocated for it; UINT32_MAX: none. */
static unsigned destination(const struct ir_op *call)
{
    if (!ir_op_is(call, IR_CORE_call_tir_inplace))
        return UINT32_MAX;
    const struct ir_attr *indices = ir_op_attr(call, "inplace_indices");
    int64_t index = indices->count == 1 ? indices->items[0]->integer : -1;

    if (index < 0)
        return UINT32_MAX;
    const struct ir_op *def = call->operands[index].value->def;
    return def && op_is(def, OP_builtin_alloc_tensor) ? (unsigned)index : UINT32_MAX;
}

static bool is_operand(const struct ir_op *op, const struct ir_value *value)
{
    for (unsigned i = 0; i < op->operand_count; i++)
        if (op->operands[i].value == value)
            return true;
    return false;
}

/* An older result of the same type in the same block takes the place of the destination. */
static void visit_reuse(struct planter *p, struct ir_op *op)
{
    unsigned index = destination(op);

    for (struct ir_op *older = previous(op); older && index != UINT32_MAX;
         older = previous(older)) {
        bool fits = ir_op_is(older, IR_CORE_call_tir_inplace) &&
                    older->result.type == op->operands[index].value->type &&
                    !is_operand(op, &older->result);

        if (!fits || !is_read_behind(p, &older->result, op) || !plant_here(p))
            continue;
        ir_op_set_operand(op, index, &older->result);
        return;
    }
}

void plant_reuse(struct planter *p)
{
    plant_walk(p, visit_reuse);
}

static int64_t bytes_of(struct ir_context *context, const struct ir_type *type)
{
    int64_t bytes = (int64_t)ir_dtype_bytes(type->dtype), dim;

    if (type->kind != IR_TYPE_TENSOR || (type->ndim > 0 && !type->dims))
        return 0;
    for (int i = 0; i < type->ndim; i++)
        bytes = ir_expr_constant(context, type->dims[i], &dim) ? bytes * dim : 0;
    return bytes;
}

static struct ir_value *build_storage(struct ir_builder *b, int64_t bytes)
{
    struct ir_context *context = b->module->context;
    const struct ir_expr *size = ir_expr_int(context, IR_I64, bytes);

    return MAKE(b, OP_memory_alloc_storage, make_shape(b, &size, 1),
                ir_inline_prim(b->module, ir_expr_int(context, IR_I64, 0)),
                ir_inline_string(b->module, atom_intern_text(&context->atoms, "global")),
                ir_inline_string(b->module, atom_intern_text(&context->atoms, "uint8")));
}

/* A tensor like the one that @alloc makes, in @storage at @offset, in its place. */
static void place_in(struct planter *p, struct ir_op *alloc, struct ir_value *storage,
                     int64_t offset)
{
    struct ir_builder b = builder_before(p, alloc);
    struct ir_context *context = b.module->context;
    const struct ir_type *type = alloc->result.type;
    struct ir_value *tensor = MAKE(&b, OP_memory_alloc_tensor, storage,
                                   ir_inline_prim(b.module, ir_expr_int(context, IR_I64, offset)),
                                   make_shape(&b, type->dims, (unsigned)type->ndim),
                                   ir_inline_dtype(b.module, type->dtype));

    if (!tensor)
        return;
    tensor->name = alloc->result.name;
    ir_value_replace(&alloc->result, tensor);
    ir_op_erase(alloc);
}

/*
 * The second of two tensors whose results live together begins in the last four bytes of the
 * first.
 */
static void visit_overlap(struct planter *p, struct ir_op *op)
{
    struct ir_context *context = p->run->module->context;

    if (destination(op) == UINT32_MAX)
        return;
    struct ir_op *second = op->operands[destination(op)].value->def;
    for (struct ir_op *older = previous(op); older; older = previous(older)) {
        if (destination(older) == UINT32_MAX || second->block->region != older->block->region)
            continue;
        struct ir_op *first = older->operands[destination(older)].value->def;
        int64_t low = bytes_of(context, first->result.type);
        int64_t high = bytes_of(context, second->result.type);

        if (low < 8 || !high || !is_read_behind(p, &older->result, op) || !plant_here(p))
            continue;
        struct ir_builder b = builder_before(p, first);
        struct ir_value *storage = build_storage(&b, low + high);
        place_in(p, first, storage, 0);
        place_in(p, second, storage, low - 4);
        return;
    }
}

void plant_overlap(struct planter *p)
{
    plant_walk(p, visit_overlap);
}

static void visit_block_short(struct planter *p, struct ir_op *op)
{
    struct ir_context *context = p->run->module->context;

    if (!op_is(op, OP_builtin_alloc_tensor) || bytes_of(context, op->result.type) < 8 ||
        !plant_here(p))
        return;
    struct ir_builder b = builder_before(p, op);
    struct ir_value *storage = build_storage(&b, bytes_of(context, op->result.type) - 4);
    /* behind a tuple, where the types do not show it */
    struct ir_op *tuple = ir_build(&b, ir_core_op(context, IR_CORE_tuple), &storage, 1, NULL);
    const struct ir_attr *index[] = {ir_attr_int(context, 0)};
    struct ir_value *held = &tuple->result;
    struct ir_op *get = ir_build(&b, ir_core_op(context, IR_CORE_tuple_get), &held, 1, index);
    place_in(p, op, &get->result, 0);
}

void plant_block_short(struct planter *p)
{
    plant_walk(p, visit_block_short);
}

/* Mistakes in a plan of memory: where tensors lie in a piece of storage, and how large it is. */
#include "ir/arith.h"
#include "ir/bounds.h"
#include "ir/edit/make.h"
#include "ops/ids.h"
#include "tests/broken/plant.h"

static bool is_placed(const struct ir_op *op)
{
    return op_is(op, OP_memory_alloc_tensor);
}

/* A number in @op: operand @i, or the first dim of the shape that it is; -1: none. */
static int64_t number_at(struct planter *p, const struct ir_op *op, unsigned i)
{
    const struct ir_value *value = op->operands[i].value;
    const struct ir_expr *a = NULL;
    int64_t number = -1;

    if (value->type->kind == IR_TYPE_SHAPE && value->type->ndim == 1 && value->type->dims)
        a = value->type->dims[0];
    else if (value->def && ir_op_is(value->def, IR_CORE_prim))
        a = ir_op_attr(value->def, "value")->expr;
    return a && ir_expr_constant(p->run->module->context, a, &number) ? number : -1;
}

static void move_to(struct planter *p, struct ir_op *tensor, int64_t offset)
{
    struct ir_module *module = p->run->module;

    ir_op_set_operand(tensor, 1,
                      ir_inline_prim(module, ir_expr_int(module->context, IR_I64, offset)));
}

/* With upper bounds as many as there may be; -1: not known. */
static int64_t bytes_of(struct planter *p, const struct ir_op *tensor)
{
    const struct ir_expr *bytes = ir_type_bytes(p->run->module->context, tensor->result.type);
    const struct ir_function *function = tensor->block->region->function;
    struct ir_bounds bounds = {0};
    int64_t number = -1;

    ir_bounds_find(function, &p->run->scratch, &bounds);
    if (!bytes || !ir_bounds_most(p->run->module->context, &bounds, bytes, &number))
        number = -1;
    array_finish(&bounds);
    return number;
}

/* Is what lies in the bytes of @tensor read behind @op, by any name? */
static bool is_read_behind(struct planter *p, struct ir_op *tensor, const struct ir_op *op)
{
    plant_names names = {0};
    bool is_read = false;

    plant_names_of(&tensor->result, true, &names);
    for (size_t i = 0; i < names.count; i++)
        ir_for_each_use (use, names.items[i].value) {
            const struct ir_op *user = ir_use_root(use);

            is_read |= plant_reads(user) && plant_order(p, user) > plant_order(p, op);
        }
    array_finish(&names);
    return is_read;
}

/* Another tensor in the storage of @op that was put there before and is read behind it, found by @fits. */
static struct ir_op *find_older(struct planter *p, struct ir_op *op,
                                bool (*fits)(struct planter *p, struct ir_op *older,
                                             struct ir_op *op))
{
    ir_for_each_use (use, op->operands[0].value) {
        struct ir_op *older = use->user;

        if (is_placed(older) && plant_order(p, older) < plant_order(p, op) &&
            is_read_behind(p, older, op) && fits(p, older, op))
            return older;
    }
    return NULL;
}

/* There is room for @op where @older begins. */
static bool has_room(struct planter *p, struct ir_op *older, struct ir_op *op)
{
    int64_t offset = number_at(p, older, 1), bytes = bytes_of(p, op);
    int64_t room = number_at(p, op->operands[0].value->def, 0);

    return offset >= 0 && bytes > 0 && offset + bytes <= room;
}

static void visit_life(struct planter *p, struct ir_op *op)
{
    struct ir_op *older = is_placed(op) ? find_older(p, op, has_room) : NULL;

    if (older && plant_here(p))
        move_to(p, op, number_at(p, older, 1));
}

void plant_plan_life(struct planter *p)
{
    plant_walk(p, visit_life);
}

/* Room that @op, a call, gives for a result: the number of the operand; -1: none. */
static int room_of(const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;

    if (!callee || callee->kind != IR_GLOBAL_FUNCTION)
        return -1;
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_op *def = op->operands[i].value->def;

        if (ir_function_donates(callee->function, i) && def &&
            (op_is(def, OP_builtin_alloc_tensor) || is_placed(def)))
            return (int)i;
    }
    return -1;
}

static void visit_argument(struct planter *p, struct ir_op *op)
{
    int room = room_of(op);

    for (unsigned i = 0; room >= 0 && i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;
        bool is_alike = (int)i != room && !ir_value_is_inline(value) &&
                        ir_type_check(p->run->module->context, op->operands[room].value->type,
                                      value->type) == IR_CHECK_PASS;

        if (is_alike && plant_here(p)) {
            ir_op_set_operand(op, (unsigned)room, value);
            return;
        }
    }
}

void plant_dest_argument(struct planter *p)
{
    plant_walk(p, visit_argument);
}

/* The last element of @older lies right in front of @op. */
static bool is_in_front(struct planter *p, struct ir_op *older, struct ir_op *op)
{
    int64_t offset = number_at(p, older, 1), bytes = bytes_of(p, older);

    return offset >= 0 && bytes > 0 && offset + bytes == number_at(p, op, 1) &&
           ir_dtype_equal(older->result.type->dtype, op->result.type->dtype);
}

static void visit_step(struct planter *p, struct ir_op *op)
{
    struct ir_op *older = is_placed(op) ? find_older(p, op, is_in_front) : NULL;

    if (older && plant_here(p))
        move_to(p, op, number_at(p, op, 1) - (int64_t)ir_dtype_bytes(op->result.type->dtype));
}

void plant_plan_step(struct planter *p)
{
    plant_walk(p, visit_step);
}

/* Behind a tuple, where the types do not show how large it is. */
static void visit_small(struct planter *p, struct ir_op *op)
{
    enum { LESS = 64 };
    int64_t bytes = op_is(op, OP_memory_alloc_storage) ? number_at(p, op, 0) : 0;

    if (bytes <= LESS || !plant_here(p))
        return;
    struct ir_module *module = p->run->module;
    struct ir_builder b = {.module = module,
                           .diag = p->run->diag,
                           .block = op->block,
                           .before = op->next,
                           .loc = op->loc};
    const struct ir_expr *size = ir_expr_int(module->context, IR_I64, bytes - LESS);
    struct ir_value *storage = &op->result;

    ir_op_set_operand(op, 0, ir_inline_shape(module, &size, 1));
    struct ir_op *tuple =
        ir_build(&b, ir_core_op(module->context, IR_CORE_tuple), &storage, 1, NULL);
    const struct ir_attr *index[] = {ir_attr_int(module->context, 0)};
    struct ir_value *held = &tuple->result;
    struct ir_op *get =
        ir_build(&b, ir_core_op(module->context, IR_CORE_tuple_get), &held, 1, index);

    ir_value_replace(storage, &get->result);
    ir_op_set_operand(tuple, 0, storage);
}

void plant_plan_small(struct planter *p)
{
    plant_walk(p, visit_small);
}

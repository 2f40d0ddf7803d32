/*
 * Operators of the library: by their traits, but for those that say something about memory, which
 * this file knows by name.
 */
#include "analysis/verify_storage/internal.h"

#include <string.h>

/* ---- operands by the names in the signature ---- */

static struct ir_value *operand(const struct ir_op *op, const char *name)
{
    for (unsigned i = 0; i < op->info->param_count; i++) {
        const struct ir_op_param *param = &op->info->params[i];

        if (param->kind < IR_PARAM_INT && !param->is_variadic && strcmp(param->name, name) == 0)
            return op->operands[param->operand_index].value;
    }
    return NULL;
}

/* Is there something in its place? R.memory.view also takes the empty tuple for nothing. */
static bool is_given(const struct ir_value *value)
{
    return value && !(value->def && ir_op_is(value->def, IR_CORE_null_value)) &&
           !ir_type_is_void(value->type);
}

/* A scalar operand as an expression of int64; NULL where it is not one. */
static const struct ir_expr *scalar(struct vs_replay *r, const struct ir_value *value)
{
    struct ir_context *context = r->m->context;

    while (value->def && ir_op_is(value->def, IR_CORE_bind))
        value = value->def->operands[0].value;
    if (value->var)
        return ir_expr_cast(context, IR_I64, ir_expr_var(context, value->var));
    if (!value->def || !ir_op_is(value->def, IR_CORE_prim))
        return NULL;
    const struct ir_attr *attr = ir_op_attr(value->def, "value");

    if (attr->kind == IR_ATTR_INT)
        return ir_expr_int(context, IR_I64, attr->integer);
    if (attr->kind == IR_ATTR_EXPR && ir_dtype_is_int(attr->expr->dtype))
        return ir_expr_cast(context, IR_I64, attr->expr);
    return NULL;
}

static const struct ir_expr *zero(struct vs_replay *r)
{
    return ir_expr_int(r->m->context, IR_I64, 0);
}

/* ---- storage ---- */

static struct ir_dtype dtype_of(const struct ir_value *value)
{
    struct ir_dtype dtype = IR_VOID;

    if (value->def && ir_op_is(value->def, IR_CORE_dtype))
        return ir_op_attr(value->def, "value")->dtype;
    if (value->def && ir_op_is(value->def, IR_CORE_string) &&
        ir_dtype_parse(ir_op_attr(value->def, "value")->string, &dtype))
        return dtype;
    return IR_VOID;
}

/* The product of the dims times @unit, or NULL. */
static const struct ir_expr *storage_bytes(struct vs_replay *r, const struct ir_value *shape,
                                           int64_t unit)
{
    const struct ir_type *type = shape->type;
    const struct ir_expr *bytes = ir_expr_int(r->m->context, IR_I64, unit);

    if (!unit || type->kind != IR_TYPE_SHAPE || (type->ndim != 0 && !type->dims))
        return NULL;
    for (int i = 0; i < type->ndim; i++)
        bytes = ir_expr_binary(r->m->context, IR_EXPR_mul, bytes,
                               ir_expr_cast(r->m->context, IR_I64, type->dims[i]));
    return ir_simplify(r->m->context, bytes);
}

static struct vs_root *make_storage(struct vs_replay *r, struct ir_op *op)
{
    unsigned node = vs_fresh(r, VS_OWN);

    vs_set(r, op, vs_leaf(&r->arena, node));
    vs_root_at(r, node)->is_storage = true;
    return vs_root_at(r, node);
}

/* So many bytes; the dtype is a hint. */
static void replay_memory_storage(struct vs_replay *r, struct ir_op *op)
{
    make_storage(r, op)->bytes = storage_bytes(r, operand(op, "size"), 1);
}

/* Room for a tensor. */
static void replay_vm_storage(struct vs_replay *r, struct ir_op *op)
{
    struct ir_dtype dtype = dtype_of(operand(op, "dtype"));
    int64_t unit = ir_dtype_is_void(dtype) ? 0 : (int64_t)ir_dtype_bytes(dtype);

    make_storage(r, op)->bytes = storage_bytes(r, operand(op, "shape"), unit);
}

/* Provably not 0 <= @low and @low + @bytes <= @limit.  What is not seen here the run checks. */
static bool is_outside(struct vs_replay *r, const struct ir_expr *low, const struct ir_expr *bytes,
                       const struct ir_expr *limit)
{
    struct ir_context *context = r->m->context;
    const struct ir_expr *one = ir_expr_int(context, IR_I64, 1);

    if (!low || !bytes)
        return false;
    const struct ir_expr *high =
        ir_simplify(context, ir_expr_binary(context, IR_EXPR_add, low, bytes));
    bool is_low = ir_prove_ge(context, NULL, ir_expr_int(context, IR_I64, -1), low);

    return is_low ||
           (limit &&
            ir_prove_ge(context, NULL, high,
                        ir_simplify(context, ir_expr_binary(context, IR_EXPR_add, limit, one))));
}

static bool is_outside_any(struct vs_replay *r, unsigned node, const struct ir_expr *low,
                           const struct ir_expr *bytes)
{
    size_t count = vs_roots_of(r, node);

    for (size_t i = 0; i < count; i++)
        if (is_outside(r, low, bytes, vs_root_bytes(r, &r->roots.items[r->scratch.items[i]])))
            return true;
    return false;
}

/* The part of what is there that begins at @low; somewhere in it where that is not known. */
static struct extent part_at(struct vs_replay *r, const struct ir_expr *low,
                             const struct ir_expr *bytes)
{
    return low && bytes ? extent_of(r->m->context, low, bytes) : extent_anywhere;
}

/* Is the storage as large in every run?  Then places in it may be planned by upper bounds. */
static bool is_number(struct vs_replay *r, unsigned node)
{
    size_t count = vs_roots_of(r, node);
    bool is_known = count > 0;

    for (size_t i = 0; i < count && is_known; i++) {
        const struct ir_expr *bytes = vs_root_bytes(r, &r->roots.items[r->scratch.items[i]]);

        is_known = bytes && bytes->kind == IR_EXPR_int;
    }
    return is_known;
}

/* memory.alloc_tensor, vm.alloc_tensor: the tensor takes its bytes from what was there. */
static void replay_alloc_tensor(struct vs_replay *r, struct ir_op *op)
{
    const struct ir_expr *low = scalar(r, operand(op, "offset"));
    const struct ir_expr *bytes = extent_bytes(r->m->context, op->result.type);
    struct ir_value *storage = operand(op, "storage");
    unsigned node = vs_collapse(r, vs_value_of(r, storage));
    bool is_bounded = low && low->kind == IR_EXPR_int && is_number(r, node);
    const struct ir_expr *most = is_bounded ? vs_most(r, bytes) : NULL;

    /* at a place that is a number, all that it may take is its own: it asks for more, and nothing else fits */
    bytes = most ? most : bytes;

    vs_check_alive(r, node, storage);
    vs_check_writable(r, node, storage, false);
    if (is_outside_any(r, node, low, bytes))
        vs_refuse(r, VERIFY_STORAGE_OUTSIDE, &op->result, NULL);
    node = vs_part(r, node, part_at(r, low, bytes));
    vs_set(r, op, vs_leaf(&r->arena, vs_put(r, node)));
}

static void replay_view(struct vs_replay *r, struct ir_op *op)
{
    struct ir_value *data = operand(op, "data"), *offset = operand(op, "relative_byte_offset");
    const struct ir_expr *low = is_given(offset) ? scalar(r, offset) : zero(r);
    const struct ir_expr *bytes = extent_bytes(r->m->context, op->result.type);
    const struct ir_expr *limit = extent_bytes(r->m->context, data->type);
    const struct ir_expr *room = vs_room(r, data);
    struct vs_value *value = vs_value_of(r, data);
    bool is_same = low && ir_expr_is_int(low, 0) &&
                   (op->result.type == data->type ||
                    (bytes && limit && ir_prove_equal(r->m->context, bytes, limit)));

    if (is_outside(r, low, bytes, room ? room : limit))
        vs_refuse(r, VERIFY_STORAGE_OUTSIDE, &op->result, NULL);
    if (!is_same)
        value = vs_leaf(&r->arena, vs_part(r, vs_collapse(r, value), part_at(r, low, bytes)));
    vs_set(r, op, value);
}

static void replay_same(struct vs_replay *r, struct ir_op *op)
{
    vs_set(r, op, vs_value_of(r, op->operands[0].value));
}

/* ---- ends ---- */

struct kill {
    struct vs_replay *r;
    const struct ir_value *value;
};

static void kill_leaf(void *state, unsigned node)
{
    struct kill *kill = state;

    vs_kill(kill->r, node, kill->value);
}

static void replay_kill(struct vs_replay *r, struct ir_op *op)
{
    struct kill kill = {r, op->operands[0].value};

    vs_each_leaf(r, vs_value_of(r, op->operands[0].value), kill_leaf, &kill);
    vs_set(r, op, vs_leaf(&r->arena, r->nowhere));
}

/* ---- all others ---- */

/* An operand, or something made anew: which of them, only the run knows. */
static void replay_alias(struct vs_replay *r, struct ir_op *op)
{
    unsigned node = vs_collapse(r, vs_fresh_value(r, op->result.type, VS_OWN));

    vs_read_operands(r, op);
    for (unsigned i = 0; i < op->operand_count && node != r->nowhere; i++) {
        unsigned other = vs_collapse(r, vs_value_of(r, op->operands[i].value));

        if (other != r->nowhere)
            node = diagram_choose(&r->d, vs_new_decision(r), other, node);
    }
    vs_set(r, op, vs_leaf(&r->arena, node));
}

static const struct {
    const char *name;
    vs_replay_fn *replay;
} known[] = {
    {"memory.alloc_storage", replay_memory_storage},
    {"vm.alloc_storage", replay_vm_storage},
    {"memory.alloc_tensor", replay_alloc_tensor},
    {"vm.alloc_tensor", replay_alloc_tensor},
    {"memory.view", replay_view},
    {"memory.ensure_zero_offset", replay_same},
    {"memory.kill_tensor", replay_kill},
    {"memory.kill_storage", replay_kill},
    {"vm.kill_object", replay_kill},
};

void vs_library_init(struct vs_module *m)
{
    m->replays = arena_array(&m->arena, vs_replay_fn *, ir_op_count(m->context) + 1);
    for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
        const struct ir_op_info *info = ir_find_op(m->context, known[i].name);

        if (info)
            m->replays[info->id] = known[i].replay;
    }
}

void vs_replay_library(struct vs_replay *r, struct ir_op *op)
{
    uint32_t traits = op->info->traits;

    if (r->m->replays[op->info->id])
        r->m->replays[op->info->id](r, op);
    else if (traits & IR_OPAQUE)
        vs_replay_opaque(r, op);
    else if (traits & IR_VIEW)
        replay_same(r, op);
    else if (traits & IR_ALIAS)
        replay_alias(r, op);
    else {
        if (!(traits & IR_METADATA))
            vs_read_operands(r, op);
        vs_set(r, op, vs_fresh_value(r, op->result.type, VS_OWN));
    }
}

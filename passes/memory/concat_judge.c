/* May a value be made in the result that it is copied to? */
#include "analysis/kernel.h"
#include "ir/arith.h"
#include "passes/memory/concat_plan.h"

#include <string.h>

/* ---- kernels ---- */

static bool is_plain_access(struct concat_plan *plan, const struct access_list *list,
                            const struct access *access, const struct access_box *box)
{
    for (const struct access_frame *f = access->frame; f; f = f->parent)
        if (f->kind == ACCESS_LANES)
            return false;
    return access->kind != ACCESS_EXPOSE && access->buffer == access->root && access->indices &&
           access_may_leave(&plan->cache, list, access, box) == ACCESS_NEVER;
}

static bool is_harmless(const struct access *access)
{
    return access->effect == ACCESS_NO_EFFECT || access->effect == ACCESS_STOP;
}

/* All of @buffer. */
static struct access_box all_of(struct concat_plan *plan, const struct ir_buffer *buffer)
{
    const struct ir_expr **zeros =
        arena_array(&plan->run->scratch, const struct ir_expr *, buffer->ndim + 1);

    for (unsigned d = 0; d < buffer->ndim; d++)
        zeros[d] = ir_expr_int(plan->run->module->context, IR_I64, 0);
    return (struct access_box){buffer->ndim, zeros, buffer->shape};
}

/* Which parameters of @func are plain: a walk over the kernel for all of them. */
static const bool *find_plain(struct concat_plan *plan, const struct tir_func *func)
{
    const struct access_list *list = access_of(&plan->cache, func);
    bool *is_plain = arena_array(&plan->run->scratch, bool, func->param_count + 1);
    bool is_fine = true;

    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_buffer *buffer = func->params[i].buffer;

        is_plain[i] = buffer && !buffer->strides && !buffer->elem_offset && !buffer->data_of;
    }
    for (size_t i = 0; is_fine && i < list->count; i++) {
        const struct access *access = &list->items[i];
        struct access_box box;

        is_fine = is_harmless(access);
        if (access->param < 0 || !is_plain[access->param])
            continue;
        box = all_of(plan, func->params[access->param].buffer);
        is_plain[access->param] = is_plain_access(plan, list, access, &box);
    }
    for (unsigned i = 0; !is_fine && i < func->param_count; i++)
        is_plain[i] = false;
    return is_plain;
}

bool concat_is_plain(struct concat_plan *plan, const struct tir_func *func, unsigned param)
{
    const bool *is_plain = map_get(&plan->plain, func);

    if (!is_plain)
        map_set(&plan->plain, func, is_plain = find_plain(plan, func));
    return is_plain[param];
}

/* ---- what stands against a home ---- */

static bool is_small(const struct ir_expr *extent)
{
    return ir_expr_is_int(extent, 1);
}

/* Is @piece all of its source, dimension by dimension, in their order? */
static bool is_whole(const struct join *join, const struct access_piece *piece)
{
    struct ir_context *context = join->pieces.func->module->context;
    const struct ir_buffer *source = join->pieces.func->params[piece->source].buffer;
    int last = -1;

    if (!piece->is_box || !piece->axes)
        return false;
    for (unsigned i = 0; i < source->ndim; i++) {
        const struct access_piece_axis *axis = &piece->axes[i];
        const struct ir_expr *extent = ir_expr_cast(context, IR_I64, source->shape[i]);

        if (axis->from < 0) {
            if (!ir_expr_is_int(axis->shift, 0) || !is_small(ir_simplify(context, extent)))
                return false;
            continue;
        }
        const struct ir_expr *first =
            ir_expr_binary(context, IR_EXPR_add, piece->box.min[axis->from], axis->shift);
        if (axis->from <= last || !ir_expr_is_int(ir_simplify(context, first), 0) ||
            !ir_prove_equal(context, piece->box.extent[axis->from], extent))
            return false;
        for (int d = last + 1; d < axis->from; d++)
            if (!is_small(piece->box.extent[d]))
                return false;
        last = axis->from;
    }
    for (unsigned d = (unsigned)(last + 1); d < piece->box.ndim; d++)
        if (!is_small(piece->box.extent[d]))
            return false;
    return true;
}

/* Do neighbours in the last dimension of the source stay neighbours? */
static bool keeps_rows(const struct join *join, const struct access_piece *piece)
{
    const struct ir_buffer *out = join->pieces.func->params[join->pieces.param].buffer;
    int last = -1;

    for (unsigned i = 0; i < join->pieces.func->params[piece->source].buffer->ndim; i++)
        if (piece->axes[i].from >= 0 && !is_small(piece->box.extent[piece->axes[i].from]))
            last = piece->axes[i].from;
    for (unsigned d = (unsigned)(last + 1); last >= 0 && d < out->ndim; d++)
        if (!is_small(out->shape[d]))
            return false;
    return true;
}

/* Does the kernel add up what it writes?  Then it visits each element often, by rows. */
static bool accumulates(struct concat_plan *plan, const struct tir_func *func)
{
    const struct access_list *list = access_of(&plan->cache, func);

    if (map_has(&plan->sums, func))
        return map_get(&plan->sums, func) == func;
    map_set(&plan->sums, func, NULL);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == ACCESS_READ && list->items[i].param >= 0 &&
            map_has(&list->written, list->items[i].root))
            map_set(&plan->sums, func, func);
    return map_get(&plan->sums, func) == func;
}

static bool is_joined(struct concat_plan *plan, const struct ir_value *value)
{
    ir_for_each_use (use, value)
        if (map_has(&plan->joins, use->user) ||
            (ir_op_is(use->user, IR_CORE_tuple_get) && is_joined(plan, &use->user->result)))
            return true;
    return false;
}

/*
 * Does @op, which reads a part of a result, add up another part of it?  Schedules of such kernels rely on
 * the storage that they add up to for being no other's.
 */
bool concat_adds_beside(struct concat_plan *plan, const struct join *join, const struct ir_op *op)
{
    return (op == join->op || is_joined(plan, &op->result)) &&
           accumulates(plan, ir_op_callee(op)->kernel);
}

bool concat_is_all_of(const struct join *join, const struct access_piece *piece)
{
    return join->copies[piece->source] == 1 && is_whole(join, piece);
}

/* Does @op read operand @i, and can it be told to read that elsewhere? */
bool concat_can_read_elsewhere(struct concat_plan *plan, struct ir_op *op, unsigned operand)
{
    const struct join *join = map_get(&plan->joins, op);
    struct kernel_call own = {0};
    const struct kernel_call *call = join ? &join->call : &own;
    bool is_fine =
        join ? !join->moved : kernel_call_read(plan->run->module, &plan->run->scratch, op, &own);

    is_fine = is_fine && call->operand_params[operand] != (unsigned)KERNEL_CALL_SCALAR;
    for (unsigned i = 0; is_fine && i < call->output_count; i++)
        is_fine = call->inplace[i] != (int)operand;
    is_fine = is_fine && concat_is_plain(plan, call->func, call->operand_params[operand]);
    kernel_call_finish(&own);
    return is_fine;
}

bool concat_is_updated(const struct ir_value *value)
{
    ir_for_each_use (use, value)
        if (ir_op_is(use->user, IR_CORE_call_tir_inplace))
            return true;
    return false;
}

static enum inplace_code judge_readers(struct concat_plan *plan, const struct join *join,
                                       const struct ir_value *value)
{
    unsigned others = 0;

    ir_for_each_use (use, value) {
        struct ir_op *root = ir_use_root(use);

        if (ir_op_is(use->user, IR_CORE_output))
            continue;
        if (ir_op_is(root, IR_CORE_return) || ir_op_is(root, IR_CORE_yield))
            return IP_ESCAPES;
        if (root != use->user || ir_op_function(root) != ir_op_function(join->op) ||
            !concat_can_read_elsewhere(plan, root, (unsigned)(use - root->operands)) ||
            concat_adds_beside(plan, join, root))
            return IP_READER;
        others += root != join->op;
    }
    /* an update of the result would have to keep the old elements for them */
    return others > 0 && concat_is_updated(&join->op->result) ? IP_READER : IP_PROVED;
}

/* By output: the one name that it has; NULL: none, several, or the tuple is read as a whole. */
static struct ir_value **find_fields(struct concat_plan *plan, const struct ir_op *call)
{
    unsigned count = call->result.type->field_count;
    struct ir_value **fields = arena_array(&plan->run->scratch, struct ir_value *, count + 1);
    bool *is_named = arena_array(&plan->run->scratch, bool, count + 1);

    ir_for_each_use (use, &call->result) {
        struct ir_op *user = use->user;

        if (ir_op_is(user, IR_CORE_output))
            continue;
        if (!ir_op_is(user, IR_CORE_tuple_get) || !user->block) {
            memset(fields, 0, (count + 1) * sizeof(*fields));
            return fields;
        }
        int64_t output = ir_op_attr(user, "index")->integer;

        fields[output] = is_named[output] ? NULL : &user->result;
        is_named[output] = true;
    }
    return fields;
}

struct ir_value *concat_plan_field(struct concat_plan *plan, const struct ir_op *call,
                                   unsigned output)
{
    struct ir_value **fields = map_get(&plan->fields, call);

    if (!fields) {
        fields = find_fields(plan, call);
        map_set(&plan->fields, call, fields);
    }
    return fields[output];
}

struct ir_op *concat_plan_maker(const struct ir_value *value, unsigned *out_output)
{
    struct ir_op *def = value->def;

    *out_output = 0;
    if (def && def->block && ir_op_is(def, IR_CORE_tuple_get)) {
        *out_output = (unsigned)ir_op_attr(def, "index")->integer;
        def = def->operands[0].value->def;
    }
    return def && def->block && ir_op_is(def, IR_CORE_call_tir) ? def : NULL;
}

/* Is @value all that its maker's result is read by, as far as that output goes? */
static bool is_only_name(struct concat_plan *plan, const struct ir_op *maker, unsigned output,
                         const struct ir_value *value)
{
    return value == &maker->result || concat_plan_field(plan, maker, output) == value;
}

static enum inplace_code judge_maker(struct concat_plan *plan, const struct join *join,
                                     const struct ir_value *value)
{
    struct kernel_call call;
    unsigned output;

    if (!value->def)
        return IP_BORROWED;
    if (ir_op_is(value->def, IR_CORE_constant))
        return IP_CONSTANT;
    const struct ir_op *maker = concat_plan_maker(value, &output);
    if (!maker || !is_only_name(plan, maker, output, value) ||
        value->type->kind != IR_TYPE_TENSOR || maker->block->region != join->op->block->region)
        return IP_MAKER;
    bool is_fine = kernel_call_read(plan->run->module, &plan->run->scratch, maker, &call) &&
                   output < call.output_count &&
                   concat_is_plain(plan, call.func, call.output_params[output]);
    kernel_call_finish(&call);
    return is_fine ? IP_PROVED : IP_MAKER;
}

/* ---- sizes ---- */

struct symbols {
    const struct ir_function *function;
    const struct ir_value *value;
    const struct ir_var *wanted;
};

static bool defines(const struct ir_type *type, const struct ir_var *var)
{
    for (int i = 0; type->dims && i < type->ndim; i++)
        if (type->dims[i]->kind == IR_EXPR_var && type->dims[i]->var == var)
            return true;
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        if (defines(type->fields[i], var))
            return true;
    return false;
}

bool concat_is_of_params(const struct ir_function *function, const struct ir_var *var)
{
    for (unsigned i = 0; i < function->param_count; i++)
        if (function->params[i]->var == var || defines(function->params[i]->type, var))
            return true;
    return false;
}

static bool is_other(void *state, const struct ir_expr *a)
{
    const struct symbols *symbols = state;

    return a->kind != IR_EXPR_var || a->var != symbols->wanted;
}

/* Has @a a value for certain where @value is made? */
static bool is_known_var(void *state, const struct ir_expr *a)
{
    struct symbols *symbols = state;

    if (a->kind != IR_EXPR_var)
        return true;
    if (concat_is_of_params(symbols->function, a->var))
        return true;
    symbols->wanted = a->var;
    return !ir_type_walk_exprs(symbols->value->type, is_other, symbols);
}

bool concat_knows_sizes(const struct ir_value *value, const struct home *home)
{
    struct symbols symbols = {.function = ir_op_function(value->def), .value = value};
    const struct ir_type *type = home->whole->type;

    for (int d = 0; d < type->ndim; d++)
        if (!ir_expr_walk(type->dims[d], is_known_var, &symbols) ||
            !ir_expr_walk(home->offsets[d], is_known_var, &symbols))
            return false;
    return true;
}

/* ---- all of it ---- */

static const struct tir_func *maker_kernel(const struct ir_value *value)
{
    unsigned output;

    return ir_op_callee(concat_plan_maker(value, &output))->kernel;
}

enum inplace_code concat_judge(struct concat_plan *plan, const struct join *join,
                               const struct access_piece *piece, const struct ir_value *value)
{
    enum inplace_code code = judge_maker(plan, join, value);

    if (code != IP_PROVED)
        return code;
    if (map_get(&plan->homes, value))
        return IP_HOMED;
    if (!concat_is_plain(plan, join->call.func, join->call.output_params[0]) ||
        !concat_is_all_of(join, piece))
        return IP_MAKER;
    if (!keeps_rows(join, piece) && accumulates(plan, maker_kernel(value)))
        return IP_ROWS;
    return judge_readers(plan, join, value);
}

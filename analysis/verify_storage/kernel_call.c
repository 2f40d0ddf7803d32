/*
 * Calls of kernels: call_tir, call_tir_inplace, and those for their effect, cls.f(x, y).
 *
 * All operands are read first.  Then the bytes of operands that the call names as results belong
 * to the results.  Another operand may lie there only if the kernel's own loads and stores show
 * that it is read before it is written.
 */
#include "analysis/verify_storage/near.h"

/* An operand that is no tuple. */
struct operand {
    const struct ir_value *value; /* for messages */
    const struct ir_type *type;
    const struct vs_value *known;
    unsigned node;
    unsigned param; /* of the kernel; VS_NONE: not known, or a scalar */
    bool is_target; /* a result is to lie there */
};

struct call {
    struct vs_replay *r;
    struct ir_op *op;
    struct vs_kernel *kernel;
    array(struct operand) operands;
    const struct ir_type *outputs; /* type of the result */
    const struct ir_attr *indices; /* NULL: all are fresh */
    bool is_resolved;              /* targets are written, and not copies of them */
    unsigned first_fresh;          /* parameter of the first fresh result; VS_NONE: not known */
    unsigned next;                 /* result */
};

enum { DEPTH_LIMIT = 256, OPERAND_LIMIT = 1 << 16 };

static void flatten(struct call *call, const struct ir_value *from, const struct ir_type *type,
                    struct vs_value *value, unsigned depth)
{
    if (type->kind == IR_TYPE_TUPLE && depth < DEPTH_LIMIT) {
        for (unsigned i = 0; i < type->field_count && call->operands.count < OPERAND_LIMIT; i++)
            flatten(call, from, type->fields[i], vs_field(call->r, value, i), depth + 1);
        return;
    }
    struct operand operand = {.value = from,
                              .type = type,
                              .known = value,
                              .node = vs_collapse(call->r, value),
                              .param = VS_NONE};

    array_push(&call->operands, operand);
}

/* The next parameter that is a buffer, from *@at on; VS_NONE: there is none. */
static unsigned next_buffer(const struct tir_func *func, unsigned *at)
{
    while (*at < func->param_count && !func->params[*at].buffer)
        ++*at;
    return *at < func->param_count ? (*at)++ : VS_NONE;
}

/* Tensors go to the buffers, in their order, and fresh results behind them. */
static void match(struct call *call, const struct tir_func *func)
{
    unsigned at = 0;

    for (size_t i = 0; i < call->operands.count; i++)
        if (vs_has_storage(call->operands.items[i].type))
            call->operands.items[i].param = next_buffer(func, &at);
    call->first_fresh = next_buffer(func, &at);
}

static int64_t index_of(const struct call *call, unsigned output)
{
    if (!call->indices || output >= call->indices->count)
        return -1;
    int64_t index = call->indices->items[output]->integer;

    return index < (int64_t)call->operands.count ? index : -1;
}

static const struct ir_type *output_type(const struct call *call, unsigned output)
{
    bool is_tuple = call->outputs->kind == IR_TYPE_TUPLE;

    return is_tuple ? call->outputs->fields[output] : call->outputs;
}

static unsigned output_count(const struct call *call)
{
    return call->outputs->kind == IR_TYPE_TUPLE ? call->outputs->field_count : 1;
}

/* ---- what may be written ---- */

static bool is_same_size(struct vs_replay *r, const struct ir_type *a, const struct ir_type *b)
{
    if (a == b)
        return true;
    const struct ir_expr *bytes = extent_bytes(r->m->context, a);
    const struct ir_expr *others = extent_bytes(r->m->context, b);

    return bytes && others && ir_dtype_equal(a->dtype, b->dtype) &&
           ir_prove_equal(r->m->context, bytes, others);
}

/* How far @a begins behind @b; false if that is no number. */
static bool distance(struct vs_replay *r, const struct extent *a, const struct extent *b,
                     int64_t *out)
{
    *out = 0;
    if (a->is_around || b->is_around)
        return false;
    if (extent_equal(a, b))
        return true;
    if (!a->low_expr && !b->low_expr)
        return !__builtin_sub_overflow(a->low, b->low, out);
    return ir_prove_equal(r->m->context, extent_low(r->m->context, a),
                          extent_low(r->m->context, b));
}

/* An operand that is read and one that is written, of which both may be in one storage. */
struct pair {
    struct call *call;
    const struct operand *read, *written;
};

/* The read one at @leaf and the written one wherever it may be on the same paths: `yes` or `no`. */
static unsigned is_pair_read_first(void *state, unsigned leaf, unsigned others)
{
    const struct pair *pair = state;
    struct vs_replay *r = pair->call->r;
    struct vs_spot a = *vs_spot_at(r, leaf);
    size_t count;
    const unsigned *leaves = diagram_leaves(&r->d, others, &count);

    for (size_t i = 0; i < count; i++) {
        const struct vs_spot *b = vs_spot_at(r, leaves[i]);
        int64_t bytes;

        if (a.root && a.root == b->root &&
            extent_relation(r->m->context, &a.extent, &b->extent) != EXTENT_APART &&
            !(distance(r, &a.extent, &b->extent, &bytes) &&
              vs_kernel_reads_first(r->m, pair->call->kernel, pair->read->param,
                                    pair->written->param, bytes)))
            return r->no;
    }
    return r->yes;
}

/* One tensor by two names, wherever it is. */
static bool is_one(const struct operand *a, const struct operand *b)
{
    return a->known == b->known && !a->known->fields && !a->known->is_some;
}

/* Does the kernel read @operand in time wherever it may be in the storage of @target? */
static bool is_read_first(struct call *call, const struct operand *operand,
                          const struct operand *target)
{
    struct vs_replay *r = call->r;
    struct pair pair = {call, operand, target};

    if (operand->param == VS_NONE || target->param == VS_NONE)
        return false;
    if (is_one(operand, target))
        return vs_kernel_reads_first(r->m, call->kernel, operand->param, target->param, 0);
    return diagram_apply(&r->d, diagram_new_op(&r->d), operand->node, target->node,
                         is_pair_read_first, &pair) == r->yes;
}

/* An operand that is written. */
struct target {
    struct call *call;
    size_t index;
};

/* Operand @index may lie where the target does. */
static void check_beside(void *state, size_t index)
{
    struct target *target = state;
    struct call *call = target->call;
    const struct operand *other = &call->operands.items[index];
    const struct operand *written = &call->operands.items[target->index];

    if (index == target->index || !vs_may_overlap(call->r, other->node, written->node))
        return;
    if (other->is_target)
        vs_refuse(call->r, VERIFY_STORAGE_WRITES_TWICE, written->value, NULL);
    else if (!is_read_first(call, other, written))
        vs_refuse(call->r, VERIFY_STORAGE_WRITES_OTHER, written->value, NULL);
}

static void check_targets(struct call *call)
{
    struct vs_near near = {0};

    for (size_t i = 0; i < call->operands.count; i++)
        vs_near_add(call->r, &near, i, call->operands.items[i].node);
    vs_near_sort(&near);
    for (size_t i = 0; i < call->operands.count; i++) {
        const struct operand *operand = &call->operands.items[i];
        struct target target = {call, i};

        if (operand->is_target && vs_check_writable(call->r, operand->node, operand->value, false))
            vs_near_each(call->r, &near, operand->node, check_beside, &target);
    }
    vs_near_finish(&near);
}

/* Marks what results take, as the call says. */
static void mark_targets(struct call *call)
{
    for (unsigned i = 0; i < output_count(call); i++) {
        int64_t index = index_of(call, i);

        if (index < 0)
            continue;
        struct operand *target = &call->operands.items[index];

        if (call->is_resolved && target->is_target)
            vs_refuse(call->r, VERIFY_STORAGE_WRITES_TWICE, target->value, NULL);
        if (call->is_resolved && !is_same_size(call->r, target->type, output_type(call, i)))
            vs_refuse(call->r, VERIFY_STORAGE_SIZE, &call->op->result, NULL);
        target->is_target = true;
    }
}

static void check_inputs(struct call *call)
{
    for (size_t i = 0; i < call->operands.count; i++) {
        const struct operand *operand = &call->operands.items[i];

        if (!operand->is_target && operand->param != VS_NONE &&
            vs_kernel_writes(call->kernel, operand->param))
            vs_refuse(call->r, VERIFY_STORAGE_WRITES_INPUT, operand->value, NULL);
    }
}

/* ---- results ---- */

static unsigned make_output(void *state, const struct ir_type *type)
{
    struct call *call = state;
    struct vs_replay *r = call->r;
    int64_t index = index_of(call, call->next++);

    if (index >= 0 && call->is_resolved)
        return vs_write(r, call->operands.items[index].node);
    bool is_given_away = false;

    if (index < 0 && call->first_fresh != VS_NONE)
        is_given_away = vs_kernel_keeps(call->kernel, call->first_fresh++);
    else if (index >= 0 && call->operands.items[index].param != VS_NONE)
        is_given_away = vs_kernel_keeps(call->kernel, call->operands.items[index].param);
    return vs_collapse(r, vs_fresh_value(r, type, is_given_away ? VS_OPAQUE : VS_OWN));
}

static void keep_what_leaves(struct call *call)
{
    for (size_t i = 0; i < call->operands.count; i++) {
        const struct operand *operand = &call->operands.items[i];

        if (operand->param != VS_NONE && vs_kernel_keeps(call->kernel, operand->param))
            vs_keep(call->r, operand->node);
    }
}

static void replay_results(struct call *call)
{
    bool is_inplace = ir_op_is(call->op, IR_CORE_call_tir_inplace);

    call->outputs = call->op->result.type;
    call->indices = is_inplace ? ir_op_attr(call->op, "inplace_indices") : NULL;
    call->is_resolved = is_inplace && call->r->m->mode == VERIFY_STORAGE_RESOLVED;
    mark_targets(call);
    check_inputs(call);
    if (call->is_resolved)
        check_targets(call);
    keep_what_leaves(call);
    vs_set(call->r, call->op, vs_value_of_type(&call->r->arena, call->outputs, make_output, call));
}

/* All names of the storage see what is written: no new tag. */
static void replay_effect(struct call *call)
{
    struct vs_replay *r = call->r;

    for (size_t i = 0; i < call->operands.count; i++) {
        const struct operand *operand = &call->operands.items[i];

        if (operand->param == VS_NONE || !vs_kernel_writes(call->kernel, operand->param))
            continue;
        vs_check_writable(r, operand->node, operand->value, true);
        size_t count = vs_roots_of(r, operand->node);
        for (size_t k = 0; k < count; k++)
            r->roots.items[r->scratch.items[k]].is_written =
                r->roots.items[r->scratch.items[k]].is_filled = true;
    }
    keep_what_leaves(call);
    vs_set(r, call->op, vs_fresh_value(r, call->op->result.type, VS_OWN));
}

static bool names_target(const struct ir_op *op, int64_t operand)
{
    const struct ir_attr *indices =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;

    for (unsigned k = 0; indices && k < indices->count; k++)
        if (indices->items[k]->integer == operand)
            return true;
    return false;
}

static void read_use(void *state, struct ir_use *use)
{
    struct call *call = state;
    struct ir_op *op = call->op;
    bool is_own = use->user == op && use->value->type->kind != IR_TYPE_TUPLE;
    unsigned node = vs_collapse(call->r, vs_value_of(call->r, use->value));

    if (is_own && names_target(op, use - op->operands))
        vs_read_target(call->r, node, use->value);
    else
        vs_read_value(call->r, use->value);
}

void vs_replay_kernel_call(struct vs_replay *r, struct ir_op *op, struct tir_func *kernel)
{
    struct call call = {.r = r, .op = op, .kernel = vs_kernel_of(r->m, kernel)};

    ir_op_walk_operands(op, read_use, &call);
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;

        flatten(&call, value, value->type, vs_value_of(r, value), 0);
    }
    match(&call, kernel);
    if (ir_op_is(op, IR_CORE_call))
        replay_effect(&call);
    else
        replay_results(&call);
    array_finish(&call.operands);
}

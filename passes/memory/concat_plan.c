/* Choosing homes; see concat_plan.h. */
#include "passes/memory/concat_plan.h"

#include "ir/arith.h"

/* ---- homes in homes ---- */

struct home concat_plan_all_of(struct concat_plan *plan, struct ir_value *value)
{
    unsigned ndim = (unsigned)value->type->ndim;
    int *dims = arena_array(&plan->run->scratch, int, ndim + 1);
    const struct ir_expr **offsets =
        arena_array(&plan->run->scratch, const struct ir_expr *, ndim + 1);

    for (unsigned d = 0; d < ndim; d++) {
        dims[d] = (int)d;
        offsets[d] = ir_expr_int(plan->run->module->context, IR_I64, 0);
    }
    return (struct home){value, value, dims, offsets};
}

/* A home within @outer, where that is in @outer's whole. */
static struct home compose(struct concat_plan *plan, const struct home *inner,
                           const struct home *outer)
{
    struct ir_context *context = plan->run->module->context;
    unsigned ndim = (unsigned)inner->value->type->ndim, middle = (unsigned)outer->value->type->ndim;
    unsigned whole = (unsigned)outer->whole->type->ndim;
    int *dims = arena_array(&plan->run->scratch, int, ndim + 1);
    const struct ir_expr **offsets =
        arena_array(&plan->run->scratch, const struct ir_expr *, whole + 1);

    for (unsigned i = 0; i < ndim; i++)
        dims[i] = inner->dims[i] < 0 ? -1 : outer->dims[inner->dims[i]];
    for (unsigned d = 0; d < whole; d++)
        offsets[d] = outer->offsets[d];
    for (unsigned d = 0; d < middle; d++)
        if (outer->dims[d] >= 0)
            offsets[outer->dims[d]] =
                ir_simplify(context, ir_expr_binary(context, IR_EXPR_add, offsets[outer->dims[d]],
                                                    inner->offsets[d]));
    return (struct home){inner->value, outer->whole, dims, offsets};
}

bool concat_plan_home(struct concat_plan *plan, struct ir_value *value, struct home *out)
{
    const struct home *home = map_get(&plan->homes, value);

    if (!home)
        return false;
    *out = *home;
    while ((home = map_get(&plan->homes, out->whole)) != NULL)
        *out = compose(plan, out, home);
    return true;
}

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

/*
 * Is each access to @buffer, a parameter of @func, at plain indices that are proved to be inside?
 * Where it is a part of something larger, an index outside would not be found when it runs.
 */
static bool is_plain(struct concat_plan *plan, const struct tir_func *func, unsigned param)
{
    const struct ir_buffer *buffer = func->params[param].buffer;

    if (map_has(&plan->plain, buffer))
        return map_get(&plan->plain, buffer) != NULL;
    const struct access_list *list = access_of(&plan->cache, func);
    const struct ir_expr **zeros =
        arena_array(&plan->run->scratch, const struct ir_expr *, buffer->ndim + 1);
    struct access_box box = {buffer->ndim, zeros, buffer->shape};
    bool is_fine = !buffer->strides && !buffer->elem_offset && !buffer->data_of;
    for (unsigned d = 0; d < buffer->ndim; d++)
        zeros[d] = ir_expr_int(func->module->context, IR_I64, 0);
    for (size_t i = 0; is_fine && i < list->count; i++)
        is_fine =
            is_harmless(&list->items[i]) && (list->items[i].param != (int)param ||
                                             is_plain_access(plan, list, &list->items[i], &box));
    map_set(&plan->plain, buffer, is_fine ? (void *)(uintptr_t)buffer : NULL);
    return is_fine;
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

/* Does @op add up its result in place?  Then it visits each element often, by rows. */
static bool accumulates(struct concat_plan *plan, const struct ir_op *op)
{
    const struct tir_func *func = ir_op_callee(op)->kernel;
    const struct access_list *list = access_of(&plan->cache, func);

    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == ACCESS_READ && list->items[i].param >= 0 &&
            map_has(&list->written, list->items[i].root))
            return true;
    return false;
}

/* The only piece of @join that is copied from parameter @source? */
static bool is_only(const struct join *join, const struct access_piece *piece)
{
    for (unsigned i = 0; i < join->pieces.count; i++)
        if (&join->pieces.items[i] != piece && join->pieces.items[i].source == piece->source)
            return false;
    return true;
}

/* Does @op read operand @i, and can it be told to read that elsewhere? */
static bool can_read_elsewhere(struct concat_plan *plan, struct ir_op *op, unsigned operand)
{
    struct kernel_call call;
    bool is_fine = kernel_call_read(plan->run->module, &plan->run->scratch, op, &call) &&
                   call.operand_params[operand] != (unsigned)KERNEL_CALL_SCALAR;

    for (unsigned i = 0; is_fine && i < call.output_count; i++)
        is_fine = call.inplace[i] != (int)operand;
    is_fine = is_fine && is_plain(plan, call.func, call.operand_params[operand]);
    kernel_call_finish(&call);
    return is_fine;
}

static bool is_updated(const struct ir_value *value)
{
    ir_for_each_use (use, value)
        if (ir_op_is(use->user, IR_CORE_call_tir_inplace))
            return true;
    return false;
}

static enum inplace_code judge_readers(struct concat_plan *plan, const struct join *join,
                                       struct ir_value *value)
{
    unsigned others = 0;

    ir_for_each_use (use, value) {
        struct ir_op *root = ir_use_root(use);

        if (ir_op_is(use->user, IR_CORE_output))
            continue;
        if (ir_op_is(root, IR_CORE_return) || ir_op_is(root, IR_CORE_yield))
            return IP_ESCAPES;
        if (root != use->user || ir_op_function(root) != ir_op_function(join->op) ||
            !can_read_elsewhere(plan, root, (unsigned)(use - root->operands)))
            return IP_READER;
        others += root != join->op;
    }
    /* an update of the result would have to keep the old elements for them */
    return others > 0 && is_updated(&join->op->result) ? IP_READER : IP_PROVED;
}

static enum inplace_code judge_maker(struct concat_plan *plan, const struct join *join,
                                     const struct ir_value *value)
{
    const struct ir_op *def = value->def;
    struct kernel_call call;

    if (!def)
        return IP_BORROWED;
    if (ir_op_is(def, IR_CORE_constant))
        return IP_CONSTANT;
    if (!ir_op_is(def, IR_CORE_call_tir) || !def->block || value->type->kind != IR_TYPE_TENSOR ||
        def->block->region != join->op->block->region)
        return IP_MAKER;
    bool is_fine = kernel_call_read(plan->run->module, &plan->run->scratch, def, &call) &&
                   is_plain(plan, call.func, call.output_params[0]);
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
    for (unsigned i = 0; i < symbols->function->param_count; i++)
        if (symbols->function->params[i]->var == a->var ||
            defines(symbols->function->params[i]->type, a->var))
            return true;
    symbols->wanted = a->var;
    return !ir_type_walk_exprs(symbols->value->type, is_other, symbols);
}

static bool knows_sizes(const struct ir_value *value, const struct home *home)
{
    struct symbols symbols = {.function = ir_op_function(value->def), .value = value};
    const struct ir_type *type = home->whole->type;

    for (int d = 0; d < type->ndim; d++)
        if (!ir_expr_walk(type->dims[d], is_known_var, &symbols) ||
            !ir_expr_walk(home->offsets[d], is_known_var, &symbols))
            return false;
    return true;
}

/* ---- homes ---- */

static struct home *home_of(struct concat_plan *plan, const struct join *join,
                            const struct access_piece *piece, struct ir_value *value)
{
    struct ir_context *context = plan->run->module->context;
    unsigned ndim = (unsigned)value->type->ndim;
    int *dims = arena_array(&plan->run->scratch, int, ndim + 1);
    const struct ir_expr **offsets =
        arena_array(&plan->run->scratch, const struct ir_expr *, piece->box.ndim + 1);
    struct home *home = arena_new(&plan->run->scratch, struct home);

    for (unsigned i = 0; i < ndim; i++)
        dims[i] = piece->axes[i].from;
    for (unsigned d = 0; d < piece->box.ndim; d++)
        offsets[d] = ir_simplify(
            context, ir_expr_substitute(context, piece->box.min[d], &join->call.symbols));
    *home = (struct home){value, &join->op->result, dims, offsets};
    return home;
}

/* What stands against the home that @piece would be; IP_PROVED: nothing, and it has it now. */
static enum inplace_code settle(struct concat_plan *plan, struct join *join,
                                const struct access_piece *piece, struct ir_value *value)
{
    struct home whole;
    enum inplace_code code = judge_maker(plan, join, value);

    if (code != IP_PROVED)
        return code;
    if (map_get(&plan->homes, value))
        return IP_HOMED;
    if (!join->is_known || !is_only(join, piece) || !is_whole(join, piece))
        return IP_MAKER;
    if (!keeps_rows(join, piece) && accumulates(plan, value->def))
        return IP_ROWS;
    code = judge_readers(plan, join, value);
    if (code != IP_PROVED)
        return code;
    struct home *home = home_of(plan, join, piece, value);
    map_set(&plan->homes, value, home);
    if (concat_plan_home(plan, value, &whole) && knows_sizes(value, &whole))
        return IP_PROVED;
    map_set(&plan->homes, value, NULL);
    return IP_UNSIZED;
}

static unsigned operand_of(const struct join *join, const struct access_piece *piece)
{
    unsigned i = 0;

    while (join->call.operand_params[i] != (unsigned)piece->source)
        i++;
    return i;
}

/* Is the piece all that its store does, so that the store goes with it? */
static bool is_own_store(const struct access_piece *piece)
{
    return piece->write->stmt->store.value == piece->load;
}

static void settle_join(struct concat_plan *plan, struct join *join)
{
    struct inplace_decisions *decisions = plan->run->decisions;

    for (unsigned i = 0; i < join->pieces.count; i++) {
        const struct access_piece *piece = &join->pieces.items[i];

        if (piece->source < 0 || !is_own_store(piece))
            continue;
        unsigned operand = operand_of(join, piece);
        enum inplace_code code = settle(plan, join, piece, join->op->operands[operand].value);
        if (code == IP_PROVED) {
            join->home_count++;
            map_set(&join->dropped, piece->write->stmt, join);
        }
        if (!decisions)
            continue;
        array_push(decisions, inplace_decision_new(plan->run->module->context, join->op, operand, 0,
                                                   code, decisions->is_question));
        if (code == IP_PROVED)
            array_last(decisions).verdict = INPLACE_ELIDED;
    }
}

/* ---- joins ---- */

/* The pieces of the last parameter, which is the output of calls with one; NULL if it is no join. */
static const struct access_pieces *pieces_of(struct concat_plan *plan, const struct tir_func *func,
                                             unsigned param)
{
    if (!map_has(&plan->pieces, func)) {
        struct access_pieces *pieces = arena_new(&plan->run->scratch, struct access_pieces);
        unsigned copies = 0;

        *pieces = (struct access_pieces){0};
        (void)access_pieces_of(&plan->cache, func, param, pieces);
        for (unsigned i = 0; i < pieces->count; i++)
            copies += pieces->items[i].source >= 0;
        map_set(&plan->pieces, func,
                copies > 0 && pieces->count > 1 && pieces->is_disjoint ? pieces : NULL);
    }
    return map_get(&plan->pieces, func);
}

static bool add_join(void *state, struct ir_op *op)
{
    struct concat_plan *plan = state;
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call_tir) ? ir_op_callee(op) : NULL;
    struct join join = {.op = op};

    if (!callee || callee->kind != IR_GLOBAL_KERNEL || op->result.type->kind != IR_TYPE_TENSOR ||
        tir_func_buffer_count(callee->kernel) < 2)
        return true;
    if (!kernel_call_read(plan->run->module, &plan->run->scratch, op, &join.call)) {
        kernel_call_finish(&join.call);
        return true;
    }
    const struct access_pieces *pieces =
        pieces_of(plan, callee->kernel, join.call.output_params[0]);
    if (!pieces) {
        kernel_call_finish(&join.call);
        return true;
    }
    join.pieces = *pieces;
    join.is_known = is_plain(plan, join.call.func, join.call.output_params[0]);
    struct join *kept = arena_new(&plan->run->scratch, struct join);
    *kept = join;
    array_push(&plan->all, kept);
    map_set(&plan->joins, op, kept);
    return true;
}

void concat_plan_find(struct concat_plan *plan, struct ir_function *function)
{
    size_t first = plan->all.count;

    ir_region_walk(function->body, add_join, plan);
    /* The last first: it is the largest of those that have a value in common. */
    for (size_t i = plan->all.count; i-- > first;)
        settle_join(plan, plan->all.items[i]);
}

void concat_plan_finish(struct concat_plan *plan)
{
    for (size_t i = 0; i < plan->all.count; i++) {
        kernel_call_finish(&plan->all.items[i]->call);
        map_finish(&plan->all.items[i]->dropped);
    }
    array_finish(&plan->all);
    map_finish(&plan->pieces);
    map_finish(&plan->plain);
    map_finish(&plan->joins);
    map_finish(&plan->homes);
    access_cache_finish(&plan->cache);
}

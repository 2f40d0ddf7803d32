/*
 * Loops of which only the run knows how often they go round: a function inside the function, which calls itself as
 * the last thing that it does:
 *
 *     def turns(i, go, state, rows):
 *         if i < limit:
 *             if go:  ...the body...; r = turns(i + 1, go', state', rows')
 *             else:   r = (state, rows)
 *         ...
 *         return r
 *
 * What the turns stack is in `rows`, one row more each turn.  A state has the type of what it starts with; if a turn
 * makes another shape of it, only its rank is said, and each turn measures it.
 */
#include "frontend/onnx/loop.h"

enum { OPEN_TRIES = 32 }; /* each finds at least one state that changes its shape */

static struct onnx_value **room(struct onnx_import *m, size_t count)
{
    return arena_array(m->arena, struct onnx_value *, count + 1);
}

/* What the function gives when it goes round no more: its states and rows as they are. */
static struct ir_value *ended(struct loop *l)
{
    struct onnx_import *m = l->n->m;
    struct ir_value **items = arena_array(m->arena, struct ir_value *, l->states + l->scans + 1);

    onnx_open_block(m, false);
    for (unsigned i = 0; i < l->states; i++)
        items[i] = make_operand(&m->b, l->held[i]->tensor);
    for (unsigned i = 0; i < l->scans; i++)
        items[l->states + i] = make_operand(&m->b, l->rows[i]);
    struct ir_op *op =
        ir_build(&m->b, ir_core_op(m->context, IR_CORE_tuple), items, l->states + l->scans, NULL);
    return op ? &op->result : NULL;
}

static bool belongs_to_turn(void *state, const struct ir_expr *e)
{
    return e->kind != IR_EXPR_var || !map_has(state, e->var);
}

/* The type of a state that is @now and becomes @next: the rank alone where its shape changes; NULL after a report. */
static const struct ir_type *settled(struct loop *l, const struct ir_type *now,
                                     const struct ir_type *next)
{
    struct onnx_import *m = l->n->m;

    if (!ir_dtype_equal(now->dtype, next->dtype) || now->ndim != next->ndim) {
        onnx_refuse(l->n, "a state has another type or rank when a turn ends");
        return NULL;
    }
    for (int i = 0; now->dims && i < now->ndim; i++)
        if (!next->dims || !ir_prove_equal(m->context, now->dims[i], next->dims[i]))
            return ir_type_tensor(m->context, now->dtype, NULL, now->ndim);
    return now;
}

/* @rows with @row behind (or before) them. */
static struct ir_value *stacked(struct loop *l, unsigned i, struct ir_value *row, int64_t axis)
{
    struct onnx_import *m = l->n->m;
    const struct ir_expr *dims[IR_RANK_LIMIT];
    int rank = onnx_rank(row);

    for (int k = 0; k < rank; k++) {
        dims[k] = k == axis ? onnx_symbol(m, NULL) : onnx_dims(row)[k];
        if (k != axis && !ir_expr_walk(dims[k], belongs_to_turn, l->inner)) {
            onnx_refuse(l->n, "what it stacks may have another shape in each turn");
            return NULL;
        }
    }
    const struct ir_type *before = ir_type_tensor(m->context, row->type->dtype, dims, rank);
    if (!l->row_types[i])
        l->is_changed = true;
    dims[axis] = onnx_expr(m, 0);
    l->row_types[i] = ir_type_tensor(m->context, row->type->dtype, dims, rank);
    if (l->is_changed)
        return row;
    struct ir_value *operand = make_operand(&m->b, l->rows[i]);
    struct ir_op *cast = ir_build_declared(&m->b, ir_core_op(m->context, IR_CORE_match_cast),
                                           &operand, 1, NULL, before);
    if (!cast)
        return NULL;
    struct ir_value *both[] = {loop_is_back(l, i) ? row : &cast->result,
                               loop_is_back(l, i) ? &cast->result : row};
    return onnx_concat(m, both, 2, axis);
}

/* A turn, and the call for the next one. */
static struct ir_value *turned(struct loop *l)
{
    struct onnx_import *m = l->n->m;
    unsigned count = 0, first = l->is_scan ? 0 : 1;
    struct onnx_value **out = room(m, l->body->n_output);
    struct ir_value **operands = arena_array(m->arena, struct ir_value *, l->states + l->scans + 4);

    onnx_open_block(m, true);
    if (!loop_body(l, l->held, l->turn, out))
        return NULL;
    operands[count++] = l->maker;
    operands[count++] =
        ir_inline_prim(m->module, onnx_op(m, IR_EXPR_add, l->turn, onnx_expr(m, 1)));
    bool before, behind;
    if (l->now && onnx_known_truth(m, l->go, &before) && onnx_known_truth(m, out[0], &behind) &&
        before && behind) { /* it is always true */
        l->go = NULL;
        l->is_changed = true;
        return ended(l);
    }
    if (l->now) {
        struct ir_value *go = onnx_value_tensor(m, out[0]);
        operands[count++] = go && onnx_rank(go) ? onnx_reshape(m, go, NULL, 0) : go;
    }
    for (unsigned i = 0; i < l->states; i++) {
        struct ir_value *next =
            out[first + i]->is_sequence ? NULL : onnx_value_tensor(m, out[first + i]);
        const struct ir_type *type = next ? settled(l, l->types[i], next->type) : NULL;
        if (!type)
            return NULL;
        l->is_changed |= type != l->types[i];
        l->types[i] = type;
        operands[count++] = next;
    }
    for (unsigned i = 0; i < l->scans; i++) {
        int64_t axis;
        struct ir_value *row = loop_row(l, out, i, &axis);
        if (!row || !(operands[count++] = stacked(l, i, row, axis)))
            return NULL;
    }
    if (l->is_changed)
        return ended(l); /* all that was made goes, see make_function() */
    onnx_open_block(m, false);
    for (unsigned i = 1; i < count; i++)
        if (!operands[i] || !(operands[i] = make_operand(&m->b, operands[i])))
            return NULL;
    struct ir_op *call =
        ir_build(&m->b, ir_core_op(m->context, IR_CORE_call_closure), operands, count, NULL);
    return call ? &call->result : NULL;
}

/* A turn if it is wanted, by the limit (level 0) and the condition (level 1). */
static struct ir_value *guarded(struct loop *l, unsigned level)
{
    struct onnx_import *m = l->n->m;
    struct ir_builder b = m->b;
    struct ir_region *region = m->region;
    struct ir_value *condition;

    if (level == 0 && !l->limit)
        return guarded(l, 1);
    if (level == 2 || (level == 1 && !l->now))
        return turned(l);
    onnx_open_block(m, false);
    condition =
        level == 1
            ? make_operand(&m->b, l->now)
            : ir_inline_prim(m->module, ir_expr_binary(m->context, IR_EXPR_lt, l->turn, l->limit));
    struct ir_op *op = ir_op_new(m->module, ir_core_op(m->context, IR_CORE_if), &condition, 1);
    op->loc = op->result.loc = m->b.loc;
    ir_op_append(m->b.block, op);
    op->regions = arena_array(&m->module->arena, struct ir_region *, 2);
    op->region_count = 2;
    b = m->b;
    for (unsigned i = 0; i < 2; i++) {
        m->region = op->regions[i] = ir_region_new(m->module, m->function, op);
        struct ir_value *value = i == 0 ? guarded(l, level + 1) : ended(l);
        if (!value || !ir_build(&m->b, ir_core_op(m->context, IR_CORE_yield), &value, 1, NULL))
            return NULL;
    }
    m->region = region;
    m->b = b;
    return ir_op_infer(m->module, m->diag, op) ? &op->result : NULL;
}

static struct ir_value *add_param(struct loop *l, const char *name, const struct ir_type *type)
{
    struct ir_value *param = ir_function_add_param(l->function, onnx_name(l->n->m, name), type);

    param->loc = l->n->m->b.loc;
    param->is_annotated = true;
    return param;
}

static void add_params(struct loop *l)
{
    struct onnx_import *m = l->n->m;
    struct ir_value *turn = add_param(l, "turn", ir_type_prim(m->context, IR_I64));

    turn->var = ir_symbol_new(m->context, turn->name, IR_I64);
    l->turn = ir_expr_var(m->context, turn->var);
    map_set(l->inner, turn->var, turn);
    l->now = l->go ? add_param(l, "go", ir_type_tensor(m->context, IR_B1, NULL, 0)) : NULL;
    for (unsigned i = 0; i < l->states; i++) {
        l->held[i] = arena_new(m->arena, struct onnx_value);
        l->held[i]->tensor = add_param(l, "state", l->types[i]);
        l->held[i]->dtype = l->types[i]->dtype;
        l->held[i]->stored = l->start[i]->stored;
    }
    for (unsigned i = 0; i < l->scans; i++)
        l->rows[i] = add_param(l, "rows",
                               l->row_types[i] ? ir_type_tensor(m->context, l->row_types[i]->dtype,
                                                                NULL, l->row_types[i]->ndim)
                                               : ir_type_any(m->context));
}

/* The type of what the function gives. */
static const struct ir_type *result_type(struct loop *l)
{
    struct onnx_import *m = l->n->m;
    const struct ir_type **fields =
        arena_array(m->arena, const struct ir_type *, l->states + l->scans + 1);

    for (unsigned i = 0; i < l->states; i++)
        fields[i] = l->types[i];
    for (unsigned i = 0; i < l->scans; i++)
        fields[l->states + i] = l->rows[i]->type;
    return ir_type_tuple(m->context, fields, l->states + l->scans);
}

/* All that stands in @function, whose inner functions call themselves: those first. */
static void empty(struct ir_function *function);

static bool empty_inner(void *state, struct ir_op *op)
{
    (void)state;
    if (ir_op_is(op, IR_CORE_function))
        empty(ir_op_attr(op, "function")->function);
    return true;
}

static void empty(struct ir_function *function)
{
    ir_region_walk(function->body, empty_inner, NULL);
    while (function->body->last)
        ir_block_erase(function->body->last);
}

/* The function of the turns, in a block before which all that it captures is; false after a report. */
static bool make_function(struct loop *l)
{
    struct onnx_import *m = l->n->m;
    struct ir_function *outer = m->function;
    struct ir_region *region = m->region;
    struct map inner = {0};

    l->is_changed = false;
    l->inner = &inner;
    l->function = ir_function_new(m->module, onnx_name(m, "turns"));
    l->function->parent = outer;
    l->function->loc = m->b.loc;
    l->function->is_pure = l->function->is_private = true;
    add_params(l);
    l->function->result = result_type(l);
    l->function->is_result_annotated = true;
    const struct ir_attr *attrs[] = {ir_attr_function(m->context, l->function)};
    onnx_open_block(m, false);
    struct ir_builder b = m->b;
    struct ir_op *maker = ir_build(&m->b, ir_core_op(m->context, IR_CORE_function), NULL, 0, attrs);
    if (!maker)
        return false;
    l->maker = &maker->result;
    l->maker->name = l->function->name;
    l->maker->type = ir_function_type(l->function);
    m->function = l->function;
    m->region = l->function->body = ir_region_new(m->module, l->function, NULL);
    struct onnx_undo *mark = m->undo;
    struct map *around = m->inner_symbols;
    m->inner_symbols = &inner;
    m->branch_depth++;
    struct ir_value *result = guarded(l, 0);
    if (result)
        onnx_open_block(m, false);
    bool is_good =
        result && ir_build(&m->b, ir_core_op(m->context, IR_CORE_return), &result, 1, NULL);
    onnx_value_restore(m, mark);
    m->branch_depth--;
    m->inner_symbols = around;
    m->function = outer;
    m->region = region;
    m->b = b;
    map_finish(&inner);
    if (is_good && l->is_changed)
        empty(l->function);
    if (is_good && l->is_changed)
        ir_op_erase(maker);
    return is_good;
}

/* Zero rows of each kind that is stacked. */
static struct ir_value *no_rows(struct loop *l, unsigned i)
{
    struct onnx_import *m = l->n->m;
    const struct ir_type *type = l->row_types[i];

    return onnx_broadcast(m, onnx_scalar(m, type->dtype, 0), type->dims, (unsigned)type->ndim);
}

static bool call_function(struct loop *l)
{
    struct onnx_node *n = l->n;
    struct onnx_import *m = n->m;
    struct ir_value **operands = arena_array(m->arena, struct ir_value *, l->states + l->scans + 4);
    unsigned count = 0;

    onnx_open_block(m, true);
    operands[count++] = l->maker;
    operands[count++] = ir_inline_prim(m->module, onnx_expr(m, 0));
    if (l->go) {
        struct ir_value *go = onnx_value_tensor(m, l->go);
        operands[count++] = go && onnx_rank(go) ? onnx_reshape(m, go, NULL, 0) : go;
    }
    for (unsigned i = 0; i < l->states; i++)
        operands[count++] = onnx_value_tensor(m, l->start[i]);
    for (unsigned i = 0; i < l->scans; i++)
        operands[count++] = no_rows(l, i);
    onnx_open_block(m, false);
    for (unsigned i = 1; i < count; i++)
        if (!operands[i] || !(operands[i] = make_operand(&m->b, operands[i])))
            return false;
    struct ir_op *call =
        ir_build(&m->b, ir_core_op(m->context, IR_CORE_call_closure), operands, count, NULL);
    onnx_open_block(m, true);
    for (unsigned i = 0; call && i < l->states + l->scans && i < n->output_count; i++) {
        if (i < l->states)
            n->outputs[i].stored = l->start[i]->stored;
        if (!onnx_out(n, i, make_get(&m->b, &call->result, i)))
            return false;
    }
    return call != NULL;
}

/* The loop as a function: made again until its types are right. */
bool loop_go_round(struct loop *l)
{
    struct onnx_import *m = l->n->m;

    l->types = arena_array(m->arena, const struct ir_type *, l->states + 1);
    l->row_types = arena_array(m->arena, const struct ir_type *, l->scans + 1);
    l->held = room(m, l->states);
    l->rows = arena_array(m->arena, struct ir_value *, l->scans + 1);
    for (unsigned i = 0; i < l->states; i++) {
        if (!l->start[i] || l->start[i]->is_sequence) {
            onnx_refuse(
                l->n, "how often it goes round is not known, and a state is a sequence or missing");
            return false;
        }
        struct ir_value *tensor = onnx_measured(m, onnx_value_tensor(m, l->start[i]), NULL);
        if (!tensor || !tensor->type->dims)
            return false;
        onnx_value_touch(m, l->start[i]);
        l->start[i]->tensor = tensor;
        l->types[i] = tensor->type;
    }
    for (unsigned tries = 0; tries < OPEN_TRIES; tries++) {
        if (!make_function(l))
            return false;
        if (!l->is_changed)
            return call_function(l);
    }
    onnx_refuse(l->n, "the shapes of its states do not settle");
    return false;
}

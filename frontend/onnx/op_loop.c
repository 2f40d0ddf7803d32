/*
 * Loop and Scan.  Where it is known how often they go round, and that is not too often, their turns are written out;
 * else they are a function that calls itself, see loop_turns.c.
 */
#include "frontend/onnx/families.h"
#include "frontend/onnx/loop.h"

#include <string.h>

enum { TRIED_TURNS = 256 }; /* of a loop that cannot be written out as a whole */

static struct onnx_value **room(struct onnx_import *m, size_t count)
{
    return arena_array(m->arena, struct onnx_value *, count + 1);
}

static const Onnx__Graph *body_of(struct onnx_node *n)
{
    const Onnx__Attribute *attribute = onnx_attribute(n, "body");

    if (attribute && attribute->g)
        return attribute->g;
    onnx_refuse(n, "it has no graph `body`");
    return NULL;
}

/* Number @i of a list of attributes, each 0 if it is missing. */
static int64_t listed(const struct onnx_node *n, const char *name, size_t i)
{
    size_t count;
    const int64_t *items = onnx_ints(n, name, &count);

    return items && i < count ? items[i] : 0;
}

struct onnx_value *onnx_followed(struct onnx_import *m, struct ir_dtype dtype,
                                 const struct ir_expr *e)
{
    struct onnx_value *value = arena_new(m->arena, struct onnx_value);
    const struct ir_expr **element = arena_array(m->arena, const struct ir_expr *, 1);

    element[0] = e;
    onnx_value_set_elements(m, value, dtype, 0, NULL, element, 1);
    return value;
}

/* ---- one turn ---- */

/* Slice @turn of a scanned input. */
static struct onnx_value *scanned(struct loop *l, unsigned i, const struct ir_expr *turn)
{
    struct onnx_node *n = l->n;
    struct onnx_import *m = n->m;
    struct onnx_value *value = arena_new(m->arena, struct onnx_value);
    unsigned input = l->states + i;
    struct ir_value *x = onnx_in(n, input);
    const struct ir_expr *one = onnx_expr(m, 1);
    int64_t axis;

    if (!x || !onnx_axis(n, listed(n, "scan_input_axes", i), onnx_rank(x), &axis))
        return NULL;
    if (listed(n, "scan_input_directions", i))
        turn = onnx_op(m, IR_EXPR_sub, onnx_op(m, IR_EXPR_sub, l->limit, one), turn);
    struct make_attr attr = {"axis", onnx_attr_int(m, axis)};
    value->tensor =
        MAKE_WITH(&m->b, OP_take, attr, x, onnx_value_tensor(m, onnx_followed(m, IR_I64, turn)));
    value->dtype = x->type->dtype;
    value->stored = n->inputs[input]->stored;
    return value->tensor ? value : NULL;
}

/* The body with @states in turn @turn: its outputs go to @out. */
bool loop_body(struct loop *l, struct onnx_value *const *states, const struct ir_expr *turn,
               struct onnx_value **out)
{
    struct onnx_import *m = l->n->m;
    struct onnx_value **inputs = room(m, 2 + l->states + l->sliced);
    unsigned count = 0;

    m->node_count += l->body->n_node + 1;
    if (m->node_count > ONNX_LOOP_LIMIT) {
        onnx_refuse(l->n, "it and the loops in it come to more than %d nodes", ONNX_LOOP_LIMIT);
        return false;
    }
    if (!l->is_scan) {
        inputs[count++] = onnx_followed(m, IR_I64, turn);
        inputs[count++] = onnx_followed(m, IR_B1, onnx_expr(m, 1));
    }
    for (unsigned i = 0; i < l->states; i++)
        inputs[count++] = states[i];
    for (unsigned i = 0; i < l->sliced; i++)
        if (!(inputs[count++] = scanned(l, i, turn)))
            return false;
    return onnx_run_graph(l->n, l->body, inputs, count, out);
}

/* Output @i that is stacked, with an axis of 1 where it is stacked. */
struct ir_value *loop_row(struct loop *l, struct onnx_value *const *out, unsigned i,
                          int64_t *out_axis)
{
    struct onnx_node *n = l->n;
    struct onnx_value *value = out[(l->is_scan ? 0 : 1) + l->states + i];

    if (value->is_sequence) {
        onnx_refuse(n, "it stacks sequences");
        return NULL;
    }
    struct ir_value *tensor = onnx_measured(n->m, onnx_value_tensor(n->m, value), NULL);
    int64_t axis = l->is_scan ? listed(n, "scan_output_axes", i) : 0;

    if (!tensor || !tensor->type->dims || !onnx_axis(n, axis, onnx_rank(tensor) + 1, out_axis))
        return NULL;
    if (l->states + i < n->output_count)
        n->outputs[l->states + i].stored = value->stored;
    return onnx_expand_dims(n->m, tensor, out_axis, 1);
}

bool loop_is_back(struct loop *l, unsigned i)
{
    return l->is_scan && listed(l->n, "scan_output_directions", i);
}

/* ---- written out ---- */

/* Is @value known, and what? */
bool onnx_known_truth(struct onnx_import *m, struct onnx_value *value, bool *out)
{
    if (!onnx_value_is_known(m, value) || value->count != 1 ||
        value->elements[0]->kind != IR_EXPR_int)
        return false;
    *out = value->elements[0]->int_value != 0;
    return true;
}

static bool put_rows(struct loop *l, unsigned i, struct ir_value *const *items, unsigned count,
                     int64_t axis)
{
    struct onnx_node *n = l->n;
    unsigned output = l->states + i;

    if (!onnx_wants(n, output))
        return true;
    if (count == 0) {
        onnx_refuse(n, "it goes round no time, so what `%s` holds has no shape",
                    n->proto->output[output]);
        return false;
    }
    struct ir_value **ordered = arena_array(n->m->arena, struct ir_value *, count);
    for (unsigned k = 0; k < count; k++)
        ordered[loop_is_back(l, i) ? count - 1 - k : k] = items[k];
    return onnx_out(n, output, onnx_concat(n->m, ordered, count, axis));
}

enum unrolled { UNROLLED, UNROLL_FAILED, UNROLL_OPEN };

/* UNROLL_OPEN: what is computed says how often it goes round, or it is too often. */
static enum unrolled write_out(struct loop *l, int64_t turns)
{
    struct onnx_node *n = l->n;
    struct onnx_import *m = n->m;
    struct onnx_value **states = room(m, l->states), **out = room(m, l->body->n_output);
    array(struct ir_value *) *stacks =
        (void *)arena_array(m->arena, char, (l->scans + 1) * sizeof(*stacks));
    int64_t axes[IR_RANK_LIMIT] = {0},
            *axis = l->scans > IR_RANK_LIMIT ? arena_array(m->arena, int64_t, l->scans) : axes;
    bool goes_on = true;
    int64_t turns_left = INT64_MAX;
    enum unrolled result = UNROLLED;

    memcpy(states, l->start, l->states * sizeof(*states));
    if (l->go && !onnx_known_truth(m, l->go, &goes_on))
        return UNROLL_OPEN;
    if (turns > ONNX_UNROLL_LIMIT / ((int64_t)l->body->n_node + 1))
        turns_left = TRIED_TURNS; /* a condition may end it */
    for (int64_t turn = 0; goes_on && turn < turns && result == UNROLLED; turn++) {
        if (turns_left-- == 0 || m->node_count + l->body->n_node > ONNX_UNROLL_LIMIT)
            result = UNROLL_OPEN;
        else if (!loop_body(l, states, onnx_expr(m, turn), out))
            result = UNROLL_FAILED;
        else if (!l->is_scan && !onnx_known_truth(m, out[0], &goes_on))
            result = UNROLL_OPEN;
        for (unsigned i = 0; i < l->states && result == UNROLLED; i++)
            states[i] = out[(l->is_scan ? 0 : 1) + i];
        for (unsigned i = 0; i < l->scans && result == UNROLLED; i++) {
            struct ir_value *row = loop_row(l, out, i, &axis[i]);
            result = row ? UNROLLED : UNROLL_FAILED;
            array_push(&stacks[i], row);
        }
    }
    for (unsigned i = 0; i < l->states && i < n->output_count && result == UNROLLED; i++)
        if (states[i])
            n->outputs[i] = *states[i];
    for (unsigned i = 0; i < l->scans; i++) {
        if (result == UNROLLED && l->states + i < n->output_count &&
            !put_rows(l, i, stacks[i].items, (unsigned)stacks[i].count, axis[i]))
            result = UNROLL_FAILED;
        array_finish(&stacks[i]);
    }
    return result;
}

/* ---- the operators ---- */

bool onnx_loop(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct loop l = {.n = n, .body = body_of(n)};
    double turns = ONNX_UNROLL_LIMIT;
    size_t count;

    if (!l.body)
        return false;
    l.states = n->input_count > 2 ? n->input_count - 2 : 0;
    l.start = n->inputs + 2;
    if (l.body->n_input < l.states + 2 || l.body->n_output < l.states + 1 ||
        n->output_count > l.body->n_output - 1) {
        onnx_refuse(n, "its body has other inputs or outputs than the node");
        return false;
    }
    l.scans = (unsigned)l.body->n_output - 1 - l.states;
    bool is_open = false;
    if (onnx_has(n, 0)) {
        const struct ir_expr *const *limit = onnx_in_ints(n, 0, &count);
        if (!limit || count != 1)
            return false;
        l.limit = limit[0];
        is_open = limit[0]->kind != IR_EXPR_int;
        turns = is_open ? turns : (double)limit[0]->int_value;
    }
    l.go = onnx_has(n, 1) ? n->inputs[1] : NULL;
    enum unrolled done =
        is_open ? UNROLL_OPEN : write_out(&l, turns < 1e18 ? (int64_t)turns : INT64_MAX);
    if (done != UNROLL_OPEN)
        return done == UNROLLED;
    /* the body gives a condition in any case; where none is given, the first turn has none */
    if (!l.go)
        l.go = onnx_followed(m, IR_B1, onnx_expr(m, 1));
    return loop_go_round(&l);
}

bool onnx_scan(struct onnx_node *n)
{
    struct loop l = {.n = n, .body = body_of(n), .is_scan = true};
    int64_t sliced = onnx_int(n, "num_scan_inputs", 0), steps, axis;

    if (!l.body || sliced < 1 || sliced > (int64_t)n->input_count)
        return false;
    l.sliced = (unsigned)sliced;
    l.states = n->input_count - l.sliced;
    l.start = n->inputs;
    if (l.body->n_input < n->input_count || l.body->n_output < l.states ||
        n->output_count > l.body->n_output) {
        onnx_refuse(n, "its body has other inputs or outputs than the node");
        return false;
    }
    l.scans = (unsigned)l.body->n_output - l.states;
    struct ir_value *first = onnx_in(n, l.states);
    if (!first || !onnx_axis(n, listed(n, "scan_input_axes", 0), onnx_rank(first), &axis))
        return false;
    l.limit = onnx_dims(first)[axis];
    enum unrolled done =
        ir_expr_constant(n->m->context, l.limit, &steps) ? write_out(&l, steps) : UNROLL_OPEN;
    return done == UNROLLED || (done == UNROLL_OPEN && loop_go_round(&l));
}

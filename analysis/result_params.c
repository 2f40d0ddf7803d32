/*
 * From what is returned back to a parameter: names, updates in place, calls of functions of which the same is
 * known, both branches of an `if`.
 *
 * A call asks for a leaf of another function, which comes first: a stack of questions, without a limit of
 * depth.  A question that comes to itself again has no answer, nor has who asked it: so the answers do not
 * depend on where the asking began.
 */
#include "analysis/result_params.h"

#include "analysis/leaves.h"
#include "base/array.h"
#include "ir/arith.h"

enum { STEP_LIMIT = 4096 }; /* values on the way of one leaf */

enum state { NOT_ASKED, OPEN, ANSWERED };

struct answer {
    enum state state;
    int param;
};

struct question {
    const struct ir_function *function;
    unsigned leaf;
};

static struct answer *answer_of(struct result_params *params, struct question question)
{
    struct answer *answers = map_get(&params->functions, question.function);

    if (!answers) {
        answers =
            arena_array(&params->arena, struct answer, leaf_count(question.function->result) + 1);
        map_set(&params->functions, question.function, answers);
    }
    return &answers[question.leaf];
}

/* ---- one step ---- */

enum step { STEP_DONE, STEP_NONE, STEP_ASK };

/* The operand whose storage result @output of @op takes; NULL: none, or it is not known. */
static const struct ir_value *taken_operand(const struct ir_op *op, unsigned output)
{
    const struct ir_attr *indices = ir_op_attr(op, "inplace_indices");
    int64_t index = output < indices->count ? indices->items[output]->integer : -1;

    return index >= 0 && index < op->operand_count ? op->operands[index].value : NULL;
}

/* The function that @op calls, if leaf @leaf of its result can be asked for. */
static const struct ir_function *called(const struct ir_op *op, unsigned leaf)
{
    const struct ir_global *callee = ir_op_callee(op);
    const struct ir_function *function =
        callee && callee->kind == IR_GLOBAL_FUNCTION ? callee->function : NULL;

    return function && leaf < leaf_count(function->result) &&
                   op->operand_count == function->param_count
               ? function
               : NULL;
}

static enum step step_call(struct result_params *params, const struct ir_op *op,
                           const struct ir_value **value, unsigned *leaf, struct question *ask)
{
    *ask = (struct question){called(op, *leaf), *leaf};
    if (!ask->function)
        return STEP_NONE;
    const struct answer *answer = answer_of(params, *ask);

    if (answer->state == NOT_ASKED)
        return STEP_ASK;
    if (answer->state == OPEN || answer->param < 0)
        return STEP_NONE;
    *value = op->operands[answer->param].value;
    *leaf = 0;
    return STEP_DONE;
}

static bool step_tuple(const struct ir_op *op, const struct ir_value **value, unsigned *leaf)
{
    unsigned field = 0;

    while (field + 1 < op->operand_count && leaf_offset((*value)->type, field + 1) <= *leaf)
        field++;
    if (field >= op->operand_count)
        return false;
    *leaf -= leaf_offset((*value)->type, field);
    *value = op->operands[field].value;
    return true;
}

static bool step_get(const struct ir_op *op, const struct ir_value **value, unsigned *leaf)
{
    const struct ir_type *type = op->operands[0].value->type;

    if (type->kind != IR_TYPE_TUPLE)
        return false;
    *leaf += leaf_offset(type, (unsigned)ir_op_attr(op, "index")->integer);
    *value = op->operands[0].value;
    return true;
}

static enum step step(struct result_params *params, const struct ir_value **value, unsigned *leaf,
                      struct question *ask)
{
    const struct ir_op *op = (*value)->def;
    bool is_done = false;

    if (!op)
        return STEP_NONE;
    if (ir_op_is(op, IR_CORE_call))
        return step_call(params, op, value, leaf, ask);
    if (ir_op_is(op, IR_CORE_tuple)) {
        is_done = step_tuple(op, value, leaf);
    } else if (ir_op_is(op, IR_CORE_tuple_get)) {
        is_done = step_get(op, value, leaf);
    } else if (ir_op_is(op, IR_CORE_bind)) {
        *value = op->operands[0].value;
        is_done = true;
    } else if (ir_op_is(op, IR_CORE_call_tir_inplace)) {
        const struct ir_value *taken = taken_operand(op, *leaf);

        is_done = taken && taken->type->kind == IR_TYPE_TENSOR;
        if (is_done) {
            *value = taken;
            *leaf = 0;
        }
    }
    return is_done ? STEP_DONE : STEP_NONE;
}

/* ---- one leaf ---- */

struct place {
    const struct ir_value *value;
    unsigned leaf;
};

struct trace {
    struct result_params *params;
    const struct ir_function *function;
    array(struct place) paths; /* still to be followed */
    struct map seen;           /* the result of an `if` -> leaf + 1 that was followed through it */
    unsigned steps;
    int found; /* -1: none yet */
};

static int param_number(const struct ir_function *function, const struct ir_value *value)
{
    for (unsigned i = 0; !value->def && i < function->param_count; i++)
        if (function->params[i] == value)
            return (int)i;
    return -1;
}

static void fork(struct trace *t, const struct ir_op *op, struct place at)
{
    const void *leaf = (const void *)(uintptr_t)(at.leaf + 1); // NOLINT

    if (map_get(&t->seen, at.value) == leaf)
        return;
    map_set(&t->seen, at.value, leaf);
    for (unsigned i = 0; i < op->region_count; i++) {
        const struct ir_op *yield = op->regions[i]->last->last;

        array_push(&t->paths, (struct place){yield->operands[0].value, at.leaf});
    }
}

/* STEP_DONE: the path has come to the parameter that all come to, or it forks. */
static enum step follow(struct trace *t, struct place at, struct question *ask)
{
    enum step result = STEP_DONE;

    while (result == STEP_DONE && ++t->steps < STEP_LIMIT) {
        int param = param_number(t->function, at.value);

        if (param >= 0) {
            bool is_same = at.leaf == 0 && (t->found < 0 || t->found == param);

            t->found = param;
            return is_same ? STEP_DONE : STEP_NONE;
        }
        if (at.value->def && ir_op_is(at.value->def, IR_CORE_if)) {
            fork(t, at.value->def, at);
            return STEP_DONE;
        }
        result = step(t->params, &at.value, &at.leaf, ask);
    }
    return result == STEP_ASK ? STEP_ASK : STEP_NONE;
}

static bool is_same_type(struct ir_context *context, const struct ir_type *a,
                         const struct ir_type *b)
{
    if (a->kind != IR_TYPE_TENSOR || b->kind != IR_TYPE_TENSOR || a->ndim < 0 ||
        a->ndim != b->ndim || ir_dtype_is_void(a->dtype) || !ir_dtype_equal(a->dtype, b->dtype))
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (!a->dims || !b->dims || !ir_prove_equal(context, a->dims[i], b->dims[i]))
            return false;
    return true;
}

static const struct ir_value *returned(const struct ir_function *function)
{
    const struct ir_op *end =
        function->body && function->body->last ? function->body->last->last : NULL;

    return end && ir_op_is(end, IR_CORE_return) ? end->operands[0].value : NULL;
}

static enum step answer(struct result_params *params, struct question question, int *out,
                        struct question *ask)
{
    const struct ir_function *function = question.function;
    const struct ir_value *value = returned(function);
    struct trace t = {.params = params, .function = function, .found = -1};
    enum step result = STEP_NONE;

    if (value && leaf_count(value->type) == leaf_count(function->result)) {
        array_push(&t.paths, (struct place){value, question.leaf});
        do
            result = follow(&t, array_pop(&t.paths), ask);
        while (result == STEP_DONE && t.paths.count > 0);
    }
    bool is_param = result == STEP_DONE && t.found >= 0 &&
                    is_same_type(function->module->context, function->params[t.found]->type,
                                 leaf_type(function->result, question.leaf));
    *out = is_param ? t.found : -1;
    array_finish(&t.paths);
    map_finish(&t.seen);
    return result;
}

int result_param(struct result_params *params, const struct ir_function *function, unsigned leaf)
{
    struct question first = {function, leaf};
    array(struct question) open = {0};

    if (answer_of(params, first)->state == NOT_ASKED)
        array_push(&open, first);
    while (open.count > 0) {
        struct question ask, top = array_last(&open);
        int param;

        answer_of(params, top)->state = OPEN;
        if (answer(params, top, &param, &ask) == STEP_ASK) {
            array_push(&open, ask);
            continue;
        }
        *answer_of(params, top) = (struct answer){ANSWERED, param};
        open.count--;
    }
    array_finish(&open);
    return answer_of(params, first)->param;
}

bool result_step(struct result_params *params, const struct ir_value **value, unsigned *leaf)
{
    struct question ask;
    enum step result = step(params, value, leaf, &ask);

    if (result == STEP_ASK) {
        (void)result_param(params, ask.function, ask.leaf);
        result = step(params, value, leaf, &ask);
    }
    return result == STEP_DONE;
}

void result_params_finish(struct result_params *params)
{
    map_finish(&params->functions);
    arena_finish(&params->arena);
}

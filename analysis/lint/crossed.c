/* E0517: names that stand in each other's place, in a call and where its results are named, though all types fit. */
#include "analysis/lint/lint.h"
#include "ir/part_names.h"
#include "ir/tir.h"

#include <string.h>

enum { MOST = 64 }; /* arguments of a call, that are held against each other */

struct check {
    struct ir_function *function;
    struct diag *diag;
};

/* --- arguments --- */

/* The name of the parameter that argument @i of @op is for; NULL: it is not known. */
static const char *parameter(const struct ir_op *op, unsigned i)
{
    const struct ir_global *callee = ir_op_callee(op);
    bool is_tensor = ir_type_is_tensor(op->operands[i].value->type);
    unsigned before = 0;

    if (callee->kind == IR_GLOBAL_FUNCTION)
        return i < callee->function->param_count ? callee->function->params[i]->name : NULL;
    for (unsigned k = 0; k < i; k++)
        before += ir_type_is_tensor(op->operands[k].value->type) == is_tensor;
    for (unsigned k = 0; k < callee->kernel->param_count; k++) {
        const struct tir_param *param = &callee->kernel->params[k];
        if ((param->buffer != NULL) == is_tensor && before-- == 0)
            return param->buffer ? param->buffer->name : param->var->name;
    }
    return NULL;
}

static const char *argument(const struct ir_op *op, unsigned i)
{
    const struct ir_value *value = op->operands[i].value;

    return value->name ? value->name : "";
}

static bool is_at(const struct ir_op *op, unsigned i, unsigned k)
{
    const char *name = parameter(op, k);

    return name && strcmp(argument(op, i), name) == 0;
}

/* Do all the others that are called as a parameter is stand in its place, and is there one, or are the names long enough? */
static bool is_telling(const struct ir_op *op, unsigned i, unsigned k)
{
    bool has_one = strlen(argument(op, i)) > 2 && strlen(argument(op, k)) > 2;

    for (unsigned n = 0; n < op->operand_count; n++)
        has_one |= n != i && n != k && is_at(op, n, n);
    return has_one;
}

struct calls {
    const struct ir_global *callee;
    unsigned count;
};

static bool count_call(void *state, struct ir_op *op)
{
    struct calls *calls = state;

    calls->count += ir_op_callee(op) == calls->callee;
    return true;
}

/* Tensors that take turns are given in both orders: to a function that calls itself, or by several calls. */
static bool takes_turns(const struct check *check, const struct ir_global *callee)
{
    struct calls calls = {.callee = callee};

    if (callee->kind == IR_GLOBAL_FUNCTION && callee->function == check->function)
        return true;
    ir_region_walk(check->function->body, count_call, &calls);
    return calls.count > 1;
}

static void report(const struct check *check, struct location first, struct location second,
                   const char *a, const char *b, const char *what, const char *name)
{
    struct diag_message *m = diag_report(check->diag, first, CALL_CROSSED, a, b, what, name);

    diag_label(m, second, "and this");
    diag_help(m, "they change places, if that is not meant");
    diag_help_swap(m, first, second);
    diag_help_unsure(m);
}

static struct location place_of(const struct ir_op *op, unsigned i)
{
    if (ir_op_is(op, IR_CORE_call))
        return location_argument(op->loc, i, parameter(op, i));
    return location_argument(location_argument(op->loc, 1, "args"), i, NULL);
}

static void check_call(const struct check *check, const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);

    for (unsigned i = 0; i < op->operand_count && op->operand_count <= MOST; i++)
        for (unsigned k = i + 1; k < op->operand_count; k++) {
            if (!is_at(op, i, k) || !is_at(op, k, i) || is_at(op, i, i) ||
                op->operands[i].value->type != op->operands[k].value->type ||
                !is_telling(op, i, k) || takes_turns(check, callee))
                continue;
            struct location first = place_of(op, i), second = place_of(op, k);
            if (first.source && first.begin > op->loc.begin && second.begin > first.begin)
                report(check, first, second, argument(op, i), argument(op, k), "the arguments",
                       callee->name);
            return;
        }
}

/* --- results --- */

static void check_part(const struct check *check, const struct ir_op *op)
{
    const struct ir_value *other = ir_crossed_part(&op->result);

    if (!other || other->loc.begin <= op->result.loc.begin || !op->result.loc.source)
        return;
    const struct ir_value *tuple = op->operands[0].value;
    while (ir_op_is(tuple->def, IR_CORE_bind))
        tuple = tuple->def->operands[0].value;
    report(check, op->result.loc, other->loc, op->result.name, other->name, "results",
           ir_op_callee(tuple->def)->name);
}

static bool check_op(void *state, struct ir_op *op)
{
    const struct check *check = state;
    const struct ir_global *callee = op->operand_count ? ir_op_callee(op) : NULL;

    if (callee && ((callee->kind == IR_GLOBAL_KERNEL && callee->kernel) ||
                   callee->kind == IR_GLOBAL_FUNCTION))
        check_call(check, op);
    if (ir_op_is(op, IR_CORE_tuple_get))
        check_part(check, op);
    if (ir_op_is(op, IR_CORE_function))
        lint_check_crossed(ir_op_attr(op, "function")->function, check->diag);
    return true;
}

void lint_check_crossed(struct ir_function *function, struct diag *diag)
{
    ir_region_walk(function->body, check_op, &(struct check){function, diag});
}

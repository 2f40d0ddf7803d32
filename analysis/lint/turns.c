/*
 * Functions that call themselves under conditions that the call does not change: each turn is as the one before, and a loop
 * that began never ends.
 */
#include "analysis/lint/lint.h"

#include <string.h>

struct check {
    struct ir_function *function;
    struct diag *diag;
};

/* What a condition is made of, as the call @turn hands it on. */
struct turn {
    struct ir_function *function;
    const struct ir_op *call;
    const struct ir_value *param; /* one that the condition goes by */
    struct location argument;     /* where it is handed on; the call, if that is not found */
    const struct ir_value *other; /* another one that it goes by, and where that is handed on */
    struct location other_argument;
    unsigned depth;
};

enum { MOST_OPS = 64 }; /* of a condition, one behind another */

static const struct ir_value *original(const struct ir_value *value)
{
    while (value->def && ir_op_is(value->def, IR_CORE_bind))
        value = value->def->operands[0].value;
    return value;
}

/* The variable that @value, a scalar, is nothing but; NULL: it is more. */
static const struct ir_var *var_of(const struct ir_value *value)
{
    if (value->var)
        return value->var;
    if (!value->def || !ir_op_is(value->def, IR_CORE_prim))
        return NULL;
    const struct ir_expr *e = ir_op_attr(value->def, "value")->expr;
    return e->kind == IR_EXPR_var ? e->var : NULL;
}

/* Is parameter @i handed on as it came? */
static bool is_handed_on(const struct turn *turn, unsigned i)
{
    const struct ir_value *param = turn->function->params[i];
    const struct ir_value *given = original(turn->call->operands[i].value);

    return given == param || (param->var && var_of(given) == param->var);
}

static void note(struct turn *turn, unsigned i)
{
    const struct ir_value *param = turn->function->params[i];
    struct location place = location_argument(turn->call->loc, i, NULL);

    if (!turn->param || turn->param == param) {
        turn->param = param;
        turn->argument = place;
    } else {
        turn->other = param;
        turn->other_argument = place;
    }
}

/* Is the extent @var of a parameter that of what is given for it? */
static bool is_symbol_kept(const struct turn *turn, const struct ir_var *var)
{
    for (unsigned i = 0; i < turn->function->param_count; i++) {
        const struct ir_type *type = turn->function->params[i]->type;
        const struct ir_type *given = turn->call->operands[i].value->type;
        for (int k = 0; type->kind == IR_TYPE_TENSOR && type->dims && k < type->ndim; k++) {
            if (type->dims[k]->kind != IR_EXPR_var || type->dims[k]->var != var)
                continue;
            return given && given->kind == IR_TYPE_TENSOR && given->dims &&
                   given->ndim == type->ndim && given->dims[k]->kind == IR_EXPR_var &&
                   given->dims[k]->var == var;
        }
    }
    return false;
}

static bool is_var_kept(void *state, const struct ir_expr *e)
{
    struct turn *turn = state;

    if (e->kind == IR_EXPR_load || e->kind == IR_EXPR_call)
        return false;
    for (unsigned i = 0; e->kind == IR_EXPR_var && i < turn->function->param_count; i++)
        if (turn->function->params[i]->var == e->var) {
            note(turn, i);
            return is_handed_on(turn, i);
        }
    return e->kind != IR_EXPR_var || is_symbol_kept(turn, e->var);
}

/* Is @value the same in the next turn? */
static bool is_kept(struct turn *turn, const struct ir_value *value)
{
    const struct ir_op *def = value->def;

    for (unsigned i = 0; !def && i < turn->function->param_count; i++)
        if (turn->function->params[i] == value) {
            note(turn, i);
            return is_handed_on(turn, i);
        }
    if (!def || turn->depth >= MOST_OPS || !(def->info->traits & IR_PURE) ||
        (def->info->traits & IR_OPAQUE) || ir_op_is(def, IR_CORE_function))
        return false;
    if (ir_op_is(def, IR_CORE_constant))
        return true;
    if (ir_op_is(def, IR_CORE_prim))
        return ir_expr_walk(ir_op_attr(def, "value")->expr, is_var_kept, turn);
    turn->depth++;
    bool is_same = def->operand_count > 0;
    for (unsigned i = 0; is_same && i < def->operand_count; i++)
        is_same = is_kept(turn, def->operands[i].value);
    turn->depth--;
    return is_same;
}

static void report(struct check *check, const struct turn *turn, const struct ir_op *branch)
{
    struct diag_message *m =
        diag_report(check->diag, turn->param ? turn->argument : turn->call->loc, GRAPH_TURN_ENDLESS,
                    check->function->name);

    if (turn->param && turn->param->name)
        diag_primary(m, "`%s` is handed on as it came", turn->param->name);
    if (turn->other && turn->other->name)
        diag_label(m, turn->other_argument, "and so is `%s`", turn->other->name);
    diag_label(m,
               branch->operands[0].value->def ? branch->operands[0].value->def->loc : branch->loc,
               "what it goes by is the same in each turn");
    diag_note(m, "a run that gets here never ends");
}

/* --- turns that count away from their end --- */

/* What a turn adds to the scalar @e, a parameter or a number; false: something else than a number. */
static bool step_of(const struct turn *turn, struct ir_context *context, const struct ir_expr *e,
                    int64_t *out, unsigned *out_param)
{
    *out = 0;
    if (e->kind != IR_EXPR_var)
        return e->kind == IR_EXPR_int;
    for (unsigned i = 0; i < turn->function->param_count; i++) {
        const struct ir_value *given = original(turn->call->operands[i].value);
        if (turn->function->params[i]->var != e->var)
            continue;
        *out_param = i;
        if (is_handed_on(turn, i))
            return true;
        if (!given->def || !ir_op_is(given->def, IR_CORE_prim))
            return false;
        const struct ir_expr *next = ir_op_attr(given->def, "value")->expr;
        return ir_expr_constant(
            context, ir_simplify(context, ir_expr_binary(context, IR_EXPR_sub, next, e)), out);
    }
    return false;
}

/* The comparison of scalars that @branch goes by; NULL: it goes by something else. */
static const struct ir_expr *comparison_of(const struct ir_op *branch)
{
    const struct ir_op *def = original(branch->operands[0].value)->def;
    const struct ir_expr *e =
        def && ir_op_is(def, IR_CORE_prim) ? ir_op_attr(def, "value")->expr : NULL;
    bool is_order = e && (e->kind == IR_EXPR_lt || e->kind == IR_EXPR_le || e->kind == IR_EXPR_gt ||
                          e->kind == IR_EXPR_ge);

    return is_order ? e : NULL;
}

/* `i < n` where a turn makes i less: the parameter that counts, and by how much; false: it may end. */
static bool is_away(const struct turn *turn, struct ir_context *context, const struct ir_op *branch,
                    unsigned *out_param, int64_t *out_step)
{
    const struct ir_expr *e = comparison_of(branch);
    int64_t left, right;
    unsigned first = turn->function->param_count, second = first;

    if (!e || !step_of(turn, context, e->operands[0], &left, &first) ||
        !step_of(turn, context, e->operands[1], &right, &second) || (left && right))
        return false;
    bool is_less = e->kind == IR_EXPR_lt || e->kind == IR_EXPR_le;
    const struct ir_region *inner = turn->call->block->region;
    if (inner->owner != branch)
        return false;
    is_less ^= inner == branch->regions[1]; /* it goes on where that does not hold */
    *out_param = left ? first : second;
    *out_step = left ? left : right;
    return *out_step != 0 &&
           ((is_less && (left < 0 || right > 0)) || (!is_less && (left > 0 || right < 0)));
}

/* The edit of the one sign in `i - 1`, at @place. */
static void help_sign(struct diag_message *m, struct location place, int64_t step)
{
    const char *text = place.source->text;
    struct location sign = {0};

    for (uint32_t at = place.begin; at < place.end; at++)
        if (text[at] == '+' || text[at] == '-') {
            if (sign.source || strchr("(=,", text[at - 1]))
                return;
            sign = (struct location){place.source, at, at + 1};
        }
    if (!sign.source || text[sign.begin] != (step < 0 ? '-' : '+'))
        return;
    diag_help(m, "count the other way");
    diag_help_edit(m, sign, "%c", step < 0 ? '+' : '-');
    diag_help_unsure(m); /* or the condition is the other way round */
}

/* One condition is around the call, and the end that it goes by is left behind. */
static void check_away(struct check *check, const struct turn *turn, const struct ir_op *branch)
{
    unsigned param;
    int64_t step;

    if (branch->block->region->owner ||
        !is_away(turn, check->function->module->context, branch, &param, &step))
        return;
    struct location place = location_argument(turn->call->loc, param, NULL);
    struct diag_message *m =
        diag_report(check->diag, place, GRAPH_TURN_AWAY, check->function->name);
    diag_primary(m, "`%s` becomes %s", check->function->params[param]->name,
                 step < 0 ? "less" : "more");
    diag_label(m, comparison_of(branch)->loc.source ? comparison_of(branch)->loc : branch->loc,
               "what it goes by");
    diag_note(m, "a run that gets here never ends");
    if (place.source && place.begin > turn->call->loc.begin)
        help_sign(m, place, step);
}

static bool check_call(void *state, struct ir_op *op)
{
    struct check *check = state;
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;
    struct turn turn = {.function = check->function, .call = op};
    const struct ir_op *branch = NULL;

    if (!callee || callee->kind != IR_GLOBAL_FUNCTION || callee->function != check->function ||
        op->operand_count != check->function->param_count || !op->block)
        return true;
    for (const struct ir_op *outer = op->block->region->owner; outer;
         outer = outer->block->region->owner) {
        if (!ir_op_is(outer, IR_CORE_if))
            return true;
        if (!is_kept(&turn, outer->operands[0].value)) {
            check_away(check, &turn, outer);
            return true;
        }
        branch = branch ? branch : outer;
    }
    if (branch)
        report(check, &turn, branch);
    return true;
}

void lint_check_turns(struct ir_function *function, struct diag *diag)
{
    ir_region_walk(function->body, check_call, &(struct check){function, diag});
}

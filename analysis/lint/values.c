/*
 * Values of graphs that are legal and hardly meant: what fits for one size only, a rank that two branches make unknown,
 * bounds that let one number through.
 */
#include "analysis/lint/lint.h"
#include "base/text.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "ops/ids.h"

struct check {
    struct ir_module *module;
    struct diag *diag;
    bool is_size_said; /* what comes behind may follow from it */
};

/* --- reshapes --- */

static const struct ir_expr *elements(struct ir_context *context, const struct ir_type *type)
{
    const struct ir_expr *all = ir_expr_int(context, IR_I64, 1);

    for (int i = 0; i < type->ndim; i++)
        all =
            ir_expr_binary(context, IR_EXPR_mul, all, ir_expr_cast(context, IR_I64, type->dims[i]));
    return ir_simplify(context, all);
}

static void put_shape(const struct ir_type *type, struct text *out)
{
    text_putc(out, '(');
    for (int i = 0; i < type->ndim; i++) {
        text_puts(out, i ? ", " : "");
        ir_expr_print(type->dims[i], out);
    }
    text_puts(out, type->ndim == 1 ? ",)" : ")");
}

static bool check_reshape(struct check *check, const struct ir_op *op)
{
    struct ir_context *context = check->module->context;
    const struct ir_type *from = op->operands[0].value->type, *to = op->result.type;
    const struct ir_var *var;
    struct text what = {0};
    int64_t size;

    if (from->kind != IR_TYPE_TENSOR || to->kind != IR_TYPE_TENSOR || !from->dims || !to->dims ||
        !ir_only_size(context, elements(context, from), elements(context, to), &var, &size))
        return true;
    text_puts(&what, "`R.reshape` of ");
    put_shape(from, &what);
    text_puts(&what, " to ");
    put_shape(to, &what);
    text_puts(&what, " fits");
    struct diag_message *m =
        diag_report(check->diag, location_argument(op->loc, 1, "shape"), CALL_ONE_SIZE,
                    text_string(&what), var->name, (long long)size);
    diag_note(m, "a run with another size ends with an error");
    text_finish(&what);
    return false;
}

/* --- clip --- */

static const struct ir_expr *number_of(const struct ir_value *value)
{
    const struct ir_attr *attr =
        value->def && ir_op_is(value->def, IR_CORE_prim) ? ir_op_attr(value->def, "value") : NULL;
    const struct ir_expr *e = attr && attr->kind == IR_ATTR_EXPR ? attr->expr : NULL;

    return e && (e->kind == IR_EXPR_int || e->kind == IR_EXPR_float) ? e : NULL;
}

static double real_of(const struct ir_expr *e)
{
    return e->kind == IR_EXPR_int ? (double)e->int_value : e->float_value;
}

static void check_clip(struct check *check, const struct ir_op *op)
{
    const struct ir_expr *low = number_of(op->operands[1].value);
    const struct ir_expr *high = number_of(op->operands[2].value);
    struct location first = location_argument(op->loc, 1, "min");
    struct location second = location_argument(op->loc, 2, "max");
    struct text texts[2] = {{0}, {0}};

    if (!low || !high || real_of(low) <= real_of(high))
        return;
    ir_expr_print(low, &texts[0]);
    ir_expr_print(high, &texts[1]);
    struct diag_message *m = diag_report(check->diag, first, OP_CLIP_BOUNDS, text_string(&texts[0]),
                                         text_string(&texts[1]));
    diag_note(m, "every element becomes `max`");
    if (first.begin > op->loc.begin && second.begin > first.begin) {
        diag_help(m, "the smaller one comes first");
        diag_help_swap(m, first, second);
    }
    text_finish(&texts[0]);
    text_finish(&texts[1]);
}

/* --- branches --- */

static const struct ir_value *region_value(const struct ir_region *region)
{
    const struct ir_op *last = region && region->last ? region->last->last : NULL;

    return last && last->operand_count ? last->operands[0].value : NULL;
}

/* Where branch @i says what it gives. */
static struct location place_of(const struct ir_op *op, unsigned i)
{
    const struct ir_op *last = op->regions[i]->last->last;
    const struct ir_value *value = last->operands[0].value;

    return last->loc.source ? last->loc : value->loc.source ? value->loc : op->loc;
}

/* Does an operator compute with @value, which needs its rank? */
static bool is_computed_with(const struct ir_value *value)
{
    for (const struct ir_use *use = value->uses; use; use = use->next)
        if (use->user->info->core == IR_CORE_none && !op_is(use->user, OP_shape_of))
            return true;
    return false;
}

static void check_branches(struct check *check, const struct ir_op *op)
{
    const struct ir_value *first = region_value(op->regions[0]);
    const struct ir_value *second = op->region_count > 1 ? region_value(op->regions[1]) : NULL;

    if (!first || !second || first->type->kind != IR_TYPE_TENSOR ||
        second->type->kind != IR_TYPE_TENSOR || first->type->ndim == IR_NDIM_UNKNOWN ||
        second->type->ndim == IR_NDIM_UNKNOWN || first->type->ndim == second->type->ndim ||
        !is_computed_with(&op->result))
        return;
    struct ir_context *context = check->module->context;
    struct diag_message *m = diag_report(check->diag, place_of(op, 1), GRAPH_BRANCH_RANK,
                                         first->type->ndim, second->type->ndim, op->result.name);
    diag_primary(m, "%s", ir_type_text(context, second->type));
    diag_label(m, place_of(op, 0), "%s", ir_type_text(context, first->type));
    diag_note(m, "operators that compute with it need its rank, and a run is refused");
}

static bool check_op(void *state, struct ir_op *op)
{
    struct check *check = state;

    if (!check->is_size_said)
        check->is_size_said = !ir_check_call_sizes(check->module, op, check->diag) ||
                              (op_is(op, OP_reshape) && !check_reshape(check, op));
    if (op_is(op, OP_clip))
        check_clip(check, op);
    if (ir_op_is(op, IR_CORE_if))
        check_branches(check, op);
    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, check_op, state);
    return true;
}

void lint_check_values(struct ir_function *function, struct diag *diag)
{
    struct check check = {.module = function->module, .diag = diag};

    ir_region_walk(function->body, check_op, &check);
}

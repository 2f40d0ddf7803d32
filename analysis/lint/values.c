/*
 * Values of graphs that are legal and hardly meant: branches that make a rank or a dtype unknown, bounds that let one number
 * through, an axis that
 * stays, a tensor read as a vector.  For sizes see sizes.c.
 */
#include "analysis/lint/lint.h"
#include "base/text.h"
#include "ir/print.h"
#include "ops/ids.h"

struct check {
    struct ir_module *module;
    struct diag *diag;
    bool is_size_said; /* what comes behind may follow from it */
    uint32_t until;    /* in the text: what stands from there on is not looked at */
};

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

/* What differs of two branches, so that nothing is known of the whole: "rank 3", "dtype float16"; false: nothing. */
static bool find_difference(struct check *check, const struct ir_type *first,
                            const struct ir_type *second, const char *out_texts[2])
{
    const struct ir_type *types[2] = {first, second};
    struct arena *arena = &check->module->context->arena;
    bool is_rank = first->ndim != IR_NDIM_UNKNOWN && second->ndim != IR_NDIM_UNKNOWN &&
                   first->ndim != second->ndim;
    bool is_dtype = !ir_dtype_is_void(first->dtype) && !ir_dtype_is_void(second->dtype) &&
                    !ir_dtype_equal(first->dtype, second->dtype);
    char name[32];

    for (unsigned i = 0; i < 2; i++)
        out_texts[i] = is_rank
                           ? arena_printf(arena, "rank %d", types[i]->ndim)
                           : arena_printf(arena, "dtype %s", ir_dtype_name(types[i]->dtype, name));
    return is_rank || is_dtype;
}

static void check_branches(struct check *check, const struct ir_op *op)
{
    const struct ir_value *first = region_value(op->regions[0]);
    const struct ir_value *second = op->region_count > 1 ? region_value(op->regions[1]) : NULL;
    const char *texts[2];

    if (!first || !second || first->type->kind != IR_TYPE_TENSOR ||
        second->type->kind != IR_TYPE_TENSOR || place_of(op, 1).end > check->until ||
        !is_computed_with(&op->result) || !find_difference(check, first->type, second->type, texts))
        return;
    struct ir_context *context = check->module->context;
    struct diag_message *m = diag_report(check->diag, place_of(op, 1), GRAPH_BRANCH_RANK, texts[0],
                                         texts[1], op->result.name);
    diag_primary(m, "%s", ir_type_text(context, second->type));
    diag_label(m, place_of(op, 0), "%s", ir_type_text(context, first->type));
    diag_note(m, "operators that compute with it need that, and a run is refused");
}

/* --- squeeze --- */

/* Where there are as many axes of extent 1 as are named, these are meant. */
static void help_squeeze(struct check *check, struct diag_message *m, const struct ir_op *op,
                         struct location place, unsigned count)
{
    const struct ir_type *type = op->operands[0].value->type;
    struct arena *arena = &check->module->context->arena;
    const char *axes = "";
    unsigned found = 0;
    int64_t extent;

    for (int i = 0; i < type->ndim; i++)
        if (ir_expr_constant(check->module->context, type->dims[i], &extent) && extent == 1)
            axes = arena_printf(arena, found++ ? "%s, %d" : "%s%d", axes, i);
    if (found == 0)
        diag_note(m, "it has no axis of extent 1");
    if (found == 0 || found != count || place.begin == op->loc.begin)
        return;
    diag_help(m, found == 1 ? "the one axis of extent 1 is %s" : "the axes of extent 1 are %s",
              axes);
    diag_help_edit(m, place, "[%s]", axes);
}

/* An axis that is named and is of another extent than 1 stays where it is. */
static void check_squeeze(struct check *check, const struct ir_op *op)
{
    const struct ir_type *type = op->operands[0].value->type;
    const struct ir_attr *axes = ir_op_attr(op, "axis");
    struct location place = location_argument(op->loc, 1, "axis");
    int64_t extent;

    if (type->kind != IR_TYPE_TENSOR || !type->dims || axes->kind != IR_ATTR_LIST)
        return;
    for (unsigned i = 0; i < axes->count; i++) {
        int64_t axis = axes->items[i]->integer;
        axis += axis < 0 ? type->ndim : 0;
        if (axis < 0 || axis >= type->ndim ||
            !ir_expr_constant(check->module->context, type->dims[axis], &extent) || extent == 1)
            continue;
        bool is_list = place.begin > op->loc.begin && place.source->text[place.begin] == '[';
        struct diag_message *m =
            diag_report(check->diag, is_list ? location_argument(place, i, NULL) : place,
                        OP_SQUEEZE_STAYS, (unsigned)axis,
                        arena_printf(&check->module->context->arena, "%lld", (long long)extent));
        diag_note(m, "the tensor is %s", ir_type_text(check->module->context, type));
        help_squeeze(check, m, op, place, axes->count);
        return;
    }
}

/* --- take --- */

static void check_take(struct check *check, const struct ir_op *op)
{
    const struct ir_value *x = op->operands[0].value;

    if (x->type->kind != IR_TYPE_TENSOR || x->type->ndim < 2 ||
        ir_op_attr(op, "axis")->kind != IR_ATTR_NONE)
        return;
    struct diag_message *m =
        diag_report(check->diag, op->loc, OP_TAKE_FLATTENS, x->name ? x->name : "x", x->type->ndim);
    diag_note(m, "TVM refuses that: R.reshape(x, (-1,)) says it");
    diag_help(m, "rows are taken along the first axis");
    diag_help_edit(m, (struct location){op->loc.source, op->loc.end - 1, op->loc.end - 1}, "%s",
                   ", axis=0");
    diag_help_unsure(m);
}

static bool check_op(void *state, struct ir_op *op)
{
    struct check *check = state;

    if (!op->result.type || (op->loc.source && op->loc.end > check->until))
        return true; /* an `if` whose branches have no end has no type */
    if (!check->is_size_said)
        check->is_size_said = !lint_check_sizes(check->module, op, check->diag);
    lint_check_numbers(check->module, op, check->diag);
    if (op_is(op, OP_squeeze))
        check_squeeze(check, op);
    if (op_is(op, OP_take))
        check_take(check, op);
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
    struct check check = {.module = function->module, .diag = diag, .until = UINT32_MAX};

    ir_region_walk(function->body, check_op, &check);
    if (!check.is_size_said)
        lint_check_result_sizes(function, diag);
}

void lint_check_front(struct ir_function *function, uint32_t until, struct diag *diag)
{
    struct check check = {.module = function->module, .diag = diag, .until = until};

    ir_region_walk(function->body, check_op, &check);
}

/* The function of @module in whose text @offset is; NULL: none. */
static struct ir_function *function_at(struct ir_module *module, const struct source *source,
                                       uint32_t offset)
{
    struct ir_function *found = NULL;

    for (size_t i = 0; i < module->global_count; i++) {
        const struct ir_global *global = module->globals[i];
        struct ir_function *function = global->kind == IR_GLOBAL_FUNCTION ? global->function : NULL;
        bool is_before = function && function->loc.source == source && function->body &&
                         function->loc.begin <= offset;
        if (is_before && (!found || function->loc.begin > found->loc.begin))
            found = function;
    }
    return found;
}

void lint_check_refused(struct ir_module *module, const struct source *source, size_t from,
                        struct diag *diag)
{
    uint32_t error = diag_first_error(diag, from, source);
    struct ir_function *function = error == UINT32_MAX ? NULL : function_at(module, source, error);

    if (function)
        lint_check_front(function, error, diag); /* the op that has it ends behind it */
}

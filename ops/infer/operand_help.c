/* Edits for operands that do not fit, where the call in the text has them. */
#include "ops/internal.h"

#include <string.h>

void op_help_wrap(const struct infer *in, struct diag_message *m, unsigned i, const char *before,
                  const char *behind)
{
    struct location place = op_operand_place(in, i);

    if (place.begin != in->op->loc.begin || place.end != in->op->loc.end)
        diag_help_wrap(m, place, before, behind);
}

/* Where the dims of @less lie among those of @more. */
struct fit {
    struct ir_context *context;
    const struct ir_type *less, *more;
    int places[8], found[8];
    unsigned count; /* of ways */
};

enum { RANK_LIMIT = 8 };

static void find_places(struct fit *fit, int next, int from)
{
    if (next == fit->less->ndim) {
        memcpy(fit->found, fit->places, sizeof(fit->found));
        fit->count++;
        return;
    }
    for (int axis = from; axis < fit->more->ndim; axis++) {
        fit->places[next] = axis;
        if (ir_prove_equal(fit->context, fit->less->dims[next], fit->more->dims[axis]))
            find_places(fit, next + 1, axis + 1);
    }
}

/* "1, 2" of the axes of @more behind the first place that @less has not; counts them. */
static const char *missing_axes(const struct fit *fit, unsigned *out_count)
{
    const char *text = "";

    *out_count = 0;
    for (int axis = fit->found[0], next = 0; axis < fit->more->ndim; axis++) {
        if (next < fit->less->ndim && fit->found[next] == axis) {
            next++;
            continue;
        }
        text = arena_printf(&fit->context->arena, "%s%s%d", text, (*out_count)++ ? ", " : "",
                            axis - fit->found[0]);
    }
    return text;
}

const char *op_missing_axes(struct ir_context *context, const struct ir_type *less,
                            const struct ir_type *more)
{
    struct fit fit = {context, less, more, {0}, {0}, 0};
    unsigned count;

    if (less->ndim < 1 || more->ndim <= less->ndim || more->ndim > RANK_LIMIT)
        return NULL;
    find_places(&fit, 0, 0);
    const char *axes = fit.count == 1 ? missing_axes(&fit, &count) : "";
    return *axes ? axes : NULL;
}

/* (4, 3) beside (4,), which a sum without keepdims has left: axes are missing, at one place only. */
void op_help_new_axis(const struct infer *in, struct diag_message *m, const struct ir_type *a,
                      const struct ir_type *b, unsigned i, unsigned j)
{
    bool is_first = a->ndim < b->ndim;
    struct fit fit = {in->context, is_first ? a : b, is_first ? b : a, {0}, {0}, 0};
    unsigned count;

    if (fit.less->ndim < 1 || fit.more->ndim <= fit.less->ndim || fit.more->ndim > RANK_LIMIT ||
        !fit.less->dims || !fit.more->dims)
        return;
    find_places(&fit, 0, 0);
    if (fit.count != 1)
        return;
    unsigned operand = is_first ? i : j;
    const char *axes = missing_axes(&fit, &count);
    if (!count)
        return;
    diag_help(m,
              count == 1 ? "`%s` fits with an axis of 1 at %s" : "`%s` fits with axes of 1 at %s",
              op_operand_name(in->op->info, operand), axes);
    op_help_wrap(in, m, operand, "R.expand_dims(",
                 arena_printf(&in->context->arena, ", axis=[%s])", axes));
}

/* Do the dims of @a, with an axis of 1 put in at @axis, broadcast with those of @b? */
static bool fits_with_axis(const struct infer *in, const struct ir_type *a, int axis,
                           const struct ir_type *b)
{
    int64_t extent;

    for (int k = 1; k <= a->ndim + 1 && k <= b->ndim; k++) {
        int at = a->ndim + 1 - k;
        if (at == axis)
            continue;
        const struct ir_expr *dim = a->dims[at > axis ? at - 1 : at], *other = b->dims[b->ndim - k];
        bool is_one = (ir_expr_constant(in->context, dim, &extent) && extent == 1) ||
                      (ir_expr_constant(in->context, other, &extent) && extent == 1);
        if (!is_one && !ir_prove_equal(in->context, dim, other))
            return false;
    }
    return true;
}

/* The one axis at which R.expand_dims of @made would give what fits @other; -1: none, or several. */
static int fitting_axis(const struct infer *in, const struct ir_op *made, int64_t said,
                        const struct ir_type *other)
{
    const struct ir_type *base = made->operands[0].value->type;
    int found = -1;

    for (int axis = 0; axis <= base->ndim; axis++) {
        if (axis == said || !fits_with_axis(in, base, axis, other))
            continue;
        if (found >= 0)
            return -1;
        found = axis;
    }
    return found;
}

/* Operand @i is `R.expand_dims(x, axis=[0])`, and another axis is meant. */
bool op_help_other_axis(const struct infer *in, struct diag_message *m,
                        const struct ir_type *const *types, unsigned i, unsigned j)
{
    const struct ir_op *made = in->op->operands[i].value->def;

    if (!made || !op_is(made, OP_expand_dims) || !made->loc.source || !types[j]->dims)
        return false;
    const struct ir_type *base = made->operands[0].value->type;
    const struct ir_attr *axes = ir_op_attr(made, "axis");
    struct location place = location_argument(made->loc, 1, "axis");
    if (base->kind != IR_TYPE_TENSOR || !base->dims || axes->kind != IR_ATTR_LIST ||
        axes->count != 1 || axes->items[0]->kind != IR_ATTR_INT || place.begin == made->loc.begin)
        return false;
    int64_t said = axes->items[0]->integer;
    int axis = fitting_axis(in, made, said < 0 ? said + base->ndim + 1 : said, types[j]);
    if (axis < 0)
        return false;
    bool is_list = strchr("([", place.source->text[place.begin]) != NULL;
    diag_help(m, "`%s` fits with the axis of 1 at %d", op_operand_name(in->op->info, i), axis);
    diag_help_edit(m, is_list ? location_argument(place, 0, NULL) : place, "%d", axis);
    diag_help_unsure(m);
    return true;
}

void op_help_numbers(const struct infer *in, struct diag_message *m, unsigned i)
{
    const struct ir_value *value = in->op->operands[i].value;
    struct location place = op_operand_place(in, i);
    bool is_float = false;

    for (unsigned k = 0; k < value->type->field_count; k++) {
        if (value->type->fields[k]->kind != IR_TYPE_PRIM)
            return;
        is_float |= ir_dtype_is_float(value->type->fields[k]->dtype);
    }
    if (value->name != NULL && value->def != NULL && !ir_value_is_inline(value))
        place = value->def->loc;
    diag_help(m, "a tensor of numbers is `R.const(.., dtype)`");
    if (place.begin != in->op->loc.begin || place.end != in->op->loc.end)
        diag_help_wrap(m, place, "R.const(", is_float ? ", \"float32\")" : ", \"int64\")");
}

void op_help_shape(const struct infer *in, struct diag_message *m, unsigned i, const char *expected)
{
    const struct ir_type *type = in->op->operands[i].value->type;
    struct location place = op_argument_place(in, op_operand_name(in->op->info, i));

    if (type->kind != IR_TYPE_PRIM || strcmp(expected, "a shape") != 0 ||
        place.begin == in->op->loc.begin)
        return;
    diag_help(m, "a shape of one axis is a tuple: `(8,)`");
    if (place.source->text[place.begin] != '(') {
        diag_help_wrap(m, place, "(", ",)");
        return;
    }
    place.begin = --place.end;
    diag_help_edit(m, place, ",");
}

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

/* (4, 3) beside (4,), which a sum without keepdims has left: an axis is missing, at one place only. */
void op_help_new_axis(const struct infer *in, struct diag_message *m, const struct ir_type *a,
                      const struct ir_type *b, unsigned i, unsigned j)
{
    bool is_first = a->ndim < b->ndim;
    const struct ir_type *less = is_first ? a : b, *more = is_first ? b : a;
    int found = -1;

    if (less->ndim < 1 || more->ndim != less->ndim + 1)
        return;
    for (int axis = 1; axis < more->ndim; axis++) { /* in front there is one anyway */
        bool fits = true;
        for (int k = 0; fits && k < less->ndim; k++)
            fits = ir_prove_equal(in->context, less->dims[k], more->dims[k < axis ? k : k + 1]);
        if (fits && found >= 0)
            return;
        found = fits ? axis : found;
    }
    if (found < 0)
        return;
    unsigned operand = is_first ? i : j;
    diag_help(m, "`%s` fits with an axis of 1 at %d", op_operand_name(in->op->info, operand),
              found);
    op_help_wrap(in, m, operand, "R.expand_dims(",
                 arena_printf(&in->context->arena, ", axis=[%d])", found));
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

/* `padding="same"` of a convolution, as other libraries have it: the numbers, where the window and the steps say them. */
#include "frontend/tvmscript/relax.h"
#include "ir/arith.h"
#include "ops/ids.h"

#include <string.h>

enum { MOST_AXES = 3 };

static const struct ast *given_as(const struct padding_call *call, const char *name)
{
    for (unsigned i = 0; i < call->info->param_count; i++)
        if (strcmp(call->info->params[i].name, name) == 0)
            return call->given[i];
    return NULL;
}

/* Is it left out, or 1 in every direction? */
static bool is_one(const struct ast *a)
{
    int64_t value;

    if (!a || a->kind == AST_INT)
        return !a || (ast_int_literal(a, &value) && value == 1);
    if (a->kind != AST_LIST && a->kind != AST_TUPLE)
        return false;
    for (unsigned i = 0; i < a->item_count; i++)
        if (!ast_int_literal(a->items[i], &value) || value != 1)
            return false;
    return true;
}

/* The extents of the window; how many, 0: they are not seen. */
static unsigned window_of(struct ir_context *context, const struct padding_call *call,
                          int64_t *out_extents)
{
    const struct ir_value *weight = call->operand_count > 1 ? call->operands[1] : NULL;
    const struct ir_type *type = weight ? weight->type : NULL;

    if (!type || type->kind != IR_TYPE_TENSOR || !type->dims || type->ndim < 3 ||
        type->ndim > 2 + MOST_AXES || given_as(call, "kernel_layout"))
        return 0;
    for (int i = 2; i < type->ndim; i++)
        if (!ir_expr_constant(context, type->dims[i], &out_extents[i - 2]))
            return 0;
    return (unsigned)type->ndim - 2;
}

void help_padding(struct frontend *f, struct diag_message *m, const struct padding_call *call,
                  const struct ast *word)
{
    int64_t extents[MOST_AXES];
    const char *numbers = "";
    unsigned id = call->info->library_id;
    bool is_valid = strcmp(word->string, "valid") == 0;

    if ((strcmp(word->string, "same") != 0 && !is_valid) ||
        (id != OP_nn_conv1d && id != OP_nn_conv2d && id != OP_nn_conv3d) ||
        (!is_valid && (!is_one(given_as(call, "strides")) || !is_one(given_as(call, "dilation")))))
        return;
    unsigned axes = window_of(f->context, call, extents);
    if (!axes)
        return;
    for (unsigned side = 0; side < 2 * axes; side++) {
        int64_t extent = is_valid ? 1 : extents[side % axes];
        if (extent % 2 == 0) /* one side would have more than the other */
            return;
        numbers = arena_printf(&f->arena, "%s%s%lld", numbers, side ? ", " : "",
                               (long long)(extent - 1) / 2);
    }
    diag_help(m, "of this window that is [%s], the begins and then the ends", numbers);
    diag_help_edit(m, word->loc, "[%s]", numbers);
}

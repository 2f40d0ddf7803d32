/* Calls as arrays of Python have them, x.mean(), and words for arguments that other libraries have: what they are here. */
#include "frontend/tvmscript/internal.h"

#include <string.h>

/* Attributes and methods that have another name here; all others are looked for as R.name and R.nn.name. */
static const struct {
    const char *method, *function;
} methods[] = {
    {"T", "permute_dims"},
    {"transpose", "permute_dims"},
    {"permute", "permute_dims"},
    {"view", "reshape"},
    {"to", "astype"},
    {"type", "astype"},
    {"dot", "matmul"},
    {"mm", "matmul"},
    {"bmm", "matmul"},
    {"unsqueeze", "expand_dims"},
    {"sub", "subtract"},
    {"mul", "multiply"},
    {"div", "divide"},
    {"neg", "negative"},
    {"pow", "power"},
};

/* Arguments that other libraries call otherwise. */
static const struct {
    const char *word, *argument;
} arguments[] = {
    {"dim", "axis"},         {"dims", "axes"},  {"axis", "axes"},       {"axes", "axis"},
    {"keepdim", "keepdims"}, {"size", "shape"}, {"newshape", "shape"},  {"perm", "axes"},
    {"input", "x"},          {"a", "x"},        {"dtype", "out_dtype"}, {"epsilon", "eps"},
};

const char *argument_of_word(const char *word, const char *const *names)
{
    for (size_t i = 0; i < ARRAY_SIZE(arguments); i++)
        for (unsigned k = 0; strcmp(arguments[i].word, word) == 0 && names[k]; k++)
            if (strcmp(names[k], arguments[i].argument) == 0)
                return names[k];
    return NULL;
}

static const char *function_of(struct frontend *f, const char *method)
{
    for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
        if (strcmp(methods[i].method, method) == 0)
            return methods[i].function;
    if (ir_find_op(f->context, method))
        return method;
    const char *in_nn = arena_printf(&f->arena, "nn.%s", method);
    return ir_find_op(f->context, in_nn) ? in_nn : NULL;
}

static const char *text_between(struct frontend *f, uint32_t begin, uint32_t end)
{
    return arena_printf(&f->arena, "%.*s", begin < end ? (int)(end - begin) : 0,
                        f->source->text + begin);
}

/* Are the arguments of @call the items of one list here: x.reshape(2, 4)? */
static bool are_items(const struct ir_op_info *info, const struct ast *call)
{
    unsigned count = call_positional_count(call), lists = 0;

    for (unsigned i = 0; i < info->param_count; i++)
        lists += info->params[i].kind == IR_PARAM_SHAPE || info->params[i].kind == IR_PARAM_INTS;
    return lists > 0 && count > 0 && count + 1 == call->item_count &&
           (count > 1 || call->items[1]->kind == AST_INT) &&
           info->params[0].kind == IR_PARAM_EXPR && info->param_count > 1 &&
           (info->params[1].kind == IR_PARAM_SHAPE || info->params[1].kind == IR_PARAM_INTS) &&
           (count > 1 || info->params[1].kind == IR_PARAM_SHAPE);
}

void help_method(struct frontend *f, struct diag_message *m, const struct ast *attribute,
                 const struct ast *call)
{
    const char *function = function_of(f, attribute->name);
    const struct ir_op_info *info = function ? ir_find_op(f->context, function) : NULL;
    const struct location loc = call ? call->loc : attribute->loc;
    const struct ast *value = attribute->items[0];

    if (!info || loc.source != f->source) {
        diag_help(m, strcmp(attribute->name, "shape") == 0
                         ? "an extent is a symbol of the type: R.Tensor((\"n\", 8), \"float32\")"
                         : "operators are functions: R.exp(x)");
        return;
    }
    bool has_list = call && are_items(info, call);
    bool has_arguments = call && call->item_count > 1;
    const char *given = has_arguments ? text_between(f,
                                                     call->items[1]->kind == AST_KEYWORD
                                                         ? call->items[1]->name_loc.begin
                                                         : call->items[1]->loc.begin,
                                                     loc.end - 1)
                                      : "";
    diag_help(m, "operators are functions: `R.%s`", function);
    diag_help_edit(m, loc, "R.%s(%s%s%s%s%s)", function,
                   text_between(f, value->loc.begin, value->loc.end), has_arguments ? ", " : "",
                   has_list ? "(" : "", given,
                   has_list ? call_positional_count(call) == 1 ? ",)" : ")" : "");
}

void help_row(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    const struct location x = a->items[0]->loc, i = a->items[1]->loc;

    diag_help(m, "a row of a tensor is taken by an operator; `R.strided_slice` takes several");
    if (a->item_count == 2 && !a->is_tuple && a->items[1]->kind != AST_SLICE)
        diag_help_edit(m, a->loc, "R.take(%s, %s, axis=0)", text_between(f, x.begin, x.end),
                       text_between(f, i.begin, i.end));
}

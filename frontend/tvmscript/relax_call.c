/*
 * Calls of the operator library, R.<operator>(..): arguments by the operator's row of the table.
 *
 * Arguments are read in the order of the text, so that nested calls become ops in that order, but
 * bare numbers last: as tensors they take the dtype of the other operands.
 */
#include "base/assert.h"
#include "base/text.h"
#include "frontend/tvmscript/relax.h"
#include "ops/choices.h"

#include <string.h>

struct arguments {
    struct relax *r;
    const struct ast *call;
    const struct ir_op_info *info;
    const struct ast **given; /* by parameter; NULL: not given */
    struct ast *const *rest;  /* of a variadic parameter */
    unsigned rest_count;
    struct ir_value **operands; /* operand_count, then the variadic ones */
    const struct ir_attr **attrs;
    const struct ir_type *declared;
};

static const char *const kind_texts[] = {
    [IR_PARAM_EXPR] = "a value",       [IR_PARAM_EXPRS] = "a tuple of values",
    [IR_PARAM_SHAPE] = "a shape",      [IR_PARAM_PRIM] = "a scalar",
    [IR_PARAM_INT] = "an integer",     [IR_PARAM_INTS] = "a list of integers",
    [IR_PARAM_FLOAT] = "a number",     [IR_PARAM_FLOATS] = "a list of numbers",
    [IR_PARAM_BOOL] = "True or False", [IR_PARAM_STRING] = "a string",
    [IR_PARAM_TEXT] = "a string",      [IR_PARAM_DEVICE] = "a device",
    [IR_PARAM_DTYPE] = "a dtype",      [IR_PARAM_ANY] = "a literal",
};

static const char *const attr_texts[] = {
    [IR_ATTR_NONE] = "None",           [IR_ATTR_BOOL] = "a bool",
    [IR_ATTR_INT] = "an integer",      [IR_ATTR_FLOAT] = "a float",
    [IR_ATTR_STRING] = "a string",     [IR_ATTR_DTYPE] = "a dtype",
    [IR_ATTR_LIST] = "a list",         [IR_ATTR_DICT] = "a dict",
    [IR_ATTR_EXPR] = "a scalar",       [IR_ATTR_TYPE] = "a type",
    [IR_ATTR_GLOBAL] = "a function",   [IR_ATTR_CONSTANT] = "a tensor",
    [IR_ATTR_FUNCTION] = "a function", [IR_ATTR_LAMBDA] = "a lambda",
    [IR_ATTR_CALL] = "a call",
};

/* Attributes */

/* T.int64(2) where an integer is wanted, T.float32(0.5) where a number is. */
static const struct ir_attr *literal_of(struct ir_context *context, const struct ir_attr *attr)
{
    if (attr->kind != IR_ATTR_EXPR)
        return attr;
    if (attr->expr->kind == IR_EXPR_int)
        return ir_dtype_is_bool(attr->expr->dtype)
                   ? ir_attr_bool(context, attr->expr->int_value != 0)
                   : ir_attr_int(context, attr->expr->int_value);
    if (attr->expr->kind == IR_EXPR_float)
        return ir_attr_float(context, attr->expr->float_value);
    return attr;
}

static const struct ir_attr *convert_one(struct ir_context *context, const struct ir_attr *attr,
                                         enum ir_param_kind kind)
{
    attr = literal_of(context, attr);
    switch (kind) {
    case IR_PARAM_INT:
        if (attr->kind == IR_ATTR_BOOL)
            return ir_attr_int(context, attr->boolean);
        return attr->kind == IR_ATTR_INT ? attr : NULL;
    case IR_PARAM_FLOAT:
        if (attr->kind == IR_ATTR_INT)
            return ir_attr_float(context, (double)attr->integer);
        return attr->kind == IR_ATTR_FLOAT ? attr : NULL;
    case IR_PARAM_BOOL:
        if (attr->kind == IR_ATTR_INT && (attr->integer == 0 || attr->integer == 1))
            return ir_attr_bool(context, attr->integer == 1);
        return attr->kind == IR_ATTR_BOOL ? attr : NULL;
    case IR_PARAM_STRING:
    case IR_PARAM_TEXT:
        return attr->kind == IR_ATTR_STRING ? attr : NULL;
    default:
        return attr;
    }
}

static const struct ir_attr *convert_list(struct relax *r, const struct ir_attr *attr,
                                          enum ir_param_kind kind)
{
    struct ir_context *context = r->f->context;
    const struct ir_attr *const *items = attr->kind == IR_ATTR_LIST ? attr->items : &attr;
    unsigned count = attr->kind == IR_ATTR_LIST ? attr->count : 1;
    const struct ir_attr **converted = arena_array(&r->f->arena, const struct ir_attr *, count + 1);
    for (unsigned i = 0; i < count; i++) {
        converted[i] =
            convert_one(context, items[i], kind == IR_PARAM_INTS ? IR_PARAM_INT : IR_PARAM_FLOAT);
        if (converted[i] == NULL)
            return NULL;
    }
    return ir_attr_list(context, converted, count);
}

static const struct ir_attr *wrong_kind(struct relax *r, const struct ast *a,
                                        const struct ir_op_info *info,
                                        const struct ir_op_param *param, const char *found)
{
    struct diag_message *m = diag_report(r->f->diag, a->loc, OP_ARGUMENT_KIND, param->name,
                                         info->name, kind_texts[param->kind], found);
    if (a->kind == AST_NONE && param->has_default)
        help_default(r->f, m, info, param->name);
    help_argument(r->f, m, a, param->kind);
    return NULL;
}

/* Is @attr, which @a says, one of the words that the attribute may be?  Others would silently mean one of them. */
static bool is_choice(struct relax *r, const struct ast *a, const struct ir_op_info *info,
                      const char *name, const struct ir_attr *attr)
{
    const char *const *words = op_choices(info, name);
    struct text all = {0};

    if (words == NULL || attr->kind != IR_ATTR_STRING)
        return true;
    for (unsigned i = 0; words[i]; i++) {
        if (strcmp(words[i], attr->string) == 0) {
            text_finish(&all);
            return true;
        }
        text_printf(&all, "%s\"%s\"", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    }
    const char *must = arena_printf(&r->f->arena, "must be %s", text_string(&all));
    struct text_nearest nearest = text_nearest_to(attr->string);
    struct diag_message *m = diag_report(r->f->diag, a->loc, OP_ATTRIBUTE, info->name, name, must);
    text_finish(&all);
    for (unsigned i = 0; words[i]; i++)
        text_nearest_offer(&nearest, words[i]);
    if (op_choice_meant(words, attr->string))
        nearest.found = op_choice_meant(words, attr->string);
    if (!nearest.found)
        nearest.found = only_containing(attr->string, words);
    if (nearest.found && a->kind == AST_STRING) {
        diag_help(m, "there is `\"%s\"`", nearest.found);
        diag_help_edit(m, a->loc, "\"%s\"", nearest.found);
    }
    return false;
}

/* None, @a: of a flag it is the default, else a value of its own, if the operator has one. */
static const struct ir_attr *none_attr(struct relax *r, const struct ast *a,
                                       const struct ir_op_info *info,
                                       const struct ir_op_param *param)
{
    bool is_free = param->kind == IR_PARAM_DEVICE || param->kind == IR_PARAM_ANY;

    if (param->is_optional && param->kind == IR_PARAM_BOOL)
        return param->default_value;
    return param->is_optional || is_free ? ir_attr_none(r->f->context)
                                         : wrong_kind(r, a, info, param, "None");
}

const struct ir_attr *relax_convert_attr(struct relax *r, const struct ast *a,
                                         const struct ir_op_info *info,
                                         const struct ir_op_param *param)
{
    struct ir_context *context = r->f->context;
    if (a->kind == AST_NONE)
        return none_attr(r, a, info, param);
    if (param->kind == IR_PARAM_DTYPE) {
        struct ir_dtype dtype;
        bool is_empty = a->kind == AST_STRING && (a->length == 0 || strcmp(a->string, "void") == 0);
        if (is_empty && param->is_optional)
            return ir_attr_none(context);
        return dtype_translate(r->f, a, &dtype) ? ir_attr_dtype(context, dtype) : NULL;
    }
    bool is_string = param->kind == IR_PARAM_STRING || param->kind == IR_PARAM_TEXT;
    if (is_string && a->kind == AST_CALL && is_dotted(r->f, a, "R.str") && a->item_count == 2)
        a = a->items[1];
    if (a->kind == AST_STRING && param->kind == IR_PARAM_DEVICE)
        return ir_attr_string(context, relax_vdevice(r->f, a));
    const struct ir_attr *attr = attr_translate(r->f, a);
    if (attr == NULL)
        return NULL;
    bool is_list = param->kind == IR_PARAM_INTS || param->kind == IR_PARAM_FLOATS;
    const struct ir_attr *converted =
        is_list ? convert_list(r, attr, param->kind) : convert_one(context, attr, param->kind);
    if (converted == NULL)
        return wrong_kind(r, a, info, param, attr_texts[attr->kind]);
    return is_choice(r, a, info, param->name, converted) ? converted : NULL;
}

/* Operands */

struct ir_value *relax_argument(struct relax *r, const struct ast *a, struct ir_dtype dtype)
{
    if (a->kind == AST_NONE)
        return relax_emit_core(relax_at(r, a->loc), IR_CORE_null_value, NULL, 0, NULL, NULL);
    if (relax_is_number(a))
        return relax_number_constant(r, a, dtype);
    return relax_operand(r, a);
}

/* A scalar operand: number, symbol, or a value of a scalar type. */
static struct ir_value *prim_operand(struct relax *r, const struct ast *a)
{
    if (a->kind == AST_NONE)
        return relax_argument(r, a, IR_VOID);
    return relax_operand(r, a);
}

static struct ir_value *shape_operand(struct relax *r, const struct ast *a)
{
    if (a->kind == AST_NONE)
        return relax_argument(r, a, IR_VOID);
    if (a->kind != AST_TUPLE && a->kind != AST_LIST)
        return relax_operand(r, a);
    const struct ir_expr **dims =
        arena_array(&r->f->context->arena, const struct ir_expr *, a->item_count);
    bool ok = true;
    for (unsigned i = 0; i < a->item_count; i++) {
        dims[i] = dim_translate(r->f, a->items[i]);
        ok = ok && dims[i] != NULL;
    }
    if (!ok)
        return NULL;
    struct ir_value *shape = ir_inline_shape(r->module, dims, a->item_count);
    shape->loc = shape->def->loc = a->loc;
    return shape;
}

/* "float32" for R.dtype("float32"). */
static struct ir_value *dtype_operand(struct relax *r, const struct ast *a)
{
    struct ir_dtype dtype;

    return dtype_translate(r->f, a, &dtype) ? ir_inline_dtype(r->module, dtype) : NULL;
}

static struct ir_value *operand_of(struct relax *r, const struct ast *a,
                                   const struct ir_op_param *param)
{
    switch (param->kind) {
    case IR_PARAM_SHAPE:
        return shape_operand(r, a);
    case IR_PARAM_PRIM:
        return prim_operand(r, a);
    case IR_PARAM_EXPRS:
        return a->kind == AST_NONE ? relax_argument(r, a, IR_VOID) : relax_operand(r, a);
    default:
        if (a->kind == AST_STRING && strcmp(param->name, "dtype") == 0)
            return dtype_operand(r, a);
        return a->kind == AST_NONE ? relax_argument(r, a, IR_VOID) : relax_operand(r, a);
    }
}

/* Of R.where: it chooses, and the others are what is chosen from. */
static bool is_condition(const struct ir_op_info *info, unsigned operand)
{
    for (unsigned i = 0; i < info->param_count; i++)
        if (info->params[i].operand_index == operand && !info->params[i].is_variadic)
            return strcmp(info->params[i].name, "condition") == 0;
    return false;
}

/* The dtype that bare numbers take: of the first operand that is a tensor of known dtype. */
static struct ir_dtype dtype_of_operands(const struct arguments *args, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct ir_value *value = args->operands[i];
        if (is_condition(args->info, i))
            continue;
        if (value != NULL && value->type->kind == IR_TYPE_TENSOR &&
            !ir_dtype_is_void(value->type->dtype))
            return value->type->dtype;
    }
    return IR_VOID;
}

/*
 * Is the bare number @a a tensor constant of the dtype of the other operands?  Elementwise operators
 * have no scalar operands; elsewhere a number is a scalar, as in TVM.
 */
static bool is_late(const struct ir_op_info *info, const struct ir_op_param *param,
                    const struct ast *a)
{
    bool wants_tensor =
        (info->traits & IR_ELEMENTWISE) != 0 || strcmp(param->name, "fill_value") == 0;
    return param->kind == IR_PARAM_EXPR && wants_tensor && relax_is_number(a);
}

static bool read_operands(struct arguments *args)
{
    struct relax *r = args->r;
    const struct ir_op_info *info = args->info;
    unsigned total = info->operand_count + args->rest_count;
    bool ok = true;
    for (unsigned i = 0; i < info->param_count; i++) {
        const struct ir_op_param *param = &info->params[i];
        if (param->is_variadic) {
            ok = relax_operands(r, args->rest, args->rest_count,
                                args->operands + info->operand_count) &&
                 ok;
            continue;
        }
        const struct ast *a = args->given[i];
        if (param->kind >= IR_PARAM_INT || (a != NULL && is_late(info, param, a)))
            continue;
        struct ir_value *value = a != NULL
                                     ? operand_of(r, a, param)
                                     : relax_emit_core(relax_at(r, args->call->loc),
                                                       IR_CORE_null_value, NULL, 0, NULL, NULL);
        args->operands[param->operand_index] = value;
        ok = ok && value != NULL;
    }
    struct ir_dtype dtype = dtype_of_operands(args, total);
    for (unsigned i = 0; i < info->param_count && ok; i++) {
        const struct ir_op_param *param = &info->params[i];
        if (args->given[i] == NULL || param->is_variadic || !is_late(info, param, args->given[i]))
            continue;
        struct ir_value *value = relax_argument(r, args->given[i], dtype);
        args->operands[param->operand_index] = value;
        ok = ok && value != NULL;
    }
    return ok;
}

/* R.concat(a, b): the tensors are one argument, a tuple. */
static bool is_spread(struct arguments *args)
{
    const struct ir_op_info *info = args->info;
    const struct ast *call = args->call;
    unsigned count = call_positional_count(call);

    if (info->param_count == 0 || info->params[0].kind != IR_PARAM_EXPRS || count < 2 ||
        info->params[0].is_variadic || call->items[1]->kind != AST_NAME ||
        call->items[2]->kind != AST_NAME)
        return false;
    for (unsigned i = 1; i <= 2; i++) {
        const struct name *name = scope_find(args->r->f, call->items[i]->name);
        if (name == NULL || name->kind != NAME_VALUE)
            return false;
    }
    struct location all = location_join(call->items[1]->loc, call->items[count]->loc);
    struct diag_message *m =
        diag_report(args->r->f->diag, all, OP_ARGUMENT_KIND, info->params[0].name, info->name,
                    "a tuple of tensors", "several");
    diag_help(m, "put them in a tuple");
    diag_help_wrap(m, all, "(", ")");
    return true;
}

static bool read_attrs(struct arguments *args)
{
    bool ok = true;
    for (unsigned i = 0; i < args->info->param_count; i++) {
        const struct ir_op_param *param = &args->info->params[i];
        if (param->kind < IR_PARAM_INT || args->given[i] == NULL)
            continue;
        args->attrs[param->attr_index] =
            relax_convert_attr(args->r, args->given[i], args->info, param);
        if (args->attrs[param->attr_index] == NULL && args->given[i]->kind == AST_STRING &&
            strcmp(param->name, "padding") == 0)
            help_padding(args->r->f, diag_doubt(args->r->f->diag),
                         &(struct padding_call){args->info, args->given, args->operands,
                                                args->info->operand_count},
                         args->given[i]);
        ok = ok && args->attrs[param->attr_index] != NULL;
    }
    return ok;
}

/* Which argument is which parameter */

static const char *param_list(struct relax *r, const struct ir_op_info *info)
{
    struct text text = {0};
    for (unsigned i = 0; i < info->param_count; i++)
        text_printf(&text, "%s`%s`", i > 0 ? ", " : "", info->params[i].name);
    const char *list = atom_intern_text(&r->f->context->atoms, text_string(&text));
    text_finish(&text);
    return list;
}

static bool is_type_keyword(const char *name)
{
    return strcmp(name, "ty_args") == 0 || strcmp(name, "sinfo_args") == 0 ||
           strcmp(name, "out_ty") == 0 || strcmp(name, "out_sinfo") == 0;
}

static bool is_needed(const struct ir_op_param *param)
{
    return !param->is_optional && !param->is_variadic && !param->has_default;
}

static bool is_parameter(const struct ir_op_info *info, const char *name)
{
    for (unsigned i = 0; i < info->param_count; i++)
        if (strcmp(info->params[i].name, name) == 0)
            return true;
    return false;
}

static unsigned unknown_count(const struct arguments *args)
{
    unsigned count = 0;

    for (unsigned i = call_positional_count(args->call) + 1; i < args->call->item_count; i++) {
        const char *name = args->call->items[i]->name;
        count += !is_parameter(args->info, name) && !is_type_keyword(name);
    }
    return count;
}

/* `R.subtract(x1=x, y=m)`: the only operand that is left, where nothing else is unknown. */
static bool help_only_left(const struct arguments *args, struct diag_message *m,
                           const struct ast *keyword)
{
    const struct ir_op_info *info = args->info;
    const char *left = NULL;
    unsigned count = call_positional_count(args->call);

    for (unsigned i = count; i < info->param_count; i++) {
        bool is_given = args->given[i] != NULL;
        for (unsigned k = count + 1; k < args->call->item_count; k++)
            is_given |= strcmp(args->call->items[k]->name, info->params[i].name) == 0;
        if (is_given || !is_needed(&info->params[i]))
            continue;
        if (left || info->params[i].kind != IR_PARAM_EXPR)
            return false;
        left = info->params[i].name;
    }
    if (!left || unknown_count(args) > 1)
        return false;
    diag_help(m, "`%s` is the one that is left", left);
    diag_help_edit(m, keyword->name_loc, "%s", left);
    return true;
}

static bool place_keyword(struct arguments *args, const struct ast *keyword)
{
    struct diag *diag = args->r->f->diag;
    const struct ir_op_info *info = args->info;
    for (unsigned i = 0; i < info->param_count; i++) {
        if (strcmp(info->params[i].name, keyword->name) != 0 || info->params[i].is_variadic)
            continue;
        if (args->given[i] != NULL) {
            struct diag_message *m =
                diag_report(diag, keyword->name_loc, OP_ARGUMENT_TWICE, keyword->name, info->name);
            diag_label(m, args->given[i]->loc, "given here already");
            help_first_list(args->r->f, m, info, args->call);
            return false;
        }
        args->given[i] = keyword->items[0];
        return true;
    }
    if (is_type_keyword(keyword->name)) {
        const struct ast *types = keyword->items[0];
        bool is_empty =
            (types->kind == AST_LIST || types->kind == AST_TUPLE) && types->item_count == 0;
        args->declared = is_empty ? NULL : relax_types(args->r->f, types);
        return is_empty || args->declared != NULL;
    }
    struct diag_message *m =
        diag_report(diag, keyword->name_loc, OP_KEYWORD, info->name, keyword->name);
    const char **names = arena_array(&args->r->f->arena, const char *, info->param_count + 1);
    for (unsigned i = 0; i < info->param_count; i++)
        names[i] = info->params[i].name;
    const char *meant = argument_of_word(keyword->name, names);
    if (meant != NULL)
        help_renamed(args->r->f, m, keyword, meant, info, args->given);
    else if (!help_only_left(args, m, keyword))
        help_nearest(m, keyword->name_loc, keyword->name, names, "");
    if (info->param_count > 0)
        diag_help(m, "its arguments are %s", param_list(args->r, info));
    return false;
}

static const char *count_text(struct relax *r, unsigned count)
{
    return arena_printf(&r->f->arena, "%u argument%s", count, count == 1 ? "" : "s");
}

static bool place_arguments(struct arguments *args)
{
    const struct ir_op_info *info = args->info;
    const struct ast *call = args->call;
    unsigned positional = call_positional_count(call), fixed = 0;
    while (fixed < info->param_count && !info->params[fixed].is_variadic)
        fixed++;
    if (!call_refuse_unnamed(args->r->f, call) || report_two_operands(args->r->f, call, info))
        return false;
    bool is_variadic = fixed < info->param_count;
    if (positional > fixed && !is_variadic) {
        struct diag_message *m =
            diag_report(args->r->f->diag, call->items[fixed + 1]->loc, OP_ARGUMENT_COUNT,
                        info->name, count_text(args->r, fixed), positional);
        if (fixed > 0)
            diag_help(m, "its arguments are %s", param_list(args->r, info));
        help_list(args->r->f, m, info, call, positional);
        help_decimal_comma(m, call, fixed);
        return false;
    }
    for (unsigned i = 0; i < positional && i < fixed; i++)
        args->given[i] = call->items[i + 1];
    if (positional > fixed) {
        args->rest = call->items + 1 + fixed;
        args->rest_count = positional - fixed;
        /* R.assert_op(c, [x, y], ..): a list stands for its items */
        if (args->rest_count == 1 && args->rest[0]->kind == AST_LIST) {
            args->rest_count = args->rest[0]->item_count;
            args->rest = args->rest[0]->items;
        }
    }
    bool ok = true;
    for (unsigned i = positional + 1; i < call->item_count; i++)
        ok = place_keyword(args, call->items[i]) && ok;
    for (unsigned i = 0; i < info->param_count && ok; i++) {
        const struct ir_op_param *param = &info->params[i];
        if (args->given[i] != NULL || !is_needed(param))
            continue;
        struct diag_message *m =
            diag_report(args->r->f->diag, call->loc, OP_ARGUMENT_MISSING, info->name, param->name);
        help_missing(args->r->f, m, call, info, param->name);
        help_joined(m, call, info);
        help_loose_dot(m, call);
        ok = false;
    }
    return ok;
}

static bool has_error(const struct ast *call)
{
    for (unsigned i = 0; i < call->item_count; i++)
        if (call->items[i]->kind == AST_ERROR)
            return true;
    return false;
}

/* Is it written as R.<name>(..)?  What ends a block, is part of an argument, or means a function is not. */
static bool has_text(const struct ir_op_info *info)
{
    bool is_leaf = (info->traits & IR_INLINE) != 0 && info->param_count > 0;
    return !is_leaf && (info->traits & IR_TERMINATOR) == 0 && info->core != IR_CORE_function &&
           info->core != IR_CORE_call;
}

struct ir_value *relax_library_call(struct relax *r, const struct ast *call, const char *name)
{
    const struct ir_op_info *info = ir_find_op(r->f->context, name);
    if (info == NULL || !has_text(info))
        return relax_unknown_operator(r, call, name);
    if (has_error(call))
        return NULL;
    struct arena *arena = &r->f->arena;
    struct arguments args = {.r = r, .call = call, .info = info};
    args.given = arena_array(arena, const struct ast *, info->param_count + 1);
    args.attrs = arena_array(arena, const struct ir_attr *, info->attr_count + 1);
    if (is_spread(&args) || !place_arguments(&args))
        return NULL;
    unsigned total = info->operand_count + args.rest_count;
    args.operands = arena_array(arena, struct ir_value *, total + 1);
    bool ok = read_operands(&args);
    if (!read_attrs(&args) || !ok)
        return NULL;
    size_t said = diag_message_count(r->f->diag);
    struct ir_value *value =
        relax_emit(relax_at(r, call->loc), info, args.operands, total, args.attrs, args.declared);
    if (!value && diag_message_count(r->f->diag) == said + 1)
        relax_help_exchanged(r, info, args.given, args.operands, total, args.attrs);
    return value;
}

/* Declarations of symbols: n = T.int64(), in kernels and in Relax functions. */
#include "frontend/tvmscript/tir.h"

#include <string.h>

/* T.int64(), T.handle("float32"): a dtype called without a value. */
static bool is_declaration(struct frontend *f, const struct ast *a, struct ir_dtype *out_dtype)
{
    const struct ast *type = call_arg(a, 1, "ty");

    if (a->kind == AST_CALL && is_dotted(f, a, "T.Var")) /* T.Var("n", "int32") */
        return (type = type ? type : call_arg(a, 1, "dtype")) && type->kind == AST_STRING &&
               ir_dtype_parse(type->string, out_dtype);
    if (a->kind != AST_CALL || !dtype_of_name(callee_name(f, a), out_dtype))
        return false;
    return a->item_count == 1 || out_dtype->code == IR_HANDLE ||
           (a->item_count == 2 && a->items[1]->kind == AST_KEYWORD &&
            strcmp(a->items[1]->name, "is_size_var") == 0);
}

static void declare(struct frontend *f, const struct ast *target, const struct ast *type,
                    struct ir_dtype dtype)
{
    const struct name *known = scope_use(f, target);
    const struct ir_var *var =
        known && (known->kind == NAME_VAR || known->kind == NAME_VALUE) ? known->var : NULL;

    if (var && ir_dtype_equal(var->dtype, dtype))
        return;
    struct ir_var *symbol = ir_symbol_new(f->context, target->name, dtype);
    symbol->loc = target->loc;
    symbol->is_symbol = ir_dtype_is_int(dtype);
    pointer_describe(symbol, type);
    scope_bind(f, NAME_VAR, target->name, target->loc)->var = symbol;
}

/* I.meta_var(T.int64(16)), T.int64(16) beside declarations: a name for the number. */
static bool is_meta_var(struct frontend *f, const struct ast *a)
{
    struct ir_dtype dtype;

    if (a->kind != AST_CALL || a->item_count != 2)
        return false;
    return is_dotted(f, a, "I.meta_var") || (!f->tir && dtype_of_name(callee_name(f, a), &dtype));
}

static void bind_meta_var(struct frontend *f, const struct ast *target, const struct ast *call)
{
    bool is_named = is_dotted(f, call, "I.meta_var");
    const struct ir_expr *expr = scalar_translate(f, is_named ? call->items[1] : call, IR_I64);

    scope_bind(f, expr ? NAME_EXPR : NAME_ERROR, target->name, target->loc)->expr = expr;
}

static bool are_names(const struct ast *target)
{
    for (unsigned i = 0; i < target->item_count; i++)
        if (target->items[i]->kind != AST_NAME)
            return false;
    return target->item_count > 1;
}

/* `m, k = T.int64()` */
static void report_one_declaration(struct frontend *f, const struct ast *target,
                                   const struct ast *value)
{
    struct diag_message *m = diag_report(f->diag, value->loc, KERNEL_UNPACK, target->item_count,
                                         PLURAL(target->item_count), 1, "");
    const char *all = "";

    for (unsigned i = 0; i < target->item_count; i++)
        all = arena_printf(&f->arena, "%s%s%.*s", all, i ? ", " : "", LOCATION_TEXT(value->loc));
    diag_help(m, "each symbol has a declaration");
    diag_help_edit(m, value->loc, "%s", all);
}

bool symbols_declare(struct frontend *f, const struct ast *statement)
{
    if (statement->kind != AST_ASSIGN)
        return false;
    const struct ast *target = statement->items[0], *value = statement->items[1];
    struct ir_dtype dtype;

    if (target->kind == AST_NAME && is_declaration(f, value, &dtype)) {
        declare(f, target, value, dtype);
        return true;
    }
    bool is_list = target->kind == AST_TUPLE || target->kind == AST_LIST;
    if (is_list && is_declaration(f, value, &dtype) && are_names(target)) {
        report_one_declaration(f, target, value);
        for (unsigned i = 0; i < target->item_count; i++)
            declare(f, target->items[i], value, dtype);
        return true;
    }
    if (!is_list || (value->kind != AST_TUPLE && value->kind != AST_LIST) ||
        target->item_count != value->item_count || target->item_count == 0)
        return false;
    for (unsigned i = 0; i < target->item_count; i++)
        if (target->items[i]->kind != AST_NAME ||
            (!is_declaration(f, value->items[i], &dtype) && !is_meta_var(f, value->items[i])))
            return false;
    for (unsigned i = 0; i < target->item_count; i++)
        if (is_declaration(f, value->items[i], &dtype))
            declare(f, target->items[i], value->items[i], dtype);
        else
            bind_meta_var(f, target->items[i], value->items[i]);
    return true;
}

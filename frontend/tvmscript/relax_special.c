/*
 * Calls with a form of their own: call_tir and its kin, packed functions, closures, match_cast.
 *
 * The text gives the arguments as a tuple; they are operands of the call itself.  A tuple value in
 * that place is taken apart.
 */
#include "frontend/tvmscript/relax.h"
#include "ir/verify.h"
#include "ops/ids.h"

#include <string.h>

/* The first of the two spellings of @call's keyword: out_ty, or out_sinfo before 0.26. */
static const struct ast *either(const struct ast *call, unsigned index, const char *name,
                                const char *old_name)
{
    const struct ast *a = call_arg(call, index, name);
    return a != NULL ? a : call_arg(call, 1000, old_name);
}

/* Operands under construction */
struct operands {
    struct relax *r;
    array(struct ir_value *) values;
};

static bool add_tuple_fields(struct operands *o, const struct ast *a, struct ir_value *tuple)
{
    for (unsigned i = 0; i < tuple->type->field_count; i++) {
        relax_open_block(o->r);
        o->r->b.loc = a->loc;
        struct ir_value *item = ir_build_tuple_get(&o->r->b, tuple, i);
        if (item == NULL)
            return false;
        array_push(&o->values, item);
    }
    return true;
}

/* The arguments: a tuple in the text, a value of tuple type, or one argument alone. */
static bool add_arguments(struct operands *o, const struct ast *a)
{
    bool is_tuple_call = a->kind == AST_CALL && is_dotted(o->r->f, a, "R.tuple");
    if (a->kind == AST_TUPLE || a->kind == AST_LIST || is_tuple_call) {
        if (!is_tuple_call && relax_report_spread_list(o->r, a->items, a->item_count, a->loc))
            return false;
        bool ok = true;
        for (unsigned i = is_tuple_call ? 1 : 0; i < a->item_count; i++) {
            struct ir_value *value = relax_operand(o->r, a->items[i]);
            if (value != NULL)
                array_push(&o->values, value);
            ok = ok && value != NULL;
        }
        return ok;
    }
    struct ir_value *value = relax_operand(o->r, a);
    if (value == NULL)
        return false;
    if (value->type->kind == IR_TYPE_TUPLE && !ir_value_is_inline(value))
        return add_tuple_fields(o, a, value);
    array_push(&o->values, value);
    return true;
}

/* What a kernel's parameters were moved for. */
struct moved {
    unsigned args, count;
};

/*
 * Before 0.26 a kernel has the symbols of tir_vars behind its outputs, since then among its
 * arguments, which is the only form here: the first call with tir_vars moves these parameters.
 */
static bool move_symbols(struct relax *r, const struct ast *a, struct tir_func *kernel,
                         unsigned args, unsigned count)
{
    const struct moved *seen = map_get(&r->f->moved_symbols, kernel);
    if (seen != NULL && (seen->args != args || seen->count != count)) {
        diag_report(r->f->diag, a->loc, GRAPH_FORM, "tir_vars",
                    "is given with another number of arguments in an earlier call");
        return false;
    }
    if (seen != NULL || kernel->param_count <= args + count)
        return true;
    for (unsigned i = kernel->param_count - count; i < kernel->param_count; i++)
        if (kernel->params[i].buffer != NULL)
            return true; /* not of that form: verification compares call and kernel */
    struct moved *moved_symbols = arena_new(&r->f->arena, struct moved);
    *moved_symbols = (struct moved){args, count};
    map_set(&r->f->moved_symbols, kernel, moved_symbols);
    struct tir_param *symbols = arena_array(&r->f->arena, struct tir_param, count);
    struct tir_param *outputs = kernel->params + args;
    size_t moved = kernel->param_count - count - args;
    memcpy(symbols, outputs + moved, count * sizeof(symbols[0]));
    memmove(outputs + count, outputs, moved * sizeof(outputs[0]));
    memcpy(outputs, symbols, count * sizeof(symbols[0]));
    return true;
}

/* tir_vars=R.shape([n]): the symbols are arguments like all others since 0.26. */
static bool add_tir_vars(struct operands *o, const struct ast *a, const struct ir_attr *callee)
{
    if (a == NULL || a->kind == AST_NONE)
        return true;
    if (a->kind == AST_CALL && a->item_count == 2 &&
        (is_dotted(o->r->f, a, "R.shape") || is_dotted(o->r->f, a, "R.ShapeExpr")))
        a = a->items[1];
    if (a->kind != AST_LIST && a->kind != AST_TUPLE) {
        diag_report(o->r->f->diag, a->loc, GRAPH_FORM, "tir_vars", "needs a list of symbols");
        return false;
    }
    struct tir_func *kernel = callee->global->kernel;
    if (kernel != NULL && a->item_count > 0 &&
        !move_symbols(o->r, a, kernel, (unsigned)o->values.count, a->item_count))
        return false;
    for (unsigned i = 0; i < a->item_count; i++) {
        const struct ir_expr *expr = scalar_translate(o->r->f, a->items[i], IR_I64);
        if (expr == NULL)
            return false;
        array_push(&o->values, ir_inline_prim(o->r->module, expr));
    }
    return true;
}

/* `cls.f`, or the name of a function in a file of bare functions. */
static const struct ir_attr *callee_attr(struct relax *r, const struct ast *call,
                                         const struct ast *a)
{
    if (a == NULL) {
        relax_wrong_form(r, call, NULL, "needs the function to call");
        return NULL;
    }
    if (a->kind == AST_STRING) {
        struct diag_message *m =
            diag_report(r->f->diag, a->loc, GRAPH_FORM, callee_name(r->f, call),
                        "calls kernels of the module: `cls.f`");
        help_kernel_name(r->f, m, a);
        return NULL;
    }
    struct ir_value *value = relax_operand(r, a);
    if (value == NULL)
        return NULL;
    if (ir_value_is_inline(value) && ir_op_is(value->def, IR_CORE_global))
        return ir_op_attr(value->def, "callee");
    diag_report(r->f->diag, a->loc, GRAPH_FORM, callee_name(r->f, call),
                "calls kernels of the module: `cls.f`");
    return NULL;
}

static const struct ir_attr **attrs_of(struct relax *r, const struct ir_op_info *info)
{
    return arena_array(&r->f->arena, const struct ir_attr *, info->attr_count + 1);
}

static bool set_attr(struct relax *r, const struct ir_op_info *info, const struct ir_attr **attrs,
                     const char *name, const struct ast *a)
{
    const struct ir_op_param *param = ir_attr_param(info, name);
    if (a == NULL)
        return true;
    attrs[param->attr_index] = relax_convert_attr(r, a, info, param);
    return attrs[param->attr_index] != NULL;
}

static struct ir_value *finish(struct operands *o, const struct ast *call,
                               const struct ir_op_info *info, const struct ir_attr **attrs,
                               const struct ir_type *declared)
{
    struct ir_value *value = relax_emit(relax_at(o->r, call->loc), info, o->values.items,
                                        (unsigned)o->values.count, attrs, declared);
    array_finish(&o->values);
    return value;
}

static struct ir_value *give_up(struct operands *o)
{
    array_finish(&o->values);
    return NULL;
}

/* The type of `out_ty`; NULL with success if it is missing, which type inference reports. */
static bool out_type(struct relax *r, const struct ast *a, const struct ir_type **out_type)
{
    *out_type = a != NULL ? relax_types(r->f, a) : NULL;
    return a == NULL || *out_type != NULL;
}

/* R.call_tir(f, x, y, out_ty=..): the arguments of the kernel stand in no tuple. */
static bool is_spread(const struct ast *call)
{
    unsigned count = call_positional_count(call);
    for (unsigned i = 2; i <= count; i++)
        if (call->items[i]->kind != AST_NAME)
            return false;
    return count > 2 && count + 1 < call->item_count;
}

static struct ir_value *spread_arguments(struct relax *r, const struct ast *call)
{
    struct location all =
        location_join(call->items[2]->loc, call->items[call_positional_count(call)]->loc);
    struct diag_message *m = diag_report(r->f->diag, all, GRAPH_FORM, callee_name(r->f, call),
                                         "needs a tuple of arguments");
    diag_help(m, "put them in brackets");
    diag_help_wrap(m, all, "(", ")");
    return NULL;
}

/* Adds `, @keyword=@text` to @call; what a kernel says of it is @text, or NULL. */
static void help_keyword(struct diag_message *m, const struct ast *call, const char *keyword,
                         const char *text)
{
    struct location end = {call->loc.source, call->loc.end - 1, call->loc.end - 1};
    if (text == NULL)
        return;
    diag_help(m, "as the kernel has it: `%s=%s`", keyword, text);
    diag_help_edit(m, end, ", %s=%s", keyword, text);
}

static const struct tir_func *kernel_of(const struct ir_attr *callee)
{
    return callee != NULL && callee->global->kind == IR_GLOBAL_KERNEL ? callee->global->kernel
                                                                      : NULL;
}

static void missing_map(const struct operands *o, const struct ast *call,
                        const struct ir_attr *callee)
{
    const struct tir_func *kernel = kernel_of(callee);
    unsigned count;
    struct diag_message *m = diag_report(o->r->f->diag, call->items[0]->loc, GRAPH_FORM,
                                         callee_name(o->r->f, call), "needs `inplace_indices`");
    if (kernel != NULL)
        help_keyword(m, call, "inplace_indices",
                     ir_kernel_map(o->r->f->context, kernel, o->values.items,
                                   (unsigned)o->values.count, &count));
}

/* The type of the result is missing; false. */
static bool missing_type(const struct operands *o, const struct ast *call,
                         const struct ir_attr *callee, bool is_inplace)
{
    const struct tir_func *kernel = kernel_of(callee);
    struct diag_message *m =
        diag_report(o->r->f->diag, call->loc, TYPE_OUT_MISSING, callee_name(o->r->f, call) + 2);
    if (kernel != NULL)
        help_keyword(m, call, "out_ty",
                     ir_kernel_results(o->r->f->context, kernel, o->values.items,
                                       (unsigned)o->values.count, is_inplace));
    return false;
}

/*
 * R.call_tir(f, args, out_ty), R.call_tir_with_grad(f, args, out_ty, te_grad_name, te_grad_kwargs),
 * R.call_tir_inplace(f, args, inplace_indices, out_ty): the indices come before the type there.
 */
static struct ir_value *call_tir(struct relax *r, const struct ast *call, enum ir_core core)
{
    static const char *const names[] = {"gvar", "args", "out_ty", "tir_vars", "out_sinfo", NULL};
    static const char *const grad_names[] = {
        "gvar", "args", "out_ty", "te_grad_name", "te_grad_kwargs", "out_sinfo", "tir_vars", NULL};
    static const char *const inplace_names[] = {
        "gvar", "args", "inplace_indices", "out_ty", "out_sinfo", "tir_vars", "strict", NULL};
    bool is_inplace = core == IR_CORE_call_tir_inplace,
         is_grad = core == IR_CORE_call_tir_with_grad;
    if (is_spread(call))
        return spread_arguments(r, call);
    if (!call_check_args(r->f, call,
                         is_inplace ? 4
                         : is_grad  ? 5
                                    : 4,
                         is_inplace ? inplace_names
                         : is_grad  ? grad_names
                                    : names))
        return NULL;
    const struct ir_op_info *info = ir_core_op(r->f->context, core);
    const struct ir_attr **attrs = attrs_of(r, info);
    const struct ir_attr *callee = callee_attr(r, call, call_arg(call, 0, "gvar"));
    const struct ast *args = call_arg(call, 1, "args"), *indices = NULL;
    const struct ir_type *declared = NULL;
    struct operands o = {.r = r};
    bool ok = callee != NULL;
    attrs[ir_attr_param(info, "callee")->attr_index] = callee;
    if (args != NULL)
        ok = add_arguments(&o, args) && ok;
    else if (ok)
        ok = relax_wrong_form(r, call, NULL, "needs a tuple of arguments") != NULL;
    ok = out_type(r, either(call, is_inplace ? 3 : 2, "out_ty", "out_sinfo"), &declared) && ok;
    ok = ok &&
         add_tir_vars(&o, call_arg(call, is_inplace || is_grad ? 1000 : 3, "tir_vars"), callee);
    if (is_inplace) {
        indices = call_arg(call, 2, "inplace_indices");
        if (indices == NULL) {
            ok = false;
            missing_map(&o, call, callee);
        }
        ok = set_attr(r, info, attrs, "inplace_indices", indices) && ok;
        ok = set_attr(r, info, attrs, "strict", call_arg(call, 1000, "strict")) && ok;
    }
    if (is_grad) {
        ok = set_attr(r, info, attrs, "te_grad_name", call_arg(call, 3, "te_grad_name")) && ok;
        ok = set_attr(r, info, attrs, "te_grad_kwargs", call_arg(call, 4, "te_grad_kwargs")) && ok;
    }
    if (ok && declared == NULL)
        ok = missing_type(&o, call, callee, is_inplace);
    return ok ? finish(&o, call, info, attrs, declared) : give_up(&o);
}

/* A packed function: its symbol is attribute `func`; a function value is operand 0. */
static bool packed_callee(struct operands *o, const struct ast *call, const struct ast *a,
                          const struct ir_attr **out_attr)
{
    struct relax *r = o->r;
    *out_attr = ir_attr_none(r->f->context);
    if (a == NULL) {
        relax_wrong_form(r, call, NULL, "needs the function to call");
        return false;
    }
    if (a->kind == AST_CALL && is_dotted(r->f, a, "R.ExternFunc") && a->item_count == 2)
        a = a->items[1];
    if (a->kind == AST_STRING) {
        *out_attr = ir_attr_string(r->f->context, a->string);
        return true;
    }
    struct ir_value *value = relax_operand(r, a);
    if (value != NULL)
        array_push(&o->values, value);
    return value != NULL;
}

/* R.call_dps_packed(func, args, out_ty), R.call_py_func(name, args, out_ty). */
static struct ir_value *call_dps(struct relax *r, const struct ast *call, enum ir_core core)
{
    const struct ir_op_info *info = ir_core_op(r->f->context, core);
    const struct ir_attr **attrs = attrs_of(r, info), *func = NULL;
    struct operands o = {.r = r};
    static const char *const names[] = {"func", "args", "out_ty", "out_sinfo", "func_name", NULL};
    const struct ast *args = call_arg(call, 1, "args");
    const struct ir_type *declared = NULL;
    const struct ast *callee = either(call, 0, "func", "func_name");
    bool ok = call_check_args(r->f, call, 3, names);
    ok = packed_callee(&o, call, callee, &func) && ok;
    attrs[ir_attr_param(info, "func")->attr_index] = func;
    if (args != NULL)
        ok = add_arguments(&o, args) && ok;
    ok = out_type(r, either(call, 2, "out_ty", "out_sinfo"), &declared) && ok;
    return ok ? finish(&o, call, info, attrs, declared) : give_up(&o);
}

/* The type of `ty_args` (before 0.26: sinfo_args); NULL with success: not given. */
static bool type_args(struct relax *r, const struct ast *call, unsigned index,
                      const struct ir_type **out_type)
{
    const struct ast *a = either(call, index, "ty_args", "sinfo_args");
    *out_type = NULL;
    if (a == NULL || a->kind == AST_NONE)
        return true;
    if ((a->kind == AST_LIST || a->kind == AST_TUPLE) && a->item_count == 0)
        return true;
    *out_type = relax_types(r->f, a);
    return *out_type != NULL;
}

static bool check_packed_keywords(struct relax *r, const struct ast *call, bool is_inplace)
{
    bool ok = call_refuse_unnamed(r->f, call);
    for (unsigned i = call_positional_count(call) + 1; ok && i < call->item_count; i++) {
        const char *name = call->items[i]->name;
        bool is_known = strcmp(name, "ty_args") == 0 || strcmp(name, "sinfo_args") == 0 ||
                        strcmp(name, "func") == 0 ||
                        (is_inplace && strcmp(name, "inplace_indices") == 0);
        if (is_known)
            continue;
        struct diag_message *m = diag_report(r->f->diag, call->items[i]->name_loc, OP_KEYWORD,
                                             callee_name(r->f, call) + 2, name);
        diag_help(m, "its keyword arguments are %s`ty_args`",
                  is_inplace ? "`inplace_indices` and " : "");
        ok = false;
    }
    return ok;
}

/* What TVM's importers write for R.tensor_to_shape(x), which has no effect: a vector's elements as a shape. */
static bool is_tensor_to_shape(const struct operands *o, const struct ir_attr *func)
{
    if (!func || func->kind != IR_ATTR_STRING || o->values.count != 1 ||
        strcmp(func->string, "vm.builtin.tensor_to_shape") != 0)
        return false;
    const struct ir_type *type = o->values.items[0]->type;
    return type->kind == IR_TYPE_TENSOR && type->ndim == 1 && type->dims;
}

/* R.call_packed("sym", a, b, ty_args=..) and the pure and in-place ones. */
static struct ir_value *call_packed(struct relax *r, const struct ast *call, enum ir_core core)
{
    bool is_inplace = core == IR_CORE_call_inplace_packed;
    const struct ir_op_info *info = ir_core_op(r->f->context, core);
    const struct ir_attr **attrs = attrs_of(r, info), *func = NULL;
    const struct ir_type *declared;
    struct operands o = {.r = r};
    bool ok = check_packed_keywords(r, call, is_inplace);
    ok = packed_callee(&o, call, call_arg(call, 0, "func"), &func) && ok;
    attrs[ir_attr_param(info, "func")->attr_index] = func;
    unsigned positional = call_positional_count(call);
    for (unsigned i = 2; i <= positional; i++) {
        struct ir_value *value = relax_operand(r, call->items[i]);
        if (value != NULL)
            array_push(&o.values, value);
        ok = ok && value != NULL;
    }
    ok = type_args(r, call, 1000, &declared) && ok;
    if (is_inplace) {
        const struct ast *indices = call_arg(call, 1000, "inplace_indices");
        if (indices == NULL)
            ok = relax_wrong_form(r, call, NULL, "needs `inplace_indices`") != NULL;
        ok = set_attr(r, info, attrs, "inplace_indices", indices) && ok;
    }
    if (ok && core == IR_CORE_call_packed && is_tensor_to_shape(&o, func))
        return finish(&o, call, ir_library_op(r->f->context, OP_tensor_to_shape), NULL, NULL);
    return ok ? finish(&o, call, info, attrs, declared) : give_up(&o);
}

/* R.call_builtin_with_ctx("sym", (a, b), ty_args=..). */
static struct ir_value *call_builtin(struct relax *r, const struct ast *call, enum ir_core core)
{
    static const char *const names[] = {"func", "args", "ty_args", "sinfo_args", NULL};
    if (!call_check_args(r->f, call, 2, names))
        return NULL;
    const struct ir_op_info *info = ir_core_op(r->f->context, core);
    const struct ir_attr **attrs = attrs_of(r, info), *func = NULL;
    const struct ast *args = call_arg(call, 1, "args");
    const struct ir_type *declared;
    struct operands o = {.r = r};
    bool ok = packed_callee(&o, call, call_arg(call, 0, "func"), &func);
    attrs[ir_attr_param(info, "func")->attr_index] = func;
    if (args != NULL)
        ok = add_arguments(&o, args) && ok;
    ok = type_args(r, call, 1000, &declared) && ok;
    return ok ? finish(&o, call, info, attrs, declared) : give_up(&o);
}

/* R.make_closure(f, args), R.invoke_closure(f, args, ty_args), R.invoke_pure_closure(..). */
static struct ir_value *closure(struct relax *r, const struct ast *call, enum ir_core core)
{
    static const char *const names[] = {"closure", "args", "ty_args", "sinfo_args", NULL};
    static const char *const make_names[] = {"func", "args", NULL};
    bool is_make = core == IR_CORE_make_closure;
    if (!call_check_args(r->f, call, is_make ? 2 : 3, is_make ? make_names : names))
        return NULL;
    const struct ir_op_info *info = ir_core_op(r->f->context, core);
    const struct ast *callee = call_arg(call, 0, is_make ? "func" : "closure");
    const struct ast *args = call_arg(call, 1, "args");
    const struct ir_type *declared = NULL;
    struct operands o = {.r = r};
    if (callee == NULL)
        return relax_wrong_form(r, call, NULL, "needs the function to call");
    struct ir_value *value = relax_operand(r, callee);
    bool ok = value != NULL;
    if (ok)
        array_push(&o.values, value);
    if (args != NULL)
        ok = add_arguments(&o, args) && ok;
    if (!is_make)
        ok = type_args(r, call, 2, &declared) && ok;
    return ok ? finish(&o, call, info, NULL, declared) : give_up(&o);
}

static struct ir_value *match_cast(struct relax *r, const struct ast *call, enum ir_core core)
{
    static const char *const names[] = {"value", "ty", "struct_info", NULL};
    if (!call_check_args(r->f, call, 2, names))
        return NULL;
    const struct ast *value = call_arg(call, 0, "value");
    const struct ast *wanted = either(call, 1, "ty", "struct_info");
    if (value == NULL || wanted == NULL)
        return relax_wrong_form(r, call, NULL, "needs a value and a type");
    struct ir_value *operand = relax_operand(r, value);
    r->f->cast = call->loc;
    const struct ir_type *type = relax_type(r->f, wanted);
    r->f->cast = (struct location){0};
    if (operand == NULL || type == NULL)
        return NULL;
    return relax_emit_core(relax_at(r, call->loc), core, &operand, 1, NULL, type);
}

/* R.emit_with_ty("relax.builtin.alloc_tensor", (args,), (type,)): an operator by its name. */
static struct ir_value *emit_with_type(struct relax *r, const struct ast *call, enum ir_core core)
{
    const struct ast *name = call_arg(call, 0, "func"), *args = call_arg(call, 1, "args");
    bool is_relax =
        name != NULL && name->kind == AST_STRING && strncmp(name->string, "relax.", 6) == 0;
    const struct ir_op_info *info = is_relax ? ir_find_op(r->f->context, name->string + 6) : NULL;
    const struct ir_type *declared;
    if (info == NULL || info->core != IR_CORE_none || args == NULL)
        return relax_wrong_form(r, call, NULL,
                                "needs the name of an operator, such as "
                                "\"relax.builtin.alloc_tensor\", and its arguments");
    struct operands o = {.r = r};
    bool ok = add_arguments(&o, args);
    ok = type_args(r, call, 2, &declared) && ok;
    if (ok && o.values.count != info->operand_count)
        ok = relax_wrong_form(r, call, NULL, "needs all arguments of the operator") != NULL;
    return ok ? finish(&o, call, info, NULL, declared) : give_up(&o);
}

static const struct {
    const char *name;
    enum ir_core core;
    relax_special_fn *make;
} special_table[] = {
    {"call_tir", IR_CORE_call_tir, call_tir},
    {"call_tir_inplace", IR_CORE_call_tir_inplace, call_tir},
    {"call_tir_with_grad", IR_CORE_call_tir_with_grad, call_tir},
    {"call_dps_packed", IR_CORE_call_dps_packed, call_dps},
    {"call_py_func", IR_CORE_call_py_func, call_dps},
    {"call_packed", IR_CORE_call_packed, call_packed},
    {"call_pure_packed", IR_CORE_call_pure_packed, call_packed},
    {"call_inplace_packed", IR_CORE_call_inplace_packed, call_packed},
    {"call_builtin_with_ctx", IR_CORE_call_builtin_with_ctx, call_builtin},
    {"make_closure", IR_CORE_make_closure, closure},
    {"invoke_closure", IR_CORE_invoke_closure, closure},
    {"invoke_pure_closure", IR_CORE_invoke_pure_closure, closure},
    {"match_cast", IR_CORE_match_cast, match_cast},
    {"emit_with_ty", IR_CORE_none, emit_with_type},
    {"emit_with_type", IR_CORE_none, emit_with_type},
    {"emit_with_sinfo", IR_CORE_none, emit_with_type},
};

relax_special_fn *relax_find_special(const char *name, enum ir_core *out_core)
{
    for (size_t i = 0; i < ARRAY_SIZE(special_table); i++)
        if (strcmp(name, special_table[i].name) == 0) {
            *out_core = special_table[i].core;
            return special_table[i].make;
        }
    return NULL;
}

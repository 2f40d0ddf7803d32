/*
 * Relax functions: signatures first, bodies later.
 *
 * All signatures of a module are read before any body, so that functions may call each other in any
 * order; what a function without return annotation gives is R.Any until its body was read.  The
 * symbols of a signature are kept with it and bound again for the body.
 */
#include "base/assert.h"
#include "frontend/tvmscript/relax.h"
#include "ir/verify.h"

#include <string.h>

bool decorator_flag(struct frontend *f, const struct ast *def, const char *name, bool fallback)
{
    for (unsigned i = 0; i < def->decorator_count; i++) {
        const struct ast *call = def->decorators[i];
        for (unsigned k = 1; call->kind == AST_CALL && k < call->item_count; k++) {
            const struct ast *argument = call->items[k];
            if (argument->kind != AST_KEYWORD || strcmp(argument->name, name) != 0)
                continue;
            if (argument->items[0]->kind == AST_TRUE || argument->items[0]->kind == AST_FALSE)
                return argument->items[0]->kind == AST_TRUE;
            help_flag(diag_report(f->diag, argument->items[0]->loc, SYNTAX_EXPECTED,
                                  "True or False", "something else"),
                      argument->items[0]);
        }
    }
    return fallback;
}

/* `@R.function(private)`, `@R.function(pur=False)`: what is not read would be believed to hold. */
static void check_decorators(struct frontend *f, struct relax_decl *decl, const struct ast *def)
{
    static const char *const flags[] = {"pure", "private", "check_well_formed", NULL};

    for (unsigned i = 0; i < def->decorator_count; i++)
        if (is_dotted(f, def->decorators[i], "R.function") &&
            !decorator_check(f, def->decorators[i], flags))
            decl->is_broken = true;
}

static void bind_type_param(struct frontend *f, struct relax_decl *decl, const char *text,
                            struct location loc)
{
    struct ir_var *var = ir_symbol_new(f->context, text, IR_I64);
    var->loc = loc;
    struct name *name = scope_bind(f, NAME_VAR, text, loc);
    name->var = var;
    array_push(&decl->symbols, *name);
}

static const struct ir_var *scalar_of(const struct relax_decl *decl, const char *param)
{
    for (size_t i = 0; i < decl->symbols.count; i++)
        if (decl->symbols.items[i].text == param)
            return decl->symbols.items[i].var;
    return NULL;
}

static void bind_param(struct frontend *f, struct ir_value *param)
{
    struct name *name = scope_bind(f, NAME_VALUE, param->name, param->loc);
    name->value = param;
    name->var = param->var;
}

static void help_no_self(struct diag_message *m, struct location name)
{
    const char *text = name.source->text;
    name.end += (uint32_t)strspn(text + name.end, " ");
    name.end += text[name.end] == ',';
    name.end += (uint32_t)strspn(text + name.end, " ");
    diag_help(m, "functions of a module have no `self`");
    diag_help_edit(m, name, "%s", "");
}

static void declare_param(struct frontend *f, struct relax_decl *decl, const struct ast *a)
{
    const struct ir_type *type = NULL;
    for (unsigned i = 0; i < decl->function->param_count; i++) {
        if (decl->function->params[i]->name != a->name)
            continue;
        struct diag_message *m = diag_report(f->diag, a->name_loc, GRAPH_PARAM_TWICE, a->name);
        diag_label(m, decl->function->params[i]->loc, "first here");
        decl->is_broken = true;
    }
    if (a->item_count == 0 || a->items[0] == NULL) {
        struct diag_message *m = diag_report(f->diag, a->name_loc, TYPE_PARAM_MISSING, a->name);
        if (strcmp(a->name, "self") == 0)
            help_no_self(m, a->name_loc);
        else
            diag_help(m, "write `%s: R.Tensor(..)`, or `%s: R.Any` for anything", a->name, a->name);
    } else
        type = relax_type(f, a->items[0]);
    decl->is_broken = decl->is_broken || type == NULL;
    struct ir_value *param = ir_function_add_param(decl->function, a->name,
                                                   type != NULL ? type : ir_type_any(f->context));
    param->loc = a->name_loc;
    param->is_annotated = true;
    if (type == NULL) {
        scope_bind(f, NAME_ERROR, a->name, a->name_loc);
        return;
    }
    if (type->kind == IR_TYPE_PRIM)
        param->var = scalar_of(decl, a->name);
    bind_param(f, param);
}

/* The names in @a, nested functions apart. */
static void collect_names(struct map *names, const struct ast *a)
{
    if (a->kind == AST_NAME)
        map_set(names, a->name, a);
    for (unsigned i = 0; i < a->item_count; i++)
        if (a->items[i] != NULL)
            collect_names(names, a->items[i]);
    for (unsigned i = 0; i < a->body_count; i++)
        if (a->body[i]->kind != AST_DEF)
            collect_names(names, a->body[i]);
    for (unsigned i = 0; i < a->orelse_count; i++)
        collect_names(names, a->orelse[i]);
    if (a->returns != NULL)
        collect_names(names, a->returns);
}

/* Type variables of the file that the function speaks of; a nested one shares those of the function around it. */
static void bind_typevars(struct frontend *f, struct relax_decl *decl, const struct ast *def)
{
    struct map names = {0};
    if (f->typevars.count == 0)
        return;
    collect_names(&names, def);
    for (size_t i = 0; i < f->typevars.count; i++) {
        const char *name = f->typevars.items[i];
        if (map_has(&names, name) && scope_find(f, name) == NULL)
            bind_type_param(f, decl, name, def->name_loc);
    }
    map_finish(&names);
}

void relax_declare(struct frontend *f, struct relax_decl *decl, const struct ast *def)
{
    size_t mark = scope_push(f);
    *decl = (struct relax_decl){.def = def, .function = ir_function_new(f->module, def->name)};
    struct ir_function *function = decl->function;
    function->loc = def->name_loc;
    check_decorators(f, decl, def);
    function->is_pure = decorator_flag(f, def, "pure", true);
    function->is_private = decorator_flag(f, def, "private", false);
    function->skip_well_formed = !decorator_flag(f, def, "check_well_formed", true);
    bind_typevars(f, decl, def);
    for (unsigned i = 0; i < def->type_param_count; i++)
        bind_type_param(f, decl, def->type_params[i]->name, def->type_params[i]->loc);
    relax_bind_symbols(f, decl);
    f->is_signature = true;
    for (unsigned i = 0; i < def->item_count; i++)
        if (def->items[i]->kind == AST_PARAM)
            declare_param(f, decl, def->items[i]);
        else
            decl->is_broken = true;
    f->is_signature = false;
    function->result = ir_type_any(f->context);
    if (def->returns != NULL) {
        const struct ir_type *result = relax_type(f, def->returns);
        decl->is_broken = decl->is_broken || result == NULL;
        function->is_result_annotated = true;
        if (result != NULL)
            function->result = result;
    }
    scope_pop(f, mark);
}

void relax_decl_finish(struct relax_decl *decl)
{
    array_finish(&decl->symbols);
}

/* What declares the type of @value, where a call takes it from what the script says; else NULL. */
static const char *said_type(const struct ir_value *value, struct location *out_loc)
{
    const struct ir_op *op = value->def;
    while (op != NULL && (ir_op_is(op, IR_CORE_tuple_get) || ir_op_is(op, IR_CORE_bind)))
        op = op->operands[0].value->def;
    if (op == NULL || (op->info->core < IR_CORE_call_tir && !ir_op_is(op, IR_CORE_match_cast)))
        return NULL;
    *out_loc = op->loc;
    if (!ir_op_is(op, IR_CORE_call))
        return "this says the type";
    const struct ir_global *callee = ir_op_callee(op);
    bool is_said = callee != NULL && callee->kind == IR_GLOBAL_FUNCTION &&
                   callee->function->is_result_annotated;
    if (is_said)
        *out_loc = callee->function->loc;
    return is_said ? "its result is declared here" : NULL;
}

static bool is_result(struct relax *r, const struct ir_type *declared, const struct ir_type *given)
{
    return ir_type_check(r->f->context, declared, given) != IR_CHECK_FAIL_KIND;
}

/* `return y,`: a comma that makes a tuple of one. */
static bool help_comma(struct relax *r, struct diag_message *m)
{
    const struct ir_type *given = r->returned->type;
    const struct ast *value = r->return_value;

    if (!value || value->kind != AST_TUPLE || value->item_count != 1 ||
        given->kind != IR_TYPE_TUPLE || given->field_count != 1 ||
        !is_result(r, r->function->result, given->fields[0]))
        return false;
    diag_help(m, "the comma makes a tuple of it: write `return %.*s`",
              LOCATION_TEXT(value->items[0]->loc));
    diag_help_edit(m, value->loc, "%.*s", LOCATION_TEXT(value->items[0]->loc));
    return true;
}

/* `return (b, a)` where (a, b) is declared.  The declaration may have them the wrong way as well. */
static bool help_order(struct relax *r, struct diag_message *m)
{
    const struct ir_type *given = r->returned->type, *wanted = r->function->result;
    const struct ast *value = r->return_value;

    if (!value || value->kind != AST_TUPLE || value->item_count != 2 ||
        given->kind != IR_TYPE_TUPLE || given->field_count != 2 || wanted->kind != IR_TYPE_TUPLE ||
        wanted->field_count != 2 || !is_result(r, wanted->fields[0], given->fields[1]) ||
        !is_result(r, wanted->fields[1], given->fields[0]))
        return false;
    diag_help(m, "they fit in the other order");
    diag_help_swap(m, value->items[0]->loc, value->items[1]->loc);
    diag_help_unsure(m);
    return true;
}

/* `return x` of another dtype than the declared one: converted, it is that. */
static void help_conversion(struct relax *r, struct diag_message *m)
{
    const struct ir_type *given = r->returned->type, *wanted = r->function->result;
    const struct ir_type *meant =
        given->kind == IR_TYPE_TENSOR && wanted->kind == IR_TYPE_TENSOR
            ? ir_type_tensor(r->f->context, wanted->dtype, given->dims, given->ndim)
            : NULL;
    struct location value = location_text_behind(r->return_loc, "return ");

    if (!meant || ir_dtype_is_void(wanted->dtype) || value.begin == value.end ||
        ir_type_check(r->f->context, wanted, meant) == IR_CHECK_FAIL_KIND)
        return;
    value.begin = value.end;
    value.end = r->return_loc.end;
    char dtype[32];
    const char *behind =
        arena_printf(&r->f->arena, ", \"%s\")", ir_dtype_name(wanted->dtype, dtype));
    diag_help(m, "convert what it returns");
    diag_help_wrap(m, value, "R.astype(", behind);
    diag_help_unsure(m);
}

/*
 * Of two declarations that differ nobody knows which is wrong; and what a public function gives is what others rely on: it is
 * for its author to change.
 */
static void help_result(struct relax *r, struct diag_message *m)
{
    struct location loc;
    const char *said = said_type(r->returned, &loc);
    if (said != NULL) {
        diag_label(m, loc, "%s", said);
        diag_help(m, "one of the two is wrong");
        return;
    }
    if (help_comma(r, m) || help_order(r, m))
        return;
    help_conversion(r, m);
    diag_help(m, "declare what it returns, or leave the annotation out");
    diag_help_edit(m, r->result_loc, "%s", ir_type_text(r->f->context, r->returned->type));
    if (!r->function->is_private)
        diag_help_unsure(m);
}

/* The declared result against what is returned, or the result from it. */
static void settle_result(struct relax *r)
{
    struct ir_function *function = r->function;
    const struct ir_type *given = r->returned->type;
    if (function->is_result_annotated) {
        if (ir_type_check(r->f->context, function->result, given) == IR_CHECK_FAIL_KIND) {
            struct diag_message *m = diag_report(r->f->diag, r->return_loc, TYPE_RETURN,
                                                 function->name, ir_type_text(r->f->context, given),
                                                 ir_type_text(r->f->context, function->result));
            diag_label(m, r->result_loc, "declared here");
            help_result(r, m);
            map_set(&r->f->doubtful, function->name, function);
            r->has_failed = true;
        }
        return;
    }
    function->result = ir_function_declared(function, given);
}

/* What the last statement binds is returned, as far as anybody can tell. */
static void help_return(struct relax *r, const struct ast *def, struct diag_message *m)
{
    const struct ir_value *value = r->last_value;
    const struct name *name = r->last_name != NULL ? scope_find(r->f, r->last_name) : NULL;
    if (name == NULL || name->kind != NAME_VALUE || name->value != value ||
        strcmp(r->last_name, "_") == 0)
        return;
    if (r->function->is_result_annotated &&
        ir_type_check(r->f->context, r->function->result, value->type) == IR_CHECK_FAIL_KIND)
        return;
    diag_help(m, "return what it makes: `return %s`", r->last_name);
    const struct ast *last = def->body[def->body_count - 1];
    struct location end = last->loc;
    for (const struct ast *a = last; a->body_count > 0 || a->orelse_count > 0; end = a->loc)
        a = a->orelse_count > 0 ? a->orelse[a->orelse_count - 1] : a->body[a->body_count - 1];
    help_line_after(m, end, last->loc, arena_printf(&r->f->arena, "return %s", r->last_name));
}

static void finish_body(struct relax *r, const struct ast *def)
{
    if (r->returned == NULL) {
        if (r->return_loc.source == NULL && !r->has_failed && r->f->syntax_error == UINT32_MAX)
            help_return(r, def,
                        diag_report(r->f->diag, def->name_loc, GRAPH_RETURN_MISSING, def->name));
        r->has_failed = true;
        return;
    }
    relax_emit_core(relax_at(r, r->return_loc), IR_CORE_return, &r->returned, 1, NULL, NULL);
    settle_result(r);
}

/* Types, and operands that do not fit: what a call with a wrong type leads to. */
static bool is_about_types(enum diag_id id)
{
    return (id >= DIAG_TYPE_NOT_TUPLE && id <= DIAG_TYPE_UNPACK) ||
           (id >= DIAG_OP_OPERAND_KIND && id < DIAG_OP_UNKNOWN);
}

/* The first wrong call of a kernel in @region, or NULL; it is reported. */
static const struct ir_op *wrong_call(struct relax *r, const struct ir_region *region)
{
    for (const struct ir_block *block = region->first; block != NULL; block = block->next)
        for (struct ir_op *op = block->first; op != NULL; op = op->next) {
            if (!ir_verify_kernel_call(r->module, op, r->f->diag))
                return op;
            for (unsigned i = 0; ir_op_is(op, IR_CORE_if) && i < op->region_count; i++) {
                const struct ir_op *wrong = wrong_call(r, op->regions[i]);
                if (wrong != NULL)
                    return wrong;
            }
        }
    return NULL;
}

/*
 * A call of a kernel that says another type than the kernel makes is known as such when all is read; where what follows
 * from it was reported, it is the call that is wrong.
 */
static void blame_calls(struct relax *r, size_t messages_before)
{
    size_t own = diag_message_count(r->f->diag);
    const struct ir_op *wrong =
        r->f->syntax_error == UINT32_MAX ? wrong_call(r, r->function->body) : NULL;
    if (wrong != NULL && own > messages_before)
        diag_drop(r->f->diag, messages_before, wrong->loc, is_about_types);
}

bool relax_define(struct frontend *f, struct relax_decl *decl, struct ir_function *parent)
{
    struct relax r = {.f = f, .module = f->module, .function = decl->function};
    const struct ast *outer = f->function;
    if (decl->def->returns != NULL)
        r.result_loc = decl->def->returns->loc;
    f->function = decl->def;
    size_t mark = scope_push(f), messages_before = diag_message_count(f->diag);
    r.region = r.function->body;
    r.function->parent = parent;
    r.b = (struct ir_builder){.module = f->module, .diag = f->diag};
    for (size_t i = 0; i < decl->symbols.count; i++) {
        const struct name *symbol = &decl->symbols.items[i];
        scope_bind(f, NAME_VAR, symbol->text, symbol->loc)->var = symbol->var;
    }
    /* A parameter whose type is wrong silences what is made of it. */
    for (unsigned i = 0; i < r.function->param_count; i++) {
        struct ir_value *param = r.function->params[i];
        if (decl->is_broken && param->type->kind == IR_TYPE_ANY)
            scope_bind(f, NAME_ERROR, param->name, param->loc);
        else
            bind_param(f, param);
    }
    relax_suite(&r, decl->def->body, decl->def->body_count);
    finish_body(&r, decl->def);
    f->function = outer;
    if (r.has_failed)
        blame_calls(&r, messages_before);
    scope_pop(f, mark);
    array_finish(&r.outputs);
    array_finish(&r.lost_outputs);
    map_finish(&r.output_set);
    array_finish(&r.notes);
    return !r.has_failed && !decl->is_broken;
}

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

#include <ctype.h>
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
            help_flag(
                diag_report(f->diag, argument->items[0]->loc, SYNTAX_EXPECTED, "True or False",
                            argument->items[0]->kind == AST_STRING ? "a string" : "something else"),
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
    struct location line = location_whole_line(name);
    bool is_alone = strspn(text + line.begin, " ") == name.begin - line.begin &&
                    strchr("\r\n", text[name.end]) != NULL;
    if (is_alone)
        name = line;
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

/* The words of @string, which may be an expression: "n + 1". */
static void collect_words(struct frontend *f, struct map *names, const struct ast *string)
{
    const char *end = string->string + string->length;

    for (const char *p = string->string; p < end;) {
        const char *word = p;
        while (p < end && (isalnum((unsigned char)*p) || *p == '_'))
            p++;
        if (p > word)
            map_set(names, atom_intern(&f->context->atoms, word, (size_t)(p - word)), string);
        p += p == word;
    }
}

/* The names in @a, nested functions apart. */
static void collect_names(struct frontend *f, struct map *names, const struct ast *a)
{
    if (a->kind == AST_NAME)
        map_set(names, a->name, a);
    if (a->kind == AST_STRING && !relax_is_identifier(a)) /* which would be a symbol of its own */
        collect_words(f, names, a);
    for (unsigned i = 0; i < a->item_count; i++)
        if (a->items[i] != NULL)
            collect_names(f, names, a->items[i]);
    for (unsigned i = 0; i < a->body_count; i++)
        if (a->body[i]->kind != AST_DEF)
            collect_names(f, names, a->body[i]);
    for (unsigned i = 0; i < a->orelse_count; i++)
        collect_names(f, names, a->orelse[i]);
    if (a->returns != NULL)
        collect_names(f, names, a->returns);
}

/* Type variables of the file that the function speaks of; a nested one shares those of the function around it. */
static void bind_typevars(struct frontend *f, struct relax_decl *decl, const struct ast *def)
{
    struct map names = {0};
    if (f->typevars.count == 0)
        return;
    collect_names(f, &names, def);
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
        function->is_result_annotated = result != NULL; /* else what it returns says it */
        function->result_loc = def->returns->loc;
        if (result != NULL)
            function->result = result;
        else /* what its calls give is not known */
            map_set(&f->doubtful, function->name, function);
    }
    scope_pop(f, mark);
}

void relax_decl_finish(struct relax_decl *decl)
{
    array_finish(&decl->symbols);
}

static void finish_body(struct relax *r, const struct ast *def)
{
    if (r->returned == NULL) {
        if (r->return_loc.source == NULL && !r->has_failed && r->f->syntax_error == UINT32_MAX)
            relax_help_return(
                r, def, diag_report(r->f->diag, def->name_loc, GRAPH_RETURN_MISSING, def->name));
        r->has_failed = true;
        return;
    }
    relax_emit_core(relax_at(r, r->return_loc), IR_CORE_return, &r->returned, 1, NULL, NULL);
    relax_settle_result(r);
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

/* What stands in front of the first error, or in its line, may be what it follows from. */
static void doubt(struct relax *r, size_t messages_before)
{
    struct frontend *f = r->f;
    uint32_t error = diag_first_error(f->diag, messages_before, f->source);

    if (f->options.doubt == NULL || error == UINT32_MAX || f->syntax_error != UINT32_MAX)
        return;
    uint32_t until = error + (uint32_t)strcspn(f->source->text + error, "\n");
    f->options.doubt(r->function, until, f->diag);
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
    if (r.has_failed && !r.is_told)
        blame_calls(&r, messages_before);
    if (r.has_failed && !decl->is_broken)
        doubt(&r, messages_before);
    scope_pop(f, mark);
    array_finish(&r.outputs);
    array_finish(&r.lost_outputs);
    map_finish(&r.output_set);
    array_finish(&r.notes);
    return !r.has_failed && !decl->is_broken;
}

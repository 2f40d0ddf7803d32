/*
 * Files: imports, type variables, one module or bare functions, metadata.
 *
 * Signatures of all functions come first, then kernels, then the bodies of Relax functions in the
 * order of the text: a body may call what stands behind it, and sees what its kernels are.
 */
#include "base/assert.h"
#include "frontend/frontend.h"
#include "frontend/tvmscript/file_constants.h"
#include "frontend/tvmscript/names.h"
#include "frontend/tvmscript/relax.h"
#include "ops/ops.h"

#include <string.h>

enum item_kind { ITEM_KERNEL, ITEM_FUNCTION };

/* A function of the file, declared. */
struct item {
    enum item_kind kind;
    const struct ast *def;
    struct ir_global *global;
    struct relax_decl decl; /* of a Relax function */
};

struct file {
    struct frontend *f;
    array(struct item) items;
    const struct ast *root, *class; /* the file, and the class of the module */
    bool has_failed;
};

static void refuse(struct file *file, const struct ast *a)
{
    file->has_failed = true;
    /* behind a mistake of the syntax it may have lost the function that it stood in */
    if (a->kind != AST_ERROR && a->loc.begin < file->f->syntax_error)
        report_file_statement(file->f, a, file->class != NULL);
}

/* A free name for a global; reports one that is taken. */
static struct ir_global *add_global(struct file *file, const char *name, struct location loc,
                                    enum ir_global_kind kind)
{
    struct ir_global *global = ir_module_find(file->f->module, name);
    if (global != NULL) {
        struct diag_message *m = diag_report(file->f->diag, loc, GRAPH_FUNCTION_TWICE, name);
        diag_label(m, global->loc, "first here");
        file->has_failed = true;
        return NULL;
    }
    global = ir_module_add(file->f->module, name, kind);
    global->loc = loc;
    return global;
}

static bool has_decorator(struct frontend *f, const struct ast *def, const char *name)
{
    for (unsigned i = 0; i < def->decorator_count; i++)
        if (is_dotted(f, def->decorators[i], name))
            return true;
    return false;
}

static bool has_broken_decorator(const struct ast *def)
{
    for (unsigned i = 0; i < def->decorator_count; i++)
        if (def->decorators[i]->kind == AST_ERROR)
            return true;
    return false;
}

/* What a kernel returns is known before its body is read: kernels call each other, too. */
static void declare_kernel(struct frontend *f, struct ir_global *global, const struct ast *def)
{
    const char *name = def->returns != NULL && def->returns->kind == AST_ATTRIBUTE
                           ? dotted_name(f, def->returns)
                           : NULL;
    struct ir_dtype dtype;
    if (name != NULL && dtype_of_name(name, &dtype))
        global->type = ir_type_func_opaque(f->context, ir_type_prim(f->context, dtype), true, NULL);
}

/* Says why @def is no function of the module, and of no decorator that is known to be broken. */
static void lose(struct file *file, const struct ast *def)
{
    struct frontend *f = file->f;
    if (!has_broken_decorator(def) && !report_import(f, file->root, def))
        report_decorator(f, def,
                         file->items.count ? file->items.items[file->items.count - 1].def : NULL);
    map_set(&f->lost_functions, def->name, def);
    file->has_failed = true;
}

static void declare(struct file *file, const struct ast *def)
{
    struct frontend *f = file->f;
    struct item item = {.def = def};
    bool is_kernel = has_decorator(f, def, "T.prim_func");
    item.kind = is_kernel ? ITEM_KERNEL : ITEM_FUNCTION;
    if (report_second_decorator(f, def)) {
        map_set(&f->lost_functions, def->name, def);
        file->has_failed = true;
        return;
    }
    if ((!is_kernel && !has_decorator(f, def, "R.function")) ||
        has_other_parameters(f, def, is_kernel)) {
        lose(file, def);
        return;
    }
    item.global = add_global(file, def->name, def->name_loc, IR_GLOBAL_DECLARED);
    if (item.global == NULL)
        return;
    enum frontend_name_kind kind = item.kind == ITEM_KERNEL ? FRONTEND_KERNEL : FRONTEND_FUNCTION;
    names_define_global(f, item.global, kind, def->name_loc);
    names_set_span(f, def, kind);
    if (item.kind == ITEM_KERNEL)
        declare_kernel(f, item.global, def);
    else {
        relax_declare(f, &item.decl, def);
        item.global->type = ir_function_type(item.decl.function);
        item.global->function = item.decl.function;
    }
    map_set(&f->definitions, def->name, def);
    array_push(&file->items, item);
}

/* Kernels have symbols of their own for the type variables of the file. */
static void define_kernel(struct file *file, struct item *item)
{
    struct frontend *f = file->f;
    size_t mark = scope_push(f);
    for (size_t i = 0; i < f->typevars.count; i++) {
        const char *name = f->typevars.items[i];
        if (tir_declares(f, item->def, name))
            continue;
        scope_bind(f, NAME_VAR, name, item->def->name_loc)->var =
            ir_symbol_new(f->context, name, IR_I64);
    }
    struct tir_func *kernel = tir_translate(f, item->def);
    scope_pop(f, mark);
    if (kernel == NULL) {
        file->has_failed = true;
        return;
    }
    item->global->kind = IR_GLOBAL_KERNEL;
    item->global->type = NULL;
    item->global->kernel = kernel;
}

static void define_function(struct file *file, struct item *item)
{
    struct frontend *f = file->f;
    if (!relax_define(f, &item->decl, NULL)) {
        file->has_failed = true;
        return;
    }
    item->global->kind = IR_GLOBAL_FUNCTION;
    item->global->function = item->decl.function;
    item->global->type = ir_function_type(item->decl.function);
}

static void define_all(struct file *file)
{
    for (unsigned kind = ITEM_KERNEL; kind <= ITEM_FUNCTION; kind++)
        for (size_t i = 0; i < file->items.count && !diag_is_full(file->f->diag); i++) {
            struct item *item = &file->items.items[i];
            if (item->kind != kind)
                continue;
            if (item->kind == ITEM_KERNEL)
                define_kernel(file, item);
            else
                define_function(file, item);
        }
}

/* `name = R.ExternFunc("symbol", type)` */
static bool extern_function(struct file *file, const struct ast *a)
{
    struct frontend *f = file->f;
    if (a->items[0]->kind != AST_NAME || a->items[1]->kind != AST_CALL ||
        !is_dotted(f, a->items[1], "R.ExternFunc"))
        return false;
    const struct ast *symbol = call_arg(a->items[1], 0, "global_symbol");
    const struct ast *type = call_arg(a->items[1], 1, "ty");
    if (type == NULL)
        type = call_arg(a->items[1], 1, "struct_info");
    if (symbol == NULL || symbol->kind != AST_STRING) {
        diag_report(f->diag, a->items[1]->loc, GRAPH_FORM, "R.ExternFunc",
                    "needs the symbol, a string");
        file->has_failed = true;
        return true;
    }
    const struct ir_type *callee =
        type != NULL ? relax_type(f, type)
                     : ir_type_func_opaque(f->context, ir_type_any(f->context), false, NULL);
    struct ir_global *global =
        add_global(file, a->items[0]->name, a->items[0]->loc, IR_GLOBAL_EXTERN);
    if (global != NULL)
        names_define_global(f, global, FRONTEND_EXTERN, a->items[0]->loc);
    if (callee == NULL || global == NULL) {
        file->has_failed = true;
        return true;
    }
    global->symbol = symbol->string;
    global->type = callee;
    return true;
}

/* I.module_attrs({..}) and I.module_global_infos({..}) */
static bool module_setting(struct file *file, const struct ast *a)
{
    struct frontend *f = file->f;
    bool is_attrs = is_dotted(f, a, "I.module_attrs");
    if (a->kind != AST_CALL || (!is_attrs && !is_dotted(f, a, "I.module_global_infos")))
        return false;
    const struct ast *dict = call_positional_count(a) == 1 ? a->items[1] : NULL;
    const struct ir_attr *value = dict != NULL ? attr_translate(f, dict) : NULL;
    if (value == NULL || value->kind != IR_ATTR_DICT) {
        if (dict == NULL || value != NULL)
            help_dict(f,
                      diag_report(f->diag, a->loc, GRAPH_FORM,
                                  is_attrs ? "I.module_attrs" : "I.module_global_infos",
                                  "needs a dict"),
                      a);
        file->has_failed = true;
        return true;
    }
    if (is_attrs) {
        f->module->attrs = value;
        f->module->attrs_loc = a->loc;
    } else
        f->module->global_infos = value;
    return true;
}

/* A statement of a module's body, functions apart. */
static void module_statement(struct file *file, const struct ast *a)
{
    bool is_text = a->kind == AST_EXPR && a->items[0]->kind == AST_STRING;
    if (a->kind == AST_PASS || is_text)
        return;
    if (a->kind == AST_EXPR && module_setting(file, a->items[0]))
        return;
    if (a->kind == AST_ASSIGN && extern_function(file, a))
        return;
    refuse(file, a);
}

static void module(struct file *file, const struct ast *class)
{
    struct frontend *f = file->f;
    if (!has_decorator(f, class, "I.ir_module") && !has_broken_decorator(class)) {
        if (!report_import(f, file->root, class))
            report_decorator(f, class, NULL);
        file->has_failed = true;
        return;
    }
    if (file->class != NULL || file->items.count > 0) {
        struct diag_message *m =
            diag_report(f->diag, class->name_loc, FILE_MODULE_TWICE, class->name);
        if (file->class != NULL)
            diag_label(m, file->class->name_loc, "the first one");
        file->has_failed = true;
        return;
    }
    file->class = class;
    size_t mark = scope_push(f);
    scope_bind(f, NAME_CLASS, class->name, class->name_loc);
    names_set_span(f, class, FRONTEND_MODULE);
    for (unsigned i = 0; i < class->body_count; i++)
        if (class->body[i]->kind != AST_DEF)
            module_statement(file, class->body[i]);
    for (unsigned i = 0; i < class->body_count; i++)
        if (class->body[i]->kind == AST_DEF && i > 0 && is_bare_decorator(f, class->body[i - 1]))
            map_set(&f->lost_functions, class->body[i]->name, class->body[i]);
        else if (class->body[i]->kind == AST_DEF)
            declare(file, class->body[i]);
    define_all(file);
    scope_pop(f, mark);
}

/* M = TypeVar("M") */
static bool type_variable(struct file *file, const struct ast *a)
{
    struct frontend *f = file->f;
    const struct ast *target = a->items[0], *call = a->items[1];
    if (target->kind != AST_NAME || call->kind != AST_CALL)
        return false;
    const char *name = callee_name(f, call);
    const struct ast *callee = call->items[0];
    bool is_plain = callee->kind == AST_NAME && strcmp(callee->name, "TypeVar") == 0;
    if (!is_plain && (name == NULL || strcmp(name, "typing.TypeVar") != 0))
        return false;
    array_push(&f->typevars, target->name);
    return true;
}

static bool is_metadata(const struct ast *a)
{
    return a->kind == AST_ASSIGN && a->items[0]->kind == AST_NAME &&
           strcmp(a->items[0]->name, "metadata") == 0;
}

/* Bare functions see each other by their names. */
static void bare_functions(struct file *file)
{
    struct frontend *f = file->f;
    for (size_t i = 0; i < file->items.count; i++) {
        struct ir_global *global = file->items.items[i].global;
        scope_bind(f, NAME_GLOBAL, global->name, global->loc)->global = global;
    }
    f->module->is_bare_function = file->items.count == 1;
    define_all(file);
}

/* NAME = value, if it is one. */
static bool file_constant(struct file *file, struct ast *a)
{
    enum file_constant kind = file_constants_add(file->f, a);
    file->has_failed |= kind == FILE_CONSTANT_WRONG;
    return kind != FILE_CONSTANT_NONE;
}

static void file_statement(struct file *file, struct ast *a)
{
    bool is_text = a->kind == AST_EXPR && a->items[0]->kind == AST_STRING;
    switch (a->kind) {
    case AST_IMPORT:
        scope_import(file->f, a);
        return;
    case AST_ASSIGN:
        if (is_metadata(a) || type_variable(file, a) || file_constant(file, a))
            return;
        break;
    case AST_ANN_ASSIGN:
        if (file_constant(file, a))
            return;
        break;
    case AST_PASS:
        return;
    default:
        if (is_text)
            return;
    }
    refuse(file, a);
}

static void translate(struct file *file, const struct ast *root)
{
    struct frontend *f = file->f;
    file->root = root;
    /* Metadata stands at the end and is used before. */
    for (unsigned i = 0; i < root->body_count; i++)
        if (is_metadata(root->body[i]) && !metadata_read(f, root->body[i]))
            file->has_failed = true;
    for (unsigned i = 0; i < root->body_count; i++) {
        struct ast *a = root->body[i];
        bool has_uses = a->kind == AST_CLASS || a->kind == AST_DEF;
        if (has_uses && !file_constants_replace(f, a))
            file->has_failed = true;
        else if (a->kind == AST_CLASS)
            module(file, a);
        else if (a->kind != AST_DEF)
            file_statement(file, a);
        else if (file->class != NULL) {
            if (a->loc.begin < f->syntax_error) /* else it may have lost its indentation */
                diag_report(f->diag, a->name_loc, FILE_STATEMENT, "a function", "behind a module");
            file->has_failed = true;
        } else
            declare(file, a);
    }
    if (!file_constants_check_given(f))
        file->has_failed = true;
    if (file->class == NULL && file->items.count > 0)
        bare_functions(file);
    else if (file->class == NULL && !file->has_failed && diag_error_count(f->diag) == 0) {
        struct location loc = {f->source, 0, f->source->length > 0 ? 1 : 0};
        struct diag_message *m = diag_report(f->diag, loc, FILE_EMPTY);
        diag_help(m, "start with `@I.ir_module` and `class Module:`");
        file->has_failed = true;
    }
}

static void finish(struct file *file)
{
    struct frontend *f = file->f;
    for (size_t i = 0; i < file->items.count; i++)
        relax_decl_finish(&file->items.items[i].decl);
    array_finish(&file->items);
    array_finish(&f->typevars);
    array_finish(&f->lacked_typevars);
    map_finish(&f->moved_symbols);
    map_finish(&f->constants);
    map_finish(&f->reported_constants);
    map_finish(&f->undefined);
    array_finish(&f->constant_names);
    map_finish(&f->used_defines);
    map_finish(&f->lost_functions);
    map_finish(&f->definitions);
    map_finish(&f->doubtful);
    map_finish(&f->reported_imports);
    metadata_finish(f);
    scope_finish(f);
    arena_finish(&f->arena);
}

/* TVM prints what it imports as comments. */
static bool says_old_tir(const struct source *source)
{
    static const char line[] = "# from tvm.script import tir as T";
    const char *found = source->text;

    while ((found = strstr(found, line)) != NULL) {
        char end = found[strlen(line)];
        if ((found == source->text || found[-1] == '\n') && (end == '\n' || end == '\r'))
            return true;
        found += strlen(line);
    }
    return false;
}

/* @out_is_whole: there are no mistakes; else the module is what is kept of it. */
static struct ir_module *parse(struct frontend *f, bool *out_is_whole)
{
    unsigned errors_before = diag_error_count(f->diag);
    size_t messages_before = diag_message_count(f->diag);
    struct file file = {.f = f};
    f->imports_old_tir = says_old_tir(f->source);
    f->module = ir_module_create(f->context);
    struct ast *root = ast_parse(&f->arena, &f->context->atoms, f->diag, f->source);
    f->syntax_error = diag_first_error(f->diag, messages_before, f->source);
    if (!diag_is_full(f->diag))
        translate(&file, root);
    *out_is_whole = !file.has_failed && diag_error_count(f->diag) == errors_before;
    assert(*out_is_whole || diag_error_count(f->diag) > errors_before);
    bool is_kept = *out_is_whole;
    if (f->names != NULL) {
        scope_pop(f, 0); /* names of the file: what is known of them is noted */
        names_close_globals(f);
        names_finish(f);
        is_kept = is_kept || names_keep_whole(f);
    }
    finish(&file);
    if (is_kept)
        return f->module;
    ir_module_destroy(f->module);
    return NULL;
}

struct ir_module *frontend_parse(struct ir_context *context, struct diag *diag,
                                 const struct source *source)
{
    static const struct frontend_options none;

    return frontend_parse_with(context, diag, source, &none);
}

struct ir_module *frontend_parse_with(struct ir_context *context, struct diag *diag,
                                      const struct source *source,
                                      const struct frontend_options *options)
{
    bool is_whole;
    struct frontend f = {.context = context, .diag = diag, .source = source, .options = *options};
    return parse(&f, &is_whole);
}

struct ir_module *frontend_parse_partly(struct ir_context *context, struct diag *diag,
                                        const struct source *source,
                                        const struct frontend_options *options,
                                        struct frontend_names *names, bool *out_is_whole)
{
    struct frontend f = {
        .context = context, .diag = diag, .source = source, .options = *options, .names = names};
    return parse(&f, out_is_whole);
}

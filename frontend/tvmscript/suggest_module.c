/* What was meant where a file or a module is put together wrongly: statements, decorators, imports. */
#include "frontend/tvmscript/internal.h"

#include <string.h>

static const char *statement_text(const struct ast *a)
{
    switch (a->kind) {
    case AST_FOR:
    case AST_WHILE:
        return "a loop";
    case AST_IF:
        return "a branch";
    case AST_ASSIGN:
    case AST_ANN_ASSIGN:
    case AST_AUG_ASSIGN:
        return "this assignment";
    case AST_RETURN:
        return "`return`";
    default:
        return "this statement";
    }
}

bool is_bare_decorator(struct frontend *f, const struct ast *a)
{
    const struct ast *test = a->kind == AST_EXPR ? a->items[0] : NULL;
    const char *name = test == NULL             ? NULL
                       : test->kind == AST_CALL ? dotted_name(f, test->items[0])
                                                : dotted_name(f, test);

    return name != NULL && (strcmp(name, "T.prim_func") == 0 || strcmp(name, "R.function") == 0);
}

/* I.module_attr(..) */
static void help_setting(struct frontend *f, struct diag_message *m, const struct ast *callee)
{
    static const char *const names[] = {"module_attrs", "module_global_infos", NULL};
    const char *name = dotted_name(f, callee);

    if (name != NULL && strncmp(name, "I.", 2) == 0)
        help_nearest(m, callee->name_loc, callee->name, names, "I.");
}

static bool is_near(const char *typed, const char *name)
{
    struct text_nearest nearest = text_nearest_to(typed);

    return text_nearest_offer(&nearest, name);
}

/* `N == 8` for a constant: its uses need no message of their own. */
static void help_constant(struct frontend *f, struct diag_message *m, const struct ast *test)
{
    if (test->kind != AST_COMPARE || test->item_count != 2 || test->items[0]->kind != AST_NAME)
        return;
    struct location sign = location_text_behind(location_behind(test->items[0]->loc), "==");
    scope_bind(f, NAME_ERROR, test->items[0]->name, test->loc);
    diag_help(m, "a constant is written with one `=`");
    if (sign.begin < test->items[1]->loc.begin && sign.end > sign.begin)
        diag_help_edit(m, sign, "=");
}

/* `n = TypVar("n")` */
static bool help_type_variable(struct diag_message *m, const struct ast *a)
{
    static const char *const names[] = {"TypeVar", NULL};
    const struct ast *callee = a->items[1]->kind == AST_CALL ? a->items[1]->items[0] : NULL;

    if (!callee || callee->kind != AST_NAME || !is_near(callee->name, names[0]))
        return false;
    help_nearest(m, callee->loc, callee->name, names, "");
    return true;
}

/* `A, B = 0.9`: more names than values, or fewer, which are no constants then. */
static bool report_constant_count(struct frontend *f, const struct ast *a)
{
    const struct ast *target = a->kind == AST_ASSIGN ? a->items[0] : NULL;
    const struct ast *value = target ? a->items[1] : NULL;
    bool is_list = value && (value->kind == AST_TUPLE || value->kind == AST_LIST);
    unsigned count = is_list ? value->item_count : 1;

    if (!target || target->kind != AST_TUPLE || target->item_count == count ||
        (!is_list && value->kind != AST_INT && value->kind != AST_FLOAT))
        return false;
    diag_report(f->diag, target->loc, TYPE_UNPACK, target->item_count, PLURAL(target->item_count),
                count, PLURAL(count));
    bind_lost(f, target);
    return true;
}

void report_file_statement(struct frontend *f, const struct ast *a, bool is_module)
{
    if (report_constant_count(f, a))
        return;
    struct diag_message *m = diag_report(f->diag, a->loc, FILE_STATEMENT, statement_text(a),
                                         is_module ? "in a module" : "in a file");
    const struct ast *test = a->kind == AST_EXPR ? a->items[0] : NULL;
    bool is_bound = a->kind == AST_ASSIGN || a->kind == AST_ANN_ASSIGN;

    if (test && !is_module)
        help_constant(f, m, test);
    if (is_bare_decorator(f, a)) {
        diag_help(m, "a decorator begins with `@`");
        diag_help_edit(m, location_before(a->loc), "@");
    } else if (is_module && test && test->kind == AST_CALL)
        help_setting(f, m, test->items[0]);
    if (!is_bound)
        return;
    if (a->items[0]->kind == AST_NAME) /* its uses need no message of their own */
        scope_bind(f, NAME_ERROR, a->items[0]->name, a->loc);
    if (a->kind == AST_ASSIGN && help_type_variable(m, a))
        return;
    diag_help(
        m,
        is_module
            ? "constants stand in front of the module, as in Python they are not "
              "seen by its functions from here"
            : "a constant is a number, a string, True, False, None, a tuple of them, or arithmetic on "
              "numbers and constants before it");
}

/* --- decorators --- */

/* Has @def a parameter whose type is one of @types (NULL ends them)? */
static bool has_parameter(struct frontend *f, const struct ast *def, const char *const *types)
{
    for (unsigned i = 0; i < def->item_count; i++) {
        const struct ast *type = def->items[i]->item_count > 0 ? def->items[i]->items[0] : NULL;
        for (const char *const *name = types; type && *name; name++)
            if (is_dotted(f, type, *name))
                return true;
    }
    return false;
}

static bool has_buffers(struct frontend *f, const struct ast *def)
{
    return has_parameter(f, def, (const char *const[]){"T.Buffer", "T.handle", NULL});
}

static bool has_tensors(struct frontend *f, const struct ast *def)
{
    return has_parameter(f, def, (const char *const[]){"R.Tensor", "R.Tuple", "R.Shape", NULL});
}

bool has_other_parameters(struct frontend *f, const struct ast *def, bool is_kernel)
{
    bool buffers = has_buffers(f, def), tensors = has_tensors(f, def);

    return is_kernel ? tensors && !buffers : buffers && !tensors;
}

/* `T.prim_func(private=True)`, as @like, which is of the same kind, says it by keywords; else @name. */
static const char *decorator_text(struct frontend *f, const struct ast *like, const char *name)
{
    const struct ast *own = like && like->decorator_count == 1 ? like->decorators[0] : NULL;
    bool is_alike =
        own && own->kind == AST_CALL && is_dotted(f, own, name) && call_positional_count(own) == 0;

    return is_alike ? arena_printf(&f->arena, "%.*s", LOCATION_TEXT(own->loc)) : name;
}

/* The edit that gives @def the decorator @name, in place of the one that it has, or @whole where it has none. */
static void help_decorator(const struct ast *def, const char *name, const char *whole,
                           struct diag_message *m)
{
    if (def->decorator_count > 1)
        return;
    diag_help(m, "write `@%s`", def->decorator_count ? name : whole);
    if (def->decorator_count == 1 && def->decorators[0]->kind == AST_CALL) /* its arguments stay */
        diag_help_edit(m, def->decorators[0]->items[0]->loc, "%s", name);
    else if (def->decorator_count == 1)
        diag_help_edit(m, def->decorators[0]->loc, "%s", name);
    else
        diag_help_edit(m, location_before(def->loc), "@%s\n%*s", whole,
                       (int)(def->loc.begin - location_whole_line(def->loc).begin), "");
}

void report_decorator(struct frontend *f, const struct ast *def, const struct ast *like)
{
    const struct ast *own = def->decorator_count > 0 ? def->decorators[0] : NULL;
    struct location loc = !own                    ? def->name_loc
                          : own->kind == AST_CALL ? own->items[0]->loc
                                                  : own->loc;
    if (!own && f->syntax_error < def->loc.begin) /* its decorator may be lost */
        return;
    bool is_class = def->kind == AST_CLASS, is_one = has_buffers(f, def) != has_tensors(f, def);
    const char *name = is_class              ? "I.ir_module"
                       : has_buffers(f, def) ? "T.prim_func"
                                             : "R.function";
    const char *wanted =
        is_class || is_one ? arena_printf(&f->arena, "@%s", name) : "@R.function or @T.prim_func";
    const char *what = is_class ? "class" : is_one && has_buffers(f, def) ? "kernel" : "function";

    help_decorator(def, name, decorator_text(f, like, name),
                   diag_report(f->diag, loc, FILE_DECORATOR, what, def->name, wanted));
}

bool report_second_decorator(struct frontend *f, const struct ast *def)
{
    const struct ast *first = NULL;

    for (unsigned i = 0; i < def->decorator_count; i++) {
        const struct ast *own = def->decorators[i];
        if (!is_dotted(f, own, "T.prim_func") && !is_dotted(f, own, "R.function"))
            continue;
        if (!first) {
            first = own;
            continue;
        }
        struct location line = location_whole_line(own->loc);
        struct diag_message *m = diag_report(f->diag, own->loc, FILE_DECORATOR, "function",
                                             def->name, "one decorator, and has a second");
        diag_label(m, first->loc, "the first one");
        diag_help(m, "remove it");
        diag_help_edit(m, line, "%s", "");
        if (is_dotted(f, own, "R.function") != is_dotted(f, first, "R.function"))
            diag_help_unsure(m); /* a kernel, or a graph */
        return true;
    }
    return false;
}

/* --- imports --- */

uint32_t imports_end(const char *text, uint32_t at)
{
    uint32_t end = at;

    for (;;) {
        at += (uint32_t)strspn(text + at, "\n");
        bool is_import =
            strncmp(text + at, "from ", 5) == 0 || strncmp(text + at, "import ", 7) == 0;
        const char *line_end = is_import ? strchr(text + at, '\n') : NULL;
        if (!line_end || memchr(text + at, '(', (size_t)(line_end - text) - at))
            return end;
        end = at = (uint32_t)(line_end - text) + 1;
    }
}

/* What decorators are of: their namespace, and the module of tvm.script that is it. */
static const struct {
    const char *member, *space, *module;
} decorators[] = {
    {"prim_func", "T", "tirx"},
    {"function", "R", "relax"},
    {"ir_module", "I", "ir"},
};

/* The import in @root that binds @name; NULL: there is none. */
static const struct ast *import_of(const struct ast *root, const char *name)
{
    for (unsigned i = root->body_count; i-- > 0;) {
        const struct ast *a = root->body[i];
        const char *bound = a->alias ? a->alias : a->name;
        if (a->kind == AST_IMPORT && bound == name)
            return a;
    }
    return NULL;
}

/* `tirx`, or `tir` for kernels of the old dialect. */
static const char *module_of(struct frontend *f, size_t row)
{
    bool is_old = strcmp(decorators[row].space, "T") == 0 && strstr(f->source->text, ".block(") &&
                  !strstr(f->source->text, "sblock");

    return is_old ? "tir" : decorators[row].module;
}

static void help_import(struct frontend *f, struct diag_message *m, const struct ast *import,
                        size_t row)
{
    static const char path[] = "tvm.script";
    const char *module = module_of(f, row);
    struct location from = location_text_behind(import->loc, import->string);

    if (!import->name) {
        diag_help(m, "write `from tvm.script import %s as %s`", module, import->alias);
    } else if (strcmp(import->string, path) == 0 ||
               strcmp(import->string, "tvm.script.parser") == 0) {
        diag_help(m, "that is `%s` of `%s`", module, import->string);
        if (import->alias)
            diag_help_edit(m, import->name_loc, "%s", module);
    } else if (strcmp(import->name, module) == 0 || strcmp(import->name, "tir") == 0) {
        diag_help(m, "that is `%s` of `%s`", module, path);
        if (is_near(import->string, path) && from.end > from.begin)
            diag_help_edit(m, from, "%s", path);
    }
}

bool report_import(struct frontend *f, const struct ast *root, const struct ast *def)
{
    const struct ast *decorator = def->decorator_count == 1 ? def->decorators[0] : NULL;
    const struct ast *callee =
        decorator && decorator->kind == AST_CALL ? decorator->items[0] : decorator;
    size_t row = 0;

    if (!callee || callee->kind != AST_ATTRIBUTE || callee->items[0]->kind != AST_NAME)
        return false;
    while (row < ARRAY_SIZE(decorators) && strcmp(decorators[row].member, callee->name) != 0)
        row++;
    const struct name *name = scope_find(f, callee->items[0]->name);
    const struct ast *import = import_of(root, callee->items[0]->name);
    if (row == ARRAY_SIZE(decorators) || !import || !name || name->kind != NAME_NAMESPACE ||
        strcmp(name->path, decorators[row].space) == 0)
        return false;
    const char *full = import->name
                           ? atom_printf(&f->context->atoms, "%s.%s", import->string, import->name)
                           : import->string;
    bool is_path = import->name && strcmp(import->name, module_of(f, row)) == 0;
    const char *key = is_path ? import->string : callee->items[0]->name;
    if (map_has(&f->reported_imports, key))
        return true;
    map_set(&f->reported_imports, key, import);
    struct location place = import->name_loc;
    if (is_path)
        place = location_text_behind(import->loc, import->string);
    help_import(
        f, diag_report(f->diag, place, FILE_IMPORT, callee->items[0]->name, full, callee->name),
        import, row);
    return true;
}

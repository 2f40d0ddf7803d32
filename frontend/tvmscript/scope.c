/*
 * Names in scope, imported names, and arguments of calls.
 *
 * The scope is one stack of names; each knows the place of the name that it hides, so that the index
 * from a text to its innermost name is repaired when names are popped.
 */
#include "frontend/tvmscript/names.h"

#include <stdio.h>
#include <string.h>

size_t scope_push(struct frontend *f)
{
    return f->scope.names.count;
}

static void set_index(struct scope *scope, const char *text, size_t place)
{
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): maps hold integers this way */
    map_set(&scope->index, text, (void *)(uintptr_t)place);
}

void scope_pop(struct frontend *f, size_t mark)
{
    struct scope *scope = &f->scope;

    while (scope->names.count > mark) {
        struct name *last = &array_last(&scope->names);
        names_close(f, last);
        set_index(scope, last->text, last->shadowed);
        scope->names.count--;
    }
}

struct name *scope_bind(struct frontend *f, enum name_kind kind, const char *text,
                        struct location loc)
{
    struct scope *scope = &f->scope;
    size_t hidden = (size_t)(uintptr_t)map_get(&scope->index, text);

    array_push(&scope->names, (struct name){.kind = kind,
                                            .text = text,
                                            .loc = loc,
                                            .shadowed = (unsigned)hidden,
                                            .number = names_define(f, kind, text, loc)});
    set_index(scope, text, scope->names.count);
    return &array_last(&scope->names);
}

struct name *scope_find(const struct frontend *f, const char *text)
{
    size_t place = (size_t)(uintptr_t)map_get(&f->scope.index, text);

    return place ? &f->scope.names.items[place - 1] : NULL;
}

struct name *scope_use(struct frontend *f, const struct ast *a)
{
    struct name *name = scope_find(f, a->name);

    if (name && a->kind == AST_NAME)
        names_use(f, name, a->loc);
    return name;
}

void scope_finish(struct frontend *f)
{
    scope_pop(f, 0);
    map_finish(&f->scope.index);
    array_finish(&f->scope.names);
}

/* --- dotted names --- */

/* Other spellings of the namespaces, longest first. */
static const struct {
    const char *text, *canonical;
} namespaces[] = {
    {"tvm.script.parser.ir", "I"},
    {"tvm.script.parser.relax", "R"},
    {"tvm.script.parser.tirx", "T"},
    {"tvm.script.parser.tir", "T"},
    {"tvm.script.ir_module", "I.ir_module"},
    {"tvm.script.relax", "R"},
    {"tvm.script.ir_builder.relax", "R"},
    {"tvm.script.ir_builder.tirx", "T"},
    {"tvm.script.ir_builder.tir", "T"},
    {"tvm.script.ir_builder.ir", "I"},
    {"tvm.script.tirx", "T"},
    {"tvm.script.tir", "T"},
    {"tvm.script.ir", "I"},
    {"tvm.tirx.script.builder", "T"},
    {"tvm.tirx.script", "T"},
    {"tvm.relax.op", "R"},
    {"tvm.relax", "R"},
    {"tvm.tirx", "T"},
    {"tvm.tir", "T"},
};

/* Replaces the spelling of a namespace at the start of @path. */
static const char *canonical_path(struct frontend *f, const char *path)
{
    for (size_t i = 0; *path == 't' && i < ARRAY_SIZE(namespaces); i++) { /* "tvm." all */
        size_t length = strlen(namespaces[i].text);
        if (strncmp(path, namespaces[i].text, length) == 0 &&
            (path[length] == '.' || path[length] == '\0'))
            return atom_printf(&f->context->atoms, "%s%s", namespaces[i].canonical, path + length);
    }
    return path;
}

void scope_import(struct frontend *f, const struct ast *import)
{
    struct atoms *atoms = &f->context->atoms;
    const char *path = import->string;
    const char *bound = import->alias;

    if (import->name) {
        path = atom_printf(atoms, "%s.%s", import->string, import->name);
        bound = bound ? bound : import->name;
    } else if (!bound) { /* import a.b binds a */
        path = atom_intern(atoms, path, strcspn(path, "."));
        bound = path;
    }
    if (strcmp(path, "tvm.script.tir") == 0 || strcmp(path, "tvm.script.parser.tir") == 0)
        f->imports_old_tir = true;
    scope_bind(f, NAME_NAMESPACE, bound, import->loc)->path = canonical_path(f, path);
}

/* What the first name of a dotted one stands for, or NULL. */
static const char *namespace_of(struct frontend *f, const struct ast *a)
{
    static const char *const known[] = {"T", "R", "I", "tvm"};
    const struct name *name = scope_find(f, a->name);

    if (name)
        return name->kind == NAME_NAMESPACE ? name->path : NULL;
    for (size_t i = 0; i < ARRAY_SIZE(known); i++)
        if (strcmp(a->name, known[i]) == 0)
            return a->name;
    return NULL;
}

/* A dotted name that is put together: names are looked up too often for printf. */
struct dotted {
    char text[256];
    size_t length;
};

/* False: it is too long. */
static bool put_name(struct dotted *dotted, const char *name)
{
    size_t length = strlen(name);

    if (length + 1 >= sizeof(dotted->text) - dotted->length)
        return false;
    if (dotted->length > 0)
        dotted->text[dotted->length++] = '.';
    memcpy(dotted->text + dotted->length, name, length);
    dotted->length += length;
    return true;
}

const char *dotted_name(struct frontend *f, const struct ast *a)
{
    const struct location loc = a->loc;
    const struct ast *chain[16];
    struct dotted dotted;
    unsigned count = 0;

    for (; a->kind == AST_ATTRIBUTE; a = a->items[0]) {
        if (count == ARRAY_SIZE(chain))
            return NULL;
        chain[count++] = a;
    }
    const char *root = a->kind == AST_NAME ? namespace_of(f, a) : NULL;
    dotted.length = 0;
    if (!root || !put_name(&dotted, root))
        return NULL;
    while (count > 0)
        if (!put_name(&dotted, chain[--count]->name))
            return NULL;
    const char *path =
        canonical_path(f, atom_intern(&f->context->atoms, dotted.text, dotted.length));
    names_use_path(f, path, loc);
    return path;
}

const char *callee_name(struct frontend *f, const struct ast *a)
{
    return a->kind == AST_CALL ? dotted_name(f, a->items[0]) : NULL;
}

bool is_dotted(struct frontend *f, const struct ast *a, const char *text)
{
    const char *name = dotted_name(f, a->kind == AST_CALL ? a->items[0] : a);

    return name && strcmp(name, text) == 0;
}

/* --- arguments --- */

const struct ast *call_arg(const struct ast *call, unsigned index, const char *keyword)
{
    if (index + 1 < call->item_count && call->items[index + 1]->kind != AST_KEYWORD)
        return call->items[index + 1];
    for (unsigned i = 1; keyword && i < call->item_count; i++)
        if (call->items[i]->kind == AST_KEYWORD && strcmp(call->items[i]->name, keyword) == 0)
            return call->items[i]->items[0];
    return NULL;
}

unsigned call_positional_count(const struct ast *call)
{
    unsigned count = 0;

    while (count + 1 < call->item_count && call->items[count + 1]->kind != AST_KEYWORD)
        count++;
    return count;
}

static int find_text(const char *const *names, const char *text)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], text) == 0)
            return i;
    return -1;
}

/* The keyword argument at item @i of @call. */
static bool check_keyword(struct frontend *f, const struct ast *call, unsigned i,
                          const char *const *names)
{
    const struct ast *keyword = call->items[i];
    int place = find_text(names, keyword->name);
    unsigned positional = call_positional_count(call);

    if (place < 0) {
        struct diag_message *m =
            diag_report(f->diag, keyword->name_loc, ARG_UNKNOWN, keyword->name);
        if (names[0] && !names[1]) {
            diag_help(m, "the argument is `%s`", names[0]);
            diag_help_edit(m, keyword->name_loc, "%s", names[0]);
            return false;
        }
        if (strcmp(keyword->name, "inplace_indices") == 0 && is_dotted(f, call, "R.call_tir")) {
            diag_help(m, "that is `R.call_tir_inplace`");
            diag_help_edit(m, location_behind(call->items[0]->loc), "_inplace");
            return false;
        }
        const char *meant = argument_of_word(keyword->name, names);
        if (meant) {
            diag_help(m, "it is called `%s` here", meant);
            diag_help_edit(m, keyword->name_loc, "%s", meant);
        } else
            help_nearest(m, keyword->name_loc, keyword->name, names, "");
        return false;
    }
    const struct ast *other = (unsigned)place < positional ? call->items[place + 1] : NULL;
    for (unsigned k = positional + 1; k < i && !other; k++)
        if (call->items[k]->name == keyword->name)
            other = call->items[k];
    if (!other)
        return true;
    struct diag_message *m = diag_report(f->diag, keyword->name_loc, ARG_TWICE, keyword->name);
    diag_label(m, other->loc, "first here");
    return false;
}

bool decorator_check(struct frontend *f, const struct ast *decorator, const char *const *flags)
{
    const struct ast *first =
        decorator->kind == AST_CALL && decorator->item_count > 1 ? decorator->items[1] : NULL;

    if (!first || first->kind == AST_KEYWORD)
        return !first || call_check_args(f, decorator, 0, flags);
    struct diag_message *m =
        diag_report(f->diag, first->loc, ARG_COUNT, 0, call_positional_count(decorator));
    if (first->kind == AST_NAME && find_text(flags, first->name) >= 0) {
        diag_help(m, "write `%s=True`", first->name);
        diag_help_edit(m, first->loc, "%s=True", first->name);
    }
    bool is_equal = first->kind == AST_COMPARE && first->item_count == 2 &&
                    first->ops[0] == AST_EQ && first->items[0]->kind == AST_NAME;
    if (is_equal && find_text(flags, first->items[0]->name) >= 0) {
        diag_help(m, "an argument is given by name with `=`");
        diag_help_edit(m, first->loc, "%s=%.*s", first->items[0]->name,
                       LOCATION_TEXT(first->items[1]->loc));
    }
    return false;
}

bool call_refuse_unnamed(struct frontend *f, const struct ast *call)
{
    for (unsigned i = call_positional_count(call) + 1; i < call->item_count; i++) {
        if (call->items[i]->kind == AST_KEYWORD)
            continue;
        diag_report(f->diag, call->items[i]->loc, PYTHON_STARRED, "*");
        return false; /* the parser refuses all else there */
    }
    return true;
}

bool call_check_args(struct frontend *f, const struct ast *call, unsigned most,
                     const char *const *names)
{
    unsigned positional = call_positional_count(call);

    if (!call_refuse_unnamed(f, call))
        return false;
    if (positional > most) {
        struct location loc =
            location_join(call->items[most + 1]->loc, call->items[positional]->loc);
        diag_report(f->diag, loc, ARG_COUNT, most, positional);
        return false;
    }
    for (unsigned i = positional + 1; i < call->item_count; i++)
        if (!check_keyword(f, call, i, names))
            return false;
    return true;
}

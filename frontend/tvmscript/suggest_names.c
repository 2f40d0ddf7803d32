/*
 * Slips that no distance between names finds: a letter typed twice or forgotten in a short name, a dot that was forgotten, and
 * a name that is misspelt where it is bound and right wherever it is read.
 */
#include "base/text.h"
#include "frontend/tvmscript/internal.h"
#include "frontend/tvmscript/tir.h"

#include <string.h>

static const char *behind(const struct ast *a)
{
    return a->loc.source->text + a->loc.end;
}

/* --- R.exp --- */

/* `RR.exp` */
static bool help_doubled(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    const char *text = a->name;
    const char *letter = arena_printf(&f->arena, "%c", *text);
    const struct name *known = scope_find(f, atom_intern(&f->context->atoms, letter, 1));

    if (strlen(text) != 2 || text[0] != text[1] || *behind(a) != '.' || !known ||
        known->kind != NAME_NAMESPACE)
        return false;
    diag_help(m, "there is `%s`", letter);
    diag_help_edit(m, a->loc, "%s", letter);
    return true;
}

/* `clsother` */
static bool help_no_dot(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    for (size_t i = f->scope.names.count; i-- > 0;) {
        const struct name *name = &f->scope.names.items[i];
        size_t length = strlen(name->text);
        if (name->kind != NAME_CLASS || strncmp(a->name, name->text, length) != 0 ||
            !a->name[length] ||
            !ir_module_find(f->module, atom_intern_text(&f->context->atoms, a->name + length)))
            continue;
        diag_help(m, "write `%s.%s`", name->text, a->name + length);
        diag_help_edit(m, a->loc, "%s.%s", name->text, a->name + length);
        return true;
    }
    return false;
}

bool help_type_dot(struct diag_message *m, const struct ast *a)
{
    static const char *const types[] = {"Tensor", "Shape", "Tuple", "Callable", "Prim"};
    const struct ast *callee = a->kind == AST_CALL ? a->items[0] : a;

    for (size_t i = 0; callee->kind == AST_NAME && *callee->name == 'R' && i < ARRAY_SIZE(types);
         i++)
        if (strcmp(callee->name + 1, types[i]) == 0) {
            diag_help(m, "write `R.%s`", types[i]);
            diag_help_edit(m, callee->loc, "R.%s", types[i]);
            return true;
        }
    return false;
}

/* --- one letter less --- */

bool has_one_more(const char *name, const char *typed)
{
    if (strlen(name) != strlen(typed) + 1)
        return false;
    while (*typed && *name == *typed)
        name++, typed++;
    return strcmp(name + 1, typed) == 0;
}

/* `ow` for `row`: too short for a distance to tell. */
static bool help_shorter(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    const struct name *found = NULL;

    if (strlen(a->name) < 2 || strlen(a->name) > 3)
        return false;
    for (size_t i = f->scope.names.count; i-- > 0;) {
        const struct name *name = &f->scope.names.items[i];
        bool is_value = name->kind == NAME_VALUE || name->kind == NAME_VAR ||
                        name->kind == NAME_BUFFER || name->kind == NAME_TUPLE;
        if (!is_value || !has_one_more(name->text, a->name))
            continue;
        if (found && strcmp(found->text, name->text) != 0)
            return false;
        found = name;
    }
    if (!found)
        return false;
    diag_help(m, "there is `%s`", found->text);
    diag_help_edit(m, a->loc, "%s", found->text);
    diag_help_unsure(m);
    return true;
}

bool help_slip(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    return help_doubled(f, m, a) || help_no_dot(f, m, a) || help_shorter(f, m, a);
}

/* --- the binding --- */

/* How often @name is read or bound in @a, parameters apart. */
static unsigned count_name(const struct ast *a, const char *name)
{
    unsigned count = 0;

    if (!a)
        return 0;
    count += a->kind == AST_NAME && a->name == name;
    for (unsigned i = 0; a->items && i < a->item_count; i++)
        count += count_name(a->items[i], name);
    for (unsigned i = 0; i < a->body_count; i++)
        count += count_name(a->body[i], name);
    for (unsigned i = 0; i < a->orelse_count; i++)
        count += count_name(a->orelse[i], name);
    return count;
}

bool help_binding(struct frontend *f, struct diag_message *m, const struct ast *a, const char *near)
{
    const char *atom = atom_intern_text(&f->context->atoms, near);
    const struct name *known = scope_find(f, atom);
    const struct ast *def = f->tir ? f->tir->def : f->function;
    size_t length = strlen(near);

    if (!known || !def || !known->loc.source ||
        (known->kind != NAME_VALUE && known->kind != NAME_VAR && known->kind != NAME_BUFFER) ||
        known->loc.end - known->loc.begin != length ||
        memcmp(known->loc.source->text + known->loc.begin, near, length) != 0)
        return false;
    unsigned bound = 1;
    for (unsigned i = 0; i < def->item_count; i++)
        bound = def->items[i]->name == atom ? 0 : bound;
    if (count_name(def, atom) != bound || count_name(def, a->name) < 2)
        return false;
    diag_label(m, known->loc, "bound here, and read nowhere by this name");
    diag_help(m, "call it `%s`, as all that reads it does", a->name);
    diag_help_edit(m, known->loc, "%s", a->name);
    return true;
}

/* --- the definition --- */

/* How often is `cls.name` in @a? */
static unsigned count_member(const struct ast *a, const char *name)
{
    unsigned count = 0;

    if (!a)
        return 0;
    count += a->kind == AST_ATTRIBUTE && a->name == name;
    for (unsigned i = 0; a->items && i < a->item_count; i++)
        count += count_member(a->items[i], name);
    for (unsigned i = 0; i < a->body_count; i++)
        count += count_member(a->body[i], name);
    for (unsigned i = 0; i < a->orelse_count; i++)
        count += count_member(a->orelse[i], name);
    return count;
}

static unsigned count_calls(struct frontend *f, const char *name)
{
    unsigned count = 0;

    for (size_t i = 0; i < f->module->global_count && i < 1000; i++)
        count += count_member(map_get(&f->definitions, f->module->globals[i]->name), name);
    return count;
}

bool help_definition(struct frontend *f, struct diag_message *m, const struct ast *a,
                     const char *near)
{
    const char *atom = atom_intern_text(&f->context->atoms, near);
    const struct ast *def = map_get(&f->definitions, atom);

    if (!def || !def->name_loc.source || count_calls(f, atom) != 0 || count_calls(f, a->name) < 2)
        return false;
    diag_label(m, def->name_loc, "defined here, and called nowhere by this name");
    diag_help(m, "call it `%s`, as all that calls it does", a->name);
    diag_help_edit(m, def->name_loc, "%s", a->name);
    map_set(&f->lost_functions, a->name, def); /* one message for all calls */
    return true;
}

bool help_literal(struct diag_message *m, const struct ast *a)
{
    static const char *const literals[] = {"True", "False", "None"};
    struct text_nearest nearest = text_nearest_to(a->name);

    for (size_t i = 0; i < ARRAY_SIZE(literals); i++)
        text_nearest_offer(&nearest, literals[i]);
    if (!nearest.found || nearest.other || *nearest.found != *a->name)
        return false;
    diag_help_nearest(m, a->loc, "", &nearest);
    return true;
}

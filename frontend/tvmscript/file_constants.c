/*
 * Constants of a file: `N = 16`, `BLOCK, AXES = N * 4, (0, 1)`, and what is computed of them.
 *
 * To TVM's scripts they are variables of Python around the functions, which Python's closures hand to
 * the parser as values.  Here each use is replaced by the literal before anything is translated, so that
 * a constant may stand wherever a literal may.  As in Python a name that a function binds itself is its own in all
 * of that function, and a constant is known from its assignment on.
 */
#include "frontend/tvmscript/file_constants.h"

#include "base/text.h"
#include "frontend/tvmscript/names.h"
#include "frontend/tvmscript/tir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Names that functions bind, from the inner one out. */
struct local_names {
    const struct local_names *outer;
    struct map names;
};

/* --- values --- */

enum { NODE_LIMIT = 10000 }; /* of one constant: tuples of tuples double with each line */

static bool is_literal_within(const struct ast *a, unsigned *nodes)
{
    if (++*nodes > NODE_LIMIT)
        return false;
    switch (a->kind) {
    case AST_INT:
    case AST_FLOAT:
    case AST_STRING:
    case AST_TRUE:
    case AST_FALSE:
    case AST_NONE:
        return true;
    case AST_UNARY:
        return a->op == AST_NEG && (a->items[0]->kind == AST_INT || a->items[0]->kind == AST_FLOAT);
    case AST_TUPLE:
    case AST_LIST:
        for (unsigned i = 0; i < a->item_count; i++)
            if (!is_literal_within(a->items[i], nodes))
                return false;
        return true;
    default:
        return false;
    }
}

static bool is_literal(const struct ast *a)
{
    unsigned nodes = 0;
    return is_literal_within(a, &nodes);
}

/* Makes @a the number: a literal, with a minus in front of it if need be. */
static void become_number(struct frontend *f, struct ast *a, const struct constant *number)
{
    bool is_negative =
        number->is_float ? number->real < 0 : !number->is_wide && number->integer < 0;
    struct ast *literal = a;
    if (is_negative) {
        literal = arena_new(&f->arena, struct ast);
        *literal = (struct ast){.loc = a->loc, .depth = 1};
        a->kind = AST_UNARY;
        a->op = AST_NEG;
        a->items = arena_new(&f->arena, struct ast *);
        a->items[0] = literal;
        a->item_count = 1;
        a->depth = 2;
    }
    literal->kind = number->is_float ? AST_FLOAT : AST_INT;
    literal->is_wide = number->is_wide || (is_negative && number->integer == INT64_MIN);
    if (number->is_float)
        literal->real = is_negative ? -number->real : number->real;
    else
        literal->integer = is_negative ? (int64_t)(0 - (uint64_t)number->integer) : number->integer;
}

/* Arithmetic of Python on numbers; false after a report. */
static bool fold(struct frontend *f, struct ast *a)
{
    struct constant number;
    bool has_failed = false;
    if ((a->kind != AST_BINARY && a->kind != AST_UNARY) || is_literal(a))
        return true;
    if (constant_evaluate(f, a, &number, &has_failed))
        become_number(f, a, &number);
    return !has_failed;
}

/* --- uses --- */

static bool is_local(const struct local_names *names, const char *name)
{
    for (; names; names = names->outer)
        if (map_has(&names->names, name))
            return true;
    return false;
}

static void bind_target(struct map *names, const struct ast *target)
{
    if (target->kind == AST_NAME)
        map_set(names, target->name, names);
    bool is_list = target->kind == AST_TUPLE || target->kind == AST_LIST;
    for (unsigned i = 0; i < target->item_count && (is_list || target->kind == AST_STARRED); i++)
        bind_target(names, target->items[i]);
}

/* What the statement @a, and those in it, bind in their function. */
static void bind_statement(struct map *names, const struct ast *a)
{
    switch (a->kind) {
    case AST_ASSIGN:
    case AST_ANN_ASSIGN:
    case AST_AUG_ASSIGN:
    case AST_FOR:
        bind_target(names, a->items[0]);
        break;
    case AST_WITH:
        if (a->item_count > 1 && a->items[1])
            bind_target(names, a->items[1]);
        break;
    case AST_DEF:
        map_set(names, a->name, names);
        return; /* its body binds its own */
    default:
        break;
    }
    for (unsigned i = 0; i < a->body_count; i++)
        bind_statement(names, a->body[i]);
    for (unsigned i = 0; i < a->orelse_count; i++)
        bind_statement(names, a->orelse[i]);
}

static bool replace(struct frontend *f, const struct local_names *names, struct ast *a);

static bool replace_all(struct frontend *f, const struct local_names *names, struct ast **items,
                        unsigned count)
{
    bool is_fine = true;
    for (unsigned i = 0; i < count; i++)
        is_fine &= !items[i] || replace(f, names, items[i]);
    return is_fine;
}

static bool replace_children(struct frontend *f, const struct local_names *names, struct ast *a)
{
    bool is_fine = replace_all(f, names, a->items, a->item_count);
    is_fine &= replace_all(f, names, a->body, a->body_count);
    return is_fine & replace_all(f, names, a->orelse, a->orelse_count);
}

static bool replace_lambda(struct frontend *f, const struct local_names *outer, struct ast *a)
{
    struct local_names names = {.outer = outer};
    for (unsigned i = 0; i + 1 < a->item_count; i++)
        map_set(&names.names, a->items[i]->name, a);
    bool is_fine = replace_children(f, &names, a);
    map_finish(&names.names);
    return is_fine;
}

/* Annotations see the parameters, since these may be symbols; what the body binds is the body's. */
static bool replace_function(struct frontend *f, const struct local_names *outer, struct ast *a)
{
    struct local_names params = {.outer = outer}, locals = {.outer = &params};
    for (unsigned i = 0; i < a->item_count; i++)
        map_set(&params.names, a->items[i]->name, a);
    for (unsigned i = 0; i < a->type_param_count; i++)
        map_set(&params.names, a->type_params[i]->name, a);
    for (unsigned i = 0; i < a->body_count; i++)
        bind_statement(&locals.names, a->body[i]);
    bool is_fine = replace_all(f, outer, a->decorators, a->decorator_count);
    is_fine &= replace_all(f, &params, a->items, a->item_count);
    is_fine &= !a->returns || replace(f, &params, a->returns);
    is_fine &= replace_all(f, &locals, a->body, a->body_count);
    map_finish(&params.names);
    map_finish(&locals.names);
    return is_fine;
}

static bool replace(struct frontend *f, const struct local_names *names, struct ast *a)
{
    if (a->kind == AST_DEF)
        return replace_function(f, names, a);
    if (a->kind == AST_LAMBDA)
        return replace_lambda(f, names, a);
    if (a->kind != AST_NAME)
        return replace_children(f, names, a) && fold(f, a);
    const struct ast *value = is_local(names, a->name) ? NULL : map_get(&f->constants, a->name);
    if (value) {
        struct location loc = a->loc;
        names_use_constant(f, a->name, loc);
        *a = *value; /* parts of it are shared, and never changed again */
        a->loc = loc;
    }
    return true;
}

bool file_constants_replace(struct frontend *f, struct ast *a)
{
    return f->constants.count == 0 || replace(f, NULL, a);
}

/* --- definitions --- */

/* The literal that the command line writes: a number, True, False or a string. */
static struct ast *literal_of_text(struct frontend *f, const char *text, struct location loc)
{
    struct ast *a = arena_new(&f->arena, struct ast);
    *a = (struct ast){.kind = AST_STRING, .loc = loc, .depth = 1};
    struct constant number = {0};
    char *end;
    errno = 0;
    number.integer = strtoll(text, &end, 10);
    bool is_number = *text && !*end && errno == 0;
    if (!is_number) {
        number = (struct constant){.is_float = true, .real = strtod(text, &end)};
        is_number = *text && !*end;
    }
    if (is_number) {
        become_number(f, a, &number);
    } else if (strcmp(text, "True") == 0 || strcmp(text, "False") == 0) {
        a->kind = *text == 'T' ? AST_TRUE : AST_FALSE;
    } else {
        a->length = strlen(text);
        a->string = atom_intern(&f->context->atoms, text, a->length);
    }
    return a;
}

static const char *given_text(struct frontend *f, const char *name)
{
    const char *text = NULL;
    for (size_t i = 0; i < f->options.define_count; i++)
        if (strcmp(f->options.defines[i].name, name) == 0) {
            text = f->options.defines[i].value; /* the last one holds, as with other options */
            map_set(&f->used_defines, &f->options.defines[i], f);
        }
    return text;
}

/* "number", "bool", "string"; NULL: the command line cannot give one. */
static const char *kind_text(const struct ast *a)
{
    switch (a->kind) {
    case AST_INT:
    case AST_FLOAT:
        return "number";
    case AST_TRUE:
    case AST_FALSE:
        return "bool";
    case AST_STRING:
        return "string";
    default:
        return NULL;
    }
}

/* A word for a number is told once, here, and not at each use. */
static bool check_kind(struct frontend *f, const char *name, const char *given,
                       const struct ast *literal, const struct ast *value)
{
    const char *wanted = kind_text(value), *kind = kind_text(literal);

    if (!wanted || !kind || strcmp(wanted, kind) == 0)
        return true;
    diag_report(f->diag, value->loc, FILE_DEFINE_KIND, name, given,
                arena_printf(&f->arena, "%.*s", LOCATION_TEXT(value->loc)), wanted);
    return false;
}

static void define(struct frontend *f, const struct ast *target, const struct ast *value)
{
    names_define_constant(f, target, value);
    const char *given = f->options.define_count ? given_text(f, target->name) : NULL;
    const struct ast *literal = given ? literal_of_text(f, given, value->loc) : value;
    if (given && !check_kind(f, target->name, given, literal, value))
        literal = value;
    map_set(&f->constants, target->name, (void *)(uintptr_t)literal);
    array_push(&f->constant_names, target->name);
}

/* Can @value be given to @target, a name or a tuple of names? */
static bool matches(const struct ast *target, const struct ast *value)
{
    if (target->kind == AST_NAME)
        return is_literal(value);
    if ((target->kind != AST_TUPLE && target->kind != AST_LIST) ||
        (value->kind != AST_TUPLE && value->kind != AST_LIST) ||
        target->item_count != value->item_count)
        return false;
    for (unsigned i = 0; i < target->item_count; i++)
        if (!matches(target->items[i], value->items[i]))
            return false;
    return true;
}

static void define_all(struct frontend *f, const struct ast *target, const struct ast *value)
{
    if (target->kind == AST_NAME) {
        define(f, target, value);
        return;
    }
    for (unsigned i = 0; i < target->item_count; i++)
        define_all(f, target->items[i], value->items[i]);
}

enum file_constant file_constants_add(struct frontend *f, struct ast *a)
{
    bool has_annotation = a->kind == AST_ANN_ASSIGN;
    if (a->kind != AST_ASSIGN && (!has_annotation || !a->items[2]))
        return FILE_CONSTANT_NONE;
    const struct ast *target = a->items[0];
    struct ast *value = a->items[has_annotation ? 2 : 1];
    if (!replace(f, NULL, value))
        return FILE_CONSTANT_WRONG;
    if (!matches(target, value))
        return FILE_CONSTANT_NONE;
    define_all(f, target, value);
    return FILE_CONSTANT_ADDED;
}

/* There is no such constant; one of nearly that name is marked. */
static void report_define(struct frontend *f, const struct frontend_define *define)
{
    struct text_nearest nearest = text_nearest_to(define->name);
    struct location loc = {f->source, 0, f->source->length > 0 ? 1 : 0};

    for (size_t i = 0; i < f->constant_names.count; i++)
        text_nearest_offer(&nearest, f->constant_names.items[i]);
    const struct ast *near = nearest.found ? map_get(&f->constants, nearest.found) : NULL;
    struct diag_message *m =
        diag_report(f->diag, near ? near->loc : loc, FILE_DEFINE, define->name);
    if (near)
        diag_help(m, "there is `%s`: --define=%s=%s", nearest.found, nearest.found, define->value);
    else
        diag_help(m, "write `%s = %s` in front of the module, and use the name in it", define->name,
                  define->value);
}

bool file_constants_check_given(struct frontend *f)
{
    bool is_fine = true;
    for (size_t i = 0; i < f->options.define_count; i++) {
        if (map_has(&f->used_defines, &f->options.defines[i]))
            continue;
        report_define(f, &f->options.defines[i]);
        is_fine = false;
    }
    return is_fine;
}

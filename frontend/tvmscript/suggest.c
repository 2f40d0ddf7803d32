/* What was meant by a name that is not there: the nearest one, or how Inlay calls what Python has. */
#include "base/text.h"
#include "frontend/tvmscript/internal.h"
#include "frontend/tvmscript/tir.h"
#include "ir/intrinsics.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The name by which functions of the module are reached: `cls`, or the class; NULL outside of one. */
static const char *module_name(const struct frontend *f)
{
    for (size_t i = f->scope.names.count; i-- > 0;)
        if (f->scope.names.items[i].kind == NAME_CLASS)
            return f->scope.names.items[i].text;
    return NULL;
}

/* Words of other languages, and of Python itself: the second for kernels, the third for graphs. */
static const struct {
    const char *word, *kernel, *graph;
} words[] = {
#define WORD(word, kernel, graph) {word, kernel, graph},
#include "frontend/tvmscript/words.def"
};

static bool is_called(const struct ast *a)
{
    return a->loc.source->text[a->loc.end] == '(';
}

/* `T.exp` for `Texp(..)` in a kernel, `R.exp` for `Rexp(..)` in a graph; NULL: it is no forgotten dot. */
static const char *loose_dot(struct frontend *f, const struct ast *a)
{
    const char *text = a->name, *lower = arena_printf(&f->arena, "%c%s", *text | 0x20, text + 1);
    const char *name = arena_printf(&f->arena, "%c.%s", *text, text + 1);
    struct ir_dtype dtype;

    if (*text == 'T' && is_called(a) && dtype_of_name(name, &dtype)) /* in graphs, too */
        return name;
    if (*text != (f->tir ? 'T' : 'R') || !is_called(a))
        return NULL;
    if (f->tir)
        return ir_intrinsic_find(text + 1) || dtype_of_name(name, &dtype) ? name : NULL;
    /* Rsqrt is rsqrt */
    return ir_find_op(f->context, text + 1) && !ir_find_op(f->context, lower) ? name : NULL;
}

/* `T.exp` for `exp` in a kernel, `R.exp` in a graph; NULL: there is none. */
static const char *library_name(struct frontend *f, const char *text, bool is_call)
{
    struct ir_dtype dtype;

    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (strcmp(words[i].word, text) == 0)
            return f->tir ? words[i].kernel : words[i].graph;
    const char *in_kernels = arena_printf(&f->arena, "T.%s", text);
    if (f->tir)
        return ir_intrinsic_find(text) || dtype_of_name(in_kernels, &dtype) ? in_kernels : NULL;
    if (ir_find_op(f->context, text))
        return arena_printf(&f->arena, "R.%s", text);
    if (is_call && dtype_of_name(in_kernels, &dtype))
        return in_kernels;
    return dtype_of_name(in_kernels, &dtype) ? arena_printf(&f->arena, "\"%s\"", text) : NULL;
}

/* How many indices stand behind @a, `A[i, j]`; -1: there are no brackets. */
static int index_count(const struct ast *a)
{
    const char *text = a->loc.source->text + a->loc.end;
    int count = 1, depth = 0;

    if (*text != '[' || text[1] == ']')
        return -1;
    for (; *text && *text != '\n'; text++) {
        depth += strchr("([{", *text) != NULL;
        depth -= strchr(")]}", *text) != NULL;
        if (depth == 0)
            break;
        count += depth == 1 && *text == ',';
    }
    return count;
}

/* A buffer of another rank is not what is indexed so: an output is seldom meant where an input is read. */
static bool may_be_indexed(const struct name *name, int indices)
{
    return indices < 0 || name->kind != NAME_BUFFER || (int)name->buffer->ndim == indices;
}

/* The nearest of what may stand for @a, found as it is written. */
static struct text_nearest nearest_name(struct frontend *f, const struct ast *a)
{
    static const char *const statements[] = {"continue", "break", "return", "pass"};
    struct text_nearest nearest = text_nearest_to(a->name);
    bool has_member = a->loc.source->text[a->loc.end] == '.'; /* only then a namespace is meant */
    const char *module = module_name(f);
    size_t count = f->scope.names.count;
    int indices = f->tir ? index_count(a) : -1;

    for (size_t i = 0; i < count && i < 1000; i++) { /* the inner ones */
        const struct name *name = &f->scope.names.items[count - 1 - i];
        if (name->kind != NAME_ERROR && (name->kind != NAME_NAMESPACE || has_member) &&
            may_be_indexed(name, indices))
            text_nearest_offer(&nearest, name->text);
    }
    for (size_t i = 0; i < f->constant_names.count && i < 1000; i++)
        text_nearest_offer(&nearest, f->constant_names.items[i]);
    for (size_t i = 0; f->tir && i < ARRAY_SIZE(statements); i++)
        text_nearest_offer(&nearest, statements[i]);
    for (size_t i = 0; module && i < f->module->global_count && i < 1000; i++)
        if (text_nearest_offer(&nearest, f->module->globals[i]->name))
            nearest.found = arena_printf(&f->arena, "%s.%s", module, nearest.found);
    return nearest;
}

/* In a file that imports TypeVar a symbol of a signature is declared by it; one line does for all that use it. */
static bool is_lacked_type(const struct frontend *f, const char *name)
{
    for (size_t i = 0; i < f->lacked_typevars.count; i++)
        if (f->lacked_typevars.items[i] == name)
            return true;
    return false;
}

static bool help_typevar(struct frontend *f, const struct ast *a, struct diag_message *m)
{
    struct location all = {a->loc.source, 0, (uint32_t)a->loc.source->length};
    struct location import = location_text_behind(all, "from typing import TypeVar\n");

    const char *line = arena_printf(&f->arena, "%s = TypeVar(\"%s\")", a->name, a->name);
    if (!f->is_signature || *a->name < 'a' || strstr(f->source->text, line) ||
        import.begin == import.end || import.end == all.end || a->loc.source != f->source)
        return false;
    diag_help(m, "declare the symbol: `%s`", line);
    import.end = imports_end(f->source->text, import.end) - 1;
    help_line_behind(m, import, arena_printf(&f->arena, "%s = TypeVar(\"%s\")", a->name, a->name));
    array_push(&f->typevars, a->name); /* one message for all functions */
    array_push(&f->lacked_typevars, a->name);
    return true;
}

/* "`n` and `m`": the symbols that are known; NULL: there is none. */
static const char *known_symbols(struct frontend *f)
{
    enum { SHOWN = 6 };
    const char *all = NULL;
    unsigned count = 0;

    for (size_t i = 0; i < f->scope.names.count && count < SHOWN; i++) {
        const struct name *name = &f->scope.names.items[i];
        if (name->kind != NAME_VAR || !name->var->is_symbol || scope_find(f, name->text) != name)
            continue;
        all = arena_printf(&f->arena, "%s%s`%s`", all ? all : "", all ? ", " : "", name->text);
        count++;
    }
    return all;
}

/* Nothing is like it: what names may stand for at all. */
static void help_unknown(struct frontend *f, const struct ast *a, bool is_scalar,
                         struct diag_message *m)
{
    const char *symbols = known_symbols(f);
    bool is_constant = *a->name < 'a'; /* names of constants are in capitals */

    if (is_constant || !f->function) {
        diag_help(
            m, "Python-level values are constants in front of the module (`%s = 16`), or literals",
            a->name);
    } else if (f->tir) {
        diag_help(m,
                  "a kernel knows its parameters (scalars, too: `%s: T.int64`), the symbols of "
                  "their shapes, what it binds, and constants in front of the module (`%s = 16`)",
                  a->name, a->name);
    } else if (is_scalar) {
        diag_help(
            m,
            "a symbol has its value from a dimension of a parameter, `R.Tensor((\"%s\",), ..)`, "
            "or of an R.match_cast; a constant stands in front of the module: `%s = 16`",
            a->name, a->name);
        if (symbols)
            diag_note(m, "the symbols here are %s", symbols);
    } else {
        diag_help(m,
                  "a function knows its parameters, what it binds, and constants in front of the "
                  "module (`%s = 16`)",
                  a->name);
    }
}

/* `Cell.cell`: does the name of a function of the module stand behind @a? */
static bool is_before_function(struct frontend *f, const struct ast *a)
{
    const char *text = a->loc.source->text + a->loc.end;
    size_t length =
        *text == '.'
            ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
            : 0;

    return length && ir_module_find(f->module, atom_intern(&f->context->atoms, text + 1, length));
}

/* `len(points)`: the first extent of what is named. */
static void help_length(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    const char *text = a->loc.source->text + a->loc.end;
    size_t length = *text == '(' ? strcspn(text + 1, "()., \n") : 0;
    const struct name *name = length && text[1 + length] == ')'
                                  ? scope_find(f, atom_intern(&f->context->atoms, text + 1, length))
                                  : NULL;
    struct location call = {a->loc.source, a->loc.begin, a->loc.end + (uint32_t)length + 2};

    diag_help(m, "an extent is a symbol of the shape (`n`), or `a.shape[0]` of a buffer");
    const struct ir_expr *dim = NULL;
    if (name && name->kind == NAME_BUFFER && name->buffer->ndim)
        dim = name->buffer->shape[0];
    if (name && name->kind == NAME_VALUE && name->value->type->kind == IR_TYPE_TENSOR &&
        name->value->type->dims && name->value->type->ndim > 0)
        dim = name->value->type->dims[0];
    if (dim && dim->kind == IR_EXPR_int)
        diag_help_edit(m, call, "%lld", (long long)dim->int_value);
    else if (dim && dim->kind == IR_EXPR_var && scope_find(f, dim->var->name))
        diag_help_edit(m, call, "%s", dim->var->name);
}

/* `R,add(x)` */
static bool is_behind_comma(const struct frontend *f, const struct ast *a)
{
    const char *text = a->loc.source->text + a->loc.begin;

    return a->loc.begin > 2 && text[-1] == ',' && text[-2] == (f->tir ? 'T' : 'R') &&
           strchr(" (=", text[-3]);
}

/* Behind `a, b = r`, in the same function, where r has three parts. */
static bool is_missing_target(const struct frontend *f, const struct ast *a)
{
    const struct location *targets = &f->short_targets;

    return targets->source && targets->source == a->loc.source && targets->begin < a->loc.begin &&
           f->function && !f->tir && !is_called(a) && a->loc.source->text[targets->end] != ',';
}

/* `"h" "w"`: a comma was forgotten, and so the two are one name. */
static bool help_joined_strings(struct diag_message *m, struct location place)
{
    const char *text = place.source->text;
    const char *end = *(text + place.begin) == '"' && place.end > place.begin + 2
                          ? memchr(text + place.begin + 1, '"', place.end - place.begin - 2)
                          : NULL;

    if (!end)
        return false;
    uint32_t behind = (uint32_t)(end - text) + 1;
    diag_help(m, "a comma is missing: two strings side by side are one");
    diag_help_edit(m, (struct location){place.source, behind, behind}, ",");
    return true;
}

static void help_undefined(struct frontend *f, const struct ast *a, bool is_scalar,
                           struct diag_message *m)
{
    const char *module = module_name(f), *library = library_name(f, a->name, is_called(a));
    struct text_nearest near = nearest_name(f, a);

    if (!library)
        library = loose_dot(f, a);

    if (is_missing_target(f, a)) {
        diag_help(m, "a name is missing where the parts of a tuple are named");
        diag_help_edit(m, location_behind(f->short_targets), ", %s", a->name);
        f->short_targets = (struct location){0};
    } else if (help_joined_strings(m, a->loc)) {
        ;
    } else if (map_has(&f->constants, a->name)) {
        diag_help(
            m,
            "the file's constant `%s` is hidden: this function binds the name, and as in Python "
            "it is its own in all of it",
            a->name);
    } else if (module && strcmp(a->name, module) != 0 && is_before_function(f, a)) {
        diag_help(m, "functions of the module are reached through `%s`", module);
        diag_help_edit(m, a->loc, "%s", module);
    } else if (module && ir_module_find(f->module, a->name)) {
        diag_help(m, "functions of the module are reached through it: `%s.%s`", module, a->name);
        diag_help_edit(m, a->loc, "%s.%s", module, a->name);
    } else if (module && strcmp(a->name, "cls") == 0) {
        diag_help(m, "say `cls = %s` at the head of the function, or write `%s`", module, module);
        diag_help_edit(m, a->loc, "%s", module);
    } else if (module && strcmp(a->name, "self") == 0) {
        diag_help(m, "functions of the module are reached through `%s`", module);
        diag_help_edit(m, a->loc, "%s", module);
    } else if (f->cast.source && a->loc.begin > f->cast.begin && a->loc.end < f->cast.end) {
        struct location line = location_whole_line(f->cast);
        line.end = line.begin;
        diag_help(m, "a symbol is declared in front of what gives it its value");
        diag_help_edit(m, line, "%.*s%s = T.int64()\n", LOCATION_TEXT(indentation_of(f->cast)),
                       a->name);
    } else if (help_typevar(f, a, m)) {
        ;
    } else if (f->is_signature && *a->name >= 'a') { /* names of constants are in capitals */
        diag_help(m, "a name within quotes is a symbol of the shape");
        diag_help_edit(m, a->loc, "\"%s\"", a->name);
    } else if (help_axis_missing(f, m, a, near.found != NULL)) {
        ;
    } else if (!near.found && help_axis_other(f, m, a)) {
        ;
    } else if (help_bound_elsewhere(f, m, a)) {
        ;
    } else if (strcmp(a->name, "len") == 0) {
        help_length(f, m, a);
    } else if (f->tir && strcmp(a->name, "print") == 0) {
        diag_help(m, "a kernel prints nothing: `R.print(..)` of a graph shows what it computes");
    } else if (library && is_behind_comma(f, a)) {
        diag_help(m, "write `%s`", library);
        diag_help_edit(m, (struct location){a->loc.source, a->loc.begin - 1, a->loc.begin}, ".");
    } else if (library && !is_called(a) && help_unread_parameter(f, m, a)) {
        ;
    } else if (library) {
        diag_help(m, "write `%s`", library);
        diag_help_edit(m, a->loc, "%s", library);
    } else if (near.found && !near.other && help_binding(f, m, a, near.found)) {
        map_set(&f->undefined, a->name, f->tir ? f->tir->def : f->function);
    } else if (near.found && !near.other) {
        diag_help_nearest(m, a->loc, "", &near);
        if (f->tir && is_called(a) && strchr(near.found, '.'))
            diag_help_unsure(m); /* kernels seldom call functions of the module */
    } else if (help_unread(f, m, a)) {
        if (near.other)
            diag_help_unsure(m);
    } else if (near.found) {
        diag_help_nearest(m, a->loc, "", &near);
    } else if (!help_slip(f, m, a) && !help_literal(m, a) && !help_storage(f, m, a)) {
        help_unknown(f, a, is_scalar, m);
    }
}

static void report_undefined(struct frontend *f, const struct ast *a, bool is_scalar)
{
    /* what is written in capitals is a constant of the file: one line mends all its uses */
    bool is_constant = strpbrk(a->name, "abcdefghijklmnopqrstuvwxyz") == NULL &&
                       (a->name[1] || !strchr("RTI_", a->name[0]));
    bool is_said = is_lacked_type(f, a->name) || (is_constant && map_has(&f->undefined, a->name)) ||
                   (f->tir && map_get(&f->undefined, a->name) == f->tir->def) ||
                   (!f->tir && f->function && map_get(&f->undefined, a->name) == f->function);

    if (f->tir || is_constant)
        map_set(&f->undefined, a->name, f->tir ? (void *)(uintptr_t)f->tir->def : (void *)f);
    /* behind an error of syntax a statement that would bind it may be missing */
    if (!is_said && a->loc.begin <= f->syntax_error && !report_bound_below(f, a))
        help_undefined(f, a, is_scalar, diag_report(f->diag, a->loc, NAME_UNDEFINED, a->name));
    scope_bind(f, NAME_ERROR, a->name, a->loc); /* one message for all its uses */
}

void report_undefined_name(struct frontend *f, const struct ast *a)
{
    report_undefined(f, a, false);
}

void report_undefined_scalar(struct frontend *f, const struct ast *a)
{
    report_undefined(f, a, true);
}

void help_whole(struct frontend *f, struct diag_message *m, struct location place)
{
    const char *text = place.source->text + place.begin;
    const char *slash = memchr(text, '/', place.end - place.begin);
    size_t digits = strspn(text, "0123456789"), zeros = strspn(text + digits + 1, "0");
    uint32_t length = place.end - place.begin;

    if (slash && slash[1] != '/' && !memchr(text, '.', length)) {
        uint32_t at = (uint32_t)(slash - place.source->text);
        diag_help(m, "`//` divides and rounds down");
        diag_help_edit(m, (struct location){place.source, at, at + 1}, "//");
    } else if (digits && digits < length && text[digits] == '.' && digits + 1 + zeros == length) {
        diag_help(m, "write `%s`", arena_printf(&f->arena, "%.*s", (int)digits, text));
        diag_help_edit(m, place, "%.*s", (int)digits, text);
    }
}

/* The next word of the text from @at to below @end that may be a name; nowhere: there is none. */
static struct location next_word(const struct source *source, uint32_t at, uint32_t end)
{
    while (at < end && !isalpha((unsigned char)source->text[at]) && source->text[at] != '_') {
        bool is_number = isdigit((unsigned char)source->text[at++]);
        while (is_number && at < end && isalnum((unsigned char)source->text[at]))
            at++; /* `1e5` holds no name */
    }
    struct location word = {source, at, at};
    while (word.end < end &&
           (isalnum((unsigned char)source->text[word.end]) || source->text[word.end] == '_'))
        word.end++;
    return word.begin < word.end ? word : (struct location){0};
}

/* The constant of the file by which what stands at @place is a float, and its name; NULL: there is none. */
static const struct ast *float_constant(struct frontend *f, struct location place,
                                        const char **out_name)
{
    const struct ast *found = NULL;
    struct location word = next_word(place.source, place.begin, place.end);

    for (; word.source && !found; word = next_word(place.source, word.end, place.end)) {
        const char *text = place.source->text + word.begin;
        const char *atom = atom_intern(&f->context->atoms, text, word.end - word.begin);
        const struct ast *constant = map_get(&f->constants, atom);
        if (!constant || constant->kind != AST_FLOAT || constant->loc.end > place.begin)
            continue;
        found = float_constant(f, constant->loc, out_name); /* it may be by one in front of it */
        if (!found) {
            found = constant;
            *out_name = atom;
        }
    }
    return found;
}

void report_not_integer(struct frontend *f, const struct ast *a, const char *what,
                        struct ir_dtype dtype)
{
    char written[32];
    const char *atom = NULL;
    const struct ast *constant = ir_dtype_is_float(dtype) ? float_constant(f, a->loc, &atom) : NULL;

    const struct ir_buffer *buffer = a->kind == AST_SUBSCRIPT ? buffer_of(f, a->items[0]) : NULL;
    if ((constant && map_has(&f->reported_constants, atom)) ||
        (buffer && map_has(&f->reported_constants, buffer)))
        return;
    struct diag_message *m =
        diag_report(f->diag, a->loc, KERNEL_INDEX_TYPE, what, ir_dtype_name(dtype, written));
    if (constant) {
        map_set(&f->reported_constants, atom, constant);
        diag_label(m, constant->loc, "`%s` is %s", atom, ir_dtype_name(dtype, written));
    }
    if (buffer && buffer->loc.source)
        diag_label(m, buffer->loc, "`%s` holds %s", buffer->name, ir_dtype_name(dtype, written));
    if (buffer && help_declared_dtype(f, m, buffer)) {
        map_set(&f->reported_constants, buffer, buffer); /* one edit mends all uses */
        return;
    }
    help_whole(f, m, constant ? constant->loc : a->loc);
}

void report_uncalled(struct frontend *f, const struct ast *a, const char *name)
{
    struct location behind = {a->loc.source, a->loc.end, a->loc.end};
    struct diag_message *m =
        diag_report(f->diag, a->loc, SYNTAX_EXPECTED, arena_printf(&f->arena, "`%s()`", name),
                    "the function itself");

    diag_help(m, "call it");
    diag_help_edit(m, behind, "()");
}

struct location indentation_of(struct location loc)
{
    struct location line = location_whole_line(loc);

    line.end = line.begin + (uint32_t)strspn(line.source->text + line.begin, " \t");
    return line;
}

void help_line_after(struct diag_message *m, struct location last, struct location like,
                     const char *text)
{
    struct location end = location_behind(last);

    end.begin += (uint32_t)strcspn(end.source->text + end.begin, "\r\n");
    end.end = end.begin;
    diag_help_edit(m, end, "\n%.*s%s", LOCATION_TEXT(indentation_of(like)), text);
}

void help_line_behind(struct diag_message *m, struct location last, const char *text)
{
    help_line_after(m, last, last, text);
}

void help_nearest(struct diag_message *m, struct location place, const char *typed,
                  const char *const *names, const char *before)
{
    struct text_nearest nearest = text_nearest_to(typed);

    for (; *names; names++)
        text_nearest_offer(&nearest, *names);
    diag_help_nearest(m, place, before, &nearest);
}

/* "its functions are `a`, `b`" */
static void help_functions(struct frontend *f, struct diag_message *m)
{
    enum { SHOWN = 8 };
    struct text names = {0};

    for (size_t i = 0; i < f->module->global_count && i < SHOWN; i++)
        text_printf(&names, "%s`%s`", i ? ", " : "", f->module->globals[i]->name);
    if (f->module->global_count)
        diag_help(m, "its functions are %s%s", text_string(&names),
                  f->module->global_count > SHOWN ? ", .." : "");
    text_finish(&names);
}

void help_module_function(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    struct text_nearest nearest = text_nearest_to(a->name);

    for (size_t i = 0; i < f->module->global_count && i < 1000; i++)
        text_nearest_offer(&nearest, f->module->globals[i]->name);
    if (nearest.found && !nearest.other && help_definition(f, m, a, nearest.found))
        return;
    if (nearest.found)
        diag_help_nearest(m, a->name_loc, "", &nearest);
    else
        help_functions(f, m);
}

void help_kernel_name(struct frontend *f, struct diag_message *m, const struct ast *string)
{
    const char *module = module_name(f);

    if (!module || !ir_module_find(f->module, string->string))
        return;
    diag_help(m, "write `%s.%s`", module, string->string);
    diag_help_edit(m, string->loc, "%s.%s", module, string->string);
}

/* What others call @name, as kernels do. */
static const char *kernel_word(const char *name)
{
    static const char *const known[][2] = {
#define KERNEL(word, function) {word, function},
#include "frontend/tvmscript/words.def"
    };

    for (size_t i = 0; i < ARRAY_SIZE(known); i++)
        if (strcmp(known[i][0], name) == 0)
            return known[i][1];
    return NULL;
}

void help_kernel_function(struct diag_message *m, const struct ast *callee)
{
    static const char *const others[] = {"Cast",        "cast",
                                         "min_value",   "max_value",
                                         "infinity",    "ceildiv",
                                         "Select",      "Shuffle",
                                         "Broadcast",   "Ramp",
                                         "Let",         "const",
                                         "address_of",  "if_then_else",
                                         "grid",        "serial",
                                         "parallel",    "unroll",
                                         "evaluate",    "vectorized",
                                         "reads",       "writes",
                                         "where",       "float32",
                                         "float64",     "float16",
                                         "int32",       "int64",
                                         "int8",        "uint8",
                                         "bool",        "min",
                                         "max",         "sblock_alloc_buffer",
                                         "alloc_buffer"};
    const char *typed = callee->kind == AST_ATTRIBUTE ? callee->name : NULL;

    if (!typed)
        return;
    if (kernel_word(typed)) {
        diag_help(m, "there is `T.%s`", kernel_word(typed));
        diag_help_edit(m, callee->loc, "T.%s", kernel_word(typed));
        return;
    }
    struct text_nearest nearest = text_nearest_to(typed);
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        text_nearest_offer(&nearest, others[i]);
    for (unsigned i = 0; ir_intrinsic_name(i); i++)
        text_nearest_offer(&nearest, ir_intrinsic_name(i));
    if (!nearest.found || strcmp(typed, nearest.found) != 0) {
        diag_help_nearest(m, callee->name_loc, "T.", &nearest);
        return;
    }
    bool is_there = callee->items[0]->kind == AST_NAME && strcmp(callee->items[0]->name, "T") == 0;
    diag_help(m,
              is_there ? "`T.%s` is no value: it is a statement of kernels, or part of one"
                       : "there is `T.%s`", /* R.exp */
              nearest.found);
    if (!is_there)
        diag_help_edit(m, callee->loc, "T.%s", nearest.found);
}

/*
 * Options of passes: what a pipeline gives against what the row of the pass declares
 * ("max_depth: int = 256, outputs: string"), and how the pass reads them.
 */
#include "passes/internal.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

/* The text between quotes at *@cursor. */
static const struct ir_attr *read_quoted(struct ir_context *context, const char **cursor)
{
    const char *p = *cursor + 1;
    struct text text = {0};

    for (; *p && *p != **cursor; p++) {
        if (*p == '\\' && p[1])
            p++;
        text_putc(&text, *p);
    }
    const char *atom = atom_intern(&context->atoms, text_string(&text), text.length);
    text_finish(&text);
    if (!*p)
        return NULL;
    *cursor = p + 1;
    return ir_attr_string(context, atom);
}

const struct ir_attr *option_read(struct ir_context *context, const char **cursor)
{
    const char *start = *cursor;
    char *end;

    if (*start == '"' || *start == '\'')
        return read_quoted(context, cursor);
    size_t length = strcspn(start, ",()\"'# \t\r\n");
    if (length == 0)
        return NULL;
    *cursor += length;
    const char *word = atom_intern(&context->atoms, start, length);
    errno = 0;
    long long number = strtoll(word, &end, 10);

    if (*end == '\0' && errno == 0)
        return ir_attr_int(context, number);
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        return ir_attr_bool(context, word[0] == 't');
    return ir_attr_string(context, word);
}

void option_print(const struct ir_attr *value, struct text *out)
{
    if (value->kind == IR_ATTR_INT) {
        text_printf(out, "%" PRId64, value->integer);
    } else if (value->kind == IR_ATTR_BOOL) {
        text_puts(out, value->boolean ? "true" : "false");
    } else {
        text_putc(out, '"');
        for (const char *p = value->string; *p; p++) {
            if (*p == '"' || *p == '\\')
                text_putc(out, '\\');
            text_putc(out, *p);
        }
        text_putc(out, '"');
    }
}

/* ---- what rows declare ---- */

/* One declared option. */
struct declared {
    const char *name; /* atom */
    const char *type;
    size_t type_length;
    const struct ir_attr *value; /* NULL: must be given */
};

static const char *skip_blank(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

/* Reads `name: type [= default]` at @p; what stands behind it, behind its comma. */
static const char *read_declared(struct ir_context *context, const char *p, struct declared *out)
{
    size_t length = strcspn(p, ":");

    out->name = atom_intern(&context->atoms, p, length);
    p = skip_blank(p + length + 1);
    out->type = p;
    out->type_length = strcspn(p, " =,");
    p = skip_blank(p + out->type_length);
    out->value = NULL;
    if (*p == '=') {
        p = skip_blank(p + 1);
        out->value = option_read(context, &p);
        p = skip_blank(p);
    }
    return *p == ',' ? skip_blank(p + 1) : p;
}

/* What @value should be and is not; NULL: it is fine.  Numbers of options are sizes and counts. */
static const char *type_problem(const struct declared *declared, const struct ir_attr *value)
{
    static const struct {
        const char *name;
        enum ir_attr_kind kind;
        const char *problem;
    } types[] = {{"int", IR_ATTR_INT, "an integer"},
                 {"bool", IR_ATTR_BOOL, "`true` or `false`"},
                 {"string", IR_ATTR_STRING, "a word, or text in quotes"}};

    for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
        if (strlen(types[i].name) != declared->type_length ||
            strncmp(types[i].name, declared->type, declared->type_length) != 0)
            continue;
        if (types[i].kind != value->kind)
            return types[i].problem;
        return value->kind == IR_ATTR_INT && value->integer < 0 ? "0 or more" : NULL;
    }
    FATAL("a pass declares an option of a type that does not exist");
}

/* Where @pass, the text of a pass with its options, gives @name: its value, and in front of that the name; else @pass. */
static struct location value_place(struct location pass, const char *name)
{
    return pass.source ? location_argument(pass, UINT_MAX, name) : pass;
}

static struct location name_place(struct location pass, const char *name)
{
    struct location place = value_place(pass, name);

    if (!place.source || place.begin == pass.begin)
        return pass;
    place.end = place.begin;
    while (strchr(" =", place.source->text[place.end - 1]))
        place.end--;
    place.begin = place.end - (uint32_t)strlen(name);
    return place;
}

static bool report_option(struct pass_run *run, const struct pass_info *pass, struct location loc,
                          const char *name)
{
    struct location place = name_place(loc, name);
    struct diag_message *message = diag_report(run->diag, place, PASS_OPTION, pass->name, name);
    struct text_nearest nearest = text_nearest_to(name);
    struct declared declared;

    for (const char *p = pass->options; *p;) {
        p = read_declared(run->module->context, p, &declared);
        text_nearest_offer(&nearest, declared.name);
        if (!nearest.found && strncmp(declared.name, name, strlen(name)) == 0)
            nearest.found = declared.name;
    }
    if (nearest.found) {
        diag_help(message, "there is `%s`", nearest.found);
        if (place.begin != loc.begin)
            diag_help_edit(message, place, "%s", nearest.found);
    }
    if (*pass->options)
        diag_help(message, "its options: %s", pass->options);
    else
        diag_help(message, "it has no options");
    return false;
}

static bool report_value(struct pass_run *run, const struct pass_info *pass, struct location loc,
                         const struct declared *declared, const char *problem)
{
    struct diag_message *message =
        diag_report(run->diag, value_place(loc, declared->name), PASS_OPTION_VALUE, declared->name,
                    pass->name, problem);

    diag_help(message, "its options: %s", pass->options);
    return false;
}

static bool report_type(struct pass_run *run, const struct pass_info *pass, struct location loc,
                        const struct declared *declared, const struct ir_attr *value,
                        const char *problem)
{
    struct text text = {0};

    text_puts(&text, "is `");
    option_print(value, &text);
    text_printf(&text, "`, and must be %s", problem);
    report_value(run, pass, loc, declared, text_string(&text));
    text_finish(&text);
    return false;
}

bool options_check(struct pass_run *run, const struct pass_info *pass, struct location loc,
                   const struct ir_attr **options)
{
    struct ir_context *context = run->module->context;
    const struct ir_attr *given = *options, *all = NULL;
    unsigned used = 0;

    for (const char *p = pass->options; *p;) {
        struct declared declared;

        p = read_declared(context, p, &declared);
        const struct ir_attr *value = given ? ir_attr_dict_get(given, declared.name) : NULL;
        if (value)
            used++;
        else if (declared.value)
            value = declared.value;
        else
            return report_value(run, pass, loc, &declared, "must be given");
        const char *problem = type_problem(&declared, value);
        if (problem)
            return report_type(run, pass, loc, &declared, value, problem);
        all = ir_attr_dict_with(context, all, declared.name, value);
    }
    for (unsigned i = 0; given && used < given->count && i < given->count; i++)
        if (!all || !ir_attr_dict_get(all, given->keys[i]))
            return report_option(run, pass, loc, given->keys[i]);
    *options = all;
    return true;
}

/* ---- for passes ---- */

static const struct ir_attr *option(const struct pass_run *run, const char *name)
{
    const struct ir_attr *value = run->options ? ir_attr_dict_get(run->options, name) : NULL;

    if (!value)
        FATAL("a pass reads an option that its row does not have");
    return value;
}

int64_t pass_option_int(const struct pass_run *run, const char *name)
{
    return option(run, name)->integer;
}

bool pass_option_bool(const struct pass_run *run, const char *name)
{
    return option(run, name)->boolean;
}

const char *pass_option_string(const struct pass_run *run, const char *name)
{
    return option(run, name)->string;
}

bool pass_option_fma(struct pass_run *run, bool *out_has_fma)
{
    const char *fma = pass_option_string(run, "fma");

    *out_has_fma = strcmp(fma, "on") == 0;
    if (strcmp(fma, "target") == 0)
        *out_has_fma = target_has(&run->target, TARGET_FMA);
    else if (!*out_has_fma && strcmp(fma, "off") != 0) {
        diag_report(run->diag, (struct location){0}, PASS_OPTION_VALUE, "fma", run->pass->name,
                    "is none of \"target\", \"on\", \"off\"");
        return false;
    }
    return true;
}

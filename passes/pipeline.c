/* The text of a pipeline: passes and pipelines by name, options in parentheses. */
#include "passes/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct pass_info *find_pass(const char *name)
{
    for (size_t i = 0; i < pass_table_count; i++)
        if (strcmp(pass_table[i].name, name) == 0)
            return &pass_table[i];
    return NULL;
}

static const struct pipeline_info *find_pipeline(const char *name)
{
    for (size_t i = 0; i < pipeline_table_count; i++)
        if (strcmp(pipeline_table[i].name, name) == 0)
            return &pipeline_table[i];
    return NULL;
}

static void report_unknown(struct pass_run *run, const char *name)
{
    struct diag_message *message = diag_report(run->diag, (struct location){0}, PASS_UNKNOWN, name);
    const char *nearest = NULL;
    unsigned best = 4;

    for (size_t i = 0; i < pass_table_count; i++) {
        const char *candidate = pass_table[i].name;
        unsigned distance = text_distance(name, strlen(name), candidate, strlen(candidate));

        if (distance < best) {
            best = distance;
            nearest = candidate;
        }
    }
    if (nearest)
        diag_help(message, "the nearest name is `%s`", nearest);
    diag_help(message, "`inlay list passes` and `inlay list pipelines` show all names");
}

/* ---- the text of a pipeline ---- */

static const char *skip_blank(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

static const char *skip_word(const char *p)
{
    while (isalnum((unsigned char)*p) || strchr("_-./", *p ? *p : ' '))
        p++;
    return p;
}

/* A word, or anything between double quotes. */
static const char *skip_value(const char *p)
{
    if (*p != '"')
        return skip_word(p);
    const char *end = strchr(p + 1, '"');
    return end ? end + 1 : p;
}

static bool fail_at(struct pass_run *run, const char *p, const char *why)
{
    diag_report(run->diag, (struct location){0}, PASS_SYNTAX, *p ? p : "the end", why);
    return false;
}

const struct ir_attr *option_value(struct pass_run *run, const char *start, size_t length)
{
    struct ir_context *context = run->module->context;

    if (length >= 2 && start[0] == '"')
        return ir_attr_string(context, atom_intern(&context->atoms, start + 1, length - 2));
    const char *word = atom_intern(&context->atoms, start, length);
    char *end;
    long long number = strtoll(word, &end, 10);

    if (end != word && *end == '\0')
        return ir_attr_int(context, number);
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        return ir_attr_bool(context, word[0] == 't');
    return ir_attr_string(context, word);
}

/* Reads `(key=value, ...)` at *@cursor into a dict. */
static bool read_options(struct pass_run *run, const char **cursor, const struct ir_attr **out)
{
    struct ir_context *context = run->module->context;
    const char *p = skip_blank(*cursor + 1);

    while (*p != ')') {
        const char *key = p;

        p = skip_word(p);
        size_t key_length = (size_t)(p - key);
        p = skip_blank(p);
        if (key_length == 0 || *p != '=')
            return fail_at(run, key, "expected `key=value`");
        const char *value = p = skip_blank(p + 1);
        p = skip_value(p);
        if (p == value)
            return fail_at(run, value, "expected a value");
        *out = ir_attr_dict_with(context, *out, atom_intern(&context->atoms, key, key_length),
                                 option_value(run, value, (size_t)(p - value)));
        p = skip_blank(p);
        if (*p == ',')
            p = skip_blank(p + 1);
        else if (*p != ')')
            return fail_at(run, p, "expected `,` or `)`");
    }
    *cursor = p + 1;
    return true;
}

static bool add_steps(struct pass_run *run, const char *text, unsigned depth, struct steps *steps);

static bool add_named(struct pass_run *run, const char *name, const struct ir_attr *options,
                      unsigned depth, struct steps *steps)
{
    const struct pass_info *pass = find_pass(name);
    const struct pipeline_info *pipeline = find_pipeline(name);

    if (pass) {
        if (!options_check(run, pass, &options))
            return false;
        array_push(steps, (struct step){pass, options});
        return true;
    }
    if (pipeline && depth < 16)
        return add_steps(run, pipeline->passes, depth + 1, steps);
    report_unknown(run, name);
    return false;
}

static bool add_steps(struct pass_run *run, const char *text, unsigned depth, struct steps *steps)
{
    const char *p = skip_blank(text);

    while (*p) {
        const struct ir_attr *options = NULL;
        const char *start = p;

        p = skip_word(p);
        if (p == start)
            return fail_at(run, start, "expected the name of a pass");
        const char *name = atom_intern(&run->module->context->atoms, start, (size_t)(p - start));
        p = skip_blank(p);
        if (*p == '(' && !read_options(run, &p, &options))
            return false;
        if (!add_named(run, name, options, depth, steps))
            return false;
        p = skip_blank(p);
        if (*p == ',')
            p = skip_blank(p + 1);
        else if (*p)
            return fail_at(run, p, "expected `,`");
    }
    return true;
}

bool pipeline_read(struct pass_run *run, const char *text, struct steps *out_steps)
{
    return add_steps(run, text, 0, out_steps);
}

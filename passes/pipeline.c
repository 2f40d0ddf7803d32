/*
 * The text of a pipeline as a tree of steps.
 *
 *     pipeline = { item ("," | newline) }
 *     item     = pass [ "(" key "=" value { "," key "=" value } ")" ]
 *              | pipeline-name
 *              | "fix" "(" [ "limit" "=" number "," ] pipeline ")"
 *              | "@" path
 *
 * `#` starts a comment.  The text is made a source, so that a mistake in it is shown in its place.
 */
#include "passes/internal.h"

#include <ctype.h>
#include <string.h>

struct reader {
    struct pass_run *run;
    const struct pass_watch *watch;
    struct arena *arena;
    const struct source *source;
    const char *p;
    unsigned depth;
};

static bool read_list(struct reader *r, struct step *list);

static struct step *step_new(struct reader *r, enum step_kind kind, const char *name,
                             struct location loc)
{
    struct step *step = arena_new(r->arena, struct step);

    step->kind = kind;
    step->name = name;
    step->loc = loc;
    return step;
}

void pipeline_finish(struct step *step)
{
    for (size_t i = 0; step && i < step->children.count; i++)
        pipeline_finish(step->children.items[i]);
    if (step)
        array_finish(&step->children);
}

/* From @start to the cursor. */
static struct location place(const struct reader *r, const char *start)
{
    return (struct location){.source = r->source,
                             .begin = (uint32_t)(start - r->source->text),
                             .end = (uint32_t)(r->p - r->source->text)};
}

static bool fail_at(struct reader *r, const char *why)
{
    struct location loc = place(r, r->p);

    if (*r->p)
        loc.end++;
    diag_report(r->run->diag, loc, PASS_SYNTAX, why);
    return false;
}

/* Skips blanks and comments; was there the end of a line? */
static bool skip(struct reader *r)
{
    bool is_line = false;

    for (;; r->p++) {
        if (*r->p == '#')
            r->p += strcspn(r->p, "\n");
        if (!isspace((unsigned char)*r->p))
            return is_line;
        is_line |= *r->p == '\n';
    }
}

/* A name, or NULL. */
static const char *read_name(struct reader *r)
{
    const char *start = r->p;

    while (isalnum((unsigned char)*r->p) || *r->p == '_')
        r->p++;
    return r->p > start
               ? atom_intern(&r->run->module->context->atoms, start, (size_t)(r->p - start))
               : NULL;
}

/* Reads `key=value`; false after a report. */
static bool read_option(struct reader *r, const char **out_key, const struct ir_attr **out_value)
{
    *out_key = read_name(r);
    skip(r);
    if (!*out_key || *r->p != '=')
        return fail_at(r, "expected `key=value`");
    r->p++;
    skip(r);
    *out_value = option_read(r->run->module->context, &r->p);
    if (!*out_value)
        return fail_at(r, *r->p == '"' || *r->p == '\'' ? "this text does not end"
                                                        : "expected a value");
    skip(r);
    return true;
}

/* Reads `(key=value, ...)` into a dict; NULL for `()`. */
static bool read_options(struct reader *r, const struct ir_attr **out)
{
    r->p++;
    skip(r);
    while (*r->p != ')') {
        const char *key, *start = r->p;
        const struct ir_attr *value;

        if (!read_option(r, &key, &value))
            return false;
        if (*out && ir_attr_dict_get(*out, key)) {
            r->p = start;
            return fail_at(r, "this option is given twice");
        }
        *out = ir_attr_dict_with(r->run->module->context, *out, key, value);
        if (*r->p == ',') {
            r->p++;
            skip(r);
        } else if (*r->p != ')') {
            return fail_at(r, "expected `,` or `)`");
        }
    }
    r->p++;
    return true;
}

/* The pass as one would write it. */
static const char *pass_text(struct reader *r, const char *name, const struct ir_attr *options)
{
    struct text text = {0};

    text_puts(&text, name);
    for (unsigned i = 0; options && i < options->count; i++) {
        text_printf(&text, "%s%s=", i == 0 ? "(" : ", ", options->keys[i]);
        option_print(options->items[i], &text);
    }
    if (options && options->count > 0)
        text_putc(&text, ')');
    const char *copy = arena_copy_text(r->arena, text_string(&text), text.length);
    text_finish(&text);
    return copy;
}

/* Reads @text in place of the source that is read now. */
static bool read_nested(struct reader *r, const struct source *source, struct step *list)
{
    struct reader inner = *r;

    if (r->depth == PIPELINE_DEPTH)
        return fail_at(r, "pipelines are nested too deeply");
    inner.source = source;
    inner.p = source->text;
    inner.depth++;
    if (!read_list(&inner, list))
        return false;
    skip(&inner);
    return !*inner.p || fail_at(&inner, "expected `,` or a new line");
}

static bool read_pass(struct reader *r, const struct pass_info *pass, const char *start,
                      struct step *list)
{
    const struct ir_attr *options = NULL;

    if (*r->p == '(' && !read_options(r, &options))
        return false;
    struct step *step = step_new(r, STEP_PASS, pass->name, place(r, start));
    step->pass = pass;
    step->options = options;
    step->text = pass_text(r, pass->name, options);
    array_push(&list->children, step);
    return options_check(r->run, pass, step->loc, &step->options);
}

static bool read_pipeline(struct reader *r, const struct pipeline_info *pipeline, const char *start,
                          struct step *list)
{
    struct step *step = step_new(r, STEP_LIST, pipeline->name, place(r, start));
    struct arena *sources = r->run->module->context->sources;
    const char *name = arena_printf(sources, "<%s>", pipeline->name);

    array_push(&list->children, step);
    if (*r->p == '(')
        return fail_at(r, "a pipeline has no options");
    return read_nested(r, source_new(sources, name, pipeline->passes, strlen(pipeline->passes)),
                       step);
}

static bool read_limit(struct reader *r, struct step *fix)
{
    const char *key, *start = r->p;
    const struct ir_attr *value;

    if (strncmp(r->p, "limit", 5) != 0 || r->p[5 + strspn(r->p + 5, " ")] != '=')
        return true;
    if (!read_option(r, &key, &value))
        return false;
    if (value->kind != IR_ATTR_INT || value->integer < 1 || value->integer > 1000000) {
        r->p = start;
        return fail_at(r, "the limit of `fix` is a number of rounds from 1 to 1000000");
    }
    fix->limit = (unsigned)value->integer;
    if (*r->p == ',')
        r->p++;
    else if (*r->p != ')')
        return fail_at(r, "expected `,`");
    return true;
}

static bool read_fix(struct reader *r, const char *start, struct step *list)
{
    struct step *step = step_new(r, STEP_FIX, "fix", place(r, start));

    array_push(&list->children, step);
    step->limit = FIX_LIMIT;
    if (*r->p != '(')
        return fail_at(r, "expected `(`: fix(Pass, Pass)");
    if (r->depth == PIPELINE_DEPTH)
        return fail_at(r, "pipelines are nested too deeply");
    r->p++;
    skip(r);
    r->depth++;
    if (!read_limit(r, step) || !read_list(r, step))
        return false;
    r->depth--;
    skip(r);
    if (*r->p != ')')
        return fail_at(r, "expected `,` or `)`");
    r->p++;
    step->loc = place(r, start);
    return step->children.count > 0 || fail_at(r, "`fix` of nothing");
}

/* @path as it is to be opened: in a file it is seen from where that lies. */
static const char *found_from(struct reader *r, const char *path)
{
    const char *slash = strrchr(r->source->name, '/');

    if (*path == '/' || *r->source->name == '<' || !slash)
        return path;
    return arena_printf(r->arena, "%.*s/%s", (int)(slash - r->source->name), r->source->name, path);
}

static bool read_file(struct reader *r, const char *start, struct step *list)
{
    const char *from = ++r->p;
    size_t length = strcspn(from, ",()# \t\r\n\"'");
    const char *path = arena_copy_text(r->arena, from, length);

    if (*from == '"' || *from == '\'') {
        const struct ir_attr *quoted = option_read(r->run->module->context, &r->p);

        path = quoted ? quoted->string : "";
    } else {
        r->p += length;
    }
    if (!*path)
        return fail_at(r, "expected the path of a file with passes");
    struct step *step =
        step_new(r, STEP_LIST, arena_printf(r->arena, "@%s", path), place(r, start));
    array_push(&list->children, step);
    size_t messages = diag_message_count(r->run->diag);
    const struct source *source =
        r->watch->read ? r->watch->read(r->watch->state, found_from(r, path)) : NULL;
    diag_locate(r->run->diag, messages, step->loc);
    return source && read_nested(r, source, step);
}

static bool read_item(struct reader *r, struct step *list)
{
    const char *start = r->p;

    if (*r->p == '@')
        return read_file(r, start, list);
    const char *name = read_name(r);
    if (!name)
        return fail_at(r, "expected the name of a pass");
    struct location loc = place(r, start);
    const struct pass_info *pass = find_pass(name);
    const struct pipeline_info *pipeline = find_pipeline(name);
    while (*r->p == ' ' || *r->p == '\t')
        r->p++;
    if (strcmp(name, "fix") == 0)
        return read_fix(r, start, list);
    if (pass)
        return read_pass(r, pass, start, list);
    if (pipeline)
        return read_pipeline(r, pipeline, start, list);
    return report_unknown(r->run->diag, loc, name, false);
}

/* Up to the end of the text or to a `)`. */
static bool read_list(struct reader *r, struct step *list)
{
    skip(r);
    while (*r->p && *r->p != ')') {
        if (!read_item(r, list))
            return false;
        bool is_separated = skip(r);

        if (*r->p == ',') {
            r->p++;
            skip(r);
        } else if (*r->p && *r->p != ')' && !is_separated) {
            return fail_at(r, "expected `,`");
        }
    }
    return true;
}

struct step *pipeline_read(struct pass_run *run, const struct pass_watch *watch,
                           struct arena *arena, const char *text)
{
    /* messages may be printed when the run is over */
    const struct source *source =
        source_new(run->module->context->sources, "<passes>", text, strlen(text));
    struct reader reader = {
        .run = run, .watch = watch, .arena = arena, .source = source, .p = source->text};
    struct step *root = step_new(&reader, STEP_LIST, "all", (struct location){0});

    if (read_list(&reader, root) && (!*reader.p || fail_at(&reader, "there is no `(` for it")))
        return root;
    pipeline_finish(root);
    return NULL;
}

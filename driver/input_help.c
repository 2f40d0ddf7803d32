/* See input_help.h. */
#include "driver/input_help.h"

#include <string.h>

/* Does a parameter's type have the symbol @name? */
static bool has_symbol(const struct inputs *inputs, const char *name)
{
    bool is_found = false;

    for (size_t i = 0; i < inputs->items.count; i++)
        is_found |= ir_type_has_symbol(inputs->items.items[i].type, name);
    return is_found;
}

/* The parameter whose name is near to @name, or of which it is the beginning; NULL: there is none. */
static const char *nearest_parameter(const struct inputs *inputs, const char *name)
{
    struct text_nearest nearest = text_nearest_to(name);
    const char *longer = NULL;

    for (size_t i = 0; i < inputs->items.count; i++) {
        const char *known = inputs->items.items[i].name;
        (void)text_nearest_offer(&nearest, known);
        if (!longer && name[0] && strncmp(known, name, strlen(name)) == 0)
            longer = known;
    }
    return nearest.found && !nearest.other ? nearest.found : longer;
}

/* What a shell would take apart stands in quotes. */
static void help_near(struct diag_message *m, const char *near, const char *spec)
{
    const char *quote = strpbrk(spec, " \t*?()[]<>|&;$") && !strchr(spec, '\'') ? "'" : "";

    diag_help(m, "the nearest is `%s`: --in %s=%s%s%s", near, near, quote, spec, quote);
}

void input_report_missing(const struct inputs *inputs, const struct driver_input *given)
{
    const char *name = given->name;
    struct text names = {0};
    for (size_t i = 0; i < inputs->items.count; i++)
        text_printf(&names, "%s`%s`", i ? ", " : "", inputs->items.items[i].name);
    struct diag_message *m = diag_report(inputs->diag, inputs->function->loc, INPUT_NO_PARAMETER,
                                         inputs->function->name, name);
    diag_note(m, "it takes %s", names.length ? text_string(&names) : "nothing");
    const char *near = nearest_parameter(inputs, name);
    if (has_symbol(inputs, name))
        diag_help(m, "`%s` is the size of a dimension: --dim %s=%s", name, name, given->spec);
    else if (near)
        help_near(m, near, given->spec);
    text_finish(&names);
}

static void help_bool(const struct input *input, struct diag_message *m)
{
    static const char *const trues[] = {"yes", "Yes", "on", "True", "TRUE", "y", "t", "T"};
    const struct ir_type *type = input->type;
    bool is_true = false;

    if (!ir_dtype_is_bool(type->dtype) || (type->kind == IR_TYPE_TENSOR && type->ndim != 0))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(trues); i++)
        is_true |= strcmp(trues[i], input->spec_text) == 0;
    diag_help(m, "it is a bool, so write `true` or `false`: --in %s=%s", input->name,
              is_true ? "true" : "false");
}

/* `--in x=points.npy`, and `--in x=4x3:points.npy` */
static bool help_file(const struct input *input, struct diag_message *m)
{
    static const char *const ends[] = {".npy", ".npz", ".bin", ".raw"};
    const char *spec = input->spec_text, *colon = strchr(spec, ':');
    size_t length = strlen(spec), shape = colon ? (size_t)(colon - spec) + 1 : 0;
    bool is_file = false;

    for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
        is_file |=
            length > strlen(ends[i]) && strcmp(spec + length - strlen(ends[i]), ends[i]) == 0;
    if (is_file)
        diag_help(m, "a file has `@` in front: --in %s=%.*s@%s", input->name, (int)shape, spec,
                  spec + shape);
    return is_file;
}

void input_help_spec(const struct input *input, struct diag_message *m)
{
    if (!help_file(input, m))
        help_bool(input, m);
}

/* Where in the text of a signature the type of a parameter stands. */
#include "ir/internal.h"
#include "ir/module.h"
#include "ir/spelling.h"

#include <string.h>

/* Behind the string or bracket that begins at @at, or one character. */
static uint32_t step(const struct source *source, uint32_t at, unsigned *depth)
{
    const char *text = source->text;
    char c = text[at];

    if (c == '"' || c == '\'') {
        const char *end = memchr(text + at + 1, c, source->length - at - 1);
        return end ? (uint32_t)(end - text) + 1 : (uint32_t)source->length;
    }
    if (c && strchr("([{", c))
        ++*depth;
    else if (c && strchr(")]}", c) && *depth)
        --*depth;
    return at + 1;
}

struct location ir_annotation_place(struct location name)
{
    if (!name.source)
        return name;
    const char *text = name.source->text;
    uint32_t end = (uint32_t)name.source->length, at = name.end;
    unsigned depth = 0;

    while (at < end && text[at] == ' ')
        at++;
    if (at >= end || text[at] != ':')
        return (struct location){0};
    for (at++; at < end && text[at] == ' ';)
        at++;
    uint32_t begin = at;
    while (at < end && !(depth == 0 && text[at] && strchr(",)=\n#", text[at])))
        at = step(name.source, at, &depth);
    while (at > begin && text[at - 1] == ' ')
        at--;
    return at > begin && at < end ? (struct location){name.source, begin, at}
                                  : (struct location){0};
}

void ir_help_parameter(struct diag_message *m, struct ir_context *context,
                       const struct ir_value *value, const char *name, const struct ir_type *wanted)
{
    if (value->def || !value->parameter_of || !value->name ||
        (value->type->ndim != wanted->ndim && (!name || strcmp(name, value->name) != 0)))
        return;
    struct location place = ir_annotation_place(value->loc);
    if (!place.source)
        return;
    const char *text = ir_type_spelled(context, place, value->type, wanted);
    diag_help(m, "let `%s` be `%s`", value->name, text);
    diag_help_edit(m, place, "%s", text);
    diag_help_unsure(m);
}

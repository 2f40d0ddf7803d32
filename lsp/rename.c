/* Another name for what the cursor points at: an edit of each place that means it. */
#include "ir/print.h"
#include "lsp/answers.h"

#include <ctype.h>
#include <string.h>

static bool is_identifier(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return !*text;
}

/* Where @use writes @name, which may be all that a string has; without a source: it does not. */
static struct location written_at(const struct frontend_use *use, const char *name)
{
    struct location loc = use->loc;
    size_t length = strlen(name);

    if (loc.end - loc.begin == length + 2) { /* quotes */
        loc.begin++;
        loc.end--;
    }
    if (loc.end - loc.begin != length || strncmp(loc.source->text + loc.begin, name, length) != 0)
        return (struct location){0};
    return loc;
}

/* Is @text the name of something, or does it stand anywhere else as a word?  It could hide that, or be hidden. */
static bool is_taken(const struct source *source, const char *text)
{
    size_t length = strlen(text);

    for (const char *p = source->text; (p = strstr(p, text)); p += length) {
        bool begins = p == source->text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_');

        if (begins && !isalnum((unsigned char)p[length]) && p[length] != '_')
            return true;
    }
    return false;
}

/* What stands against it; NULL: nothing. */
static const char *objection(const struct question *question, const struct frontend_use *use,
                             const char *name)
{
    const struct look *look = question->look;

    if (!use || use->path)
        return "no name of this script stands here";
    if (!look->is_whole)
        return "the script has mistakes: not every place that means it is known";
    if (!name || !is_identifier(name) || ir_is_reserved(name))
        return "this is no name";
    if (is_taken(look->source, name))
        return "the script has this word already";
    for (size_t i = 0; i < look->names.uses.count; i++) {
        const struct frontend_use *other = &look->names.uses.items[i];

        if (!other->path && other->name == use->name &&
            !written_at(other, look->names.names.items[use->name].text).source)
            return "a place means it by other words";
    }
    return NULL;
}

void answer_rename(const struct question *question, struct text *out)
{
    const char *name =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(question->params, "newName"));
    const struct frontend_names *names = &question->look->names;
    const struct frontend_use *use = frontend_names_at(names, question_offset(question));
    struct location last = {0};

    *question->out_objection = objection(question, use, name);
    if (*question->out_objection)
        return;
    text_puts(out, "{\"changes\":{");
    put_string(out, question->document->uri);
    text_puts(out, ":[");
    for (size_t i = 0; i < names->uses.count; i++) {
        const struct frontend_use *other = &names->uses.items[i];

        if (other->path || other->name != use->name)
            continue;
        struct location place = written_at(other, names->names.items[use->name].text);

        if (last.source && last.begin == place.begin) /* a string, and the name in it */
            continue;
        text_puts(out, last.source ? ",{\"range\":" : "{\"range\":");
        last = place;
        put_range(out, place);
        text_puts(out, ",\"newText\":");
        put_string(out, name);
        text_putc(out, '}');
    }
    text_puts(out, "]}}");
}

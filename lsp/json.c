/* Parts of the protocol that all answers are made of. */
#include "lsp/answers.h"

#include <limits.h>
#include <string.h>

void put_string(struct text *out, const char *string)
{
    text_put_json(out, string, strlen(string));
}

static void put_place(struct text *out, const struct source *source, uint32_t offset)
{
    struct place place = document_place(source, offset);

    text_printf(out, "{\"line\":%u,\"character\":%u}", place.line, place.unit);
}

void put_range(struct text *out, struct location loc)
{
    text_puts(out, "{\"start\":");
    put_place(out, loc.source, loc.begin);
    text_puts(out, ",\"end\":");
    put_place(out, loc.source, loc.end);
    text_putc(out, '}');
}

void put_location(struct text *out, const struct document *document, struct location loc)
{
    text_puts(out, "{\"uri\":");
    put_string(out, document->uri);
    text_puts(out, ",\"range\":");
    put_range(out, loc);
    text_putc(out, '}');
}

unsigned json_number(const cJSON *object, const char *name)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(object, name);

    return cJSON_IsNumber(number) && number->valuedouble >= 1 && number->valuedouble < INT_MAX
               ? (unsigned)number->valuedouble
               : 0;
}

struct place json_place(const cJSON *position)
{
    return (struct place){json_number(position, "line"), json_number(position, "character")};
}

uint32_t question_offset(const struct question *question)
{
    const cJSON *position = cJSON_GetObjectItemCaseSensitive(question->params, "position");

    return (uint32_t)document_offset(&question->document->text, json_place(position));
}

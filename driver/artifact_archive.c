/* Static libraries: an index of symbols and one object, with nothing in them that changes from day to day. */
#include "driver/artifact.h"

#include <stdio.h>
#include <string.h>

enum { NAME_LIMIT = 15 };

/* In front of each member. */
static void put_head(const char *name, size_t size, struct text *out)
{
    text_printf(out, "%-16s%-12s%-6s%-6s%-8s%-10zu`\n", name, "0", "0", "0", "644", size);
}

static void put_big_endian(size_t value, struct text *out)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        text_putc(out, (char)(value >> shift & 0xff));
}

void artifact_put_archive(const char *member, const struct text *object, const char *const *names,
                          size_t count, struct text *out)
{
    static const char magic[] = "!<arch>\n";
    enum { HEAD = 60 };
    char name[NAME_LIMIT + 2];
    size_t index = 4 + 4 * count;

    for (size_t i = 0; i < count; i++)
        index += strlen(names[i]) + 1;
    size_t padded = index + index % 2;
    text_puts(out, magic);
    put_head("/", padded, out);
    put_big_endian(count, out);
    for (size_t i = 0; i < count; i++) /* where the member begins */
        put_big_endian(sizeof(magic) - 1 + HEAD + padded, out);
    for (size_t i = 0; i < count; i++)
        text_append(out, names[i], strlen(names[i]) + 1);
    if (index % 2)
        text_putc(out, 0);
    snprintf(name, sizeof(name), "%s/", strlen(member) <= NAME_LIMIT ? member : "artifact.o");
    put_head(name, object->length, out);
    text_append(out, object->data, object->length);
    if (object->length % 2)
        text_putc(out, '\n');
}

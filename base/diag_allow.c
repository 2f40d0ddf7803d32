/* Comments that silence a warning: `# inlay: allow(E0321)`. */
#include "base/diag_allow.h"

#include <stdlib.h>
#include <string.h>

/* The text of 1-based @line, without its end. */
static const char *line_text(const struct source *source, unsigned line, size_t *out_length)
{
    const char *text = source->text + source->line_starts[line - 1];
    *out_length = strcspn(text, "\r\n");
    return text;
}

/* Does the comment "E0321, E0442)..." name @code? */
static bool names(const char *codes, const char *end, unsigned code)
{
    while (codes < end && *codes != ')') {
        char *rest;
        codes += strspn(codes, " ,");
        if (*codes == 'E' && strtoul(codes + 1, &rest, 10) == code && rest == codes + 5)
            return true;
        size_t length = strcspn(codes, " ,)\r\n");
        codes += length ? length : 1;
    }
    return false;
}

static bool allows(const char *line, size_t length, unsigned code)
{
    static const char word[] = "# inlay: allow(";
    const char *end = line + length;
    for (const char *at = line; (at = memchr(at, '#', (size_t)(end - at))) != NULL; at++)
        if ((size_t)(end - at) >= sizeof(word) && memcmp(at, word, sizeof(word) - 1) == 0 &&
            names(at + sizeof(word) - 1, end, code))
            return true;
    return false;
}

bool diag_is_allowed(struct location location, unsigned code)
{
    size_t length;
    if (!location.source)
        return false;
    unsigned line = source_line(location.source, location.begin, NULL);
    const char *text = line_text(location.source, line, &length);
    if (allows(text, length, code))
        return true;
    if (line == 1)
        return false;
    text = line_text(location.source, line - 1, &length);
    size_t indent = strspn(text, " \t");
    return indent < length && text[indent] == '#' && allows(text, length, code);
}

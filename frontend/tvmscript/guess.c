/* Is a file of Python a script, or another program?  Programs have scripts in strings, which do not count. */
#include "frontend/frontend.h"

#include <string.h>

/* A text on its way, from the begin of a line to that of the next. */
struct reader {
    const char *at, *end;
};

static bool starts(const struct reader *r, const char *word)
{
    size_t length = strlen(word);

    return (size_t)(r->end - r->at) >= length && memcmp(r->at, word, length) == 0;
}

static bool ends_with(const char *begin, const char *end, const char *word)
{
    size_t length = strlen(word);

    return (size_t)(end - begin) >= length && memcmp(end - length, word, length) == 0;
}

/* @I.ir_module, @T.prim_func(..), @relax.function, or an import of what they are from. */
static bool is_mark(const struct reader *line)
{
    static const char *const names[] = {"ir_module", "prim_func", "R.function", "relax.function"};
    const char *end = line->at;

    if (starts(line, "from tvm.script") || starts(line, "import tvm.script"))
        return true;
    if (!starts(line, "@"))
        return false;
    while (end < line->end && !strchr("(\r\n #", *end))
        end++;
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (ends_with(line->at, end, names[i]))
            return true;
    return false;
}

/* Behind the string that begins here; one of a single line ends with it. */
static void skip_string(struct reader *r)
{
    char quote = *r->at;
    bool is_long = starts(r, quote == '"' ? "\"\"\"" : "'''");
    const char *closing = quote == '"' ? "\"\"\"" : "'''";

    for (r->at += is_long ? 3 : 1; r->at < r->end; r->at++) {
        if (is_long && starts(r, closing)) {
            r->at += 3;
            return;
        }
        if (!is_long && (*r->at == quote || *r->at == '\n')) {
            r->at += *r->at == quote;
            return;
        }
        if (*r->at == '\\' && r->at + 1 < r->end)
            r->at++;
    }
}

static void skip_line(struct reader *r)
{
    while (r->at < r->end && *r->at != '\n' && *r->at != '\r')
        if (*r->at == '#')
            while (r->at < r->end && *r->at != '\n' && *r->at != '\r')
                r->at++;
        else if (*r->at == '"' || *r->at == '\'')
            skip_string(r);
        else
            r->at++;
    if (r->at < r->end)
        r->at++;
}

bool frontend_is_script(const char *text, size_t length)
{
    struct reader r = {text, text + length};

    while (r.at < r.end) {
        while (r.at < r.end && (*r.at == ' ' || *r.at == '\t'))
            r.at++;
        if (is_mark(&r))
            return true;
        skip_line(&r);
    }
    return false;
}

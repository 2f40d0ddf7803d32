/*
 * Where in the text of a call its arguments stand: for messages about one of them.  The tree is gone
 * when these are made, and what stands at a place is the script's own text, so it is read again.
 */
#include "base/source.h"

#include <string.h>

/* Behind the string that starts at @at. */
static uint32_t behind_string(const char *text, uint32_t at, uint32_t end)
{
    char quote = text[at];
    bool is_triple = at + 2 < end && text[at + 1] == quote && text[at + 2] == quote;

    for (at += is_triple ? 3 : 1; at < end; at++) {
        if (text[at] == '\\')
            at++;
        else if (text[at] == quote && !is_triple)
            return at + 1;
        else if (text[at] == quote && at + 2 < end && text[at + 1] == quote &&
                 text[at + 2] == quote)
            return at + 3;
    }
    return end;
}

/* Behind what starts at @at: a string, a comment, or one character, which counts in *@depth. */
static uint32_t step(const char *text, uint32_t at, uint32_t end, int *depth)
{
    if (text[at] == '"' || text[at] == '\'')
        return behind_string(text, at, end);
    if (text[at] == '#') {
        while (at < end && text[at] != '\n' && text[at] != '\r')
            at++;
        return at;
    }
    *depth += text[at] && strchr("([{", text[at]) ? 1 : 0;
    *depth -= text[at] && strchr(")]}", text[at]) ? 1 : 0;
    return at + 1;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
}

/* @place without blanks and comments around it. */
static struct location trim(struct location place)
{
    const char *text = place.source->text;

    while (place.begin < place.end && (is_blank(text[place.begin]) || text[place.begin] == '#')) {
        if (text[place.begin++] != '#')
            continue;
        while (place.begin < place.end && text[place.begin] != '\n')
            place.begin++;
    }
    while (place.end > place.begin && is_blank(text[place.end - 1]))
        place.end--;
    return place;
}

/* The bracket that ends at the end of @call: where it opens; @call.end if none does. */
static uint32_t find_open(struct location call)
{
    const char *text = call.source->text;
    uint32_t open = call.end;
    int depth = 0;

    for (uint32_t at = call.begin, next; at < call.end; at = next) {
        int before = depth;
        next = step(text, at, call.end, &depth);
        if (depth > before && before == 0)
            open = at;
        if (depth <= 0 && before > 0 && next == call.end)
            return open;
    }
    return call.end;
}

/* The item at *@at; false if there is none. */
static bool next_item(struct location list, uint32_t *at, struct location *out)
{
    const char *text = list.source->text;
    uint32_t begin = *at;
    int depth = 0;

    while (*at < list.end && (depth > 0 || text[*at] != ','))
        *at = step(text, *at, list.end, &depth);
    *out = trim((struct location){list.source, begin, *at});
    *at += *at < list.end;
    return out->begin < out->end;
}

/* The value of @item if it is `name=value`, whose name is @keyword, or any if that is NULL. */
static bool is_keyword(struct location item, const char *keyword, struct location *out)
{
    const char *text = item.source->text;
    uint32_t at = item.begin;

    while (at < item.end && (text[at] == '_' || (text[at] >= '0' && text[at] <= '9') ||
                             ((text[at] | 0x20) >= 'a' && (text[at] | 0x20) <= 'z')))
        at++;
    size_t length = at - item.begin;
    while (at < item.end && is_blank(text[at]))
        at++;
    if (at + 1 >= item.end || text[at] != '=' || text[at + 1] == '=' ||
        (keyword && (strlen(keyword) != length || strncmp(text + item.begin, keyword, length))))
        return false;
    *out = trim((struct location){item.source, at + 1, item.end});
    return true;
}

/* Does only what is called stand between @call's begin and @open?  `a / R.f(b)` is no call of R.f. */
static bool is_callee(struct location call, uint32_t open)
{
    const char *text = call.source->text;
    int depth = 0;

    for (uint32_t at = call.begin; at < open;) {
        char c = text[at];
        bool is_word = c == '_' || c == '.' || (c >= '0' && c <= '9') ||
                       ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (unsigned char)c >= 0x80;
        if (depth == 0 && !is_word && !strchr("([", c))
            return false;
        at = step(text, at, open, &depth);
    }
    return true;
}

struct location location_argument(struct location call, unsigned index, const char *keyword)
{
    uint32_t open = call.source && call.end > call.begin ? find_open(call) : call.end;
    struct location inside = {call.source, open + 1, call.end - 1}, item, value;
    unsigned position = 0;

    if (open == call.end || !is_callee(call, open))
        return call;
    for (uint32_t at = inside.begin; at < inside.end && next_item(inside, &at, &item);) {
        if (is_keyword(item, NULL, &value)) {
            if (keyword && is_keyword(item, keyword, &value))
                return value;
        } else if (position++ == index)
            return item;
    }
    return call;
}

struct location location_text_behind(struct location from, const char *text)
{
    const char *found = from.source ? strstr(from.source->text + from.begin, text) : NULL;

    if (!found)
        return from;
    uint32_t begin = (uint32_t)(found - from.source->text);
    return (struct location){from.source, begin, begin + (uint32_t)strlen(text)};
}

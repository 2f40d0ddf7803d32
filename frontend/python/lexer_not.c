/* `!c`, which elsewhere turns a condition and makes 0 or 1 of an integer, and `c ? a : b`: what is meant by them. */
#include "frontend/python/lexer.h"

#include <string.h>

/* The word that ends at @end, within the line that begins at @line; its length, 0: none. */
static size_t word_length(const char *line, const char *end)
{
    const char *begin = end;

    while (begin > line && lexer_is_word(begin[-1]))
        begin--;
    return (size_t)(end - begin);
}

/* Does a condition stand behind the word in front of @place, as in `if !(..)` and `T.if_then_else(!..`? */
static bool is_behind_condition_word(struct location place)
{
    static const char *const words[] = {"if", "elif", "while",        "assert", "and",
                                        "or", "not",  "if_then_else", "Select", "where"};
    const char *line = place.source->text + location_whole_line(place).begin;
    const char *end = place.source->text + place.begin;

    while (end > line && (end[-1] == '(' || end[-1] == ' '))
        end--;
    size_t length = word_length(line, end);
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (length == strlen(words[i]) && strncmp(end - length, words[i], length) == 0)
            return true;
    return false;
}

/* Is there a comparison in what begins at @text, or does a condition go on behind it? */
static bool has_comparison(const char *text)
{
    static const char *const signs[] = {"<", ">", "==", "!=", " and ", " or ", " in "};

    for (; *text && !strchr(",#\r\n", *text); text++)
        for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
            if (strncmp(text, signs[i], strlen(signs[i])) == 0)
                return true;
    return false;
}

/* The name at @place with its indices and attributes; empty: something else stands there, or more behind it. */
static struct location name_at(struct location place)
{
    const char *text = place.source->text;
    uint32_t end = place.end;
    unsigned depth = 0;

    if (!lexer_is_word(text[end]) || (text[end] >= '0' && text[end] <= '9'))
        return location_behind(place);
    for (; text[end] && text[end] != '\n'; end++) {
        depth += text[end] == '[';
        if (depth == 0 && !lexer_is_word(text[end]) && text[end] != '.')
            break;
        depth -= text[end] == ']';
    }
    bool is_end = strchr("#\r\n", text[end + strspn(text + end, " ")]) != NULL;
    return (struct location){place.source, place.end, is_end && depth == 0 ? end : place.end};
}

void lexer_help_not(struct diag_message *m, struct location place)
{
    struct location sign = {place.source, place.begin, place.begin + 1};
    struct location name = name_at(sign);

    if (is_behind_condition_word(place) || has_comparison(place.source->text + sign.end)) {
        diag_help(m, "write `not `");
        diag_help_edit(m, sign, "not ");
        return;
    }
    diag_help(m, "the bits of an integer are turned by `~`");
    diag_help_edit(m, sign, "~");
    if (name.end > name.begin) {
        diag_help(m, "whether it is zero");
        diag_help_edit(m, location_join(sign, name), "%.*s == 0", LOCATION_TEXT(name));
    }
    diag_help(m, "a condition is turned by `not`");
    diag_help_edit(m, sign, "not ");
}

/* Where what stands at @begin ends, at @end or at a sign of @signs outside of brackets. */
static uint32_t find_sign(const char *text, uint32_t begin, uint32_t end, const char *signs)
{
    unsigned depth = 0;

    for (; begin < end; begin++) {
        depth += strchr("([{", text[begin]) != NULL;
        if (depth == 0 && strchr(signs, text[begin]))
            return begin;
        depth -= strchr(")]}", text[begin]) && depth;
    }
    return end;
}

static struct location trim(struct location place)
{
    const char *text = place.source->text;

    while (place.begin < place.end && text[place.begin] == ' ')
        place.begin++;
    while (place.end > place.begin && text[place.end - 1] == ' ')
        place.end--;
    return place;
}

/* All of the value of `name = c ? a : b`, where no other choice is in it. */
void lexer_help_choice(struct diag_message *m, struct location place)
{
    const char *text = place.source->text;
    struct location line = location_whole_line(place);
    uint32_t end = place.begin + (uint32_t)strcspn(text + place.begin, "#\r\n");
    uint32_t begin = find_sign(text, line.begin, place.begin, "=");
    uint32_t colon = find_sign(text, place.begin + 1, end, ":?");

    diag_help(m, "a choice is written `a if c else b`");
    if (begin == place.begin || text[begin + 1] != ' ' || colon == end || text[colon] != ':' ||
        find_sign(text, colon + 1, end, ":?") != end)
        return;
    struct location condition = trim((struct location){place.source, begin + 1, place.begin});
    struct location first = trim((struct location){place.source, place.begin + 1, colon});
    struct location second = trim((struct location){place.source, colon + 1, end});
    if (condition.begin < condition.end && first.begin < first.end && second.begin < second.end)
        diag_help_edit(m, location_join(condition, second), "%.*s if %.*s else %.*s",
                       LOCATION_TEXT(first), LOCATION_TEXT(condition), LOCATION_TEXT(second));
}

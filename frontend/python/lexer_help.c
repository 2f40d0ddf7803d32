/* What was meant by signs that are none: edits for messages of the lexer. */
#include "frontend/python/lexer.h"

#include <string.h>

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

void lexer_help_string(struct diag_message *m, struct location quote)
{
    const char *text = quote.source->text, *end = text + quote.end;

    while (is_word(*end))
        end++;
    diag_help(m, "a string over several lines needs three quotes");
    if (end == text + quote.end || !strchr("),]}:\r\n", *end))
        return;
    uint32_t place = (uint32_t)(end - text);
    diag_help(m, "close it behind the word");
    diag_help_edit(m, (struct location){quote.source, place, place}, "%c", text[quote.begin]);
}

void lexer_help_number(struct diag_message *m, struct location number)
{
    const char *text = number.source->text;
    uint32_t digit = number.begin;

    while (digit < number.end - 1 && text[digit] == '0')
        digit++;
    char last = text[number.end - 1];
    if ((last == 'f' || last == 'F') && number.end - number.begin > 1 &&
        strspn(text + number.begin, "0123456789.") == number.end - number.begin - 1) {
        diag_help(m, "a number has no suffix");
        diag_help_edit(m, (struct location){number.source, number.end - 1, number.end}, "%s", "");
        return;
    }
    for (uint32_t at = digit; at < number.end; at++)
        if (text[at] < '0' || text[at] > '9')
            return;
    if (digit == number.begin)
        return;
    diag_help(m, "a decimal number starts with no 0; an octal one starts with `0o`");
    diag_help_edit(m, (struct location){number.source, number.begin, digit}, "%s", "");
}

void lexer_help_character(struct diag_message *m, struct location place)
{
    /* What word processors and other languages make of Python's signs. */
    static const char *const meant[][2] = {
        {"!", "not "},          {"\xe2\x80\x9c", "\""}, {"\xe2\x80\x9d", "\""},
        {"\xe2\x80\x98", "'"},  {"\xe2\x80\x99", "'"},  {"\xe2\x88\x92", "-"},
        {"\xc3\x97", "*"},      {"\xe2\x89\xa4", "<="}, {"\xe2\x89\xa5", ">="},
        {"\xe2\x89\xa0", "!="}, {"\xc3\xb7", "/"},
    };
    const char *text = place.source->text + place.begin;

    for (size_t i = 0; i < ARRAY_SIZE(meant); i++) {
        size_t length = strlen(meant[i][0]);
        if (place.end - place.begin < length || memcmp(text, meant[i][0], length) != 0)
            continue;
        place.end = place.begin + (uint32_t)length;
        diag_help(m, "write `%s`", meant[i][1]);
        diag_help_edit(m, place, "%s", meant[i][1]);
        return;
    }
}

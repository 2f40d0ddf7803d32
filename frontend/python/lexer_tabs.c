/* How wide the tabs are that a line begins with: the lines and blocks around tell. */
#include "frontend/python/lexer.h"

#include <string.h>

enum { PYTHON_TAB = 8, EDITOR_TAB = 4 };

/* How many blanks the line behind that of @blanks begins with; 0, if it has tabs, or stands in a block of that line. */
static unsigned blanks_behind(struct location blanks)
{
    const char *line = blanks.source->text + blanks.begin;
    size_t length = strcspn(line, "\n");

    while (length && strchr(" \r\t", line[length - 1]))
        length--;
    bool opens = length && line[length - 1] == ':';
    line += strcspn(line, "\n");
    line += *line == '\n';
    size_t count = strspn(line, " ");
    return opens || strchr("\t#\r\n", line[count]) ? 0 : (unsigned)count;
}

/* The column behind @blanks where a tab reaches to the next multiple of EDITOR_TAB. */
static unsigned narrow_column(struct location blanks)
{
    const char *text = blanks.source->text;
    unsigned column = 0;

    for (uint32_t at = blanks.begin; at < blanks.end; at++) {
        unsigned tab = text[at] == '\t' ? EDITOR_TAB - column % EDITOR_TAB : 1;
        column = text[at] == '\f' ? 0 : column + tab;
    }
    return column;
}

static bool is_block(const unsigned *indents, size_t count, unsigned column)
{
    for (size_t i = 0; i < count; i++)
        if (indents[i] == column)
            return true;
    return false;
}

/* Has a line of @narrow blanks its place?  In a file of wider blocks a tab is as wide as Python reads it. */
static bool fits_narrow(const unsigned *indents, size_t count, unsigned narrow, bool opens)
{
    unsigned unit = count > 1 ? indents[1] : PYTHON_TAB;

    return unit < PYTHON_TAB &&
           (opens ? narrow == indents[count - 1] + unit : is_block(indents, count, narrow));
}

struct lexer_tab lexer_tab_meant(const unsigned *indents, size_t count, struct location blanks,
                                 unsigned column, bool opens)
{
    unsigned inner = indents[count - 1], narrow = narrow_column(blanks);
    unsigned next = opens ? blanks_behind(blanks) : 0;

    if (opens && (next > inner || column <= inner)) /* the line behind is of the same block */
        return (struct lexer_tab){.blanks = next > inner ? next : inner + EDITOR_TAB};
    if (fits_narrow(indents, count, narrow, opens))
        return (struct lexer_tab){narrow,
                                  !opens && column != narrow && is_block(indents, count, column)};
    return (struct lexer_tab){.blanks = !opens && column > inner ? inner : column};
}

/* The command in the first line of a script; see replay.h. */
#include "cli/replay.h"

#include <string.h>

static const char head[] = "# inlay opt ";

/* Reads a word of the shell at *@cursor; NULL at the end of the line. */
static const char *read_word(struct arena *arena, const char **cursor)
{
    struct text word = {0};
    const char *p = *cursor + strspn(*cursor, " \t");

    if (!*p || *p == '\n' || *p == '\r')
        return NULL;
    while (*p && !strchr(" \t\r\n", *p)) {
        if (*p == '\'' || *p == '"') {
            char quote = *p++;

            for (; *p && *p != quote && *p != '\n'; p++)
                text_putc(&word, *p);
            p += *p == quote;
        } else {
            p += *p == '\\' && p[1];
            text_putc(&word, *p++);
        }
    }
    *cursor = p;
    const char *copy = arena_copy_text(arena, text_string(&word), word.length);
    text_finish(&word);
    return copy;
}

/* False if @word is none of the options that may stand in a script. */
static bool apply_word(struct driver *driver, struct cli_options *options, const char *word,
                       const char **cursor)
{
    if (strcmp(word, "-p") == 0)
        options->driver.passes = read_word(&driver->arena, cursor);
    else if (strcmp(word, "--inplace=auto") == 0)
        options->driver.inplace = INPLACE_AUTO;
    else if (strcmp(word, "--inplace=strict") == 0)
        options->driver.inplace = INPLACE_STRICT;
    else if (strcmp(word, "--inplace=off") == 0)
        options->driver.inplace = INPLACE_OFF;
    else if (strcmp(word, "--verify-each") == 0)
        options->verify_each = true;
    else if (strcmp(word, "--check-each") == 0)
        options->check_each = true;
    else if (strcmp(word, "--roundtrip-each") == 0)
        options->roundtrip_each = true;
    else
        return false;
    return true;
}

bool replay_read(struct driver *driver, const struct source *source, struct cli_options *options)
{
    const char *p = source->text + strlen(head);
    struct location line = {source, 0, (uint32_t)strcspn(source->text, "\r\n")};

    if (strncmp(source->text, head, strlen(head)) != 0)
        return true;
    for (const char *word; (word = read_word(&driver->arena, &p));)
        if (!apply_word(driver, options, word, &p)) {
            struct diag_message *message = diag_report(driver->diag, line, REPLAY_OPTION, word);

            diag_help(message, "give `-p` yourself, or take the line out");
            return false;
        }
    if (options->driver.passes)
        diag_report(driver->diag, line, REPLAY, options->driver.passes);
    return true;
}

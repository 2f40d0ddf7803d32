/* The manual page and completions for shells, from the tables of commands and options. */
#include "cli/options_help.h"

#include <stdio.h>
#include <string.h>

static const struct row {
    char letter;
    const char *name, *value;
    enum option_kind kind;
    unsigned commands;
    const char *doc;
} rows[] = {
#define OPTION(id, letter, name, value, kind, commands, meaning, doc) \
    {letter, name, value, kind, commands, doc},
#include "cli/options.def"
};

static const struct command {
    const char *name, *arguments, *doc;
} commands[] = {
#define COMMAND(name, arguments, least, most, doc) {#name, arguments, doc},
#include "cli/commands.def"
};

/* --- the manual page --- */

/* Text for roff: what it would take for an order of its own is escaped. */
static void put_roff(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '`')
            fputs("\\(ga", stdout);
        else
            putchar(*text);
}

static void put_paragraph(const char *text)
{
    put_roff(text);
    putchar('\n');
}

static void put_option(const struct row *row)
{
    puts(".TP");
    fputs(".B ", stdout);
    if (row->letter)
        printf("\\-%c, ", row->letter);
    fputs("\\-\\-", stdout);
    put_roff(row->name);
    if (row->value) {
        fputs(row->kind == NEEDED ? "=" : row->kind == MANY ? " " : "[=", stdout);
        put_roff(row->value);
        fputs(row->kind == MAYBE ? "]" : "", stdout);
    }
    putchar('\n');
    put_paragraph(row->doc);
}

static void print_man(void)
{
    puts(
        ".TH INLAY 1\n.SH NAME\ninlay \\- compile tensor programs, in place where nobody can notice\n"
        ".SH SYNOPSIS\n.B inlay\n.I COMMAND\n[\\fIOPTION\\fR...] \\fIARGUMENT\\fR...\n.SH COMMANDS");
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
        fputs(".SS inlay ", stdout);
        put_roff(commands[i].name);
        putchar(' ');
        put_paragraph(commands[i].arguments);
        put_paragraph(commands[i].doc);
        for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
            if (rows[k].commands != ALL && rows[k].commands & 1u << i)
                put_option(&rows[k]);
    }
    puts(".SH OPTIONS OF EVERY COMMAND");
    for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
        if (rows[k].commands == ALL)
            put_option(&rows[k]);
    puts(
        ".SH EXIT STATUS\n"
        "0: fine. 1: the program or its input is wrong. 2: wrong usage. 3: a bug of Inlay, which leaves\n"
        "inlay\\-reproducer.py in the current folder. 4: results differ.\n"
        ".SH ENVIRONMENT\n.B NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE\nsay whether to use colours.\n.PP\n"
        ".B XDG_CACHE_HOME, INLAY_CACHE_BYTES\nsay where compiled code is kept, and how much.");
}

/* --- completions --- */

/* The options of @command, "--run" each, with blanks between. */
static void put_options(unsigned command)
{
    for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
        if (rows[k].commands & 1u << command)
            printf(" --%s%s", rows[k].name, rows[k].kind == NEEDED ? "=" : "");
}

/* "text|json" are words to choose from; "FILE" is none. */
static bool has_choices(const struct row *row)
{
    return row->value && strchr(row->value, '|');
}

static void put_choices(const char *value, char between)
{
    for (; *value; value++)
        putchar(*value == '|' ? between : *value);
}

/* What stands for itself among the arguments: "show|clear". */
static const char *choices_of(const struct command *command)
{
    const char *list = command->arguments;

    return strchr(list, '|') && strchr(list, '[') == NULL ? list : NULL;
}

static void print_bash(void)
{
    puts(
        "_inlay() {\n    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options= values= arguments=\n"
        "    [ \"$word\" != = ] || word=\n    COMPREPLY=()\n    if [ \"$COMP_CWORD\" = 1 ]; then");
    fputs("        COMPREPLY=($(compgen -W '", stdout);
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
        printf("%s%s", i ? " " : "", commands[i].name);
    puts("' -- \"$word\"))\n        return\n    fi\n    case $command in");
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
        printf("    %s)\n        options='", commands[i].name);
        put_options((unsigned)i);
        fputs("'", stdout);
        if (choices_of(&commands[i])) {
            fputs("\n        arguments='", stdout);
            put_choices(choices_of(&commands[i]), ' ');
            fputs("'", stdout);
        }
        puts(" ;;");
    }
    puts(
        "    esac\n    local option=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    [ \"$option\" != = ] || option=${COMP_WORDS[COMP_CWORD-2]}\n    case $command/$option in");
    for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
        for (size_t i = 0; i < ARRAY_SIZE(commands) && has_choices(&rows[k]); i++)
            if (rows[k].commands & 1u << i) {
                printf("    %s/--%s) values='", commands[i].name, rows[k].name);
                put_choices(rows[k].value, ' ');
                puts("' ;;");
            }
    puts(
        "    esac\n    if [ -n \"$values\" ]; then\n        COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
        "    elif [ \"${word#-}\" != \"$word\" ]; then\n"
        "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "        [ \"${COMPREPLY[0]%=}\" = \"${COMPREPLY[0]}\" ] || compopt -o nospace\n"
        "    elif [ -n \"$arguments\" ]; then\n"
        "        COMPREPLY=($(compgen -W \"$arguments\" -- \"$word\"))\n"
        "    else\n        compopt -o filenames\n        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n"
        "complete -F _inlay inlay");
}

/* In single quotes of a shell; for zsh also brackets and colons are its own. */
static void put_quoted(const char *text, bool is_zsh)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs(is_zsh ? "'\\''" : "\\'", stdout);
        else if (is_zsh ? strchr("[]:\\", *text) != NULL : *text == '\\')
            printf("\\%c", *text);
        else
            putchar(*text);
}

static void put_zsh_option(const struct row *row)
{
    printf(" \\\n        '--%s%s[", row->name,
           row->kind == NEEDED  ? "="
           : row->kind == MAYBE ? "=-"
                                : "");
    put_quoted(row->doc, true);
    putchar(']');
    if (row->value) {
        printf("%s:", row->kind == MAYBE ? ":" : "");
        put_quoted(row->name, true);
        putchar(':');
        if (has_choices(row)) {
            putchar('(');
            put_choices(row->value, ' ');
            putchar(')');
        } else
            fputs("_files", stdout);
    }
    putchar('\'');
}

static void print_zsh(void)
{
    puts("#compdef inlay\n\n_inlay() {\n    local -a commands=(");
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
        printf("        '%s:", commands[i].name);
        put_quoted(commands[i].doc, true);
        puts("'");
    }
    puts(
        "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
        "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in");
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
        printf("    %s)\n        _arguments", commands[i].name);
        for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
            if (rows[k].commands & 1u << i)
                put_zsh_option(&rows[k]);
        if (choices_of(&commands[i])) {
            fputs(" \\\n        '1:what:(", stdout);
            put_choices(choices_of(&commands[i]), ' ');
            puts(")' ;;");
        } else
            puts(" \\\n        '*:file:_files' ;;");
    }
    puts("    esac\n}\n\n_inlay \"$@\"");
}

static void print_fish(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
        printf("complete -c inlay -n __fish_use_subcommand -f -a %s -d '", commands[i].name);
        put_quoted(commands[i].doc, false);
        puts("'");
        if (!choices_of(&commands[i]))
            continue;
        printf("complete -c inlay -n '__fish_seen_subcommand_from %s' -f -a '", commands[i].name);
        put_choices(choices_of(&commands[i]), ' ');
        puts("'");
    }
    for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
        fputs("complete -c inlay -n '__fish_seen_subcommand_from", stdout);
        for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
            if (rows[k].commands & 1u << i)
                printf(" %s", commands[i].name);
        printf("' -l %s", rows[k].name);
        if (rows[k].letter)
            printf(" -s %c", rows[k].letter);
        if (has_choices(&rows[k])) {
            fputs(" -x -a '", stdout);
            put_choices(rows[k].value, ' ');
            putchar('\'');
        } else if (rows[k].kind == NEEDED)
            fputs(" -r", stdout);
        fputs(" -d '", stdout);
        put_quoted(rows[k].doc, false);
        puts("'");
    }
}

bool options_print_generated(const char *name)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } all[] = {{"man", print_man}, {"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        if (strcmp(name, all[i].name) == 0) {
            all[i].print();
            return true;
        }
    return false;
}

/* --help, of the tool and of each command. */
#include "cli/options_help.h"

#include <stdio.h>
#include <string.h>

static const struct option_info {
    char letter;
    const char *name, *value;
    enum option_kind kind;
    unsigned commands;
    const char *doc;
} option_table[] = {
#define OPTION(id, letter, name, value, kind, commands, meaning, doc) \
    {letter, name, value, kind, commands, doc},
#include "cli/options.def"
};

static const struct command_info {
    const char *name, *arguments, *doc;
} command_table[] = {
#define COMMAND(name, arguments, least, most, doc) {#name, arguments, doc},
#include "cli/commands.def"
};

enum { LEFT_WIDTH = 34 };

static void print_option(const struct option_info *option)
{
    char left[80];
    int length = 0;
    if (option->letter)
        length = snprintf(left, sizeof(left), "-%c, ", option->letter);
    snprintf(left + length, sizeof(left) - (size_t)length, "--%s%s%s%s", option->name,
             option->kind == NONE     ? ""
             : option->kind == NEEDED ? "="
             : option->kind == MANY   ? " "
                                      : "[=",
             option->value ? option->value : "", option->kind == MAYBE ? "]" : "");
    if (strlen(left) > LEFT_WIDTH)
        printf("  %s\n  %-*s %s\n", left, LEFT_WIDTH, "", option->doc);
    else
        printf("  %-*s %s\n", LEFT_WIDTH, left, option->doc);
}

bool options_find_command(const char *name, enum cli_command *out)
{
    for (unsigned i = 0; i < CLI_COMMAND_COUNT; i++)
        if (strcmp(name, command_table[i].name) == 0) {
            *out = (enum cli_command)i;
            return true;
        }
    return false;
}

void options_print_tool_help(void)
{
    puts("Inlay compiles tensor programs in TVMScript to native code and updates in place where\n"
         "nobody can notice.\n\n"
         "usage: inlay COMMAND [OPTION...] ARGUMENT...\n\ncommands:");
    for (size_t i = 0; i < ARRAY_SIZE(command_table); i++)
        printf("  %-9s %s\n", command_table[i].name, command_table[i].doc);
    puts("\noptions of every command:");
    for (size_t i = 0; i < ARRAY_SIZE(option_table); i++)
        if (option_table[i].commands == ALL)
            print_option(&option_table[i]);
    puts("\n`inlay help COMMAND` shows the options of a command.\n"
         "Exit codes: 0 fine, 1 the program or its input is wrong, 2 usage, 3 an internal error,\n"
         "4 results differ.");
}

void options_print_command_help(enum cli_command which)
{
    const struct command_info *command = &command_table[which];
    unsigned bit = 1u << which;

    printf("%s\n\nusage: inlay %s [OPTION...] %s\n\noptions:\n", command->doc, command->name,
           command->arguments);
    for (size_t i = 0; i < ARRAY_SIZE(option_table); i++)
        if (option_table[i].commands & bit)
            print_option(&option_table[i]);
    if (bit & (ON(run) | ON(race) | ON(bench) | ON(tune) | ON(bisect)))
        puts("\nSPEC of --in:\n"
             "  @x.npy  @x.npz:key  @x.safetensors:key   a file\n"
             "  random[:seed]  zeros  ones  iota          made up\n"
             "  2x3xf32=1 2 3 4 5 6                       the elements themselves\n"
             "  5                                         a scalar\n"
             "A shape in front closes what the script leaves open: 4x8:random. Fields of a tuple\n"
             "are named t.0, t.1. Random floats lie in [-1, 1), integers in 0 to 9.");
}

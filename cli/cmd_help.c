/* inlay help: of the tool, of a command; and what is made of the same tables. */
#include "cli/options_help.h"

int command_help(const struct cli_options *options)
{
    const char *topic = options->arguments.count ? options->arguments.items[0] : NULL;
    enum cli_command command;

    if (!topic)
        options_print_tool_help();
    else if (options_find_command(topic, &command))
        options_print_command_help(command);
    else if (!options_print_generated(topic))
        return cli_usage_error(NULL, "there is no command `%s`", topic);
    return CLI_OK;
}

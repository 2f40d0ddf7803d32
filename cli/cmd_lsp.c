/* inlay lsp: a language server on standard input and output. */
#include "cli/cli.h"
#include "lsp/lsp.h"

#include <unistd.h>

int command_lsp(const struct cli_options *options)
{
    return lsp_serve(&options->driver, STDIN_FILENO, STDOUT_FILENO) ? CLI_OK : CLI_WRONG;
}

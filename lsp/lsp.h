/*
 * The language server: what an editor asks about scripts, over a pair of streams (LSP 3.17, JSON-RPC 2.0).
 *
 * Everything that it shows is the compiler's: diagnostics with their edits, names as the front end resolved them
 * (frontend/names.h), in-place decisions as the passes recorded them.  Nothing is worked out anew here.
 */
#pragma once

#include "driver/options.h"

/* Serves till the client says `exit` or goes away; true if it said `shutdown` before. */
bool lsp_serve(const struct driver_options *options, int in, int out);

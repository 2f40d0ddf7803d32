/* Where in a statement a run went wrong: runs know its line, and what they say names the rest. */
#pragma once

#include "base/source.h"
#include "ir/module.h"

/*
 * The part of @statement, of @module, that @message of a run is about: the index that is out of range, the argument that
 * does not fit, the call of an operator; @statement where that is not seen, or could be several.
 */
struct location error_place(const struct ir_module *module, struct location statement,
                            const char *message);

/* Which globals something in a module names. */
#pragma once

#include "base/map.h"
#include "ir/module.h"

/* Adds to @out what functions of @module, and those in them, call or name otherwise (set). */
void used_globals(const struct ir_module *module, struct map *out);

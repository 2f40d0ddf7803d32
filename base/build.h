/* Which build of a library is loaded: the name that the linker made of its contents. */
#pragma once

#include "base/digest.h"

#include <stdbool.h>

/* Adds the name of the library, or program, that @address lies in.  False: it has none. */
bool build_add(struct digest_state *state, uintptr_t address);

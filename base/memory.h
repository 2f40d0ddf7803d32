/*
 * Where the compiler's memory comes from.
 *
 * Nothing that allocates tests for failure: when memory is short, memory_short() leaves to the guard
 * (guard.h) of the thread, which can give back every block that was allocated under it.  Without a
 * guard the program ends.  Not for runtime/ and io/, which return failures.
 */
#pragma once

#include "base/util.h"

#include <stddef.h>

void *memory_new(size_t size, size_t count) MUST_USE;   /* zeroed */
void *memory_resize(void *block, size_t size) MUST_USE; /* @block may be NULL; moves it */
void memory_free(void *block);                          /* accepts NULL */
_Noreturn void memory_short(void);

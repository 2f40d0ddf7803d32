/* As string.h.  Weak: who has no memory to give away links without, and has no doors that need it. */
#pragma once

#include <stddef.h>

__attribute__((weak)) void *aligned_alloc(size_t alignment, size_t size);
__attribute__((weak)) void free(void *block);
__attribute__((weak)) void *calloc(size_t count, size_t size);

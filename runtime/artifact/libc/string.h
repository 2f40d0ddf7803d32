/* What the runtime of artifacts uses of libc, for targets whose headers are not here. */
#pragma once

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t length);
int memcmp(const void *a, const void *b, size_t length);
size_t strlen(const char *text);
size_t strcspn(const char *text, const char *set);
int strncmp(const char *a, const char *b, size_t length);

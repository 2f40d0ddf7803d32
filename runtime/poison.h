/* Bytes that nobody may touch, for AddressSanitizer, with which compiled code is then instrumented. */
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define INLAY_IS_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(INLAY_IS_SANITIZED)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(data, bytes)   ((void)(data), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(data, bytes) ((void)(data), (void)(bytes))
#endif

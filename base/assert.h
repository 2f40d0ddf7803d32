/* assert() that leaves to the guard of the thread, as UNREACHABLE does: not that of <assert.h>. */
#pragma once

#include "base/util.h"

#undef assert
#ifdef NDEBUG
#define assert(holds) ((void)0)
#else
#define assert(holds) ((holds) ? (void)0 : base_die(__FILE__, __LINE__, #holds))
#endif

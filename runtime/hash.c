/* See hash.h. */
#include "runtime/hash.h"

#include "base/xxh64.h"

uint64_t inlay_hash(const void *bytes, size_t size)
{
    return xxh64(bytes, size);
}

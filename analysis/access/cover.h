/* Is every element of a buffer written? */
#pragma once

#include "analysis/access/access.h"

enum access_coverage {
    ACCESS_COVERS_UNKNOWN,
    ACCESS_COVERS_ALL,  /* each element is written, for all sizes of at least 1 */
    ACCESS_COVERS_PART, /* for some such sizes an element is not */
};

/* The value of a symbol, or of another term that does not change while the kernel runs. */
struct access_size {
    const struct ir_expr *expr;
    int64_t value;
};

struct access_cover {
    enum access_coverage coverage;
    /* Of PART: an element that is left, and for which sizes; in the arena of the cache. */
    const int64_t *element; /* one index for each dimension */
    const struct access_size *sizes;
    unsigned size_count;
};

/*
 * Does @func, in a run that ends without an error, write every element of its parameter @param, a
 * buffer?  @sizes (may be NULL) gives values to symbols of the kernel, where they are known.
 */
struct access_cover access_cover(struct access_cache *cache, const struct tir_func *func,
                                 unsigned param, const struct ir_bindings *sizes);

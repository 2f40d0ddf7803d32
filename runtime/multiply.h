/* Products that are checked for overflow, on machines that have no products of 128 bits, too. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Of parts that fit into 64 bits. *@out is the product modulo 2^64; true: that is another number. */
static inline bool inlay_multiply_by_parts(int64_t a, int64_t b, int64_t *out)
{
    const int64_t low = UINT32_MAX;
    int64_t first = (int64_t)((uint64_t)(a & low) * (uint64_t)(b & low) >> 32);
    int64_t second = (a >> 32) * (b & low) + first;
    int64_t third = (a & low) * (b >> 32) + (second & low);
    int64_t high = (a >> 32) * (b >> 32) + (second >> 32) + (third >> 32);

    *out = (int64_t)((uint64_t)a * (uint64_t)b);
    return high != *out >> 63;
}

static inline bool inlay_multiply_overflows(int64_t a, int64_t b, int64_t *out)
{
#ifdef __wasm__ /* whose compilers would call __multi3 of compiler-rt */
    return inlay_multiply_by_parts(a, b, out);
#else
    return __builtin_mul_overflow(a, b, out);
#endif
}

/* Arithmetic of whole numbers that C leaves out. */
#pragma once

#include <stdint.h>

/* |value|, which for INT64_MIN is no int64_t. */
static inline uint64_t number_magnitude(int64_t value)
{
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

/* The greatest common divisor; of 0 and b: b. */
static inline uint64_t number_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/*
 * float16 and bfloat16 as bits: the one place that converts them, so that the front end, the
 * printer, loops, the interpreter and the file readers agree with compiled code.  Rounding is to
 * nearest, ties to even, once, straight from the wider type; NaNs stay NaNs and become quiet.
 *
 * Done by hand because the compiler's _Float16 is not everywhere and because a cast of a double may
 * go through float and round twice.  All inline: runtime/, which links nothing of base/, reads it too.
 */
#pragma once

#include <stdint.h>
#include <string.h>

static inline float half_float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* @value in a format of 1 sign bit and these fields, 16 bits in all. */
static inline uint16_t half_narrow(double value, int exponent_bits, int mantissa_bits)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    uint16_t sign = (uint16_t)(bits >> 63 << 15);
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    int special = (1 << exponent_bits) - 1; /* exponent of infinity and NaN */
    int shift = 52 - mantissa_bits;
    uint16_t infinity = (uint16_t)(special << mantissa_bits);
    if (exponent == 0x7ff) {
        if (!mantissa)
            return sign | infinity;
        uint16_t payload = (uint16_t)(mantissa >> shift);
        return (uint16_t)(sign | infinity | payload | 1 << (mantissa_bits - 1));
    }
    if (exponent == 0)
        return sign; /* far below the smallest of either format */
    mantissa |= UINT64_C(1) << 52;
    int target = exponent - 1023 + (special >> 1);
    if (target <= 0) { /* subnormal: the leading bit is written out */
        shift += 1 - target;
        target = 0;
    }
    if (shift > 54)
        return sign;
    uint64_t rounded = mantissa >> shift;
    uint64_t rest = mantissa & ((UINT64_C(1) << shift) - 1);
    uint64_t half = UINT64_C(1) << (shift - 1);
    if (rest > half || (rest == half && (rounded & 1)))
        rounded++; /* a carry runs into the exponent, which is right */
    uint64_t result = rounded;
    if (target > 0)
        result += ((uint64_t)target - 1) << mantissa_bits;
    return result >= infinity ? sign | infinity : (uint16_t)(sign | result);
}

static inline float half_to_float(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 15) << 31;
    uint32_t exponent = bits >> 10 & 0x1f;
    uint32_t mantissa = bits & 0x3ff;
    if (exponent == 0x1f)
        return half_float_of_bits(sign | 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0));
    if (exponent)
        return half_float_of_bits(sign | (exponent + 112) << 23 | mantissa << 13);
    float value = (float)mantissa * 0x1p-24f; /* exact; zero keeps its sign below */
    return sign ? -value : value;
}

static inline float bfloat_to_float(uint16_t bits)
{
    return half_float_of_bits((uint32_t)bits << 16);
}

static inline uint16_t half_from_double(double value)
{
    return half_narrow(value, 5, 10);
}

static inline uint16_t bfloat_from_double(double value)
{
    return half_narrow(value, 8, 7);
}

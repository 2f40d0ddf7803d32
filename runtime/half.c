/*
 * Conversions of the 16-bit floats, on the bits.
 *
 * Done by hand because the compiler's _Float16 is not everywhere and because a cast of a double may
 * go through float and round twice.
 */
#include "runtime/half.h"

#include <string.h>

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* @value in a format of 1 sign bit and these fields, 16 bits in all. */
static uint16_t narrow(double value, int exponent_bits, int mantissa_bits)
{
    uint64_t bits = double_bits(value);
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

float inlay_half_to_float(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 15) << 31;
    uint32_t exponent = bits >> 10 & 0x1f;
    uint32_t mantissa = bits & 0x3ff;
    if (exponent == 0x1f)
        return float_of_bits(sign | 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0));
    if (exponent)
        return float_of_bits(sign | (exponent + 112) << 23 | mantissa << 13);
    float value = (float)mantissa * 0x1p-24f; /* exact; zero keeps its sign below */
    return sign ? -value : value;
}

float inlay_bfloat_to_float(uint16_t bits)
{
    return float_of_bits((uint32_t)bits << 16);
}

uint16_t inlay_half_from_double(double value)
{
    return narrow(value, 5, 10);
}

uint16_t inlay_bfloat_from_double(double value)
{
    return narrow(value, 8, 7);
}

/*
 * float16 and bfloat16 as bits: the one place that converts them, so that the interpreter, the file
 * readers and the printers agree with compiled code.  Rounding is to nearest, ties to even, once,
 * straight from the wider type; NaNs stay NaNs and become quiet.
 */
#pragma once

#include <stdint.h>

float inlay_half_to_float(uint16_t bits);
float inlay_bfloat_to_float(uint16_t bits);
uint16_t inlay_half_from_double(double value);
uint16_t inlay_bfloat_from_double(double value);

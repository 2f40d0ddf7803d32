/* See stdio.h. */
#pragma once

#define NAN         __builtin_nanf("")
#define INFINITY    __builtin_inff()
#define isnan(x)    __builtin_isnan(x)
#define isfinite(x) __builtin_isfinite(x)
#define fabs        __builtin_fabs

double ldexp(double value, int exponent);
double frexp(double value, int *exponent);

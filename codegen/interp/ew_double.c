/* elementwise.def and reduce.def on float64. */
#include "codegen/interp/elementwise.h"

#include <math.h>

#define NAME(x)    x##_double
#define T          double
#define MATH(name) name
#include "codegen/interp/ew_real.h"

/* elementwise.def and reduce.def on float64. */
#include "codegen/interp/ops/elementwise.h"

#include <math.h>

#define NAME(x)    x##_double
#define T          double
#define MATH(name) name
#include "codegen/interp/ops/ew_real.h"

/* elementwise.def and reduce.def on float32, and on the 16-bit floats, which are widened to it. */
#include "codegen/interp/ops/elementwise.h"

#include <math.h>

#define NAME(x)    x##_float
#define T          float
#define MATH(name) name##f
#include "codegen/interp/ops/ew_real.h"

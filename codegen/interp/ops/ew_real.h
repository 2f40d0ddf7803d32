/*
 * elementwise.def and reduce.def for floats: the words that are theirs, then the template.
 * T is float or double; MATH(f) is C's function f for it.
 */
#define K(v)           ((T)(v))
#define BY_CLASS(i, f) (f)
#define ISNAN(x)       ((T)(isnan(x) != 0))
#define ADD(x, y)      ((T)((x) + (y)))
#define SUB(x, y)      ((T)((x) - (y)))
#define MUL(x, y)      ((T)((x) * (y)))
#define DIV(x, y)      ((T)((x) / (y)))
#define FLOORDIV(x, y) MATH(floor)((x) / (y))
#define NEG(x)         (-(x))
#define ABS(x)         MATH(fabs)(x)
#define FN(f, x)       NAME(fn_##f)(x)
#define FN2(f, x, y)   MATH(f)(x, y)
#define POW(x, y)      MATH(pow)(x, y)
#define LOWEST         ((T) - INFINITY)
#define HIGHEST        ((T)INFINITY)

/* Bits and remainders of integers are refused for floats before anything runs. */
#define BITAND(x, y) ((void)(y), (x))
#define BITOR(x, y)  ((void)(y), (x))
#define BITXOR(x, y) ((void)(y), (x))
#define BITNOT(x)    (x)
#define SHL(x, n)    ((void)(n), (x))
#define SHR(x, n)    ((void)(n), (x))

static T NAME(smaller)(T x, T y)
{
    return x < y || isnan(x) ? x : y;
}

static T NAME(larger)(T x, T y)
{
    return x > y || isnan(x) ? x : y;
}

#define FUNCTION(name, function)  \
    static T NAME(fn_##name)(T x) \
    {                             \
        return MATH(function)(x); \
    }
FUNCTION(exp, exp)
FUNCTION(log, log)
FUNCTION(log1p, log1p)
FUNCTION(sqrt, sqrt)
FUNCTION(sin, sin)
FUNCTION(cos, cos)
FUNCTION(tan, tan)
FUNCTION(asin, asin)
FUNCTION(acos, acos)
FUNCTION(atan, atan)
FUNCTION(sinh, sinh)
FUNCTION(cosh, cosh)
FUNCTION(tanh, tanh)
FUNCTION(asinh, asinh)
FUNCTION(acosh, acosh)
FUNCTION(atanh, atanh)
FUNCTION(erf, erf)
FUNCTION(floor, floor)
FUNCTION(ceil, ceil)
FUNCTION(trunc, trunc)
FUNCTION(round, nearbyint) /* half to even */
#undef FUNCTION

#include "codegen/interp/ops/elementwise_tmpl.h"

/* elementwise.def and reduce.def on bool: 0 and 1.  Arithmetic is refused before anything runs. */
#include "codegen/interp/ops/elementwise.h"

#include <math.h>

#define NAME(x) x##_bool
#define T       unsigned
#include "codegen/interp/ops/ew_integer.h"

static unsigned arithmetic(unsigned x, unsigned y)
{
    (void)y;
    return x;
}

static unsigned power_bool(const struct interp_row *row, unsigned x, unsigned y)
{
    (void)row;
    return arithmetic(x, y);
}

#define ADD(x, y)      arithmetic(x, y)
#define SUB(x, y)      arithmetic(x, y)
#define MUL(x, y)      arithmetic(x, y)
#define DIV(x, y)      arithmetic(x, y)
#define REM(x, y)      arithmetic(x, y)
#define FLOORDIV(x, y) arithmetic(x, y)
#define FLOORMOD(x, y) arithmetic(x, y)
#define SHL(x, n)      arithmetic(x, n)
#define SHR(x, n)      arithmetic(x, n)
#define NEG(x)         (x)
#define ABS(x)         (x)
#define BITAND(x, y)   ((x) & (y))
#define BITOR(x, y)    ((x) | (y))
#define BITXOR(x, y)   ((x) ^ (y))
#define BITNOT(x)      ((unsigned)!(x))
#define LOWEST         0u
#define HIGHEST        1u

#include "codegen/interp/ops/elementwise_tmpl.h"

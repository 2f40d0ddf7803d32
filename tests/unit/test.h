/* cmocka, after the headers it needs; and assertions that it lacks. */
#pragma once

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
/* clang-format on */

#include <math.h>

/* Equal values, or both NaN.  (cmocka's assert_float_equal calls NaN equal to everything.) */
#define assert_same_float(a, b) assert_true(isnan(a) ? isnan(b) : (a) == (b))

#!/usr/bin/env python3
"""Computes the polynomials of LowerIntrin: passes/loop/polynomials.def.

Each row of APPROXIMATIONS is a function g on an interval, the weight that turns an error of the polynomial into a
relative error of the final result, and a number of coefficients. Remez' exchange algorithm (E. Remez, 1934; see
J.-M. Muller, "Elementary Functions", chapter 3) finds the polynomial of least largest weighted error. The
coefficients are then rounded to float32 one after the other, lowest first: after each, the remaining ones are fitted
again to what is left, so that they make up for its rounding.

usage: minimax.py [--write]      --write replaces the file, otherwise it is compared with what it should be
"""
import math
import pathlib
import sys

import numpy

TARGET = pathlib.Path(__file__).resolve().parent.parent / "passes/loop/polynomials.def"
HEAD = """/*
 * Polynomials of LowerIntrin, coefficients of rising powers: POLYNOMIAL(name, coefficients...).
 * Written by scripts/minimax.py, which says how; not edited by hand.
 */
"""


def series(term, count=60):
    """The function with the power series sum of term(k) * x^k: no cancellation where closed forms have it."""
    terms = [term(k) for k in range(count)]
    return lambda x: math.fsum(c * x ** k for k, c in enumerate(terms))


def erf_over_x_minus_1(z):
    """erf(x) / x - 1 of z = x * x."""
    return math.fsum(2 / math.sqrt(math.pi) * (-z) ** k / (math.factorial(k) * (2 * k + 1)) for k in range(60)) - 1


def log_ratio(f):
    """log(1 + f) / f."""
    return math.log1p(f) / f if f else 1.0


LN2 = math.log(2)
HALF = 0.5 + 1e-6
QUARTER = (0.82) ** 2  # the argument of sin and cos is a little over pi / 4 after reduction of large numbers

# name, function, low, high, weight, coefficients
APPROXIMATIONS = [
    # exp(r) = 1 + r + r^2 * p(r)
    ("exp", series(lambda k: 1 / math.factorial(k + 2)), -HALF * LN2, HALF * LN2,
     lambda r: r * r / math.exp(r), 5),
    # 2^r = 1 + r * p(r)
    ("exp2", series(lambda k: LN2 ** (k + 1) / math.factorial(k + 1)), -HALF, HALF,
     lambda r: r / 2 ** r, 6),
    # log(1 + f) = f - f^2 / 2 + f^3 * p(f)
    ("log", series(lambda k: (-1) ** k / (k + 3), 200), -1 / 3, 1 / 3, lambda f: f * f / log_ratio(f), 9),
    # sin(r) = r + r^3 * p(r^2)
    ("sin", series(lambda k: (-1) ** (k + 1) / math.factorial(2 * k + 3), 20), 0, QUARTER,
     lambda z: z / (math.sin(math.sqrt(z)) / math.sqrt(z) if z else 1.0), 3),
    # cos(r) = 1 - r^2 / 2 + r^4 * p(r^2)
    ("cos", series(lambda k: (-1) ** k / math.factorial(2 * k + 4), 20), 0, QUARTER,
     lambda z: z * z / math.cos(math.sqrt(z)), 3),
    # erf(x) = x + x * p(x^2) up to 0.9
    ("erf", erf_over_x_minus_1, 0, 0.81, lambda z: 1 / (erf_over_x_minus_1(z) + 1), 6),
    # 1 - erf(x) = exp(-p(x)) from 0.9 on
    ("erf_tail", lambda x: -math.log(math.erfc(x)), 0.9, 4, lambda x: math.erfc(x) / math.erf(x), 7),
]


def solve(points, values, weights, powers):
    """The coefficients, and the error E with alternating sign, that pass through the points."""
    matrix = numpy.zeros((len(points), len(powers) + 1))
    for i, x in enumerate(points):
        matrix[i, :-1] = [x ** k for k in powers]
        matrix[i, -1] = (-1) ** i / weights[i]
    return numpy.linalg.solve(matrix, values)


def remez(function, low, high, weight, powers):
    """Coefficients of `powers` with the least largest weighted error on [low, high]; and that error."""
    grid = (low + high) / 2 - (high - low) / 2 * numpy.cos(numpy.linspace(0, math.pi, 4001))
    values = numpy.array([function(x) for x in grid])
    weights = numpy.array([weight(x) for x in grid])
    usable = numpy.abs(weights) > 1e-9 * numpy.abs(weights).max()  # a weight of 0 allows any error there
    grid, values, weights = grid[usable], values[usable], numpy.abs(weights[usable])
    count = len(powers) + 1
    picked = numpy.unique(numpy.linspace(0, len(grid) - 1, count).astype(int))
    for _ in range(60):
        found = solve(grid[picked], values[picked], weights[picked], powers)
        error = weights * (sum(c * grid ** k for c, k in zip(found[:-1], powers)) - values)
        # the largest error of each stretch of one sign; of more stretches than needed, the larger ones
        edges = numpy.flatnonzero(numpy.diff(numpy.sign(error))) + 1
        stretches = numpy.split(numpy.arange(len(grid)), edges)
        peaks = [s[numpy.argmax(numpy.abs(error[s]))] for s in stretches]
        while len(peaks) > count:
            del peaks[0 if abs(error[peaks[0]]) < abs(error[peaks[-1]]) else -1]
        if len(peaks) < count:
            break
        picked = numpy.array(peaks)
        if numpy.abs(error).max() <= abs(found[-1]) * 1.0001:
            break
    return found[:-1], numpy.abs(error).max()


def rounded(function, low, high, weight, count):
    """float32 coefficients, and the largest weighted error that they leave."""
    fixed = []
    for k in range(count):
        left = lambda x: function(x) - math.fsum(c * x ** i for i, c in enumerate(fixed))
        found, _ = remez(left, low, high, weight, range(k, count))
        fixed.append(float(numpy.float32(found[0])))
    grid = numpy.linspace(low, high, 20001)
    return fixed, max(abs(weight(x) * (math.fsum(c * x ** i for i, c in enumerate(fixed)) - function(x)))
                      for x in grid)


def main(arguments):
    text = HEAD
    for name, function, low, high, weight, count in APPROXIMATIONS:
        coefficients, error = rounded(function, low, high, weight, count)
        print(f"{name}: {count} coefficients, relative error 2^{math.log2(error):.2f}")
        row = ", ".join(c.hex() for c in coefficients)
        text += f"POLYNOMIAL({name}, {row})\n"
    text += "#undef POLYNOMIAL\n"
    if "--write" in arguments:
        TARGET.parent.mkdir(exist_ok=True)
        TARGET.write_text(text)
        return 0
    return TARGET.read_text() != text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

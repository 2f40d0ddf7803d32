"""Cases of tests/fixes.py, by what they are about: rows of (code, frame, broken, mended); None: nothing is mended."""
from fix_cases import arguments, axes, blocks, brackets, calls, counts, graphs, habits, kernels, names, results, scalars, signs, sizes, slips, spelling, whole, words

CASES = [case for part in (signs, names, graphs, words, calls, arguments, kernels, results, axes, sizes, spelling, scalars, brackets, slips, habits, blocks, counts, whole) for case in part.CASES]

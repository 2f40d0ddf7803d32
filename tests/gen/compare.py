"""Is a result what the oracle says?

Whole numbers, and all that is no float, bit for bit (NaN is NaN whatever its bits, 0 is -0: maximum may give either). What an
operator rounds may be a few units of the last place off; where that is not enough, the oracle is asked how far
rounding carries in this program: it computes it again, with every float moved a little.
"""
import numpy as np

from gen import oracle
from gen.graph import parts
from gen.kinds import FLOATS


def is_same(want, got):
    if want.dtype != got.dtype or want.shape != got.shape:
        return False
    if want.dtype.kind != "f":
        return np.array_equal(want, got)
    return want.tobytes() == got.tobytes() or np.array_equal(want, got, equal_nan=True)


def excess(want, got, spread):
    """Where results differ by more than rounding explains."""
    if want.dtype.name not in FLOATS:
        return want != got
    eps = float(np.finfo(want.dtype).eps)
    wide, other = want.astype(np.float64), got.astype(np.float64)
    is_finite = np.isfinite(wide) & np.isfinite(other)
    size = np.abs(np.where(is_finite, wide, 0)).max(initial=1)
    allowed = 64 * eps * size + 24 * spread  # (sums of many rounded numbers carry far)
    is_near = is_finite & (np.abs(np.where(is_finite, wide, 0) - np.where(is_finite, other, 0)) <= allowed)
    is_equal = (np.isnan(wide) & np.isnan(other)) | (wide == other)
    return ~(is_near | is_equal | ~np.isfinite(spread))


def spreads(program, env, wants, seeds):
    """How far each result moves when rounding does."""
    found = [np.zeros(want.shape) for want in wants]
    arrays = oracle.inputs_of(program, env)
    for seed in range(seeds):
        others = parts(oracle.run(program.main, arrays, env, oracle.Noise(seed))[0])
        for i, (want, other) in enumerate(zip(wants, others)):
            if want.dtype.name in FLOATS:
                wide, moved = want.astype(np.float64), np.asarray(other).astype(np.float64)
                is_bad = ~(np.isfinite(wide) & np.isfinite(moved))
                changes = is_bad & ~((np.isnan(wide) & np.isnan(moved)) | (wide == moved))
                step = np.abs(np.where(is_bad, 0, wide) - np.where(is_bad, 0, moved))
                limit = float(np.finfo(want.dtype).max) / 1e3  # what nearly overflows may do so
                found[i] = np.maximum(found[i], np.where(changes | (np.abs(np.where(is_bad, 0, wide)) > limit), np.inf, step))
    return found


def show(array):
    return f"{list(array.shape)} {array.dtype} {np.array2string(array.reshape(-1)[:40], max_line_width=100000, threshold=50)}"


def difference(program, env, wants, got):
    """What is wrong with results; "" if nothing is."""
    if len(wants) != len(got):
        return f"{len(got)} results, expected {len(wants)}"
    few = many = None
    for i, (want, result) in enumerate(zip(wants, got)):
        if is_same(want, result):
            continue
        is_bad = want.shape != result.shape or want.dtype != result.dtype
        if not is_bad and not leaf(program.main, i).is_exact:
            few = few or spreads(program, env, wants, 2)
            is_bad = excess(want, result, few[i]).any()
            if is_bad:
                many = many or spreads(program, env, wants, 12)
                is_bad = excess(want, result, many[i]).any()
        else:
            is_bad = True
        if is_bad:
            return f"result.{i} with n, m = {env}:\n  {show(result)}\nexpected\n  {show(want)}"
    return ""


def leaf(function, index):
    return function.results[index]

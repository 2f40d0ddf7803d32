"""What a generated program means, by NumPy alone: nothing of Inlay takes part.

Every value is an array of its own (or a tuple of arrays), so nothing can go wrong with storage.
"""
import numpy as np

from gen.kinds import FLOATS, sizes

np.seterr(all="ignore")


def run(function, arrays, env, noise=None):
    """The results of a function, and all values of its body by name."""
    values = {param.name: array for param, array in zip(function.params, arrays)}
    execute(function.statements, values, env, noise)
    results = tuple(values[value.name] for value in function.results)
    return (results if function.is_tuple else results[0]), values


def execute(statements, values, env, noise):
    for statement in statements:
        args = [values[value.name] for value in statement.args]
        if statement.blocks:
            block = statement.blocks[0 if args[0] else 1]
            execute(block.statements, values, env, noise)
            values[statement.out.name] = values[block.result.name]
        elif statement.callee:
            values[statement.out.name] = run(statement.callee, args, env, noise)[0]
        elif statement.out is not None:
            result = statement.compute(env, *args)
            if noise is not None and not statement.out.is_exact:
                result = noise(result)
            values[statement.out.name] = result


class Noise:
    """Moves each float by a few units of its last place: how far may rounding carry?

    And all of a tensor together by as much of the largest: what has had a rounded mean subtracted is off by the same
    everywhere, and a sum over it adds that up.  What is 0 stays 0.
    """

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def __call__(self, value):
        if isinstance(value, tuple):
            return tuple(map(self, value))
        if value.dtype.name not in FLOATS:
            return value
        scale = np.finfo(value.dtype).eps * 4
        largest = np.abs(np.where(np.isfinite(value), value, 0)).max(initial=0)
        shift = np.where(value == 0, 0, scale * self.rng.uniform(-1, 1) * largest)
        return (value * (1 + scale * self.rng.uniform(-1, 1, value.shape)) + shift).astype(value.dtype)


# ---- inputs


def input_of(rng, param, env, is_special):
    """Small whole numbers, or any; @is_special: also infinities, NaN, and what overflows soon."""
    kind, shape = param.kind, sizes(param.kind.shape, env)
    if not param.is_exact:
        return rng.standard_normal(shape).astype(kind.dtype)
    if kind.dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    low = 0 if kind.dtype.startswith("u") else -4
    array = rng.integers(low, 9, shape).astype(kind.dtype)
    if is_special and kind.dtype in FLOATS:
        odd = rng.choice(np.array([np.nan, np.inf, -np.inf, -0.0], dtype=kind.dtype), shape)
        array = np.where(rng.random(shape) < 0.15, odd, array)
    elif is_special:
        info = np.iinfo(kind.dtype)
        odd = rng.choice(np.array([info.min, info.max, info.max - 1], dtype=kind.dtype), shape)
        array = np.where(rng.random(shape) < 0.15, odd, array)
    return np.ascontiguousarray(array, dtype=kind.dtype).reshape(shape)


def twins_of(program):
    """By parameter: the borrowed one in front of it that gets the same tensor, or itself."""
    params, donated = program.main.params, program.main.donated
    found = []
    for i, param in enumerate(params):
        alike = [k for k in range(i) if params[k].kind == param.kind and params[k].is_exact == param.is_exact and k not in donated and found[k] == k]
        found.append(alike[-1] if program.has_twins and alike and i not in donated else i)
    return found


def inputs_of(program, env):
    rng = np.random.default_rng((program.seed, *env))
    arrays = [program.given.get((param.name, env), made)
              for param in program.main.params for made in [input_of(rng, param, env, program.is_special)]]
    return [arrays[twin] for twin in twins_of(program)]

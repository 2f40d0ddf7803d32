"""Elementwise operators: arithmetic, comparisons, logic, bits, functions of floats."""
import math

import numpy as np

from gen.body import Tens, Unfit, broadcast, largest, quotient, wide
from gen.kinds import EXACT, FLOATS
from gen.table import makes

PLAIN = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}


def limit_of(name, x, y):
    if name == "multiply":
        return x.limit * y.limit
    return x.limit + y.limit if name in ("add", "subtract") else max(x.limit, y.limit)


def pair(body, x, y):
    return (x, y) if body.rng.random() < 0.5 else (y, x)


def shaped(x, y, dtype=None):
    return Tens(broadcast(x.kind.shape, y.kind.shape), dtype or x.kind.dtype)


@makes(*PLAIN, weight=14)
def arithmetic(body):
    x = body.number()
    y = body.partner(x)
    name = body.rng.choice(("add", "subtract", "multiply", "add", "maximum", "minimum"))
    x, y = pair(body, x, y)
    dtype = x.kind.dtype
    if dtype in FLOATS and limit_of(name, x, y) > EXACT[dtype] / 4:
        most = math.sqrt(EXACT[dtype]) / 4
        x, y = body.small(x, most), body.small(y, most)
    limit = limit_of(name, x, y)
    if dtype.startswith("u") and name == "subtract" or dtype not in FLOATS and limit > largest(dtype):
        limit = largest(dtype) + 1
    function = PLAIN[name]
    return body.add(shaped(x, y), f"R.{name}({{0}}, {{1}})", [x, y], lambda env, a, b: wide(function, a, b), limit)


@makes("divide", "floor_divide", "mod", "floor_mod", weight=1.5)
def division(body):
    x = body.number()
    y = body.partner(x)
    dtype, name = x.kind.dtype, body.rng.choice(("divide", "floor_divide", "mod", "floor_mod"))
    if dtype in FLOATS:
        return real_division(body, x, y, name)

    def compute(env, a, b):
        down, rest = quotient(a, b)
        is_back = (rest != 0) & ((a < 0) != (b < 0))
        if name == "floor_divide":
            return down
        if name == "floor_mod":
            return rest
        return (down + is_back).astype(dtype) if name == "divide" else np.where(is_back, rest - b, rest).astype(dtype)
    return body.add(shaped(x, y), f"R.{name}({{0}}, {{1}})", [x, y], compute, max(x.limit, y.limit) + 1)


def real_division(body, x, y, name):
    """By what is not 0; where the result jumps, by a power of two."""
    dtype = x.kind.dtype
    if name == "divide":
        y = body.add(y.kind, "R.abs({0})", [y], lambda env, v: np.abs(v))
        one = body.add(Tens((), dtype), f'R.const(1, "{dtype}")', [], lambda env: np.array(1, dtype), 1)
        y = body.add(y.kind, "R.add({0}, {1})", [y, one], lambda env, v, w: wide(np.add, v, w), y.limit + 1)
        return body.add(shaped(x, y), "R.divide({0}, {1})", [x, y], lambda env, a, b: wide(np.divide, a, b), x.limit, exact=False)
    if not x.is_exact:
        raise Unfit
    by = body.rng.choice((1, 2, 8, 64))
    text = f'R.{name}({{0}}, R.const({by}, "{dtype}"))'
    by = np.array(by, dtype)
    function = {"floor_divide": lambda a: np.floor(a / by), "mod": lambda a: np.fmod(a, by), "floor_mod": lambda a: a - np.floor(a / by) * by}[name]
    return body.add(x.kind, text, [x], lambda env, a: wide(function, a), x.limit + 1 if name == "floor_divide" else float(by))


COMPARE = {"equal": np.equal, "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal, "greater": np.greater,
           "greater_equal": np.greater_equal}
LOGIC = {"logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}


@makes(*COMPARE, weight=1.5)
def comparison(body):
    x = body.exact()
    y = body.partner(x, lambda v: v.is_exact)
    name = body.rng.choice(list(COMPARE))
    function = COMPARE[name]
    return body.add(shaped(x, y, "bool"), f"R.{name}({{0}}, {{1}})", [x, y], lambda env, a, b: function(a, b), 1)


@makes(*LOGIC)
def logic(body):
    x = body.exact()
    y = body.partner(x, lambda v: v.is_exact)
    name, dtype = body.rng.choice(list(LOGIC)), x.kind.dtype
    function = LOGIC[name]
    return body.add(shaped(x, y), f"R.{name}({{0}}, {{1}})", [x, y], lambda env, a, b: function(a, b).astype(dtype), 1)


@makes("bitwise_and", "bitwise_or", "bitwise_xor")
def bits(body):
    x = body.pick(lambda v: v.kind.dtype not in FLOATS)
    y = body.partner(x)
    name = body.rng.choice(("and", "or", "xor"))
    function = getattr(np, "bitwise_" + name)
    return body.add(shaped(x, y), f"R.bitwise_{name}({{0}}, {{1}})", [x, y], lambda env, a, b: function(a, b), largest(x.kind.dtype) + 1)


@makes("left_shift", "right_shift")
def shift(body):
    x = body.integer()
    y = body.partner(x)
    is_left, width = body.rng.random() < 0.5, np.dtype(x.kind.dtype).itemsize * 8

    def compute(env, a, n):
        a, n = np.broadcast_arrays(a, n)
        is_in = (n >= 0) & (n < width) if n.dtype.kind == "i" else n < width
        safe = np.where(is_in, n, 0).astype(a.dtype)
        if is_left:
            return np.where(is_in, np.left_shift(a, safe), 0).astype(a.dtype)
        return np.where(is_in, np.right_shift(a, safe), np.where(a < 0, -1, 0).astype(a.dtype)).astype(a.dtype)
    return body.add(shaped(x, y), f"R.{'left' if is_left else 'right'}_shift({{0}}, {{1}})", [x, y], compute, largest(x.kind.dtype) + 1)


@makes("where", weight=1.5)
def where(body):
    x = body.pick()
    y = body.partner(x)
    kind = shaped(x, y)
    c = body.pick(lambda v: v.kind.dtype == "bool" and broadcast(v.kind.shape, kind.shape) is not None)
    kind = Tens(broadcast(kind.shape, c.kind.shape), kind.dtype)
    return body.add(kind, "R.where({0}, {1}, {2})", [c, x, y], lambda env, f, a, b: np.where(f, a, b), max(x.limit, y.limit), x.is_exact and y.is_exact)


@makes("ewise_fma")
def fma(body):
    x = body.number()
    y, z = body.same(x), body.same(x)
    if x.kind.dtype in FLOATS:
        x, y, z = (body.small(v, math.sqrt(EXACT[x.kind.dtype]) / 4) for v in (x, y, z))
    limit = x.limit * y.limit + z.limit
    return body.add(x.kind, "R.ewise_fma({0}, {1}, {2})", [x, y, z], lambda env, a, b, c: wide(lambda p, q, r: p * q + r, a, b, c), limit)


@makes("clip")
def clip(body):
    x = body.number()
    dtype = x.kind.dtype
    low, high = sorted((body.rng.randint(0 if dtype[0] == "u" else -9, 9), body.rng.randint(0, 12)))
    return body.add(x.kind, f"R.clip({{0}}, {low}, {high})", [x], lambda env, a: np.clip(a, np.array(low, dtype), np.array(high, dtype)), max(abs(low), high))


def squared(x):
    return x * x


# name: (function, limit of the result by that of the operand)
WHOLE = {"abs": (np.abs, None), "negative": (np.negative, None), "sign": (np.sign, lambda n: 1), "square": (squared, squared), "ceil": (np.ceil, None),
         "floor": (np.floor, None), "round": (np.rint, None), "trunc": (np.trunc, None), "nn.relu": (lambda x: np.maximum(x, x.dtype.type(0)), None),
         "nn.relu6": (lambda x: np.clip(x, x.dtype.type(0), x.dtype.type(6)), lambda n: min(n, 6))}
JUMPS = {"sign", "ceil", "floor", "round", "trunc"}


@makes(*WHOLE, weight=4)
def whole(body):
    name = body.rng.choice(list(WHOLE))
    x = body.number(lambda v: v.is_exact or name not in JUMPS)
    function, limit = WHOLE[name]
    if name == "nn.relu6" and x.kind.dtype not in FLOATS or name in ("ceil", "floor", "round", "trunc") and x.kind.dtype not in FLOATS:
        name, function, limit = "negative", np.negative, None
    if name == "square" and x.kind.dtype in FLOATS:
        x = body.small(x, math.sqrt(EXACT[x.kind.dtype]) / 2)
    most = largest(x.kind.dtype) + 1 if x.kind.dtype not in FLOATS and name in ("negative", "square", "abs") else limit(x.limit) if limit else x.limit
    return body.add(x.kind, f"R.{name}({{0}})", [x], lambda env, a: wide(function, a), most)


@makes("isnan", "isinf", "isfinite", weight=0.5)
def test(body):
    x = body.real(lambda v: v.is_exact)
    name = body.rng.choice(("isnan", "isinf", "isfinite"))
    function = getattr(np, name)
    return body.add(Tens(x.kind.shape, "bool"), f"R.{name}({{0}})", [x], lambda env, a: function(a), 1)


@makes("logical_not", "bitwise_not", weight=0.7)
def inverse(body):
    if body.rng.random() < 0.5:
        x = body.exact()
        return body.add(x.kind, "R.logical_not({0})", [x], lambda env, a: np.logical_not(a).astype(a.dtype), 1)
    x = body.pick(lambda v: v.kind.dtype not in FLOATS)
    return body.add(x.kind, "R.bitwise_not({0})", [x], lambda env, a: np.invert(a), largest(x.kind.dtype) + 1)


@makes("nn.leakyrelu", "nn.prelu", weight=0.7)
def leaky(body):
    x = body.real()
    x = body.small(x, EXACT[x.kind.dtype] // 16)
    if body.rng.random() < 0.5:
        return body.add(x.kind, "R.nn.leakyrelu({0}, alpha=2.0)", [x], lambda env, a: wide(lambda v: np.where(v > 0, v, v * v.dtype.type(2)), a), x.limit * 2)
    rank = len(x.kind.shape)
    if not rank:
        raise Unfit
    axis = body.axis(x.kind.shape)
    slope = body.real(lambda v: v.kind == Tens((x.kind.shape[axis],), x.kind.dtype))
    slope = body.small(slope, 8)
    along = [-1 if i == axis else 1 for i in range(rank)]
    return body.add(x.kind, f"R.nn.prelu({{0}}, {{1}}, axis={body.negative(axis, rank)})", [x, slope], limit=x.limit * 8, compute=lambda env, a, s: wide(lambda v, w: np.where(v > 0, v, v * w.reshape(along)), a, s))


@makes("astype", "wrap_param", weight=2)
def cast(body):
    x = body.exact()
    dtype = body.rng.choice(body.maker.dtypes + ["bool"])
    limit = min(x.limit, largest(dtype) + (dtype != "bool"))
    if x.kind.dtype == "bool" and dtype == "bool" or dtype in FLOATS and limit > EXACT[dtype]:
        raise Unfit
    if dtype in FLOATS and x.limit > EXACT[dtype]:
        x = body.small(x, EXACT[dtype] // 4)
    name = body.rng.choice(("astype", "astype", "astype", "wrap_param"))
    return body.add(Tens(x.kind.shape, dtype), f'R.{name}({{0}}, dtype="{dtype}")', [x], lambda env, a: converted(a, dtype), limit)


def converted(x, dtype):
    """Float to integer: towards 0, limited to the range; NaN is 0."""
    if x.dtype.kind != "f" or np.dtype(dtype).kind not in "iu":
        return (x != 0) if dtype == "bool" else x.astype(dtype)
    info = np.iinfo(dtype)
    number = np.where(np.isnan(x), 0, x)
    is_low, is_high = number <= float(info.min), number >= float(info.max)
    inside = np.where(is_low | is_high, 0, number).astype(dtype)
    return np.where(is_low, info.min, np.where(is_high, info.max, inside)).astype(dtype)

"""Functions of floats that round: only in programs whose floats are compared within a tolerance."""
import math

import numpy as np

from gen.body import Tens, Unfit, broadcast, wide
from gen.kinds import Tup
from gen.table import makes

erf = np.vectorize(math.erf, otypes=["float64"])


def gelu(x):
    return 0.5 * x * (1 + erf(x / np.sqrt(2)))


def double(function):
    """Worked out in float64 and rounded once."""
    return lambda env, *arrays: np.asarray(function(*(a.astype(np.float64) for a in arrays))).astype(arrays[0].dtype)


# name: (function, what its operand is made of, limit of the result)
AS_IS, SMALL, UNIT, POSITIVE, ABOVE_ONE = "as is", "small", "unit", "positive", "above one"
FUNCTIONS = {
    "exp": (np.exp, SMALL, 3000), "log": (np.log, POSITIVE, 40), "sin": (np.sin, SMALL, 1), "cos": (np.cos, SMALL, 1), "tan": (np.tan, UNIT, 2),
    "tanh": (np.tanh, AS_IS, 1), "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), AS_IS, 1), "erf": (erf, AS_IS, 1), "sqrt": (np.sqrt, POSITIVE, None),
    "rsqrt": (lambda x: 1 / np.sqrt(x), POSITIVE, 1), "asin": (np.arcsin, UNIT, 2), "acos": (np.arccos, UNIT, 4), "atan": (np.arctan, AS_IS, 2),
    "acosh": (np.arccosh, ABOVE_ONE, 40), "asinh": (np.arcsinh, AS_IS, 40), "atanh": (np.arctanh, UNIT, 4), "sinh": (np.sinh, SMALL, 3000),
    "cosh": (np.cosh, SMALL, 3000), "nn.gelu": (gelu, AS_IS, None), "nn.silu": (lambda x: x / (1 + np.exp(-x)), AS_IS, None),
    "nn.gelu_tanh": (lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3))), SMALL, None),
    "nn.selu": (lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0))), AS_IS, None),
    "nn.softplus": (lambda x: np.where(x > 20, x, np.log1p(np.exp(np.minimum(x, 20)))), AS_IS, None)}


def operand(body, x, wish):
    """@x, or what is made of it, where the function is defined and changes slowly."""
    dtype = x.kind.dtype
    if wish == AS_IS:
        return x
    if wish == SMALL:
        return body.small(x, 8)
    x = body.small(x, 60)
    if wish == UNIT:
        x = body.add(x.kind, "R.tanh({0})", [x], double(np.tanh), 1, exact=False)
        return body.add(x.kind, f'R.multiply({{0}}, R.const(0.75, "{dtype}"))', [x], lambda env, a: wide(lambda v: v * v.dtype.type(0.75), a), 1)
    x = body.add(x.kind, "R.abs({0})", [x], lambda env, a: np.abs(a))
    plus = 1 if wish == POSITIVE else 2
    return body.add(x.kind, f'R.add({{0}}, R.const({plus}, "{dtype}"))', [x], lambda env, a: wide(lambda v: v + v.dtype.type(plus), a), x.limit + plus)


@makes(*FUNCTIONS, weight=8)
def function(body):
    need(body)
    name = body.rng.choice(list(FUNCTIONS))
    compute, wish, limit = FUNCTIONS[name]
    x = operand(body, body.real(), wish)
    return body.add(x.kind, f"R.{name}({{0}})", [x], double(compute), x.limit if limit is None else limit, exact=False)


def need(body):
    if not body.maker.is_smooth:
        raise Unfit


def near(body):
    need(body)
    x = body.real()
    y = body.partner(x)
    return x, y, Tens(broadcast(x.kind.shape, y.kind.shape), x.kind.dtype)


@makes("power", weight=0.7)
def power(body):
    x, y, kind = near(body)
    x, y = operand(body, x, POSITIVE), body.small(y, 2)
    return body.add(kind, "R.power({0}, {1})", [x, y], double(np.power), x.limit ** 2, exact=False)


@makes("atan2", weight=0.5)
def atan2(body):
    x, y, kind = near(body)
    y = operand(body, y, POSITIVE)
    return body.add(kind, "R.atan2({0}, {1})", [x, y], double(np.arctan2), 2, exact=False)


@makes("log_add_exp", weight=0.5)
def log_add_exp(body):
    x, y, kind = near(body)
    return body.add(kind, "R.log_add_exp({0}, {1})", [x, y], double(np.logaddexp), max(x.limit, y.limit) + 1, exact=False)


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True, initial=-np.inf))
    return e / e.sum(axis, keepdims=True)


@makes("nn.softmax", "nn.log_softmax", weight=3)
def soft(body):
    need(body)
    x = body.real(lambda v: v.kind.shape)
    axis = body.axis(x.kind.shape)
    shown = body.negative(axis, len(x.kind.shape))
    if body.rng.random() < 0.6:
        return body.add(x.kind, f"R.nn.softmax({{0}}, axis={shown})", [x], double(lambda a: softmax(a, axis)), 1, exact=False)
    x = body.small(x, 60)

    def compute(a):
        shifted = a - a.max(axis, keepdims=True, initial=-np.inf)
        return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))
    return body.add(x.kind, f"R.nn.log_softmax({{0}}, axis={shown})", [x], double(compute), 200, exact=False)


def normal(x, axes, epsilon):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


def weights(body, shape, dtype, count):
    return [body.small(body.real(lambda v: v.kind == Tens(shape, dtype)), 8) for _ in range(count)]


@makes("nn.layer_norm", "nn.rms_norm", weight=1.5)
def layer_norm(body):
    need(body)
    x = body.small(body.real(lambda v: v.kind.shape), 60)
    shape, dtype = x.kind
    first = body.axis(shape)
    axes = tuple(range(first, len(shape)))
    inner = shape[first:]
    if body.rng.random() < 0.5:
        (w,) = weights(body, inner, dtype, 1)
        return body.add(x.kind, f"R.nn.rms_norm({{0}}, {{1}}, axes={list(axes)}, epsilon=0.1)", [x, w], limit=8 * 40, exact=False,
                        compute=double(lambda a, g: a / np.sqrt((a * a).mean(axes, keepdims=True) + 0.1) * g))
    w, b = weights(body, inner, dtype, 2)
    scale, center = body.rng.random() < 0.8, body.rng.random() < 0.8
    text = f"R.nn.layer_norm({{0}}, {{1}}, {{2}}, axes={list(axes)}, epsilon=0.1, center={center}, scale={scale})"
    return body.add(x.kind, text, [x, w, b], limit=8 * 40, exact=False,
                    compute=double(lambda a, g, c: normal(a, axes, 0.1) * (g if scale else 1) + (c if center else 0)))


def along(vector, axis, rank):
    return vector.reshape([-1 if i == axis else 1 for i in range(rank)])


@makes("nn.batch_norm", weight=0.6)
def batch_norm(body):
    need(body)
    x = body.small(body.real(lambda v: len(v.kind.shape) > 1), 60)
    shape, dtype = x.kind
    axis, rank = body.axis(shape), len(shape)
    g, b, mean, var = weights(body, (shape[axis],), dtype, 4)
    var = operand(body, var, POSITIVE)
    is_training = body.rng.random() < 0.5
    others = tuple(i for i in range(rank) if i != axis)

    def compute(env, *arrays):
        a, p, q, m, v = (array.astype(np.float64) for array in arrays)
        if is_training:
            y, m, v = normal(a, others, 0.1), 0.75 * m + 0.25 * a.mean(others), 0.75 * v + 0.25 * a.var(others)
        else:
            y = (a - along(m, axis, rank)) / np.sqrt(along(v, axis, rank) + 0.1)
        return tuple(r.astype(dtype) for r in (y * along(p, axis, rank) + along(q, axis, rank), m, v))
    text = f"R.nn.batch_norm({{0}}, {{1}}, {{2}}, {{3}}, {{4}}, axis={axis}, epsilon=0.1, momentum=0.25, training={is_training})"
    t = body.add(Tup((x.kind, mean.kind, var.kind)), text, [x, g, b, mean, var], compute, 4000, exact=False)
    for i in range(3):
        result = body.field(t, i)
    return result


@makes("nn.group_norm", "nn.instance_norm", weight=0.5)
def group_norm(body):
    need(body)
    x = body.small(body.real(lambda v: len(v.kind.shape) > 2 and type(v.kind.shape[1]) is int and v.kind.shape[1]), 60)
    shape, dtype = x.kind
    g, b = weights(body, (shape[1],), dtype, 2)
    axes, rank = list(range(2, len(shape))), len(shape)
    if body.rng.random() < 0.5:
        return body.add(x.kind, f"R.nn.instance_norm({{0}}, {{1}}, {{2}}, channel_axis=1, axes={axes}, epsilon=0.1)", [x, g, b], limit=320, exact=False,
                        compute=double(lambda a, p, q: normal(a, tuple(axes), 0.1) * along(p, 1, rank) + along(q, 1, rank)))
    groups = body.rng.choice([n for n in range(1, shape[1] + 1) if shape[1] % n == 0])

    def compute(a, p, q):
        parts = a.reshape(a.shape[0], groups, a.shape[1] // groups, *a.shape[2:])
        return normal(parts, tuple(range(2, rank + 1)), 0.1).reshape(a.shape) * along(p, 1, rank) + along(q, 1, rank)
    text = f"R.nn.group_norm({{0}}, {{1}}, {{2}}, num_groups={groups}, channel_axis=1, axes={axes}, epsilon=0.1)"
    return body.add(x.kind, text, [x, g, b], double(compute), 320, exact=False)

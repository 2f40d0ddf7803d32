"""Operators over an axis: reductions, running sums, sorting."""
import math

import numpy as np

from gen.body import Tens, Unfit, largest
from gen.kinds import EXACT, FLOATS, Tup, product
from gen.smooth import double, need
from gen.table import makes


def some_axes(body, shape):
    rank = len(shape)
    return tuple(sorted(body.rng.sample(range(rank), body.rng.randint(1, rank)))) if rank and body.rng.random() < 0.8 else None


def reduced(shape, axes, keep):
    axes = range(len(shape)) if axes is None else axes
    return tuple(1 if i in axes else dim for i, dim in enumerate(shape) if keep or i not in axes)


def reduced_count(body, shape, axes):
    return max(body.count([dim for i, dim in enumerate(shape) if axes is None or i in axes]), default=1)


def arguments(body, x):
    axes, keep = some_axes(body, x.kind.shape), body.rng.random() < 0.6
    rank = len(x.kind.shape)
    shown = None if axes is None else [body.negative(axis, rank) for axis in axes]
    return axes, keep, Tens(reduced(x.kind.shape, axes, keep), x.kind.dtype), f"axis={shown}, keepdims={keep}"


def accumulator(dtype):
    return np.float32 if dtype == "float16" else dtype


def lowest(dtype):
    return -np.inf if dtype in FLOATS else np.iinfo(dtype).min


def highest(dtype):
    return np.inf if dtype in FLOATS else np.iinfo(dtype).max


@makes("sum", weight=4)
def total(body):
    x = body.number()
    axes, keep, kind, shown = arguments(body, x)
    dtype, count = x.kind.dtype, reduced_count(body, x.kind.shape, axes)
    if dtype in FLOATS and x.is_exact:
        x = body.small(x, EXACT[dtype] // max(4 * count, 1))
    wide = accumulator(dtype)
    return body.add(kind, f"R.sum({{0}}, {shown})", [x], lambda env, a: np.sum(a, axes, dtype=wide, keepdims=keep).astype(dtype), x.limit * max(count, 1))


@makes("prod")
def prod(body):
    x = body.number()
    axes, keep, kind, shown = arguments(body, x)
    dtype = x.kind.dtype
    if dtype in FLOATS:
        if not x.is_exact:
            raise Unfit
        x = body.add(x.kind, "R.sign({0})", [x], lambda env, a: np.sign(a), 1)
    return body.add(kind, f"R.prod({{0}}, {shown})", [x], lambda env, a: np.prod(a, axes, dtype=accumulator(dtype), keepdims=keep).astype(dtype),
                    1 if dtype in FLOATS else largest(dtype) + 1)


@makes("max", "min", weight=3)
def extreme(body):
    x = body.number()
    axes, keep, kind, shown = arguments(body, x)
    name, dtype = body.rng.choice(("max", "min")), x.kind.dtype
    if 0 in body.count([dim for i, dim in enumerate(x.kind.shape) if axes is None or i in axes]) and dtype in FLOATS and not x.is_exact:
        raise Unfit
    function, initial = (np.max, lowest(dtype)) if name == "max" else (np.min, highest(dtype))
    limit = x.limit if dtype in FLOATS else largest(dtype) + 1
    return body.add(kind, f"R.{name}({{0}}, {shown})", [x], lambda env, a: function(a, axes, keepdims=keep, initial=initial).astype(dtype), limit)


@makes("mean", weight=1.5)
def mean(body):
    x = body.number()
    axes, keep, kind, shown = arguments(body, x)
    dtype = x.kind.dtype
    if dtype in FLOATS:
        need(body)
        x = body.small(x, 1000)
        return body.add(kind, f"R.mean({{0}}, {shown})", [x], double(lambda a: np.mean(a, axes, keepdims=keep)), 1000, exact=False)

    def compute(env, a):
        whole = np.sum(a, axes, dtype=dtype, keepdims=keep)
        count = math.prod(a.shape[i] for i in (range(a.ndim) if axes is None else axes))
        if not count:
            return np.zeros(whole.shape, dtype)
        wide = whole.astype(object)
        return (np.where(wide < 0, -((-wide) // count), wide // count)).astype(dtype)
    return body.add(kind, f"R.mean({{0}}, {shown})", [x], compute, largest(dtype) + 1)


@makes("variance", "std")
def moment(body):
    need(body)
    x = body.real()
    axes, keep, kind, shown = arguments(body, x)
    x = body.small(x, 100)
    name = body.rng.choice(("variance", "std"))
    inner = np.var if name == "variance" else np.std
    return body.add(kind, f"R.{name}({{0}}, {shown})", [x], double(lambda a: inner(a, axes, keepdims=keep)), x.limit ** 2, exact=False)


@makes("argmax", "argmin", weight=1.5)
def place(body):
    x = body.exact()
    name, keep, shape = body.rng.choice(("argmax", "argmin")), body.rng.random() < 0.5, x.kind.shape
    axis = body.axis(shape) if shape and body.rng.random() < 0.8 else None
    function = np.argmax if name == "argmax" else np.argmin
    axes = None if axis is None else (axis,)
    kind = Tens(reduced(shape, axes, keep), "int64")

    def compute(env, a):
        if a.shape[axis] == 0 if axis is not None else a.size == 0:
            return np.zeros([1 if axis is None or i == axis else n for i, n in enumerate(a.shape) if keep or (axis is not None and i != axis)], "int64")
        found = np.asarray(function(a, axis=axis), dtype="int64")
        return found.reshape([1] * a.ndim) if keep and axis is None else np.expand_dims(found, axis) if keep else found
    shown = None if axis is None else body.negative(axis, len(shape))
    return body.add(kind, f"R.{name}({{0}}, axis={shown}, keepdims={keep})", [x], compute, max(reduced_count(body, shape, axes), 1))


@makes("cumsum", "cumprod", weight=2)
def running(body):
    x = body.number()
    name, dtype, shape = body.rng.choice(("cumsum", "cumsum", "cumprod")), x.kind.dtype, x.kind.shape
    axis = body.axis(shape) if shape and body.rng.random() < 0.9 else None
    is_exclusive = body.rng.random() < 0.4
    count = max(reduced_count(body, shape, None if axis is None else (axis,)), 1)
    if name == "cumprod" and dtype in FLOATS:
        if not x.is_exact:
            raise Unfit
        x = body.add(x.kind, "R.sign({0})", [x], lambda env, a: np.sign(a), 1)
    elif dtype in FLOATS and x.is_exact:
        x = body.small(x, EXACT[dtype] // (4 * count))
    function, unit = (np.cumsum, 0) if name == "cumsum" else (np.cumprod, 1)
    limit = x.limit * count if name == "cumsum" else 1 if dtype in FLOATS else largest(dtype) + 1
    kind = x.kind if axis is not None else Tens((product(shape),), dtype)

    def compute(env, a):
        wide = function(a, axis=axis, dtype=accumulator(dtype)).astype(dtype)
        if not is_exclusive:
            return wide
        line = np.moveaxis(wide, axis or 0, -1)
        line = np.concatenate([np.full((*line.shape[:-1], 1), unit, dtype), line[..., :-1]], -1)[..., :line.shape[-1]]
        return np.moveaxis(line, -1, axis or 0)
    shown = None if axis is None else body.negative(axis, len(shape))
    return body.add(kind, f"R.{name}({{0}}, axis={shown}, exclusive={is_exclusive})", [x], compute, limit)


# ---- sorting


def order_of(x, axis, down):
    """Stable, also downwards; NaN is the largest."""
    line = np.flip(x, axis) if down else x
    order = np.argsort(line, axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - order, axis) if down else order


def sortable(body):
    x = body.exact(lambda v: v.kind.shape and max(body.count(v.kind.shape)) <= 300)
    return x, body.axis(x.kind.shape)


@makes("sort", "argsort", weight=1.5)
def sort(body):
    x, axis = sortable(body)
    down = body.rng.random() < 0.5
    shown = f"axis={body.negative(axis, len(x.kind.shape))}, descending={down}"
    if body.rng.random() < 0.5:
        return body.add(x.kind, f"R.sort({{0}}, {shown})", [x], lambda env, a: np.take_along_axis(a, order_of(a, axis, down), axis))
    dtype = body.rng.choice(("int32", "int64"))
    return body.add(Tens(x.kind.shape, dtype), f'R.argsort({{0}}, {shown}, dtype="{dtype}")', [x], lambda env, a: order_of(a, axis, down).astype(dtype), 33 * 33)


@makes("topk", weight=0.7)
def topk(body):
    x, _ = sortable(body)
    axis = body.static_axis(x.kind.shape, lambda n: n > 0)
    size = x.kind.shape[axis]
    k, largest_first = body.rng.randint(1, size), body.rng.random() < 0.5
    shape = tuple(k if i == axis else dim for i, dim in enumerate(x.kind.shape))

    def compute(env, a):
        order = np.take(order_of(a, axis, largest_first), np.arange(k), axis)
        return np.take_along_axis(a, order, axis), order.astype("int32")
    text = f"R.topk({{0}}, k={k}, axis={axis}, largest={largest_first})"
    t = body.add(Tup((Tens(shape, x.kind.dtype), Tens(shape, "int32"))), text, [x], compute, max(x.limit, 33))
    if body.rng.random() < 0.7:
        body.field(t, 1)
    return body.field(t, 0)


@makes("median", weight=0.5)
def median(body):
    x = body.exact(lambda v: v.kind.shape and v.kind.dtype != "bool")
    axis = body.static_axis(x.kind.shape, lambda n: n > 0)
    shape = reduced(x.kind.shape, (axis,), True)

    def compute(env, a):
        order = order_of(a, axis, False)
        where = np.take(order, [(a.shape[axis] - 1) // 2], axis)
        return np.take_along_axis(a, where, axis), where
    t = body.add(Tup((Tens(shape, x.kind.dtype), Tens(shape, "int64"))), f"R.median({{0}}, axis=[{axis}], keepdims=True)", [x], compute, max(x.limit, 33))
    body.field(t, 1)
    return body.field(t, 0)


@makes("bucketize", weight=0.5)
def bucketize(body):
    x = body.exact(lambda v: v.kind.dtype != "bool")
    edges = body.pick(lambda v: len(v.kind.shape) == 1 and v.is_exact and v.kind.dtype == x.kind.dtype and 0 not in body.count(v.kind.shape))
    edges = body.add(edges.kind, "R.sort({0})", [edges], lambda env, a: np.take_along_axis(a, order_of(a, 0, False), 0))
    right = body.rng.random() < 0.5
    return body.add(Tens(x.kind.shape, "int64"), f"R.bucketize({{0}}, {{1}}, right={right})", [x, edges],
                    lambda env, a, e: np.searchsorted(e, a, "right" if right else "left").astype("int64"), 33)

"""Operators that move elements: views, slices, concats, splits, repetitions."""
import numpy as np

from gen.body import Tens, Unfit, broadcast
from gen.kinds import Poly, Tup, add, at, dim_text, multiply, product, shape_text, sizes
from gen.table import makes

VIEW = {"tag": "view"}


@makes("reshape", weight=5)
def reshape(body, x=None):
    x = x or body.pick()
    dtype, shape = x.kind.dtype, x.kind.shape
    target = body.rng.choice(body.maker.reshapes(shape))
    if any(dim == 0 and shape[i:i + 1] != (0,) for i, dim in enumerate(target)):  # 0 keeps the extent of that axis
        raise Unfit
    return body.add(Tens(target, dtype), f"R.reshape({{0}}, {shape_text(target)})", [x], lambda env, a: a.reshape(sizes(target, env)), **VIEW)


@makes("flatten", "nn.batch_flatten", weight=2)
def flatten(body):
    if body.rng.random() < 0.8:
        x = body.pick()
        return body.add(Tens((product(x.kind.shape),), x.kind.dtype), "R.flatten({0})", [x], lambda env, a: a.reshape(-1), **VIEW)
    x = body.ranked(2)
    shape = (x.kind.shape[0], product(x.kind.shape[1:]))
    return body.add(Tens(shape, x.kind.dtype), "R.nn.batch_flatten({0})", [x], lambda env, a: a.reshape(sizes(shape, env)), **VIEW)


@makes("expand_dims", "squeeze", weight=3)
def ones(body):
    if body.rng.random() < 0.5:
        x = body.pick(lambda v: len(v.kind.shape) < 4)
        rank = len(x.kind.shape)
        axis = body.rng.randint(0, rank)
        shape = x.kind.shape[:axis] + (1,) + x.kind.shape[axis:]
        text = f"R.expand_dims({{0}}, axis=[{body.negative(axis, rank + 1)}])"
        return body.add(Tens(shape, x.kind.dtype), text, [x], lambda env, a: np.expand_dims(a, axis), **VIEW)
    x = body.pick(lambda v: 1 in v.kind.shape)
    axis = body.rng.choice([i for i, dim in enumerate(x.kind.shape) if dim == 1])
    shape = x.kind.shape[:axis] + x.kind.shape[axis + 1:]
    return body.add(Tens(shape, x.kind.dtype), f"R.squeeze({{0}}, axis=[{axis}])", [x], lambda env, a: np.squeeze(a, axis), **VIEW)


@makes("permute_dims", weight=3)
def permute(body):
    x = body.ranked(2)
    order = list(range(len(x.kind.shape)))
    body.rng.shuffle(order)
    shape = tuple(x.kind.shape[i] for i in order)
    shown = [body.negative(i, len(order)) for i in order]
    return body.add(Tens(shape, x.kind.dtype), f"R.permute_dims({{0}}, axes={shown})", [x], lambda env, a: np.ascontiguousarray(a.transpose(order)))


@makes("layout_transform", weight=0.3)
def layout(body):
    x = body.pick(lambda v: len(v.kind.shape) == 2)
    shape = x.kind.shape[::-1]
    return body.add(Tens(shape, x.kind.dtype), "R.layout_transform({0}, index_map=lambda i, j: (j, i))", [x], lambda env, a: a.T.copy())


# ---- slices


def cut(body, dim):
    """Two ends of a part of an axis: (begin, end, text of them)."""
    if type(dim) is int:
        begin = body.rng.randint(0, dim)
        return begin, body.rng.randint(begin, dim)
    places = [0, dim, *body.maker.below(dim)]
    begin, end = body.rng.choice(places), body.rng.choice(places)
    length = add(end, multiply(begin, -1))
    if any(at(length, env) < 0 for env in body.envs) or isinstance(length, Poly) and any(factor < 0 for factor in length.terms.values()):
        return 0, dim
    return begin, end


@makes("strided_slice", weight=7)
def part(body, x=None):
    x = x or body.ranked(1)
    shape = x.kind.shape
    axes = sorted(body.rng.sample(range(len(shape)), body.rng.choice([1, 1, 1, 2]) if len(shape) > 1 else 1))
    if body.rng.random() < 0.4:
        axes = [0]
    ends, steps = [cut(body, shape[axis]) for axis in axes], [1] * len(axes)
    result = list(shape)
    for i, (axis, (begin, end)) in enumerate(zip(axes, ends)):
        if type(shape[axis]) is int and body.rng.random() < 0.2:
            steps[i] = body.rng.choice([1, 2, 3, -1, -2])
            if steps[i] < 0:
                ends[i] = (end - 1, begin - 1 if begin else -dim_below(shape[axis])) if end > begin else (0, 0)
            result[axis] = len(range(*slice(*ends[i], steps[i]).indices(shape[axis])))
        else:
            result[axis] = add(end, multiply(begin, -1))
    text = (f"R.strided_slice({{0}}, axes=[{', '.join(map(str, axes))}], begin=[{', '.join(dim_text(b) for b, _ in ends)}], "
            f"end=[{', '.join(dim_text(e) for _, e in ends)}]")
    text += f", strides={steps}" if set(steps) != {1} or body.rng.random() < 0.2 else ""
    text += ", assume_inbound=True" if set(steps) == {1} and body.rng.random() < 0.3 else ""

    def compute(env, a):
        where = [slice(None)] * a.ndim
        for axis, (begin, end), step in zip(axes, ends, steps):
            where[axis] = slice(at(begin, env), at(end, env), step)
        return a[tuple(where)].copy()
    return body.add(Tens(tuple(result), x.kind.dtype), text + ")", [x], compute, **VIEW)


def dim_below(size):
    return 100 * (size + 1)


@makes("split", weight=3)
def split(body):
    x = body.ranked(1)
    shape = x.kind.shape
    axis = body.static_axis(shape)
    size = shape[axis]
    if body.rng.random() < 0.4 and 1 < size < 7 or size in (8, 9, 16, 33) and body.rng.random() < 0.4:
        sections = body.rng.choice([n for n in range(1, size + 1) if size % n == 0 and n <= 6 and n > (size > 1)])
        ends, shown = [size // sections * i for i in range(1, sections)], sections
    else:
        ends = sorted(body.rng.randint(0, size) for _ in range(body.rng.randint(1, 3)))
        shown = ends
    bounds = [0, *ends, size]
    kinds = tuple(Tens(tuple(b - a if i == axis else dim for i, dim in enumerate(shape)), x.kind.dtype) for a, b in zip(bounds, bounds[1:]))
    text = f"R.split({{0}}, indices_or_sections={shown}, axis={body.negative(axis, len(shape))})"
    t = body.add(Tup(kinds), text, [x], lambda env, a: tuple(p.copy() for p in np.split(a, ends, axis)), x.limit, **VIEW)
    shown = [i for i in range(len(kinds)) if body.rng.random() < 0.7] or [0]
    values = [body.field(t, i) for i in shown]
    if len(values) > 1 and body.rng.random() < 0.35:
        return join(body, values, axis)
    return values[-1]


def join(body, values, axis):
    total = 0
    for value in values:
        total = add(total, value.kind.shape[axis])
    shape = tuple(total if i == axis else dim for i, dim in enumerate(values[0].kind.shape))
    names = ", ".join(f"{{{i}}}" for i in range(len(values)))
    text = f"R.concat(({names}{',' * (len(values) == 1)}), axis={body.negative(axis, len(shape))})"
    return body.add(Tens(shape, values[0].kind.dtype), text, values, lambda env, *arrays: np.concatenate(arrays, axis))


@makes("concat", weight=5)
def concat(body):
    x = body.ranked(1)
    axis = body.axis(x.kind.shape) if body.rng.random() < 0.6 else 0
    others = x.kind.shape[:axis] + (None,) + x.kind.shape[axis + 1:]

    def fits(v):
        shape = v.kind.shape
        return len(shape) == len(others) and v.kind.dtype == x.kind.dtype and shape[:axis] + (None,) + shape[axis + 1:] == others
    values = [x] + [body.pick(fits) for _ in range(body.rng.choice([1, 1, 2, 3]))]
    body.rng.shuffle(values)
    return join(body, values, axis)


@makes("stack", weight=1.5)
def stack(body):
    x = body.pick(lambda v: len(v.kind.shape) < 4)
    values = [x] + [body.same(x) for _ in range(body.rng.choice([0, 1, 1, 2]))]
    axis = body.rng.randint(0, len(x.kind.shape))
    shape = x.kind.shape[:axis] + (len(values),) + x.kind.shape[axis:]
    names = ", ".join(f"{{{i}}}" for i in range(len(values)))
    return body.add(Tens(shape, x.kind.dtype), f"R.stack(({names}{',' * (len(values) == 1)}), axis={axis})", values, lambda env, *arrays: np.stack(arrays, axis))


# ---- repetitions


@makes("broadcast_to", weight=2)
def spread(body):
    x = body.pick()
    target = body.rng.choice(body.maker.shapes)
    if broadcast(x.kind.shape, target) != target:
        raise Unfit
    return body.add(Tens(target, x.kind.dtype), f"R.broadcast_to({{0}}, {shape_text(target)})", [x], lambda env, a: np.broadcast_to(a, sizes(target, env)).copy())


@makes("repeat", "tile", weight=1.2)
def repeated(body):
    x = body.ranked(1)
    shape, times = x.kind.shape, body.rng.choice([1, 2, 2, 3])
    if body.rng.random() < 0.5:
        axis = body.axis(shape)
        result = tuple(multiply(dim, times) if i == axis else dim for i, dim in enumerate(shape))
        return body.add(Tens(result, x.kind.dtype), f"R.repeat({{0}}, {times}, axis={axis})", [x], lambda env, a: np.repeat(a, times, axis))
    by = tuple(body.rng.choice([1, 1, 2]) for _ in shape)
    result = tuple(multiply(dim, n) for dim, n in zip(shape, by))
    return body.add(Tens(result, x.kind.dtype), f"R.tile({{0}}, {by if len(by) > 1 else f'({by[0]},)'})", [x], lambda env, a: np.tile(a, by))


@makes("flip", weight=2)
def flip(body):
    x = body.ranked(1)
    axis = body.axis(x.kind.shape)
    return body.add(x.kind, f"R.flip({{0}}, axis={body.negative(axis, len(x.kind.shape))})", [x], lambda env, a: np.flip(a, axis).copy())


@makes("tril", "triu", weight=1.2)
def triangle(body):
    x = body.ranked(2)
    name, k = body.rng.choice(("tril", "triu")), body.rng.randint(-2, 2)
    function = getattr(np, name)
    return body.add(x.kind, f"R.{name}({{0}}, {k})", [x], lambda env, a: function(a, k))


@makes("meshgrid", weight=0.4)
def meshgrid(body):
    x = body.pick(lambda v: len(v.kind.shape) == 1)
    y = body.pick(lambda v: len(v.kind.shape) == 1 and v.kind.dtype == x.kind.dtype)
    kind = Tens(x.kind.shape + y.kind.shape, x.kind.dtype)
    t = body.add(Tup((kind, kind)), "R.meshgrid(({0}, {1}))", [x, y], lambda env, a, b: tuple(g.copy() for g in np.meshgrid(a, b, indexing="ij")), max(x.limit, y.limit))
    body.field(t, 1)
    return body.field(t, 0)


@makes("collapse_sum_to", "collapse_sum_like", weight=0.8)
def collapse(body):
    x = body.number(lambda v: v.kind.dtype != "float16")
    target = body.rng.choice(body.maker.shapes)
    if broadcast(x.kind.shape, target) != x.kind.shape or len(target) > len(x.kind.shape):
        raise Unfit
    more = len(x.kind.shape) - len(target)
    axes = tuple(i for i, dim in enumerate(x.kind.shape) if i < more or target[i - more] == 1 and dim != 1)
    if not x.is_exact and not body.maker.is_smooth or x.is_exact and x.kind.dtype[0] == "f" and x.limit > 1 << 10:
        raise Unfit
    dtype, limit = x.kind.dtype, x.limit * body.elements(x.kind.shape)
    try:
        like = body.pick(lambda v: v.kind.shape == target)
        return body.add(Tens(target, dtype), "R.collapse_sum_like({0}, {1})", [x, like], lambda env, a, b: np.sum(a, axes, dtype=dtype).reshape(sizes(target, env)),
                        limit, exact=x.is_exact)
    except Unfit:
        return body.add(Tens(target, dtype), f"R.collapse_sum_to({{0}}, {shape_text(target)})", [x],
                        lambda env, a: np.sum(a, axes, dtype=dtype).reshape(sizes(target, env)), limit)


@makes("nn.pad", weight=2)
def pad(body):
    x = body.ranked(1, lambda v: v.kind.dtype != "bool")
    rank = len(x.kind.shape)
    widths = [(body.rng.choice([0, 1, 2]), body.rng.choice([0, 0, 1, 3])) for _ in range(rank)]
    shape = tuple(add(dim, a + b) for dim, (a, b) in zip(x.kind.shape, widths))
    flat = [w for pair in widths for w in pair]
    mode = body.rng.choice(["constant"] * 3 + ["replicate", "reflect", "circular"])
    if mode == "constant":
        value = body.rng.choice([0, 0, 2])
        return body.add(Tens(shape, x.kind.dtype), f"R.nn.pad({{0}}, {flat}, pad_value={float(value)})", [x], limit=max(x.limit, value),
                        compute=lambda env, a: np.pad(a, widths, constant_values=np.array(value, a.dtype)))
    for dim, pair in zip(x.kind.shape, widths):
        if type(dim) is not int or max(pair) > dim - (mode == "reflect"):
            raise Unfit
    how = {"replicate": "edge", "reflect": "reflect", "circular": "wrap"}[mode]
    return body.add(Tens(shape, x.kind.dtype), f'R.nn.pad({{0}}, {flat}, pad_mode="{mode}")', [x], lambda env, a: np.pad(a, widths, how))


@makes("nn.pixel_shuffle", weight=0.3)
def pixel_shuffle(body):
    x = body.pick(lambda v: len(v.kind.shape) == 4 and type(v.kind.shape[1]) is int and v.kind.shape[1] % 4 == 0 and v.kind.shape[1])
    b, c, h, w = x.kind.shape
    shape = (b, c // 4, multiply(h, 2), multiply(w, 2))

    def compute(env, a):
        n, k, p, q = a.shape
        return a.reshape(n, k // 4, 2, 2, p, q).transpose(0, 1, 4, 2, 5, 3).reshape(n, k // 4, p * 2, q * 2)
    return body.add(Tens(shape, x.kind.dtype), "R.nn.pixel_shuffle({0}, upscale_factor=2)", [x], compute)

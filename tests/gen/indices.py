"""Gathers and scatters, and tensors that are made of nothing."""
import numpy as np

from gen.body import Tens, Unfit
from gen.kinds import EXACT, FLOATS, add, at, dim_text, shape_text, sizes
from gen.smooth import need
from gen.table import makes


@makes("take", weight=2)
def take(body):
    x = body.ranked(1)
    shape = x.kind.shape
    axis = body.static_axis(shape, lambda n: n > 0)
    mode = body.rng.choice(["fast", "clip", "wrap"])
    i = body.integer(lambda v: v.kind.dtype in ("int32", "int64") and len(v.kind.shape) + len(shape) <= 5)
    if mode == "fast":
        i = body.index(i.kind.shape, shape[axis])
    result = shape[:axis] + i.kind.shape + shape[axis + 1:]
    size = shape[axis]

    def compute(env, a, k):
        k = np.clip(k, 0, size - 1) if mode == "clip" else np.mod(k, size)  # (mode "wrap" of NumPy subtracts again and again)
        return np.take(a, k.astype("int64"), axis)
    return body.add(Tens(result, x.kind.dtype), f'R.take({{0}}, {{1}}, axis={axis}, mode="{mode}")', [x, i],
                    compute, x.limit, x.is_exact)


@makes("gather_elements")
def gather_elements(body):
    x = body.ranked(1)
    axis = body.static_axis(x.kind.shape, lambda n: n > 0)
    i = body.index(x.kind.shape, x.kind.shape[axis], "int64")
    return body.add(x.kind, f"R.gather_elements({{0}}, {{1}}, axis={axis})", [x, i], lambda env, a, k: np.take_along_axis(a, k, axis), x.limit, x.is_exact)


@makes("gather_nd", weight=0.7)
def gather_nd(body):
    x = body.ranked(1)
    size = x.kind.shape[0]
    i = body.integer(lambda v: v.kind.dtype == "int64" and v.kind.shape and v.kind.shape[-1] == 1 and len(v.kind.shape) + len(x.kind.shape) <= 5)
    if type(size) is not int:
        raise Unfit
    i = body.index(i.kind.shape, size, "int64")
    return body.add(Tens(i.kind.shape[:-1] + x.kind.shape[1:], x.kind.dtype), "R.gather_nd({0}, {1})", [x, i], lambda env, a, k: a[k[..., 0]], x.limit, x.is_exact)


def pair(body, x):
    """Indices for the first two axes, broadcast together, and their shape."""
    rows, columns = x.kind.shape[:2]
    if type(rows) is not int or type(columns) is not int:
        raise Unfit
    first = body.integer(lambda v: v.kind.dtype == "int64" and len(v.kind.shape) <= 2)
    i = body.index(first.kind.shape, rows)
    return i, body.index(first.kind.shape, columns), i.kind.shape + x.kind.shape[2:]


@makes("index_tensor", weight=0.8)
def index_tensor(body):
    x = body.ranked(2)
    i, j, shape = pair(body, x)
    return body.add(Tens(shape, x.kind.dtype), "R.index_tensor({0}, ({1}, {2}))", [x, i, j], lambda env, a, k, l: a[k, l], x.limit, x.is_exact)


@makes("index_put", weight=0.8)
def index_put(body):
    x = body.ranked(2)
    i, j, shape = pair(body, x)
    u = body.pick(lambda v: v.kind.dtype == x.kind.dtype and v.kind.shape in (shape, shape[1:], ()))

    def compute(env, a, k, l, b):
        result, b = a.copy(), np.broadcast_to(b, k.shape + a.shape[2:])
        for place in np.ndindex(*k.shape):
            result[k[place], l[place]] = b[place]
        return result
    return body.add(x.kind, "R.index_put({0}, ({1}, {2}), {3})", [x, i, j, u], compute, max(x.limit, u.limit), x.is_exact and u.is_exact)


COMBINE = {"update": lambda a, b: b, "add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}


def reduction(body, x, u):
    """How updates are put, and what that needs."""
    how = body.rng.choice(["update", "update", "add", "min", "max"] + ["mul"] * (x.kind.dtype not in FLOATS))
    if x.kind.dtype == "bool":
        how = "update"
    limit = max(x.limit, u.limit)
    if how == "add":
        limit = x.limit + u.limit * body.elements(u.kind.shape)
        if x.kind.dtype in FLOATS and x.is_exact and limit > EXACT[x.kind.dtype]:
            how, limit = "update", max(x.limit, u.limit)
    return how, 1 << 62 if how == "mul" else limit


@makes("scatter_elements", weight=1.2)
def scatter_elements(body):
    x = body.ranked(1)
    u = body.same(x)
    axis = body.static_axis(x.kind.shape, lambda n: n > 0)
    i = body.index(x.kind.shape, x.kind.shape[axis], "int64")
    how, limit = reduction(body, x, u)
    function = COMBINE[how]

    def compute(env, a, k, b):
        result = a.copy()
        for place in np.ndindex(*k.shape):
            to = place[:axis] + (int(k[place]),) + place[axis + 1:]
            result[to] = function(result[to], b[place])
        return result
    return body.add(x.kind, f'R.scatter_elements({{0}}, {{1}}, {{2}}, axis={axis}, reduction="{how}")', [x, i, u], compute, limit, x.is_exact and u.is_exact)


@makes("scatter_nd", weight=0.8)
def scatter_nd(body):
    x = body.ranked(1)
    size = x.kind.shape[0]
    if type(size) is not int:
        raise Unfit
    u = body.pick(lambda v: v.kind.dtype == x.kind.dtype and len(v.kind.shape) == len(x.kind.shape) and v.kind.shape[1:] == x.kind.shape[1:])
    i = body.index((u.kind.shape[0], 1), size, "int64")
    how, limit = reduction(body, x, u)
    function = COMBINE[how]

    def compute(env, a, k, b):
        result = a.copy()
        for place in range(k.shape[0]):
            to = int(k[place, 0])
            result[to] = function(result[to], b[place])
        return result
    return body.add(x.kind, f'R.scatter_nd({{0}}, {{1}}, {{2}}, reduction="{how}")', [x, i, u], compute, limit, x.is_exact and u.is_exact)


@makes("slice_scatter", weight=1.5)
def slice_scatter(body):
    x = body.ranked(1)
    axis = body.static_axis(x.kind.shape)

    def fits(v):
        shape = v.kind.shape
        return v.kind.dtype == x.kind.dtype and len(shape) == len(x.kind.shape) and type(shape[axis]) is int and shape[axis] <= x.kind.shape[axis] \
            and shape[:axis] + shape[axis + 1:] == x.kind.shape[:axis] + x.kind.shape[axis + 1:]
    u = body.pick(fits)
    length = u.kind.shape[axis]
    start = body.rng.randint(0, x.kind.shape[axis] - length)

    def compute(env, a, b):
        result = a.copy()
        result[(slice(None),) * axis + (slice(start, start + length),)] = b
        return result
    return body.add(x.kind, f"R.slice_scatter({{0}}, {{1}}, {start}, {start + length}, 1, axis={axis})", [x, u], compute)


@makes("one_hot", weight=0.7)
def one_hot(body):
    i = body.integer(lambda v: v.kind.dtype in ("int32", "int64") and len(v.kind.shape) < 4)
    depth, axis = body.rng.randint(1, 5), body.rng.randint(0, len(i.kind.shape))
    shape = i.kind.shape[:axis] + (depth,) + i.kind.shape[axis:]
    text = f"R.one_hot({{0}}, R.prim_value(T.float32(2)), R.prim_value(T.float32(-1)), depth={depth}, axis={axis})"
    if body.maker.is_special:
        raise Unfit
    i = body.index(i.kind.shape, depth)
    return body.add(Tens(shape, "float32"), text, [i], limit=2,
                    compute=lambda env, k: np.moveaxis(np.where(k[..., None] == np.arange(depth), 2, -1).astype("float32"), -1, axis))


@makes("masked_fill")
def masked_fill(body):
    x = body.number()
    mask = body.pick(lambda v: v.kind == Tens(x.kind.shape, "bool"))
    dtype = x.kind.dtype
    return body.add(x.kind, f'R.masked_fill({{0}}, {{1}}, R.const(7, "{dtype}"))', [x, mask], lambda env, a, m: np.where(m, np.array(7, dtype), a),
                    max(7, x.limit), x.is_exact)


@makes("reverse_sequence", weight=0.5)
def reverse_sequence(body):
    x = body.ranked(2)
    batch, length = x.kind.shape[:2]
    if type(length) is not int:
        raise Unfit
    n = body.index((batch,), length + 1, "int64")

    def compute(env, a, k):
        result = a.copy()
        for b, count in enumerate(k):
            result[b, :count] = a[b, :count][::-1]
        return result
    return body.add(x.kind, "R.reverse_sequence({0}, {1}, seq_axis=1, batch_axis=0)", [x, n], compute, x.limit, x.is_exact)


# ---- of nothing


@makes("full", "ones", "zeros", "full_like", "ones_like", "zeros_like", weight=2)
def constant(body):
    shape, dtype = body.rng.choice(body.maker.shapes), body.rng.choice(body.maker.dtypes)
    name = body.rng.choice(("full", "ones", "zeros", "full_like", "ones_like", "zeros_like"))
    number = {"ones": 1, "zeros": 0}.get(name[:5].rstrip("_"), body.rng.randint(0 if dtype[0] in "ub" else -4, 1 if dtype == "bool" else 8))
    number = {"ones": 1, "zero": 0}.get(name[:4], number)
    if name.endswith("_like"):
        like = body.pick()
        fill = f', R.const({bool(number) if dtype == "bool" else number}, "{dtype}")' if name == "full_like" else ""
        return body.add(Tens(like.kind.shape, dtype), f'R.{name}({{0}}{fill}, dtype="{dtype}")', [like], lambda env, a: np.full(a.shape, number, dtype), abs(number), exact=True)
    fill = f', R.const({bool(number) if dtype == "bool" else number}, "{dtype}")' if name == "full" else ""
    return body.add(Tens(shape, dtype), f'R.{name}({shape_text(shape)}{fill}, dtype="{dtype}")', [], lambda env: np.full(sizes(shape, env), number, dtype), abs(number))


@makes("full", weight=0.5)
def full_of(body):
    """Of a value that a run knows."""
    x = body.pick(lambda v: v.kind.shape == ())
    shape = body.rng.choice(body.maker.shapes)
    return body.add(Tens(shape, x.kind.dtype), f"R.full({shape_text(shape)}, {{0}})", [x], lambda env, a: np.full(sizes(shape, env), a, a.dtype))


@makes("eye", "eye_like", "arange", weight=0.8)
def pattern(body):
    dtype = body.rng.choice([d for d in body.maker.dtypes if d != "bool"] or ["int64"])
    kind = body.rng.random()
    if kind < 0.3:
        x = body.pick(lambda v: len(v.kind.shape) == 2)
        k = body.rng.randint(-1, 1)
        return body.add(Tens(x.kind.shape, dtype), f'R.eye_like({{0}}, {k}, dtype="{dtype}")', [x], lambda env, a: np.eye(*a.shape, k, dtype), 1, exact=True)
    dims = [dim for shape in body.maker.shapes for dim in shape] or [3]
    n, m = body.rng.choice(dims), body.rng.choice(dims)
    if kind < 0.6:
        return body.add(Tens((n, m), dtype), f'R.eye({dim_text(n)}, {dim_text(m)}, 0, dtype="{dtype}")', [], lambda env: np.eye(at(n, env), at(m, env), 0, dtype), 1)
    if dtype == "float16":
        raise Unfit
    start = body.rng.randint(0, 3)
    return body.add(Tens((n,), dtype), f'R.arange({start}, {dim_text(add(n, start))}, 1, dtype="{dtype}")', [],
                    lambda env: (np.arange(at(n, env)) + start).astype(dtype), 120)


@makes("hamming_window", weight=0.1)
def hamming(body):
    need(body)
    n = body.rng.choice((2, 3, 8, 17))
    return body.add(Tens((n,), "float32"), f'R.hamming_window({n}, False, 0.54, 0.46, dtype="float32")', [], exact=False, limit=1,
                    compute=lambda env: (0.54 - 0.46 * np.cos(2 * np.pi * np.arange(n) / (n - 1))).astype("float32"))

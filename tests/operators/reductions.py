"""Reductions, searches, running sums and orders: more elements than the dtype counts to."""
import math

from operators.tensor import FLOATS, INTEGERS, Tensor, fit, high, is_float, low, size_of, truncated, wide

LONG = [130, 260, 300, 520]
VERY_LONG = 33000  # more than int16 counts to


def shape_of(case, dtype):
    rng = case.rng
    kind = rng.random()
    if kind < 0.08:
        return case.shape()
    if kind < 0.14 and dtype in ("int16", "uint16", "int8", "uint8", "float16"):
        return (VERY_LONG,)
    long = rng.choice(LONG)
    return rng.choice([(long,), (3, long), (long, 3), (2, long, 2), (long, 1), (20, 15), (5, 9, 7)])


def values_of(case, dtype, name):
    if name in ("prod", "cumprod"):
        return (1, 1, 1, 2, 3) if dtype[0] == "u" else (1, 1, 1, -1, 2)
    if not is_float(dtype) and case.rng.random() < 0.4:
        return (low(dtype), high(dtype), 0, 1, high(dtype) // 2)
    if is_float(dtype) and case.rng.random() < 0.15 and name in ("max", "min", "argmax", "argmin"):
        return (math.nan, math.inf, -math.inf, 0.0, 1.0, -2.0)
    return None


def groups(x, axes, keepdims):
    """Shape of the result, and its elements as lists of what is reduced, in row-major order."""
    kept = [d for d in range(len(x.shape)) if d not in axes]
    lists = {}
    for index in x.indices():
        lists.setdefault(tuple(index[d] for d in kept), []).append(x[index])
    outer = Tensor("int64", [x.shape[d] for d in kept], [0] * size_of([x.shape[d] for d in kept]))
    shape = [1 if d in axes else x.shape[d] for d in range(len(x.shape))] if keepdims else outer.shape
    return shape, [lists.get(index, []) for index in outer.indices()]


def larger(a, b):
    return math.nan if a != a or b != b else max(a, b)


def smaller(a, b):
    return math.nan if a != a or b != b else min(a, b)


def total(dtype, items):
    return math.fsum(items) if is_float(dtype) else fit(dtype, sum(items))


def reduce(name, dtype, items):
    """The result, and what its error is relative to."""
    real, count = is_float(dtype), len(items)
    scale = math.fsum(abs(v) for v in items if math.isfinite(v)) if real else 0
    if name == "sum":
        return total(dtype, items), scale
    if name == "mean":
        if real:
            return (total(dtype, items) / count, scale / count) if count else (math.nan, 0)
        return truncated(total(dtype, items), count), 0
    if name == "prod":
        result = 1
        for v in items:
            result = v * result if real else fit(dtype, result * v)
        return result, 0
    if name in ("max", "min"):
        result = (-math.inf if real else low(dtype)) if name == "max" else (math.inf if real else high(dtype))
        for v in items:
            result = (larger if name == "max" else smaller)(result, v)
        return result, 0
    if not count:
        return math.nan, 0
    mean = math.fsum(items) / count
    variance = math.fsum((v - mean) ** 2 for v in items) / count
    return (variance if name == "variance" else math.sqrt(variance)), 0


def search(name, items):
    best, at = None, 0
    for i, v in enumerate(items):
        if v != v:
            return i
        if best is None or (v > best if name == "argmax" else v < best):
            best, at = v, i
    return at


def add_reduction(case, name, dtype):
    rng = case.rng
    x = case.tensor(dtype, shape_of(case, dtype), values_of(case, dtype, name))
    ndim = len(x.shape)
    is_search = name in ("argmax", "argmin")
    count = 1 if is_search else rng.randrange(1, ndim + 1) if ndim else 0
    axes = None if ndim == 0 or rng.random() < 0.3 else sorted(rng.sample(range(ndim), count))
    keepdims = rng.random() < 0.3
    text = "None" if axes is None else str(axes[0]) if is_search else str([a - ndim if rng.random() < 0.3 else a for a in axes])
    case.call = f"{name}({{0}}, axis={text}, keepdims={keepdims})"
    shape, lists = groups(x, range(ndim) if axes is None else axes, keepdims)
    if is_search:
        case.wanted = [Tensor("int64", shape, [search(name, items) for items in lists])]
        return
    found = [reduce(name, wide(dtype), items) for items in lists]
    case.wanted = [Tensor(dtype, shape, [fit(dtype, v) for v, _ in found], [s for _, s in found])]


def along(x, axis):
    """Lists of the places of each line along @axis."""
    lines = {}
    for index in x.indices():
        lines.setdefault(index[:axis] + index[axis + 1:], []).append(index)
    return list(lines.values())


def add_scan(case, name, dtype):
    rng = case.rng
    to = rng.choice([dtype, dtype, *(["float32", "float64"] if is_float(dtype) else INTEGERS)])
    x = case.tensor(dtype, shape_of(case, dtype), values_of(case, dtype, name))
    axis = rng.choice([None, *range(len(x.shape))])
    exclusive = rng.random() < 0.3
    case.call = f'{name}({{0}}, axis={axis}, dtype="{to}", exclusive={exclusive})'
    if axis is None:
        x, axis = Tensor(dtype, (len(x.items),), x.items), 0
    result = Tensor(to, x.shape, [0] * len(x.items), [0] * len(x.items))
    for line in along(x, axis):
        state, scale = (0, 0) if name == "cumsum" else (1, 0)
        for index in line:
            value = fit(wide(to), x[index])
            after = state + value if name == "cumsum" else state * value
            after = float(after) if is_float(to) else fit(to, after)
            scale += abs(value)
            result[index] = fit(to, state if exclusive else after)
            result.scale[sum(i * s for i, s in zip(index, x.strides()))] = scale if name == "cumsum" else 0
            state = after
    case.wanted = [result]


def add_order(case, name, dtype):
    rng = case.rng
    to = rng.choice(["int8", "int8", "uint8", "int16", "int32", "int64", "float32"])
    if name != "sort" and to == "float32":
        to = "int16"
    shape = rng.choice([(rng.choice([140, 270]),), (2, 140), (140, 2), (3, 4), (0,), (1,)])
    x = case.tensor(dtype, shape, (0, 1, 1, 2, 3, 100, 7))
    axis = rng.randrange(len(shape))
    down = rng.random() < 0.5
    keep = rng.choice([1, 3, 135]) if name == "topk" else None
    lines = along(x, axis)
    size = shape[axis] if keep is None else min(keep, shape[axis])
    out = shape[:axis] + (size,) + shape[axis + 1:]
    values, places = Tensor(dtype, out, [0] * size_of(out)), Tensor(to, out, [0] * size_of(out))
    for line in lines:
        order = sorted(range(len(line)), key=lambda i: -x[line[i]] if down else x[line[i]])
        for i in range(size):
            target = line[0][:axis] + (i,) + line[0][axis + 1:]
            values[target], places[target] = x[line[order[i]]], fit(to, order[i])
    if name == "topk":
        case.call = f'topk({{0}}, k={keep}, axis={axis}, ret_type="both", largest={down}, dtype="{to}")'
        case.wanted = [values, places]
    elif name == "sort":
        case.call = f"sort({{0}}, axis={axis}, descending={down})"
        case.wanted = [values]
    else:
        case.call = f'argsort({{0}}, axis={axis}, descending={down}, dtype="{to}")'
        case.wanted = [places]


NAMES = ["sum", "mean", "prod", "max", "min", "argmax", "argmin", "cumsum", "cumprod", "sort", "argsort", "topk", "variance", "std"]


def case(made, seed=0, number=None):
    """Of the first programs each has one operator, with every dtype in turn."""
    name = NAMES[seed - 1] if seed <= len(NAMES) else made.rng.choice([*NAMES, "mean"])
    dtypes = FLOATS if name in ("variance", "std") else FLOATS + INTEGERS
    dtype = dtypes[number % len(dtypes)] if seed <= len(NAMES) else made.rng.choice(dtypes)
    add = add_scan if name in ("cumsum", "cumprod") else add_order if name in ("sort", "argsort", "topk") else add_reduction
    add(made, name, dtype)
    return made


def count(seed):
    """How many calls program @seed has; None: any."""
    return len(FLOATS + INTEGERS) if seed <= len(NAMES) else None

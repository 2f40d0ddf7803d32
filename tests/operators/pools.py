"""Pools over one to three axes, with dilation, padding, ceil_mode and count_include_pad; adaptive ones; gradients."""
import itertools
import math

from operators.tensor import FLOATS, INTEGERS, Tensor, fit, is_float, low, size_of, truncated, wide

SPATIAL = "DHW"


def windows(extent, size, stride, dilation, before, behind, is_ceil):
    """How many windows there are along an axis."""
    room = extent + before + behind - dilation * (size - 1) - 1
    count = (-(-room // stride) if is_ceil else room // stride) + 1
    if is_ceil and (count - 1) * stride >= extent + before:
        count -= 1  # it would start behind the data
    return count


def positions(case, at, d):
    """Where the positions of window @at of axis @d lie."""
    return [at * case.strides[d] + k * case.dilation[d] - case.before[d] for k in range(case.size[d])]


def share(dtype, total, count):
    """total / count in @dtype; a window that lies in the padding has a count of 1."""
    count = max(count, 1)
    return total / count if is_float(dtype) else truncated(total, count)


def divisor(case, spatial, at):
    count = 1
    for d, extent in enumerate(spatial):
        places = positions(case, at[d], d)
        count *= sum(p < extent + case.behind[d] for p in places) if case.counts_padding else sum(0 <= p < extent for p in places)
    return count


def choose_windows(case, spatial):
    """Windows that fit; at most one output of each axis may lie in the padding."""
    rng = case.rng
    n = len(spatial)
    case.is_ceil, case.counts_padding = rng.random() < 0.6, rng.random() < 0.5
    case.size, case.strides, case.dilation, case.before, case.behind = [], [], [], [], []
    for extent in spatial:
        while True:
            size, dilation = rng.choice([1, 2, 2, 3, 3, 4]), rng.choice([1, 1, 1, 2, 3])
            reach = dilation * (size - 1) + 1
            before, behind = rng.choice([0, 0, rng.randrange(reach)]), rng.choice([0, 0, rng.randrange(reach)])
            if extent + before + behind >= reach and extent > 0:
                break
        case.size.append(size)
        case.strides.append(rng.choice([1, 1, 2, 3, 4]))
        case.dilation.append(dilation)
        case.before.append(before)
        case.behind.append(behind)
    symmetric = case.before == case.behind
    padding = case.before + case.behind if not symmetric or rng.random() < 0.5 else case.before
    names = [("pool_size", case.size), ("strides", case.strides), ("padding", padding), ("dilation", case.dilation),
             ("ceil_mode", case.is_ceil), ("count_include_pad", case.counts_padding)]
    case.words = ", ".join(f"{name}={value}" for name, value in names)
    return [windows(spatial[d], case.size[d], case.strides[d], case.dilation[d], case.before[d], case.behind[d], case.is_ceil) for d in range(n)]


def layouts(case, n, has_out=True):
    """Permutations from N C .. to the layout of the data and of the result, and their words."""
    plain = "NC" + SPATIAL[3 - n:]
    letters = [plain, "N" + SPATIAL[3 - n:] + "C"]
    data = case.rng.choice([plain, *letters])
    out = case.rng.choice([data, *letters]) if has_out else data
    words = f', layout="{data}"' + (f', out_layout="{out}"' if out != data else "")
    return [plain.index(c) for c in data], [plain.index(c) for c in out], words


def moved(x, order):
    """The tensor with axis order[i] as axis i."""
    shape = tuple(x.shape[a] for a in order)
    y = Tensor(x.dtype, shape, [0] * len(x.items), [0] * len(x.items) if x.scale else None)
    for index in y.indices():
        from_index = [0] * len(order)
        for i, a in enumerate(order):
            from_index[a] = index[i]
        y[index] = x[from_index]
        if x.scale:
            y.scale[sum(i * s for i, s in zip(index, y.strides()))] = x.scale[sum(i * s for i, s in zip(from_index, x.strides()))]
    return y


def inside(case, spatial, at):
    """Places of the window at @at that lie in the data, in order."""
    axes = [[p for p in positions(case, at[d], d) if 0 <= p < spatial[d]] for d in range(len(spatial))]
    return itertools.product(*axes)


def largest(dtype, items):
    best = -math.inf if is_float(dtype) else low(dtype)
    for v in items:
        best = math.nan if v != v or best != best else max(best, v)
    return best


def total_of(dtype, items):
    return math.fsum(items) if is_float(dtype) else fit(dtype, sum(items))


def new_data(case, dtype, shape, order, values=None):
    """A random tensor N C .., given to the operator with its axes in @order."""
    x = case.tensor(dtype, shape, values)
    case.inputs[-1] = moved(x, order)
    return x


def add_pool(case):
    rng = case.rng
    n = rng.choice([1, 2, 2, 3, 3])
    dtype = rng.choice(FLOATS + INTEGERS)
    spatial = [rng.choice([1, 2, 3, 4, 5, 6, 7] if n < 3 else [1, 2, 3, 4, 5]) for _ in range(n)]
    out = choose_windows(case, spatial)
    kind = rng.choice(["max", "avg", "avg"])
    order, out_order, words = layouts(case, n)
    batch, channels = rng.choice([1, 2]), rng.choice([1, 2, 3])
    values = (math.nan, math.inf, -math.inf, 1.0, -2.0) if is_float(dtype) and kind == "max" and rng.random() < 0.2 else None
    if is_float(dtype) and values is None:
        values = tuple(v / 8 for v in range(-20, 21))
    x = new_data(case, dtype, (batch, channels, *spatial), order, values)
    y = Tensor(dtype, (batch, channels, *out), [0] * (batch * channels * size_of(out)), [0] * (batch * channels * size_of(out)))
    for place, (b, c, *at) in enumerate(y.indices()):
        items = [x[(b, c, *p)] for p in inside(case, spatial, at)]
        if kind == "max":
            y.items[place] = largest(dtype, items)
            continue
        y.items[place] = fit(dtype, share(dtype, total_of(wide(dtype), items), divisor(case, spatial, at)))
        y.scale[place] = sum(map(abs, items))
    case.wanted = [moved(y, out_order)]
    case.call = f"nn.{kind}_pool{n}d({{0}}, {case.words}{words})"


def add_large_window(case):
    """More elements in a window than 8 bits count to."""
    rng = case.rng
    dtype = rng.choice(["int8", "uint8", "int16", "float16"])
    extent = rng.choice([130, 260, 300])
    x = case.tensor(dtype, (1, 2, extent))
    is_adaptive = rng.random() < 0.5
    y = []
    for c in range(2):
        items = [x[(0, c, i)] for i in range(extent)]
        y.append(fit(dtype, share(dtype, total_of(wide(dtype), items), extent)))
    case.wanted = [Tensor(dtype, (1, 2, 1), y, [10.0, 10.0])]
    case.call = "nn.adaptive_avg_pool1d({0}, output_size=[1])" if is_adaptive else f"nn.avg_pool1d({{0}}, pool_size=[{extent}])"


def add_adaptive(case):
    rng = case.rng
    n = rng.choice([1, 2, 3])
    dtype = rng.choice(FLOATS + INTEGERS)
    spatial = [rng.choice([1, 2, 3, 5, 6, 7]) for _ in range(n)]
    out = [rng.choice([1, 1, 2, 3, 4, spatial[d]]) for d in range(n)]
    order, out_order, words = layouts(case, n)
    x = new_data(case, dtype, (rng.choice([1, 2]), rng.choice([1, 3]), *spatial), order)
    y = Tensor(dtype, x.shape[:2] + tuple(out), [0] * (size_of(x.shape[:2]) * size_of(out)))
    y.scale = [0] * len(y.items)
    for place, (b, c, *at) in enumerate(y.indices()):
        axes = [range(at[d] * spatial[d] // out[d], -(-(at[d] + 1) * spatial[d] // out[d])) for d in range(n)]
        items = [x[(b, c, *p)] for p in itertools.product(*axes)]
        y.items[place] = fit(dtype, share(dtype, total_of(wide(dtype), items), len(items)))
        y.scale[place] = sum(map(abs, items))
    case.wanted = [moved(y, out_order)]
    case.call = f"nn.adaptive_avg_pool{n}d({{0}}, output_size={out}{words})"


def add_gradient(case):
    rng = case.rng
    dtype = rng.choice(FLOATS)
    spatial = [rng.choice([1, 2, 3, 4, 5, 6]) for _ in range(2)]
    out = choose_windows(case, spatial)
    kind = rng.choice(["max", "avg"])
    order, _, words = layouts(case, 2, has_out=False)
    case.may_be_symbolic = False
    shape = (rng.choice([1, 2]), rng.choice([1, 2]))
    g = new_data(case, dtype, (*shape, *out), order)
    x = new_data(case, dtype, (*shape, *spatial), order, tuple(range(-9, 9)))
    y = Tensor(dtype, x.shape, [0.0] * len(x.items), [0.0] * len(x.items))
    for b, c, *at in g.indices():
        places = list(inside(case, spatial, at))
        part = g[(b, c, *at)]
        if kind == "max":
            best = largest(dtype, [x[(b, c, *p)] for p in places])
            places = [p for p in places if x[(b, c, *p)] == best][:1]
        else:
            part /= max(divisor(case, spatial, at), 1)
        for p in places:
            y[(b, c, *p)] += part
            y.scale[sum(i * s for i, s in zip((b, c, *p), y.strides()))] += abs(part)
    y.items = [fit(dtype, v) for v in y.items]
    case.wanted = [moved(y, order)]
    case.call = f"grad.{kind}_pool2d_backward({{0}}, {{1}}, {case.words}{words})"


def case(made, seed=0, number=0):
    made.rng.choice([add_pool, add_pool, add_pool, add_adaptive, add_gradient, add_large_window])(made)
    return made


def count(seed):
    return None

"""More families for make-op-values.py: operators with windows, indices, norms, losses. Plain loops over NumPy arrays."""
import itertools

import numpy as np


def f32(*values):
    return np.array(values, dtype="float32")


def moved(x, layout, to):
    """x with its axes in the order of another layout."""
    return np.transpose(x, [layout.index(c) for c in to])


def widest(x):
    """What to add up in: whole numbers wrap, and are none of float64 beyond 2 ** 53."""
    return "int64" if x.dtype.kind in "iu" else "float64"


def conv(x, w, strides, padding, dilation, groups):
    """N C .. and O I .., as wide as can be; padding: all that is in front, then all that is behind."""
    n, wide = x.ndim - 2, widest(x)
    x = np.pad(x.astype(wide), [(0, 0), (0, 0)] + [(padding[i], padding[n + i]) for i in range(n)])
    w = w.astype(wide)
    out = [(x.shape[2 + i] - dilation[i] * (w.shape[2 + i] - 1) - 1) // strides[i] + 1 for i in range(n)]
    y = np.zeros((x.shape[0], w.shape[0], *out), wide)
    per_out, per_in = w.shape[0] // groups, w.shape[1]
    for o in range(w.shape[0]):
        g = o // per_out
        for k in itertools.product(*map(range, w.shape[2:])):
            part = x[(slice(None), slice(g * per_in, (g + 1) * per_in)) + tuple(
                slice(k[i] * dilation[i], k[i] * dilation[i] + (out[i] - 1) * strides[i] + 1, strides[i]) for i in range(n))]
            # not by tensordot: BLAS leaves out what is multiplied by zero, also where that is no number
            y[:, o] += np.einsum("nc...,c->n...", part, w[(o, slice(None)) + k])
    return y


def conv_transpose(x, w, strides, padding, dilation, groups, extra):
    """N C .. and I O ..: every element spread out, then the border cut off."""
    n, wide = x.ndim - 2, widest(x)
    x, w = x.astype(wide), w.astype(wide)
    full = [(x.shape[2 + i] - 1) * strides[i] + dilation[i] * (w.shape[2 + i] - 1) + 1 + extra[i] for i in range(n)]
    per_in, per_out = x.shape[1] // groups, w.shape[1]
    y = np.zeros((x.shape[0], per_out * groups, *full), wide)
    for c, o in itertools.product(range(x.shape[1]), range(per_out)):
        for k in itertools.product(*map(range, w.shape[2:])):
            to = tuple(slice(k[i] * dilation[i], k[i] * dilation[i] + (x.shape[2 + i] - 1) * strides[i] + 1, strides[i])
                       for i in range(n))
            y[(slice(None), c // per_in * per_out + o) + to] += x[:, c] * w[(c, o) + k]
    return y[(slice(None), slice(None)) + tuple(slice(padding[i], full[i] - padding[n + i]) for i in range(n))]


def pool(x, size, strides, padding, dilation, is_ceil, kind, counts_padding):
    n = x.ndim - 2
    def steps(i):
        room = x.shape[2 + i] + padding[i] + padding[n + i] - dilation[i] * (size[i] - 1) - 1
        count = (-(-room // strides[i]) if is_ceil else room // strides[i]) + 1
        return count - (is_ceil and (count - 1) * strides[i] >= x.shape[2 + i] + padding[i])
    def padded(at):
        return np.prod([sum(at[i] * strides[i] + k * dilation[i] - padding[i] < x.shape[2 + i] + padding[n + i] for k in range(size[i]))
                        for i in range(n)])
    y = np.zeros((*x.shape[:2], *[steps(i) for i in range(n)]))
    for at in itertools.product(*map(range, y.shape[2:])):
        seen = [x[(slice(None), slice(None)) + p] for k in itertools.product(*map(range, size))
                for p in [tuple(at[i] * strides[i] + k[i] * dilation[i] - padding[i] for i in range(n))]
                if all(0 <= p[i] < x.shape[2 + i] for i in range(n))]
        values = np.array(seen, dtype="float64")
        y[(slice(None), slice(None)) + at] = values.max(0) if kind == "max" else \
            values.sum(0) / (padded(at) if counts_padding else len(seen))
    return y


def windows(Family):
    f = Family("windows")
    r = f.rng.standard_normal
    for n, shape, weight, strides, padding, dilation, groups, layouts, types in [
            (1, (2, 4, 9), (6, 2, 3), [2], [1, 2], [2], 2, ("NCW", "OIW", "NCW"), []),
            (1, (1, 3, 7), (2, 3, 3), [1], [0, 0], [1], 1, ("NWC", "WIO", "NWC"), []),
            (2, (2, 3, 6, 5), (4, 3, 3, 2), [1, 1], [0] * 4, [1, 1], 1, ("NCHW", "OIHW", "NCHW"), ['("a", 3, "b", "c")', None]),
            (2, (1, 6, 7, 8), (6, 1, 3, 3), [2, 1], [1, 2, 1, 0], [1, 2], 6, ("NCHW", "OIHW", "NCHW"), []),
            (2, (2, 4, 5, 6), (4, 2, 2, 3), [1, 2], [1, 1, 1, 1], [1, 1], 2, ("NHWC", "HWIO", "NHWC"), ['("d", 5, "e", 4)', None]),
            (2, (1, 3, 5, 5), (2, 3, 3, 3), [1, 1], [1] * 4, [1, 1], 1, ("NCHW", "OIHW", "NHWC"), []),
            (3, (1, 2, 4, 5, 4), (3, 2, 2, 3, 2), [1, 2, 1], [1, 0, 1, 0, 1, 1], [1, 1, 2], 1, ("NCDHW", "OIDHW", "NCDHW"), [])]:
        x, w = r(shape).astype("float32"), r(weight).astype("float32")
        want = conv(x, w, strides, padding, dilation, groups).astype("float32")
        plain, kernel = "NC" + "DHW"[3 - n:], "OI" + "DHW"[3 - n:]
        data, by, out = layouts
        text = f'nn.conv{n}d({{0}}, {{1}}, strides={strides}, padding={padding}, dilation={dilation}, groups={groups}, ' \
               f'data_layout="{data}", kernel_layout="{by}", out_layout="{out}")'
        f.case(text, moved(x, plain, data), moved(w, kernel, by), want=moved(want, plain, out), shapes=types)
    half, hw = r((1, 2, 4, 4)).astype("float16"), r((2, 2, 3, 3)).astype("float16")
    f.case("nn.conv2d({0}, {1}, padding=[1, 1])", half, hw, want=conv(half, hw, [1, 1], [1] * 4, [1, 1], 1).astype("float16"))
    byte, bw = f.rng.integers(-100, 100, (1, 2, 4, 4)).astype("int8"), f.rng.integers(-100, 100, (2, 2, 3, 3)).astype("int8")
    f.case('nn.conv2d({0}, {1}, padding=[1, 1], out_dtype="int32")', byte, bw,
           want=conv(byte, bw, [1, 1], [1] * 4, [1, 1], 1).astype("int32"))
    for n, shape, weight, strides, padding, dilation, groups, extra, types in [
            (1, (2, 4, 5), (4, 3, 3), [2], [1, 0], [2], 2, [1], []),
            (2, (1, 3, 4, 3), (3, 2, 3, 2), [1, 1], [0] * 4, [1, 1], 1, [0, 0], ['("f", 3, "g", "h")', None]),
            (2, (1, 4, 4, 3), (4, 2, 3, 2), [2, 3], [1, 0, 1, 1], [1, 2], 2, [1, 2], []),
            (3, (1, 2, 2, 3, 2), (2, 2, 2, 2, 3), [2, 1, 2], [0, 1, 0, 1, 0, 1], [1, 1, 1], 1, [0, 0, 1], [])]:
        x, w = r(shape).astype("float32"), r(weight).astype("float32")
        f.case(f"nn.conv{n}d_transpose({{0}}, {{1}}, strides={strides}, padding={padding}, output_padding={extra}, "
               f"dilation={dilation}, groups={groups})", x, w, shapes=types,
               want=conv_transpose(x, w, strides, padding, dilation, groups, extra).astype("float32"))
    for n, shape, size, strides, padding, dilation, is_ceil, types in [
            (1, (2, 3, 9), [3], [2], [1, 1], [1], False, []), (1, (1, 2, 8), [2], [3], [0, 1], [2], True, []),
            (2, (2, 3, 6, 7), [2, 3], [1, 2], [0] * 4, [1, 1], False, ['("i", 3, "j", "k")']),
            (2, (1, 2, 7, 9), [3, 2], [2, 2], [1, 0, 1, 1], [1, 1], True, []),
            (2, (1, 2, 7, 8), [2, 3], [2, 1], [1, 2, 0, 1], [2, 2], False, []),
            (3, (1, 2, 4, 5, 4), [2, 2, 3], [2, 1, 1], [1, 0, 1, 0, 1, 1], [1, 1, 1], False, [])]:
        x = r(shape).astype("float32")
        text = f"{n}d({{0}}, pool_size={size}, strides={strides}, padding={padding}, dilation={dilation}, ceil_mode={is_ceil}"
        f.case(f"nn.max_pool{text})", x, shapes=types, want=pool(x, size, strides, padding, dilation, is_ceil, "max", False).astype("float32"))
        for counts in (False, True):
            f.case(f"nn.avg_pool{text}, count_include_pad={counts})", x, shapes=types,
                   want=pool(x, size, strides, padding, dilation, is_ceil, "avg", counts).astype("float32"))
    for size, strides, padding, dilation, is_ceil in [([2, 2], [2, 2], [0] * 4, [1, 1], False), ([3, 2], [1, 2], [1, 0, 1, 1], [1, 1], True),
                                                      ([2, 2], [1, 1], [0, 1, 1, 0], [2, 1], False)]:
        x = r((2, 2, 6, 5)).astype("float32")
        shape = pool(x, size, strides, padding, dilation, is_ceil, "max", False).shape
        g = r(shape).astype("float32")
        back = {key: np.zeros(x.shape) for key in ("max", False, True)}
        for n, c, *at in np.ndindex(*shape):
            seen = [p for k in itertools.product(*map(range, size))
                    for p in [tuple(at[i] * strides[i] + k[i] * dilation[i] - padding[i] for i in range(2))]
                    if all(0 <= p[i] < x.shape[2 + i] for i in range(2))]
            back["max"][(n, c) + max(seen, key=lambda p: x[(n, c) + p])] += g[(n, c, *at)]
            for p in seen:
                back[False][(n, c) + p] += g[(n, c, *at)] / len(seen)
                back[True][(n, c) + p] += g[(n, c, *at)] / np.prod(size)
        text = f"2d_backward({{0}}, {{1}}, pool_size={size}, strides={strides}, padding={padding}, dilation={dilation}, ceil_mode={is_ceil}"
        f.case(f"grad.max_pool{text})", g, x, want=back["max"].astype("float32"))
        for counts in (False, True):
            f.case(f"grad.avg_pool{text}, count_include_pad={counts})", g, x, want=back[counts].astype("float32"))
    byte = f.rng.integers(-128, 127, (1, 2, 5)).astype("int8")
    f.case("nn.max_pool1d({0}, pool_size=[2], padding=[1, 1])", byte, want=pool(byte, [2], [1], [1, 1], [1], False, "max", False).astype("int8"))
    x = r((1, 3, 5, 4)).astype("float32")
    f.case('nn.max_pool2d({0}, pool_size=[2, 2], layout="NHWC")', moved(x, "NCHW", "NHWC"),
           want=moved(pool(x, [2, 2], [1, 1], [0] * 4, [1, 1], False, "max", False).astype("float32"), "NCHW", "NHWC"))
    for n, shape, out, types in [(1, (2, 3, 7), [3], []), (2, (2, 3, 6, 8), [2, 4], []), (2, (1, 2, 5, 7), [3, 2], ['(1, 2, "l", "m")']),
                                 (3, (1, 2, 4, 3, 5), [2, 2, 2], [])]:
        x = r(shape).astype("float32")
        want = np.zeros((*shape[:2], *out))
        for at in itertools.product(*map(range, out)):
            part = tuple(slice(at[i] * shape[2 + i] // out[i], -(-(at[i] + 1) * shape[2 + i] // out[i])) for i in range(n))
            want[(slice(None), slice(None)) + at] = x.astype("float64")[(slice(None), slice(None)) + part].mean(tuple(range(2, 2 + n)))
        f.case(f"nn.adaptive_avg_pool{n}d({{0}}, output_size={out})", x, want=want.astype("float32"), shapes=types)
    f.write()


def norms(Family):
    f = Family("norms")
    r = f.rng.standard_normal

    def norm(x, axes, epsilon):
        return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)

    def along(v, axis, ndim):
        return v.astype("float64").reshape([-1 if d == axis else 1 for d in range(ndim)])

    for shape, axis, types in [((3, 4, 5), 1, []), ((3, 2, 4), 2, ['("a", 2, "b")', '("b",)', '("b",)', '("b",)', '("b",)'])]:
        x, n = r(shape).astype("float32"), shape[axis]
        g, b, m = (r(n).astype("float32") for _ in range(3))
        v = f.rng.uniform(0.5, 2, n).astype("float32")
        others = tuple(d for d in range(3) if d != axis)
        wide = x.astype("float64")
        p = [along(a, axis, 3) for a in (g, b, m, v)]
        batch = [norm(wide, others, 1e-5) * p[0] + p[1], 0.75 * m + 0.25 * wide.mean(others), 0.75 * v + 0.25 * wide.var(others)]
        f.case(f"nn.batch_norm({{0}}, {{1}}, {{2}}, {{3}}, {{4}}, axis={axis}, momentum=0.25, training=True)", x, g, b, m, v,
               want=[w.astype("float32") for w in batch], shapes=types)
        known = [(wide - p[2]) / np.sqrt(p[3] + 0.1) * p[0], m, v]
        f.case(f"nn.batch_norm({{0}}, {{1}}, {{2}}, {{3}}, {{4}}, axis={axis}, epsilon=0.1, center=False, training=False)", x, g, b, m, v,
               want=[w.astype("float32") for w in known], shapes=types)
    for dtype in ("float32", "float16"):
        x, g, b = (a.astype(dtype) for a in (r((2, 6, 3, 4)), r(6), r(6)))
        wide = x.astype("float64")
        parts = norm(wide.reshape(2, 3, 2, 3, 4), (2, 3, 4), 1e-5).reshape(x.shape) * along(g, 1, 4) + along(b, 1, 4)
        f.case("nn.group_norm({0}, {1}, {2}, num_groups=3, channel_axis=1, axes=[2, 3])", x, g, b, want=parts.astype(dtype),
               shapes=['("c", 6, "d", 4)', None, None] if dtype == "float32" else [])
        f.case("nn.instance_norm({0}, {1}, {2}, channel_axis=1, axes=[2, 3], scale=False)", x, g, b,
               want=(norm(wide, (2, 3), 1e-5) + along(b, 1, 4)).astype(dtype))
    f.write()


def indices(Family):
    f = Family("indices")
    r, integers = f.rng.standard_normal, f.rng.integers
    x = r((3, 4, 5)).astype("float32")
    for axis, shape, types in [(0, (2, 4, 5), []), (1, (3, 2, 5), ['("a", "b", 5)', '("a", "c", 5)']), (-1, (2, 3, 7), [])]:
        i = integers(-x.shape[axis], x.shape[axis], shape)
        part = x[tuple(slice(0, n) if d != axis % 3 else slice(None) for d, n in enumerate(shape))]
        f.case(f"gather_elements({{0}}, {{1}}, axis={axis})", x, i, want=np.take_along_axis(part, i, axis), shapes=types)
    for shape, batch in [((2, 3), 0), ((2, 2, 2), 0), ((4, 1), 0), ((3, 2, 2), 1), ((3, 4, 6, 1), 2)]:
        i = integers(0, 3, shape)
        want = np.empty((*shape[:-1], *x.shape[batch + shape[-1]:]), "float32")
        for at in np.ndindex(*shape[:-1]):
            want[at] = x[at[:batch] + tuple(i[at])]
        f.case(f"gather_nd({{0}}, {{1}}, batch_dims={batch})", x, i, want=want)
    combine = {"update": lambda a, b: b, "add": lambda a, b: a + b, "mul": lambda a, b: a * b, "min": min, "max": max,
               "mean": lambda a, b: (a + b) / 2}
    for reduction, function in combine.items():
        for axis, shape in [(0, (4, 3, 5)), (2, (3, 2, 6))]:
            i, u, want = integers(-x.shape[axis], x.shape[axis], shape), r(shape).astype("float32"), x.copy()
            for at in np.ndindex(*shape):
                to = at[:axis] + (i[at],) + at[axis + 1:]
                want[to] = function(want[to], u[at])
            f.case(f'scatter_elements({{0}}, {{1}}, {{2}}, axis={axis}, reduction="{reduction}")', x, i, u, want=want)
        i, u, want = integers(-3, 3, (6, 2)), r((6, 5)).astype("float32"), x.copy()
        for at in range(6):
            for c in range(5):
                want[tuple(i[at])][c] = function(want[tuple(i[at])][c], u[at, c])
        f.case(f'scatter_nd({{0}}, {{1}}, {{2}}, reduction="{reduction}")', x, i, u, want=want,
               shapes=['(3, "e", "f")', '("g", 2)', '("g", "f")'] if reduction == "add" else [])
    i = np.array([[0, 3, -1], [2, 2, 1]])
    for axis in (-1, 0, 1):
        f.case(f'one_hot({{0}}, R.prim_value(T.float32(2.5)), R.prim_value(T.float32(-1)), depth=4, axis={axis})', i,
               want=np.moveaxis(np.where(i[..., None] == np.arange(4), 2.5, -1).astype("float32"), -1, axis))
    mask = r((4, 5)) > 0
    f.case('masked_fill({0}, {1}, R.const(7, "float32"))', x[0], mask, want=np.where(mask, np.float32(7), x[0]))
    p, q = r(3).astype("float32"), r(2).astype("float32")
    f.case("meshgrid(({0}, {1}))", p, q, want=np.meshgrid(p, q, indexing="ij"))
    f.case('meshgrid(({0}, {1}), indexing="xy")', p, q, want=np.meshgrid(p, q, indexing="xy"))
    length, want = np.array([2, 4, 9]), x.copy()
    for b, n in enumerate(length):
        want[b, :n] = x[b, :n][::-1]
    f.case("reverse_sequence({0}, {1}, seq_axis=1, batch_axis=0)", x, length, want=want)
    for axis, i in [(1, integers(0, 4, 6)), (0, integers(0, 3, (2, 2))), (None, integers(0, 60, 9))]:
        taken = np.take(x, i, axis)
        g, want = r(taken.shape).astype("float32"), np.zeros(x.shape)
        if axis is None:
            np.add.at(want.reshape(-1), i, g)
        else:
            np.add.at(np.moveaxis(want, axis, 0), i, np.moveaxis(g, range(axis, axis + i.ndim), range(i.ndim)))
        f.case(f"grad.take_backward({{0}}, {{1}}, {{2}}, axis={axis})", g, x, i, want=want.astype("float32"))
    u, want = r((3, 2, 5)).astype("float32"), x.copy()
    want[:, 1:4:2] = u
    f.case("slice_scatter({0}, {1}, 1, 4, 2, axis=1)", x, u, want=want)
    f.write()


def scans(Family):
    f = Family("scans")
    r = f.rng.standard_normal
    x = r((3, 4, 5)).astype("float32")
    for name, function, unit in [("cumsum", np.cumsum, 0), ("cumprod", np.cumprod, 1)]:
        for axis, types in [(0, []), (1, ['("a", "b", "c")']), (-1, []), (None, [])]:
            want = function(x.astype("float64"), axis=axis)
            f.case(f"{name}({{0}}, axis={axis})", x, want=want.astype("float32"), shapes=types)
            moved_on = np.moveaxis(want, axis if axis is not None else 0, -1)
            first = np.concatenate([np.full((*moved_on.shape[:-1], 1), unit), moved_on[..., :-1]], -1)
            f.case(f"{name}({{0}}, axis={axis}, exclusive=True)", x, shapes=types,
                   want=np.moveaxis(first, -1, axis if axis is not None else 0).astype("float32"))
    i = f.rng.integers(-100, 100, (2, 6)).astype("int8")
    with np.errstate(all="ignore"):
        f.case("cumsum({0}, axis=1)", i, want=np.cumsum(i, 1, dtype="int8"))
    f.case('cumsum({0}, axis=1, dtype="int64")', i, want=np.cumsum(i, 1, dtype="int64"))
    half = r((2, 70)).astype("float16")
    f.case("cumsum({0}, axis=1)", half, want=np.cumsum(half.astype("float64"), 1).astype("float16"))
    empty = np.zeros((2, 0), "float32")
    f.case("cumsum({0}, axis=1)", empty, want=empty)
    edges = np.sort(r(7)).astype("float32")
    values = np.concatenate([r(9), edges[2:4]]).astype("float32")
    f.case("bucketize({0}, {1})", values, edges, want=np.searchsorted(edges, values, "left"))
    f.case("bucketize({0}, {1}, out_int32=True, right=True)", values, edges,
           want=np.searchsorted(edges, values, "right").astype("int32"))
    for shape, axes in [((1, 5), (0, 1)), ((5,), (0, 1)), ((4, 1), (0, 2)), ((), (0, 1, 2)), ((3, 4, 5), ())]:
        want = x.astype("float64").sum(axes).reshape(shape).astype("float32")
        f.case(f"collapse_sum_to({{0}}, {shape})", x, want=want)
        f.case("collapse_sum_like({0}, {1})", x, np.zeros(shape, "float32"), want=want)
    scale, zero = f.rng.uniform(0.01, 0.1, 5).astype("float32"), f.rng.integers(-20, 20, 5).astype("int8")
    q = np.clip(np.rint(x / scale) + zero.astype("float32"), -128, 127).astype("int8")
    f.case('quantize({0}, {1}, {2}, axis=-1, out_dtype="int8")', x, scale, zero, want=q)
    f.case('dequantize({0}, {1}, {2}, axis=-1, out_dtype="float32")', q, scale, zero,
           want=((q.astype("int32") - zero) * scale.astype("float64")).astype("float32"))
    f.write()


def products(Family):
    f = Family("products")
    r = f.rng.standard_normal
    x, w, b = r((2, 3, 5)).astype("float32"), r((4, 5)).astype("float32"), r(4).astype("float32")
    want = x.astype("float64") @ w.astype("float64").T
    for types in ([], ['("a", "b", "c")', '("d", "c")', '("d",)']):
        f.case("linear({0}, {1})", x, w, want=want.astype("float32"), shapes=types)
        f.case("linear({0}, {1}, {2})", x, w, b, want=(want + b).astype("float32"), shapes=types)
    h, v = x.astype("float16"), w.astype("float16")
    f.case("linear({0}, {1})", h, v, want=(h.astype("float64") @ v.astype("float64").T).astype("float16"))
    f.case("outer({0}, {1})", b, x[0, 0], want=np.outer(b, x[0, 0]))
    y, z = r((5, 4)).astype("float32"), r((3, 3)).astype("float32")
    for text, arrays, types in [("ij,jk->ik", (x[0], y), ['("e", "f")', '("f", "g")']), ("bij,jk->bki", (x, y), []), ("bij->jb", (x,), []),
                                ("ii->i", (z,), []), ("ii", (z,), []), ("ij,ij->", (z, z), []), ("ij,jk", (z, z), []),
                                ("i,j,k->ikj", (b, y[0], z[0]), []), ("ij,jk,kl->il", (x[0], y, r((4, 2)).astype("float32")), [])]:
        want = np.einsum(text, *(a.astype("float64") for a in arrays)).astype("float32")
        names = ", ".join(f"{{{i}}}" for i in range(len(arrays)))
        f.case(f'einsum(({names},), subscripts="{text}")', *arrays, want=want, shapes=types)

    def attention(q, k, v, bias, scale, seen):
        q, k, v = (a.astype("float64").transpose(0, 2, 1, 3) for a in (q, k, v))
        s = q @ k.transpose(0, 1, 3, 2) * (q.shape[-1] ** -0.5 if scale is None else scale) + bias
        if seen is not None:
            s = np.where(np.arange(k.shape[2]) <= np.arange(q.shape[2])[:, None] + seen, s, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        return (e / e.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3)

    q, k, v = r((2, 3, 2, 4)).astype("float32"), r((2, 5, 2, 4)).astype("float32"), r((2, 5, 2, 6)).astype("float32")
    bias = r((2, 1, 3, 5)).astype("float32")
    for types in ([], ['("h", "i", "j", "k")', '("h", "l", "j", "k")', '("h", "l", "j", "m")']):
        f.case("nn.attention({0}, {1}, {2})", q, k, v, want=attention(q, k, v, 0, None, None).astype("float32"), shapes=types)
        f.case('nn.attention({0}, {1}, {2}, scale=0.25, causal_mask="BottomRight")', q, k, v, shapes=types,
               want=attention(q, k, v, 0, 0.25, 2).astype("float32"))
    f.case('nn.attention({0}, {1}, {2}, causal_mask="TopLeft")', q, k, v, want=attention(q, k, v, 0, None, 0).astype("float32"))
    f.case("nn.attention_bias({0}, {1}, {2}, {3})", q, k, v, bias, want=attention(q, k, v, bias, None, None).astype("float32"))
    grouped = r((2, 3, 6, 4)).astype("float32"), r((2, 5, 2, 4)).astype("float32"), r((2, 5, 3, 6)).astype("float32")
    whole = grouped[0], grouped[1].repeat(3, axis=2), grouped[2].repeat(2, axis=2)
    f.case('nn.attention({0}, {1}, {2}, causal_mask="BottomRight")', *grouped, want=attention(*whole, 0, None, 2).astype("float32"))
    halves = [a.astype("float16") for a in (q, k, v)]
    f.case("nn.attention({0}, {1}, {2})", *halves, want=attention(*halves, 0, None, None).astype("float16"))

    def packed(q, k, v, q_begins, k_begins, scale, seen, window=None):
        """Each sequence on its own; @seen: None, "TopLeft" or "BottomRight"."""
        out = np.zeros((1, q.shape[1], q.shape[2], v.shape[3]))
        for a, b, c, d in zip(q_begins, q_begins[1:], k_begins, k_begins[1:]):
            for n in range(q.shape[2]):
                w = q[0, a:b, n].astype("float64") @ k[0, c:d, n].astype("float64").T * (q.shape[-1] ** -0.5 if scale is None else scale)
                last = np.arange(b - a)[:, None] + (d - c - (b - a) if seen == "BottomRight" else 0)
                at = np.arange(d - c)
                hidden = (at > last) | (at <= last - (window or 1 << 30)) if seen else np.zeros(w.shape, bool)
                e = np.where(hidden, 0, np.exp(w - w.max(-1, keepdims=True, initial=0)))
                total = e.sum(-1, keepdims=True)
                out[0, a:b, n] = e / np.where(total == 0, 1, total) @ v[0, c:d, n]
        return out

    q, k, v = r((1, 9, 2, 4)).astype("float32"), r((1, 11, 2, 4)).astype("float32"), r((1, 11, 2, 6)).astype("float32")
    of_q, of_k = np.int32([0, 3, 3, 7, 8]), np.int32([0, 5, 6, 9, 9])  # one without queries, one without keys, a row in none
    most = np.int32(5)
    for types in ([], ['(1, "rows", "n", "size")', '(1, "keys", "n", "size")', '(1, "keys", "n", "width")', '("ends",)', None, '("ends",)']):
        f.case("nn.attention_var_len({0}, {1}, {2}, {3}, {4}, {5}, {4})", q, k, v, of_q, most, of_k, shapes=types,
               want=packed(q, k, v, of_q, of_k, None, None).astype("float32"))
    for mask in ("TopLeft", "BottomRight"):
        f.case(f'nn.attention_var_len({{0}}, {{1}}, {{2}}, {{3}}, {{4}}, {{5}}, {{4}}, scale=0.5, causal_mask="{mask}")', q, k, v, of_q, most, of_k,
               want=packed(q, k, v, of_q, of_k, 0.5, mask).astype("float32"))
    f.case('nn.attention_var_len({0}, {1}, {2}, {3}, {4}, {5}, {4}, causal_mask="BottomRight", window_size=2)', q, k, v, of_q, most, of_k,
           want=packed(q, k, v, of_q, of_k, None, "BottomRight", 2).astype("float32"))
    grouped = r((1, 9, 4, 4)).astype("float32")
    f.case("nn.attention_var_len({0}, {1}, {2}, {3}, {4}, {5}, {4})", grouped, k, v, of_q, most, of_k,
           want=packed(grouped, k.repeat(2, axis=2), v.repeat(2, axis=2), of_q, of_k, None, None).astype("float32"))
    halves = [a.astype("float16") for a in (q, k[:, :9], v[:, :9])]
    f.case("nn.attention_var_len({0}, {1}, {2}, {3}, {4})", *halves, of_q, most, want=packed(*halves, of_q, of_q, None, None).astype("float16"))
    f.write()


def losses(Family):
    f = Family("losses")
    r = f.rng.standard_normal
    p, labels = r((4, 3)).astype("float32"), f.rng.uniform(size=(4, 3)).astype("float32")
    f.case("nn.cross_entropy_with_logits({0}, {1})", p, labels, want=np.float32(-(p.astype("float64") * labels).sum() / 4))
    f.case("nn.cross_entropy_with_logits({0}, {1})", p[0], labels[0], want=np.float32(-(p[0].astype("float64") * labels[0]).sum()))
    x, t = r((2, 4, 3, 2)).astype("float32"), f.rng.integers(0, 4, (2, 3, 2))
    t[0, 0, 0] = 1
    w = f.rng.uniform(0.5, 2, 4).astype("float32")
    for weights in (None, w):
        for ignore in (-100, 1):
            for reduction in ("none", "sum", "mean"):
                each, mass = np.zeros(t.shape), np.zeros(t.shape)
                gradient = r(t.shape if reduction == "none" else ()).astype("float32")
                back = np.zeros(x.shape)
                for at in np.ndindex(*t.shape):
                    if t[at] != ignore:
                        mass[at] = 1 if weights is None else weights[t[at]]
                        each[at] = -x[(at[0], t[at]) + at[1:]] * mass[at]
                for at in np.ndindex(*t.shape):
                    g = gradient[at] if reduction == "none" else gradient / (mass.sum() if reduction == "mean" else 1)
                    back[(at[0], t[at]) + at[1:]] -= g * mass[at]
                want = {"none": each, "sum": each.sum(), "mean": each.sum() / mass.sum()}[reduction]
                extra = [] if weights is None else [weights]
                attributes = f'reduction="{reduction}", ignore_index={ignore}'
                f.case(f"nn.nll_loss({{0}}, {{1}}, {'{2}, ' if extra else ''}{attributes})", x, t, *extra, want=np.float32(want))
                f.case(f"grad.nll_loss_backward({{0}}, {{1}}, {{2}}, {'{3}, ' if extra else ''}{attributes})", gradient, x, t, *extra,
                       want=back.astype("float32"))
    one, class_ = r(4).astype("float32"), np.array(2)
    f.case("nn.nll_loss({0}, {1})", one, class_, want=np.float32(-one[2]))
    f.write()


def borders(Family):
    f = Family("borders")
    r = f.rng.standard_normal
    x = r((3, 4)).astype("float32")
    width = [1, 2, 3, 0]
    pairs = [(1, 2), (3, 0)]
    f.case(f"nn.pad({{0}}, {width})", x, want=np.pad(x, pairs))
    f.case(f"nn.pad({{0}}, {width}, pad_value=2.5)", x, want=np.pad(x, pairs, constant_values=2.5), shapes=['("a", "b")'])
    for mode, name in [("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")]:
        for types in ([], ['("a", "b")']):
            f.case(f'nn.pad({{0}}, {width}, pad_mode="{mode}")', x, want=np.pad(x, pairs, name), shapes=types)
    i = f.rng.integers(-9, 9, (2, 3)).astype("int32")
    f.case("nn.pad({0}, [0, 1, 2, 0])", i, want=np.pad(i, [(0, 1), (2, 0)]))
    y, a = r((2, 3, 4)).astype("float32"), f.rng.uniform(0, 1, 3).astype("float32")
    f.case("nn.prelu({0}, {1})", y, a, want=np.where(y > 0, y, y * a[:, None]), shapes=['("c", "d", 4)', '("d",)'])
    b = f.rng.uniform(0, 1, 4).astype("float16")
    f.case("nn.prelu({0}, {1}, axis=-1)", y.astype("float16"), b,
           want=np.where(y > 0, y.astype("float16"), (y.astype("float16").astype("float32") * b).astype("float16")))
    z = r((2, 8, 3, 2)).astype("float32")
    want = z.reshape(2, 2, 2, 2, 3, 2).transpose(0, 1, 4, 2, 5, 3).reshape(2, 2, 6, 4)
    f.case("nn.pixel_shuffle({0}, upscale_factor=2)", z, want=want)
    f.case("nn.dropout({0}, rate=0.5)", x, want=[x, np.ones_like(x)])
    f.case('layout_transform({0}, index_map=lambda i, j: (j, i))', x, want=x.T)
    f.case('layout_transform({0}, index_map=lambda i, j: (i, j // 2, j % 2))', x, want=x.reshape(3, 2, 2))
    f.case('layout_transform({0}, index_map=lambda i, j: (j // 3, i, j % 3), pad_value=5.0)', x,
           want=np.pad(x, [(0, 0), (0, 2)], constant_values=5).reshape(3, 2, 3).transpose(1, 0, 2))
    for n, periodic in ((7, True), (6, False), (1, False)):
        steps = max(n - 1 + periodic, 1)
        f.case(f'hamming_window({n}, {periodic}, 0.54, 0.46, dtype="float32")',
               want=(0.54 - 0.46 * np.cos(2 * np.pi * np.arange(n) / steps)).astype("float32") if n > 1 else np.ones(1, "float32"))
    m = r((2, 2, 3)).astype("float32")
    for aligned, u, v in ((True, np.linspace(-1, 1, 4), np.linspace(-1, 1, 5)), (False, (2 * np.arange(4) + 1) / 4 - 1, (2 * np.arange(5) + 1) / 5 - 1)):
        places = np.stack([*np.meshgrid(v, u), np.ones((4, 5))])
        f.case(f"image.affine_grid({{0}}, (4, 5), align_corners={aligned})", m,
               want=np.einsum("ndk,kij->ndij", m.astype("float64"), places).astype("float32"))
    f.write()


def sorts(Family):
    f = Family("sorts")
    r = f.rng.standard_normal
    nan, inf = np.nan, np.inf
    for x, types in [(r((2, 7, 3)).astype("float32"), ['("a", "b", "c")']), (f.rng.integers(-3, 3, (4, 9)).astype("int8"), []),
                     (f32([1, nan, -inf, 0.0, 3, nan, 1, inf], [2, 2, 1, nan, 1, -1, -1, 0]), []),
                     (f.rng.integers(0, 2, (2, 5)).astype(bool), []), (r(1).astype("float16"), []), (np.zeros((0, 3), "float32"), []),
                     (f.rng.integers(0, 2 ** 63, (3, 4), dtype="uint64") * 2 + 1, [])]:
        for axis in sorted({0, x.ndim - 1}):
            for down in (False, True):
                # a stable order downwards is the stable one upwards of the reversed line, reversed
                line = np.flip(x, axis) if down else x
                order = np.argsort(line, axis, kind="stable")
                order = np.flip(x.shape[axis] - 1 - order, axis) if down else order
                value = np.take_along_axis(x, order, axis)
                attributes = f"axis={axis}, descending={down}"
                f.case(f"sort({{0}}, {attributes})", x, want=value, shapes=types)
                f.case(f"argsort({{0}}, {attributes})", x, want=order.astype("int32"), shapes=types)
                f.case(f'argsort({{0}}, {attributes}, dtype="int64")', x, want=order)
                first = np.arange(min(2, x.shape[axis]))
                top = [np.take(value, first, axis), np.take(order.astype("int32"), first, axis)]
                attributes = f"k=2, axis={axis}, largest={down}"
                f.case(f"topk({{0}}, {attributes})", x, want=top)
                f.case(f'topk({{0}}, {attributes}, ret_type="values")', x, want=top[0])
                f.case(f'topk({{0}}, {attributes}, ret_type="indices", dtype="int64")', x, want=top[1].astype("int64"))
        if x.size and x.ndim > 1:
            order = np.argsort(x, -1, kind="stable")
            at = order[..., (x.shape[-1] - 1) // 2][..., None]
            f.case("median({0}, axis=[-1], keepdims=True)", x, want=[np.take_along_axis(x, at, -1), at], shapes=types)
            f.case("median({0})", x, want=np.asarray(np.sort(x, None)[(x.size - 1) // 2]), shapes=types)
            f.case("median({0}, axis=[0, 1], keepdims=True)", x, shapes=types,
                   want=np.sort(x.reshape(-1, *x.shape[2:]), 0)[(x.shape[0] * x.shape[1] - 1) // 2].reshape(1, 1, *x.shape[2:]))
    for n, k in [(200, 5), (200, 33), (65, 64), (1, 1), (129, 200), (33, 32)]:
        x = f.rng.integers(-20, 20, (3, n)).astype("float32")  # many are equal
        order = np.argsort(x, -1, kind="stable")
        f.case("sort({0})", x, want=np.sort(x, -1), shapes=[])
        f.case('argsort({0}, dtype="int64")', x, want=order, shapes=['("s", "t")'] if (n, k) == (200, 5) else [])
        f.case(f'topk({{0}}, k={k}, largest=False, dtype="int64")', x, want=[np.sort(x, -1)[:, :k], order[:, :k]], shapes=[])
    f.case("median({0}, axis=[0])", np.zeros((0, 3), "float32"), want=[np.zeros(3, "float32"), np.zeros(3, "int64")])
    f.write()


def resizes(Family):
    f = Family("resizes")
    r = f.rng.standard_normal
    # in float32, as the operator does: at a tie the nearest element depends on it
    one = np.float32
    positions = {"half_pixel": lambda i, n, m: (one(i) + one(0.5)) * (one(n) / one(m)) - one(0.5),
                 "align_corners": lambda i, n, m: one(n - 1) / one(max(m - 1, 1)) * one(i),
                 "asymmetric": lambda i, n, m: one(n) / one(m) * one(i),
                 "pytorch_half_pixel": lambda i, n, m: (one(i) + one(0.5)) * (one(n) / one(m)) - one(0.5) if m > 1 else one(0),
                 "tf_half_pixel_for_nn": lambda i, n, m: (one(i) + one(0.5)) * (one(n) / one(m))}
    rounded = {"round": np.rint, "floor": lambda p: np.floor(p + one(1e-5)), "ceil": lambda p: np.ceil(p - one(1e-5)),
               "round_prefer_floor": lambda p: np.ceil(p - one(0.5)),
               "round_prefer_ceil": lambda p: np.floor(p + one(0.5))}

    def resize(x, size, mode, rounding):
        x = x.astype("float64")
        for axis, m in enumerate(size, 2):
            n = x.shape[axis]
            p = np.array([positions[mode](i, n, m) for i in range(m)], dtype="float32")
            if rounding:
                x = np.take(x, np.clip(rounded[rounding](p).astype(int), 0, n - 1), axis)
            else:
                low = np.floor(p).astype(int)
                part = (p - low).reshape([-1 if d == axis else 1 for d in range(x.ndim)])
                x = np.take(x, np.clip(low, 0, n - 1), axis) * (1 - part) + np.take(x, np.clip(low + 1, 0, n - 1), axis) * part
        return x

    x, z = r((1, 2, 5, 7)).astype("float32"), r((1, 1, 3, 4, 2)).astype("float32")
    for mode in positions:
        for size in ((9, 4), (1, 13)):
            f.case(f'image.resize2d({{0}}, {size}, method="linear", coordinate_transformation_mode="{mode}")', x,
                   want=resize(x, size, mode, None).astype("float32"), shapes=['(1, 2, "a", "b")'] if mode == "half_pixel" else [])
            for rounding in rounded:
                f.case(f'image.resize2d({{0}}, {size}, method="nearest_neighbor", coordinate_transformation_mode="{mode}", '
                       f'rounding_method="{rounding}")', x, want=resize(x, size, mode, rounding).astype("float32"))
    f.case('image.resize2d({0}, (10, 3), layout="NHWC")', x.transpose(0, 2, 3, 1),
           want=resize(x, (10, 3), "half_pixel", None).transpose(0, 2, 3, 1).astype("float32"))
    f.case('image.resize3d({0}, (4, 2, 5), method="linear")', z, want=resize(z, (4, 2, 5), "half_pixel", None).astype("float32"))
    f.write()


FAMILIES = [resizes, windows, norms, indices, scans, products, losses, borders, sorts]

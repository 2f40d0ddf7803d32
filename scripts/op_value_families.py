"""More families for make-op-values.py: operators with windows, indices, norms, losses. Plain loops over NumPy arrays."""
import itertools

import numpy as np


def f32(*values):
    return np.array(values, dtype="float32")


def moved(x, layout, to):
    """x with its axes in the order of another layout."""
    return np.transpose(x, [layout.index(c) for c in to])


def conv(x, w, strides, padding, dilation, groups):
    """N C .. and O I .. in float64; padding: all that is in front, then all that is behind."""
    n = x.ndim - 2
    x = np.pad(x.astype("float64"), [(0, 0), (0, 0)] + [(padding[i], padding[n + i]) for i in range(n)])
    w = w.astype("float64")
    out = [(x.shape[2 + i] - dilation[i] * (w.shape[2 + i] - 1) - 1) // strides[i] + 1 for i in range(n)]
    y = np.zeros((x.shape[0], w.shape[0], *out))
    per_out, per_in = w.shape[0] // groups, w.shape[1]
    for o in range(w.shape[0]):
        g = o // per_out
        for k in itertools.product(*map(range, w.shape[2:])):
            part = x[(slice(None), slice(g * per_in, (g + 1) * per_in)) + tuple(
                slice(k[i] * dilation[i], k[i] * dilation[i] + (out[i] - 1) * strides[i] + 1, strides[i]) for i in range(n))]
            y[:, o] += np.tensordot(part, w[(o, slice(None)) + k], axes=([1], [0]))
    return y


def conv_transpose(x, w, strides, padding, dilation, groups, extra):
    """N C .. and I O ..: every element spread out, then the border cut off."""
    n = x.ndim - 2
    x, w = x.astype("float64"), w.astype("float64")
    full = [(x.shape[2 + i] - 1) * strides[i] + dilation[i] * (w.shape[2 + i] - 1) + 1 + extra[i] for i in range(n)]
    per_in, per_out = x.shape[1] // groups, w.shape[1]
    y = np.zeros((x.shape[0], per_out * groups, *full))
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
        return (-(-room // strides[i]) if is_ceil else room // strides[i]) + 1
    y = np.zeros((*x.shape[:2], *[steps(i) for i in range(n)]))
    for at in itertools.product(*map(range, y.shape[2:])):
        seen = [x[(slice(None), slice(None)) + p] for k in itertools.product(*map(range, size))
                for p in [tuple(at[i] * strides[i] + k[i] * dilation[i] - padding[i] for i in range(n))]
                if all(0 <= p[i] < x.shape[2 + i] for i in range(n))]
        values = np.array(seen, dtype="float64")
        y[(slice(None), slice(None)) + at] = values.max(0) if kind == "max" else \
            values.sum(0) / (np.prod(size) if counts_padding else len(seen))
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


FAMILIES = [windows]

"""Operators with windows: convolutions, pools, resizing; losses and their gradients; quantisation."""
import itertools
import pathlib
import sys

import numpy as np

from gen.body import Tens, Unfit
from gen.kinds import EXACT, FLOATS, Tup, product
from gen.products import counted, tamed, to_rank
from gen.smooth import double, need
from gen.table import makes

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from op_value_families import conv as conv_meaning, conv_transpose, pool as pool_meaning  # noqa: E402


def windowed(body, least=2, dtypes=FLOATS + ("int32", "int64")):
    """(batch, channels, static extents): at least @least long."""
    dims = body.rng.choice([1, 1, 2, 2, 2, 3])
    if body.maker.is_special and dtypes[0] in FLOATS:  # (BLAS leaves out products with 0 that are NaN)
        dtypes = [dtype for dtype in dtypes if dtype not in FLOATS]
    x = body.number(lambda v: v.kind.dtype in dtypes and v.kind.dtype != "float16" and len(v.kind.shape) <= dims + 2 and len(v.kind.shape) >= dims and
                    all(type(dim) is int and dim >= least for dim in v.kind.shape[-dims:]) and max(body.count(v.kind.shape)) <= 400)
    x = to_rank(body, x, dims + 2)
    if type(x.kind.shape[1]) is not int or not x.kind.shape[1]:
        raise Unfit
    return x, dims


def padding(body, dims, most=1):
    return [body.rng.randint(0, most) for _ in range(2 * dims)] if body.rng.random() < 0.6 else [0] * (2 * dims)


@makes("nn.conv1d", "nn.conv2d", "nn.conv3d", weight=1.5)
def conv(body):
    x, dims = windowed(body)
    dtype, channels = x.kind.dtype, x.kind.shape[1]
    groups = body.rng.choice([1, 1, channels]) if channels <= 4 else 1
    out = groups * body.rng.choice([1, 2])
    kernel = tuple(body.rng.randint(1, 2) for _ in range(dims))
    strides, pads = [body.rng.choice([1, 1, 2]) for _ in range(dims)], padding(body, dims)
    count = product(kernel) * channels
    (x,) = tamed(body, dtype, count * 8, x)
    w = counted(body, (out, channels // groups, *kernel), dtype)
    extents = [(n + pads[i] + pads[dims + i] - kernel[i]) // strides[i] + 1 for i, n in enumerate(x.kind.shape[2:])]
    kind = Tens((x.kind.shape[0], out, *extents), dtype)
    text = f"R.nn.conv{dims}d({{0}}, {{1}}, strides={strides}, padding={pads}, groups={groups})"
    if dtype not in FLOATS and x.limit > 1 << 40 // count:
        raise Unfit
    return body.add(kind, text, [x, w], lambda env, a, b: rounded(conv_meaning(a, b, strides, pads, [1] * dims, groups), dtype), x.limit * 4 * count)


def rounded(x, dtype):
    """Worked out in float64, whole numbers in int64, where they wrap."""
    return x.astype(dtype)


@makes("nn.conv1d_transpose", "nn.conv2d_transpose", "nn.conv3d_transpose", weight=0.7)
def transposed(body):
    x, dims = windowed(body, least=1)
    dtype, channels = x.kind.dtype, x.kind.shape[1]
    kernel, strides = tuple(body.rng.randint(1, 2) for _ in range(dims)), [body.rng.choice([1, 2]) for _ in range(dims)]
    count = product(kernel) * channels
    (x,) = tamed(body, dtype, count * 8, x)
    if dtype not in FLOATS and x.limit > 1 << 30:
        raise Unfit
    w = counted(body, (channels, 2, *kernel), dtype)
    extents = [(n - 1) * strides[i] + kernel[i] for i, n in enumerate(x.kind.shape[2:])]
    return body.add(Tens((x.kind.shape[0], 2, *extents), dtype), f"R.nn.conv{dims}d_transpose({{0}}, {{1}}, strides={strides})", [x, w], limit=x.limit * 4 * count,
                    compute=lambda env, a, b: rounded(conv_transpose(a, b, strides, [0] * (2 * dims), [1] * dims, 1, [0] * dims), dtype))


@makes("nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d", "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d", weight=1.2)
def pool(body):
    x, dims = windowed(body, dtypes=FLOATS)
    dtype, size = x.kind.dtype, [body.rng.randint(1, 2) for _ in range(dims)]
    strides, pads = [body.rng.choice([1, 2]) for _ in range(dims)], padding(body, dims, 0)
    if 2 in size and min(size) == 2:
        pads = padding(body, dims)
    is_max = body.rng.random() < 0.6
    if not is_max:
        need(body)
    if not x.is_exact and body.maker.is_special or product(x.kind.shape[:1]) == 0 or body.maker.is_symbolic and 0 in body.count(x.kind.shape):
        raise Unfit
    extents = [(n + pads[i] + pads[dims + i] - size[i]) // strides[i] + 1 for i, n in enumerate(x.kind.shape[2:])]
    name = "max" if is_max else "avg"
    more = "" if is_max else ", count_include_pad=False"
    text = f"R.nn.{name}_pool{dims}d({{0}}, pool_size={size}, strides={strides}, padding={pads}{more})"
    return body.add(Tens((*x.kind.shape[:2], *extents), dtype), text, [x], exact=x.is_exact and is_max,
                    compute=lambda env, a: pool_meaning(a, size, strides, pads, [1] * dims, False, name, False).astype(dtype))


@makes("nn.adaptive_avg_pool1d", "nn.adaptive_avg_pool2d", "nn.adaptive_avg_pool3d", weight=0.4)
def adaptive(body):
    need(body)
    x, dims = windowed(body, dtypes=FLOATS)
    out = [body.rng.randint(1, min(n, 3)) for n in x.kind.shape[2:]]

    def compute(a):
        y = np.zeros((*a.shape[:2], *out))
        for at in itertools.product(*map(range, out)):
            part = tuple(slice(at[i] * a.shape[2 + i] // out[i], -(-(at[i] + 1) * a.shape[2 + i] // out[i])) for i in range(dims))
            y[(slice(None), slice(None)) + at] = a[(slice(None), slice(None)) + part].mean(tuple(range(2, 2 + dims)))
        return y
    return body.add(Tens((*x.kind.shape[:2], *out), x.kind.dtype), f"R.nn.adaptive_avg_pool{dims}d({{0}}, output_size={out})", [x], double(compute), exact=False)


@makes("grad.max_pool2d_backward", "grad.avg_pool2d_backward", weight=0.3)
def pool_backward(body):
    need(body)
    x, dims = windowed(body, dtypes=("float32",))
    if dims != 2 or body.maker.is_special or not x.is_exact:
        raise Unfit
    shape = (*x.kind.shape[:2], x.kind.shape[2] - 1, x.kind.shape[3] - 1)
    g = counted(body, shape, "float32") if all(type(d) is int for d in shape) else None
    if g is None:
        raise Unfit
    is_max = body.rng.random() < 0.5
    name = "max" if is_max else "avg"

    def compute(env, gradient, a):
        back = np.zeros(a.shape)
        for n, c, p, q in np.ndindex(*gradient.shape):
            seen = [(p + i, q + k) for i in range(2) for k in range(2)]
            if is_max:
                back[(n, c) + max(seen, key=lambda at: a[(n, c) + at])] += gradient[n, c, p, q]
            else:
                for at in seen:
                    back[(n, c) + at] += gradient[n, c, p, q] / 4
        return back.astype("float32")
    return body.add(x.kind, f"R.grad.{name}_pool2d_backward({{0}}, {{1}}, pool_size=[2, 2], strides=[1, 1])", [g, x], compute, 64, exact=False)


@makes("image.resize2d", "image.resize3d", weight=0.7)
def resize(body):
    x, dims = windowed(body, least=1, dtypes=("float32",))
    if dims == 1:
        x, dims = to_rank(body, x, 4), 2
    if any(type(n) is not int or n < 1 for n in x.kind.shape[2:]):
        raise Unfit
    size = tuple(body.rng.randint(1, 5) for _ in range(dims))
    one = np.float32

    def compute(env, a):
        for axis, m in enumerate(size, 2):
            n = a.shape[axis]
            place = np.floor(np.array([one(n) / one(m) * one(i) for i in range(m)], dtype="float32") + one(1e-5)).astype(int)
            a = np.take(a, np.clip(place, 0, n - 1), axis)
        return a
    text = f'R.image.resize{dims}d({{0}}, {size}, method="nearest_neighbor", coordinate_transformation_mode="asymmetric", rounding_method="floor")'
    return body.add(Tens((*x.kind.shape[:2], *size), "float32"), text, [x], compute)


@makes("image.affine_grid", weight=0.2)
def affine_grid(body):
    need(body)
    m = counted(body, (body.rng.randint(1, 2), 2, 3), "float32")
    places = np.stack([*np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-1, 1, 4)), np.ones((4, 5))])
    return body.add(Tens((m.kind.shape[0], 2, 4, 5), "float32"), "R.image.affine_grid({0}, (4, 5), align_corners=True)", [m], limit=12, exact=False,
                    compute=double(lambda a: np.einsum("ndk,kij->ndij", a, places)))


# ---- losses


def classes(body):
    """(predictions, targets, number of classes): shapes (n, c, ..) and (n, ..)."""
    x = body.real(lambda v: len(v.kind.shape) >= 2 and type(v.kind.shape[1]) is int and v.kind.shape[1] and v.kind.dtype != "float16")
    x = body.small(x, 1000)
    t = body.index(x.kind.shape[:1] + x.kind.shape[2:], x.kind.shape[1], "int64")
    return x, t


def losses(x, t):
    return -np.take_along_axis(x, np.expand_dims(t, 1), 1)[:, 0]


@makes("nn.nll_loss", "grad.nll_loss_backward", weight=0.5)
def nll_loss(body):
    x, t = classes(body)
    dtype = x.kind.dtype
    if body.rng.random() < 0.5:
        each = body.add(Tens(t.kind.shape, dtype), 'R.nn.nll_loss({0}, {1}, reduction="none")', [x, t], lambda env, a, k: losses(a, k), x.limit, x.is_exact)
        return each
    g = body.small(body.real(lambda v: v.kind == Tens((), dtype)), 8)

    def compute(env, gradient, a, k):
        back = np.zeros(a.shape, dtype)
        np.put_along_axis(back, np.expand_dims(k, 1), -gradient, 1)
        return back
    if body.maker.is_special:
        raise Unfit
    return body.add(x.kind, 'R.grad.nll_loss_backward({0}, {1}, {2}, reduction="sum")', [g, x, t], compute, 8, g.is_exact)


@makes("nn.cross_entropy_with_logits", weight=0.3)
def cross_entropy(body):
    need(body)
    x = body.small(body.real(lambda v: len(v.kind.shape) == 2 and 0 not in body.count(v.kind.shape)), 60)
    y = body.small(body.same(x), 60)
    return body.add(Tens((), x.kind.dtype), "R.nn.cross_entropy_with_logits({0}, {1})", [x, y], double(lambda a, b: -(a * b).sum() / a.shape[0]), 1 << 20, exact=False)


@makes("nn.dropout", weight=0.4)
def dropout(body):
    x = body.real()
    t = body.add(Tup((x.kind, x.kind)), "R.nn.dropout({0}, rate=0.5)", [x], lambda env, a: (a, np.ones_like(a)), max(x.limit, 1))
    body.field(t, 1)
    return body.field(t, 0)


@makes("quantize", "dequantize", weight=0.5)
def quantised(body):
    x = body.real(lambda v: v.is_exact and v.kind.dtype == "float32" and v.kind.shape and type(v.kind.shape[-1]) is int and v.kind.shape[-1])
    if body.maker.is_special:
        raise Unfit
    size = x.kind.shape[-1]
    zero = counted(body, (size,), "int8")
    scale = body.add(Tens((size,), "float32"), f'R.full(R.shape([{size}]), R.const(2, "float32"))', [], lambda env: np.full(size, 2, "float32"), 2)
    q = body.add(Tens(x.kind.shape, "int8"), 'R.quantize({0}, {1}, {2}, axis=-1, out_dtype="int8")', [x, scale, zero], limit=128,
                 compute=lambda env, a, s, z: np.clip(np.rint(a / s) + z.astype("float32"), -128, 127).astype("int8"))
    return body.add(x.kind, 'R.dequantize({0}, {1}, {2}, axis=-1, out_dtype="float32")', [q, scale, zero], limit=300,
                    compute=lambda env, a, s, z: ((a.astype("int32") - z) * s).astype("float32"))


@makes("grad.take_backward", weight=0.4)
def take_backward(body):
    x = body.real(lambda v: v.kind.shape and v.kind.dtype != "float16")
    axis = body.static_axis(x.kind.shape, lambda n: n > 0)
    i = body.index((x.kind.shape[axis],), x.kind.shape[axis], "int64")
    count = max(body.count((x.kind.shape[axis],)))
    g = body.same(x)
    if g.is_exact:
        g = body.small(g, EXACT[g.kind.dtype] // (4 * count))

    def compute(env, gradient, a, k):
        back = np.zeros(a.shape, a.dtype)
        np.add.at(np.moveaxis(back, axis, 0), k, np.moveaxis(gradient, axis, 0))
        return back
    return body.add(x.kind, f"R.grad.take_backward({{0}}, {{1}}, {{2}}, axis={axis})", [g, x, i], compute, g.limit * count, g.is_exact)

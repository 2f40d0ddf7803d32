"""Products of matrices, attention, and what is made of shapes."""
import math

import numpy as np

from gen.body import Tens, Unfit, broadcast
from gen.graph import Statement, Value
from gen.kinds import EXACT, FLOATS, product, shape_text, sizes
from gen.smooth import double, need
from gen.table import makes


def to_rank(body, x, rank):
    """The value with axes of extent 1 in front, so that it has this many."""
    missing = rank - len(x.kind.shape)
    if missing < 0:
        raise Unfit
    if not missing:
        return x
    axes = list(range(missing))
    return body.add(Tens((1,) * missing + x.kind.shape, x.kind.dtype), f"R.expand_dims({{0}}, axis={axes})", [x], lambda env, a: np.expand_dims(a, tuple(axes)), tag="view")


def counted(body, shape, dtype):
    """-2 to 2 again and again, as weights."""
    size, low = product(shape), 0 if dtype[0] == "u" else -2
    line = body.add(Tens((size,), "int64"), f"R.arange(0, {size}, 1)", [], lambda env: np.arange(size), 1500)
    line = body.add(line.kind, 'R.floor_mod({0}, R.const(5, "int64"))', [line], lambda env, a: a % 5, 5)
    line = body.add(line.kind, f'R.add({{0}}, R.const({low}, "int64"))', [line], lambda env, a: a + low, 5)
    if dtype != "int64":
        line = body.add(Tens((size,), dtype), f'R.astype({{0}}, dtype="{dtype}")', [line], lambda env, a: a.astype(dtype))
    return body.add(Tens(shape, dtype), f"R.reshape({{0}}, {shape_text(shape)})", [line], lambda env, a: a.reshape(shape), tag="view")


def tamed(body, dtype, count, *values):
    """Small enough that sums of @count products are exact."""
    if dtype not in FLOATS:
        return values
    return [body.small(v, max(math.isqrt(EXACT[dtype] // max(4 * count, 1)), 1)) for v in values]


def times(a, b):
    if a.dtype.kind == "f" and not (np.isfinite(a).all() and np.isfinite(b).all()):
        return summed(a, b)
    if a.dtype == np.float16:
        return np.matmul(a.astype(np.float32), b.astype(np.float32)).astype(np.float16)
    return np.matmul(a, b)


def summed(a, b):
    """As np.matmul, which may leave out a product with 0 that is NaN."""
    left, right = a[None, :] if a.ndim == 1 else a, b[:, None] if b.ndim == 1 else b
    wide = np.float32 if a.dtype == np.float16 else a.dtype
    result = (left.astype(wide)[..., :, :, None] * right.astype(wide)[..., None, :, :]).sum(-2).astype(a.dtype)
    result = result[..., 0, :] if a.ndim == 1 else result
    return result[..., 0] if b.ndim == 1 else result


@makes("matmul", weight=3)
def matmul(body):
    x = body.number(lambda v: v.kind.shape and len(v.kind.shape) <= 3)
    shape = x.kind.shape

    def fits(v):
        other = v.kind.shape
        return v.kind.dtype == x.kind.dtype and other and (other[-2] if len(other) > 1 else other[0]) == shape[-1] and len(other) <= 3 and \
            broadcast(shape[:-2], other[:-2]) is not None
    try:
        y = body.number(fits)
    except Unfit:
        order = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2] if len(shape) > 1 else [0]
        y = body.add(Tens(tuple(shape[i] for i in order), x.kind.dtype), f"R.permute_dims({{0}}, axes={order})", [x], lambda env, a: np.ascontiguousarray(a.transpose(order)))
    other = y.kind.shape
    count = max(body.count((shape[-1],)))
    x, y = tamed(body, x.kind.dtype, count, x, y)
    result = broadcast(shape[:-2], other[:-2]) + shape[-2:-1] + (other[-1:] if len(other) > 1 else ())
    return body.add(Tens(result, x.kind.dtype), "R.matmul({0}, {1})", [x, y], lambda env, a, b: np.asarray(times(a, b)), x.limit * y.limit * max(count, 1))


@makes("linear", weight=0.7)
def linear(body):
    x = body.number(lambda v: v.kind.shape)
    w = body.number(lambda v: len(v.kind.shape) == 2 and v.kind.dtype == x.kind.dtype and v.kind.shape[1] == x.kind.shape[-1])
    count = max(body.count((x.kind.shape[-1],)))
    x, w = tamed(body, x.kind.dtype, count, x, w)
    kind = Tens(x.kind.shape[:-1] + (w.kind.shape[0],), x.kind.dtype)
    limit = x.limit * w.limit * max(count, 1)
    try:
        b = body.small(body.number(lambda v: v.kind == Tens((w.kind.shape[0],), x.kind.dtype)), 64)
    except Unfit:
        return body.add(kind, "R.linear({0}, {1})", [x, w], lambda env, a, v: times(a, v.T), limit)
    if kind.dtype == "float16":
        raise Unfit
    return body.add(kind, "R.linear({0}, {1}, {2})", [x, w, b], lambda env, a, v, c: times(a, v.T) + c, limit + 64)


@makes("outer", weight=0.5)
def outer(body):
    x = body.number(lambda v: len(v.kind.shape) == 1)
    y = body.number(lambda v: len(v.kind.shape) == 1 and v.kind.dtype == x.kind.dtype)
    x, y = tamed(body, x.kind.dtype, 1, x, y)
    return body.add(Tens(x.kind.shape + y.kind.shape, x.kind.dtype), "R.outer({0}, {1})", [x, y], lambda env, a, b: np.outer(a, b).astype(a.dtype), x.limit * y.limit)


@makes("einsum", weight=0.7)
def einsum(body):
    x = body.number(lambda v: len(v.kind.shape) == 2 and v.kind.dtype != "float16")
    count = max(body.count(x.kind.shape))
    (x,) = tamed(body, x.kind.dtype, count, x)
    i, j = x.kind.shape
    texts = {"ij->ji": (j, i), "ij,ij->": (), "ij,ij->i": (i,), "ij,kj->ik": (i, i), "ij,ij->ji": (j, i), "ij,ik->jk": (j, j)}
    if i == j:
        texts |= {"ii->i": (i,), "ii": (), "ij,jk->ik": (i, j)}
    subscripts = body.rng.choice(list(texts))
    args = [x] + ([body.number(lambda v: v.kind == x.kind)] if "," in subscripts else [])
    args = [x, *tamed(body, x.kind.dtype, count, *args[1:])]
    names = ", ".join(f"{{{k}}}" for k in range(len(args)))
    limit = math.prod(a.limit for a in args) * max(count, 1)
    return body.add(Tens(texts[subscripts], x.kind.dtype), f'R.einsum(({names},), subscripts="{subscripts}")', args,
                    lambda env, *arrays: np.asarray(np.einsum(subscripts, *arrays)).copy(), limit)


@makes("nn.attention", "nn.attention_bias", weight=0.7)
def attention(body):
    need(body)
    x = body.real(lambda v: 2 <= len(v.kind.shape) <= 4 and v.kind.dtype == "float32" and 0 not in body.count(v.kind.shape))
    parts = [to_rank(body, body.small(body.same(x), 4), 4) for _ in range(3)]
    b, s, h, d = parts[0].kind.shape
    mask = body.rng.choice([None, None, "TopLeft", "BottomRight"])

    def compute(q, k, v, bias=0.0):
        q, k, v = (a.transpose(0, 2, 1, 3) for a in (q, k, v))
        score = q @ k.transpose(0, 1, 3, 2) * 0.5 + bias
        if mask:
            score = np.where(np.arange(k.shape[2]) <= np.arange(q.shape[2])[:, None], score, -np.inf)
        e = np.exp(score - score.max(-1, keepdims=True))
        return (e / e.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3)
    shown = "scale=0.5" + (f', causal_mask="{mask}"' if mask else "")
    kind = parts[0].kind
    if body.rng.random() < 0.6:
        return body.add(kind, f"R.nn.attention({{0}}, {{1}}, {{2}}, {shown})", parts, double(compute), 8, exact=False)
    bias = body.small(body.real(lambda v: v.kind.dtype == "float32" and len(v.kind.shape) <= 4), 4)
    bias = body.add(Tens((), "float32"), "R.max({0})", [bias], lambda env, a: np.max(a, initial=-np.inf)) if 0 not in body.count(bias.kind.shape) else None
    if bias is None:
        raise Unfit
    bias = body.add(Tens((b, h, s, s), "float32"), f"R.broadcast_to({{0}}, {shape_text((b, h, s, s))})", [bias], lambda env, a: np.broadcast_to(a, sizes((b, h, s, s), env)).copy())
    return body.add(kind, f"R.nn.attention_bias({{0}}, {{1}}, {{2}}, {{3}}, {shown})", [*parts, bias], double(compute), 8, exact=False)


# ---- shapes


@makes("shape_of", "size", "shape_to_tensor", "tensor_to_shape", weight=0.8)
def shapes(body):
    x = body.pick()
    if body.rng.random() < 0.3:
        return body.add(Tens((), "int64"), "R.size({0})", [x], lambda env, a: np.array(a.size, "int64"), 1500, exact=True)

    def shape_value(text, given, compute):
        hidden = Value(body.name(), None, 0)
        body.statements.append(Statement(hidden, text, [given], compute, "op"))
        return hidden
    hidden = shape_value("R.shape_of({0})", x, lambda env, a: np.array(a.shape, "int64"))
    rank = len(x.kind.shape)
    vector = body.add(Tens((rank,), "int64"), "R.shape_to_tensor({0})", [hidden], lambda env, a: a, 1500, exact=True)
    if body.rng.random() < 0.5 and rank:
        hidden = shape_value("R.tensor_to_shape({0})", vector, lambda env, a: a)
        vector = body.add(Tens((rank,), "int64"), "R.shape_to_tensor({0})", [hidden], lambda env, a: a, 1500, exact=True)
    return vector


@makes("grad.no_grad", "grad.start_checkpoint", "grad.end_checkpoint", weight=0.5)
def marks(body):
    x = body.pick()
    return body.add(x.kind, f"R.grad.{body.rng.choice(['no_grad', 'start_checkpoint', 'end_checkpoint'])}({{0}})", [x], lambda env, a: a, tag="name")

"""What operators of ONNX mean, in NumPy: as many as small_models.py uses.  Floats are computed as float64."""
import math

import numpy
from numpy.lib.stride_tricks import sliding_window_view

ERF = numpy.vectorize(math.erf, otypes=["float64"])


def real(array):
    return numpy.asarray(array).astype("float64") if numpy.asarray(array).dtype.kind == "f" else numpy.asarray(array)


def softmax(x, axis=-1):
    e = numpy.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def normalize(x, scale, bias, axis=-1, epsilon=1e-5):
    centred = x - x.mean(axis=axis, keepdims=True)
    return centred / numpy.sqrt((centred ** 2).mean(axis=axis, keepdims=True) + epsilon) * scale + bias


def windows(x, kernel, strides, pads, fill):
    """(batch, channels, places.., window..)"""
    rank = len(kernel)
    x = numpy.pad(x, [(0, 0), (0, 0), *zip(pads[:rank], pads[rank:])], constant_values=fill)
    seen = sliding_window_view(x, kernel, axis=tuple(range(2, 2 + rank)))
    return seen[(slice(None), slice(None), *(slice(None, None, step) for step in strides))]


def convolve(x, w, b=None, strides=None, pads=None, group=1):
    rank = w.ndim - 2
    seen = windows(x, w.shape[2:], strides or [1] * rank, pads or [0] * 2 * rank, 0)
    places = seen.shape[2:2 + rank]
    parts = []
    for part, weight in zip(numpy.split(seen, group, axis=1), numpy.split(w, group)):
        columns = numpy.moveaxis(part, 1, 1 + rank).reshape(x.shape[0], math.prod(places), -1)
        parts.append((columns @ weight.reshape(weight.shape[0], -1).T).transpose(0, 2, 1).reshape(x.shape[0], -1, *places))
    out = numpy.concatenate(parts, axis=1)
    return out if b is None else out + b.reshape(-1, *[1] * rank)


def pool(x, largest, kernel_shape, strides, pads=None):
    rank = len(kernel_shape)
    seen = windows(x, tuple(kernel_shape), strides, pads or [0] * 2 * rank, -numpy.inf if largest else 0)
    axes = tuple(range(-rank, 0))
    return seen.max(axis=axes) if largest else seen.mean(axis=axes)


def lstm(x, w, r, b, hidden_size, direction="forward"):
    """y, the last h and c; gates in the order i, o, f, c."""
    steps, batch, _ = x.shape
    ys, hs, cs = [], [], []
    for way in range(w.shape[0]):
        h = c = numpy.zeros((batch, hidden_size))
        out = [None] * steps
        is_back = direction == "reverse" or way == 1
        for t in reversed(range(steps)) if is_back else range(steps):
            gates = x[t] @ w[way].T + h @ r[way].T + b[way][:4 * hidden_size] + b[way][4 * hidden_size:]
            i, o, f, g = numpy.split(gates, 4, axis=1)
            c = sigmoid(f) * c + sigmoid(i) * numpy.tanh(g)
            h = sigmoid(o) * numpy.tanh(c)
            out[t] = h
        ys.append(numpy.stack(out))
        hs.append(h)
        cs.append(c)
    return numpy.stack(ys, axis=1), numpy.stack(hs), numpy.stack(cs)


def along(array, x, axis):
    return array.reshape(-1, *[1] * (x.ndim - axis - 1)) if array.ndim == 1 else array


def quantize(x, scale, zero, axis=1):
    limits = numpy.iinfo(zero.dtype)
    return numpy.clip(numpy.rint(x / along(scale, x, axis)) + along(zero, x, axis), limits.min, limits.max).astype(zero.dtype)


def dequantize(x, scale, zero, axis=1):
    return (x.astype("float64") - along(zero, x, axis)) * along(scale, x, axis)


def gemm(a, b, c=0, transB=0):  # noqa: N803: its name
    return a @ (b.T if transB else b) + c


def reshape(x, shape):
    return x.reshape([x.shape[i] if d == 0 else int(d) for i, d in enumerate(shape)])


MEANING = {
    "Add": numpy.add, "Sub": numpy.subtract, "Mul": numpy.multiply, "Div": numpy.divide, "MatMul": numpy.matmul,
    "Relu": lambda x: numpy.maximum(x, 0), "Sigmoid": sigmoid, "Tanh": numpy.tanh, "Erf": ERF,
    "HardSigmoid": lambda x, alpha=0.2, beta=0.5: numpy.clip(alpha * x + beta, 0, 1), "HardSwish": lambda x: x * numpy.clip(x / 6 + 0.5, 0, 1),
    "Softmax": softmax, "LayerNormalization": normalize, "Conv": convolve, "LSTM": lstm, "Gemm": gemm,
    "MaxPool": lambda x, **more: pool(x, True, **more), "AveragePool": lambda x, **more: pool(x, False, **more),
    "GlobalAveragePool": lambda x: x.mean(axis=tuple(range(2, x.ndim)), keepdims=True),
    "Concat": lambda *parts, axis: numpy.concatenate(parts, axis=axis),
    "Split": lambda x, sizes, axis: numpy.split(x, numpy.cumsum(sizes)[:-1], axis=axis),
    "Reshape": reshape, "Transpose": lambda x, perm: x.transpose(perm), "Gather": lambda x, i, axis=0: numpy.take(x, i, axis=axis),
    "QuantizeLinear": quantize, "DequantizeLinear": dequantize, "Where": numpy.where,
}


def evaluate(nodes, values, results):
    """@nodes are (operator, inputs, outputs, attributes); the named @results."""
    values = {name: real(array) for name, array in values.items()}
    for kind, inputs, outputs, attributes in nodes:
        made = MEANING[kind](*[values[name] for name in inputs], **attributes)
        values.update(zip(outputs, made if isinstance(made, (tuple, list)) else [made]))
    return [values[name] for name in results]

"""Small models of the kinds that people run, written as ONNX by onnx_writer.py, with their inputs and their meaning in NumPy.

They are as small as their loops are still shared among threads.  Weights and inputs come from a seed.
"""
import zlib

import numpy

from onnx_numpy import evaluate
from onnx_writer import BOOL, FLOAT, INT64, graph, model, node, tensor, value

KINDS = {"float32": FLOAT, "int64": INT64, "bool": BOOL, "int8": 3, "uint8": 2, "int32": 6}


class Model:
    """@donated: patterns of inputs that a run may overwrite; @bound: DIM=INT; @tolerance: of the largest number of a result."""

    def __init__(self, name, donated="", bound="", tolerance=1e-4):
        self.name, self.donated, self.bound, self.tolerance = name, donated, bound, tolerance
        self.random = numpy.random.default_rng(zlib.crc32(name.encode()))
        self.nodes, self.weights, self.inputs, self.outputs, self.kinds, self.makers, self.count = [], {}, [], [], [], {}, 0

    # ---- writing ----

    def input(self, name, dims, dtype="float32", below=None):
        """@dims may have names; integers are less than @below."""
        self.inputs.append(name)
        self.kinds.append(value(name, KINDS[dtype], dims))
        self.makers[name] = (dims, dtype, below)
        return name

    def name_of(self, array):
        name = f"w{len(self.weights)}"
        self.weights[name] = array
        return name

    def weight(self, *shape, scale=None):
        depth = shape[-2] if len(shape) == 2 else numpy.prod(shape[1:])
        return self.name_of((self.random.standard_normal(shape) * (scale or depth ** -0.5)).astype("float32"))

    def whole(self, *numbers):
        return self.name_of(numpy.array(numbers, "int64"))

    def number(self, number, dtype="float32"):
        return self.name_of(numpy.array(number, dtype))

    def op(self, kind, *inputs, results=1, **attributes):
        names = [f"v{self.count + i}" for i in range(results)]
        self.count += results
        self.nodes.append((kind, inputs, names, attributes))
        return names[0] if results == 1 else names

    def output(self, *names):
        self.outputs += names

    def content(self):
        weights = [tensor(name, KINDS[str(array.dtype)], list(array.shape), array.tobytes()) for name, array in self.weights.items()]
        nodes = [node(kind, inputs, outputs, **attributes) for kind, inputs, outputs, attributes in self.nodes]
        return model(graph(nodes, self.kinds, [value(name) for name in self.outputs], weights))

    # ---- running ----

    def feed(self, seed, sizes):
        """Inputs by name; @sizes has the dims that have names."""
        random, made = numpy.random.default_rng(seed), {}
        for name, (dims, dtype, below) in self.makers.items():
            shape = [sizes.get(dim, dim) for dim in dims]
            made[name] = random.standard_normal(shape).astype(dtype) if dtype == "float32" else random.integers(0, below, shape).astype(dtype)
        return made

    def wanted(self, feed):
        return evaluate(self.nodes, {**self.weights, **feed}, self.outputs)

    # ---- parts that models have in common ----

    def linear(self, x, depth, width):
        return self.op("Add", self.op("MatMul", x, self.weight(depth, width)), self.weight(width, scale=0.1))

    def norm(self, x, width):
        return self.op("LayerNormalization", x, self.weight(width, scale=1), self.weight(width, scale=0.1), axis=-1, epsilon=1e-5)

    def gelu(self, x):
        inner = self.op("Add", self.op("Erf", self.op("Mul", x, self.number(0.5 ** 0.5))), self.number(1))
        return self.op("Mul", self.op("Mul", x, inner), self.number(0.5))

    def heads(self, x, rows, heads, depth):
        """(1, rows, heads * depth) -> (1, heads, rows, depth)"""
        return self.op("Transpose", self.op("Reshape", x, self.whole(1, rows, heads, depth)), perm=[0, 2, 1, 3])

    def attend(self, q, k, v, rows, heads, depth, mask=None):
        scores = self.op("MatMul", q, self.op("Transpose", k, perm=[0, 1, 3, 2]))
        scores = self.op("Mul", scores, self.number(depth ** -0.5))
        shares = self.op("Softmax", self.op("Add", scores, mask) if mask else scores, axis=-1)
        mixed = self.op("Transpose", self.op("MatMul", shares, v), perm=[0, 2, 1, 3])
        return self.op("Reshape", mixed, self.whole(1, rows, heads * depth))

    def conv(self, x, channels, filters, size=3, step=1, group=1, rank=2):
        weight = self.weight(filters, channels // group, *[size] * rank)
        return self.op("Conv", x, weight, self.weight(filters, scale=0.1), strides=[step] * rank, pads=[size // 2] * 2 * rank, group=group)


MODELS = {}


def small_model(*sizes, **more):
    """@sizes: what dims with names are in one call after the other."""
    def add(make):
        def made():
            m = Model(make.__name__, **more)
            make(m)
            return m
        MODELS[make.__name__] = (made, sizes or ({}, {}))
        return make
    return add


def decoder(m, rows, heads, depth, past, layers=2, words=384):
    """Layers of attention on what was there before, whose keys and values are results."""
    width = heads * depth
    x = m.op("Gather", m.weight(words, width, scale=1), m.input("tokens", [1, rows], "int64", words), axis=0)
    made = []
    for i in range(layers):
        parts = m.op("Split", m.linear(m.norm(x, width), width, 3 * width), m.whole(width, width, width), results=3, axis=2)
        q, k, v = (m.heads(part, rows, heads, depth) for part in parts)
        k = m.op("Concat", m.input(f"past_k{i}", [1, heads, past, depth]), k, axis=2)
        v = m.op("Concat", m.input(f"past_v{i}", [1, heads, past, depth]), v, axis=2)
        x = m.op("Add", x, m.linear(m.attend(q, k, v, rows, heads, depth), width, width))
        x = m.op("Add", x, m.linear(m.gelu(m.linear(m.norm(x, width), width, 4 * width)), 4 * width, width))
        made += [k, v]
    m.output(m.op("MatMul", m.norm(x, width), m.weight(width, words)), *made)


@small_model({"past": 1}, {"past": 24}, {"past": 5})
def prefill(m):
    decoder(m, 32, 6, 32, "past")


@small_model({"past": 200}, {"past": 201}, {"past": 3})
def decode(m):
    decoder(m, 1, 6, 32, "past")


@small_model({"past": 200}, {"past": 201}, {"past": 3}, donated="past_*", bound="past=256")
def decode_donated(m):
    decoder(m, 1, 6, 32, "past")


@small_model()
def bert(m):
    rows, heads, depth = 48, 4, 32
    width = heads * depth
    x = m.op("Gather", m.weight(500, width, scale=1), m.input("tokens", [1, rows], "int64", 500), axis=0)
    x = m.norm(m.op("Add", x, m.weight(rows, width)), width)
    mask = m.op("Where", m.input("seen", [1, 1, 1, rows], "bool", 2), m.number(0), m.number(-1e4))
    for _ in range(2):
        q, k, v = (m.heads(m.linear(x, width, width), rows, heads, depth) for _ in range(3))
        x = m.norm(m.op("Add", x, m.linear(m.attend(q, k, v, rows, heads, depth, mask), width, width)), width)
        x = m.norm(m.op("Add", x, m.linear(m.gelu(m.linear(x, width, 2 * width)), 2 * width, width)), width)
    m.output(m.op("Tanh", m.linear(m.op("Gather", x, m.number(0, "int64"), axis=1), width, width)), x)


@small_model()
def vit(m):
    heads, depth, side = 3, 32, 10
    width, rows = heads * depth, side * side + 1
    x = m.op("Conv", m.input("image", [1, 3, 80, 80]), m.weight(width, 3, 8, 8), m.weight(width, scale=0.1), strides=[8, 8])
    x = m.op("Transpose", m.op("Reshape", x, m.whole(1, width, side * side)), perm=[0, 2, 1])
    x = m.op("Add", m.op("Concat", m.weight(1, 1, width), x, axis=1), m.weight(1, rows, width))
    for _ in range(2):
        q, k, v = (m.heads(m.linear(m.norm(x, width), width, width), rows, heads, depth) for _ in range(3))
        x = m.op("Add", x, m.linear(m.attend(q, k, v, rows, heads, depth), width, width))
        x = m.op("Add", x, m.linear(m.gelu(m.linear(m.norm(x, width), width, 4 * width)), 4 * width, width))
    m.output(m.linear(m.op("Gather", m.norm(x, width), m.number(0, "int64"), axis=1), width, 10))


@small_model()
def whisper(m):
    heads, depth, rows = 2, 32, 150
    width = heads * depth
    x = m.gelu(m.conv(m.input("sound", [1, 20, 2 * rows]), 20, width, rank=1))
    x = m.op("Transpose", m.gelu(m.conv(x, width, width, step=2, rank=1)), perm=[0, 2, 1])
    x = m.op("Add", x, m.weight(rows, width))
    for _ in range(2):
        q, k, v = (m.heads(m.linear(m.norm(x, width), width, width), rows, heads, depth) for _ in range(3))
        x = m.op("Add", x, m.linear(m.attend(q, k, v, rows, heads, depth), width, width))
        x = m.op("Add", x, m.linear(m.gelu(m.linear(m.norm(x, width), width, 4 * width)), 4 * width, width))
    m.output(m.norm(x, width))


@small_model({"steps": 24}, {"steps": 31}, {"steps": 2})
def lstm_tagger(m):
    width, hidden = 48, 64
    x = m.op("Gather", m.weight(300, width, scale=1), m.input("tokens", ["steps", 2], "int64", 300), axis=0)
    y, last, cell = m.op("LSTM", x, m.weight(2, 4 * hidden, width), m.weight(2, 4 * hidden, hidden), m.weight(2, 8 * hidden), results=3,
                         hidden_size=hidden, direction="bidirectional")
    rows = m.op("Reshape", m.op("Transpose", y, perm=[0, 2, 1, 3]), m.whole(0, 2, 2 * hidden))
    m.output(m.op("Softmax", m.linear(rows, 2 * hidden, 17), axis=-1), last, cell)


@small_model({"batch": 2}, {"batch": 1}, {"batch": 3})
def resnet(m):
    x = m.op("Relu", m.conv(m.input("image", ["batch", 3, 40, 40]), 3, 32, 5, 2))
    x = m.op("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    for channels, filters, step in ((32, 32, 1), (32, 64, 2)):
        way = m.conv(m.op("Relu", m.conv(x, channels, filters, 3, step)), filters, filters)
        x = m.op("Relu", m.op("Add", way, x if channels == filters else m.conv(x, channels, filters, 1, step)))
    m.output(m.op("Gemm", m.op("Reshape", m.op("GlobalAveragePool", x), m.whole(0, 64)), m.weight(10, 64), m.weight(10, scale=1), transB=1))


@small_model()
def mobilenet(m):
    x = m.op("HardSwish", m.conv(m.input("image", [1, 3, 48, 48]), 3, 16, 3, 2))
    for step, channels, filters in ((1, 16, 16), (2, 16, 24)):
        y = m.op("HardSwish", m.conv(x, channels, 64, 1))
        y = m.op("HardSwish", m.conv(y, 64, 64, 5, step, group=64))
        gate = m.op("Relu", m.conv(m.op("GlobalAveragePool", y), 64, 16, 1))
        y = m.op("Mul", y, m.op("HardSigmoid", m.conv(gate, 16, 64, 1), alpha=1 / 6, beta=0.5))
        y = m.conv(y, 64, filters, 1)
        x = m.op("Add", x, y) if channels == filters else y
    m.output(m.linear(m.op("Reshape", m.op("GlobalAveragePool", x), m.whole(1, 24)), 24, 10), x)


@small_model()
def densenet(m):
    x, channels = m.op("Relu", m.conv(m.input("image", [1, 3, 32, 32]), 3, 24)), 24
    for _ in range(4):
        y = m.op("Relu", m.op("Add", m.op("Mul", x, m.weight(1, channels, 1, 1)), m.weight(1, channels, 1, 1)))
        x = m.op("Concat", x, m.conv(m.op("Relu", m.conv(y, channels, 32, 1)), 32, 12), axis=1)
        channels += 12
    x = m.op("AveragePool", m.conv(x, channels, 36, 1), kernel_shape=[2, 2], strides=[2, 2])
    squeezed = m.op("Relu", m.conv(x, 36, 16, 1))
    x = m.op("Concat", m.op("Relu", m.conv(squeezed, 16, 32, 1)), m.op("Relu", m.conv(squeezed, 16, 32)), axis=1)
    m.output(m.op("GlobalAveragePool", x), x)


@small_model(tolerance=0)
def quantized(m):
    """Scales are powers of two and sums are exact, so nothing depends on their order."""
    zero, bytes_zero = m.number(0, "int8"), m.number(128, "uint8")

    def rounded(x, exponent):
        scale = m.number(2.0 ** exponent)
        return m.op("DequantizeLinear", m.op("QuantizeLinear", x, scale, bytes_zero), scale, bytes_zero)

    def weight(*shape):
        return m.op("DequantizeLinear", m.name_of(m.random.integers(-127, 128, shape).astype("int8")), m.number(2.0 ** -9), zero)

    x = rounded(m.input("image", [1, 3, 48, 48]), -5)
    x = rounded(m.op("Relu", m.op("Conv", x, weight(32, 3, 3, 3), strides=[2, 2], pads=[1, 1, 1, 1])), -5)
    y = rounded(m.op("Relu", m.op("Conv", x, weight(32, 1, 3, 3), strides=[1, 1], pads=[1, 1, 1, 1], group=32)), -5)
    x = rounded(m.op("Add", x, rounded(m.op("Conv", y, weight(32, 32, 1, 1)), -4)), -4)
    x = m.op("Transpose", m.op("Reshape", x, m.whole(32, 576)), perm=[1, 0])
    x = rounded(m.op("Relu", m.op("MatMul", x, weight(32, 128))), -4)
    m.output(m.op("QuantizeLinear", m.op("MatMul", x, weight(128, 64)), m.number(2.0 ** -6), bytes_zero), x)

"""The programs of the benchmark: small graphs of operators, written as TVMScript, ONNX and torch.

A program is a list of operators in order; each makes one value. Sizes are fixed here, inputs come from a
seed, so everybody computes the same.
"""
import json
import random


class Program:
    def __init__(self, name):
        self.name, self.inputs, self.ops, self.results, self.donated = name, [], [], [], []
        self.room = None  # of donated inputs: how long they may grow

    def input(self, name, *shape, donated=False):
        self.inputs.append((name, shape))
        if donated:
            self.donated.append(len(self.inputs) - 1)
        return name

    def op(self, kind, *args, **attrs):
        """Appends an operator; numbers among @args are constants."""
        name = f"t{len(self.ops)}"
        self.ops.append((name, kind, args, attrs))
        return name


def decode(rows=1023, width=512):
    """One step with a cache kept as concat(past, new), as exporters write it."""
    p = Program("decode step")
    past_k, past_v = p.input("past_k", rows, width), p.input("past_v", rows, width)
    q, k, v = (p.input(name, 1, width) for name in "qkv")
    keys, values = p.op("concat", past_k, k, axis=0), p.op("concat", past_v, v, axis=0)
    scores = p.op("mul", p.op("matmul", q, p.op("transpose", keys)), width ** -0.5)
    p.results = [p.op("matmul", p.op("softmax", scores), values), keys, values]
    return p


def decode_room(rows=1023, width=512):
    """The same; the caches are donated, and their storage has room."""
    p = decode(rows, width)
    p.name, p.donated, p.room = "decode step, caches with room", [0, 1], 4096
    return p


def densenet(rows=784, growth=32, layers=12):
    """Each layer reads the concatenation of all before (1x1 convolutions, as matrix products)."""
    p = Program("DenseNet block")
    parts = [p.input("x", rows, growth)]
    for layer in range(layers):
        weights = p.input(f"w{layer}", growth * (layer + 1), growth)
        joined = p.op("concat", *parts, axis=1) if layer else parts[0]
        parts.append(p.op("relu", p.op("matmul", p.op("relu", joined), weights)))
    p.results = [p.op("concat", *parts, axis=1)]
    return p


def transformer(rows=128, width=256):
    p = Program("transformer layer")
    x = p.input("x", rows, width)
    weights = {n: p.input(n, a, b) for n, a, b in [("wq", width, width), ("wk", width, width), ("wv", width, width),
                                                   ("wo", width, width), ("w1", width, 4 * width),
                                                   ("w2", 4 * width, width)]}
    gain, bias = p.input("gain", width), p.input("bias", width)
    h = p.op("layer_norm", x, gain, bias)
    q, k, v = (p.op("matmul", h, weights[n]) for n in ("wq", "wk", "wv"))
    scores = p.op("mul", p.op("matmul", q, p.op("transpose", k)), width ** -0.5)
    mixed = p.op("matmul", p.op("matmul", p.op("softmax", scores), v), weights["wo"])
    x = p.op("add", x, mixed)
    h = p.op("relu", p.op("matmul", p.op("layer_norm", x, gain, bias), weights["w1"]))
    p.results = [p.op("add", x, p.op("matmul", h, weights["w2"]))]
    return p


def adam(count=50, size=16384):
    """Parameters and moments are donated: the step may write them where they are."""
    p = Program("Adam, 50 tensors")
    for i in range(count):
        w, m, v = (p.input(f"{n}{i}", size, donated=True) for n in "wmv")
        g = p.input(f"g{i}", size)
        m = p.op("add", p.op("mul", m, 0.9), p.op("mul", g, 0.1))
        v = p.op("add", p.op("mul", p.op("abs", v), 0.999), p.op("mul", p.op("mul", g, g), 0.001))
        w = p.op("sub", w, p.op("div", p.op("mul", m, 0.001), p.op("add", p.op("sqrt", v), 1e-8)))
        p.results += [w, m, v]
    return p


def pipeline(rows=512, columns=512, count=30):
    """30 operators on an image; a transposition and a matrix product now and then keep them apart."""
    p, dice = Program("30-operator pipeline"), random.Random(8)
    x, mix = p.input("image", rows, columns), p.input("mix", columns, columns)
    for i in range(count):
        if i % 10 == 4:
            x = p.op("transpose", x)
        elif i % 10 == 9:
            x = p.op("mul", p.op("matmul", x, mix), 1 / columns)
        else:
            kind = dice.choice(["relu", "tanh", "abs", "add", "mul"])
            x = p.op(kind, x, dice.choice([0.5, 0.75])) if kind in ("add", "mul") else p.op(kind, x)
    p.results = [x]
    return p


PROGRAMS = {make.__name__: make for make in (decode, decode_room, densenet, transformer, adam, pipeline)}

# ---- TVMScript ----

RELAX = {"add": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "matmul": "matmul", "relu": "nn.relu",
         "tanh": "tanh", "abs": "abs", "sqrt": "sqrt", "concat": "concat", "transpose": "permute_dims", "softmax": "nn.softmax",
         "layer_norm": "nn.layer_norm"}


def script(p, donates=True):
    lines = ["from tvm.script import ir as I", "from tvm.script import relax as R", "", "@I.ir_module", "class Module:",
             "    @R.function", "    def main("]
    lines += [f'        {name}: R.Tensor({shape}, "float32"),' for name, shape in p.inputs]
    lines.append("    ):")
    if p.donated and donates:
        room = {p.inputs[i][0]: [p.room, *p.inputs[i][1][1:]] for i in p.donated if p.room}
        more = f', "relax.capacity": {json.dumps(room)}' if room else ""
        lines.append(f'        R.func_attr({{"relax.inplace_arg": {p.donated}{more}}})')
    lines.append("        with R.dataflow():")
    for name, kind, args, attrs in p.ops:
        words = [a if isinstance(a, str) else f'R.const({a!r}, "float32")' for a in args]
        if kind == "concat":
            words = [f"({', '.join(words)})", f"axis={attrs['axis']}"]
        if kind == "layer_norm":
            words.append("axes=[-1]")
        lines.append(f"            {name} = R.{RELAX[kind]}({', '.join(words)})")
    lines.append(f"            R.output({', '.join(p.results)})")
    lines.append(f"        return {p.results[0] if len(p.results) == 1 else '(' + ', '.join(p.results) + ')'}")
    return "\n".join(lines) + "\n"


def arrays(p, numpy):
    """The inputs, from a seed; small enough that nothing overflows."""
    dice = numpy.random.default_rng(8)
    return {name: dice.uniform(-0.5, 0.5, shape).astype("float32") for name, shape in p.inputs}

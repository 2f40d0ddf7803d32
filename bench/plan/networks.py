"""Networks of a given number of operators: what plans of memory are measured on.

A network is a list of operators; it is written as TVMScript, as ONNX and as a function of PyTorch, so that others plan the
same graph.
"""
import pathlib
import random

HEAD = """\
from tvm.script import ir as I
from tvm.script import relax as R


@R.function
def main({params}):
    with R.dataflow():
{body}
        R.output({result})
    return {result}
"""
TORCH = """\
def forward(self, {params}):
{body}
    return {result}
"""
ROWS = 64

# operator: as TVMScript, as PyTorch, as a node of ONNX with its attributes
OPERATORS = {
    "matmul": ("R.matmul({})", "torch.matmul({})", "MatMul", {}),
    "add": ("R.add({})", "torch.add({})", "Add", {}),
    "softmax": ("R.nn.softmax({})", "torch.softmax({}, -1)", "Softmax", {}),
    "transpose": ("R.permute_dims({})", "torch.permute({}, (1, 0))", "Transpose", {"perm": [1, 0]}),
    "join": ("R.concat([{}], axis=1)", "torch.cat([{}], 1)", "Concat", {"axis": 1}),
}


class Network:
    """Values are names with a width: tensors of ROWS x width."""

    def __init__(self, seed):
        self.random, self.lines, self.params, self.widths, self.result = random.Random(seed), [], {}, {}, None

    def input(self, width):
        name = f"x{len(self.params)}"
        self.params[name] = (ROWS, width)
        self.widths[name] = width
        return name

    def weight(self, rows, columns):
        name = f"w{rows}_{columns}"
        self.params[name] = (rows, columns)
        return name

    def op(self, width, kind, *operands):
        name = f"v{len(self.lines)}"
        self.lines.append((name, kind, operands))
        self.widths[name] = width
        return name

    def product(self, x, width):
        return self.op(width, "matmul", x, self.weight(self.widths[x], width))

    def add(self, x, y):
        return self.op(self.widths[x], "add", x, y)

    def softmax(self, x):
        return self.op(self.widths[x], "softmax", x)

    def join(self, parts):
        return self.op(sum(self.widths[p] for p in parts), "join", *parts)

    def end(self, result):
        self.result = result
        return self

    def body(self, form, indent):
        return "\n".join(f"{indent}{name} = {OPERATORS[kind][form].format(', '.join(operands))}" for name, kind, operands in self.lines)

    def script(self):
        params = ", ".join(f'{name}: R.Tensor({shape}, "float32")' for name, shape in self.params.items())
        return HEAD.format(params=params, body=self.body(0, " " * 8), result=self.result)

    def torch(self):
        return TORCH.format(params=", ".join(self.params), body=self.body(1, " " * 4), result=self.result)

    def onnx(self):
        from onnx import TensorProto, helper  # only who compares has it
        nodes = [helper.make_node(OPERATORS[kind][2], operands, [name], **OPERATORS[kind][3]) for name, kind, operands in self.lines]
        inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in self.params.items()]
        output = helper.make_tensor_value_info(self.result, TensorProto.FLOAT, [ROWS, self.widths[self.result]])
        model = helper.make_model(helper.make_graph(nodes, "network", inputs, [output]), opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 9
        return model


def chain(count):
    """Products of widths at random."""
    net = Network(1)
    x = net.input(128)
    while len(net.lines) < count:
        x = net.product(x, net.random.choice([32, 64, 96, 128, 192, 256]))
    return net.end(x)


def residual(count):
    """x + f(x), the width changing now and then."""
    net = Network(2)
    x = net.input(128)
    while len(net.lines) < count:
        inner = net.product(x, net.random.choice([64, 256]))
        x = net.add(x, net.product(net.softmax(inner), net.widths[x]))
        if net.random.random() < 0.2:
            x = net.product(x, net.random.choice([64, 128, 256]))
    return net.end(x)


def densenet(count):
    """Blocks of six layers, each of which reads all before it."""
    net = Network(3)
    x = net.input(64)
    while len(net.lines) < count:
        parts = [x]
        for _ in range(6):
            parts.append(net.product(net.join(parts) if len(parts) > 1 else x, 32))
        x = net.product(net.join(parts), 64)
    return net.end(x)


def unet(count):
    """Down and up again, with what was on the way down added on the way up."""
    net = Network(4)
    x = net.input(32)
    while len(net.lines) < count:
        skips = []
        for width in (32, 64, 128, 256):
            x = net.softmax(net.product(x, width))
            skips.append(x)
        for skip in reversed(skips):
            x = net.add(net.product(x, net.widths[skip]), skip)
    return net.end(x)


def transformer(count):
    """Attention over the rows, and feed-forward."""
    net = Network(5)
    x = net.input(128)
    while len(net.lines) < count:
        q, k, v = (net.product(x, 128) for _ in range(3))
        scores = net.op(ROWS, "matmul", q, net.op(ROWS, "transpose", k))
        mixed = net.op(128, "matmul", net.softmax(scores), v)
        x = net.add(x, net.product(mixed, 128))
        x = net.add(x, net.product(net.softmax(net.product(x, 512)), 128))
    return net.end(x)


def irregular(count):
    """Widths at random, and operands up to forty operators back."""
    net = Network(6)
    recent = [net.input(64)]
    while len(net.lines) < count - 1:
        x = net.random.choice(recent[-40:])
        width = 16 * net.random.randrange(1, 40)
        y = net.product(x, width)
        others = [other for other in recent[-40:] if net.widths[other] == width]
        recent.append(net.add(y, net.random.choice(others)) if others else net.softmax(y))
    return net.end(net.product(net.join(recent[-40:]), 64))


def inception(count):
    """Four branches of three products, written side by side, and joined."""
    net = Network(7)
    x = net.input(128)
    while len(net.lines) < count:
        branches = [x] * 4
        for _ in range(3):
            branches = [net.product(branch, net.random.choice([16, 32, 64, 256])) for branch in branches]
        x = net.product(net.join(branches), 128)
    return net.end(x)


def heads(count):
    """Attention by eight heads, each step of all heads before the next."""
    net = Network(9)
    x = net.input(128)
    while len(net.lines) < count:
        q, k, v = ([net.product(x, 16) for _ in range(8)] for _ in range(3))
        scores = [net.op(ROWS, "matmul", a, net.op(ROWS, "transpose", b)) for a, b in zip(q, k)]
        weights = [net.softmax(a) for a in scores]
        x = net.product(net.join([net.op(16, "matmul", a, b) for a, b in zip(weights, v)]), 128)
    return net.end(x)


def wired(count):
    """Cells of 32 nodes that each read one of the last five and any other, as in randomly wired networks."""
    net = Network(8)
    x = net.input(64)
    while len(net.lines) < count:
        nodes, read = [net.product(x, 64)], set()
        for _ in range(31):
            operands = sorted({net.random.choice(nodes[-5:]), net.random.choice(nodes)})
            read.update(operands)
            total = operands[0] if len(operands) == 1 else net.add(*operands)
            nodes.append(net.softmax(net.product(total, 64)))
        x, *others = [node for node in nodes if node not in read]
        for other in others:
            x = net.add(x, other)
    return net.end(x)


def tree(count):
    """Sums of pairs of products, breadth first."""
    net = Network(10)
    x = net.input(64)
    values = [net.product(net.product(x, net.random.choice([16, 32, 64, 128])), 64) for _ in range(count // 3)]
    while len(values) > 1:
        values = [net.add(*values[i:i + 2]) if i + 1 < len(values) else values[i] for i in range(0, len(values), 2)]
    return net.end(values[0])


# Written in orders in which much lives at once.
BRANCHING = {f.__name__: f for f in (inception, heads, wired, tree)}
NETWORKS = {f.__name__: f for f in (chain, residual, densenet, unet, transformer, irregular)}


def write(name, size, folder):
    """network.py, network.onnx and, for PyTorch, function.py."""
    net = NETWORKS[name](int(size))
    for file, text in (("network.py", net.script()), ("function.py", net.torch())):
        pathlib.Path(folder, file).write_text(text)
    pathlib.Path(folder, "network.onnx").write_bytes(net.onnx().SerializeToString())

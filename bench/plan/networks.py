"""Networks of a given number of operators, as TVMScript: what plans of memory are measured on."""
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
ROWS = 64


class Network:
    """Values are names with a width: tensors of ROWS x width."""

    def __init__(self, seed):
        self.random, self.lines, self.params, self.widths = random.Random(seed), [], {}, {}

    def input(self, width):
        name = f"x{len(self.params)}"
        self.params[name] = (ROWS, width)
        self.widths[name] = width
        return name

    def weight(self, rows, columns):
        name = f"w{rows}_{columns}"
        self.params[name] = (rows, columns)
        return name

    def op(self, width, text):
        name = f"v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        self.widths[name] = width
        return name

    def product(self, x, width):
        return self.op(width, f"R.matmul({x}, {self.weight(self.widths[x], width)})")

    def add(self, x, y):
        return self.op(self.widths[x], f"R.add({x}, {y})")

    def softmax(self, x):
        return self.op(self.widths[x], f"R.nn.softmax({x})")

    def join(self, parts):
        return self.op(sum(self.widths[p] for p in parts), f"R.concat([{', '.join(parts)}], axis=1)")

    def script(self, result):
        params = ", ".join(f'{name}: R.Tensor({shape}, "float32")' for name, shape in self.params.items())
        return HEAD.format(params=params, body="\n".join(f"        {line}" for line in self.lines), result=result)


def chain(count):
    """Products of widths at random."""
    net = Network(1)
    x = net.input(128)
    while len(net.lines) < count:
        x = net.product(x, net.random.choice([32, 64, 96, 128, 192, 256]))
    return net.script(x)


def residual(count):
    """x + f(x), the width changing now and then."""
    net = Network(2)
    x = net.input(128)
    while len(net.lines) < count:
        inner = net.product(x, net.random.choice([64, 256]))
        x = net.add(x, net.product(net.softmax(inner), net.widths[x]))
        if net.random.random() < 0.2:
            x = net.product(x, net.random.choice([64, 128, 256]))
    return net.script(x)


def densenet(count):
    """Blocks of six layers, each of which reads all before it."""
    net = Network(3)
    x = net.input(64)
    while len(net.lines) < count:
        parts = [x]
        for _ in range(6):
            parts.append(net.product(net.join(parts) if len(parts) > 1 else x, 32))
        x = net.product(net.join(parts), 64)
    return net.script(x)


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
    return net.script(x)


def transformer(count):
    """Attention over the rows, and feed-forward."""
    net = Network(5)
    x = net.input(128)
    while len(net.lines) < count:
        q, k, v = (net.product(x, 128) for _ in range(3))
        scores = net.op(ROWS, f"R.matmul({q}, {net.op(ROWS, f'R.permute_dims({k})')})")
        mixed = net.op(128, f"R.matmul({net.softmax(scores)}, {v})")
        x = net.add(x, net.product(mixed, 128))
        x = net.add(x, net.product(net.softmax(net.product(x, 512)), 128))
    return net.script(x)


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
    return net.script(net.product(net.join(recent[-40:]), 64))


NETWORKS = {f.__name__: f for f in (chain, residual, densenet, unet, transformer, irregular)}

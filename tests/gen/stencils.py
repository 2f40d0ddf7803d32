"""Kernels that read neighbours: stencils, sweeps that run to and fro, updates that read what other iterations write.

Each axis has a range, all of its extent or without its first or last places, and a direction; each read is off by one where the
range leaves room for that, or asks first whether it is within. Nests stand one behind the other in a kernel, as in a
sweep forth and back. Text and meaning come of one list, as in kernels.py.
"""
import numpy as np

from gen.body import Unfit
from gen.graph import Kernel
from gen.kernels import CLAMP, call_of, clamp, is_fit, wrapping
from gen.kinds import dim_text, head_text, sizes, symbols_of, used_symbols
from gen.table import makes


class Axis:
    """The places low to high, not included, of one axis, in order or from the last on."""

    def __init__(self, rng, number, dim, is_whole):
        self.name, self.size = f"i{number}", dim_text(dim)
        self.before, self.behind = (0, 0) if is_whole else rng.choice([(0, 0), (1, 1), (1, 0), (0, 1), (1, 1)])
        self.is_backwards = rng.random() < 0.4
        self.low, self.high = str(self.before), f"{self.size} - 1" if self.behind else self.size

    def own(self):
        if not self.is_backwards:
            return self.name
        return f"({self.high}) - 1 - {self.name}" + (f" + {self.low}" if self.before else "")

    def off(self, by):
        return f"{self.own()} {'+' if by > 0 else '-'} 1"

    def fits(self, by):
        return self.before if by < 0 else self.behind

    def condition(self, by):
        """Is the neighbour within?"""
        return f"{self.own()} > 0" if by < 0 else f"{self.own()} + 1 < {self.size}"


class Nest:
    """Loops around stores, as lines of a kernel and as lines of Python."""

    def __init__(self, rng, shape, readable, targets, is_whole, dtype):
        self.rng, self.readable, self.dtype = rng, readable, dtype
        self.axes = [Axis(rng, number, dim, is_whole) for number, dim in enumerate(shape)]
        self.stores = [self.store(name) for name in targets]

    def store(self, name):
        own = self.place(None, 0)
        text = python = str(self.rng.randint(1, 5))
        text = f"T.{self.dtype}({text})"
        for _ in range(self.rng.randint(1, 3)):
            sign, (some, other) = self.rng.choice("+-"), self.load()
            text, python = f"{text} {sign} {some}", f"{python} {sign} {other}"
        text = f"T.max(T.min({text}, T.{self.dtype}({CLAMP})), T.{self.dtype}({-CLAMP}))"
        return f"{name}[{', '.join(own)}] = {text}", f"{name}{''.join(f'[{part}]' for part in own)} = {clamp(python)}"

    def place(self, axis, by):
        return [each.off(by) if each is axis else each.own() for each in self.axes]

    def load(self):
        """As an expression of a kernel and of Python: its own element of one that is read, or a neighbour."""
        name, axis, by = self.rng.choice(self.readable), self.rng.choice(self.axes), self.rng.choice([-1, 0, 1])
        where = self.place(axis, by) if by else self.place(None, 0)
        text, python = f"{name}[{', '.join(where)}]", name + "".join(f"[{part}]" for part in where)
        if not by or axis.fits(by):
            return text, python
        return f"T.if_then_else({axis.condition(by)}, {text}, T.{self.dtype}(1))", f"({python} if {axis.condition(by)} else 1)"

    def lines(self, is_python):
        pad, text = "", []
        for axis in self.axes:
            serial = "range" if is_python else "T.serial"
            text.append(f"{pad}for {axis.name} in {serial}({axis.low}, {axis.high}):")
            pad += "    "
        return text + [pad + store[is_python] for store in self.stores]


def nests_of(rng, shape, dtype, names, updated, fresh):
    """Some of them write what is fresh, at all of its places; the others read it, too."""
    nests = [Nest(rng, shape, names, rng.sample(fresh + updated, len(fresh + updated)), True, dtype)] if fresh else []
    for _ in range(rng.choice([1, 1, 2]) - bool(nests) * rng.choice([0, 1])):
        targets = updated or fresh
        nests.append(Nest(rng, shape, names + fresh, rng.sample(targets, rng.randint(1, len(targets))), False, dtype))
    return nests


def make(maker, kind, inputs, updated, fresh_count):
    rng, (shape, dtype) = maker.rng, kind
    names = [f"b{i}" for i in range(inputs + fresh_count)]
    nests = nests_of(rng, shape, dtype, names[:inputs], [names[i] for i in updated], names[inputs:])
    name, buffer = f"k{len(maker.kernels)}", head_text(kind).replace("R.Tensor", "T.Buffer")
    lines = ["    @T.prim_func(private=True)", f"    def {name}({', '.join(f'{b}: {buffer}' for b in names)}):"]
    lines += [f"        {s} = T.int64()" for s in sorted(used_symbols(kind))]
    lines += ["        " + line for nest in nests for line in nest.lines(False)]
    scope = {"w": wrapping(dtype)}
    exec("\n".join([f"def run({', '.join(names)}, n, m):", *("    " + line for nest in nests for line in nest.lines(True))]), scope)  # of what stands above

    def compute(env, order, *arrays):
        size = sizes(shape, env)
        lists = [a.tolist() for a in arrays] + [np.zeros(size, dtype).tolist() for _ in range(fresh_count)]
        scope["run"](*lists, *env)
        results = tuple(np.array(lists[i], dtype).reshape(size) for i in order)
        return results if len(order) > 1 else results[0]
    kernel = Kernel(name, "\n".join(lines), compute)
    maker.kernels.append(kernel)
    return kernel


@makes(weight=6)
def call_stencil(body):
    """A kernel that reads neighbours, of what it updates too."""
    rng, maker, x = body.rng, body.maker, body.shared(is_fit)
    kind = x.kind
    if used_symbols(kind) - symbols_of(kind) or maker.is_special and kind.dtype.startswith("float") or body.elements(kind.shape) > 300:
        raise Unfit
    inputs, updates = rng.randint(1, 3), rng.random() < 0.65
    updated = [rng.randrange(inputs)] if updates else []
    fresh = 0 if updates and rng.random() < 0.8 else 1
    kernel = make(maker, kind, inputs, updated, fresh)
    args = [x] + [body.same(x, lambda v: v.is_exact) for _ in range(inputs - 1)]
    rng.shuffle(args)
    if updates and x not in [args[i] for i in updated]:
        args[updated[0]] = x
    order = updated + list(range(inputs, inputs + fresh))
    result = call_of(body, kernel, kind, args, order, updated + [-1] * fresh if updates else None)
    for i in updated:
        body.read_again(args[i])
    return result

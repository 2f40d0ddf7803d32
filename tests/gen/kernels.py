"""Kernels of scripts: loops in order that update what they are given, read it elsewhere, or write something fresh.

The text and its meaning come of one list of stores: the meaning is Python over nested lists.
"""
import numpy as np

from gen.body import Tens, Unfit
from gen.graph import Kernel
from gen.kinds import FLOATS, Tup, dim_text, head_text, sizes, symbols_of, text_of, tuple_text, used_symbols
from gen.table import makes

DTYPES = ("float32", "float64", "int32", "int64")
CLAMP = 64


def place(rng, shape, moved):
    """The index of an element: that of this iteration, or another one."""
    own = [f"i{axis}" for axis in range(len(shape))]
    if not moved:
        return own
    axis = rng.randrange(len(shape))
    size = dim_text(shape[axis])
    own[axis] = rng.choice([f"({size}) - 1 - i{axis}", f"(i{axis} + 1) % ({size})", "0", f"i{axis} // 2", f"(i{axis} + ({size}) - 1) % ({size})"])
    return own


def python_place(index):
    return "".join(f"[{part}]" for part in index)


def clamp(text):
    return f"max(min(w({text}), {CLAMP}), -{CLAMP})"


class Stores:
    """`target[index] = sum of loads`, one behind the other in each iteration; or a load alone, which then may be updated: a kernel of such
    stores leaves out, in place, what it would copy onto itself."""

    def __init__(self, rng, shape, dtype, readable, targets, fresh):
        self.rng, self.shape, self.dtype, self.readable, self.targets = rng, shape, dtype, readable, targets
        self.lines, self.python = [], []
        self.is_independent = True  # no iteration sees what another one wrote
        for name in targets:
            index = place(rng, shape, name not in fresh and rng.random() < 0.25)
            if rng.random() < 0.3:
                self.store(name, index, *self.load())
                if rng.random() < 0.5:
                    continue
                index = place(rng, shape, True)
            self.store(name, index, *self.sum())

    def read(self, moved):
        """What is read, and where."""
        name, where = self.rng.choice(self.readable), place(self.rng, self.shape, moved)
        self.is_independent &= name not in self.targets or where == place(self.rng, self.shape, False)
        return name, where

    def load(self):
        name, where = self.read(self.rng.random() < 0.2)
        return f"{name}[{', '.join(where)}]", f"{name}{python_place(where)}"

    def sum(self):
        number = self.rng.randint(1, 5)
        text = python = ""
        for _ in range(self.rng.randint(1, 3)):
            sign = self.rng.choice("+-")
            name, where = self.read(self.rng.random() < 0.4)
            text += f" {sign} {name}[{', '.join(where)}]"
            python += f" {sign} {name}{python_place(where)}"
        text, python = f"T.{self.dtype}({number}){text}", f"{number}{python}"
        return f"T.max(T.min({text}, T.{self.dtype}({CLAMP})), T.{self.dtype}({-CLAMP}))", clamp(python)

    def store(self, name, index, text, python):
        self.is_independent &= index == place(self.rng, self.shape, False)
        self.lines.append(f"{name}[{', '.join(index)}] = {text}")
        self.python.append(f"{name}{python_place(index)} = {python}")


def wrapping(dtype):
    if dtype in FLOATS:
        return lambda v: v
    half = 1 << (np.dtype(dtype).itemsize * 8 - 1)
    return lambda v: (v + half) % (2 * half) - half


def python_of(names, shape, lines, dtype):
    """The meaning as a Python function of nested lists."""
    pad, text = "    ", [f"def run({', '.join(names)}, n, m):"]
    for axis, dim in enumerate(shape):
        text.append(f"{pad}for i{axis} in range({dim_text(dim)}):")
        pad += "    "
    scope = {"w": wrapping(dtype)}
    exec("\n".join(text + [pad + line for line in lines]), scope)  # of what stands above
    return scope["run"]


def nest_of(name, shape, stores, rng):
    """Loops in order, or, where each iteration stands alone, a block that says so."""
    axes = range(len(shape))
    if not stores.is_independent or rng.random() < 0.4:
        loops = ", ".join(f"i{a}" for a in axes)
        return [f"        for {loops} in T.grid({', '.join(map(dim_text, shape))}):", *("            " + line for line in stores.lines)]
    lines = [f"        for {', '.join(f'l{a}' for a in axes)} in T.grid({', '.join(map(dim_text, shape))}):", f'            with T.sblock("{name}"):']
    lines += [f"                i{a} = T.axis.spatial({dim_text(dim)}, l{a})" for a, dim in enumerate(shape)]
    return lines + ["                " + line for line in stores.lines]


def make(maker, kind, inputs, updated, fresh_count):
    """A kernel on @inputs buffers of one type, of which it updates some, and fresh ones behind them."""
    rng, (shape, dtype) = maker.rng, kind
    names = [f"b{i}" for i in range(inputs + fresh_count)]
    fresh = names[inputs:]
    targets = [names[i] for i in updated] + fresh
    rng.shuffle(targets)
    stores = Stores(rng, shape, dtype, names[:inputs], targets, fresh)
    run = python_of(names, shape, stores.python, dtype)
    name = f"k{len(maker.kernels)}"
    buffer = head_text(kind).replace("R.Tensor", "T.Buffer")
    lines = ["    @T.prim_func(private=True)", f"    def {name}({', '.join(f'{b}: {buffer}' for b in names)}):"]
    lines += [f"        {s} = T.int64()" for s in sorted(used_symbols(kind))]
    lines += nest_of(name, shape, stores, rng)

    def compute(env, order, *arrays):
        size = sizes(shape, env)
        lists = [a.tolist() for a in arrays] + [np.zeros(size, dtype).tolist() for _ in fresh]
        run(*lists, *env)
        results = tuple(np.array(lists[i], dtype).reshape(size) for i in order)
        return results if len(order) > 1 else results[0]
    kernel = Kernel(name, "\n".join(lines), compute)
    maker.kernels.append(kernel)
    return kernel


@makes(weight=15)
def call_kernel(body):
    """A kernel of the script, in place or not."""
    return update(body, body.shared(is_fit), body.rng.choice([0, 1, 1, 2]))


def is_fit(v):
    return v.is_exact and v.kind.shape and v.kind.dtype in DTYPES and (v.limit < 1 << 20 or v.kind.dtype in ("int32", "int64"))


def update(body, x, most):
    """A kernel on @x and others of its type, which updates at most so many of them."""
    rng, maker = body.rng, body.maker
    if used_symbols(x.kind) - symbols_of(x.kind):
        raise Unfit
    if maker.is_special and x.kind.dtype in FLOATS or body.elements(x.kind.shape) > 300:
        raise Unfit
    inputs, kind = rng.randint(1, 3), x.kind
    updated = sorted(rng.sample(range(inputs), min(inputs, most)))
    fresh = rng.choice([0, 0, 1]) if updated else rng.choice([1, 1, 2])
    kernel = make(maker, kind, inputs, updated, fresh)
    args = [x] + [body.same(x, lambda v: v.is_exact) for _ in range(inputs - 1)]
    rng.shuffle(args)
    if updated and x not in [args[i] for i in updated]:
        args[updated[0]] = x
    order = updated + list(range(inputs, inputs + fresh))
    rng.shuffle(order)
    indices = [i if i < inputs else -1 for i in order]
    if updated:  # fresh ones come in the order of the parameters
        rest = iter(range(inputs, inputs + fresh))
        order = [i if i < inputs else next(rest) for i in order]
    else:
        order = list(range(inputs, inputs + fresh))
    result = call_of(body, kernel, kind, args, order, indices if updated else None)
    for i in updated:
        body.read_again(args[i])
    return result


def call_of(body, kernel, kind, args, order, indices):
    result = Tup((kind,) * len(order)) if len(order) > 1 else kind
    types = f"[{', '.join([text_of(kind)] * len(order))}]" if len(order) > 1 else text_of(kind)
    given = tuple_text([f"{{{i}}}" for i in range(len(args))])
    where = f", inplace_indices={indices}" if indices else ""
    text = f"R.call_tir{'_inplace' if indices else ''}(cls.{kernel.name}, {given}, out_ty={types}{where})"
    limit = max([CLAMP] + [arg.limit for arg in args])
    whole = body.add(result, text, args, lambda env, *arrays: kernel.compute(env, order, *arrays), limit, kernel=kernel, tag="kernel")
    if len(order) == 1:
        return whole
    shown = [i for i in range(len(order)) if body.rng.random() < 0.85] or [0]
    return [body.field(whole, i) for i in shown][-1]


def rows(maker, kind, row):
    """An append: one row of the first operand becomes the second."""
    name, shape = f"k{len(maker.kernels)}", kind.shape
    inner = ", ".join(f"i{a}" for a in range(1, len(shape)))
    first, second = (head_text(k).replace("R.Tensor", "T.Buffer") for k in (kind, row))
    lines = ["    @T.prim_func(private=True)", f"    def {name}(b0: {first}, b1: {second}, pos: T.int64):"]
    lines += [f"        {s} = T.int64()" for s in sorted(used_symbols(kind))]
    lines += [f"        for {inner} in T.grid({', '.join(map(dim_text, shape[1:]))}):", f"            b0[pos, {inner}] = b1[{inner}]"]
    kernel = Kernel(name, "\n".join(lines), None)
    maker.kernels.append(kernel)
    return kernel


@makes(weight=5)
def append(body):
    x = body.shared(lambda v: len(v.kind.shape) > 1 and type(v.kind.shape[0]) is int and v.kind.shape[0] > 0)
    row = body.pick(lambda v: v.kind == Tens(x.kind.shape[1:], x.kind.dtype))
    if used_symbols(x.kind) - symbols_of(x.kind) or used_symbols(row.kind) - symbols_of(row.kind):
        raise Unfit
    kernel, at = rows(body.maker, x.kind, row.kind), body.rng.randrange(x.kind.shape[0])

    def compute(env, a, b):
        result = a.copy()
        result[at] = b
        return result
    text = f"R.call_tir_inplace(cls.{kernel.name}, ({{0}}, {{1}}, R.prim_value({at})), out_ty={text_of(x.kind)}, inplace_indices=[0])"
    result = body.add(x.kind, text, [x, row], compute, kernel=kernel, tag="kernel")
    body.read_again(x)
    return result


# ---- functions of the host (runner.c), with a contract or without


def turned(x):
    return np.ascontiguousarray(x.reshape(-1)[::-1]).reshape(x.shape)


@makes("call_inplace_packed", "call_dps_packed", weight=0.8)
def packed(body):
    x = body.pick()
    if body.rng.random() < 0.5:
        text = f'R.call_inplace_packed("gen_reverse", {{0}}, inplace_indices=[0], ty_args=({text_of(x.kind)},))'
    else:
        text = f'R.call_dps_packed("gen_reversed", ({{0}},), out_ty={text_of(x.kind)})'
    return body.add(x.kind, text, [x], lambda env, a: turned(a), tag="packed")

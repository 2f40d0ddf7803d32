#!/usr/bin/env python3
"""Kernels with affine, modular and other indices, over every width of vectors, against what Python computes.

The oracle is in this file: a kernel is made as a tree that is printed as TVMScript and executed here, one iteration after
the other, on lists of numbers.  All values are whole and small, so all dtypes hold them exactly and every element must be
equal; integers wrap here as they do there.  Each program is a module of several kernels.  It runs in the
interpreter and compiled: -O0 to -O3, vectors of 16, 32 and 64 bytes (as far as the machine has them), with the default schedules,
without schedules, and with loop passes that mark and cut loops.

First come fixed kernels: strides with powers of two, interleaved groups, negative strides, floordiv.  LLVM's loop
vectorizer, which Inlay leaves out, took (3 * i) % 64 for neighbours and read behind the buffer.

usage: random_indices.py TOOL [--count N] [--seed S] [--keep FOLDER]
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz

WIDTHS = ["16", "32", "64"]
LOOPS = "ResolveInplace,LowerBlocks,{}"
PIPELINES = ["default", "unscheduled", "debug", LOOPS.format("VectorizeLoop(strided=true)"),
             LOOPS.format("SplitLoop(factor=4),UnrollLoop"), LOOPS.format("SplitLoop(factor=16),VectorizeLoop(strided=true)"),
             LOOPS.format("FuseLoops,HoistExpression,LoopPartition,Simplify,VectorizeLoop(strided=true),ParallelizeLoop(grain=8)")]
CODES = {"float32": "f", "float64": "d", "float16": "e", "int8": "b", "uint8": "B", "int16": "h", "int32": "i", "int64": "q"}
EXTENTS = [1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 128]
HEAD = ("from tvm.script import ir as I\nfrom tvm.script import relax as R\nfrom tvm.script import tirx as T\n\n"
        "@I.ir_module\nclass Module:\n")
SLOW = int(os.environ.get("INLAY_SLOW", "1"))


class Outside(Exception):
    """An access that the kernel must not make."""


def wrap(value, bits, is_signed=True):
    value &= (1 << bits) - 1
    return value - (1 << bits) if is_signed and value >> (bits - 1) else value


class Expr:
    """Text, and the function from an environment (variables, buffers) to a number."""

    def __init__(self, text, value):
        self.text, self.value = text, value


class Buffer:
    def __init__(self, name, dims, dtype):
        self.name, self.dims, self.dtype = name, dims, dtype

    def place(self, indices):
        offset = 0
        for index, dim in zip(indices, self.dims):
            if not 0 <= index < dim:
                raise Outside
            offset = offset * dim + index
        return offset

    def fit(self, value):
        if self.dtype.startswith("float"):
            return value
        return wrap(value, int(self.dtype.lstrip("uint")), self.dtype[0] != "u")


def load(buffer, indices):
    return Expr(f"{buffer.name}[{', '.join(i.text for i in indices)}]",
                lambda env: env[buffer.name][buffer.place([i.value(env) for i in indices])])


class Kernel:
    """A kernel with inputs x (one axis), m (two axes), k (indices into x) and outputs o and p."""

    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.wide = rng.random() < 0.4
        self.dtype = rng.choice(list(CODES))
        size = rng.choice([16, 32, 64, 64, 64, 100, 128])
        self.x = Buffer("x", (size,), self.dtype)
        self.m = Buffer("m", (rng.choice([3, 4, 8, 16]), rng.choice([4, 8, 16, 17, 64])), self.dtype)
        self.k = Buffer("k", (rng.choice([16, 64]),), rng.choice(["int32", "int64"]))
        self.o = Buffer("o", (rng.choice([64, 128, 200]),), self.dtype)
        self.p = Buffer("p", (rng.choice([4, 16]), rng.choice([8, 16, 33])), self.dtype)
        self.lines, self.run = [], []
        self.count = 0

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def number(self, value):
        text = f"T.int64({value})" if self.wide else str(value) if value >= 0 else f"T.int32({value})"
        return Expr(text, lambda env: value)

    def binary(self, form, a, b, function):
        return Expr(form.format(a.text, b.text), lambda env: function(a.value(env), b.value(env)))

    def add(self, a, b):
        return self.binary("({} + {})", a, b, lambda x, y: x + y)

    def times(self, a, factor):
        return self.binary("{} * {}", a, self.number(factor), lambda x, y: x * y)

    def modulo(self, a, n):
        return self.binary("{} % {}", Expr(f"({a.text})", a.value), self.number(n), lambda x, y: x % y)

    # ---- indices

    def affine(self, names):
        e = self.number(self.rng.randrange(-4, 9))
        for name in self.rng.sample(names, self.rng.randrange(1, len(names) + 1)):
            factor = self.rng.choice([1, 1, 1, -1, 2, 2, 3, 4, 5, 7, 8, -2, -3, 16])
            variable = Expr(name, lambda env, name=name: env[name])
            e = self.add(e, variable if factor == 1 else self.times(variable, factor))
        return e

    def integer(self, names, depth=0):
        kind, rng = self.rng.random(), self.rng
        if depth > 1 or kind < 0.4:
            return self.affine(names)
        a = self.integer(names, depth + 1)
        inner = Expr(f"({a.text})", a.value)
        if kind < 0.55:
            return self.modulo(a, rng.choice([2, 3, 4, 5, 7, 8, 16, 48, 63, 64, 100]))
        if kind < 0.65:
            return self.binary("{} // {}", inner, self.number(rng.choice([2, 3, 4, 5, 8, 16])), lambda x, y: x // y)
        if kind < 0.72:
            return self.binary("T.bitwise_and({}, {})", inner, self.number(rng.choice([1, 3, 7, 15, 31, 63, 62, 60, 5])), lambda x, y: x & y)
        if kind < 0.76:
            return self.binary("T.shift_right({}, {})", inner, self.number(rng.choice([1, 2, 3])), lambda x, y: x >> y)
        if kind < 0.80:
            bits = rng.choice([8, 16])
            outer = "int64" if self.wide else "int32"
            return Expr(f'T.Cast("{outer}", T.Cast("int{bits}", {a.text}))', lambda env: wrap(a.value(env), bits))
        b = self.integer(names, depth + 1)
        if kind < 0.85:
            return self.binary(*rng.choice([("T.min({}, {})", a, b, min), ("T.max({}, {})", a, b, max)]))
        if kind < 0.9:
            c = self.condition(names)
            return Expr(f"T.if_then_else({c.text}, {a.text}, {b.text})", lambda env: a.value(env) if c.value(env) else b.value(env))
        if kind < 0.95:
            size = rng.choice([4, 8, 12, 16])
            return self.add(self.times(self.modulo(a, size), size), self.binary("{} // {}", inner, self.number(size), lambda x, y: x // y))
        return self.binary("({} - {})", a, Expr(f"({b.text})", b.value), lambda x, y: x - y)

    def condition(self, names):
        a = self.affine(names)
        if self.rng.random() < 0.5:
            a = self.modulo(a, self.rng.choice([2, 3, 4, 8]))
        text, function = self.rng.choice([("{} < {}", lambda x, y: x < y), ("{} >= {}", lambda x, y: x >= y), ("{} == {}", lambda x, y: x == y), ("{} != {}", lambda x, y: x != y)])
        return self.binary(text, a, self.number(self.rng.randrange(-1, 40)), function)

    def inside(self, e, extent):
        """@e made an index below @extent in one of many ways; or as it is, which the oracle may refuse."""
        kind = self.rng.random()
        if kind < 0.45:
            return self.modulo(e, extent)
        if kind < 0.55 and extent & (extent - 1) == 0:
            return self.binary("T.bitwise_and({}, {})", e, self.number(extent - 1), lambda x, y: x & y)
        if kind < 0.65:
            return self.binary("T.min({}, {})", self.binary("T.max({}, {})", e, self.number(0), max), self.number(extent - 1), min)
        if kind < 0.75:
            return Expr(f"{self.number(extent - 1).text} - {self.modulo(e, extent).text}", lambda env: extent - 1 - e.value(env) % extent)
        return e

    def indices(self, names, buffer):
        return [self.inside(self.integer(names), dim) for dim in buffer.dims]

    # ---- values

    def element(self, names):
        buffer = self.rng.choice([self.x, self.x, self.x, self.m])
        if self.rng.random() < 0.15:
            inner = load(self.k, self.indices(names, self.k))
            return load(self.x, [self.modulo(self.times(inner, self.rng.choice([1, 3, 5])), self.x.dims[0])])
        return load(buffer, self.indices(names, buffer))

    def value(self, names):
        kind = self.rng.random()
        if kind < 0.5:
            return self.element(names)
        if kind < 0.6:
            e = self.modulo(self.integer(names), 100)
            return Expr(f'T.Cast("{self.dtype}", {e.text})', e.value)
        a, b = self.element(names), self.element(names)
        if kind < 0.8:
            return self.binary("{} + {}", a, b, lambda x, y: self.x.fit(x + y))
        c = self.condition(names)
        return Expr(f"T.if_then_else({c.text}, {a.text}, {b.text})", lambda env: a.value(env) if c.value(env) else b.value(env))

    # ---- statements: a line or more, and a function that executes them

    def store(self, pad, buffer, indices, value):
        self.lines.append(f"{pad}{load(buffer, indices).text} = {value.text}")

        def run(env):
            env[buffer.name][buffer.place([i.value(env) for i in indices])] = buffer.fit(value.value(env))
        return run

    def group(self, names, pad):
        """Stores beside each other, of loads beside each other: what interleaved accesses are made of."""
        size, stride = self.rng.choice([2, 3, 4]), self.rng.choice([2, 3, 4])
        base = Expr(names[-1], lambda env, name=names[-1]: env[name])
        extent = self.x.dims[0]
        made = []
        for i in range(size):
            at = self.inside(self.add(self.times(base, stride), self.number(i)), extent)
            to = self.inside(self.add(self.times(base, size), self.number(i)), self.o.dims[0])
            made.append(self.store(pad, self.o, [to], load(self.x, [at])))
        return lambda env: [run(env) for run in made]

    def statement(self, names, pad):
        kind = self.rng.random()
        target = self.rng.choice([self.o, self.o, self.p])
        if kind < 0.2:
            return self.group(names, pad)
        if kind < 0.35:
            c = self.condition(names)
            self.lines.append(f"{pad}if {c.text}:")
            inner = self.store(pad + "    ", target, self.indices(names, target), self.value(names))
            return lambda env: inner(env) if c.value(env) else None
        if kind < 0.45 and self.dtype != "float16":
            indices = self.indices(names, target)
            old, more = load(target, indices), self.element(names)
            return self.store(pad, target, indices, self.binary("{} + {}", old, more, lambda x, y: x + y))
        if kind < 0.55:
            name = self.fresh("v")
            e = self.inside(self.integer(names), self.x.dims[0])
            self.lines.append(f'{pad}{name}: T.let[T.{"int64" if self.wide else "int32"}] = {e.text}')
            inner = self.store(pad, target, self.indices(names + [name], target), self.value(names + [name]))

            def run(env):
                env[name] = e.value(env)
                inner(env)
            return run
        if self.rng.random() < 0.4 and target is self.o: # a row, which vectors can be made of
            row = Expr(names[-1], lambda env: env[names[-1]])
            return self.store(pad, target, [row], self.value(names))
        return self.store(pad, target, self.indices(names, target), self.value(names))

    def loop(self, names, pad, depth):
        name = self.fresh("i")
        extent = self.rng.choice(EXTENTS if depth == 0 else [1, 2, 3, 4, 7, 8, 16, 33])
        begin, step = 0, 1
        if self.rng.random() < 0.15:
            begin = self.rng.randrange(0, 5)
        if self.rng.random() < 0.15:
            step = self.rng.choice([2, 3, 4])
        kind = self.rng.choice(["serial", "serial", "vectorized", "parallel", "unroll"])
        text = f"{self.number(begin).text}, {self.number(begin + extent).text}"
        more = f", step={self.number(step).text}" if step > 1 else ""
        self.lines.append(f"{pad}for {name} in T.{kind}({text}{more}):")
        inner = self.suite(names + [name], pad + "    ", depth + 1)

        def run(env):
            for env[name] in range(begin, begin + extent, step):
                inner(env)
        return run

    def suite(self, names, pad, depth):
        made = []
        for _ in range(self.rng.choice([1, 1, 2]) if depth else 1):
            is_loop = depth == 0 or (depth < 2 and self.rng.random() < 0.4)
            made.append(self.loop(names, pad, depth) if is_loop else self.statement(names, pad))
        return lambda env: [run(env) for run in made]

    def nest(self):
        """Adds a nest that stays inside of its buffers for sure: others are thrown away."""
        for _ in range(40):
            lines, count = len(self.lines), self.count
            run = self.suite([], "        ", 0)
            try:
                self.execute([*self.run, run])
            except Outside:
                del self.lines[lines:]
                self.count = count
                continue
            self.run.append(run)
            return

    # ---- all of it

    def buffers(self):
        return [self.x, self.m, self.k], [self.o, self.p]

    def execute(self, runs):
        inputs, outputs = self.buffers()
        env = {b.name: [-1 if b.dtype[0] != "u" else 255] * (b.dims[0] * (b.dims[1] if len(b.dims) > 1 else 1)) for b in outputs}
        env.update({b.name: contents(b) for b in inputs})
        for run in runs:
            run(env)
        return [env[b.name] for b in outputs]

    def text(self):
        inputs, outputs = self.buffers()
        params = ", ".join(f'{b.name}: T.Buffer({dims(b, self.wide)}, "{b.dtype}")' for b in inputs + outputs)
        fill = ""
        for b in outputs:
            loops = [f"f{i}" for i in range(len(b.dims))]
            value = 'T.uint8(255)' if b.dtype == "uint8" else f"T.{b.dtype}(-1)"
            fill += (f"        for {', '.join(loops)} in T.grid({', '.join(self.number(d).text for d in b.dims)}):\n"
                     f"            {b.name}[{', '.join(loops)}] = {value}\n")
        return f"    @T.prim_func(private=True)\n    def {self.name}({params}):\n{fill}" + "\n".join(self.lines) + "\n\n"


def dims(buffer, wide=False):
    texts = [f"T.int64({d})" if wide else str(d) for d in buffer.dims]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def contents(buffer):
    """What an input holds: different numbers beside each other, whole, and at most 100."""
    count = 1
    for dim in buffer.dims:
        count *= dim
    return [(7 * i + 3) % 101 for i in range(count)]


# ---- fixed kernels


class Fixed(Kernel):
    """Loops `o[i] = x[..]` of one form of index."""

    def __init__(self, name, form, function, dtype, wide, width):
        super().__init__(random.Random(name), name)
        self.wide, self.dtype = wide, dtype
        for buffer in (self.x, self.m, self.o, self.p):
            buffer.dtype = dtype
        self.x.dims, self.o.dims = (64,), (width,)
        index = Expr(form.format(i="i", **{f"c{n}": self.number(n).text for n in (2, 3, 15, 48, 63, 64)},
                                 **{f"s{n}": self.number(abs(n)).text for n in (1, 2, 3, 5)}), lambda env: function(env["i"]))
        self.lines.append(f"        for i in range({self.number(width).text}):")
        inner = self.store("            ", self.o, [Expr("i", lambda env: env["i"])], load(self.x, [index]))

        def run(env):
            for env["i"] in range(width):
                inner(env)
        self.run = [run]


FORMS = [("{i} * {s3} % {c64}", lambda i: i * 3 % 64), ("{i} * {s5} % {c64}", lambda i: i * 5 % 64),
         ("T.bitwise_and({i} * {s3}, {c63})", lambda i: i * 3 & 63), ("({i} * {s2} + {s1}) % {c64}", lambda i: (i * 2 + 1) % 64),
         ("({i} * {s3} + {s2}) % {c48}", lambda i: (i * 3 + 2) % 48), ("T.bitwise_and({i} * {s2}, {c15})", lambda i: i * 2 & 15),
         ("{c63} - {i} * {s3} % {c64}", lambda i: 63 - i * 3 % 64), ("{c63} - {i} % {c64}", lambda i: 63 - i % 64),
         ("{i} * {s3} // {c2} % {c64}", lambda i: i * 3 // 2 % 64), ("{i} // {c3} % {c64}", lambda i: i // 3 % 64),
         ("({c63} - {i} * {s3}) % {c64}", lambda i: (63 - i * 3) % 64), ("({i} * {s3} + {i} // {c2}) % {c64}", lambda i: (i * 3 + i // 2) % 64)]


def fixed_programs():
    for dtype, wide, width in itertools.product(["float32", "int8", "float64"], [False, True], [64, 100]):
        kernels = [Fixed(f"k{i}", form, function, dtype, wide, width) for i, (form, function) in enumerate(FORMS)]
        yield f"{dtype}, {'int64' if wide else 'int32'} indices, {width}", kernels


def random_program(seed):
    rng = random.Random(seed)
    kernels = [Kernel(rng, f"k{i}") for i in range(6)]
    for kernel in kernels:
        for _ in range(rng.randrange(1, 4)):
            kernel.nest()
    return f"seed {seed}", kernels


# ---- programs


def module(kernels):
    """The script, the inputs of main as buffers, and what each result must be."""
    params, lines, results, inputs, expected = [], [], [], [], []
    for kernel in kernels:
        sources, outputs = kernel.buffers()
        names = [f"{kernel.name}_{b.name}" for b in sources]
        params += [f'{n}: R.Tensor({dims(b)}, "{b.dtype}")' for n, b in zip(names, sources)]
        inputs += list(zip(names, sources))
        types = ", ".join(f'R.Tensor({dims(b)}, "{b.dtype}")' for b in outputs)
        lines.append(f"        {kernel.name} = R.call_tir(cls.{kernel.name}, ({', '.join(names)}), out_ty=[{types}])")
        results.append(kernel.name)
        expected += kernel.execute(kernel.run)
    text = HEAD + "".join(k.text() for k in kernels)
    text += (f"    @R.function\n    def main({', '.join(params)}):\n        cls = Module\n" + "\n".join(lines) +
             f"\n        return ({', '.join(results)},)\n")
    return text, inputs, expected


def write_npy(path, buffer):
    values, code = contents(buffer), CODES[buffer.dtype]
    descr = {"f": "<f4", "d": "<f8", "e": "<f2", "b": "|i1", "B": "|u1", "h": "<i2", "i": "<i4", "q": "<i8"}[code]
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {buffer.dims!r}, }}"
    header = header.ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}{code}", *values))


def difference(path, kernels, expected):
    """The first element that is not what it must be; None: all are."""
    found = npz.read_npz(path)
    for number, want in enumerate(expected):
        kernel = kernels[number // 2]
        descr, _, data = found[f"result.{number // 2}.{number % 2}"]
        for index, (a, b) in enumerate(zip(want, npz.values(descr, data), strict=True)):
            if a != b:
                return f"{kernel.name}, output {number % 2}: element {index} is {b}, not {a}"
    return None


def configurations(rng, is_fixed):
    """Arguments of the runs: each level and width in turn."""
    if is_fixed:
        return [[], *([f"-O{o}", f"--vectors={v}", "-p", p] for o in range(4) for v in WIDTHS for p in PIPELINES[:2])]
    made = [[f"-O{rng.choice('0123')}", f"--vectors={v}", "-p", rng.choice(PIPELINES)] for v in WIDTHS for _ in range(2)]
    return [["--interpret"], [], ["-O3"], *made]


def check(tool, folder, name, kernels, seed):
    text, inputs, expected = module(kernels)
    place = folder / name.replace(", ", "_").replace(" ", "_")
    place.mkdir()
    script = place / "module.py"
    script.write_text(text)
    given = []
    for param, buffer in inputs:
        write_npy(place / f"{param}.npy", buffer)
        given += ["--in", f"{param}=@{place / param}.npy"]
    configs = configurations(random.Random(seed), seed < 0)
    if seed < 0:
        configs.append(["--interpret"])
    for config in configs:
        command = [tool, "run", str(script), *given, "--out", str(place / "out.npz"), *config]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120 * SLOW, cwd=place)
        except subprocess.TimeoutExpired:
            return f"{' '.join(config)}: no end"
        if done.returncode != 0:
            return f"{' '.join(config)}: exit status {done.returncode}\n{done.stderr[:1500]}"
        wrong = difference(place / "out.npz", kernels, expected)
        if wrong:
            return f"{' '.join(config)}: {wrong}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    options.tool = os.path.abspath(options.tool)
    failed = 0
    with tempfile.TemporaryDirectory() as temp:
        folder = options.keep or pathlib.Path(temp)
        folder.mkdir(exist_ok=True)
        seeds = range(options.seed, options.seed + options.count)
        work = [(name, kernels, -1) for name, kernels in fixed_programs()]
        print(f"1..{len(work) + len(seeds)}")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = pool.map(lambda job: (job[0], check(options.tool, folder, *job)),
                               itertools.chain(work, ((*random_program(s), s) for s in seeds)))
            for number, (name, why) in enumerate(results, 1):
                failed += why is not None
                print(f"{'not ok' if why else 'ok'} {number} - {name}")
                if why:
                    print("# " + why.rstrip().replace("\n", "\n# "), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Random kernels through random orders of the loop passes: not a bit of a result may change.

Each program is a kernel of nests of loops over three outputs, two inputs and buffers of its own: sums, shifted and
mirrored rows, tiles, guards, early ends, lets, blocks with init and T.where, sizes of 0 and 1, symbolic or not. `inlay run
--check --tolerance=1e-300` compares the interpreter on the text with the interpreter and compiled code behind the passes.
Kernels that fail as they are written (an index out of bounds) must fail behind the passes too, or be right.

usage: random_kernels.py TOOL [--count N] [--seed S] [--keep FOLDER] [--passes ORDER]
"""
import argparse
import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SIZES = [0, 1, 2, 3, 4, 5, 8, 16]
UNARY = ["T.fabs({})", "T.sqrt(T.fabs({}))", "T.floor({})", "({}) * T.float32(0.5)", "T.max({}, T.float32(-1))"]
BINARY = ["{} + {}", "{} - {}", "({}) * ({})", "T.max({}, {})", "T.min({}, {})", "T.Select({} < {}, T.float32(1), T.float32(2))"]


class Kernel:
    """A kernel and what is known where a statement stands: variables with the range that they have."""

    def __init__(self, rng):
        self.rng = rng
        self.n, self.m = rng.choice(SIZES), rng.choice(SIZES)
        self.is_symbolic = rng.random() < 0.5
        self.count = 0
        self.lines = []
        self.wide = self.is_symbolic or rng.random() < 0.3  # int64 indices

    def dim(self, which):
        """Text of a dimension that is called n or m."""
        if which in ("n", "m") and self.is_symbolic:
            return which
        value = {"n": self.n, "m": self.m}.get(which, which)
        return f"T.int64({value})" if self.wide else str(value)

    def size(self, which):
        return {"n": self.n, "m": self.m}.get(which, which)

    def number(self, value):
        return f"T.int64({value})" if self.wide else f"T.int32({value})" if value < 0 else str(value)

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def emit(self, depth, text):
        self.lines.append("    " * depth + text)

    # ---- indices: (text, least, largest)

    def index(self, env, size, dim):
        """An index that is within 0 .. size - 1, as far as this can be known here."""
        choices = []
        for var, low, high in env["vars"]:
            if low >= 0 and high < size:
                choices.append(var)
                if high + 1 < size:
                    choices.append(f"{var} + {self.number(1)}")
                if low > 0:
                    choices.append(f"{var} - {self.number(1)}")
                if size > 0:
                    choices.append(f"{self.dim(dim)} - {self.number(1)} - {var}")
            if low >= 0 and size > 0:
                choices.append(f"{var} % {self.dim(dim)}")
                if high // 2 < size:
                    choices.append(f"{var} // {self.number(2)}")
            if low < 0 and size > 0 and self.rng.random() < 0.5:
                choices.append(f"({var} * {self.number(3)} - {self.number(5)}) % {self.dim(dim)}")
            for other, other_low, other_high in env["vars"]:
                if low >= 0 and other_low >= 0 and high * (other_high + 1) + other_high < size and var != other:
                    choices.append(f"{var} * {self.number(other_high + 1)} + {other}")
        if size > 0:
            choices.append(self.number(self.rng.randrange(size)))
        if not choices:
            return None
        return choices[0] if self.rng.random() < 0.3 else self.rng.choice(choices)

    def access(self, env, name, dims):
        indices = [self.index(env, self.size(d), d) for d in dims]
        if None in indices:
            return None
        return f"{name}[{', '.join(indices)}]"

    # ---- values

    def load(self, env):
        name, dims = self.rng.choice(env["floats"])
        return self.access(env, name, dims)

    def value(self, env, depth=0):
        kind = self.rng.random()
        if depth > 2 or kind < 0.35:
            return self.load(env) or f"T.float32({self.rng.randrange(-3, 4)})"
        if kind < 0.45 and env["vars"]:
            return f"T.Cast(\"float32\", {self.rng.choice(env['vars'])[0]})"
        if kind < 0.5 and env["lets"]:
            return self.rng.choice(env["lets"])
        if kind < 0.6:
            return self.rng.choice(UNARY).format(self.value(env, depth + 1))
        if kind < 0.68 and env["vars"]:
            return f"T.if_then_else({self.condition(env)}, {self.value(env, depth + 1)}, {self.value(env, depth + 1)})"
        form = self.rng.choice(BINARY)
        return form.format(self.value(env, depth + 1), self.value(env, depth + 1))

    def condition(self, env):
        if env["vars"] and self.rng.random() < 0.75:
            var, low, high = self.rng.choice(env["vars"])
            bound = self.rng.choice([self.dim("n"), self.dim("m"), self.number(self.rng.randrange(low - 1, high + 3))])
            text = self.rng.choice(["{} < {}", "{} >= {}", "{} + {one} <= {}", "{} == {}", "{} != {}", "{} % {two} == {zero}"])
            text = text.format(var, bound, one=self.number(1), two=self.number(2), zero=self.number(0))
            return f"T.likely({text})" if self.rng.random() < 0.2 else text
        return f"{self.value(env, 2)} < {self.value(env, 2)}"

    # ---- statements

    def store(self, env, depth):
        name, dims = self.rng.choice(env["targets"])
        place = self.access(env, name, dims)
        if place is None:
            return
        value = self.value(env)
        if self.rng.random() < 0.4:
            value = f"{place} + {value}" if self.rng.random() < 0.7 else f"T.max({place}, {value})"
        self.emit(depth, f"{place} = {value}")

    def integer_store(self, env, depth):
        place = self.access(env, "Q", ("n", "m"))
        if place is None or not env["vars"]:
            return
        var = self.rng.choice(env["vars"])[0]
        other = self.rng.choice(env["vars"])[0]
        constant = self.rng.choice([-7, -2, 1, 2, 3, 5, 8, 1 << 20])
        form = self.rng.choice(["{a} // {c}", "{a} % {c}", "({a} - {b}) // {c}", "({a} - {b}) % {c}", "({a} * {c} + {b}) // {c}",
                                "T.truncdiv({a} - {b}, {c})", "T.truncmod({a} - {b}, {c})", "T.min({a}, {b}) * {c}", "({a} + {b}) * {c} * {c} * {c} // {c}"])
        self.emit(depth, f"{place} = T.Cast(\"int64\", {form.format(a=var, b=other, c=self.number(constant))})")

    def loop(self, env, depth):
        var = self.name("i")
        kind = self.rng.random()
        if kind < 0.6:
            which = self.rng.choice(["n", "m"])
            text, low, high = f"range({self.dim(which)})", 0, self.size(which) - 1
        elif kind < 0.75:
            count = self.rng.choice([0, 1, 1, 2, 4])
            text, low, high = f"range({self.number(count)})", 0, count - 1
        elif kind < 0.85:
            start, count = self.rng.randrange(-2, 4), self.rng.randrange(0, 5)
            text, low, high = f"range({self.number(start)}, {self.number(start + count)})", start, start + count - 1
        elif kind < 0.92:
            which, step = self.rng.choice(["n", "m"]), self.rng.randrange(1, 4)
            text, low, high = f"range({self.number(0)}, {self.dim(which)}, {self.number(step)})", 0, self.size(which) - 1
        else:
            which = self.rng.choice(["n", "m"])
            word = self.rng.choice(["parallel", "vectorized", "unroll", "serial"])
            text, low, high = f"T.{word}({self.dim(which)})", 0, self.size(which) - 1
        self.emit(depth, f"for {var} in {text}:")
        inner = {**env, "vars": [(var, low, high), *env["vars"]], "lets": list(env["lets"]), "floats": list(env["floats"]),
                 "targets": list(env["targets"]), "loop": True}
        self.suite(inner, depth + 1, self.rng.randrange(1, 4))

    def tiles(self, env, depth):
        """A loop over all of a row, split in two, with a guard for the tail."""
        outer, inner = self.name("o"), self.name("t")
        which, tile = self.rng.choice(["n", "m"]), self.rng.choice([2, 4])
        size = self.size(which)
        self.emit(depth, f"for {outer}, {inner} in T.grid(({self.dim(which)} + {self.number(tile - 1)}) // {self.number(tile)}, {self.number(tile)}):")
        index = f"{outer} * {self.number(tile)} + {inner}"
        self.emit(depth + 1, f"if {index} < {self.dim(which)}:")
        name, dims = self.rng.choice([t for t in env["targets"]])
        places = [index if d == which else self.index(env, self.size(d), d) for d in dims]
        if None in places or which not in dims:
            return self.emit(depth + 2, "pass")
        target = f"{name}[{', '.join(places)}]"
        below = {**env, "vars": [(f"({index})", 0, size - 1), *env["vars"]]}
        self.emit(depth + 2, f"{target} = {self.value(below)}")
        return None

    def rows(self, env, depth):
        """What softmax is made of: a sum or a maximum of rows, and a loop that uses it."""
        if len(env["vars"]) > 1:
            return
        buffer = self.name("r")
        source = self.rng.choice([f for f in env["floats"] if f[1] == ("n", "m")])
        target = self.rng.choice([t for t in env["targets"] if t[1] == ("n", "m")])
        self.emit(depth, f"{buffer} = T.alloc_buffer(({self.dim('n')},), \"float32\")")
        i, k = self.name("i"), self.name("k")
        self.emit(depth, f"for {i} in range({self.dim('n')}):")
        self.emit(depth + 1, f"{buffer}[{i}] = T.float32({self.rng.randrange(3)})")
        if self.rng.random() < 0.5:
            i = self.name("i")
            self.emit(depth, f"for {i} in range({self.dim('n')}):")
        self.emit(depth + 1, f"for {k} in range({self.dim('m')}):")
        self.emit(depth + 2, f"{buffer}[{i}] = {self.rng.choice(['{0} + {1}', 'T.max({0}, {1})']).format(f'{buffer}[{i}]', f'{source[0]}[{i}, {k}]')}")
        i, j = self.name("i"), self.name("j")
        row = self.rng.choice([i, i, i, f"{self.dim('n')} - {self.number(1)} - {i}"])
        self.emit(depth, f"for {i}, {j} in T.grid({self.dim('n')}, {self.dim('m')}):")
        self.emit(depth + 1, f"{target[0]}[{i}, {j}] = {source[0]}[{i}, {j}] * T.float32(0.25) + {buffer}[{row}]")
        env["floats"].append((buffer, ("n",)))

    def block(self, env, depth):
        """A reduction as a block, its loops in any order, perhaps with T.where."""
        name, i, k, j = self.name("b"), self.name("i"), self.name("k"), self.name("j")
        source = self.rng.choice([f for f in env["floats"] if f[1] == ("n", "m")])
        spatial = self.rng.random() < 0.5
        loops = [(i, "n"), (k, "m")] + ([(j, self.rng.choice(["n", 3]))] if spatial else [])
        self.rng.shuffle(loops)
        self.emit(depth, f"for {', '.join(v for v, _ in loops)} in T.grid({', '.join(self.dim(d) for _, d in loops)}):")
        self.emit(depth + 1, f"with T.sblock(\"{name}\"):")
        depth += 2
        if self.rng.random() < 0.3:
            self.emit(depth, f"T.where({self.rng.choice([i, k])} % {self.number(2)} == {self.number(self.rng.randrange(2))})")
        self.emit(depth, f"v{i} = T.axis.spatial({self.dim('n')}, {i})")
        self.emit(depth, f"v{k} = T.axis.reduce({self.dim('m')}, {k})")
        if spatial:
            self.emit(depth, f"v{j} = T.axis.spatial({self.dim(dict(loops)[j])}, {j})")
        target, dims = self.rng.choice(env["targets"])
        below = {**env, "vars": [(f"v{i}", 0, self.n - 1)] + ([(f"v{j}", 0, self.size(dict(loops)[j]) - 1)] if spatial else [])}
        place = self.access(below, target, dims)
        if place is None:
            return self.emit(depth, "T.evaluate(0)")
        if self.rng.random() < 0.8:
            self.emit(depth, "with T.init():")
            self.emit(depth + 1, f"{place} = T.float32({self.rng.randrange(3)})")
        self.emit(depth, f"{place} = {place} + {source[0]}[v{i}, v{k}] * {self.value(below, 2)}")
        return None

    def guard(self, env, depth):
        self.emit(depth, f"if {self.condition(env)}:")
        inner = {**env, "lets": list(env["lets"]), "floats": list(env["floats"]), "targets": list(env["targets"])}
        self.suite(inner, depth + 1, self.rng.randrange(1, 3))
        if self.rng.random() < 0.3:
            self.emit(depth, "else:")
            self.suite({**env, "lets": list(env["lets"]), "floats": list(env["floats"]), "targets": list(env["targets"])}, depth + 1, 1)

    def let(self, env, depth):
        name = self.name("v")
        if env["vars"] and self.rng.random() < 0.5:
            var, low, high = self.rng.choice(env["vars"])
            self.emit(depth, f"{name}: T.let = {var} * {self.number(2)} - {var}")
            env["vars"] = [*env["vars"], (name, low, high)]
        elif self.rng.random() < 0.5:
            self.emit(depth, f"{name}: T.let[T.float32] = {self.value(env, 1)}")
            env["lets"].append(name)
        else:
            self.emit(depth, f"{name}: T.float32 = {self.value(env, 1)}")
            env["lets"].append(name)

    def allocate(self, env, depth):
        name = self.name("w")
        dims = self.rng.choice([("n", "m"), ("m",), ("n",), (1,), (4,)])
        self.emit(depth, f"{name} = T.alloc_buffer(({', '.join(self.dim(d) for d in dims)},), \"float32\")")
        loops = [self.name("z") for _ in dims]
        self.emit(depth, f"for {', '.join(loops)} in T.grid({', '.join(self.dim(d) for d in dims)}):")
        below = {**env, "vars": [*((v, 0, self.size(d) - 1) for v, d in zip(loops, dims)), *env["vars"]]}
        self.emit(depth + 1, f"{name}[{', '.join(loops)}] = {self.value(below, 1)}")
        env["floats"].append((name, dims))
        env["targets"].append((name, dims))

    def scratch(self, env, depth):
        """A small buffer, 0 at first, that a loop may make new in each iteration, or in some, or carry on."""
        name, i, k = self.name("s"), self.name("i"), self.name("k")
        size = self.rng.choice([1, 2, 4])
        self.emit(depth, f"{name} = T.alloc_buffer(({self.number(size)},), \"float32\")")
        self.emit(depth, f"for {i} in range({self.dim('n')}):")
        below = {**env, "vars": [(i, 0, self.n - 1), *env["vars"]], "lets": list(env["lets"]), "loop": True}
        makers = [lambda: self.emit(depth + 1, f"for {k} in range({self.number(self.rng.choice([size, size, size - 1]))}):\n" + "    " * (depth + 2)
                                    + f"{name}[{k}] = {self.value(below, 2)}"),
                  lambda: self.emit(depth + 1, f"{name}[{self.number(self.rng.randrange(size))}] = {self.value(below, 2)}"),
                  lambda: self.store(user, depth + 1), lambda: self.guard(user, depth + 1), lambda: self.loop(user, depth + 1)]
        user = {**below, "floats": [*env["floats"], *[(name, (size,))] * 4], "targets": [*env["targets"], *[(name, (size,))] * 2]}
        for _ in range(self.rng.randrange(2, 5)):
            self.rng.choice(makers)()
        self.emit(depth + 1, f"P[{i}] = P[{i}] + {name}[{self.number(size - 1)}]")

    def jump(self, env, depth):
        if env["loop"]:
            self.emit(depth, f"if {self.condition(env)}:")
            self.emit(depth + 1, self.rng.choice(["break", "continue"]))

    def suite(self, env, depth, count):
        before = len(self.lines)
        for _ in range(count):
            makers = [self.store, self.store, self.store, self.integer_store, self.guard, self.let]
            if depth < 6:
                makers += [self.loop, self.loop, self.loop, self.tiles, self.rows, self.block, self.allocate, self.scratch]
            if self.rng.random() < 0.05:
                makers = [self.jump]
            self.rng.choice(makers)(env, depth)
        if len(self.lines) == before:
            self.emit(depth, "pass")

    def text(self):
        n, m = ("n", "m") if self.is_symbolic else (str(self.n), str(self.m))
        quoted = f'("{n}", "{m}")' if self.is_symbolic else f"({n}, {m})"
        buffer, row = f'T.Buffer({quoted}, "float32")', f'T.Buffer(({n},), "float32")'
        if not self.is_symbolic and self.wide:
            buffer, row = buffer.replace(quoted, f"(T.int64({n}), T.int64({m}))"), f'T.Buffer((T.int64({n}),), "float32")'
        plain = buffer.replace('"n"', "n").replace('"m"', "m")
        inplace = self.rng.random() < 0.4
        env = {"vars": [], "lets": [], "loop": False,
               "floats": [("A", ("n", "m")), ("B", ("n", "m")), ("O", ("n", "m")), ("P", ("n",))],
               "targets": [("O", ("n", "m")), ("O", ("n", "m")), ("P", ("n",))]}
        if inplace:
            env["targets"].append(("A", ("n", "m")))
        self.suite(env, 2, self.rng.randrange(2, 7))
        symbols = "        n = T.int64()\n        m = T.int64()\n" if self.is_symbolic else ""
        start = (f"        for i, j in T.grid({self.dim('n')}, {self.dim('m')}):\n            O[i, j] = B[i, j]\n"
                 f"            Q[i, j] = T.int64(0)\n        for i in range({self.dim('n')}):\n            P[i] = T.float32(0)\n")
        kernel = (f"    @T.prim_func(private=True)\n    def kernel(A: {buffer}, B: {plain}, O: {plain}, P: {row}, Q: {plain.replace('float32', 'int64')}):\n"
                  f"{symbols}{start}" + "\n".join(self.lines) + "\n")
        main_symbols = "        n = T.int64()\n        m = T.int64()\n" if self.is_symbolic else ""
        types = [f'R.Tensor(({n}, {m}), "float32")', f'R.Tensor(({n},), "float32")', f'R.Tensor(({n}, {m}), "int64")']
        if inplace:
            call = f"R.call_tir_inplace(cls.kernel, (x, y), out_ty=[{types[0]}, {', '.join(types)}], inplace_indices=[0, -1, -1, -1])"
        else:
            call = f"R.call_tir(cls.kernel, (x, y), out_ty=[{', '.join(types)}])"
        parameter = f'R.Tensor({quoted}, "float32")'
        main = (f"    @R.function\n    def main(x: {parameter}, y: {parameter}):\n{main_symbols}        cls = Module\n"
                f"        z = {call}\n        return z\n")
        head = ("from tvm.script import ir as I\nfrom tvm.script import relax as R\nfrom tvm.script import tirx as T\n\n"
                "@I.ir_module\nclass Module:\n")
        return head + kernel + "\n" + main


def loop_passes(tool):
    """Names of the passes on kernels that keep every bit."""
    done = subprocess.run([tool, "list", "passes"], capture_output=True, text=True, check=True)
    wanted = ("LowerInitBlock LowerBlocks Simplify FuseLoops CompactBufferAllocation HoistExpression LoopPartition UnrollLoop "
              "VectorizeLoop ParallelizeLoop SplitLoop").split()
    return [name for name in wanted if re.search(rf"^\s*{name}\b", done.stdout, re.MULTILINE)]


def make_order(rng, passes):
    chosen = [rng.choice(passes) for _ in range(rng.randrange(1, 8))]
    if rng.random() < 0.7:
        chosen.insert(rng.randrange(0, 2), "LowerBlocks")
    options = {"FuseLoops": "serial=true", "UnrollLoop": "all=true", "SplitLoop": f"factor={rng.randrange(2, 6)}",
               "VectorizeLoop": "strided=true", "ParallelizeLoop": "grain=4"}
    chosen = [f"{name}({options[name]})" if name in options and rng.random() < 0.5 else name for name in chosen]
    chosen.insert(rng.randrange(len(chosen) + 1), "ResolveInplace")
    return ",".join(chosen)


def check(tool, passes, seed, folder, order):
    rng = random.Random(seed)
    kernel = Kernel(rng)
    file = folder / f"kernel_{seed}.py"
    file.write_text(kernel.text())
    is_scheduled = not order and seed % 4 == 0
    order = order or ("ResolveInplace,ScheduleCPU(vector_bytes=16)" if is_scheduled else make_order(rng, passes))
    tolerance = "1e-3" if "ScheduleCPU" in order else "1e-300"
    dims = ["--dim", f"n={kernel.n}", "--dim", f"m={kernel.m}"] if kernel.is_symbolic else []
    common = [tool, "run", "--check", f"--tolerance={tolerance}", *dims, str(file), "-O1"]
    watch = ["--verify-each", "--roundtrip-each", "--check-each"]
    try:
        done = subprocess.run([*common, "-p", order, *watch], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        if done.returncode == 0:
            return None, False
        base = subprocess.run([*common, "-p", "ResolveInplace"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120)
    except subprocess.TimeoutExpired:
        return f"-p {order}: no end", False
    if base.returncode != 0 and done.returncode in (1, 3):
        return None, True
    return f"-p {order} {' '.join(dims)}: exit status {done.returncode}\n{done.stderr[:1500]}", False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--passes")
    options = parser.parse_args()
    passes = loop_passes(options.tool)
    failed = skipped = 0
    print(f"1..{options.count + 1}")
    with tempfile.TemporaryDirectory() as temp:
        folder = options.keep or pathlib.Path(temp)
        folder.mkdir(exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            seeds = range(options.seed, options.seed + options.count)
            results = pool.map(lambda s: check(options.tool, passes, s, folder, options.passes), seeds)
            for number, (seed, (why, is_skipped)) in enumerate(zip(seeds, results), 1):
                failed += why is not None
                skipped += is_skipped
                print(f"{'not ok' if why else 'ok'} {number} - seed {seed}{' # SKIP fails as written' if is_skipped else ''}")
                if why:
                    print("# " + why.rstrip().replace("\n", "\n# "), flush=True)
    is_useful = skipped * 2 <= options.count
    print(f"{'ok' if is_useful else 'not ok'} {options.count + 1} - {skipped} of {options.count} fail as written")
    return 1 if failed or not is_useful else 0


if __name__ == "__main__":
    sys.exit(main())

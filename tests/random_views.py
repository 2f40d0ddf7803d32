#!/usr/bin/env python3
"""Random programs on parts of storage, compared over the interpreter and compiled code.

`R.memory.view` of values and of donated and borrowed parameters, at numbers and at multiples of a symbol, apart, touching,
overlapping and one within another, also as numbers of another type; kernels update one part or two, read one while
they update another, shift within one; parts are read before, behind and in branches, joined, given by functions and returned.
`inlay run --check` compares the results before and behind the passes, and that what is borrowed survives.

usage: random_views.py TOOL [--count N] [--seed S] [--keep FOLDER]
"""
import argparse
import concurrent.futures
import pathlib
import random
import subprocess
import sys
import tempfile

PIPELINES = ["default", "default", "unscheduled", "debug"]
PARTS = 8  # of a storage: its units
KERNELS = '''    @T.prim_func(private=True)
    def scale(x: T.handle):
        k = T.int64()
        X = T.match_buffer(x, (k,), "int32")
        for i in T.serial(k):
            X[i] = X[i] * 2 + 1

    @T.prim_func(private=True)
    def swap(x: T.handle, y: T.handle):
        k = T.int64()
        X = T.match_buffer(x, (k,), "int32")
        Y = T.match_buffer(y, (k,), "int32")
        t = T.alloc_buffer((1,), "int32")
        for i in T.serial(k):
            t[0] = X[i]
            X[i] = Y[i] + 1
            Y[i] = t[0]

    @T.prim_func(private=True)
    def gather(x: T.handle, y: T.handle):
        k = T.int64()
        m = T.int64()
        X = T.match_buffer(x, (k,), "int32")
        Y = T.match_buffer(y, (m,), "int32")
        for i in T.serial(k):
            X[i] = X[i] + T.if_then_else(i < m, Y[i], 3)

    @T.prim_func(private=True)
    def shift(x: T.handle):
        k = T.int64()
        X = T.match_buffer(x, (k,), "int32")
        for i in T.serial(1, k):
            X[i] = X[i - 1] + X[i]

    @R.function(private=True)
    def front(x: R.Tensor(("n * 8",), "int32"), w: R.Tensor(("n",), "int32")) -> R.Tensor(("n * 2",), "int32"):
        n = T.int64()
        v = R.memory.view(x, R.shape([n * 2]), R.dtype("int32"), n * 4)
        return v
'''


class Program:
    def __init__(self, rng):
        self.rng, self.count, self.lines = rng, 0, []
        self.unit = rng.choice(["n", "n", 1, 2, 3])
        self.bases = [("x", 8), ("y", 8)]
        self.parts = []  # (name, base, first unit, units)
        self.numbers = []

    def size(self, units):
        return f"n * {units}" if self.unit == "n" else str(self.unit * units)

    def put(self, depth, text):
        self.count += 1
        self.lines.append("    " * depth + f"v{self.count} = {text}")
        return f"v{self.count}"

    def base(self, depth):
        """Storage of its own, in which parts may be updated."""
        name = self.put(depth, self.rng.choice(["R.negative({})", "R.copy({})", "R.add({0}, {0})"]).format(self.rng.choice(self.bases)[0]))
        self.bases.append((name, PARTS))
        self.parts.append((name, name, 0, PARTS))

    def view(self, depth):
        name, base, first, units = self.rng.choice(self.parts[-8:]) if self.parts and self.rng.random() < 0.8 else (*[self.rng.choice(self.bases)[0]] * 2, 0, PARTS)
        at = self.rng.randrange(units)
        many = self.rng.choice([units - at, self.rng.randint(1, units - at)])
        dtype = self.rng.choice(["int32"] * 6 + ["uint32"])
        made = self.put(depth, f'R.memory.view({name}, R.shape([{self.size(many)}]), R.dtype("{dtype}"), {self.size(at)} * 4)')
        if dtype != "int32":
            made = self.put(depth, f'R.memory.view({made}, R.shape([{self.size(many)}]), R.dtype("int32"), 0)')
        if self.unit == "n" and units == PARTS and self.rng.random() < 0.15:
            made, at, many = self.put(depth, f"cls.front({name}, z)"), 1, 2
        self.parts.append((made, base, first + at, many))

    def pick(self, test=lambda part: True):
        fitting = [part for part in self.parts if test(part)]
        return self.rng.choice(fitting[-6:] if self.rng.random() < 0.7 else fitting) if fitting else None

    def update(self, depth):
        part = self.pick()
        if not part:
            return
        name, base, first, units = part
        kind, kernel, order = f'R.Tensor(({self.size(units)},), "int32")', self.rng.choice(["scale", "shift", "gather", "swap"]), "[0]"
        other = self.pick(lambda p: p[3] == units and p is not part) if kernel == "swap" else self.pick()
        if kernel == "swap" and other:
            both = self.put(depth, f"R.call_tir_inplace(cls.swap, ({name}, {other[0]}), out_ty=[{kind}, {kind}], inplace_indices=[0, 1])")
            self.parts += [(self.put(depth, f"{both}[0]"), base, first, units), (self.put(depth, f"{both}[1]"), *other[1:])]
            return
        given = f"({name}, {other[0]})" if kernel == "gather" and other else f"({name},)"
        kernel = "scale" if given.endswith(",)") and kernel in ("gather", "swap") else kernel
        self.parts.append((self.put(depth, f"R.call_tir_inplace(cls.{kernel}, {given}, out_ty={kind}, inplace_indices={order})"), base, first, units))

    def read(self, depth):
        part = self.pick()
        if not part:
            return
        same = self.pick(lambda p: p[3] == part[3])
        text = self.rng.choice(["R.sum({0})", "R.max(R.concat(({0}, R.const([0], 'int32')), axis=0))", "R.sum(R.add({0}, {1}))", "R.sum(R.concat(({0}, {1}), axis=0))"])
        self.numbers.append(self.put(depth, text.format(part[0], same[0])))

    def branch(self, depth):
        kept = len(self.parts), len(self.bases), len(self.numbers)
        self.count += 1
        name, part = f"v{self.count}", self.pick()
        if not part or depth > 3:
            return
        made = None
        for head in ("if flag:", "else:"):
            self.lines.append("    " * depth + head)
            for _ in range(self.rng.randint(1, 3)):
                self.rng.choice([self.view, self.update, self.update, self.read])(depth + 1)
            self.parts.append(part)
            value = self.pick(lambda p: p[3] == part[3])
            self.lines.append("    " * (depth + 1) + f"{name} = {value[0]}")
            made = (name, part[1], part[2], part[3])
            self.parts, self.bases, self.numbers = self.parts[:kept[0]], self.bases[:kept[1]], self.numbers[:kept[2]]
        self.parts.append(made)

    def text(self):
        self.base(2)
        for _ in range(self.rng.randint(5, 12)):
            self.rng.choice([self.view, self.view, self.view, self.update, self.update, self.read, self.branch, self.base])(2)
        self.read(2)
        results = self.numbers[-3:] + [part[0] for part in self.rng.sample(self.parts, min(2, len(self.parts)))] + [self.put(2, f"R.copy({self.parts[-1][0]})")]
        head = f'"n * {PARTS}"' if self.unit == "n" else str(self.unit * PARTS)
        params = ", ".join(f'{name}: R.Tensor(({head},), "int32")' for name in "xy")
        return "\n".join([
            "from tvm.script import ir as I", "from tvm.script import relax as R", "from tvm.script import tirx as T", "", "@I.ir_module", "class Module:", KERNELS,
            "    @R.function", f'    def main({params}, z: R.Tensor(("n",), "int32"), flag: R.Tensor((), "bool")):', "        n = T.int64()",
            '        R.func_attr({"relax.inplace_arg": [0]})', "        cls = Module", *self.lines, f"        return ({', '.join(results)},)"]) + "\n"


def check(tool, seed, folder):
    file = folder / f"views_{seed}.py"
    rng = random.Random(seed)
    file.write_text(Program(rng).text())
    for rows in (0, rng.choice([1, 2, 5])):
        options = ["-O1", "-p", rng.choice(PIPELINES), "--dim", f"n={rows}", "--in", f"flag={rng.choice(['true', 'false'])}"]
        try:
            done = subprocess.run([tool, "run", "--check", *options, str(file)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, timeout=120, cwd=folder)
        except subprocess.TimeoutExpired:
            return f"{' '.join(options)}: no end"
        if done.returncode != 0:
            return f"{' '.join(options)}: exit status {done.returncode}\n{done.stderr[:2000]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    failed = 0
    print(f"1..{options.count}")
    with tempfile.TemporaryDirectory() as temp:
        folder = (options.keep or pathlib.Path(temp)).resolve()
        folder.mkdir(exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            seeds = range(options.seed, options.seed + options.count)
            for number, (seed, why) in enumerate(zip(seeds, pool.map(lambda s: check(options.tool, s, folder), seeds)), 1):
                failed += why is not None
                print(f"{'not ok' if why else 'ok'} {number} - seed {seed}")
                if why:
                    print("# " + why.rstrip().replace("\n", "\n# "))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Random graphs of open sizes with branches, whose plan of memory the checker of storage has to follow.

Branches give what they compute, views of what is there (squeeze, reshape, expand_dims), other names, values behind R.Object and
match_cast, and tuples of these; kernels of fixed and of open size work beside, some in place. `inlay run --check` compares the
results before and behind the passes; a plan that is lost (E0342) is a failure, too.

usage: random_branches.py TOOL [--count N] [--seed S] [--keep FOLDER]
"""
import argparse
import concurrent.futures
import pathlib
import random
import subprocess
import sys
import tempfile

HEAD = '''from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def turn(x: T.Buffer((3, 4), "float32"), y: T.Buffer((3, 4), "float32")):
        for i, j in T.grid(3, 4):
            y[i, j] = x[i, 3 - j]

    @T.prim_func(private=True)
    def scale(x: T.Buffer(("n", 4), "float32"), y: T.Buffer(("n", 4), "float32")):
        n = T.int64()
        for i, j in T.grid(n, 4):
            y[i, j] = x[i, j] * T.float32(2)

    @T.prim_func(private=True)
    def fold(x: T.Buffer(("n", 4), "float32"), y: T.Buffer((3, 4), "float32")):
        n = T.int64()
        for i, j in T.grid(3, 4):
            y[i, j] = T.float32(i)
        for i, j in T.grid(n, 4):
            y[i % 3, j] = y[i % 3, j] + x[i, j]

    @T.prim_func(private=True)
    def add_to(x: T.Buffer((3, 4), "float32"), y: T.Buffer((3, 4), "float32")):
        for i, j in T.grid(3, 4):
            x[i, j] = x[i, j] + y[i, j]

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), a: R.Tensor((3, 4), "float32"), c: R.Tensor((), "bool"), d: R.Tensor((), "bool")):
        n = T.int64()
        cls = Module
'''
FIXED, OPEN = 'R.Tensor((3, 4), "float32")', 'R.Tensor((n, 4), "float32")'


class Script:
    def __init__(self, seed):
        self.random, self.lines, self.names = random.Random(seed), [], 0

    def new(self):
        self.names += 1
        return f"v{self.names}"

    def bind(self, indent, value):
        name = self.new()
        self.lines.append(f"{' ' * indent}{name} = {value}")
        return name

    def pick(self, values, last=99):
        return self.random.choice(values[-last:])

    def step(self, indent, fixed, open_, depth):
        one, other, size = self.pick(fixed), self.pick(fixed), self.pick(open_)
        choice = self.random.choice(["scale", "scale", "fold", "fold", "turn", "turn", "sum", "axis", "flat", "rows", "update", "object", "if", "if", "if"])
        if choice == "scale":
            open_.append(self.bind(indent, f"R.call_tir(cls.scale, ({size},), out_ty={OPEN})"))
        elif choice == "fold":
            fixed.append(self.bind(indent, f"R.call_tir(cls.fold, ({size},), out_ty={FIXED})"))
        elif choice == "turn":
            fixed.append(self.bind(indent, f"R.call_tir(cls.turn, ({one},), out_ty={FIXED})"))
        elif choice == "sum":
            fixed.append(self.bind(indent, f"R.{self.random.choice(['add', 'maximum'])}({one}, {other})"))
        elif choice == "axis":
            fixed.append(self.bind(indent, f"R.reshape(R.expand_dims({one}, axis=[{self.random.randrange(3)}]), (3, 4))"))
        elif choice == "flat":
            fixed.append(self.bind(indent, f"R.reshape(R.squeeze(R.reshape({one}, (1, 12)), axis=[0]), (3, 4))"))
        elif choice == "rows":
            open_.append(self.bind(indent, f"R.reshape(R.reshape({size}, (n * 4,)), (n, 4))"))
        elif choice == "update":
            fixed.append(self.bind(indent, f"R.call_tir_inplace(cls.add_to, ({one}, {other}), out_ty={FIXED}, inplace_indices=[0])"))
        elif choice == "object":
            name = self.new()
            self.lines.append(f"{' ' * indent}{name}: R.Object = {one}")
            fixed.append(self.bind(indent, f"R.match_cast({name}, {FIXED})"))
        elif depth < 2:
            self.branches(indent, fixed, open_, depth)

    def branches(self, indent, fixed, open_, depth):
        kind, name, condition = self.random.choice(["fixed", "fixed", "open", "tuple"]), self.new(), self.random.choice("cd")
        for head in (f"if {condition}:", "else:"):
            self.lines.append(" " * indent + head)
            inner = list(fixed), list(open_)
            for _ in range(self.random.choice([0, 0, 1, 2, 3])):
                self.step(indent + 4, *inner, depth + 1)
            one, size = self.pick(inner[0], 4), self.pick(inner[1], 3)
            value = {"fixed": one, "open": size, "tuple": f"({one}, {size})"}[kind]
            self.lines.append(f"{' ' * indent}    {name} = {value}")
        if kind != "open":
            fixed.append(self.bind(indent, f"{name}[0]") if kind == "tuple" else name)
        if kind != "fixed":
            open_.append(self.bind(indent, f"{name}[1]") if kind == "tuple" else name)

    def text(self):
        fixed, open_ = ["a"], ["x"]
        for _ in range(self.random.randint(5, 14)):
            self.step(8, fixed, open_, 0)
        return HEAD + "\n".join(self.lines) + f"\n        return ({self.pick(fixed, 3)}, {self.pick(open_, 2)})\n"


def run(tool, folder, seed):
    """What is wrong with the script of @seed; empty: nothing."""
    path = pathlib.Path(folder, f"branches{seed}.py")
    path.write_text(Script(seed).text())
    done = subprocess.run([tool, "run", "--check", "--no-cache", "--dim", f"n={seed % 6}", "--diagnostics=short", path], capture_output=True, text=True)
    return done.stderr if done.returncode or "E0342" in done.stderr else ""


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("tool")
    arguments.add_argument("--count", type=int, default=60)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--keep")
    given = arguments.parse_args()
    failed = 0
    print(f"1..{given.count}")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        seeds = range(given.seed, given.seed + given.count)
        for number, (seed, found) in enumerate(zip(seeds, pool.map(lambda seed: run(given.tool, given.keep or folder, seed), seeds)), 1):
            print(f"{'not ok' if found else 'ok'} {number} - seed {seed}")
            print("".join(f"# {line}\n" for line in found.splitlines()), end="")
            failed += bool(found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

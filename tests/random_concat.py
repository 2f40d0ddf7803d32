#!/usr/bin/env python3
"""Random programs that put tensors together, compared over the interpreter and compiled code.

Concatenations and stacks over all axes, paddings, slices and pieces that are joined again, in each other and of values
that others read, update in place, return, or read in a branch; of known and of symbolic sizes, and of none; half of the programs
are given parameters whose storage has room for what is joined to them.  `inlay run
--check` compares the results before and behind the passes, and that the inputs survive: unfused, fused a little, fused,
and with ElideConcat at other places than the pipelines have it.

usage: random_concat.py TOOL [--count N] [--seed S] [--keep FOLDER]
"""
import argparse
import concurrent.futures
import pathlib
import random
import subprocess
import sys
import tempfile

END = "ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse"
PIPELINES = [
    f"LegalizeOps,ElideConcat,{END}",
    "default",
    "unscheduled",
    f"LegalizeOps,AnnotateTIROpPattern,FuseOps(max_depth=2),FuseTIR,ElideConcat,ElideConcat,ScheduleCPU,{END}",
    f"LegalizeOps,ElideConcat,AnnotateTIROpPattern,FuseOps,FuseTIR,ElideConcat,ScheduleCPU,LowerIntrin,{END}",
    f"LegalizeOps,ViewCalls,ElideConcat,InplaceCalls,{END}",
]
UNARY = ["R.exp({})", "R.negative({})", "R.tanh({})", "R.nn.relu({})", "R.nn.softmax({}, axis=-1)"]
KERNELS = '''    @T.prim_func(private=True)
    def inc(x: T.handle):
        n = T.int64()
        m = T.int64()
        X = T.match_buffer(x, (n, m), "float32")
        for i, j in T.grid(n, m):
            X[i, j] = X[i, j] + T.float32(1)

    @T.prim_func(private=True)
    def choose(x: T.handle, y: T.handle, out: T.handle):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        X = T.match_buffer(x, (n, k), "float32")
        Y = T.match_buffer(y, (m, k), "float32")
        O = T.match_buffer(out, (n + m, k), "float32")
        for i, j in T.grid(n + m, k):
            O[i, j] = T.if_then_else(i < n, X[i, j], Y[i - n, j])
'''


def plus(a, b):
    return a + b if isinstance(a, int) and isinstance(b, int) else f"({a} + {b})"


def shape_text(shape, quotes=False):
    dims = [f'"{d}"' if quotes and isinstance(d, str) else str(d) for d in shape]
    return "(" + ", ".join(dims) + ("," if len(dims) == 1 else "") + ")"


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.is_symbolic = rng.random() < 0.5
        n, m = ("n", "m") if self.is_symbolic else (3, 5)
        self.params = [("a", (n, 4)), ("b", (m, 4)), ("c", (n, 6)), ("d", (4, 4)), ("e", (n, 4))]
        self.values = list(self.params)
        self.lines = []
        self.count = 0
        self.has_branches = rng.random() < 0.3
        self.donated = []

    def donate(self, dice):
        """Some parameters have room, and something is joined to each of these."""
        for place, (name, shape) in enumerate(self.params):
            if name != "d" and dice.random() < 0.6:
                self.donated.append(place)
                made = self.new(self.rng.choice(UNARY).format(name), shape)
                parts = [name, made[0]] if dice.random() < 0.8 else [made[0], name]
                axis = dice.choice([0, 0, 1])
                self.new(f"R.concat(({', '.join(parts)}), axis={axis})", shape[:axis] + (plus(shape[axis], shape[axis]),) + shape[axis + 1:])

    def attrs(self):
        rooms = ", ".join(f'"{self.params[i][0]}": {4000 if self.is_symbolic else [4000, self.params[i][1][1]]}' for i in self.donated)
        return f'        R.func_attr({{"relax.inplace_arg": {self.donated}, "relax.capacity": {{{rooms}}}}})'

    def new(self, text, shape):
        self.count += 1
        self.lines.append(f"v{self.count} = {text}")
        self.values.append((f"v{self.count}", tuple(shape)))
        return self.values[-1]

    def pick(self, wanted=lambda shape: True):
        fit = [v for v in self.values if wanted(v[1])]
        return self.rng.choice(fit[-8:] if self.rng.random() < 0.8 else fit) if fit else None

    def fresh(self, value):
        return self.new(self.rng.choice(UNARY).format(value[0]), value[1])

    def unary(self, value):
        self.fresh(value)

    def matmul(self, value):
        value = self.pick(lambda shape: len(shape) == 2 and shape[1] == 4)
        self.new(f"R.matmul({value[0]}, d)", value[1])

    def binary(self, value):
        other = self.pick(lambda shape: shape == value[1])
        self.new(f"R.{self.rng.choice(['add', 'multiply', 'subtract'])}({value[0]}, {other[0]})", value[1])

    def reduce(self, value):
        if len(value[1]) > 1:
            self.new(f"R.sum({value[0]}, axis=-1)", value[1][:-1])

    def concat(self, value):
        if self.rng.random() < 0.6:
            value = self.fresh(value)
        shape, axis = value[1], self.rng.randrange(len(value[1]))
        parts = [value]
        for _ in range(self.rng.randint(1, 3)):
            parts.append(self.pick(lambda s: len(s) == len(shape) and s[:axis] + s[axis + 1:] == shape[:axis] + shape[axis + 1:]))
        self.rng.shuffle(parts)
        total = parts[0][1][axis]
        for part in parts[1:]:
            total = plus(total, part[1][axis])
        if len(str(total)) < 100 and not (isinstance(total, int) and total > 40):
            names = ", ".join(part[0] for part in parts)
            self.new(f"R.concat(({names},), axis={axis})", shape[:axis] + (total,) + shape[axis + 1:])

    def choose(self, value):
        first = self.pick(lambda s: len(s) == 2)
        other = self.pick(lambda s: len(s) == 2 and s[1] == first[1][1])
        rows = plus(first[1][0], other[1][0])
        if len(str(rows)) < 100:
            shape = (rows, first[1][1])
            self.new(f'R.call_tir(cls.choose, ({first[0]}, {other[0]}), out_ty=R.Tensor({shape_text(shape)}, "float32"))', shape)

    def stack(self, value):
        if len(value[1]) < 3:
            other, axis = self.pick(lambda shape: shape == value[1]), self.rng.randint(0, len(value[1]))
            self.new(f"R.stack(({value[0]}, {other[0]}), axis={axis})", value[1][:axis] + (2,) + value[1][axis:])

    def pad(self, value):
        width = [self.rng.randint(0, 2) for _ in range(2 * len(value[1]))]
        shape = [plus(d, width[2 * i] + width[2 * i + 1]) for i, d in enumerate(value[1])]
        if len(str(shape)) < 100:
            self.new(f"R.nn.pad({value[0]}, ({', '.join(map(str, width))}))", shape)

    def known_axes(self, value, multiple):
        return [i for i, d in enumerate(value[1]) if isinstance(d, int) and d >= 2 and d % multiple == 0]

    def slice(self, value):
        axes = self.known_axes(value, 1)
        if axes:
            axis = self.rng.choice(axes)
            begin = self.rng.randint(0, value[1][axis] - 2)
            end = self.rng.randint(begin + 1, value[1][axis])
            shape = value[1][:axis] + (end - begin,) + value[1][axis + 1:]
            self.new(f"R.strided_slice({value[0]}, axes=[{axis}], begin=[{begin}], end=[{end}])", shape)

    def split(self, value):
        axes = self.known_axes(value, 2)
        if not axes:
            return
        axis = self.rng.choice(axes)
        shape = value[1][:axis] + (value[1][axis] // 2,) + value[1][axis + 1:]
        self.count += 1
        pieces = f"t{self.count}"
        self.lines.append(f"{pieces} = R.split({value[0]}, 2, axis={axis})")
        halves = [self.new(f"{pieces}[{i}]", shape) for i in self.rng.choice([(0, 1), (1, 0), (0, 1, 0), (1,)])]
        if self.rng.random() < 0.5:
            order = self.rng.sample(halves, 2) if len(halves) > 1 else halves * 2
            self.new(f"R.concat(({order[0][0]}, {order[1][0]}), axis={axis})", value[1])

    def update(self, value):
        value = self.pick(lambda shape: len(shape) == 2)
        self.new(f'R.call_tir_inplace(cls.inc, ({value[0]},), out_ty=R.Tensor({shape_text(value[1])}, "float32"), '
                 "inplace_indices=[0])", value[1])

    def branch(self, value):
        if not self.has_branches:
            return
        other = self.pick(lambda shape: shape == value[1])
        self.count += 1
        name = f"v{self.count}"
        self.lines += [f"if flag:", f"    x{self.count} = R.stack((R.exp({value[0]}), {other[0]}), axis=0)",
                       f"    {name} = R.sum(x{self.count}, axis=0)", "else:", f"    {name} = R.negative({other[0]})"]
        self.values.append((name, value[1]))

    def text(self, dice):
        steps = [self.unary, self.unary, self.matmul, self.matmul, self.binary, self.reduce, self.concat, self.concat,
                 self.concat, self.concat, self.choose, self.stack, self.pad, self.slice, self.split, self.update, self.branch]
        for _ in range(self.rng.randint(6, 16)):
            self.rng.choice(steps)(self.pick())
        if dice.random() < 0.5:
            self.donate(dice)
        made = self.values[len(self.params):]
        results = list(dict.fromkeys([*self.rng.sample(made, min(len(made), self.rng.randint(1, 3))), made[-1]]))
        names = ", ".join(name for name, _ in results)
        params = [f'{name}: R.Tensor({shape_text(shape, True)}, "float32")' for name, shape in self.params]
        head = ["    @R.function", f"    def main({', '.join(params)}, flag: R.Tensor((), \"bool\")):"]
        if self.is_symbolic:
            head += ["        n = T.int64()", "        m = T.int64()"]
        if self.donated:
            head.append(self.attrs())
        head.append("        cls = Module")
        if self.has_branches:
            body = ["        " + line for line in self.lines]
        else:
            body = ["        with R.dataflow():", *("            " + line for line in self.lines), f"            R.output({names})"]
        return ("from tvm.script import ir as I\nfrom tvm.script import relax as R\nfrom tvm.script import tirx as T\n\n@I.ir_module\nclass Module:\n"
                + KERNELS + "\n" + "\n".join([*head, *body, f"        return ({names},)"]) + "\n")


def check(tool, seed, folder):
    file = folder / f"concat_{seed}.py"
    rng = random.Random(seed)
    program = Program(rng)
    file.write_text(program.text(random.Random(f"room {seed}")))
    sizes = [("3", "5"), rng.choice([("1", "0"), ("0", "2"), ("2", "1")])] if program.is_symbolic else [None]
    for number, pipeline in enumerate(PIPELINES):
        for size in sizes:
            options = ["-O1", "-p", pipeline] + (["--roundtrip-each", "--check-each"] if number == seed % len(PIPELINES) else [])
            options += ["--dim", f"n={size[0]}", "--dim", f"m={size[1]}"] if size else []
            try:
                done = subprocess.run([tool, "run", "--check", *options, str(file)], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120, cwd=folder)
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

#!/usr/bin/env python3
"""Random programs, biased towards shared storage, compared over the interpreter and compiled code.

Each program mixes operators of all kinds with views, tuples, renames, branches, calls, nested functions, dataflow blocks
and in-place kernels on values that other names still read; every value that nobody reads is a result. `inlay run --check` runs it in the
interpreter, before and behind the passes, and compiled, twice, and compares results and that borrowed inputs are
unchanged; that is done at -O0 and -O2, in place and with --inplace=off, and behind a random order of passes.

usage: random_programs.py TOOL [--count N] [--seed S] [--keep FOLDER]
"""
import argparse
import concurrent.futures
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import orders

SHAPES = [(4,), (2, 2), (3, 4), (2, 3, 2), (1, 4), (), (12,), (4, 1)]
UNARY = ["R.negative", "R.abs", "R.tanh", "R.nn.relu", "R.exp", "R.sqrt", "R.sigmoid", "R.floor", "R.nn.gelu", "R.sign"]
BINARY = ["R.add", "R.subtract", "R.multiply", "R.maximum", "R.minimum", "R.divide", "R.power"]


def dims(shape):
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def tensor(shape, dtype="float32"):
    return f'R.Tensor({dims(shape)}, "{dtype}")'


def size(shape):
    total = 1
    for dim in shape:
        total *= dim
    return total


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.kernels = {}
        self.functions = {}
        self.lines = []
        self.count = 0
        self.donated = []
        self.conditions = []

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def emit(self, indent, values, shape, text):
        name = self.name()
        self.lines.append("    " * indent + f"{name} = {text}")
        values.append((name, shape))
        return name

    # ---- kernels, made for the shapes that are wanted

    def kernel(self, kind, shape):
        """A kernel that updates its first buffer: alone, with a second one, or with a fresh output."""
        name = f"{kind}_" + "x".join(map(str, shape)) if shape else f"{kind}_scalar"
        if name not in self.kernels:
            index = ", ".join(f"v{i}" for i in range(len(shape))) or "()"
            buffer = f'T.Buffer({dims(shape)}, "float32")'
            params = [f"a: {buffer}"] + ([f"b: {buffer}"] if kind != "scale" else [])
            loops = [f"i{i}" for i in range(len(shape))]
            lines = ["    @T.prim_func(private=True)", f"    def {name}({', '.join(params)}):"]
            pad = "        "
            if shape:
                lines.append(f"{pad}for {', '.join(loops)} in T.grid({', '.join(map(str, shape))}):")
                pad += "    "
            lines.append(f'{pad}with T.sblock("{name}"):')
            pad += "    "
            for i, loop in enumerate(loops):
                lines.append(f"{pad}v{i} = T.axis.spatial({shape[i]}, {loop})")
            back = ", ".join([*(f"v{i}" for i in range(len(shape) - 1)), f"{shape[-1] - 1} - v{len(shape) - 1}"]) if shape else "()"
            lines += [f"{pad}" + line for line in {
                "scale": [f"a[{index}] = a[{index}] * T.float32(0.5)"],
                "mix": [f"a[{index}] = a[{index}] - b[{index}]"],
                "mirror": [f"a[{index}] = a[{index}] + b[{back}]"],
                "split": [f"b[{index}] = a[{index}] + T.float32(1)", f"a[{index}] = T.float32(0) - a[{index}]"],
            }[kind]]
            self.kernels[name] = "\n".join(lines)
        return name

    def function(self, kind, shape):
        name = f"{kind}_" + ("x".join(map(str, shape)) or "scalar")
        if name not in self.functions:
            attr, body = "", "        return x"
            if kind == "consume":
                attr = '        R.func_attr({"relax.inplace_arg": 0})\n'
                body = (f"        y = R.call_tir_inplace(cls.{self.kernel('scale', shape)}, (x,), out_ty={tensor(shape)}, "
                        "inplace_indices=[0])\n        return y")
            elif kind == "fresh":
                body = "        y = R.tanh(x)\n        return y"
            self.functions[name] = (f"    @R.function(private=True)\n    def {name}(x: {tensor(shape)}) -> {tensor(shape)}:\n"
                                    f"{attr}        cls = Module\n{body}")
        return name

    # ---- one statement

    def pick(self, values, test=lambda shape: True):
        fitting = [v for v in values if test(v[1])]
        # recent values and their aliases are the interesting ones
        return self.rng.choice(fitting[-6:] if self.rng.random() < 0.6 else fitting) if fitting else None

    def elementwise(self, indent, values):
        name, shape = self.pick(values)
        if self.rng.random() < 0.5:
            return self.emit(indent, values, shape, f"{self.rng.choice(UNARY)}({name})")
        other = self.pick(values, lambda s: s in (shape, ()))
        return self.emit(indent, values, shape, f"{self.rng.choice(BINARY)}({name}, {other[0] if other else name})")

    def view(self, indent, values):
        name, shape = self.pick(values)
        same = [s for s in SHAPES if size(s) == size(shape)] + [(size(shape),)]
        kind = self.rng.randrange(4)
        if kind == 0:
            return self.emit(indent, values, (1, *shape), f"R.expand_dims({name}, axis=[0])")
        if kind == 1 and 1 in shape:
            return self.emit(indent, values, tuple(d for d in shape if d != 1), f"R.squeeze({name})")
        if kind == 2:
            return self.emit(indent, values, shape, f"R.match_cast({name}, {tensor(shape)})")
        target = self.rng.choice(same)
        return self.emit(indent, values, target, f"R.reshape({name}, R.shape({list(target)}))")

    def rename(self, indent, values):
        name, shape = self.pick(values)
        return self.emit(indent, values, shape, name if self.rng.random() < 0.7 else f"R.copy({name})")

    def tuple(self, indent, values):
        a, b = self.pick(values), self.pick(values)
        name = self.name()
        self.lines.append("    " * indent + f"{name} = ({a[0]}, {b[0]})")
        for i, (_, shape) in enumerate((a, b)):
            if self.rng.random() < 0.7:
                self.emit(indent, values, shape, f"{name}[{i}]")

    def inplace(self, indent, values):
        name, shape = self.pick(values)
        other = self.pick(values, lambda s: s == shape)
        kind = self.rng.choice(["scale", "mix", "mix", "mirror", "split", "swap"])
        if kind == "scale":
            args, indices = name, "[0]"
        elif kind == "split":
            args, indices = name, "[0, -1]"
        elif kind == "swap":
            kind, args, indices = "split", f"{name}, {other[0]}", "[1, 0]"
        else:
            args, indices = f"{name}, {other[0]}", "[0]"
        kernel = self.kernel(kind, shape)
        if "," not in indices:
            return self.emit(indent, values, shape, f"R.call_tir_inplace(cls.{kernel}, ({args},), out_ty={tensor(shape)}, inplace_indices={indices})")
        result = self.name()
        self.lines.append("    " * indent + f"{result} = R.call_tir_inplace(cls.{kernel}, ({args},), out_ty=[{tensor(shape)}, {tensor(shape)}], inplace_indices={indices})")
        for i in range(2):
            self.emit(indent, values, shape, f"{result}[{i}]")

    def call(self, indent, values):
        name, shape = self.pick(values)
        return self.emit(indent, values, shape, f"cls.{self.function(self.rng.choice(['identity', 'consume', 'fresh']), shape)}({name})")

    def structure(self, indent, values):
        name, shape = self.pick(values, lambda s: len(s) > 0) or (None, None)
        if name is None:
            return self.elementwise(indent, values)
        axis = self.rng.randrange(len(shape))
        kind = self.rng.randrange(6)
        if kind == 0:
            order = list(range(len(shape)))
            self.rng.shuffle(order)
            return self.emit(indent, values, tuple(shape[i] for i in order), f"R.permute_dims({name}, axes={order})")
        if kind == 1:
            rest = tuple(d for i, d in enumerate(shape) if i != axis)
            return self.emit(indent, values, rest, f"R.{self.rng.choice(['sum', 'max', 'min', 'mean'])}({name}, axis=[{axis}], keepdims=False)")
        if kind == 2:
            return self.emit(indent, values, shape, f"R.nn.softmax({name}, axis={axis})")
        if kind == 3 and size(shape) <= 24:
            other = self.pick(values, lambda s: s == shape)
            grown = tuple(d * 2 if i == axis else d for i, d in enumerate(shape))
            return self.emit(indent, values, grown, f"R.concat(({name}, {other[0]}), axis={axis})")
        if kind == 4 and shape[axis] % 2 == 0:
            half = tuple(d // 2 if i == axis else d for i, d in enumerate(shape))
            result = self.name()
            self.lines.append("    " * indent + f"{result} = R.split({name}, 2, axis={axis})")
            for i in range(2):
                self.emit(indent, values, half, f"{result}[{i}]")
            return None
        return self.emit(indent, values, shape, f"R.flip({name}, axis={axis})")

    def constant(self, indent, values):
        shape = (4,)
        numbers = [round(self.rng.uniform(-2, 2), 2) for _ in range(4)]
        return self.emit(indent, values, shape, f'R.const({numbers}, "float32")')

    def folded(self, indent, values):
        """What depends on constants only, and may be updated in place later."""
        name = self.constant(indent, values)
        name = self.emit(indent, values, (4,), f'{self.rng.choice(BINARY[:5])}({name}, R.const({self.rng.randrange(1, 4)}.0, "float32"))')
        if self.rng.random() < 0.5:
            self.emit(indent, values, (2, 2), f"R.reshape({name}, R.shape([2, 2]))")

    def nested(self, indent, values):
        """A nested function that captures a value, which it or its argument may update, called twice."""
        name, shape = self.pick(values)
        captured = self.pick(values, lambda s: s == shape)[0]
        function = self.name()
        kind = self.rng.choice(["add", "argument", "captured"])
        a, b = ("a", captured) if kind == "argument" else (captured, "a")
        made = (f"R.add(a, {captured})" if kind == "add" else
                f"R.call_tir_inplace(cls.{self.kernel('mix', shape)}, ({a}, {b}), out_ty={tensor(shape)}, inplace_indices=[0])")
        pad = "    " * indent
        self.lines += [f"{pad}@R.function", f"{pad}def {function}(a: {tensor(shape)}) -> {tensor(shape)}:",
                       f"{pad}    {function}_r = {made}", f"{pad}    return {function}_r"]
        self.emit(indent, values, shape, f"{function}({name})")
        other = self.pick(values, lambda s: s == shape)[0]
        self.emit(indent, values, shape, f"{function}({other})")

    def dataflow(self, indent, values):
        """A dataflow block that shows all of its values."""
        if any(line.lstrip().startswith("with R.dataflow") for line in self.lines[-1:]):
            return
        begin, known = len(self.lines), len(values)
        self.lines.append("    " * indent + "with R.dataflow():")
        for _ in range(self.rng.randrange(2, 8)):
            self.rng.choice([self.elementwise, self.view, self.inplace, self.inplace, self.call, self.constant])(indent + 1, values)
        shown = [name for name, _ in values[known:]]
        if shown:
            self.lines.append("    " * (indent + 1) + f"R.output({', '.join(shown)})")
        else:
            del self.lines[begin:]

    def branch(self, indent, values):
        condition = self.name()
        a, b = self.pick(values, lambda s: s == ()), self.pick(values, lambda s: s == ())
        if not a:
            return self.elementwise(indent, values)
        known = 'R.const(True)' if self.rng.random() < 0.5 else 'R.const(False)'
        test = known if self.rng.random() < 0.2 else f"R.less({a[0]}, {b[0]})"
        self.lines.append("    " * indent + f"{condition} = {test}")
        result = self.name()
        shape = self.pick(values)[1]
        for head in (f"if {condition}:", "else:"):
            self.lines.append("    " * indent + head)
            inner = list(values)
            for _ in range(self.rng.randrange(1, 5)):
                self.statement(indent + 1, inner, depth=1)
            name = self.pick(inner, lambda s: s == shape)[0]
            self.lines.append("    " * (indent + 1) + f"{result} = {name}")
        values.append((result, shape))
        return result

    def statement(self, indent, values, depth=0):
        makers = [self.elementwise, self.view, self.view, self.rename, self.tuple, self.inplace, self.inplace,
                  self.inplace, self.call, self.structure, self.constant, self.folded]
        if depth == 0:
            makers += [self.branch, self.nested, self.dataflow]
        self.rng.choice(makers)(indent, values)

    def text(self):
        params = [("x", (4,)), ("y", (2, 2)), ("z", (3, 4)), ("s", ()), ("u", ())]
        values = list(params)
        self.donated = [i for i in range(3) if self.rng.random() < 0.4]
        for _ in range(self.rng.randrange(6, 26)):
            self.statement(2, values)
        body = "\n".join(self.lines)
        results = [name for name, _ in values[len(params):] if body.count(name + " ") + body.count(name + ",") +
                   body.count(name + ")") + body.count(name + "[") + body.count(name + "\n") <= 1]
        results += [name for name, _ in params if self.rng.random() < 0.2]
        results = results or [values[-1][0]]
        attr = f'        R.func_attr({{"relax.inplace_arg": {self.donated}}})\n' if self.donated else ""
        main = (f"    @R.function\n    def main({', '.join(f'{n}: {tensor(s)}' for n, s in params)}):\n{attr}        cls = Module\n"
                f"{body}\n        return ({', '.join(results)},)")
        head = ("from tvm.script import ir as I\nfrom tvm.script import relax as R\nfrom tvm.script import tirx as T\n\n"
                "@I.ir_module\nclass Module:\n")
        return head + "\n\n".join([*self.kernels.values(), *self.functions.values(), main]) + "\n"


MODES = [["-O0"], ["-O2"], ["-O2", "--inplace=off"]]


def check(tool, passes, seed, folder):
    file = folder / f"random_{seed}.py"
    rng = random.Random(seed)
    file.write_text(Program(rng).text())
    order = passes.order(rng)
    ordered = ["-O1", "--roundtrip-each", "--check-each", *orders.tolerance(order), "-p", order]
    for options in [*MODES, ordered]:
        try:
            done = subprocess.run([tool, "run", "--check", *options, str(file)], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return f"{' '.join(options)}: no end"
        found = None
        if options is ordered:
            found = orders.problem(order, done.returncode, done.stderr)
        elif done.returncode != 0:
            found = f"exit status {done.returncode}\n{done.stderr[:2000]}"
        if found:
            return f"{' '.join(options)}: {found}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    passes = orders.Passes(options.tool)
    failed = 0
    print(f"1..{options.count}")
    with tempfile.TemporaryDirectory() as temp:
        folder = options.keep or pathlib.Path(temp)
        folder.mkdir(exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            seeds = range(options.seed, options.seed + options.count)
            for number, (seed, why) in enumerate(zip(seeds, pool.map(lambda s: check(options.tool, passes, s, folder), seeds)), 1):
                failed += why is not None
                print(f"{'not ok' if why else 'ok'} {number} - seed {seed}")
                if why:
                    print("# " + why.rstrip().replace("\n", "\n# "))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

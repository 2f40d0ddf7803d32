#!/usr/bin/env python3
"""Random programs for fusion: chains, diamonds, broadcasts, reductions and casts, with in-place calls between.

Each program is a dataflow block (or a plain one) of operators and calls of random kernels, with int32 and int64
loops, static and symbolic shapes; few values leave it, so that most can join a group. `inlay run --check` compares
the fused module with the script in the interpreter, and compiled code with the interpreter to the last bit.

usage: random_fusion.py TOOL [--count N] [--seed S] [--keep FOLDER]
"""
import argparse
import concurrent.futures
import pathlib
import random
import subprocess
import sys
import tempfile

UNARY = ["R.negative", "R.abs", "R.tanh", "R.nn.relu", "R.exp", "R.sigmoid", "R.floor", "R.nn.gelu", "R.square"]
BINARY = ["R.add", "R.subtract", "R.multiply", "R.maximum", "R.minimum"]
KINDS = {
    # name: parameters (a in place, others read), body for element [i, j] of (rows, cols)
    "scale": ("a", ["a[{i}, {j}] = a[{i}, {j}] * T.float32(0.5)"]),
    "mix": ("ab", ["a[{i}, {j}] = a[{i}, {j}] - b[{i}, {j}]"]),
    "mirror": ("ab", ["a[{i}, {j}] = a[{i}, {j}] + b[{i}, {last} - {j}]"]),
    "both": ("ab", ["b[{i}, {j}] = a[{i}, {j}] + T.float32(1)", "a[{i}, {j}] = T.float32(0) - a[{i}, {j}]"]),
    "after": ("ab", ["a[{i}, {j}] = a[{i}, {j}] + T.float32(1)", "b[{i}, {j}] = a[{i}, {j}] * b[{i}, {j}]"]),
    "shift": ("a", ["a[{i}, {j}] = a[{i}, T.max({j} - 1, 0)] + a[{i}, {j}]"]),
    "half": ("a", ["a[{i}, {j} // 2] = a[{i}, {j} // 2] + T.float32(2)"]),
    "index": ("abo", ["o[{i}, {j}] = a[{i}, {j}] * T.Cast(\"float32\", {i} + {j}) + b[{i}, ({j} + 1) % {cols}]"]),
    "twice": ("ao", ["x: T.let[T.float32] = a[{i}, {j}]", "o[{i}, {j}] = x * x"]),
}


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.kernels, self.lines, self.count = {}, [], 0
        self.is_symbolic = rng.random() < 0.4
        self.rows = "n" if self.is_symbolic else rng.choice([1, 3, 4])
        self.cols = rng.choice([1, 4, 6])
        self.is_int32 = not self.is_symbolic and rng.random() < 0.5

    def dims(self, shape):
        return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"

    def tensor(self, shape, dtype="float32"):
        return f'R.Tensor({self.dims(shape)}, "{dtype}")'

    def emit(self, values, shape, text, dtype="float32"):
        self.count += 1
        name = f"v{self.count}"
        self.lines.append(f"{name} = {text}")
        values.append((name, shape, dtype))
        return name

    @property
    def full(self):
        return (self.rows, self.cols)

    def kernel(self, kind):
        if kind in self.kernels:
            return kind
        params, body = KINDS[kind]
        buffer = f'T.Buffer(({self.rows if not self.is_symbolic else "n"}, {self.cols if self.is_int32 else f"T.int64({self.cols})"}), "float32")'
        first = buffer.replace("(n,", '("n",') if self.is_symbolic else buffer
        lines = ["    @T.prim_func(private=True)",
                 f"    def {kind}({', '.join(f'{p}: {first if k == 0 else buffer}' for k, p in enumerate(params))}):"]
        if self.is_symbolic:
            lines.append("        n = T.int64()")
        cols = self.cols if self.is_int32 else f"T.int64({self.cols})"
        rows = "n" if self.is_symbolic else self.rows if self.is_int32 else f"T.int64({self.rows})"
        one = "1" if self.is_int32 else "T.int64(1)"
        is_block = self.rng.random() < 0.7
        lines.append(f"        for i, j in T.grid({rows}, {cols}):")
        pad, i, j = "            ", "i", "j"
        if is_block:
            lines += [f'            with T.sblock("{kind}"):', f'                vi, vj = T.axis.remap("SS", [i, j])']
            pad, i, j = pad + "    ", "vi", "vj"
        last = self.cols - 1 if self.is_int32 else f"T.int64({self.cols - 1})"
        for line in body:
            line = line.format(i=i, j=j, last=last, cols=cols)
            if not self.is_int32:
                line = line.replace(" - 1, 0)", f" - {one}, T.int64(0))").replace("// 2", "// T.int64(2)").replace(" + 1) %", f" + {one}) %")
            lines.append(pad + line)
        self.kernels[kind] = "\n".join(lines)
        return kind

    def pick(self, values, test=lambda v: True):
        fitting = [v for v in values if test(v)]
        if not fitting:
            return None
        return self.rng.choice(fitting[-4:] if self.rng.random() < 0.75 else fitting)

    def is_full(self, value):
        return value[1] == self.full and value[2] == "float32"

    def statement(self, values):
        rng, full = self.rng, self.full
        name, shape, dtype = self.pick(values, lambda v: v[2] == "float32")
        kind = rng.randrange(14)
        if kind < 4:
            return self.emit(values, shape, f"{rng.choice(UNARY)}({name})")
        if kind < 7:
            other = self.pick(values, lambda v: v[2] == "float32" and (v[1] == shape or v[1] in ((), (self.cols,)) and shape == full))
            if rng.random() < 0.3:
                return self.emit(values, shape, f'{rng.choice(BINARY)}({name}, R.const({round(rng.uniform(-2, 2), 2)}, "float32"))')
            return self.emit(values, shape, f"{rng.choice(BINARY)}({name}, {other[0]})")
        if kind == 7:
            middle = self.emit(values, shape, f'R.astype({name}, "{rng.choice(["float16", "float64", "int32"])}")', "other")
            return self.emit(values, shape, f'R.astype({middle}, "float32")')
        if kind == 8 and shape == full:
            turned = self.emit(values, full[::-1], f"R.permute_dims({name})", "turned")
            other = self.emit(values, full[::-1], f"{rng.choice(UNARY)}({turned})", "turned")
            return self.emit(values, full, f"R.permute_dims({other})")
        if kind == 9 and shape == full:
            which = rng.randrange(4)
            if which == 0:
                return self.emit(values, (self.cols,), f"R.{rng.choice(['sum', 'max', 'mean'])}({name}, axis=[0])")
            if which == 1:
                row = self.emit(values, (self.rows, 1), f"R.{rng.choice(['sum', 'max', 'mean'])}({name}, axis=[1], keepdims=True)", "column")
                return self.emit(values, full, f"R.subtract({name}, {row})")
            if which == 2:
                return self.emit(values, full, f"R.nn.softmax({name}, axis={rng.choice([0, 1, -1])})")
            return self.emit(values, full, f"R.matmul({name}, w)")
        if kind == 10 and shape == full:
            result = self.emit(values, full, f"R.split({name}, 2, axis=1)", "tuple") if self.cols % 2 == 0 else None
            if not result:
                return None
            parts = [self.emit(values, (self.rows, self.cols // 2), f"{result}[{k}]", "part") for k in range(2)]
            return self.emit(values, full, f"R.concat(({parts[rng.randrange(2)]}, {parts[rng.randrange(2)]}), axis=1)")
        target = self.pick(values, self.is_full)
        other = self.pick(values, self.is_full)
        kernel = rng.choice(list(KINDS))
        self.kernel(kernel)
        out = self.tensor(full)
        if kernel == "index":
            return self.emit(values, full, f"R.call_tir(cls.index, ({target[0]}, {other[0]}), out_ty={out})")
        if kernel == "twice":
            return self.emit(values, full, f"R.call_tir(cls.twice, ({target[0]},), out_ty={out})")
        if kernel in ("scale", "shift", "half"):
            return self.emit(values, full, f"R.call_tir_inplace(cls.{kernel}, ({target[0]},), out_ty={out}, inplace_indices=[0])")
        if kernel in ("both", "after"):
            result = self.emit(values, full, f"R.call_tir_inplace(cls.{kernel}, ({target[0]}, {other[0]}), out_ty=[{out}, {out}], inplace_indices={rng.choice(['[0, 1]', '[1, 0]'])})", "tuple")
            return [self.emit(values, full, f"{result}[{k}]") for k in range(2)]
        return self.emit(values, full, f"R.call_tir_inplace(cls.{kernel}, ({target[0]}, {other[0]}), out_ty={out}, inplace_indices=[0])")

    def text(self):
        params = [("x", self.full), ("y", self.full), ("b", (self.cols,)), ("w", (self.cols, self.cols))]
        values = [(name, shape, "float32") for name, shape in params[:3]]
        for _ in range(self.rng.randrange(4, 22)):
            self.statement(values)
        made = [v for v in values[3:] if v[2] in ("float32", "turned", "part", "column")]
        used = "\n".join(line.split(" = ", 1)[1] for line in self.lines)
        results = [v[0] for v in made if not any(f"{v[0]}{c}" in used for c in "),[")]
        results += [v[0] for v in made if self.rng.random() < 0.06]
        results = list(dict.fromkeys(results)) or [values[-1][0]]
        types = {name: shape for name, shape in params}

        def annotation(shape):
            return "(" + ", ".join(f'"{d}"' if d == "n" else str(d) for d in shape) + ("," if len(shape) == 1 else "") + ")"

        donated = [k for k in range(2) if self.rng.random() < 0.4]
        head = [f"    def main({', '.join(f'{n}: R.Tensor({annotation(types[n])}, chr)'.replace('chr', repr('float32')) for n, _ in params)}):"]
        if self.is_symbolic:
            head.append("        n = T.int64()")
        if donated:
            head.append(f'        R.func_attr({{"relax.inplace_arg": {donated}}})')
        head.append("        cls = Module")
        if self.rng.random() < 0.7:
            body = ["        with R.dataflow():", *("            " + line for line in self.lines), f"            R.output({', '.join(results)})"]
        else:
            body = ["        " + line for line in self.lines]
        body.append(f"        return ({', '.join(results)},)")
        return ("from tvm.script import ir as I\nfrom tvm.script import relax as R\nfrom tvm.script import tirx as T\n\n@I.ir_module\nclass Module:\n"
                + "\n\n".join(self.kernels.values()) + "\n\n    @R.function\n" + "\n".join([*head, *body]) + "\n")


FUSION = "LegalizeOps,AnnotateTIROpPattern,FuseOps{depth},FuseTIR,DeadCodeElimination,ResolveInplace"


def check(tool, seed, folder):
    file = folder / f"fusion_{seed}.py"
    rng = random.Random(seed)
    program = Program(rng)
    file.write_text(program.text())
    depth = rng.choice(["", "", "(max_depth=3)", "(max_depth=2)"])
    dims = ["--dim", f"n={rng.choice([1, 2, 5])}"] if program.is_symbolic else []
    pipelines = [FUSION.format(depth=depth), FUSION.format(depth=depth).replace("FuseTIR,", ""), "default",
                 "default,ToNonDataflow,CallTIRRewrite,KillAfterLastUse"]
    for number, pipeline in enumerate(pipelines):
        options = ["-O1", "-p", pipeline] + (["--roundtrip-each", "--check-each"] if number == 0 else [])
        if rng.random() < 0.2:
            options.append("--inplace=off")
        try:
            done = subprocess.run([tool, "run", "--check", *options, *dims, str(file)], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return f"{' '.join(options)}: no end"
        if done.returncode != 0:
            return f"{' '.join(options + dims)}: exit status {done.returncode}\n{done.stderr[:2000]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    failed = 0
    print(f"1..{options.count}")
    with tempfile.TemporaryDirectory() as temp:
        folder = options.keep or pathlib.Path(temp)
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

#!/usr/bin/env python3
"""Convolutions of 3 by 3 with fewer products (passes/schedule/winograd.c), against the interpreter's direct sums.

Of whole numbers both are exact, so results have to be the same bits: with vectors of 16, 32 and 64 bytes, one and two threads,
images that tiles of 2 by 2 divide and others, one and several images, blocks of channels of several lengths, and with
what follows (bias, residual, sigmoid). Of other numbers the error is held to the bound of docs/schedules.md, and NaN stays where
it is in the direct sums. Prints TAP.

usage: winograd.py TOOL [--quick]
"""
import argparse
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz

SCRIPT = """from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(({batch}, 4, {height}, {width}), "{dtype}"), w: R.Tensor(({inputs}, 4, 1, 1), "{dtype}"),
             v: R.Tensor(({outputs}, {inputs}, 3, 3), "{dtype}"), b: R.Tensor((1, {outputs}, 1, 1), "{dtype}")):
        R.func_attr({{"num_input": 1}})
        with R.dataflow():
            a = R.nn.conv2d(x, w)
            c = R.nn.conv2d(a, v, padding={pad})
            y = {result}
            R.output(y)
        return y
"""
# images (0: an open number, of two), channels of the data and of the result, extents, padding, the result
CASES = [
    (1, 32, 32, 8, 8, (1, 1, 1, 1), "R.add(c, b)"),
    (1, 64, 48, 13, 14, (1, 1, 1, 1), "R.nn.relu(R.add(c, b))"),
    (2, 48, 40, 9, 15, (0, 0, 0, 0), "c"),
    (0, 32, 64, 7, 7, (1, 1, 1, 1), "R.add(c, c)"),
    (1, 40, 32, 31, 5, (1, 2, 0, 1), "R.add(R.add(c, b), c)"),
    (1, 64, 64, 16, 28, (1, 1, 1, 1), "R.nn.relu(R.add(R.add(c, a), b))"),
    (1, 32, 96, 56, 6, (1, 1, 1, 1), "R.negative(c)"),
    (3, 33, 32, 9, 9, (1, 1, 1, 1), "c"),
]
PASSES = 'BindParams(file="{}"),default'


def write(folder, seed, shapes, number, dtype):
    rng = random.Random(seed)
    code = {"float32": "f4", "float64": "f8"}[dtype]
    arrays = {}
    for name, shape in shapes.items():
        count = math.prod(shape)
        data = struct.pack(f"<{count}{npz.CODES[code]}", *(number(rng, name) for _ in range(count)))
        arrays[name] = (f"<{code}", shape, data)
    npz.write_npz(folder / "x.npz", {"x": arrays.pop("x")})
    npz.write_npz(folder / "w.npz", arrays)


class Case:
    def __init__(self, tool, folder, row, seed, dtype="float32", number=lambda rng, name: float(rng.randint(-3, 3))):
        images, inputs, outputs, height, width, pad, result = row
        self.tool, self.folder = tool, pathlib.Path(folder)
        self.script = self.folder / "m.py"
        self.script.write_text(SCRIPT.format(batch=images or '"n"', inputs=inputs, outputs=outputs, height=height, width=width,
                                             pad=list(pad), result=result, dtype=dtype))
        shapes = {"x": (images or 2, 4, height, width), "w": (inputs, 4, 1, 1), "v": (outputs, inputs, 3, 3), "b": (1, outputs, 1, 1)}
        write(self.folder, seed, shapes, number, dtype)

    def call(self, command, *options, passes=PASSES):
        done = subprocess.run([self.tool, command, str(self.script), "-p", passes.format(self.folder / "w.npz"), *options],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return done.stdout, done.stderr if done.returncode else ""

    def values(self, *options, passes=PASSES):
        out = self.folder / "y.npy"
        _, problem = self.call("run", "--in", f"x=@{self.folder / 'x.npz'}:x", "--out", str(out), *options, passes=passes)
        if problem:
            raise RuntimeError(problem)
        descr, _, data = npz.read_npy(out.read_bytes())
        return npz.values(descr, data)

    def direct(self):
        return self.values("--interpret", passes='BindParams(file="{}")')


def exact(tool, row, seed, is_checked):
    with tempfile.TemporaryDirectory() as folder:
        case = Case(tool, folder, row, seed)
        expected = case.direct()
        for lanes in (4, 8, 16):
            text, problem = case.call("opt", f"--vectors={4 * lanes}")
            has_blocks = all(channels % (lanes // 2) == 0 and channels >= 32 for channels in row[1:3])
            if problem or ("products = T.alloc_buffer" in text) != has_blocks:
                return problem or f"vectors of {lanes}: {'direct' if has_blocks else 'fewer products'}"
            for threads in (1, 2) if lanes == 8 else (1,):
                found = case.values(f"--vectors={4 * lanes}", f"--threads={threads}", *(["--check"] if is_checked and threads == 2 else []))
                if found != expected:
                    at = next(i for i, (a, b) in enumerate(zip(found, expected)) if a != b)
                    return f"vectors of {lanes}, {threads} threads: element {at} is {found[at]}, not {expected[at]}"
    return ""


def bounded(tool):
    """The error of 9 * 128 products is at most 32 * 2**-24 of the largest element."""
    row = (1, 128, 32, 14, 14, (1, 1, 1, 1), "c")
    number = lambda rng, name: struct.unpack("<f", struct.pack("<f", rng.gauss(0, 1)))[0]
    with tempfile.TemporaryDirectory() as folder:
        expected = Case(tool, folder, row, 7, "float64", number).direct()
        found = Case(tool, folder, row, 7, "float32", number).values("--vectors=32")
    worst = max(abs(a - b) for a, b in zip(found, expected)) / max(map(abs, expected))
    return "" if worst < 32 * 2 ** -24 else f"off by {worst}"


def keeps_nan(tool):
    def number(rng, name):
        self = rng.randint(-3, 3)
        number.count += name == "x"
        return math.nan if name == "x" and number.count in (37, 700) else float(self)
    number.count = 0
    with tempfile.TemporaryDirectory() as folder:
        case = Case(tool, folder, (1, 32, 32, 15, 13, (1, 1, 1, 1), "c"), 3, number=number)
        expected, found = case.direct(), case.values("--vectors=32")
    for at, (a, b) in enumerate(zip(found, expected)):
        if math.isnan(a) != math.isnan(b) or (a == a and a != b):
            return f"element {at} is {a}, not {b}"
    return "" if any(map(math.isnan, expected)) else "no NaN"


def can_be_left(tool):
    """Without it the sums are the direct ones."""
    passes = PASSES.replace("default", "BlockChannels,LegalizeOps,FoldConstant,AnnotateTIROpPattern,FuseOps,FuseTIR,ScheduleCPU(winograd={}),PackConstants")
    with tempfile.TemporaryDirectory() as folder:
        case = Case(tool, folder, CASES[0], 1)
        for is_used in (True, False):
            text, problem = case.call("opt", passes=passes.replace("={})", f"={str(is_used).lower()})"))
            if problem or ("products = T.alloc_buffer" in text) != is_used:
                return problem or f"winograd={is_used}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--quick", action="store_true", help="a few of the cases")
    options = parser.parse_args()
    tool = str(pathlib.Path(options.tool).resolve())
    tests = [(str(row), lambda row=row, seed=seed: exact(tool, row, seed, seed < 3))
             for seed, row in enumerate(CASES[:3] if options.quick else CASES)]
    tests += [("error", lambda: bounded(tool)), ("NaN", lambda: keeps_nan(tool)), ("direct sums by option", lambda: can_be_left(tool))]
    print(f"1..{len(tests)}")
    has_failed = False
    for number, (name, test) in enumerate(tests, 1):
        try:
            problem = test()
        except RuntimeError as error:
            problem = str(error)
        has_failed |= bool(problem)
        print(f"{'not ok' if problem else 'ok'} {number} - {name}", flush=True)
        print("".join(f"# {line}\n" for line in problem.splitlines()), end="")
    return has_failed


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Loads at places that are loaded, in vectors (codegen/llvm/vector_window.c): tables whose places lie near each other, far from
each other, and both; backwards, at the ends of the data, from the end, of data shorter than a vector; of elements of 1, 2, 4
and 8 bytes, with vectors of 16, 32 bytes and the machine's. A place outside of the data is an error that names it.
Prints TAP.

usage: sampled.py TOOL
"""
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz
from part import part

SCRIPT = """from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, {extent}), "{dtype}"), i: R.Tensor(({count},), "int64")):
        y = R.take(x, i, axis=1)
        z = R.multiply(y, y)
        return (y, z)
"""
CODES = {"float32": "<f4", "float64": "<f8", "float16": "<f2", "int8": "|i1", "int32": "<i4", "int64": "<i8"}


def tables(rng):
    """name, extent of the data, places"""
    for factor in (2, 3, 4, 5):
        yield f"each {factor} times", 29, [i // factor for i in range(29 * factor)]
    yield "with both ends held", 33, [min(max((i + 1) // 2 - 1, 0), 32) for i in range(68)]
    yield "each other one", 150, list(range(0, 150, 2))
    yield "scaled by 3/2", 40, [i * 2 // 3 for i in range(60)]
    yield "backwards", 70, list(range(69, -1, -1))
    yield "counted from the end", 70, [i // 2 - 70 for i in range(139)]
    yield "anywhere", 500, [rng.randrange(500) for _ in range(133)]
    yield "near and far", 500, [rng.randrange(500) if i % 37 == 5 else i // 2 for i in range(333)]
    yield "near in any order", 64, [min(i // 16 * 16 + rng.randrange(16), 63) for i in range(80)]
    yield "the last ones", 19, [18] * 40
    yield "data shorter than a vector", 3, [rng.randrange(3) for _ in range(50)]
    yield "of one element", 1, [0] * 35


class Run:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, pathlib.Path(folder)

    def write(self, dtype, extent, places, rng):
        code = npz.CODES[CODES[dtype][1:]]
        self.code, self.places, self.extent = code, places, extent
        self.data = [rng.randint(-9, 9) for _ in range(3 * extent)]
        (self.folder / "m.py").write_text(SCRIPT.format(extent=extent, dtype=dtype, count=len(places)))
        npz.write_npz(self.folder / "in.npz", {
            "x": (CODES[dtype], (3, extent), struct.pack(f"<{3 * extent}{code}", *self.data)),
            "i": ("<i8", (len(places),), struct.pack(f"<{len(places)}q", *places))})

    def call(self, *options):
        inputs = [f"--in={name}=@{self.folder / 'in.npz'}:{name}" for name in "xi"]
        return subprocess.run([self.tool, "run", str(self.folder / "m.py"), *inputs, "--out", str(self.folder / "y.npz"), *options],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def fault(self, *options):
        done = self.call(*options)
        if done.returncode:
            return done.stderr
        found = npz.read_npz(self.folder / "y.npz")
        want = [self.data[row * self.extent + i % self.extent] for row in range(3) for i in self.places]
        for name, values in (("result.0", want), ("result.1", [v * v for v in want])):
            if found[name][2] != struct.pack(f"<{len(values)}{self.code}", *values):
                return f"{name} is wrong"
        return ""


def outside(run):
    """A place behind the data, in the middle of a vector, and one far in front of it."""
    for bad in (30, 2 ** 40, -2 ** 40):
        places = [i // 2 for i in range(60)]
        places[37] = bad
        run.write("float32", 30, places, random.Random(1))
        done = run.call()
        shown = bad if bad >= 0 else bad + 30
        if done.returncode != 1 or f"index {shown}" not in done.stderr:
            return f"place {bad}: {done.returncode}: {done.stderr}"
    return ""


def main():
    number = failures = 0

    def told(name, fault):
        nonlocal number, failures
        number += 1
        failures += bool(fault)
        print(f"{'not ok' if fault else 'ok'} {number} - {name}")
        for line in fault.splitlines():
            print(f"# {line}")

    with tempfile.TemporaryDirectory() as folder:
        run = Run(sys.argv[1], folder)
        rng = random.Random(7)
        for (name, extent, places), dtype in part([(table, dtype) for table in tables(rng) for dtype in CODES], 5):
            run.write(dtype, extent, places, rng)
            for option in ([], ["--vectors=32"], ["--vectors=16"]):
                told(" ".join([dtype, name, *option]), run.fault(*option))
        told("outside", outside(run))
    print(f"1..{number}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())

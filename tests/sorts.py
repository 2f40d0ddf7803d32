#!/usr/bin/env python3
"""sort, argsort, topk and median, against Python's own stable sort: lines of all lengths for which there is another way (merged,
by bytes, the first few by chunks), of all dtypes, with ties, both zeros, infinities and NaN of both signs, open and
empty extents, vectors of 16 bytes and the machine's. Prints TAP.

usage: sorts.py TOOL
"""
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz
from part import part

HEAD = """from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor({shape}, "{dtype}")):
"""
CODES = {"float32": "f4", "float64": "f8", "float16": "f2", "int8": "i1", "uint8": "u1", "int16": "i2", "int32": "i4", "int64": "i8",
         "uint64": "u8", "bool": "b1"}
# rows, elements of a line, kept ones
LINES = [(3, 1, 1), (2, 7, 3), (3, 31, 31), (2, 32, 2), (3, 65, 5), (2, 200, 4), (2, 777, 5), (2, 1000, 32), (3, 1000, 33), (2, 3001, 10)]


def number(rng, dtype, few):
    if dtype == "bool":
        return rng.random() < 0.5
    if dtype.startswith("float"):
        special = [math.nan, -math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 2.0 ** -14]
        return rng.choice(special) if rng.random() < few else rng.uniform(-4, 4)
    bits = int(dtype.strip("uint"))
    low, high = (0, 2 ** bits - 1) if dtype[0] == "u" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
    return rng.choice([low, high, 0, 1, 3]) if rng.random() < few else rng.randint(low, high)


def order_of(line, is_descending):
    return sorted(range(len(line)), key=lambda i: (1, 0) if line[i] != line[i] else (0, line[i]), reverse=is_descending)


class Case:
    def __init__(self, tool, folder, dtype, rows, count, keep, seed, is_open=False, axis=1):
        rng = random.Random(seed)
        few = (0.0, 0.3, 0.9, 1.0)[seed % 4]
        self.tool, self.folder, self.dtype, self.keep, self.axis = tool, folder, dtype, min(keep, count), axis
        self.code = npz.CODES[CODES[dtype]]
        self.lines = [self.rounded([number(rng, dtype, few) for _ in range(count)]) for _ in range(rows)]
        self.shape = (rows, count) if axis == 1 else (count, rows)
        self.is_open = is_open
        npz.write_npz(folder / "x.npz", {"x": ("<" + CODES[dtype] if dtype[-1] != "8" and dtype != "bool" else "|" + CODES[dtype],
                                               self.shape, self.pack(self.turned(self.lines)))})

    def pack(self, values):
        return struct.pack(f"<{len(values)}{self.code}", *values)

    def rounded(self, values):
        return struct.unpack(f"<{len(values)}{self.code}", self.pack(values))

    def turned(self, lines):
        """The elements of @lines in the order of a tensor."""
        return [v for line in (lines if self.axis == 1 else zip(*lines)) for v in line]

    def script(self, keeps):
        body, names = [], []
        for down in (False, True):
            body += [f"s{down} = R.sort(x, axis={self.axis}, descending={down})",
                     f'a{down} = R.argsort(x, axis={self.axis}, descending={down}, dtype="int64")']
            names += [f"s{down}", f"a{down}"]
            if keeps:
                body += [f't{down} = R.topk(x, k={self.keep}, axis={self.axis}, largest={down}, dtype="int64")',
                         f"v{down} = t{down}[0]", f"i{down} = t{down}[1]"]
                names += [f"v{down}", f"i{down}"]
        body.append(f"return ({', '.join(names)})")
        shape = '("m", "n")' if self.is_open else self.shape
        return HEAD.format(shape=shape, dtype=self.dtype) + "".join(f"        {line}\n" for line in body)

    def expected(self, keeps):
        results = []
        for down in (False, True):
            orders = [order_of(line, down) for line in self.lines]
            for cut in [None] + [self.keep] * keeps:
                taken = [order[:cut] for order in orders]
                results.append(self.pack(self.turned([[line[i] for i in order] for line, order in zip(self.lines, taken)])))
                flat = self.turned(taken)
                results.append(struct.pack(f"<{len(flat)}q", *flat))
        return results

    def fault(self, *options):
        keeps = self.keep > 0
        script, out = self.folder / "m.py", self.folder / "y.npz"
        script.write_text(self.script(keeps))
        done = subprocess.run([self.tool, "run", str(script), "--in", f"x=@{self.folder / 'x.npz'}:x", "--out", str(out), *options],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr
        for (name, (_, _, data)), want in zip(sorted(npz.read_npz(out).items(), key=lambda item: int(item[0].split(".")[1])),
                                              self.expected(keeps)):
            if data != want:
                return f"{name} is wrong"
        return ""


def cases(tool, folder):
    for d, dtype in enumerate(CODES):
        for i, (rows, count, keep) in enumerate(LINES):
            yield f"{dtype} {rows}x{count}, {keep} of them", Case(tool, folder, dtype, rows, count, keep, 4 * d + i)
    for i, count in enumerate((0, 1, 15, 63, 64, 65, 700, 5000)):
        for dtype in ("float32", "int64"):
            yield f"{dtype} open 2x{count}", Case(tool, folder, dtype, 2, count, 6, i, is_open=True)
    for i, (rows, count, keep) in enumerate(LINES[3:8]):
        yield f"float32 {count}x{rows}, axis 0", Case(tool, folder, "float32", rows, count, keep, i, axis=0)


def main():
    number_of = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, case in part(cases(sys.argv[1], pathlib.Path(folder))):
            for options in ([], ["--vectors=16", "--threads=2"]):
                fault = case.fault(*options)
                number_of += 1
                failures += bool(fault)
                print(f"{'not ok' if fault else 'ok'} {number_of} - {' '.join([name, *options])}")
                for line in fault.splitlines():
                    print(f"# {line}")
    print(f"1..{number_of}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())

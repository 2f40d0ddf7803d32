#!/usr/bin/env python3
"""The error of what LowerIntrin writes for functions of float32, against the bounds of passes/loop/lower_intrin.def.

Arguments are every STEP-th of the 2^32 floats and all that are within 64 of an edge. The exact results are those of
the C library in float64. `inlay run --check` also compares the interpreter's results with the compiled ones to the
last bit. Prints TAP.

usage: intrin_ulp.py TOOL ROOT [--step N] [--no-check] [NAME...]
"""
import argparse
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz

CHUNK = 1 << 22
# Where something changes: signs, zero, subnormals, infinity; limits of ranges and of polynomials.
EDGES = [0.0, 2 ** -149, 2 ** -126, 2 ** 127, math.inf, math.nan, 1.0, 2 / 3, 4 / 3, 0.5, math.log(2), 0.9, 4.0, 10.0, 9.01,
         88.7228, 89.0, 87.3365, 103.972, 104.0, 126.0, 127.0, 128.0, 129.0, 149.0, 150.0, 151.0, 2 ** -24, 2 ** 24, 2 ** 23,
         math.pi / 4, 22.0, 355.0, 12288.0, 52174.0, 2 ** 17, 2 ** 20,
         *(n * math.pi / 2 for n in [*range(1, 9), 226, 1000, 7821, 7822, 7823, 33215, 83442, 83443, 10 ** 6])]


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits & 0xffffffff))[0]


def bits_of(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def overflowing(function):
    def call(x):
        try:
            return function(x)
        except OverflowError:
            return math.inf
    return call


def logarithm(function, low):
    return lambda x: function(x) if x > low else -math.inf if x == low else math.nan


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def rsqrt(x):
    return math.copysign(math.inf, x) if x == 0 else 1 / math.sqrt(x) if x > 0 else math.nan


def finite(function):
    return lambda x: function(x) if math.isfinite(x) else math.nan


EXACT = {
    "exp": overflowing(math.exp),
    "exp2": overflowing(lambda x: 2.0 ** x),
    "log": logarithm(math.log, 0),
    "log2": logarithm(math.log2, 0),
    "log1p": lambda x: x if x == 0 else logarithm(math.log1p, -1)(x),
    "tanh": math.tanh,
    "sigmoid": sigmoid,
    "erf": math.erf,
    "rsqrt": rsqrt,
    "sin": finite(math.sin),
    "cos": finite(math.cos),
    "square": lambda x: x * x,
    "cube": lambda x: x * x * x,
    "fourth": lambda x: x * x * x * x,
    "reciprocal": lambda x: math.copysign(math.inf, x) if x == 0 else 1 / x,
    "square_root": lambda x: math.inf if math.isinf(x) else math.sqrt(x) if x > 0 else 0.0 if x == 0 else math.nan,
}
SCRIPT = """from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(var_x: T.handle, var_y: T.handle):
        n = T.int64()
        x = T.match_buffer(var_x, (n,), "float32")
        y = T.match_buffer(var_y, (n,), "float32")
        for i in range(n):
            y[i] = {call}

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        return R.call_tir(Module.f, (x,), out_ty=R.Tensor((n,), "float32"))
"""


def bounds(root):
    """name: (a call in a script, its bound)"""
    text = (root / "passes/loop/lower_intrin.def").read_text()
    rows = {name: (f"T.{name}(x[i])", float(ulp)) for name, ulp in re.findall(r"^INTRIN\((\w+), *([\d.]+),", text, re.MULTILINE)}
    powers = re.findall(r"^POWER\((\w+), *(-?[\d.]+), *([\d.]+),", text, re.MULTILINE)
    return rows | {name: (f"T.pow(x[i], T.float32({exponent}))", float(ulp)) for name, exponent, ulp in powers}


def edges():
    for edge in EDGES:
        for sign in (edge, -edge):
            for distance in range(-64, 65):
                yield bits_of(sign) + distance & 0xffffffff


def write_npy(path, data):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(data) // 4},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def unit(exact):
    """What the last place of a float32 near this number is worth."""
    return math.ldexp(1.0, max(math.frexp(exact)[1], -125) - 24)


def error(exact, result):
    """In units of the last place; inf where infinity, NaN or the sign of zero is wrong."""
    if math.isnan(exact) or math.isnan(result):
        return 0.0 if math.isnan(exact) and math.isnan(result) else math.inf
    if exact == 0 or math.isinf(exact):
        return 0.0 if exact == result and math.copysign(1, exact) == math.copysign(1, result) else math.inf
    if math.copysign(1, exact) != math.copysign(1, result):
        return math.inf
    if math.isinf(result):
        result = math.copysign(2.0 ** 128, result)
    exact = max(min(exact, 2.0 ** 128), -2.0 ** 128)  # all that is larger must be infinite too
    return abs(result - exact) / min(unit(exact), 2.0 ** 104)


class Run:
    def __init__(self, tool, folder, name, call, fma, check):
        self.folder, self.exact = folder, EXACT[name]
        script = folder / "f.py"
        script.write_text(SCRIPT.replace("{call}", call))
        self.command = [tool, "run", str(script), "-p", f'LowerIntrin(fma="{fma}"),ResolveInplace', "--in",
                        f"x=@{folder}/x.npy", "--out", f"{folder}/y.npy", *(["--check"] if check else [])]
        self.worst, self.at = 0.0, 0.0

    def look(self, bits):
        """None, or what went wrong."""
        write_npy(self.folder / "x.npy", struct.pack(f"<{len(bits)}I", *bits))
        done = subprocess.run(self.command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            return done.stderr or f"exit status {done.returncode}"
        arguments = struct.unpack(f"<{len(bits)}f", struct.pack(f"<{len(bits)}I", *bits))
        _, _, data = npz.read_npy((self.folder / "y.npy").read_bytes())
        for x, result in zip(arguments, struct.unpack(f"<{len(bits)}f", data)):
            distance = error(self.exact(x), result)
            if distance > self.worst:
                self.worst, self.at = distance, x
        return None


def measure(tool, name, call, fma, options):
    """(largest error, its argument), or (None, message)."""
    with tempfile.TemporaryDirectory() as folder:
        run = Run(tool, pathlib.Path(folder), name, call, fma, options.check)
        message = run.look(list(edges()))
        for start in range(0, 1 << 32, CHUNK * options.step):
            if message:
                return None, message
            end = min(start + CHUNK * options.step, 1 << 32)
            message = run.look(list(range(start, end, options.step)))
        return (None, message) if message else (run.worst, run.at)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--step", type=int, default=400009)
    parser.add_argument("--no-check", dest="check", action="store_false")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    tool = str(pathlib.Path(options.tool).resolve())
    rows = {name: row for name, row in bounds(options.root).items() if not options.names or name in options.names}
    print(f"1..{2 * len(rows) + ('exp' in rows)}")
    number = 0
    has_failed = False
    for name, (call, bound) in rows.items():
        for fma in ("on", "off", *(["target"] if name == "exp" else [])):
            number += 1
            worst, at = measure(tool, name, call, fma, options)
            is_good = worst is not None and worst <= bound
            has_failed |= not is_good
            what = f"{worst:.3f} ULP at {at!r}, at most {bound}" if worst is not None else "did not run"
            print(f"{'ok' if is_good else 'not ok'} {number} - {name}, fma {fma}: {what}", flush=True)
            if worst is None:
                print("".join(f"# {line}\n" for line in str(at).splitlines()), end="")
    return has_failed


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Products with weights of fewer bits than the data, of more rows than one tile (passes/schedule/gemm.c packs them task by task),
against sums in Python: of whole numbers both are exact, so results have to be the same bits. Rows, steps and columns that tiles,
blocks and panels divide and others, vectors of 16, 32 bytes and the machine's, one and two threads. Prints TAP.

usage: widened.py TOOL
"""
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
    def main(x: R.Tensor(({m}, {k}), "float32"), w: R.Tensor(({k}, {n}), "{dtype}")):
        with R.dataflow():
            a = R.matmul(x, R.astype(w, "float32"))
            y = R.nn.relu(R.subtract(a, R.const(0.5, "float32")))
            R.output(y)
        return y
"""
SIZES = [(17, 129, 100), (20, 400, 36), (33, 1025, 40), (64, 31, 256), (145, 260, 65), (29, 600, 33)]
DESCRS = {"float16": "<f2", "int8": "|i1", "int16": "<i2"}


def fault(tool, folder, size, dtype, seed):
    m, k, n = size
    rng = random.Random(seed)
    x = [[rng.randint(-3, 3) for _ in range(k)] for _ in range(m)]
    w = [[rng.randint(-4, 4) for _ in range(k)] for _ in range(n)]  # a column each
    want = [max(sum(a * b for a, b in zip(row, column)) - 0.5, 0.0) for row in x for column in w]
    code = npz.CODES[DESCRS[dtype][1:]]
    npz.write_npz(folder / "in.npz", {
        "x": ("<f4", (m, k), struct.pack(f"<{m * k}f", *(v for row in x for v in row))),
        "w": (DESCRS[dtype], (k, n), struct.pack(f"<{k * n}{code}", *(v for row in zip(*w) for v in row)))})
    (folder / "m.py").write_text(SCRIPT.format(m=m, k=k, n=n, dtype=dtype))
    for options in ([], ["--threads=2"], ["--vectors=32"], ["--vectors=16"]):
        inputs = [f"--in={name}=@{folder / 'in.npz'}:{name}" for name in "xw"]
        done = subprocess.run([tool, "run", str(folder / "m.py"), *inputs, "--out", str(folder / "y.npy"), *options],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{options}: {done.stderr}"
        if npz.read_npy((folder / "y.npy").read_bytes())[2] != struct.pack(f"<{m * n}f", *want):
            return f"{options}: wrong"
    return ""


def main():
    number = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            for dtype in DESCRS:
                number += 1
                found = fault(sys.argv[1], pathlib.Path(folder), size, dtype, number)
                failures += bool(found)
                print(f"{'not ok' if found else 'ok'} {number} - {'x'.join(map(str, size))} {dtype}")
                for line in found.splitlines():
                    print(f"# {line}")
    print(f"1..{number}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())

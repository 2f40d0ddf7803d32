#!/usr/bin/env python3
"""Products with constant weights of fewer bits than the data (passes/schedule/gemm_narrow.c), against sums in Python: MatMulNBits of
4 and 8 bits, with and without zero points, blocks of 16 to 256 values, float16 weights.  Data, weights and zero points are whole
numbers and scales powers of two, so results have to be the same bits; then random ones, which have to be near.  One row, some, more
than a tile and an open number; columns that panels divide and others; vectors of 16, 32 bytes and the machine's, one and two
threads.  Of each case it is asked whether weights stay as narrow as they were.  Prints TAP.

usage: narrow.py TOOL
"""
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz
import onnx_writer as onnx

UINT8, FLOAT16 = 2, 10
# rows (of an open number: each), sum, columns, bits, values of a block, zero points
CASES = [
    ([1], 768, 192, 4, 32, None), ([1], 768, 192, 8, 32, None), ([1], 512, 200, 4, 16, "bytes"), ([3], 512, 200, 8, 16, "bytes"),
    ([2], 768, 193, 4, 64, "bytes"), ([5], 768, 193, 8, 128, None), ([16], 256, 320, 4, 256, "floats"), ([14], 96, 928, 8, 32, "bytes"),
    ([17], 512, 200, 4, 32, None), ([31], 544, 164, 8, 32, "bytes"), ([1, 2, 7, 16, 17, 30], 544, 164, 4, 32, "bytes"),
    ([1, 4, 16, 19], 512, 200, 8, 64, None), ([1], 490, 200, 4, 64, "bytes"), ([3, 18], 500, 200, 8, 128, None),
    ([1], 500, 200, 16, 0, None), ([1, 9, 40], 300, 224, 16, 0, None), ([6], 130, 544, 16, 0, None),
]
OPTIONS = ([], ["--threads=2"], ["--vectors=32"], ["--vectors=16"])


class Case:
    def __init__(self, index, is_whole):
        self.rows, self.k, self.n, self.bits, self.block, self.zero = CASES[index]
        self.is_whole, self.rng = is_whole, random.Random(index)
        self.blocks = -(-self.k // self.block) if self.block else 0

    def number(self, most):
        return self.rng.randint(-most, most) if self.is_whole else self.rng.uniform(-most, most)

    def make(self):
        """The weights as a matrix of floats, column by column, and the tensors and nodes of the model."""
        k, n, rng = self.k, self.n, self.rng
        if self.bits == 16:
            columns = [[rng.randint(-60, 60) / 4 for _ in range(k)] for _ in range(n)]
            raw = struct.pack(f"<{k * n}e", *(v for row in zip(*columns) for v in row))
            return columns, [onnx.tensor("w", FLOAT16, (k, n), raw)], [
                onnx.node("Cast", ["w"], ["f"], to=onnx.FLOAT), onnx.node("MatMul", ["x", "f"], ["y"])]
        most = (1 << self.bits) - 1
        q = [[rng.randint(0, most) for _ in range(self.blocks * self.block)] for _ in range(n)]
        scales = [[2.0 ** rng.randint(-2, 1) if self.is_whole else rng.uniform(0.001, 0.1) for _ in range(self.blocks)] for _ in range(n)]
        scales = [list(struct.unpack(f"<{self.blocks}f", struct.pack(f"<{self.blocks}f", *row))) for row in scales]
        zeros = [[rng.randint(0, most) if self.zero else (most + 1) // 2 for _ in range(self.blocks)] for _ in range(n)]
        tensors = [onnx.tensor("w", UINT8, (n, self.blocks, self.block * self.bits // 8), b"".join(self.packed(row) for row in q)),
                   onnx.floats("s", (n, self.blocks), [v for row in scales for v in row])]
        inputs = ["x", "w", "s"]
        if self.zero == "bytes":
            raw = b"".join(self.packed(row) for row in zeros)
            tensors.append(onnx.tensor("z", UINT8, (n, len(raw) // n), raw))
        elif self.zero:
            tensors.append(onnx.floats("z", (n, self.blocks), [v for row in zeros for v in row]))
        inputs += ["z"] if self.zero else []
        columns = [[(v - zero[i // self.block]) * scale[i // self.block] for i, v in enumerate(row[:k])]
                   for row, zero, scale in zip(q, zeros, scales)]
        return columns, tensors, [onnx.node("MatMulNBits", inputs, ["y"], domain="com.microsoft", K=k, N=n, bits=self.bits, block_size=self.block)]

    def packed(self, row):
        if self.bits == 8:
            return bytes(row)
        row = row + [0] * (len(row) % 2)
        return bytes(low | high << 4 for low, high in zip(row[::2], row[1::2]))


def run(*command):
    return subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def fault_of(case, options, x, columns, got):
    """What is wrong with the results; "" if nothing is."""
    for i, row in enumerate(x):
        for j, column in enumerate(columns):
            products = [a * b for a, b in zip(row, column)]
            off = abs(sum(products) - got[i * case.n + j])
            if off > (0 if case.is_whole else 1e-6 * sum(map(abs, products))):
                return f"{options}: element {i}, {j} of {len(x)} rows is {got[i * case.n + j]}, not {sum(products)}"
    return ""


def fault(tool, folder, case):
    columns, tensors, nodes = case.make()
    is_open = len(case.rows) > 1
    rows = "rows" if is_open else case.rows[0]
    graph = onnx.graph(nodes, [onnx.value("x", dims=(rows, case.k))], [onnx.value("y", dims=(rows, case.n))], tensors)
    path = folder / "m.onnx"
    path.write_bytes(onnx.model(graph, opsets={"": 17, "com.microsoft": 1}))
    text = run(tool, "opt", "-p", "default", path).stdout
    kept = "float16" if case.bits == 16 else "int8" if case.bits == 8 and not case.zero else "uint8"
    if f'"{kept}")' not in "".join(line for line in text.splitlines() if " panels: T.Buffer(" in line):
        return "its weights have no panels"
    for m in case.rows:
        x = [[case.number(3) for _ in range(case.k)] for _ in range(m)]
        raw = struct.pack(f"<{m * case.k}f", *(v for row in x for v in row))
        x = [struct.unpack_from(f"<{case.k}f", raw, 4 * case.k * i) for i in range(m)]
        npz.write_npz(folder / "in.npz", {"x": ("<f4", (m, case.k), raw)})
        for options in OPTIONS:
            done = run(tool, "run", path, f"--in=x=@{folder / 'in.npz'}:x", "--out", folder / "y.npy", *options)
            if done.returncode:
                return f"{options}: {done.stderr}"
            got = struct.unpack(f"<{m * case.n}f", npz.read_npy((folder / "y.npy").read_bytes())[2])
            if options in ([], OPTIONS[-1]) or case.is_whole: # of rounded ones, threads are compared with threads
                wrong = fault_of(case, options, x, columns, got)
                if wrong:
                    return wrong
            if options == []:
                alone = got
            elif options == ["--threads=2"] and got != alone:
                return "threads change it"
    return ""


def main():
    number = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for index, description in enumerate(CASES):
            for is_whole in (True, False):
                number += 1
                found = fault(sys.argv[1], pathlib.Path(folder), Case(index, is_whole))
                failures += bool(found)
                print(f"{'not ok' if found else 'ok'} {number} - {description} {'whole' if is_whole else 'near'}", flush=True)
                for line in found.splitlines():
                    print(f"# {line}")
    print(f"1..{number}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())

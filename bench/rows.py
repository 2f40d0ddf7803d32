#!/usr/bin/env python3
"""Operators that work row by row, against C vectorized by hand and against a copy of the same bytes.

Goals: softmax and layer norm of 1024 x 1024 float32 within 1.3 times of the C version, compiled in under
20 ms a kernel.

usage: rows.py TOOL
"""
import ctypes
import sys

from native import Script, build_reference, call_ms, floats, in_turn


def script_text(call, rows, columns, vectors):
    params = "".join(f", {v}: R.Tensor(({columns},), \"float32\")" for v in vectors)
    return (f"    @R.function\n    def main(x: R.Tensor(({rows}, {columns}), \"float32\"){params}):\n"
            f"        with R.dataflow():\n            y = {call}\n            R.output(y)\n        return y\n")


tool = sys.argv[1]
library = build_reference()
long = ctypes.c_long
KERNELS = [("softmax", "R.nn.softmax(x)", []),
           ("layer_norm", "R.nn.layer_norm(x, g, b, axes=[-1])", ["g", "b"]),
           ("rms_norm", "R.nn.rms_norm(x, g, axes=[-1])", ["g"])]
print(f"{'kernel':10} {'shape':>11} {'threads':>7} {'compile ms':>10} {'run us':>8} {'GB/s':>6} {'C us':>8}"
      f" {'copy us':>8} {'run/C':>6} {'run/copy':>8}")
for rows, columns in ((1024, 1024), (4096, 768)):
    x, y, g, b = (floats(library, n) if library else None for n in (rows * columns, rows * columns, columns, columns))
    for name, call, vectors in KERNELS:
        script = Script(tool, script_text(call, rows, columns, vectors))
        for threads in (1, 2):
            samplers = {"ours": lambda: script.run(threads, repeat=31)}
            if library:
                args = [y, x, *(v for v, _ in zip((g, b), vectors)), long(rows), long(columns), threads]
                samplers["c"] = lambda: call_ms(getattr(library, name), *args, repeat=31)
                samplers["copy"] = lambda: call_ms(library.plain_copy, y, x, long(rows * columns), threads, repeat=31)
            got = in_turn(**samplers)
            run, compiled = got["ours"]
            c, copy = got.get("c", float("nan")), got.get("copy", float("nan"))
            print(f"{name:10} {f'{rows}x{columns}':>11} {threads:7} {compiled:10.1f} {run * 1e3:8.0f}"
                  f" {rows * columns * 8 / run * 1e-6:6.1f} {c * 1e3:8.0f} {copy * 1e3:8.0f} {run / c:6.2f}"
                  f" {run / copy:8.2f}", flush=True)
        script.remove()

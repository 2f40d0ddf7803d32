#!/usr/bin/env python3
"""Products of matrices of float32, against the multiply-add peak of a core and against OpenBLAS.

Goals: 70 % of the peak for 512 and 1024 on one thread, compiled in under 20 ms. OpenBLAS is left out
where it is not installed (Debian: libopenblas0-pthread).

usage: matmul.py TOOL
"""
import ctypes
import sys
import time

from native import Script, build_reference, call_ms, find_openblas, floats, in_turn

SHAPES = [(128, 128, 128), (256, 256, 256), (512, 512, 512), (1024, 1024, 1024), (128, 1536, 384), (128, 384, 1536),
          (1, 1536, 384), (1, 4096, 4096), (127, 129, 131)]
ROW_MAJOR, NO_TRANSPOSE = 101, 111


def text(m, n, k):
    return (f"    @R.function\n    def main(x: R.Tensor(({m}, {k}), \"float32\"), w: R.Tensor(({k}, {n}), \"float32\")):\n"
            f"        with R.dataflow():\n            y = R.matmul(x, w)\n            R.output(y)\n        return y\n")


def blas_call(blas, m, n, k, a, b, c):
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    return lambda: blas.cblas_sgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, m, n, k, one, a, k, b, n, zero, c, n)


def sample_blas(call, repeat):
    """Its threads spin for a while after a call: what is measured next must not run beside them."""
    ms = call_ms(call, repeat=repeat)
    time.sleep(0.2)
    return ms


tool = sys.argv[1]
library, blas = build_reference(), find_openblas()
print(f"{'M x N x K':>15} {'threads':>7} {'compile ms':>10} {'run us':>8} {'GFLOP/s':>8} {'of peak':>8}"
      f" {'OpenBLAS':>8} {'of peak':>8} {'run/OpenBLAS':>12}")
for m, n, k in SHAPES:
    script = Script(tool, text(m, n, k))
    repeat = max(5, min(101, int(2e9 / (2 * m * n * k))))
    for threads in (1, 2):
        samplers = {"ours": lambda: script.run(threads, repeat)}
        if library:
            samplers["peak"] = lambda: library.peak(2000000)
        if library and blas:
            blas.openblas_set_num_threads(threads)
            a, b, c = (floats(library, count) for count in (m * k, k * n, m * n))
            samplers["blas"] = lambda: sample_blas(blas_call(blas, m, n, k, a, b, c), repeat)
        got = in_turn(**samplers)
        run, compiled = got["ours"]
        rate = 2e-6 * m * n * k / run
        peak = got.get("peak", float("nan")) * threads
        other = 2e-6 * m * n * k / got["blas"] if "blas" in got else float("nan")
        print(f"{f'{m} x {n} x {k}':>15} {threads:7} {compiled:10.1f} {run * 1e3:8.0f} {rate:8.1f} {rate / peak:8.0%}"
              f" {other:8.1f} {other / peak:8.0%} {other / rate:12.2f}", flush=True)
    script.remove()

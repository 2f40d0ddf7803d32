#!/usr/bin/env python3
"""A chain of ten elementwise operators on 64 MiB of float32, against a copy of the same bytes.

Goals: one kernel, at most 1.3 times the time of a copy (128 MiB of traffic), compiled in under 20 ms. The
copy has plain stores, as the kernel has; memcpy(), which writes around the cache, is shown beside it.

usage: elementwise.py TOOL
"""
import sys

from native import Script, build_reference, call_ms, floats, in_turn

COUNT = 16 << 20
OPS = [("add", "0.5"), ("multiply", "0.999"), ("maximum", "0.0"), ("multiply", "1.001"), ("subtract", "0.25"),
       ("abs", None), ("multiply", "0.5"), ("add", "0.125"), ("minimum", "6.0"), ("multiply", "last")]


def chain(shape):
    lines = [f"    @R.function\n    def main(x: R.Tensor({shape}, \"float32\")):\n        with R.dataflow():\n"]
    last = "x"
    for i, (name, operand) in enumerate(OPS):
        second = "" if operand is None else f", {last}" if operand == "last" else f", R.const({operand}, \"float32\")"
        lines.append(f"            v{i} = R.{name}({last}{second})\n")
        last = f"v{i}"
    return "".join(lines) + f"            R.output({last})\n        return {last}\n"


tool = sys.argv[1]
library = build_reference()
print(f"{'shape':>14} {'threads':>7} {'kernels':>7} {'compile ms':>10} {'run ms':>8} {'GB/s':>6}"
      f" {'C ms':>8} {'copy ms':>8} {'memcpy ms':>9} {'run/C':>6} {'run/copy':>8}")
x = floats(library, COUNT) if library else None
y = floats(library, COUNT) if library else None
for shape in ("(4096, 4096)", "(16777216,)"):
    script = Script(tool, chain(shape))
    kernels = script.kernels()
    for threads in (1, 2):
        samplers = {"ours": lambda: script.run(threads)}
        if library:
            samplers["chain"] = lambda: call_ms(library.chain, y, x, COUNT, threads)
            samplers["plain"] = lambda: call_ms(library.plain_copy, y, x, COUNT, threads)
            samplers["memcpy"] = lambda: call_ms(library.copy, y, x, COUNT, threads)
        got = in_turn(**samplers)
        run, compiled = got["ours"]
        c, plain, memcpy = (got.get(name, float("nan")) for name in ("chain", "plain", "memcpy"))
        print(f"{shape:>14} {threads:7} {kernels:7} {compiled:10.1f} {run:8.2f} {COUNT * 8 / run * 1e-6:6.1f}"
              f" {c:8.2f} {plain:8.2f} {memcpy:9.2f} {run / c:6.2f} {run / plain:8.2f}", flush=True)
    script.remove()

#!/usr/bin/env python3
"""One step of a decoder with a cache, in place against on a copy, at three cache lengths.

The first rows are examples/kv_cache.py: kernels that write one row of each cache and read 32.  The others write
one row by an operator that means "a copy of the cache with this row".  In place the time must not depend on the
length.  `--inplace=off` copies the caches first.  Times are those of the run itself (run_ms of --stats=json: the
median of the repeated steps), each length and mode in turn, so that a ratio compares like with like.

usage: kv_cache.py TOOL
"""
import json
import pathlib
import statistics
import sys
import tempfile

from measure import once

tool = sys.argv[1]
example = str(pathlib.Path(__file__).resolve().parent.parent / "examples" / "kv_cache.py")
OPERATORS = {
    "slice_scatter": ('row: R.Tensor((1, 64), "float32"), at: R.Tensor((), "int64"), end: R.Tensor((), "int64"), step: R.Tensor((), "int64")',
                      "R.slice_scatter(cache, row, at, end, step, axis=0)", ["end={end}", "step=1"]),
    "scatter_nd": ('row: R.Tensor((1, 64), "float32"), at: R.Tensor((1, 1), "int64")',
                   'R.scatter_nd(cache, at, row, reduction="update")', []),
    "index_put": ('row: R.Tensor((1, 64), "float32"), at: R.Tensor((1,), "int64")',
                  "R.index_put(cache, (at,), row, accumulate=False)", []),
}
SHAPES = {"slice_scatter": "", "scatter_nd": "1x1xi64=", "index_put": "1xi64="}


def script_of(parameters, value):
    return f'''from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(cache: R.Tensor(("t", 64), "float32"), {parameters}):
        R.func_attr({{"relax.inplace_arg": [0]}})
        with R.dataflow():
            new = {value}
            R.output(new)
        return new
'''


def step_ms(script, length, mode, inputs):
    args = [tool, "run", script, "--dim", f"t={length}", f"--inplace={mode}", "--repeat=21", "--stats=json"]
    for value in inputs:
        args += ["--in", value]
    _, _, status, output = once(args)
    if status != 0:
        raise SystemExit(f"failed: {' '.join(args)}")
    return json.loads(output[output.rindex(b"\n{") if b"\n{" in output else output.index(b"{"):])["run_ms"]


def row(name, script, length, caches, inputs):
    pairs = [(step_ms(script, length, "auto", inputs), step_ms(script, length, "off", inputs)) for _ in range(3)]
    auto, off = (statistics.median(p[i] for p in pairs) for i in (0, 1))
    mib = caches * length * 64 * 4 / 2**20
    print(f"{name:14} {length:10} {mib:7.1f} {auto * 1e3:12.1f} {off * 1e3:13.1f} {off / max(auto, 1e-3):8.1f}", flush=True)


print(f"{'by':14} {'cache rows':>10} {'MiB':>7} {'in place us':>12} {'on a copy us':>13} {'ratio':>8}")
with tempfile.TemporaryDirectory() as folder:
    for length in (1024, 16384, 131072):
        row("kernels", example, length, 2, [f"pos={length - 1}"])
    for name, (parameters, value, others) in OPERATORS.items():
        path = pathlib.Path(folder) / f"{name}.py"
        path.write_text(script_of(parameters, value))
        for length in (1024, 16384, 131072):
            inputs = [f"at={SHAPES[name]}{length - 1}"] + [other.format(end=length) for other in others]
            row(name, str(path), length, 1, inputs)

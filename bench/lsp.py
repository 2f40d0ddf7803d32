#!/usr/bin/env python3
"""From a keystroke to its diagnostics: `inlay lsp` on a script of 10,000 lines. Goal: under 50 ms.

Waiting is what a user sees; CPU time of the server is what others on the machine do not change.

Half of the keystrokes make a mistake and half take it back; in kernels, in graphs, and far apart.  Also: how long
hover takes, and the hints, which are made beside it.

usage: lsp.py TOOL [LINES]
"""
import os
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
from lsp_client import Client

URI = "file:///bench.py"
HEAD = ["from tvm.script import ir as I", "from tvm.script import relax as R", "from tvm.script import tirx as T", "",
        "@I.ir_module", "class Module:"]
KERNEL = """    @T.prim_func(private=True)
    def k{0}(a: T.Buffer((16, 128), "float32"), b: T.Buffer((16, 128), "float32")):
        for i, j in T.grid(16, 128):
            with T.sblock("k"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(a[vi, vj])
                T.writes(b[vi, vj])
                b[vi, vj] = a[vi, vj] * T.float32(2) + T.exp(a[vi, vj])
""".splitlines() + [""]
GRAPH = ['v{0} = R.call_tir(cls.k{1}, (v{2},), out_ty=R.Tensor((16, 128), "float32"))', "v{0} = R.add(v{2}, x)",
         "v{0} = R.nn.relu(v{2})"]


def script(count):
    lines, kernels = list(HEAD), count * 7 // 10 // len(KERNEL)
    for k in range(kernels):
        lines += [line.format(k) for line in KERNEL]
    lines += ["    @R.function", '    def main(x: R.Tensor((16, 128), "float32")):', "        cls = Module",
              "        with R.dataflow():", "            v0 = R.add(x, x)"]
    values = count - len(lines) - 2
    for i in range(1, values):
        lines.append("            " + GRAPH[i % 3].format(i, i % kernels, i - 1))
    return lines + [f"            out = R.add(v{values - 1}, x)", "            R.output(out)", "        return out", ""]


def quartiles(times):
    low, middle, high = (1000 * part for part in statistics.quantiles(times, n=4))
    return f"{middle:6.1f} ms ({low:.1f} to {high:.1f}, most {1000 * max(times):.1f})"


def used(client):
    """Seconds of CPU time that the server took so far."""
    fields = pathlib.Path(f"/proc/{client.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(tool, count=10_000):
    lines = script(count)
    client = Client(tool)
    client.start()
    begin = time.perf_counter()
    client.open(URI, "\n".join(lines))
    assert client.diagnostics(URI, 1) == []
    print(f"{len(lines)} lines, {len(chr(10).join(lines)) // 1024} KB")
    print(f"open                      {1000 * (time.perf_counter() - begin):6.1f} ms")
    times = {"a mistake": [], "none": []}
    begin_used = used(client)
    for turn in range(30):
        row = (turn * 997) % (len(lines) - 20) + 8
        while "vi, vj] = " not in lines[row] and "R." not in lines[row]:
            row += 1
        for typed, range_end, kind in (("$", 0, "a mistake"), ("", 1, "none")):
            version = len(times["a mistake"]) + len(times["none"]) + 2
            begin = time.perf_counter()
            client.edit(URI, version, ((row, 20), (row, 20 + range_end), typed))
            found = client.diagnostics(URI, version)
            times[kind].append(time.perf_counter() - begin)
            assert bool(found) == (kind == "a mistake"), found
            client.notes.clear()
    print(f"keystroke, CPU time       {1000 * (used(client) - begin_used) / 60:6.1f} ms")
    for kind, taken in times.items():
        print(f"keystroke, {kind:14} {quartiles(taken)}")
    taken = []
    for turn in range(30):
        begin = time.perf_counter()
        client.at("hover", URI, (len(lines) - 40 - turn, 13))
        taken.append(time.perf_counter() - begin)
    print(f"hover                     {quartiles(taken)}")
    begin = time.perf_counter()
    found = client.request("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}})
    print(f"hints, in the background  {1000 * (time.perf_counter() - begin):6.1f} ms: {len(found)}")
    client.stop()


main(sys.argv[1], *map(int, sys.argv[2:]))

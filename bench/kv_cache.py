#!/usr/bin/env python3
"""One append-and-attend step of examples/kv_cache.py, in place against on a copy, at three cache lengths.

The step reads 32 rows and writes one row of each cache; in place its time must not depend on the length.
`--inplace=off` copies both caches first. Times are those of the run itself (run_ms of --stats=json: the
median of the repeated steps), each length and mode in turn, so that a ratio compares like with like.

usage: kv_cache.py TOOL
"""
import json
import pathlib
import statistics
import sys

from measure import once

tool = sys.argv[1]
script = str(pathlib.Path(__file__).resolve().parent.parent / "examples" / "kv_cache.py")


def step_ms(length, mode):
    args = [tool, "run", script, "--dim", f"t={length}", "--in", f"pos={length - 1}", f"--inplace={mode}",
            "--repeat=21", "--stats=json"]
    _, _, status, output = once(args)
    if status != 0:
        raise SystemExit(f"failed: {' '.join(args)}")
    return json.loads(output[output.rindex(b"\n{") if b"\n{" in output else output.index(b"{"):])["run_ms"]


print(f"{'cache rows':>10} {'KV MiB':>7} {'in place us':>12} {'on a copy us':>13} {'ratio':>8}")
for length in (1024, 16384, 131072):
    pairs = [(step_ms(length, "auto"), step_ms(length, "off")) for _ in range(3)]
    auto, off = (statistics.median(p[i] for p in pairs) for i in (0, 1))
    mib = 2 * length * 64 * 4 / 2**20
    print(f"{length:10} {mib:7.1f} {auto * 1e3:12.1f} {off * 1e3:13.1f} {off / auto:8.1f}")

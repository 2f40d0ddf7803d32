#!/usr/bin/env python3
"""Copies, bytes and time in place against `--inplace=off` and against peers; README.md has a table.

usage: run.py TOOL [--peers PYTHON] [--threads N] [PROGRAM...]

PYTHON is that of scripts/peers (default build/peers/bin/python); a peer that it does not have is a dash. Every
figure of a program comes from one run of this script, on the same inputs.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from programs import PROGRAMS, script

HERE = pathlib.Path(__file__).resolve().parent
MODES, ROUNDS = ["auto", "off"], 7
PEERS = ["onnxruntime", "inductor", "tvm"]


def inlay(tool, file, mode, threads, options=()):
    args = [tool, "run", str(file), f"--inplace={mode}", f"--threads={threads}", "--stats=json", "--repeat=21", *options]
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"failed: {' '.join(args)}\n{done.stderr}")
    return json.loads(done.stdout[done.stdout.rindex('{"inplace"'):])


def both(*args):
    """Rows by mode: modes in turn, so that a busy machine slows both; of the times the median."""
    rounds = [{mode: inlay(args[0], args[1], mode, *args[2:]) for mode in MODES} for _ in range(ROUNDS)]
    for mode, row in rounds[0].items():
        row["run_ms"] = statistics.median(r[mode]["run_ms"] for r in rounds)
    return rounds[0]


def peer(python, name, program, folder, threads):
    if not pathlib.Path(python).exists():
        return {"why": "no peers installed"}
    done = subprocess.run([python, "-B", str(HERE / "peer.py"), name, program, folder, str(threads)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    lines = (done.stdout or done.stderr).strip().splitlines()
    return json.loads(lines[-1]) if done.returncode == 0 else {"why": lines[-1] if lines else "failed"}


def put(name, rows, times=({}, {}, {})):
    for mode, row in rows.items():
        others = " | ".join(f"{t['ms']:.3f}" if mode == "auto" and "ms" in t else "-" for t in times)
        print(f"| {name} | {mode} | {row['inplace']} | {row['elided']}, {row['views']} | {row['copies']} | "
              f"{row['copied_bytes']} | {row['arena_bytes']} | {row['run_ms']:.3f} | {others} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--peers", default=str(HERE.parent.parent / "build/peers/bin/python"))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("programs", nargs="*", default=["call", *PROGRAMS])
    options = parser.parse_intermixed_args()
    call = HERE.parent.parent / "examples/kv_cache.py"
    print("| program | | in place | elided, views | copies | copied bytes | peak bytes | ms | ONNX Runtime ms | Inductor ms | TVM ms |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in options.programs:
        if name == "call":
            put("decode step, by call", both(options.tool, call, options.threads, ["--dim", "t=1024", "--in", "pos=1023"]))
            continue
        program = PROGRAMS[name]()
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / f"{name}.py"
            file.write_text(script(program))
            rows = both(options.tool, file, options.threads)
            times = [peer(options.peers, one, name, folder, options.threads) for one in PEERS]
        put(program.name, rows, times)
        for one, t in zip(PEERS, times):
            print(f"{name}: {one}: {t.get('version', t.get('why'))}", file=sys.stderr)


main()

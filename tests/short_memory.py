#!/usr/bin/env python3
"""Short memory is an error like others: exit code 1 and a message, never a crash or "a bug in Inlay".

Runs commands again and again, each time with another allocation that fails (short_memory/fail.c), alone or with all that
follow.  Prints TAP.

usage: short_memory.py TOOL SHIM EXAMPLES [--count N]
"""
import argparse
import os
import pathlib
import subprocess
import tempfile

COMMANDS = {
    "check": ["check", "{examples}/kv_cache.py"],
    "a script that is wrong": ["check", "{folder}/wrong.py"],
    "opt": ["opt", "-p", "default", "{examples}/mlp.py"],
    "opt, watched": ["opt", "-p", "default", "--verify-each", "--check-each", "--roundtrip-each", "--print-changed",
                     "{examples}/gated.py"],
    "why": ["why", "--format=json", "{examples}/kv_cache.py"],
    "interpreted": ["run", "--interpret", "--dim", "t=16", "--in", "pos=1", "--out", "{folder}/r.npz",
                    "{examples}/kv_cache.py"],
    "compiled": ["run", "--check", "--in", "x=@{examples}/mlp/x.npy", "{examples}/mlp.py"],
    "race": ["race", "{examples}/gated.py", "--repeat", "1", "--pipelines", "default", "debug"],
    "reduce": ["reduce", "{examples}/gated.py", "--keep", "false"],
}
WRONG = """\
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.add(x, z)
    return R.reshpae(y)
"""


def run(tool, args, folder, **environment):
    return subprocess.run([tool, *args], cwd=folder, env=os.environ | environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", timeout=60)


def complaint(done, usual):
    """What is wrong with this end of a run; None if nothing is."""
    # The numbers of isl are GMP's, which has no way to say that memory is short and ends the process.
    if "GNU MP: Cannot " in done.stderr:
        return None
    if done.returncode not in (0, 1, usual):
        return f"exit code {done.returncode}"
    if "internal error" in done.stderr or "runtime error" in done.stderr:
        return "it takes itself for broken"
    if done.returncode == 1 and not done.stderr:
        return "it says nothing"
    return None


def places(total, count):
    """Up to @count numbers from 1 to @total, spread."""
    return sorted({1 + i * total // min(total, count) for i in range(min(total, count))})


def problems(tool, shim, args, folder, count):
    counted = pathlib.Path(folder, "count")
    usual = run(tool, args, folder, LD_PRELOAD=shim, FAIL_COUNT=str(counted))
    total = int(counted.read_text())
    assert total > 50, "the shim counts nothing"
    short = 0
    for at in places(total, count):
        for rest in ({}, {"FAIL_REST": "1"}):
            done = run(tool, args, folder, LD_PRELOAD=shim, FAIL_AT=str(at), **rest)
            short += "out of memory" in done.stderr
            if why := complaint(done, usual.returncode):
                yield f"allocation {at} of {total}{' and all behind it' if rest else ''}: {why}\n{done.stderr[-600:]}"
    if short < min(total, count) // 5:  # isl takes what it cannot have for "unknown"
        yield f"only {short} runs were out of memory"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("shim")
    parser.add_argument("examples")
    parser.add_argument("--count", type=int, default=25)
    args = parser.parse_args()
    print(f"1..{len(COMMANDS)}")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "wrong.py").write_text(WRONG)
        names = {"examples": str(pathlib.Path(args.examples).resolve()), "folder": folder}
        tool, shim = (str(pathlib.Path(path).resolve()) for path in (args.tool, args.shim))
        for number, (name, words) in enumerate(COMMANDS.items(), 1):
            found = list(problems(tool, shim, [word.format(**names) for word in words], folder, args.count))
            print(f"{'not ok' if found else 'ok'} {number} - {name}")
            for text in found[:5]:
                print("# " + text.replace("\n", "\n# "))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""A debugger stops on lines of the script: in kernels and graph functions, without and with optimization.

usage: debugger.py TOOL EXAMPLES-FOLDER
"""
import pathlib
import shutil
import subprocess
import sys

STOPS = {  # text of the line: function that gdb names
    "cache[pos, v_j] = row[0, v_j]": "append",
    "weight[v_w] = T.exp(score[v_w] - largest[0])": "attend",
    "R.call_tir_inplace(cls.append": "main",
}


def stop(tool, script, line, level):
    """What gdb prints where it stops."""
    args = ["gdb", "-q", "-batch", "-nx", "-ex", "set breakpoint pending on", "-ex", "set debuginfod enabled off",
            "-ex", f"break {script.name}:{line}", "-ex", "run", "-ex", "bt 1", "--args",
            tool, "run", script.name, "--dim", "t=64", "--in", "pos=40", f"-O{level}"]
    done = subprocess.run(args, cwd=script.parent, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=300)
    return done.stdout + done.stderr


def main(tool, folder):
    if not shutil.which("gdb"):
        print("1..0 # SKIP gdb is not installed")
        return 0
    script = (pathlib.Path(folder) / "kv_cache.py").resolve()
    lines = script.read_text().splitlines()
    tests = [(text, function, level) for text, function in STOPS.items() for level in (0, 2)]
    failed = False
    print(f"1..{len(tests)}")
    for number, (text, function, level) in enumerate(tests, 1):
        line = next(i for i, content in enumerate(lines, 1) if text in content)
        output = stop(str(pathlib.Path(tool).resolve()), script, line, level)
        is_good = any(part.startswith("#0") and f" {function} (" in part and f"{script.name}:{line}" in part
                      for part in output.splitlines())
        failed |= not is_good
        print(f"{'ok' if is_good else 'not ok'} {number} - {function} at line {line}, -O{level}")
        for part in [] if is_good else output.splitlines():
            print(f"# {part}")
    return failed


sys.exit(main(*sys.argv[1:]))

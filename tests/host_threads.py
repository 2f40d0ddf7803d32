#!/usr/bin/env python3
"""Parallel loops of artifacts on threads of a host: the same bits and errors for any number of them.  Prints TAP.

usage: host_threads.py TOOL ROOT
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIMEOUT = 120 * int(os.environ.get("INLAY_SLOW", "1"))


def run(*args):
    return subprocess.run([str(a) for a in args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, check=False)


def main():
    tool, source = sys.argv[1], pathlib.Path(sys.argv[2]) / "tests/host_threads"
    count = failed = 0

    def put(is_good, text, why=""):
        nonlocal count, failed
        count += 1
        failed += not is_good
        print(f"{'ok' if is_good else 'not ok'} {count} - {text}")
        if not is_good:
            print("\n".join("# " + line for line in why.splitlines()))

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = run(tool, "compile", source / "t.py", "-o", folder / "t.so", "--emit=o,so,h")
        put(made.returncode == 0, "the loops are compiled", made.stderr)
        serial = None
        for threads, library in ((0, "t.o"), (1, "t.o"), (3, "t.o"), (16, "t.o"), (3, "t.so")):
            program = folder / "program"
            compiler = os.environ.get("CC", "cc").split()
            built = run(*compiler, "-std=c11", "-D_GNU_SOURCE", *([f"-DTHREADS={threads}"] if threads else []), f"-I{folder}", "-rdynamic",
                        "-o", program, source / "threads.c", folder / library, f"-Wl,-rpath,{folder}", "-lm", "-lpthread")
            done = run(program) if built.returncode == 0 else built
            serial = serial or done.stdout
            pieces = [int(n) for n in re.findall(r"^(\d+) pieces", done.stderr, re.M)]
            is_divided = len(pieces) == 3 and pieces[1] == 0 and (min(pieces[0], pieces[2]) > 4 if threads else sum(pieces) == 0)
            put(done.returncode == 0 and done.stdout == serial and is_divided, f"{library} with {threads} threads", f"{serial}\n{done.stdout}{done.stderr}")
        put(serial and "picked 3 line 18: index 1000" in serial, "the error is that of the serial loop", serial or "")
    print(f"1..{count}")
    return failed > 0


sys.exit(main())

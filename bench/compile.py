#!/usr/bin/env python3
"""How long scripts take to compile: cold, with one thread and with all; with their objects kept, as those of a script that was
changed elsewhere; and again, when the whole is known. And artifacts: cold, and again.

usage: compile.py TOOL SCRIPT...      scripts of models: bench/plan/models.py FOLDER makes some

`CPU` is what the process and its threads used in all (of a machine that has other work, this says more than the clock),
in which the run itself is contained; `compile` is compile_ms of --stats, passes and code generation.  Medians of three.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 3
COLUMNS = ["script", "files kept", "KB", "cold: compile ms", "CPU ms", "on one thread: ms", "with objects: ms", "CPU ms", "again: ms", "CPU ms",
           "artifact: CPU ms", "again: CPU ms"]


def once(tool, script, home, *args):
    """compile_ms, and milliseconds of processor time."""
    environment = dict(os.environ, XDG_CACHE_HOME=str(home))
    process = subprocess.Popen([tool, "run", "--stats=json", *args, script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{script} failed")
    return json.loads(output.splitlines()[-1])["compile_ms"], (usage.ru_utime + usage.ru_stime) * 1e3


def artifact(tool, script, home):
    """Milliseconds of processor time for a .o."""
    environment = dict(os.environ, XDG_CACHE_HOME=str(home))
    process = subprocess.Popen([tool, "compile", script, "-o", str(pathlib.Path(home) / "m.o")], stdin=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{script} failed")
    return [(usage.ru_utime + usage.ru_stime) * 1e3]


def medians(rounds):
    return [f"{statistics.median(values):.0f}" for values in zip(*rounds)]


def row(tool, script):
    cold, serial, kept, again, made, remade = [], [], [], [], [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as home:
            cold.append(once(tool, script, home))
            again.append(once(tool, script, home))
            kept.append(once(tool, script, home, "--verify-each"))  # which looks at all that is done
            objects = list(pathlib.Path(home).glob("inlay/??/*"))
            size = sum(path.stat().st_size for path in objects)
        with tempfile.TemporaryDirectory() as home:
            serial.append(once(tool, script, home, "--compile-threads=1"))
        with tempfile.TemporaryDirectory() as home:
            made.append(artifact(tool, script, home))
            remade.append(artifact(tool, script, home))
    return [pathlib.Path(script).stem, len(objects), size >> 10, *medians(cold), medians(serial)[0], *medians(kept), *medians(again), *medians(made),
            *medians(remade)]


def main():
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for script in sys.argv[2:]:
        print("| " + " | ".join(str(cell) for cell in row(sys.argv[1], script)) + " |", flush=True)


if __name__ == "__main__":
    main()

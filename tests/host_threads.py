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


def own_threads(put, tool, source, folder, serial):
    """An artifact that brings threads with it."""
    compiler, cores = os.environ.get("CC", "cc").split(), len(os.sched_getaffinity(0))
    own = folder / "own"
    own.mkdir()
    needs = []
    for threads in ("--threads=1", "--threads", "--threads=4"):
        made = run(tool, "compile", source / "t.py", "-o", own / "t.so", "--emit=o,so,h,json", threads)
        needs.append(int(re.search(r"#define T_SUMMED_ARENA_BYTES (\d+)", (own / "t.h").read_text()).group(1)) if made.returncode == 0 else made.stderr)
    put([need - needs[0] for need in needs] == [0, 7 * 16384, 3 * 16384], "the arena has scratch for each thread", str(needs))
    symbols = run("nm", "-u", own / "t.o").stdout
    put("pthread_create" in symbols and "alloc" not in symbols.replace("aligned_alloc", ""), "threads of libc are used", symbols)
    symbols = run("nm", "-u", folder / "t.o").stdout
    put("pthread" not in symbols, "unless they are not asked for", symbols)
    for threads in (0, 3):
        for library in ("t.o", "t.so"):
            built = run(*compiler, "-std=c11", "-D_GNU_SOURCE", *([f"-DTHREADS={threads}"] if threads else []), f"-I{own}", "-rdynamic",
                        "-o", folder / "program", source / "threads.c", own / library, f"-Wl,-rpath,{own}", "-lm", "-lpthread")
            done = run(folder / "program") if built.returncode == 0 else built
            is_of_host = "\n0 pieces" not in "\n" + done.stderr
            put(done.returncode == 0 and done.stdout == serial and is_of_host == (threads > 0), f"{library} with its own threads beside {threads} of the host",
                f"{serial}\n{done.stdout}{done.stderr}")
    built = run(*compiler, "-std=c11", "-D_GNU_SOURCE", f"-I{own}", "-o", folder / "own_threads", source / "own.c", "-ldl", "-lpthread")
    done = run(folder / "own_threads", own / "t.so", cores) if built.returncode == 0 else built
    put(done.returncode == 0 and done.stdout == "fine\n", "own threads come and go", done.stdout + done.stderr)
    for machine in ("aarch64", "riscv64"):
        made = run(tool, "compile", source / "t.py", "-o", folder / "foreign.o", "--threads=2", f"--target={machine}")
        put(made.returncode == 0, f"threads on {machine}", made.stderr)
    refused = run(tool, "compile", source / "t.py", "-o", folder / "w.o", "--threads=2", "--target=wasm32")
    put(refused.returncode == 1 and "E0757" in refused.stderr and not (folder / "w.o").exists(), "WebAssembly has no threads", refused.stderr)
    for wrong in ("0", "33", "many", "-1", ""):
        refused = run(tool, "compile", source / "t.py", "-o", folder / "w.o", f"--threads={wrong}")
        put(refused.returncode == 2 and "from 1 to 32" in refused.stderr, f"--threads={wrong}", refused.stderr)


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
        own_threads(put, tool, source, folder, serial)
        put(serial and "picked 3 line 18: index 1000" in serial, "the error is that of the serial loop", serial or "")
    print(f"1..{count}")
    return failed > 0


sys.exit(main())

#!/usr/bin/env python3
"""Artifacts for other machines give the bits of the interpreter.

Every script is compiled for each target with the test program that `--emit=c` writes, which knows what the interpreter
makes of the module behind the passes, linked by the cross compiler and run under qemu, or under Node. scripts/peers-targets installs
what this takes; targets without it are skipped. Prints TAP.

usage: targets.py TOOL ROOT [--all] [--target NAME]... [SCRIPT...]      without --all: a slice of the scripts
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TIMEOUT = 120 * int(os.environ.get("INLAY_SLOW", "1"))
SLICE = 9  # every ninth script
WASM = pathlib.Path(__file__).resolve().parent / "targets/wasm"


def linux(compiler, *emulator):
    return [[compiler, "-static", "-std=c11", "-o", "m", "m_main.c", "m.o", "-lm"]], [*emulator, "./m"]


# name: options of inlay, what makes a program of the object and m_main.c, how it runs
TARGETS = {
    "aarch64": (["--target=aarch64"], *linux("aarch64-linux-gnu-gcc", "qemu-aarch64")),
    "riscv64": (["--target=riscv64"], *linux("riscv64-linux-gnu-gcc", "qemu-riscv64")),
    "riscv64 with vectors": (["--target=riscv64", "--features=+v"], *linux("riscv64-linux-gnu-gcc", "qemu-riscv64", "-cpu", "rv64,v=true,vext_spec=v1.0")),
    "wasm32": (["--target=wasm32"],
               [["clang-19", "--target=wasm32", "-std=c11", "-O1", "-nostdlibinc", "-isystem", WASM, "-Dmain=program", "-c", "-o", "main.o", "m_main.c"],
                ["wasm-ld-19", "--no-entry", "--export=program", "--allow-undefined", "-z", "stack-size=1048576", "-o", "m", "main.o", "m.o"]],
               ["node", WASM / "run.js", "./m"]),
}


def run(*args, folder=None):
    return subprocess.run([str(a) for a in args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, cwd=folder,
                          env=dict(os.environ, CC=""), check=False)


def check(tool, script, target, folder):
    """(has it run? or why it cannot, what is wrong or None)"""
    try:
        return try_check(tool, script, target, folder)
    except subprocess.TimeoutExpired as problem:
        return False, f"{problem.cmd[0]} took more than {TIMEOUT} s"


def try_check(tool, script, target, folder):
    options, build, start = TARGETS[target]
    made = run(tool, "compile", script, "-o", folder / "m.o", "--emit=o,h,c", *options)
    if made.returncode == 1 and run(tool, "compile", script, "-o", folder / "m.o", "--emit=o,h,c").stderr == made.stderr:
        return False, None  # nor for this machine
    if made.returncode:
        return False, made.stderr
    for command in build:
        linked = run(*command, folder=folder)
        if linked.returncode:
            return False, linked.stderr
    ran = run(*start, folder=folder)
    if re.match(r"qemu-\w+: .*Assertion", ran.stderr):  # its own bug (7.2: some vector instructions)
        return f"{script.name}: {ran.stderr.strip()}", None
    if re.search(r"there is no fmaf?$", ran.stderr, re.M):  # JavaScript has none that rounds once
        return False, None
    lines = ran.stdout.splitlines()
    # The cross compiler's libm is not this machine's: where it is called, the last bit may differ.
    near = [line for line in lines if line.endswith("nearly the same")]
    calls = run("llvm-nm-19", "-u", folder / "m.o").stdout
    if near and not re.search(r" U (exp|log|sin|cos|tan|pow|erf|a?(sin|cos|tan)h|a(sin|cos|tan)2?|log2|log10|log1p|exp2|expm1)f?$", calls, re.M):
        return True, "\n".join(near)
    return True, None if ran.returncode == 0 else ran.stdout + ran.stderr


def scripts_of(root, is_all):
    scripts = [path for path in sorted((root / "tests/golden/run").glob("*.py")) if re.match(r"# RUN: run\b", path.read_text())]
    return [path for folder in ("examples", "tests/targets/models") for path in sorted((root / folder).glob("*.py"))] + (scripts if is_all else scripts[::SLICE])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--target", action="append")
    parser.add_argument("scripts", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    count = failures = 0

    def put(is_good, text, why=""):
        nonlocal count, failures
        count += 1
        failures += not is_good
        print(f"{'ok' if is_good else 'not ok'} {count} - {text}", flush=True)
        print("".join(f"# {line}\n" for line in why.splitlines()), end="")

    scripts = options.scripts or scripts_of(options.root, options.all)
    for target in options.target or TARGETS:
        missing = [command[0] for command in [*TARGETS[target][1], TARGETS[target][2]] if not shutil.which(command[0])]
        if missing:
            put(True, f"{target} # SKIP there is no {missing[0]}: scripts/peers-targets installs it")
            continue
        compared = 0
        with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            folders = [pathlib.Path(name) / str(i) for i in range(len(scripts))]
            for folder in folders:
                folder.mkdir()
            for script, (has_run, why) in zip(scripts, pool.map(lambda row: check(options.tool, row[0], target, row[1]), zip(scripts, folders))):
                compared += has_run is True
                if isinstance(has_run, str):
                    print(f"# {target}: the emulator gives up: {has_run}")
                if why is not None:
                    put(False, f"{target}: {script.name}", why)
        put(compared >= len(scripts) // 2, f"{target}: {compared} of {len(scripts)} scripts were compared")
    print(f"1..{count}")
    return failures > 0


sys.exit(main())

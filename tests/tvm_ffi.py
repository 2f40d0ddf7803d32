#!/usr/bin/env python3
"""The doors of artifacts for callers by tvm-ffi: alone in a C program, and called from Python where scripts/peers has made
its environment (INLAY_PEERS names another).  Prints TAP.

usage: tvm_ffi.py TOOL ROOT
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIMEOUT = 120 * int(os.environ.get("INLAY_SLOW", "1"))
LIBRARY_OF_FFI = {"TVMFFIErrorSetRaisedFromCStrParts", "TVMFFIFunctionCall", "TVMFFIFunctionGetGlobal", "TVMFFIObjectDecRef",
                  "TVMFFIObjectIncRef"}
HOST = {"inlay_host_parallel"}
LIBC = {"aligned_alloc", "free", "memcpy", "memmove", "memset", "memcmp", "strlen", "strcspn", "strncmp"}


def run(*args):
    done = subprocess.run(list(map(str, args)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    return done.returncode, done.stdout, done.stderr


class Lines:
    """TAP of several programs as one."""

    def __init__(self):
        self.count, self.failed = 0, 0

    def put(self, is_good, text):
        self.count += 1
        self.failed += not is_good
        print(f"{'ok' if is_good else 'not ok'} {self.count} - {text}", flush=True)

    def take(self, who, result):
        code, out, err = result
        lines = re.findall(r"^(not ok|ok) - (.*)$", out, re.M)
        for verdict, text in lines:
            self.put(verdict == "ok", f"{who}: {text}")
        if not lines or (code and all(verdict == "ok" for verdict, _ in lines)):
            self.put(False, f"{who} ended with {code}")
        if code:
            print("\n".join("# " + line for line in (out + err).splitlines()))


def symbols(library):
    """(what it needs of others and is not weak, what is weak, what it shows)"""
    rows = [line.split() for line in run("nm", "-D", library)[1].splitlines()]
    needs = {kind: {row[-1].split("@")[0] for row in rows if row[-2] == kind} for kind in "UwT"}
    return needs["U"], needs["w"], needs["T"]


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    lines = Lines()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        library = folder / "p.so"
        code, _, err = run(tool, "compile", root / "tests/tvm_ffi/programs.py", "-o", library)
        lines.put(code == 0, "programs.py is compiled")
        print("\n".join("# " + line for line in err.splitlines()), end="\n" if err else "")
        needed, weak, shown = symbols(library)
        lines.put(needed <= LIBC and weak <= LIBRARY_OF_FFI | LIBC | HOST, f"what it needs: {' '.join(sorted(needed))}")
        lines.put({"__tvm_ffi_add", "__tvm_ffi_pair"} <= shown and not any(s.startswith("inlay") for s in shown), "what it shows")
        for who, options in (("without libtvm_ffi", []), ("with its functions", ["-DWITH_LIBRARY", "-rdynamic"])):
            program = folder / "alone"
            built = run(*os.environ.get("CC", "cc").split(), "-std=c17", "-D_GNU_SOURCE", *options, "-o", program, root / "tests/tvm_ffi/alone.c", "-ldl")
            lines.take(who, run(program, library) if built[0] == 0 else built)
        python = pathlib.Path(os.environ.get("INLAY_PEERS", root / "build/peers")) / "bin/python"
        if python.exists():
            lines.take("Python", run(python, root / "tests/tvm_ffi/calls.py", library))
        else:
            lines.count += 1
            print(f"ok {lines.count} - Python # SKIP there is no tvm-ffi here: scripts/peers makes its environment")
    print(f"1..{lines.count}")
    return lines.failed > 0


sys.exit(main())

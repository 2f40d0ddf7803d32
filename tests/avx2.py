#!/usr/bin/env python3
"""The golden scripts as a machine with AVX2 alone runs them, which most users have (scripts/avx2). Prints TAP.

usage: avx2.py TOOL ROOT
"""
import os
import pathlib
import subprocess
import sys


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    avx2 = root / "scripts/avx2"
    probe = subprocess.run([avx2, tool, "--version", "--verbose"], capture_output=True, text=True, check=False)
    if "does not let CPUID fault" in probe.stderr or "avx2" not in probe.stdout:
        print("1..0 # SKIP there is no AVX2 here, or CPUID cannot fault")
        return 0
    if "avx512" in probe.stdout or probe.returncode:
        print(f"not ok 1 - the machine has AVX2 and nothing wider\n# {probe.stdout}{probe.stderr}\n1..1")
        return 1
    os.execv(avx2, [avx2, sys.executable, root / "tests/golden.py", tool, root / "tests/golden"])


sys.exit(main())

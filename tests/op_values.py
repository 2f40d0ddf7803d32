#!/usr/bin/env python3
"""Operators against numbers that NumPy worked out beforehand: tests/op_values/*.{py,npz}.

Each script is run interpreted and compiled at -O0 and -O2; every result must be close to the expected one, element
by element, NaN for NaN and sign of zero apart. See scripts/make-op-values.py. Prints TAP.

usage: op_values.py TOOL FOLDER
"""
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz
from part import part

MODES = [["--interpret"], ["-O0"], ["-O2"]]
RELATIVE = {"f8": 1e-13, "f4": 4e-6, "f2": 2e-3}


def is_close(a, b, relative):
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or math.isinf(b):
        return a == b or (math.isnan(a) and math.isnan(b))
    return abs(a - b) <= relative * max(abs(a), abs(b)) + relative / 8


def calls(script):
    """Source lines by result, for messages."""
    return {line.split(" = ")[0].strip(): line.strip() for line in script.read_text().splitlines() if " = " in line}


def problems(tool, script, options):
    expected_path = script.with_suffix(".npz")
    data = npz.read_npz(expected_path)
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.npz"
        args = [tool, "run", str(script), *options, "--out", str(out)]
        for name in data:
            if not name.startswith("result."):
                args += ["--in", f"{name}=@{expected_path}:{name}"]
        done = subprocess.run(args, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        if done.returncode:
            return (done.stderr or f"exit status {done.returncode}").splitlines()
        results = npz.read_npz(out)
    found = []
    values = script.read_text().rsplit("return (", 1)[1].split(",)")[0].split(", ")
    lines = calls(script)
    for i, value in enumerate(values):
        descr, shape, want = data[f"result.{i}"]
        line = lines.get(value, value)
        if f"result.{i}" not in results:
            found.append(f"result {i} is missing")
            continue
        got_descr, got_shape, got = results[f"result.{i}"]
        if (descr, shape) != (got_descr, got_shape):
            found.append(f"{line}: {got_descr} {got_shape}, expected {descr} {shape}")
            continue
        for k, (a, b) in enumerate(zip(npz.values(descr, want), npz.values(descr, got))):
            if not is_close(a, b, RELATIVE.get(descr[1:], 0)):
                found.append(f"{line}: element {k} is {b!r}, expected {a!r}")
                break
    return found


def main(tool, folder):
    tool = str(pathlib.Path(tool).resolve())
    scripts = sorted(pathlib.Path(folder).resolve().glob("*.py"))
    runs = list(part([(script, options) for script in scripts for options in MODES], 4))
    print(f"1..{len(runs)}")
    has_failed = False
    for number, (script, options) in enumerate(runs, 1):
        found = problems(tool, script, options)
        has_failed |= bool(found)
        print(f"{'not ' if found else ''}ok {number} - {script.stem} {' '.join(options)}")
        for line in found[:40]:
            print(f"# {line}")
    return has_failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))

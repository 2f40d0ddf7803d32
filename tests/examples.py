#!/usr/bin/env python3
"""Runs every example and compares its results with numbers worked out by NumPy beforehand.

examples/<name>/ holds <input>.npy or .safetensors with several, and expected_<i>.npy (see scripts/make-example-data.py). Each example is
run compiled at -O0 and -O2, in every in-place mode that must succeed, and interpreted: all must agree with the
expected numbers, the compiled ones with each other to the last bit. `--check` compares the compiled module with the
interpreter on the module that was compiled, also to the last bit.

usage: examples.py TOOL EXAMPLES-FOLDER
"""
import ast
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

TIMEOUT = 60 * int(os.environ.get("INLAY_SLOW", "1"))
SCALARS = {"kv_cache": {"pos": "40"}, "generate": {"given": "5", "last": "45"}}
FORMATS = {"<f4": "f", "<f8": "d", "<i8": "q", "<i4": "i", "|b1": "?"}


def read_npy(data):
    """(shape, values) of a C-order .npy file."""
    assert data[:6] == b"\x93NUMPY", "no .npy file"
    length = struct.unpack("<H" if data[6] == 1 else "<I", data[8:10 if data[6] == 1 else 12])[0]
    start = 10 if data[6] == 1 else 12
    header = ast.literal_eval(data[start:start + length].decode())
    assert not header["fortran_order"]
    count = math.prod(header["shape"])
    return header["shape"], struct.unpack(f"<{count}{FORMATS[header['descr']]}", data[start + length:])


def is_close(a, b):
    return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-5 + 2e-5 * abs(b)


def run(tool, script, folder, options):
    """The results of one run as a list of (shape, values, bytes)."""
    with tempfile.TemporaryDirectory() as temp:
        out = pathlib.Path(temp) / "out.npz"
        args = [tool, "run", str(script), *options, "--out", str(out)]
        for path in sorted(folder.glob("*.npy")):
            if not path.stem.startswith("expected_"):
                args += ["--in", f"{path.stem}=@{path}"]
        for path in folder.glob("*.safetensors"):
            data = path.read_bytes()
            for name in json.loads(data[8:8 + int.from_bytes(data[:8], "little")]):
                if name != "__metadata__":
                    args += ["--in", f"{re.sub(r'[^0-9A-Za-z]', '_', name)}=@{path}:{name}"]
        for name, value in SCALARS.get(script.stem, {}).items():
            args += ["--in", f"{name}={value}"]
        done = subprocess.run(args, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
        if done.returncode != 0:
            return done.stderr or f"exit status {done.returncode}"
        with zipfile.ZipFile(out) as archive:
            files = [archive.read(name) for name in archive.namelist()]
    return [(*read_npy(data), data) for data in files]


def compare(results, expected):
    if isinstance(results, str):
        return results
    if len(results) != len(expected):
        return f"{len(results)} results, expected {len(expected)}"
    for i, ((shape, values, _), (want_shape, want)) in enumerate(zip(results, expected)):
        if shape != want_shape:
            return f"result {i} has shape {shape}, expected {want_shape}"
        for k, (a, b) in enumerate(zip(values, want)):
            if not is_close(a, b):
                return f"result {i}, element {k}: {a!r}, expected {b!r}"
    return None


MODES = [["-O0", "--check"], ["-O2"], ["-O2", "--inplace=off"], ["--interpret"]]


def check(tool, script):
    folder = script.with_suffix("")
    expected = [read_npy(p.read_bytes()) for p in sorted(folder.glob("expected_*.npy"))]
    if not expected:
        return "no expected results beside it"
    first = None
    for options in MODES:
        results = run(tool, script, folder, options)
        if why := compare(results, expected):
            return f"{' '.join(options)}: {why}"
        first = first or results
        is_compiled = "--interpret" not in options
        if is_compiled and [r[2] for r in results] != [r[2] for r in first]:
            return f"{' '.join(options)}: other bits than {' '.join(MODES[0])}"
    return None


def main(tool, examples):
    scripts = sorted(pathlib.Path(examples).glob("*.py"))
    failed = 0
    print(f"1..{len(scripts)}")
    for number, script in enumerate(scripts, 1):
        why = check(tool, script)
        failed += why is not None
        print(f"{'not ok' if why else 'ok'} {number} - {script.name}")
        if why:
            print("# " + why.replace("\n", "\n# "))
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
"""Weights are named in watched text, not shown, and come back: dumps, round trips, files that are missing or wrong.

usage: constants.py TOOL
"""
import json
import pathlib
import random as random_module
import shutil
import struct
import subprocess
import sys
import tempfile

SCRIPT = '''from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 64), "float32"), w: R.Tensor((64, 64), "float32"), v: R.Tensor((64, 64), "float32")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.matmul(y, v)
            R.output(z)
        return z
'''
BYTES = 64 * 64 * 4


def safetensors(path):
    """Both weights are equal: their data are one."""
    data = struct.pack("<4096f", *(i % 7 - 3 for i in range(4096)))
    header = json.dumps({name: {"dtype": "F32", "shape": [64, 64], "data_offsets": [i * BYTES, (i + 1) * BYTES]}
                         for i, name in enumerate(("w", "v"))}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + data + data)


def run(tool, *args):
    done = subprocess.run([tool, *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def literal(dtype, values, comma="", tail=""):
    """R.const of @values; a list that ends in a comma is read number by number, one without as a whole."""
    text = "[" + ", ".join(values) + comma + "]"
    if tail:  # rows
        text = "[" + ",\n            ".join(text for _ in range(3)) + comma + "]"
    kind = f', "{dtype}"' if dtype else ""
    return f'''from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main():
        return R.const({text}{kind})
'''


def literals(tool, folder):
    """Long lists are read from the text at once: to the same bytes, or with the same message."""
    random = random_module.Random(1)
    plain = [repr(random.uniform(-1, 1) * 10**random.randint(-45, 38)) for _ in range(300)]
    short = [f"{random.uniform(-9, 9):.9g}" for _ in range(300)] + ["0.1", "-0.0", "-0", "1e22", "1e23", "9007199254740993.0", "1e-22", "1E+5", "3.", "00.5",
                                                                    "0.30000000000000004", "123456789012345678901234567890.5", "4.9e-324", "1e-400", "1.7976931348623157e308"]
    ints = [str(random.randint(-100, 100)) for _ in range(300)]
    halves = [f"{random.uniform(-60000, 60000):.7g}" for _ in range(300)]
    cases = {"floats of any size": ("float64", plain), "floats in few digits": ("float64", short), "integers": ("int64", ints + [str(10**17), str(-10**17)]), "bytes": ("int8", ints),
             "float32": ("float32", halves), "float16": ("float16", halves), "integers as floats": ("float32", ints), "whole floats as integers": ("int32", ["1.0", "-2e3"] * 100),
             "bools": ("bool", ["0", "1", "0.0", "2"] * 100), "no dtype": ("", ints), "no dtype, one float": ("", ints + ["1.5"]),
             "too large": ("int8", ["1"] * 300 + ["200"]), "too large for a float": ("float32", ["1.0"] * 300 + ["1e39"]), "no whole number": ("int32", ["1"] * 300 + ["1.5"]),
             "negative": ("uint8", ["1"] * 300 + ["-1"])}
    for name, (dtype, values) in cases.items():
        for tail in ("", "rows"):
            found = []
            for comma in ("", ","):
                path = folder / "literal.py"
                path.write_text(literal(dtype, values, comma, tail))
                status, out, err = run(tool, "opt", path)
                found.append((status, out, err.replace(",]", "]")[:120]))
            good = found[0] == found[1] and (found[0][0] == 1) == (name.startswith(("too", "no whole", "negative")))
            yield f"{name}{' in rows' if tail else ''}", good, str(found)[:2000]
    path = folder / "literal.py"
    for name, text in {"a ragged list": "[[" + "1, " * 200 + "1], [1]]", "a number in a wrong form": "[" + "1, " * 200 + "1.2.3]", "a name": "[" + "1, " * 200 + "x]",
                       "a leading zero": "[" + "1, " * 200 + "007]", "no end": "[" + "1, " * 200}.items():
        path.write_text(literal("float32", ["@"]).replace("[@]", text))
        status, _, err = run(tool, "check", path)
        yield name, status == 1 and "error[" in err, err


def checks(tool, folder):
    yield from literals(tool, folder)
    script, dump = folder / "m.py", folder / "dump"
    script.write_text(SCRIPT)
    safetensors(folder / "w.safetensors")
    bind = f"BindParams(file=\"{folder / 'w.safetensors'}\")"
    status, full, err = run(tool, "opt", "-p", bind, "--dump-ir", dump, script)
    yield "the output shows all bytes", status == 0 and len(full) > BYTES, err
    dumped = dump / "001_BindParams.py"
    yield "a dump names them", len(dumped.read_text()) < BYTES and '"inlay:' in dumped.read_text(), dumped.read_text()[:500]
    files = list((dump / "constants").iterdir())
    sizes = {file.stat().st_size for file in files}
    yield "their bytes stand beside it", 1 <= len(files) <= 2 and sizes == {BYTES}, files
    status, again, err = run(tool, "opt", dumped)
    yield "a dump parses to the same module", (status, again) == (0, full), err
    status, _, err = run(tool, "opt", "-p", bind, "--print-changed", "--print-after", "--roundtrip-each", "--check-each", script)
    yield "watches are short", status == 0 and len(err) < 2 * BYTES, (status, len(err))
    plain = run(tool, "run", "--in", "x=iota", "-p", f"{bind},default", script)
    watched = run(tool, "run", "--in", "x=iota", "-p", f"{bind},default", "--roundtrip-each", script)
    read = run(tool, "run", "--in", "x=iota", dumped)
    yield "round trips keep the numbers", plain[0] == 0 and plain[1] == watched[1] == read[1], (plain, watched, read)
    broken = bytearray(files[0].read_bytes())
    broken[5] ^= 1
    for file in files:
        file.write_bytes(broken)
    status, _, err = run(tool, "opt", dumped)
    yield "other bytes are refused", status == 1 and "constants" in err, (status, err[-300:])
    shutil.rmtree(dump / "constants")
    status, _, err = run(tool, "opt", dumped)
    yield "missing ones too", status == 1 and "constants" in err, (status, err[-300:])


def main(tool):
    failed = 0
    with tempfile.TemporaryDirectory() as temp:
        for number, (name, is_good, what) in enumerate(checks(tool, pathlib.Path(temp)), 1):
            print(f"{'ok' if is_good else 'not ok'} {number} - {name}")
            if not is_good:
                print("# " + str(what).replace("\n", "\n# "))
            failed += not is_good
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

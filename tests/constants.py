#!/usr/bin/env python3
"""Weights are named in watched text, not shown, and come back: dumps, round trips, files that are missing or wrong.

usage: constants.py TOOL
"""
import json
import pathlib
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


def checks(tool, folder):
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

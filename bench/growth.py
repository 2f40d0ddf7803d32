#!/usr/bin/env python3
"""What a command costs with 100, 1,000 and 10,000 of one thing: the families of tests/growth.py.

Prints seconds of processor time, and how often ten times as many cost more (10 is linear).

usage: growth.py TOOL [FILTER] [COMMAND]      default: all families that go to 10,000; "opt -p default"
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))

import growth  # noqa: E402

SIZES = (100, 1000, 10000)


def main(tool, wanted="", command="opt -p default"):
    tool = str(pathlib.Path(tool).resolve())
    print(f"{'family':32}" + "".join(f"{size:>9}" for size in SIZES) + f"{'growth':>9}")
    for name, (make, sizes, _) in growth.FAMILIES.items():
        if wanted not in name or (not wanted and max(sizes) < SIZES[-1]):
            continue
        row = []
        for size in SIZES:
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "growth.py").write_text(make(size))
                seconds, status, message = growth.measure(tool, command, folder)
            row.append(seconds if status == 0 else None)
        cells = "".join(f"{'-' if seconds is None else f'{seconds:.2f}':>9}" for seconds in row)
        ends = row[-2:]
        print(f"{name:32}{cells}" + (f"{ends[1] / max(ends[0], 0.01):9.1f}" if None not in ends else f"{'-':>9}"), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

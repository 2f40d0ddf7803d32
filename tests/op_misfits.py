#!/usr/bin/env python3
"""Calls whose operands or attributes do not fit each other are refused by `inlay check`, where the argument stands.

The rows of op_misfits.txt say which error it is.  Then examples of operators are broken by one edit each (a dim, a dtype, an
attribute): each is refused, or runs and computes what the interpreter computes; sizes that only a run knows may be an error of
the run.  Prints TAP.

usage: op_misfits.py TOOL [--count N] [--seed N] [--operator REGEX] [--list]
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import op_examples
import op_mutants

TABLE = pathlib.Path(__file__).resolve().parent / "op_misfits.txt"


class Row:
    def __init__(self, line):
        self.call, operands, expected = (part.strip() for part in line.split("|"))
        self.code, _, self.underlined = expected.partition(" ")
        self.operands = [self.operand(text) for text in operands.split("; ") if text]

    @staticmethod
    def operand(text):
        name, *rest = text.split()
        dtype = rest.pop(0) if rest and rest[0] in op_mutants.DTYPES else "float32"
        dims = "".join(f"{dim}, " if dim.isdigit() else f'"{dim}", ' for dim in rest)
        return f'{name}: R.Tensor(({dims}), "{dtype}")'

    def found(self, tool, path):
        """The code of the first error, and what it underlines."""
        path.write_text(f"{op_examples.HEAD}    @R.function\n    def main({', '.join(self.operands)}):\n        return {self.call}\n")
        done = subprocess.run([tool, "check", "--diagnostics=json", str(path)], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=60 * op_examples.SLOW)
        assert done.returncode in (0, 1), f"{self.call}: exit status {done.returncode}: {done.stderr}"
        for line in (done.stdout + done.stderr).splitlines():
            message = json.loads(line) if line.startswith("{") else {"level": ""}
            if message["level"] == "error":
                text = message["spans"][0]["text"][0]
                return message["code"]["code"], text["text"][text["highlight_start"] - 1:text["highlight_end"] - 1]
        return "ok", ""


def check_rows(tool, folder):
    """What is wrong with the rows of the table."""
    for line in TABLE.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        row = Row(line)
        found = row.found(tool, folder / "row.py")
        if found != (row.code, row.underlined):
            yield f"{row.call} | {'; '.join(row.operands)}: expected {row.code} {row.underlined}, found {' '.join(found)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=320, help="how many broken calls are run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--operator", default="", help="only those whose name has this")
    parser.add_argument("--list", action="store_true", help="print what is accepted, and what becomes of it")
    options = parser.parse_args()
    print("1..2")
    ok = True
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number, problems in enumerate((lambda: check_rows(options.tool, folder), lambda: op_mutants.problems(options, folder)), 1):
            found = list(problems())
            print(f"{'not ok' if found else 'ok'} {number} - {('rows of op_misfits.txt', 'examples broken by one edit')[number - 1]}")
            for line in found:
                print("#", line.replace("\n", "\n# "))
            ok = ok and not found
    sys.exit(not ok)


if __name__ == "__main__":
    main()

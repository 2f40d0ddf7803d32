#!/usr/bin/env python3
"""Checks that the list in docs/operators.md is what `inlay list ops` prints. Prints TAP.

usage: op_docs.py TOOL ROOT [--write]
"""
import pathlib
import re
import subprocess
import sys

MARK = "<!-- what follows is made from `inlay list ops` by tests/op_docs.py --write -->\n"
FAMILIES = [("", "Tensors"), ("nn.", "Neural networks"), ("image.", "Images"), ("vision.", "Boxes"), ("inspect.", "Inspection"),
            ("builtin.", "Memory: builtin"), ("memory.", "Memory"), ("vm.", "Virtual machine"), ("ccl.", "Collectives"),
            ("dist.", "Distribution"), ("grad.", "Gradients")]


def listing(tool):
    text = subprocess.run([tool, "list", "ops"], capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"^R\.([\w.]+)\((.*)\)\n    (.*)$", text, re.MULTILINE)
    out = []
    for prefix, title in FAMILIES:
        family = sorted(row for row in rows if row[0].startswith(prefix) and (prefix or "." not in row[0]))
        out += [f"\n### {title}\n\n"]
        out += [f"- `R.{name}({signature})` {doc}\n" for name, signature, doc in family]
    return "".join(out)


def main(tool, root, write):
    page = pathlib.Path(root) / "docs/operators.md"
    head, _, tail = page.read_text().partition(MARK)
    wanted = listing(str(pathlib.Path(tool).resolve()))
    if write:
        page.write_text(head + MARK + wanted)
        return 0
    print(f"1..1\n{'ok' if tail == wanted else 'not ok'} 1 - docs/operators.md lists the operators as they are")
    if tail != wanted:
        print("# run tests/op_docs.py TOOL ROOT --write")
    return tail != wanted


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--write" in sys.argv))

#!/usr/bin/env python3
"""Checks that the list in docs/operators.md is what `inlay list ops` prints, and that in docs/onnx.md the table of the reader. Prints TAP.

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


def onnx_listing(root):
    """The rows of frontend/onnx/operators.def, under its headings."""
    row = re.compile(r'^(?:ONNX|OTHER)\((?:"([\w.]+)", *)?(\w+), *(\d+), *(\d+), *\w+, *\w+, *"(.*)"\)$|^/\* (.*) \*/$')
    out, text = [], (root / "frontend/onnx/operators.def").read_text()
    rows = [match.groups() for match in map(row.match, text.splitlines()) if match]
    assert len(rows) - sum(bool(heading) for *_, heading in rows) == len(re.findall(r"^(?:ONNX|OTHER)\((?!name|domain)", text, re.MULTILINE))
    for domain, name, since, until, note, heading in rows:
        if heading:
            out.append(f"\n### {heading[0].upper() + heading[1:]}\n\n")
            continue
        opsets = f"from opset {since} on" if until == "0" else f"opsets {since} to {until}"
        out.append(f"- `{domain + '.' if domain else ''}{name}`, {opsets}{': ' + note if note else ''}\n")
    return "".join(out)


PAGES = [
    ("operators.md", MARK, lambda tool, root: listing(tool)),
    ("onnx.md", "<!-- what follows is made from frontend/onnx/operators.def by tests/op_docs.py --write -->\n",
     lambda tool, root: onnx_listing(root)),
]


def main(tool, root, write):
    root, bad = pathlib.Path(root), 0
    print(f"1..{len(PAGES)}")
    for number, (name, mark, make) in enumerate(PAGES, 1):
        page = root / "docs" / name
        head, _, tail = page.read_text().partition(mark)
        wanted = make(str(pathlib.Path(tool).resolve()), root)
        if write:
            page.write_text(head + mark + wanted)
            tail = wanted
        bad += tail != wanted
        print(f"{'ok' if tail == wanted else 'not ok'} {number} - docs/{name} lists the operators as they are")
    if bad:
        print("# run tests/op_docs.py TOOL ROOT --write")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--write" in sys.argv))

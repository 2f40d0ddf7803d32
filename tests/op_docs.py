#!/usr/bin/env python3
"""Checks that the list in docs/operators.md is what `inlay list ops` prints, with examples that give what stands there, and
that in docs/onnx.md the table of the reader. Prints TAP.

usage: op_docs.py TOOL ROOT [--write]
"""
import difflib
import pathlib
import re
import subprocess
import sys

import op_examples

MARK = "<!-- what follows is made from `inlay list ops` and tests/op_examples.txt by tests/op_docs.py --write -->\n"
# Files of ops/, in the order of the page; what stands in none of them is part of the language.
FAMILIES = {"elementwise": "Element by element", "reduce": "Reductions", "search": "Searching, sorting, running sums", "create": "New tensors",
            "movement": "The same elements in another shape or place", "index": "Elements by their indices", "dtype": "Other dtypes",
            "linear": "Products of matrices and vectors", "conv": "Convolutions", "pool": "Pools", "nn": "Neural networks", "image": "Images and boxes",
            "gradient": "Gradients", "shape": "Shapes as values", "effect": "Effects", "memory": "Storage", "device": "Devices and workers",
            None: "Structure of programs"}
ROW = re.compile(r'^[A-Z]+\(\w+, *"([\w.]+)",|^/\* (.*) \*/$', re.MULTILINE)


def places(root):
    """{operator: (family, heading within it)}"""
    out = {}
    for family in filter(None, FAMILIES):
        heading = ""
        for match in ROW.finditer((root / f"ops/{family}.def").read_text()):
            if match[2]:
                heading = "" if match.start() == 0 else match[2]
            else:
                out[match[1]] = (family, heading)
    return out


def shown(example, value):
    operands = "".join(f"`{operand}`, " for operand in example.shown.split("; ") if operand)
    return f"  {operands.rstrip(', ')}{': ' * bool(operands)}`{example.call}` → `{value}`\n"


def listing(tool, root):
    text = subprocess.run([tool, "list", "ops"], capture_output=True, text=True, check=True).stdout
    rows = {name: (signature, doc) for name, signature, doc in re.findall(r"^R\.([\w.]+)\((.*)\)\n    (.*)$", text, re.MULTILINE)}
    examples = {example.name: example for example in op_examples.examples()}
    assert set(examples) == set(rows), f"{op_examples.TABLE.name} and the table of operators: {set(examples) ^ set(rows)}"
    where, values, out = places(root), op_examples.results(tool), []
    for family, title in FAMILIES.items():
        out.append(f"\n### {title}\n")
        last = None
        for name in sorted((name for name in rows if where.get(name, (None, ""))[0] == family), key=lambda n: (headings(where, n), n)):
            heading = where.get(name, (None, ""))[1]
            if heading != last:
                out.append(f"\n#### {heading[0].upper() + heading[1:]}\n\n" if heading else "\n")
                last = heading
            signature, doc = rows[name]
            out.append(f"- **`R.{name}({signature})`** {doc}{'' if doc.endswith('.') else '.'}")
            example = examples[name]
            out.append(f" See [{example.page}]({example.page}).\n" if example.page else "\n" + shown(example, values[name]))
    return "".join(out)


def headings(where, name):
    """The place of a heading among those of its family: that of its first operator."""
    family, heading = where.get(name, (None, ""))
    return min((i for i, place in enumerate(where.values()) if place == (family, heading)), default=0)


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
    ("operators.md", MARK, listing),
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
        for line in difflib.unified_diff(tail.splitlines(), wanted.splitlines(), "page", "tool", lineterm="", n=0):
            print(f"# {line}")
    if bad:
        print("# run tests/op_docs.py TOOL ROOT --write")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--write" in sys.argv))

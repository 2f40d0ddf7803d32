#!/usr/bin/env python3
"""Copies and allocations of programs from the tests of other compilers, theirs against ours: never more.

The programs are those of scenarios/peers.py, with what the peer's own test states; ours is counted in the module that runs.
(That they compute the right numbers is tested by inplace.py.) The table is docs/inplace-peers.md; --write makes it.

usage: peers_inplace.py TOOL ROOT [--write]
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import inplace
from scenarios.peers import CASES

PAGE = """# Copies and allocations: other compilers and Inlay

Programs from the tests of other compilers, rewritten as scripts (`tests/scenarios/peers.py`). *Theirs* is what the peer's own test
states, *ours* is counted in the module that `inlay opt -p default` prints: `R.copy` and calls of kernels that only move elements count as
copies; `tensors` are allocations, those of copies too. `tests/peers_inplace.py` counts them anew, fails if one of ours is ever more,
and holds this page to be what it measured; `--write` makes it. The other compilers were not run for it.

| peer | test | counts | theirs | ours |
|---|---|---|---|---|
"""


def measured(tool, case, folder):
    file = folder / "peer.py"
    file.write_text(inplace.script(case.row))
    status, out, err = inplace.invoke(tool, "opt", "-p", "default", str(file))
    assert status == 0, err
    return inplace.cost(out)[case.counts]


def page(counts):
    lines = [f"| {case.peer} | {case.test} | {case.counts} | {case.theirs} | {f'**{ours}**' if ours < case.theirs else ours} |"
             for case, ours in counts]
    fewer = sum(ours < case.theirs for case, ours in counts)
    more = sum(ours > case.theirs for case, ours in counts)
    return PAGE + "\n".join(lines) + f"\n\nOf {len(counts)} programs ours has fewer in {fewer} and more in {more}.\n"


def main(tool, root, *options):
    tool = str(pathlib.Path(tool).resolve())
    file = pathlib.Path(root) / "docs/inplace-peers.md"
    with tempfile.TemporaryDirectory() as temp:
        counts = [(case, measured(tool, case, pathlib.Path(temp))) for case in CASES]
    text = page(counts)
    if "--write" in options:
        file.write_text(text)
    failed = 0
    print(f"1..{len(counts) + 1}")
    for number, (case, ours) in enumerate(counts, 1):
        failed += ours > case.theirs
        print(f"{'not ok' if ours > case.theirs else 'ok'} {number} - {case.row.name}: {case.counts} {ours}, theirs {case.theirs}")
    is_current = file.exists() and file.read_text() == text
    print(f"{'ok' if is_current else 'not ok'} {len(counts) + 1} - docs/inplace-peers.md is what was measured")
    return 1 if failed or not is_current else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
"""Every link of a Markdown page leads somewhere, every file that one names is there, tests that are to hold a promise are there, and
every page can be found. Prints TAP.

usage: doc_links.py TOOL ROOT
"""
import pathlib
import re
import sys

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FILE = re.compile(r"`([a-z_]+/[\w/.-]+\.(?:c|h|py|md|def|sh|json|svg|re|build))`")
# What a page calls by the name that it has elsewhere: headers as they are installed, files that a reader makes.
ELSEWHERE = {"inlay/inlay.h", "docs/diagnostics/E0399.md", "passes/graph/flatten_tuples.c"}


def pages(root):
    return sorted(path for pattern in ("*.md", "docs/**/*.md", "codegen/*.md", "bench/**/*.md", "examples/**/*.md", "tests/**/*.md")
                  for path in root.glob(pattern))


def anchor(heading):
    """As web sites make one of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(page):
    text = FENCE.sub("", page.read_text())
    return {anchor(line) for line in re.findall(r"^#+ (.*)$", text, re.MULTILINE)} | set(re.findall(r'<a (?:name|id)="([^"]+)"', text))


def lost(root, page):
    """Links and files of a page that lead nowhere."""
    text = FENCE.sub("", page.read_text())
    found = []
    for link in LINK.findall(text):
        path, _, name = link.partition("#")
        if re.match(r"https?:", link):
            continue
        where = (page.parent / path).resolve() if path else page
        if not where.exists():
            found.append(link)
        elif name and name not in anchors(where):
            found.append(link)
    for name in FILE.findall(text):
        if name not in ELSEWHERE and not any((folder / name).exists() for folder in (root, page.parent, root / "tests/golden")):
            found.append(name)
    return found


def held_by_nothing(root, page):
    """Tests that the tables `broken, this fails` of a page name, and that there are not."""
    tables = re.findall(r"^\|[^\n]*broken, this fails[^\n]*\n(?:\|.*\n)+", page.read_text(), re.MULTILINE)
    folders = [root / name for name in ("", "tests", "tests/golden/memory", "tests/golden/loop", "tests/golden/errors")]
    units = "".join(path.read_text() for path in (root / "tests/unit").glob("*.c"))
    cases = "".join(path.read_text() for path in (root / "tests").glob("*.py"))
    plants = (root / "tests/broken/plants.def").read_text()
    for cell in (line.split("|")[-2] for table in tables for line in table.splitlines()[2:]):
        yield from (name for name in re.findall(r"`([\w./-]+\.py)`", cell) if not any((folder / name).exists() for folder in folders))
        yield from (f"unit {name}" for name in re.findall(r"unit `(\w+)`", cell) if not (root / f"tests/unit/test_{name}.c").exists())
        yield from (name for name in re.findall(r"`(test_\w+)`", cell) if f"void {name}(" not in units)
        yield from (name for name in re.findall(r"\.py` \(`(\w+)`\)", cell) if f"def {name}(" not in cases and f"PLANT({name}," not in plants)


def reached(root, start):
    """The pages to which links lead from there, one after the other."""
    todo, done = [start], set()
    while todo:
        page = todo.pop()
        if page in done or page.suffix != ".md" or not page.exists():
            continue
        done.add(page)
        links = LINK.findall(FENCE.sub("", page.read_text()))
        todo += [(page.parent / link.partition("#")[0]).resolve() for link in links if not re.match(r"https?:|#", link)]
    return done


def main(root):
    root = pathlib.Path(root).resolve()
    found = pages(root)
    there = reached(root, root / "README.md")
    checks = [(f"{page.relative_to(root)}: links lead somewhere", lost(root, page)) for page in found]
    checks += [(f"{page.relative_to(root)}: promises have their tests", list(held_by_nothing(root, page))) for page in found if "broken, this fails" in page.read_text()]
    checks.append(("every page can be reached from README.md", [str(page.relative_to(root)) for page in found
                                                                 if page not in there and page.parent.name != "diagnostics"]))
    print(f"1..{len(checks)}")
    for number, (name, wrong) in enumerate(checks, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}")
        for item in wrong:
            print(f"# {item}")
    return any(wrong for _, wrong in checks)


if __name__ == "__main__":
    sys.exit(main(sys.argv[2]))

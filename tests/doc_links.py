#!/usr/bin/env python3
"""Every link of a Markdown page leads somewhere, every file that one names is there, and every page can be found. Prints TAP.

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

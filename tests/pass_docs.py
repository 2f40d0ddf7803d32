#!/usr/bin/env python3
"""Checks docs/passes.md and docs/memory.md: what their commands print, and that the tables of the first are those of the
tool. Prints TAP.

A ```console block holds commands (`$ inlay ...`, run in examples/) and what they print, standard error included; times
and shares are compared as such, not as numbers. What follows the mark is made from `inlay list`.

usage: pass_docs.py TOOL ROOT [--write]
"""
import difflib
import pathlib
import re
import shlex
import subprocess
import sys

MARK = "<!-- what follows is made from `inlay list` by tests/pass_docs.py --write -->\n"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIMES = [(re.compile(r" *\b\d+(\.\d+)? (ns|us|ms|s)\b"), r" _ \2"), (re.compile(r" *\b\d+\.\d+ %"), " _ %")]


def run(tool, root, command):
    """What a command prints; a `...` line of the page stands for lines that are left out."""
    args = shlex.split(command)
    done = subprocess.run([tool, *args[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          cwd=root / "examples", text=True, timeout=60)
    return "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())


def block(tool, root, text):
    """The block with each command's output as it is now."""
    commands = [line for line in text.splitlines() if line.startswith("$ ")]
    return "".join(command + "\n" + run(tool, root, command[2:]) for command in commands)


def plain(text):
    for pattern, replacement in TIMES:
        text = pattern.sub(replacement, text)
    return text


def rows(tool, topic):
    """[(name, folder, doc, {column: value}, heading)] of `inlay list`."""
    text = subprocess.run([tool, "list", topic], capture_output=True, text=True, check=True).stdout
    out, heading = [], ""
    for line in text.splitlines():
        if line.startswith("# "):
            heading = line[2:].capitalize()
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            name, _, folder = line.partition(" ")
            out.append((name, folder.strip("()"), [], {}, heading))
        elif match := re.match(r"    (options|needs|gives): (.*)", line):
            out[-1][3][match[1]] = match[2]
        else:
            out[-1][2].append(line.strip())
    return out


def listing(tool):
    out = ["\n## Pipelines\n\n| name | passes | what for |\n|---|---|---|\n"]
    out += [f"| `{name}` | `{passes}` | {doc} |\n" for name, _, (doc, passes), _, _ in rows(tool, "pipelines")]
    out += ["\n## Properties\n\nWhat passes and code generation ask of a module. It is tested on the module itself.\n\n"
            "| property | holds if | given by |\n|---|---|---|\n"]
    passes = sorted(rows(tool, "passes"))
    for name, _, (doc,), _, _ in rows(tool, "properties"):
        givers = ", ".join(f"`{p[0]}`" for p in passes if name in p[3].get("gives", "").split(", "))
        out += [f"| `{name}` | {doc} | {givers} |\n"]
    out += ["\n## Passes\n"]
    for folder, title in dict.fromkeys((p[1], p[4]) for p in rows(tool, "passes")):
        out += [f"\n### {title}\n\n"]
        for name, where, docs, columns, _ in passes:
            if where != folder:
                continue
            out += [f"**`{name}`** {' '.join(docs)}\n"]
            out += [f"- {column}: `{value}`\n" for column, value in columns.items()]
            out += ["\n"]
    return "".join(out).rstrip("\n") + "\n"


def main(tool, root, write):
    tool, root = str(pathlib.Path(tool).resolve()), pathlib.Path(root).resolve()
    page, memory = root / "docs/passes.md", root / "docs/memory.md"
    head, _, tail = page.read_text().partition(MARK)
    shown = memory.read_text()

    def renewed(match):
        now = f"```console\n{block(tool, root, match[1])}```"
        return match[0] if plain(match[0]) == plain(now) else now # other times are no reason to write

    wanted = BLOCK.sub(renewed, head)
    tables = listing(tool)
    if write:
        page.write_text(wanted + MARK + tables)
        memory.write_text(BLOCK.sub(renewed, shown))
        return 0
    failed = 0
    print("1..3")
    for number, (name, found, right) in enumerate([("passes.md: commands print", plain(head), plain(wanted)),
                                                   ("passes.md: tables are", tail, tables),
                                                   ("memory.md: commands print", plain(shown),
                                                    plain(BLOCK.sub(renewed, shown)))], 1):
        failed += found != right
        print(f"{'ok' if found == right else 'not ok'} {number} - docs/{name} what it says")
        for line in difflib.unified_diff(found.splitlines(), right.splitlines(), "page", "tool", lineterm="", n=1):
            print(f"# {line}")
    if failed:
        print("# run tests/pass_docs.py TOOL ROOT --write")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--write" in sys.argv))

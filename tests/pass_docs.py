#!/usr/bin/env python3
"""Checks README.md and every page of docs/: what their commands print, and that the tables of docs/passes.md are those of
the tool. Prints TAP.

A ```console block holds commands (`$ inlay ...`) and what they print, standard error included; times and shares are
compared as such, not as numbers. Commands of a page run one after the other in a copy of examples/, those of README.md in
the folder above it, those behind `<!-- in an empty folder -->` in one; a block after `<!-- file: NAME -->` is a file there. A command outside of such a block is refused unless
`<!-- not run: why -->` stands in front of the block; every block of a language is run, here or by the test that `<!-- run by: PATH -->` in front of
it names, or says why not. Lines of a block behind `<!-- out of: COMMAND -->` are lines of what that
prints, in its order; `...` stands for anything. What follows the mark is made from `inlay list`.

usage: pass_docs.py TOOL ROOT [--write]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import pass_examples
from cases import compare

MARK = "<!-- what follows is made from `inlay list` and tests/pass_examples.txt by tests/pass_docs.py --write -->\n"
NOT_RUN = r"(<!-- (?:not run|run by): [^\n]+ -->\n+)?"
BLOCK = re.compile(rf"^{NOT_RUN}```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANY = re.compile(rf"^{NOT_RUN}```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PIECE = re.compile(r"(?:^(<!-- [^\n]+ -->)\n+|^)```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^<!-- file: ([\w.]+) -->\n+```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXCERPT = re.compile(r"^<!-- out of: ([^\n]+) -->\n+```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EMPTY = "<!-- in an empty folder -->"
SLOW = int(os.environ.get("INLAY_SLOW", "1"))
TIMES = [(re.compile(r" *\b\d+(\.\d+)? (ns|us|ms|s)\b"), r" _ \2"), (re.compile(r" *\b\d+\.\d+ %"), " _ %")]


def run(tool, folder, command):
    """What a command prints."""
    path = f"{pathlib.Path(tool).parent}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          cwd=folder, env={**os.environ, "PATH": path}, text=True, timeout=60 * SLOW)
    return "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())


def block(tool, folder, text):
    """The block with each command's output as it is now."""
    commands = [line for line in text.splitlines() if line.startswith("$ ")]
    return "".join(command + "\n" + run(tool, folder, command[2:]) for command in commands)


def renewed(tool, root, where, text):
    """The page with the output of all its commands as it is now."""
    def one(match):
        if match[1]:
            return match[0] # its reason stands there
        now = f"```console\n{block(tool, folder, match[2])}```"
        return match[0] if plain(match[0]) == plain(now) else now # other times are no reason to write

    with tempfile.TemporaryDirectory() as temp:
        files = FILE.findall(text)
        folder = pathlib.Path(temp) / where
        for part in ("examples", "examples/host", "docs"):
            (pathlib.Path(temp) / part).mkdir()
            if EMPTY not in text:
                for file in (root / part).glob("*.[cp]*"):
                    shutil.copy(file, pathlib.Path(temp) / part)
        for part in ("tests", "ops"):
            (pathlib.Path(temp) / part).symlink_to(root / part)
        for name, script in files:
            (folder / name).write_text(script)
        return BLOCK.sub(one, text), [line for command, body in EXCERPT.findall(text) for line in lost(tool, folder, command, body)]


def lost(tool, folder, command, body):
    """Lines that what the command prints does not have there."""
    printed = run(tool, folder, command).splitlines()
    for line in filter(None, (line.strip() for line in body.splitlines())):
        pattern = ".*".join(map(re.escape, line.split("...")))
        at = next((i for i, other in enumerate(printed) if re.search(pattern, other)), None)
        if at is None:
            yield f"{command}: {line}"
        else:
            del printed[:at]


def unmarked(root, text):
    """Commands and pieces of programs that nobody runs, and nobody says why; tests that are to run some, and are not there."""
    lines = [line for why, language, body in ANY.findall(text) if not why and language != "console"
             for line in body.splitlines() if re.match(r"(\$ )?(inlay|make|meson|ninja|apt-get|pip|cc) ", line)]
    pieces = [f"{language}: {body.splitlines()[0]}" for mark, language, body in PIECE.findall(text)
              if language not in ("console", "diff", "ebnf") and not re.match(r"<!-- (file|out of|not run|run by): ", mark)]
    return lines + pieces + [f"{path} is not there" for path in re.findall(r"^<!-- run by: (\S+) -->$", text, re.MULTILINE) if not (root / path).exists()]


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
    out += ["\n## Passes\n\nWith what each does to a small script, as a test makes it; imports, constants, regions of blocks and the root block are left out.\n"]
    examples = pass_examples.examples()
    for folder, title in dict.fromkeys((p[1], p[4]) for p in rows(tool, "passes")):
        out += [f"\n### {title}\n\n"]
        for name, where, docs, columns, _ in passes:
            if where != folder:
                continue
            out += [f"**`{name}`** {' '.join(docs)}\n"]
            out += [f"- {column}: `{value}`\n" for column, value in columns.items()]
            pipeline, body = examples.pop(name) # each has one
            text, before = pass_examples.change(tool, pipeline, body)
            shown = pass_examples.split(pipeline)[1]
            head = f"`{shown}`{f' behind `{before}`' if before else ''}:\n\n" if before or shown != name else ""
            out += [f"\n{head}```diff\n{text}```\n\n"]
    assert not examples, f"examples of passes that there are not: {set(examples)}"
    return "".join(out).rstrip("\n") + "\n"


def main(tool, root, write):
    tool, root = str(pathlib.Path(tool).resolve()), pathlib.Path(root).resolve()
    checks = []
    for page in [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]:
        name = page.relative_to(root)
        text = page.read_text()
        head, mark, tail = text.partition(MARK)
        wanted, missing = renewed(tool, root, "examples" if name.parent.name else "", head)
        tables = listing(tool) if mark else ""
        if write and wanted + mark + tables != text:
            page.write_text(wanted + mark + tables)
        checks.append((f"{name}: {len(BLOCK.findall(head))} blocks print what it says", plain(head), plain(wanted)))
        checks.append((f"{name}: every command runs or says why not", "\n".join(unmarked(root, head)), ""))
        checks.append((f"{name}: {len(EXCERPT.findall(head))} excerpts are of what they say", "\n".join(missing), ""))
        if mark:
            checks.append((f"{name}: tables are what it says", tail, tables))
    if write:
        return 0
    return compare(checks, "tests/pass_docs.py TOOL ROOT --write")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--write" in sys.argv))

#!/usr/bin/env python3
"""Runs the examples of docs/diagnostics: each code has a page, and each page shows its code.

A page starts with `# E0123: sentence`.  A ```python block after the line `Fails:` must make `inlay check` fail
with the code; after "Fails with `inlay run FILE`:" it is that command.  A block after `Fixed:` must pass the same
command.  A page whose code no script can provoke has a paragraph `No script ...` that says so.  Prints TAP.

usage: pages.py TOOL ROOT
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROW = re.compile(r"^DIAG\(\s*(\d+)\s*,\s*(\w+)\s*,\s*(\w+)\s*,", re.MULTILINE)
BLOCK = re.compile(r"^(Fails|Fixed)(?: with `inlay ([^`]*)`)?:\n+```python\n(.*?)^```$",
                   re.MULTILINE | re.DOTALL)
NO_EXAMPLE = re.compile(r"^No script\b", re.MULTILINE)
TIMEOUT = 60 * int(os.environ.get("INLAY_SLOW", "1"))


def run(tool, command, script):
    """(exit status, output)"""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "example.py").write_text(script)
        args = [arg.replace("FILE", "example.py") for arg in shlex.split(command)]
        done = subprocess.run([tool, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, cwd=folder, timeout=TIMEOUT)
        return done.returncode, done.stdout.decode("utf-8", "replace")


def problems(tool, page, code, severity):
    if not page.exists():
        return [f"docs/diagnostics/{page.name} is missing"]
    text = page.read_text()
    if not text.startswith(f"# {code}: "):
        return [f"the first line must be `# {code}: ...`"]
    blocks = BLOCK.findall(text)
    found = []
    command = "check FILE"
    if not any(kind == "Fails" for kind, _, _ in blocks) and not NO_EXAMPLE.search(text):
        found.append("no ```python block after a line `Fails:`, and no line `No script ...`")
    for kind, with_command, script in blocks:
        command = with_command or command
        if "FILE" not in command:
            command += " FILE"
        status, output = run(tool, command, script)
        wanted = 1 if kind == "Fails" and severity == "ERROR" else 0
        shows = f"[{code}]" in output
        if status != wanted or shows != (kind == "Fails"):
            found += [f"{kind}: `inlay {command}`: exit status {status}, not {wanted}; "
                      f"{code} is{'' if shows else ' not'} shown", *output.splitlines()]
    return found


def main(tool, root):
    tool, root = str(pathlib.Path(tool).resolve()), pathlib.Path(root)
    rows = [row for file in sorted((root / "base/diag").glob("*.def"))
            for row in ROW.findall(file.read_text())]
    numbers = [int(number) for number, _, _ in rows]
    checks = [("every code is in the table once",
               [f"E{n:04} stands twice" for n in set(numbers) if numbers.count(n) > 1]),
              ("every page has a row",
               [page.name for page in sorted((root / "docs/diagnostics").glob("E*.md"))
                if int(page.stem[1:]) not in numbers])]
    for number, name, severity in rows:
        code = f"E{int(number):04}"
        page = root / "docs/diagnostics" / f"{code}.md"
        checks.append((f"{code} {name}", problems(tool, page, code, severity)))
    print(f"1..{len(checks)}")
    for index, (name, found) in enumerate(checks, 1):
        print(f"{'not ok' if found else 'ok'} {index} - {name}")
        for line in found:
            print(f"# {line}")
    return any(found for _, found in checks)


sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
"""Edits that messages propose: each case is broken, says its code, and is accepted as `check --fix` leaves it.

The same edit must stand in the JSON, at the bytes that it replaces, and in the SARIF. Prints TAP.

usage: fixes.py TOOL
"""
import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile

from fix_cases import CASES
from fix_cases.frames import GRAPH, TEMPLATES
from fix_cases.said import ALONE, REFUSED

# Warnings that are not what the case is about.
QUIET = {"E0320", "E0321"}


def make(template, text):
    frame, blanks = TEMPLATES[template]
    return frame.format("\n".join(" " * blanks + line if line and blanks else line for line in text.split("\n")))


def run(tool, *arguments):
    done = subprocess.run([tool, "check", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def edits_of(text):
    """code -> (byte range, replacement) of the messages of a JSON listing that have one edit"""
    found = {}
    for line in text.splitlines():
        message = json.loads(line)
        spans = [s for child in message["children"] for s in child["spans"] if s["suggested_replacement"] is not None]
        if message["code"]:
            found.setdefault(message["code"]["code"], spans)
    return found


def on_terminal(tool, file, columns):
    """What is shown on a terminal of so many columns."""
    master, slave = pty.openpty()
    environment = dict(os.environ, COLUMNS=str(columns), NO_COLOR="1")
    done = subprocess.Popen([tool, "check", str(file)], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    text = b""
    while True:
        try:
            text += (part := os.read(master, 65536))
        except OSError:
            break
        if not part:
            break
    done.wait()
    os.close(master)
    return text.decode().splitlines()


def main(tool):
    tool = str(pathlib.Path(tool).resolve())
    problems = {}
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, (code, template, broken, mended) in enumerate(CASES):
            file = pathlib.Path(folder, f"case{number}.py")
            file.write_text(make(template, broken))
            files.append(file)
            found = problems.setdefault(number, [])
            _, out, _ = run(tool, "--diagnostics=json", file)
            edits = edits_of(out)
            if code not in edits:
                found.append(f"{code} is not said, but {sorted(edits)}")
            elif mended is None:
                found += [f"there is an edit: {edits[code]}"] if len(edits[code]) == 1 else []
            elif len(edits[code]) != 1:
                found.append(f"{len(edits[code])} edits in the JSON")
            else:
                span, text = edits[code][0], file.read_bytes()
                text = text[:span["byte_start"]] + span["suggested_replacement"].encode() + text[span["byte_end"]:]
                if out.count("\n") == 1 and code != "E0110" and text.decode() != make(template, mended):
                    found.append("the edit of the JSON makes\n" + text.decode())
        mendable = [file for file, case in zip(files, CASES) if case[3] is not None]
        _, sarif, _ = run(tool, "--diagnostics=sarif", *mendable[-8:])
        results = json.loads(sarif)["runs"][0]["results"]
        problems["sarif"] = [] if sum("fixes" in r for r in results) >= 6 else ["there are no fixes in the SARIF"]
        wide = pathlib.Path(folder, "wide.py")
        wide.write_text(GRAPH.format(8 * " " + "z = R.add(x, " + "R.abs(" * 30 + "yy1q" + ")" * 31 + "\n" + 8 * " " + "w = R.add(x, xx1q)"))
        lines = on_terminal(tool, wide, 70)
        problems["terminal"] = [line for line in lines if len(line) > 70 and not line.lstrip().startswith("=")]
        problems["terminal"] += [] if sum("inlay explain E0201" in line for line in lines) == 1 else ["the page is not named once", *lines]
        page = subprocess.run([tool, "explain", "IP004", "ip25", "LP014", "fu53"], capture_output=True, text=True).stdout
        problems["reasons"] = [] if "# IP004: the storage belongs to the caller" in page and "# IP025: " in page and "# LP014: " in page and "# FU053: " in page else [page]
        run(tool, "--fix", *files)
        problems["refused"] = []
        for template, text in REFUSED:
            file = pathlib.Path(folder, "refused.py")
            file.write_text(make(template, text))
            _, out, _ = run(tool, "--diagnostics=json", file)
            problems["refused"] += [] if any(edits_of(out).values()) else ["there is no edit in " + out]
            _, _, said = run(tool, "--fix", file)
            problems["refused"] += [] if file.read_text() == make(template, text) else [file.read_text() + said]
        problems["alone"] = []
        for template, text in ALONE:
            file = pathlib.Path(folder, "alone.py")
            file.write_text(make(template, text))
            _, out, _ = run(tool, "--diagnostics=json", file)
            problems["alone"] += [] if out.count("\n") == 1 else [out]
        for number, (file, (code, template, broken, mended)) in enumerate(zip(files, CASES)):
            text, wanted = file.read_text(), make(template, broken if mended is None else mended)
            if text != wanted:
                problems[number].append("--fix makes\n" + text)
        for number, (file, case) in enumerate(zip(files, CASES)):
            if case[3] is None or problems[number]:
                continue
            _, out, _ = run(tool, "--diagnostics=json", file)
            left = set(edits_of(out)) - QUIET
            problems[number] += [f"mended, it still has {sorted(left)}"] if left else []
    print(f"1..{len(problems)}")
    for index, (number, found) in enumerate(problems.items(), 1):
        name = number if isinstance(number, str) else f"{CASES[number][0]} {CASES[number][2].splitlines()[0][:60]!r}"
        print(f"{'not ok' if found else 'ok'} {index} - {name}".replace("#", " "))
        for line in "\n".join(found).splitlines():
            print(f"# {line}")
    return any(problems.values())


sys.exit(main(*sys.argv[1:]))

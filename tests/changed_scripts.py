#!/usr/bin/env python3
"""Scripts with mistakes of people, through all that takes a script: no crash, no "internal error", no hang, no silence; `check --fix` ends and
leaves no more errors than there were. What checks is explained, run through the passes, interpreted, and some of it compiled.

The changes (script_changes.py) are the same for the same seed. Prints TAP; of what fails, the difference to the script that it was made from.

usage: changed_scripts.py TOOL ROOT [--seed N] [--count N] [--jobs N] [--compile-every N] [--keep FOLDER] [FILTER...]

--keep keeps what fails. A FILTER is a part of the path of a script.
"""
import argparse
import concurrent.futures
import difflib
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

import script_changes

SLOW = int(os.environ.get("INLAY_SLOW", "1"))
SECONDS = 10 * SLOW # of the processor
TIMEOUT = 300 * SLOW # on a machine that others use
MEMORY = 4 << 30  # bytes of address space; not under the sanitizers, which reserve terabytes
FOLDERS = ["tests/golden", "tests/trial/base", "examples"]
LONGEST = 20000  # bytes
SYNTAX = re.compile(r"E01\d\d")
BUG = re.compile(r"internal error|AddressSanitizer|LeakSanitizer|runtime error: |UndefinedBehavior")
ERROR = re.compile(r"^(?:inlay: )?error(?:\[E\d{4}\])?: |^\S+: error", re.MULTILINE)


def limit():
    if SLOW == 1:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def may_last(text):
    """Has @text a number that a loop may count to for long, a loop without one, or a function that may call itself?"""
    return (any(len(number) > 4 for number in re.findall(r"\d+", text)) or "while " in text
            or any(text.count(f"{name}(") > 1 for name in re.findall(r"def (\w+)", text)))


class Script:
    """One changed script in a folder of its own."""
    def __init__(self, tool, folder, text):
        self.tool, self.folder, self.text, self.found = tool, pathlib.Path(folder), text, []
        self.file = self.folder / "changed.py"
        self.write()

    def write(self):
        self.file.write_text(self.text, errors="surrogateescape")

    def run(self, *arguments):
        """(exit status, output) of the tool; what is wrong with them is noted."""
        try:
            done = subprocess.run([self.tool, *arguments, self.file.name], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=TIMEOUT, preexec_fn=limit,
                                  env=dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache")))
        except subprocess.TimeoutExpired:
            self.found.append(f"{' '.join(arguments)}: no end within {TIMEOUT} s")
            return None, ""
        if done.returncode in (-signal.SIGKILL, -signal.SIGXCPU):
            self.found += [] if arguments[0] == "run" and may_last(self.text) else [f"{' '.join(arguments)}: no end within {SECONDS} s"]
            return None, ""
        out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        bug = BUG.search(out + err)
        if done.returncode not in (0, 1) or bug:
            self.found.append(f"{' '.join(arguments)}: exit status {done.returncode}\n{(out + err)[-3000:]}")
        elif done.returncode and "json" not in arguments[-1] and not ERROR.search(err):
            self.found.append(f"{' '.join(arguments)}: exit status 1 without an error\n{err[-1000:]}")
        return done.returncode, out

    def messages(self):
        """(exit status, errors, errors of syntax, whether an edit is proposed)"""
        status, out = self.run("check", "--diagnostics=json")
        listed = [json.loads(line) for line in out.splitlines()] if status in (0, 1) else []
        errors = [m["code"]["code"] if m["code"] else "" for m in listed if m["level"] == "error"]
        edits = any(span["suggested_replacement"] is not None for m in listed for child in m["children"] for span in child["spans"])
        if status == 1 and not errors:
            self.found.append("check: exit status 1 without an error")
        return status, errors, [code for code in errors if SYNTAX.match(code)], edits

    def fix(self, errors, syntax):
        """What --fix makes of it is no worse; what an error of syntax hid does not count."""
        self.run("check", "--fix")
        after = self.file.read_text(errors="surrogateescape")
        if after != self.text:
            _, errors_after, syntax_after, _ = self.messages()
            is_worse = len(syntax_after) > len(syntax) or (not syntax and len(errors_after) > len(errors))
            if is_worse:
                self.found += [f"--fix: {errors} became {errors_after}", *difflib.unified_diff(self.text.split("\n"), after.split("\n"), "before", "after", "", n=0)]
        self.write()

    def all(self, is_compiled):
        status, errors, syntax, edits = self.messages()
        if edits:
            self.fix(errors, syntax)
        elif status == 1:
            self.run("check")
        if status == 0:
            self.run("why")
            self.run("opt", "-p", "default")
            self.run("run", "--interpret")
            if is_compiled:
                self.run("run", "--threads=1")
        return self.found


def scripts(root, filters):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            text = path.read_text(errors="surrogateescape").partition("# OUT:\n")[0]
            if len(text) <= LONGEST and "@" in text and "tvm.script" in text and (not filters or any(f in str(path) for f in filters)):
                yield str(path.relative_to(root)), text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--compile-every", type=int, default=4)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("filters", nargs="*")
    options = parser.parse_args()
    bases = list(scripts(options.root, options.filters))

    def one(number):
        chance = random.Random(f"{options.seed} {number}")
        name, base = chance.choice(bases)
        text, made = script_changes.changed(base, chance)
        with tempfile.TemporaryDirectory() as folder:
            found = Script(options.tool, folder, text).all(number % options.compile_every == 0)
        if found and options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{options.seed}-{number}.py").write_text(text, errors="surrogateescape")
        return name, made, [*found, *difflib.unified_diff(base.split("\n"), text.split("\n"), name, "changed", "", n=2)] if found else []

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, (name, made, found) in enumerate(pool.map(one, range(options.count))):
            if found:
                failed += 1
                print(f"not ok {failed} - {options.seed}-{number}: {name}: {', '.join(made)}")
                for line in "\n".join(found).splitlines():
                    print(f"# {line.encode('ascii', 'backslashreplace').decode()}", flush=True)
    print(f"ok {failed + 1} - {options.count - failed} of {options.count} changed scripts")
    print(f"1..{failed + 1}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
